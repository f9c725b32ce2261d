/*
 * What repeats say together: median, and how far the ratio of two medians can be trusted.
 */
#ifndef KB_BASE_STATS_H
#define KB_BASE_STATS_H

#include <stddef.h>
#include <stdint.h>

/* Fewer values than this on a side make no interval: with 3 the bootstrap's 95% hold in 90% of the
 * cases, with 5 and more in 95% or more. */
enum { STATS_REPEATS_MIN = 5 };

typedef struct Interval {
    double low, high; /* NAN: none */
} Interval;

/* The median; sorts `values` in place. NAN for none. */
double stats_median(double *values, size_t count);

/*
 * The 95% interval of median(values) / median(over), by the percentile bootstrap.
 *
 * values, over  independent measurements, above 0
 * seed          of the resampling: the same seed gives the same interval
 * Returns       NAN on both ends with fewer than STATS_REPEATS_MIN on a side, or when a median of
 *               `over` is not above 0
 * Source        Efron and Tibshirani, An Introduction to the Bootstrap (1993), chapter 13
 */
Interval stats_ratio_interval(const double *values, size_t count, const double *over,
                              size_t over_count, uint64_t seed);

#endif
