#include "base/stats.h"

#include "base/mem.h"
#include "base/rng.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { RESAMPLES = 4999 };

static const double TAIL = 0.025; /* of the ratios, outside the interval on each side */

static int
compare_doubles(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;

    return (a > b) - (a < b);
}

double
stats_median(double *values, size_t count)
{
    if (count == 0)
        return NAN;
    qsort(values, count, sizeof(*values), compare_doubles);
    return (values[(count - 1) / 2] + values[count / 2]) / 2;
}

/* One side of a ratio. */
typedef struct Sample {
    double *sorted;
    size_t count;
    size_t *drawn; /* how often each value is in the sample of a sample */
} Sample;

static Sample
sample_of(const double *values, size_t count)
{
    Sample sample = {mem_new(count, sizeof(double)), count, mem_new(count, sizeof(size_t))};

    memcpy(sample.sorted, values, count * sizeof(*values));
    qsort(sample.sorted, count, sizeof(*values), compare_doubles);
    return sample;
}

static void
sample_release(Sample *sample)
{
    free(sample->sorted);
    free(sample->drawn);
}

/* The value at a rank, 0.., among those drawn. */
static double
drawn_at(const Sample *sample, size_t rank)
{
    size_t i = 0;

    for (size_t seen = sample->drawn[0]; seen <= rank; seen += sample->drawn[i])
        i++;
    return sample->sorted[i];
}

/* The median of as many values drawn with replacement. */
static double
draw_median(Rng *rng, Sample *sample)
{
    memset(sample->drawn, 0, sample->count * sizeof(*sample->drawn));
    for (size_t i = 0; i < sample->count; i++)
        sample->drawn[rng_below(rng, sample->count)]++;
    return (drawn_at(sample, (sample->count - 1) / 2) + drawn_at(sample, sample->count / 2)) / 2;
}

/* The value below which the share `share` of the sorted ratios lies. */
static double
quantile(const double *sorted, double share)
{
    return sorted[(size_t)lround(share * (RESAMPLES + 1)) - 1];
}

/* Draw both sides again and again; false when a ratio cannot be made. */
static bool
draw_ratios(Sample *top, Sample *bottom, uint64_t seed, double *ratios)
{
    Rng rng;

    rng_init(&rng, seed, 0);
    for (int i = 0; i < RESAMPLES; i++) {
        double over;

        ratios[i] = draw_median(&rng, top);
        over = draw_median(&rng, bottom);
        if (!(over > 0))
            return false;
        ratios[i] /= over;
    }
    return true;
}

Interval
stats_ratio_interval(const double *values, size_t count, const double *over, size_t over_count,
                     uint64_t seed)
{
    Interval interval = {NAN, NAN};
    Sample top, bottom;
    double *ratios;

    if (count < STATS_REPEATS_MIN || over_count < STATS_REPEATS_MIN)
        return interval;
    top = sample_of(values, count);
    bottom = sample_of(over, over_count);
    ratios = mem_new(RESAMPLES, sizeof(*ratios));
    if (draw_ratios(&top, &bottom, seed, ratios)) {
        qsort(ratios, RESAMPLES, sizeof(*ratios), compare_doubles);
        interval.low = quantile(ratios, TAIL);
        interval.high = quantile(ratios, 1 - TAIL);
    }
    free(ratios);
    sample_release(&top);
    sample_release(&bottom);
    return interval;
}
