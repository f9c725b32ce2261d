/*
 * How often which time was measured: a histogram whose buckets grow with the value, in fixed
 * memory. Histograms are added up; percentiles, which have no sum and no average, are read last.
 */
#ifndef KB_BASE_HIST_H
#define KB_BASE_HIST_H

#include <stdint.h>

enum {
    HIST_SUB_BITS = 6,  /* 64 buckets each time the value doubles: half of one is below 0.8% */
    HIST_MAX_BITS = 43, /* values below 2^43 ns, 2.4 hours */
    HIST_BUCKETS = (HIST_MAX_BITS - HIST_SUB_BITS + 1) << HIST_SUB_BITS,
};

/* count = sum of buckets + overflow_count. All zero: empty. */
typedef struct Hist {
    uint64_t buckets[HIST_BUCKETS];
    uint64_t count;
    uint64_t overflow_count; /* values of 2^43 ns and more */
    uint64_t max_ns;         /* as it was measured */
} Hist;

/* Count one value; nothing is allocated, and no other thread may read meanwhile. */
static inline void
hist_record(Hist *hist, uint64_t value_ns)
{
    unsigned shift;

    hist->count++;
    if (value_ns > hist->max_ns)
        hist->max_ns = value_ns;
    if (value_ns >> HIST_MAX_BITS != 0) {
        hist->overflow_count++;
        return;
    }
    shift =
        63U - (unsigned)__builtin_clzll(value_ns | (UINT64_C(1) << HIST_SUB_BITS)) - HIST_SUB_BITS;
    hist->buckets[((uint64_t)shift << HIST_SUB_BITS) + (value_ns >> shift)]++;
}

/* Add what `part` has counted. */
void hist_merge(Hist *sum, const Hist *part);

/*
 * The value that `share` (0..1) of the values do not exceed, by nearest rank: the middle of its
 * bucket, at most 1% off; never more than the largest value, which the overflow reads as. 0 for an
 * empty histogram.
 */
uint64_t hist_percentile_ns(const Hist *hist, double share);

#endif
