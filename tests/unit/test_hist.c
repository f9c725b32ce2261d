/* The histogram of latencies: how near its percentiles are, merging, overflow. */
#include "support/tap.h"

#include "base/diag.h"
#include "base/hist.h"
#include "base/mem.h"
#include "base/rng.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { VALUES = 20000 };

static const double SHARES[] = {0.001, 0.1, 0.5, 0.9, 0.95, 0.99, 0.999, 1.0};

static int
compare(const void *a, const void *b)
{
    uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;

    return (left > right) - (left < right);
}

/* The value of nearest rank in sorted values. */
static uint64_t
exact(const uint64_t *sorted, size_t count, double share)
{
    size_t rank = (size_t)ceil(share * (double)count);

    return sorted[rank > 0 ? rank - 1 : 0];
}

static double
worst_error_pct(const Hist *hist, const uint64_t *sorted, size_t count)
{
    double worst = 0;

    for (size_t i = 0; i < ARRAY_LEN(SHARES); i++) {
        double right = (double)exact(sorted, count, SHARES[i]);
        double error = fabs((double)hist_percentile_ns(hist, SHARES[i]) - right) / right * 100;

        worst = error > worst ? error : worst;
    }
    return worst;
}

/* From 1 ns to hours, as many in each doubling. */
static void
draw(uint64_t *values, size_t count, uint64_t seed)
{
    Rng rng;

    rng_init(&rng, seed, 1);
    for (size_t i = 0; i < count; i++) {
        uint64_t bits = rng_next(&rng);

        values[i] = (bits >> 1 | UINT64_C(1) << 62) >> (20 + bits % 43);
    }
}

static void
test_accuracy(void)
{
    uint64_t *values = mem_new(VALUES, sizeof(*values));
    Hist *hist = mem_new(1, sizeof(*hist));

    draw(values, VALUES, 1);
    for (size_t i = 0; i < VALUES; i++)
        hist_record(hist, values[i]);
    qsort(values, VALUES, sizeof(*values), compare);
    tap_u64(hist->count, VALUES, "all are counted");
    tap_u64(hist->overflow_count, 0, "none is too large");
    tap_u64(hist->max_ns, values[VALUES - 1], "the largest is exact");
    tap_ok(worst_error_pct(hist, values, VALUES) <= 1, "percentiles are at most 1% off");
    tap_ok(values[VALUES - 1] / values[0] > UINT64_C(1) << 40, "  over twelve powers of ten");
    free(hist);
    free(values);
}

/* Each value alone: no bucket misses its own by more than 1%. */
static void
test_buckets(void)
{
    double worst = 0;
    Hist *hist = mem_new(1, sizeof(*hist));

    for (uint64_t value = 1; value < UINT64_C(1) << HIST_MAX_BITS; value += value / 200 + 1) {
        double off;

        memset(hist, 0, sizeof(*hist));
        hist_record(hist, value);
        hist->max_ns = UINT64_MAX; /* or it would hide the bucket */
        off = fabs((double)hist_percentile_ns(hist, 1) - (double)value) / (double)value * 100;
        worst = off > worst ? off : worst;
        if (value < 128 && off > 0)
            tap_u64(hist_percentile_ns(hist, 1), value, "a small value is exact");
    }
    tap_ok(worst <= 1, "no bucket is more than 1% off");
    tap_ok(worst > 0.5, "and the worst is found");
    free(hist);
}

static void
test_merge(void)
{
    uint64_t *values = mem_new(VALUES, sizeof(*values));
    Hist *parts = mem_new(4, sizeof(*parts)), *whole = mem_new(1, sizeof(*whole)),
         *sum = mem_new(1, sizeof(*sum));

    draw(values, VALUES, 2);
    for (size_t i = 0; i < VALUES; i++) {
        hist_record(&parts[i % 4], values[i]);
        hist_record(whole, values[i]);
    }
    hist_record(&parts[3], UINT64_MAX);
    hist_record(whole, UINT64_MAX);
    for (size_t i = 0; i < 4; i++)
        hist_merge(sum, &parts[i]);
    tap_ok(memcmp(sum, whole, sizeof(*sum)) == 0, "parts added up are the whole");
    free(sum);
    free(whole);
    free(parts);
    free(values);
}

static void
test_edges(void)
{
    static const struct {
        uint64_t values[3];
        size_t count;
        double share;
        uint64_t wanted;
        const char *label;
    } CASES[] = {
        {{0}, 0, 0.5, 0, "empty"},
        {{7}, 1, 0, 7, "the share 0 is the first value"},
        {{7}, 1, 1, 7, "one value is every percentile"},
        {{0}, 1, 0.5, 0, "zero"},
        {{1, 2, 3}, 3, 0.5, 2, "the middle of three"},
        {{1, 2, 3}, 3, 0.34, 2, "a rank is rounded up"},
        {{1, 2, 1000001}, 3, 1, 1000001, "not more than the largest"},
        {{1, UINT64_C(1) << 43, UINT64_MAX}, 3, 0.33, 1, "below an overflow"},
        {{1, UINT64_C(1) << 43, UINT64_MAX}, 3, 0.5, UINT64_MAX, "in the overflow: the largest"},
    };

    for (size_t i = 0; i < ARRAY_LEN(CASES); i++) {
        Hist *hist = mem_new(1, sizeof(*hist));

        for (size_t k = 0; k < CASES[i].count; k++)
            hist_record(hist, CASES[i].values[k]);
        tap_u64(hist_percentile_ns(hist, CASES[i].share), CASES[i].wanted, CASES[i].label);
        free(hist);
    }
}

static void
test_overflow(void)
{
    Hist *hist = mem_new(1, sizeof(*hist));
    uint64_t counted = 0;

    hist_record(hist, (UINT64_C(1) << HIST_MAX_BITS) - 1);
    hist_record(hist, UINT64_C(1) << HIST_MAX_BITS);
    hist_record(hist, UINT64_MAX);
    for (size_t i = 0; i < HIST_BUCKETS; i++)
        counted += hist->buckets[i];
    tap_u64(hist->overflow_count, 2, "two are too large for a bucket");
    tap_u64(counted + hist->overflow_count, hist->count, "buckets and overflow are all");
    tap_u64(hist->max_ns, UINT64_MAX, "the largest is kept");
    free(hist);
}

int
main(void)
{
    test_accuracy();
    test_buckets();
    test_merge();
    test_edges();
    test_overflow();
    return tap_done();
}
