/*
 * A chapter file while it is read: shared by chapter.c, which cuts the file into statements and
 * directives, and directives.c, which says what each directive means.
 */
#ifndef KB_LAB_READER_H
#define KB_LAB_READER_H

#include "lab/chapter.h"

/* Which part of the file is being read. */
typedef enum ReaderPart {
    PART_HEAD, /* above the first claim */
    PART_SETUP,
    PART_CLAIM,
} ReaderPart;

/* A statement that waits and is not resumed yet. */
typedef struct Waiting {
    const char *session;
    size_t line;
} Waiting;

typedef struct Reader {
    const char *file;
    const char *at; /* next byte to read */
    size_t line;
    Chapter *chapter;
    ReaderPart part;
    Need *common_needs; /* of every claim that follows */
    size_t common_need_count;

    /* The claim being read. */
    Claim claim;
    const char *source, *source_end; /* its text in the file so far */
    const char *session;
    Waiting *waiting;
    size_t waiting_count;
    const char **variables;
    size_t variable_count;

    /* What directives said of the statement that must follow. */
    Step next;
    const char *next_directive; /* NULL: nothing */
} Reader;

/* Set an error at a line of the file, "FILE:LINE: ...", and return STATUS_SCENARIO. */
Status reader_error(const Reader *reader, size_t line, Diag *diag, const char *format, ...)
    PRINTF_LIKE(4, 5);

/* Room for one more item behind `count` of them, in the chapter's arena: the list, moved when it
 * was full. */
void *reader_grow(Reader *reader, void *items, size_t count, size_t item_bytes);

/* A copy in the chapter's arena. */
char *reader_copy(const Reader *reader, const char *text);

/* Cut the first word off a text; *rest is what follows it, without blanks in front. */
const char *reader_cut_word(const Reader *reader, const char *text, const char **rest);

/* An error unless nothing, or something, stands behind a directive. */
Status reader_no_text(const Reader *reader, const char *rest, Diag *diag) MUST_USE;
Status reader_some_text(const Reader *reader, const char *rest, const char *what,
                        Diag *diag) MUST_USE;

/* Whether a text may be the name of a session, server, database or variable; else an error. */
Status reader_check_name(const Reader *reader, const char *what, const char *name,
                         Diag *diag) MUST_USE;

/* Add a step to the claim or setup being read. */
void reader_add_step(Reader *reader, const Step *step);

/* Add the SQL of a statement, with what the directives above said of it. */
Status reader_add_statement(Reader *reader, const char *sql, size_t line, Diag *diag) MUST_USE;

/* End the claim being read, if one is, and check it as a whole. */
Status reader_end_claim(Reader *reader, Diag *diag) MUST_USE;

/* Carry out one directive; `text` is what stands behind "--@", without blanks around it. */
Status directive_read(Reader *reader, const char *text, Diag *diag) MUST_USE;

/* "needs": of the claim being read, or of all that follow when it stands above them. */
Status directive_read_needs(Reader *reader, const char *rest, Diag *diag) MUST_USE;

#endif
