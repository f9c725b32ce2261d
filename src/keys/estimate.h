/*
 * What counters and short random ids give away in numbers: how many rows there are, how fast they
 * come, and how many ids fit before two are likely to be the same.
 */
#ifndef KB_KEYS_ESTIMATE_H
#define KB_KEYS_ESTIMATE_H

#include "base/diag.h"

#include <stdint.h>

/* How many ids a counter has given, from some of them. */
typedef struct TotalEstimate {
    uint64_t seen_count; /* different ids */
    uint64_t largest;    /* of them */
    uint64_t total;      /* m + m/k - 1, to the nearest; INT64_MAX at most, as the interval */
    uint64_t low, high;  /* 95% interval of the total, at least `largest` */
} TotalEstimate;

/*
 * Estimate a counter's total from ids that were drawn from it at random: the German tank problem.
 * The interval holds every total N for which the largest of k ids lies in neither 2.5% tail, from
 * the exact distribution P(largest <= m) = C(m, k) / C(N, k).
 *
 * ids      1 or more numbers from 1, any order, doubles count once; sorted in place
 * Returns  STATUS_USAGE for no ids, an id of 0 or one over INT64_MAX
 * Source   L. A. Goodman, "Serial Number Analysis", JASA 47 (1952), 622-634: estimate and
 *          confidence intervals
 */
Status estimate_total(uint64_t *ids, size_t count, TotalEstimate *estimate, Diag *diag) MUST_USE;

/* One id of a counter and when it was given. */
typedef struct SeenId {
    uint64_t id;
    int64_t time_ns; /* since 1970 */
} SeenId;

/* How fast a counter runs, from two of its ids in any order. STATUS_USAGE when they are of one
 * time, or the later one is smaller. */
Status estimate_rate(SeenId first, SeenId second, double *ids_per_s, Diag *diag) MUST_USE;

/* How many random ids can be made before two are the same with a given chance. */
typedef struct IdBudget {
    double bits;      /* of one id */
    double log10_ids; /* logarithm of the number of ids, which may be over a double's range */
    double ids;       /* the number, INFINITY when it is */
} IdBudget;

/*
 * The birthday bound, n(n-1)/2 = -ln(1-p) N with N = alphabet^length, in logarithms so that no
 * length overflows.
 *
 * alphabet     different characters, 2 or more
 * length       characters of an id, 1 or more
 * probability  of a collision, above 0 and below 1
 */
Status estimate_budget(uint64_t alphabet, uint64_t length, double probability, IdBudget *budget,
                       Diag *diag) MUST_USE;

#endif
