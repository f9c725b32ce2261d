/*
 * A made-up result for tests of tables, checks and charts: two phases like those of the book's
 * tables 13-1 and 13-2, its first three designs with figures like the book's.
 */
#ifndef KB_TESTS_SAMPLE_RESULT_H
#define KB_TESTS_SAMPLE_RESULT_H

#include "results/result.h"

typedef struct SampleSpec {
    size_t design_count;      /* 0: 3 */
    uint64_t repeats;         /* 0: 1; repeats of UUIDv4 differ, others are equal */
    size_t batch_count;       /* of the second phase; 0: 10 */
    const char *title_suffix; /* appended to every design's title, as JSON; NULL: none */
    const char *result_title; /* the scenario's title as JSON; NULL: the usual */
    bool no_references;
} SampleSpec;

/* Caller frees with result_free. NULL for `spec` is all zero. */
Result *sample_result_new(const SampleSpec *spec);

/* Borrowed: phase "first" or "second" of one repeat of a design. */
PhaseResult *sample_phase(Result *result, const char *design, const char *phase, uint64_t repeat);

#endif
