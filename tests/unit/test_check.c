#include "report/check.h"

#include "support/sample_result.h"
#include "support/tap.h"

#include <math.h>

/* The verdict of one bound of the sample's scenario. */
static const CheckResult *
find_check(const Result *result, const char *name)
{
    for (size_t i = 0; i < result->check_count; i++)
        if (strcmp(result->checks[i].name, name) == 0)
            return &result->checks[i];
    return NULL;
}

static bool
evaluate(Result *result)
{
    Diag diag = {0};
    bool all_hold = false;

    if (check_bounds(result, &all_hold, &diag) != STATUS_OK)
        BUG("%s", diag.message);
    return all_hold;
}

static void
test_usual(void)
{
    static const struct {
        const char *name, *bound;
        double value;
    } cases[] = {
        {"v4-over-v7", "at least 3", 577241080.0 / 150365790.0},
        {"bigint-images", "36 to 48", 39},
        {"v4-wal", "within 1% of 551 MB (Table 13-1)", 577241080},
        {"bigint-size", "within 1% of 21 MB (Table 13-2)", 22487040},
        {"v7-flat", "at most 8 in each batch", 4},
    };
    Result *result = sample_result_new(NULL);

    tap_ok(evaluate(result), "all bounds of the sample hold");
    tap_u64(result->check_count, ARRAY_LEN(cases), "a check for each bound");
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        const CheckResult *check = find_check(result, cases[i].name);

        tap_text(check->verdict, "pass", cases[i].name);
        tap_text(check->bound, cases[i].bound, "its bound in words");
        tap_near(check->value, cases[i].value, 1e-9, "its value");
    }
    evaluate(result);
    tap_u64(result->check_count, ARRAY_LEN(cases), "a second time replaces the checks");
    result_free(result);
}

/* One way to spoil the sample, and what the check then says. */
typedef struct Spoiled {
    const char *why, *check;
    void (*spoil)(Result *result);
    const char *verdict, *bound_part;
    double value; /* NAN: none */
} Spoiled;

static void
lower_v4_wal(Result *result)
{
    sample_phase(result, "uuidv4", "second", 1)->figures.value[METRIC_WAL_BYTES] = 300731580;
}

static void
raise_v4_wal(Result *result)
{
    sample_phase(result, "uuidv4", "second", 1)->figures.value[METRIC_WAL_BYTES] = 640000000;
}

static void
grow_bigint_index(Result *result)
{
    sample_phase(result, "bigint", "first", 1)->indexes[0].figures.value[METRIC_INDEX_BYTES] =
        22544385; /* one byte above 21.5 MB */
}

static void
raise_one_batch(Result *result)
{
    sample_phase(result, "uuidv7", "second", 1)->batches[6].figures.value[METRIC_FPI_COUNT] = 9;
}

static void
forget_design(Result *result)
{
    result->designs[2].name = "another";
}

static void
forget_phase(Result *result)
{
    sample_phase(result, "bigint", "second", 1)->name = "another";
}

static void
forget_figure(Result *result)
{
    sample_phase(result, "bigint", "second", 1)->figures.value[METRIC_FPI_COUNT] = NAN;
}

static void
forget_index(Result *result)
{
    sample_phase(result, "bigint", "first", 1)->index_count = 0;
}

static void
forget_batch(Result *result)
{
    sample_phase(result, "uuidv7", "second", 1)->batch_count = 9;
}

static void
cut_phase(Result *result)
{
    sample_phase(result, "uuidv4", "second", 1)->complete = false;
}

static void
divide_by_zero(Result *result)
{
    sample_phase(result, "uuidv7", "second", 1)->figures.value[METRIC_WAL_BYTES] = 0;
}

static void
forget_all(Result *result)
{
    result->design_count = 0;
}

static void
interrupt(Result *result)
{
    result->status = RESULT_INTERRUPTED;
}

static void
contaminate(Result *result)
{
    Finding finding = {.kind = "checkpoint", .design = "uuidv7", .phase = "second", .detail = "x"};

    result_add_finding(result, &finding);
}

static void
compress(Result *result)
{
    static NamedValue server[] = {{"wal_compression", "zstd"}};

    result->server = server;
    result->server_count = ARRAY_LEN(server);
}

static const Spoiled SPOILED[] = {
    {"ratio too small", "v4-over-v7", lower_v4_wal, "fail", "at least 3", 2},
    {"too far from the book", "v4-wal", raise_v4_wal, "fail", "within 1%", 640000000},
    {"no longer rounds to the book", "bigint-size", grow_bigint_index, "fail", "21 MB", 22544385},
    {"one batch outside", "v7-flat", raise_one_batch, "fail", "in each batch", 9},
    {"missing design", "v7-flat", forget_design, "fail", "\"uuidv7\" was not measured", NAN},
    {"missing other side", "v4-over-v7", forget_design, "fail", "\"uuidv7\" was not", NAN},
    {"missing phase", "bigint-images", forget_phase, "fail", "no phase \"second\"", NAN},
    {"missing figure", "bigint-images", forget_figure, "fail", "has no fpi_count", NAN},
    {"missing index", "bigint-size", forget_index, "fail", "has no index_bytes", NAN},
    {"missing batch", "v7-flat", forget_batch, "fail", "has no fpi_count", NAN},
    {"phase cut short", "v4-wal", cut_phase, "fail", "has no wal_bytes", NAN},
    {"division by zero", "v4-over-v7", divide_by_zero, "fail", "\"uuidv7\" is 0", NAN},
    {"nothing measured", "v4-wal", forget_all, "fail", "nothing was measured", NAN},
    {"contaminated ratio", "v4-over-v7", contaminate, "not comparable", "contaminated", NAN},
    {"a server that compresses", "v4-wal", compress, "not comparable",
     "wal_compression is zstd, and was off for the published figure", NAN},
    {"run not complete", "v4-wal", interrupt, "not comparable", "within 1%", NAN},
};

static void
test_spoiled(void)
{
    for (size_t i = 0; i < ARRAY_LEN(SPOILED); i++) {
        const Spoiled *it = &SPOILED[i];
        Result *result = sample_result_new(NULL);
        const CheckResult *check;

        it->spoil(result);
        tap_ok(!evaluate(result), it->why);
        check = find_check(result, it->check);
        tap_text(check->verdict, it->verdict, "its verdict");
        tap_contains(check->bound, it->bound_part, "its bound says why");
        if (isnan(it->value))
            tap_ok(isnan(check->value), "no value");
        else
            tap_near(check->value, it->value, 1e-6, "the value");
        result_free(result);
    }
}

static void
test_repeats(void)
{
    SampleSpec spec = {.repeats = 3};
    Result *result = sample_result_new(&spec);

    tap_ok(evaluate(result), "three repeats hold");
    sample_phase(result, "bigint", "second", 2)->figures.value[METRIC_FPI_COUNT] = 60;
    tap_ok(!evaluate(result), "one repeat does not");
    tap_near(find_check(result, "bigint-images")->value, 60, 0, "the worst repeat is shown");
    sample_phase(result, "bigint", "second", 3)->figures.value[METRIC_FPI_COUNT] = 20;
    evaluate(result);
    tap_near(find_check(result, "bigint-images")->value, 20, 0,
             "the worst is the one farthest outside, 16 below against 12 above");
    result->designs[3].name = "another"; /* bigint, second repeat */
    tap_ok(!evaluate(result), "a repeat that is missing fails");
    tap_contains(find_check(result, "bigint-images")->bound, "was not measured", "and says so");
    result_free(result);
}

static void
test_bad_scenario(void)
{
    Result *result = sample_result_new(NULL);
    Diag diag = {0};
    bool all_hold = true;

    result->scenario_text = "{}";
    tap_u64(check_bounds(result, &all_hold, &diag), STATUS_SCENARIO, "no scenario in the result");
    tap_contains(diag.message, "scenario of the result", "the message names it");
    tap_ok(all_hold, "the out parameter is untouched on failure");
    result_free(result);
}

int
main(void)
{
    test_usual();
    test_spoiled();
    test_repeats();
    test_bad_scenario();
    return tap_done();
}
