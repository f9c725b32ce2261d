#include "base/hist.h"

#include <math.h>
#include <stddef.h>

void
hist_merge(Hist *sum, const Hist *part)
{
    for (size_t i = 0; i < HIST_BUCKETS; i++)
        sum->buckets[i] += part->buckets[i];
    sum->count += part->count;
    sum->overflow_count += part->overflow_count;
    if (part->max_ns > sum->max_ns)
        sum->max_ns = part->max_ns;
}

/* The first bucket of 128 values holds them one by one; then each row of 64 is twice as wide. */
static uint64_t
bucket_middle_ns(size_t bucket)
{
    size_t row = bucket >> HIST_SUB_BITS;
    unsigned shift = row > 0 ? (unsigned)row - 1 : 0;
    uint64_t low = (uint64_t)(bucket - ((size_t)shift << HIST_SUB_BITS)) << shift;

    return low + ((UINT64_C(1) << shift) - 1) / 2;
}

uint64_t
hist_percentile_ns(const Hist *hist, double share)
{
    uint64_t rank = (uint64_t)ceil(share * (double)hist->count), seen = 0;

    if (rank == 0)
        rank = 1;
    for (size_t i = 0; i < HIST_BUCKETS; i++) {
        uint64_t middle_ns;

        seen += hist->buckets[i];
        if (seen < rank)
            continue;
        middle_ns = bucket_middle_ns(i);
        return middle_ns < hist->max_ns ? middle_ns : hist->max_ns;
    }
    return hist->max_ns;
}
