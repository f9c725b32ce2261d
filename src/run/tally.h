/*
 * What becomes of transactions: how many the server committed, how long each took, and what it
 * refused, by SQLSTATE. One writer's tally has fixed memory and no lock; those of writers and
 * batches are added up.
 */
#ifndef KB_RUN_TALLY_H
#define KB_RUN_TALLY_H

#include "base/hist.h"
#include "results/metric.h"

enum { TALLY_SQLSTATES_MAX = 16 };

typedef struct TallyFailure {
    char sqlstate[6]; /* the last place also holds those that have none left */
    uint64_t count;
} TallyFailure;

/*
 * Every transaction is committed or has failed: committed_count + failed_count of them were begun.
 * Every attempt that the server refused is a failure by SQLSTATE: their sum is failed_count +
 * retry_count.
 */
typedef struct Tally {
    uint64_t committed_count, failed_count, retry_count;
    Hist latency; /* of committed ones, from the first attempt on */
    TallyFailure failures[TALLY_SQLSTATES_MAX];
    size_t failure_count;
} Tally;

/* An attempt was refused `count` times with this SQLSTATE. */
void tally_add_failures(Tally *tally, const char *sqlstate, uint64_t count);

void tally_merge(Tally *sum, const Tally *part);

/* Its counts, and its percentiles where anything was committed; the other figures stay. */
void tally_fill(const Tally *tally, Figures *figures);
void tally_fill_latency(const Tally *tally, Figures *figures);

#endif
