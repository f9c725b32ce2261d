/* The leaks in numbers, against figures that can be computed by hand or by counting all cases. */
#include "keys/estimate.h"

#include "support/tap.h"

static void
test_total(void)
{
    static const struct {
        uint64_t ids[6];
        size_t count;
        uint64_t total;
        const char *label;
    } cases[] = {
        {{60}, 1, 119, "one id: twice as many, less one"},
        {{19, 40, 42, 60}, 4, 74, "the usual example of the tank problem"},
        {{60, 42, 19, 40, 60, 19}, 6, 74, "order and doubles do not matter"},
        {{1, 2, 3, 4, 5}, 5, 5, "all of them"},
        {{1}, 1, 1, "the first id alone"},
        {{1, 5}, 2, 7, "half an id more counts as one"},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        uint64_t ids[6];
        TotalEstimate estimate = {0};
        Diag diag;

        memcpy(ids, cases[i].ids, sizeof(ids));
        tap_u64(estimate_total(ids, cases[i].count, &estimate, &diag), STATUS_OK, cases[i].label);
        tap_u64(estimate.total, cases[i].total, cases[i].label);
        tap_ok(estimate.low >= estimate.largest && estimate.low <= estimate.high,
               "the interval starts at the largest id or later");
    }
}

/* P(largest of k <= m) among N, by multiplying out. */
static double
chance(double m, double n, int k)
{
    double product = 1;

    for (int i = 0; i < k; i++)
        product *= m > i ? (m - i) / (n - i) : 0;
    return product;
}

static void
test_interval_ends(void)
{
    static const struct {
        uint64_t largest;
        int count;
    } cases[] = {{60, 4}, {1000, 1}, {1000, 2}, {1958825, 5}, {20, 10}};
    const double tail = 0.025 * (1 - 1e-12); /* 1000 of 40,000 is just 0.025 */

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        double m = (double)cases[i].largest;
        int k = cases[i].count;
        uint64_t ids[16];
        TotalEstimate estimate;
        Diag diag;
        double low, high;

        for (int id = 0; id < k; id++)
            ids[id] = id == 0 ? cases[i].largest : (uint64_t)id;
        tap_u64(estimate_total(ids, (size_t)k, &estimate, &diag), STATUS_OK, "an estimate");
        low = (double)estimate.low;
        high = (double)estimate.high;
        tap_ok(chance(m, high, k) > tail && chance(m, high + 1, k) <= tail,
               "one more at the top would be too unlikely");
        tap_ok(1 - chance(m - 1, low, k) > tail, "the bottom is likely enough");
        tap_ok(low == m || 1 - chance(m - 1, low - 1, k) <= tail, "one fewer would not be");
    }
}

/* Over all pairs from 1..N: how often the interval holds N. At least 95 times of 100. */
static void
test_coverage(void)
{
    static const uint64_t totals[] = {10, 47, 200};

    for (size_t i = 0; i < ARRAY_LEN(totals); i++) {
        uint64_t total = totals[i], held = 0, pairs = 0;

        for (uint64_t largest = 2; largest <= total; largest++) {
            uint64_t ids[] = {1, largest};
            TotalEstimate estimate;
            Diag diag;

            if (estimate_total(ids, 2, &estimate, &diag) != STATUS_OK)
                tap_ok(false, diag.message);
            pairs += largest - 1;
            if (estimate.low <= total && total <= estimate.high)
                held += largest - 1;
        }
        tap_ok((double)held >= 0.95 * (double)pairs, "holds the truth in 95 of 100 cases");
    }
}

static void
test_large(void)
{
    enum { COUNT = 200000 };
    uint64_t *ids = calloc(COUNT, sizeof(*ids));
    uint64_t edge[] = {INT64_MAX, 5};
    TotalEstimate estimate = {0};
    Diag diag;

    for (uint64_t i = 0; i < COUNT; i++)
        ids[i] = (i + 1) * 1000;
    tap_u64(estimate_total(ids, COUNT, &estimate, &diag), STATUS_OK, "many ids");
    tap_u64(estimate.total, 200000999, "close to the largest");
    tap_ok(estimate.high - estimate.low < 4000, "within a narrow interval");
    tap_u64(estimate_total(edge, 2, &estimate, &diag), STATUS_OK, "the largest bigint");
    tap_u64(estimate.high, INT64_MAX, "has nowhere to go");
    tap_u64(estimate.total, INT64_MAX, "nor has the estimate");
    edge[0] = edge[1] = INT64_MAX / 2;
    tap_u64(estimate_total(edge, 2, &estimate, &diag), STATUS_OK, "half of it");
    tap_u64(estimate.total, INT64_MAX - 2, "is doubled to the last digit");
    tap_u64(estimate.high, INT64_MAX, "as far as a bigint goes");
    free(ids);
}

static void
test_total_refusals(void)
{
    uint64_t zero[] = {5, 0}, large[] = {UINT64_MAX};
    TotalEstimate estimate = {.total = 7};
    Diag diag = {0};

    tap_u64(estimate_total(zero, 0, &estimate, &diag), STATUS_USAGE, "no ids");
    tap_u64(estimate_total(zero, 2, &estimate, &diag), STATUS_USAGE, "an id of 0");
    tap_contains(diag.message, "id 0", "is named");
    tap_u64(estimate_total(large, 1, &estimate, &diag), STATUS_USAGE, "an id over 63 bits");
    tap_u64(estimate.total, 7, "the out parameter is untouched");
}

static void
test_rate(void)
{
    static const struct {
        SeenId first, second;
        double ids_per_s;
        const char *label;
    } cases[] = {
        {{1000, 0}, {39356, INT64_C(604800000000000)}, 38356.0 / 604800, "a week of rows"},
        {{200, INT64_C(2000000000)}, {100, INT64_C(1000000000)}, 100, "the later one first"},
        {{7, INT64_C(1000000000)}, {7, INT64_C(9000000000)}, 0, "nothing came"},
    };
    double rate = -1;
    Diag diag = {0};

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        tap_u64(estimate_rate(cases[i].first, cases[i].second, &rate, &diag), STATUS_OK,
                cases[i].label);
        tap_near(rate, cases[i].ids_per_s, 1e-9, cases[i].label);
    }
    tap_u64(estimate_rate(cases[0].first, cases[0].first, &rate, &diag), STATUS_USAGE,
            "no time between them");
    tap_u64(estimate_rate((SeenId){100, 1}, (SeenId){50, 2}, &rate, &diag), STATUS_USAGE,
            "a counter that goes down");
    tap_contains(diag.message, "id 100 came before the smaller id 50", "is no counter");
    tap_near(rate, 0, 1e-9, "the out parameter is untouched");
}

static void
test_budget(void)
{
    static const struct {
        uint64_t alphabet, length;
        double probability, ids, tolerance;
        const char *label;
    } cases[] = {
        {64, 8, 1e-9, 750, 1, "8 of 64 reach one in a billion at about 750"},
        {64, 21, 1e-9, 4.1e14, 0.03e14, "21 of 64 at about 4.1e14"},
        {2, 122, 1e-9, 1.03e14, 0.01e14, "UUIDv4: about 103 trillion"},
        {365, 1, 0.5, 23, 0.5, "birthdays: 23 people for even odds"},
        {2, 1, 1e-9, 1, 1e-6, "a coin: the second one is too many"},
        {10, 6, 1e-9, 1.0, 0.01, "six digits: the second one is too many"},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        IdBudget budget = {0};
        Diag diag;

        tap_u64(estimate_budget(cases[i].alphabet, cases[i].length, cases[i].probability, &budget,
                                &diag),
                STATUS_OK, cases[i].label);
        tap_near(budget.ids, cases[i].ids, cases[i].tolerance, cases[i].label);
        tap_near(pow(10, budget.log10_ids), budget.ids, 1e-9 * budget.ids, "and its logarithm");
    }
}

static void
test_budget_extremes(void)
{
    IdBudget budget = {0};
    Diag diag;

    tap_u64(estimate_budget(UINT64_MAX, 1000, 1e-9, &budget, &diag), STATUS_OK, "no overflow");
    tap_near(budget.log10_ids, 500 * log10(18446744073709551616.0) - 4.35, 0.01, "in logarithms");
    tap_ok(isinf(budget.ids), "the number itself is over a double");
    tap_near(budget.bits, 64000, 1e-6, "bits of an id");
    tap_u64(estimate_budget(1, 8, 1e-9, &budget, &diag), STATUS_USAGE, "an alphabet of one");
    tap_u64(estimate_budget(64, 0, 1e-9, &budget, &diag), STATUS_USAGE, "no characters");
    tap_u64(estimate_budget(64, 8, 0, &budget, &diag), STATUS_USAGE, "no chance");
    tap_u64(estimate_budget(64, 8, 1, &budget, &diag), STATUS_USAGE, "certainty");
    tap_u64(estimate_budget(64, 8, (double)NAN, &budget, &diag), STATUS_USAGE, "not a number");
}

int
main(void)
{
    test_total();
    test_interval_ends();
    test_coverage();
    test_large();
    test_total_refusals();
    test_rate();
    test_budget();
    test_budget_extremes();
    return tap_done();
}
