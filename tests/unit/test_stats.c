#include "base/stats.h"

#include "base/rng.h"
#include "support/tap.h"

static void
test_median(void)
{
    static const struct {
        double values[5];
        size_t count;
        double median;
        const char *why;
    } cases[] = {
        {{7}, 1, 7, "one value"},
        {{9, 1}, 2, 5, "two values: between them"},
        {{5, 1, 9}, 3, 5, "the middle of three"},
        {{4, 4, 1, 100}, 4, 4, "an outlier does not move it"},
        {{-3, 0, -1, 5, 2}, 5, 0, "negative values"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        double values[5];

        memcpy(values, cases[i].values, sizeof(values));
        tap_near(stats_median(values, cases[i].count), cases[i].median, 0, cases[i].why);
    }
    tap_ok(isnan(stats_median(NULL, 0)), "none of nothing");
}

static void
test_no_interval(void)
{
    static const double FEW[] = {1, 2, 3, 4}, ENOUGH[] = {1, 2, 3, 4, 5}, ZERO[] = {0, 0, 0, 0, 0};

    tap_ok(isnan(stats_ratio_interval(FEW, 4, ENOUGH, 5, 1).low), "four values on one side");
    tap_ok(isnan(stats_ratio_interval(ENOUGH, 5, FEW, 4, 1).high), "or on the other");
    tap_ok(isnan(stats_ratio_interval(ENOUGH, 5, ZERO, 5, 1).low), "nothing is a multiple of 0");
    tap_ok(stats_ratio_interval(ZERO, 5, ENOUGH, 5, 1).high == 0, "but 0 is one of something");
}

static void
test_interval(void)
{
    static const double SLOW[] = {20, 21, 22, 23, 24}, FAST[] = {10, 10.5, 11, 11.5, 12};
    static const double SAME[] = {3, 3, 3, 3, 3};
    Interval first = stats_ratio_interval(SLOW, 5, FAST, 5, 7);
    Interval again = stats_ratio_interval(SLOW, 5, FAST, 5, 7);
    Interval turned = stats_ratio_interval(FAST, 5, SLOW, 5, 7);
    Interval none = stats_ratio_interval(SAME, 5, SAME, 5, 7);

    tap_ok(first.low == again.low && first.high == again.high, "one seed, one interval");
    tap_ok(first.low < 2 && first.high > 2, "it holds the ratio of the medians");
    tap_ok(first.low >= 20 / 12.0 && first.high <= 2.4, "and lies between the extremes");
    tap_ok(turned.high < 1, "turned round it is below 1");
    tap_ok(none.low == 1 && none.high == 1, "values that do not vary have no width");
}

/* A value of about 1, from a skewed distribution as times are. */
static double
draw_time(Rng *rng)
{
    double sum = 0;

    for (int i = 0; i < 12; i++)
        sum += (double)rng_below(rng, 1000001) / 1000000;
    return exp(0.15 * (sum - 6));
}

/* Two times with the same distribution: how often, of 200, the interval holds 1. */
static int
count_covered(size_t repeats)
{
    int covered = 0;
    Rng rng;

    rng_init(&rng, repeats, 0);
    for (int i = 0; i < 200; i++) {
        double one[10], other[10];
        Interval interval;

        for (size_t k = 0; k < repeats; k++) {
            one[k] = draw_time(&rng);
            other[k] = draw_time(&rng);
        }
        interval = stats_ratio_interval(one, repeats, other, repeats, (uint64_t)i);
        covered += interval.low <= 1 && interval.high >= 1;
    }
    return covered;
}

static void
test_coverage(void)
{
    tap_ok(count_covered(STATS_REPEATS_MIN) >= 190,
           "with the fewest repeats no more than 5 in 100 differences are made up");
    tap_ok(count_covered(10) >= 190, "nor with ten");
}

int
main(void)
{
    test_median();
    test_no_interval();
    test_interval();
    test_coverage();
    return tap_done();
}
