/*
 * Chapters from claims to outcomes: each chapter on a server, side by side when asked. Outcomes are
 * told in the order of the library, whichever worker is first.
 */
#ifndef KB_LAB_LAB_H
#define KB_LAB_LAB_H

#include "lab/library.h"
#include "lab/prove.h"

typedef struct Lab {
    Arena **arenas; /* own the outcomes' texts: one a worker */
    size_t arena_count;
    const Library *library;
    Outcome **outcomes;      /* by chapter and claim; VERDICT_NONE: not reached or not chosen */
    char server_version[64]; /* "" until one was reached */
    bool throwaway;
    size_t ok_count, fail_count, skip_count, missing_count;
    uint64_t elapsed_ns;
} Lab;

typedef struct LabOptions {
    const Library *library;
    const DbTarget *target; /* the user's server; NULL: throwaway clusters */
    const char *bindir;     /* for throwaway clusters; NULL: search */
    uint64_t jobs;          /* chapters side by side; above 1 only with throwaway clusters */
    unsigned scale;         /* of measured claims: 1, or 5 for the book's size */
    bool insist;            /* also on a server that looks like production */
    /* A claim's outcome is known: called in the library's order, one at a time. */
    void (*proved)(void *context, size_t chapter, size_t claim, const Outcome *outcome);
    void (*event)(void *context, const ProveEvent *event); /* from any worker, one at a time */
    void (*notice)(void *context, const char *text);       /* the same; NULL: none */
    void *context;
} LabOptions;

/*
 * Prove all that is chosen. *lab is set whatever is returned, with what was proved until then; the
 * caller frees it with lab_free.
 * Returns   STATUS_OK also when claims do not hold; STATUS_INTERRUPTED, or the first error that is
 * not a claim's
 */
Status lab_run(const LabOptions *options, Lab **lab, Diag *diag) MUST_USE;
void lab_free(Lab *lab); /* accepts NULL */

#endif
