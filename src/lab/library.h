/*
 * Which chapters and claims are meant: those that are installed, or the files that are named, and
 * of them the chapters and claims that are named.
 */
#ifndef KB_LAB_LIBRARY_H
#define KB_LAB_LIBRARY_H

#include "lab/chapter.h"

typedef struct Library {
    Chapter **chapters; /* in the order of their files' names, or as named */
    bool **chosen;      /* by chapter and claim */
    size_t chapter_count;
} Library;

/*
 * Load and choose.
 *
 * words     a path (with a slash or ending in ".sql") is a file to read instead of the installed
 *           chapters; any other word names a chapter or a claim; without such a word all are chosen
 * Returns   STATUS_USAGE for a name that there is not; STATUS_SCENARIO for a bad chapter, or a name
 * that two chapters or claims have; STATUS_IO. Caller releases with library_release
 */
Status library_load(const char *const *words, size_t count, Library *library, Diag *diag) MUST_USE;
void library_release(Library *library);

size_t library_chosen_count(const Library *library);

/* Whether any claim of a chapter is chosen. */
bool library_chapter_chosen(const Library *library, size_t chapter);

#endif
