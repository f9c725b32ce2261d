#include "report/baseline.h"

#include "base/file.h"
#include "report/check.h"
#include "results/result_json.h"
#include "support/sample_result.h"
#include "support/spoil.h"
#include "support/tap.h"

#include <math.h>
#include <unistd.h>

static const CheckResult *
find_check(const Result *result, const char *name)
{
    for (size_t i = 0; i < result->check_count; i++)
        if (strcmp(result->checks[i].name, name) == 0)
            return &result->checks[i];
    return NULL;
}

static bool
check(Result *result, const Result *baseline, const ToleranceList *list)
{
    Diag diag = {0};
    bool holds = false;

    if (baseline_check(result, baseline, list, &holds, &diag) != STATUS_OK)
        BUG("%s", diag.message);
    return holds;
}

static void
test_equal(void)
{
    static const struct {
        const char *name, *bound;
        double value;
    } cases[] = {
        {"baseline/first/bigint/wal_bytes", "within 1% of 136,105,165", 136105165},
        {"baseline/first/bigint/fpi_count", "3, give or take 8", 3},
        {"baseline/first/bigint/leaf_pages", "2,735 exactly", 2735},
        {"baseline/second/bigint/wal_bytes", "136,210,020 exactly", 136210020},
        {"baseline/second/bigint/wal_record_count", "2,000,500 exactly", 2000500},
        {"baseline/second/uuidv4/fpi_count", "within 1% of 72,642", 72642},
        {"baseline/second/uuidv7/fpi_count", "40, give or take 8", 40},
    };
    Result *base = sample_result_new(NULL), *now = sample_result_new(NULL);
    bool bounds_hold;
    Diag diag = {0};

    tap_u64(check_bounds(now, &bounds_hold, &diag), STATUS_OK, "bounds first");
    tap_ok(check(now, base, NULL), "a result holds against itself");
    tap_u64(now->check_count, 5 + 2 * 3 * 4, "four figures of each design and phase are appended");
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        const CheckResult *it = find_check(now, cases[i].name);

        tap_text(it->bound, cases[i].bound, cases[i].name);
        tap_text(it->verdict, "pass", "holds");
        tap_near(it->value, cases[i].value, 0, "its value");
    }
    tap_ok(find_check(now, "baseline/second/bigint/elapsed_ms") == NULL, "times are not checked");
    result_free(base);
    result_free(now);
}

/* One way to change a result or the baseline, and the check that then fails. */
typedef struct Case {
    const char *why;
    void (*change)(Result *result);
    bool on_base;
    const char *check, *verdict, *bound; /* part of it */
} Case;

static const Case CASES[] = {
    {"one byte", spoil_byte, false, "baseline/second/bigint/wal_bytes", "fail",
     "136,210,020 exactly; off by +1; batch 4 is the first that differs: +1"},
    {"one byte less", spoil_byte, true, "baseline/second/bigint/wal_bytes", "fail",
     "136,210,021 exactly; off by -1; batch 4 is the first that differs: -1"},
    {"random keys that cost more", spoil_more, false, "baseline/second/uuidv4/wal_bytes", "fail",
     "within 1% of 577,241,080; off by +6,349,652 (+1.1%)"},
    {"nine images in the first phase", spoil_many_hints, false, "baseline/first/bigint/fpi_count",
     "fail", "3, give or take 8; off by +9 (+300.0%)"},
    {"no such design", spoil_design, false, "baseline/first/uuidv7", "fail",
     "as the baseline; design \"uuidv7\" is not in the result"},
    {"a design that is new", spoil_design, true, "baseline/first/uuidv7", "fail",
     "design \"uuidv7\" is not in the baseline"},
    {"no such phase", spoil_phase, false, "baseline/second/bigint", "fail",
     "phase \"second\" is not in the result"},
    {"a phase cut short", spoil_cut, false, "baseline/second/uuidv4", "fail",
     "was not measured to its end"},
    {"no such figure", spoil_figure, false, "baseline/second/uuidv4/wal_bytes", "fail",
     "the result has no wal_bytes"},
    {"nor in the baseline", spoil_figure, true, "baseline/second/uuidv4/wal_bytes", "fail",
     "the baseline has no wal_bytes"},
    {"contaminated", spoil_taint, false, "baseline/second/uuidv4", "not comparable",
     "the result is contaminated: checkpoint in batch 3"},
    {"a contaminated baseline", spoil_taint, true, "baseline/second/uuidv4", "not comparable",
     "the baseline is contaminated"},
    {"interrupted", spoil_interrupt, false, "baseline/first/bigint", "not comparable",
     "the result was interrupted"},
    {"other scale", spoil_scale, false, "baseline/second/bigint", "not comparable",
     "other scale: 500,000 rows"},
    {"other keys", spoil_keys, false, "baseline/first/uuidv4", "not comparable",
     "another one in the two scenarios"},
    {"images off", spoil_full_page_writes, false, "baseline/second/uuidv4/fpi_count",
     "not comparable", "full_page_writes is off, not on"},
};

static void
test_cases(void)
{
    for (size_t i = 0; i < ARRAY_LEN(CASES); i++) {
        const Case *it = &CASES[i];
        Result *base = sample_result_new(NULL), *now = sample_result_new(NULL);
        const CheckResult *found;

        it->change(it->on_base ? base : now);
        tap_ok(!check(now, base, NULL), it->why);
        found = find_check(now, it->check);
        tap_text(found != NULL ? found->verdict : "no such check", it->verdict, it->check);
        tap_contains(found != NULL ? found->bound : "", it->bound, "and why");
        result_free(base);
        result_free(now);
    }
}

/* What changes no figure that is held. */
static void
test_harmless(void)
{
    static const struct {
        void (*change)(Result *result);
        const char *why;
    } cases[] = {
        {spoil_little, "0.9% more WAL of random keys"},
        {spoil_more_allowed, "1.1% more where the scenario allows 2%"},
        {spoil_wal_allowed, "the same where it allows it of WAL alone"},
        {spoil_hints, "hint bits in the first phase"},
        {spoil_title, "another title"},
        {spoil_cache, "a larger cache"},
        {spoil_major, "another major version"},
        {spoil_remark, "a finding that contaminates nothing"},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        Result *base = sample_result_new(NULL), *now = sample_result_new(NULL);

        cases[i].change(now);
        tap_ok(check(now, base, NULL), cases[i].why);
        result_free(base);
        result_free(now);
    }
}

static void
test_batches(void)
{
    Result *base = sample_result_new(NULL), *now = sample_result_new(NULL);
    PhaseResult *phase = sample_phase(now, "bigint", "second", 1);

    phase->batches[1].figures.value[METRIC_FPI_COUNT] += 1;
    phase->batches[7].figures.value[METRIC_FPI_COUNT] -= 1;
    tap_ok(!check(now, base, NULL), "two batches that make up for each other are found");
    tap_text(find_check(now, "baseline/second/bigint/fpi_count")->bound,
             "39 exactly; batch 2 is the first that differs: +1 (+33.3%)",
             "and the first is named");
    result_free(base);
    result_free(now);
}

/* Figures of batches that nobody knows. */
static void
test_unknown_batches(void)
{
    static const struct {
        bool base, now;
        const char *bound, *why;
    } cases[] = {
        {false, true, "39 exactly; batch 2 is the first that differs: it has none now", "lost"},
        {true, false, "batch 2 is the first that differs: it has none in the baseline", "new"},
        {true, true, "39 exactly", "never known"},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        Result *base = sample_result_new(NULL), *now = sample_result_new(NULL);
        bool same = cases[i].base == cases[i].now;

        if (cases[i].base)
            sample_phase(base, "bigint", "second", 1)->batches[1].figures.value[METRIC_FPI_COUNT] =
                NAN;
        if (cases[i].now)
            sample_phase(now, "bigint", "second", 1)->batches[1].figures.value[METRIC_FPI_COUNT] =
                NAN;
        tap_ok(check(now, base, NULL) == same, cases[i].why);
        tap_contains(find_check(now, "baseline/second/bigint/fpi_count")->bound, cases[i].bound,
                     "  its words");
        result_free(base);
        result_free(now);
    }
}

static void
test_compressed(void)
{
    Result *base = sample_result_new(NULL), *now = sample_result_new(NULL);

    spoil_compression(base);
    spoil_compression(now);
    spoil_byte(now);
    tap_ok(check(now, base, NULL), "compressed WAL is not the same to the byte");
    tap_contains(find_check(now, "baseline/second/bigint/wal_bytes")->bound, "within 1% of",
                 "so its bound is wider");
    tap_contains(find_check(now, "baseline/second/bigint/fpi_count")->bound, "39 exactly",
                 "that of the images is not");
    result_free(base);
    result_free(now);
}

static void
test_repeats(void)
{
    const SampleSpec spec = {.repeats = 3};
    Result *base = sample_result_new(NULL), *now = sample_result_new(&spec);

    tap_ok(check(now, base, NULL), "three repeats against one");
    sample_phase(now, "bigint", "second", 3)->figures.value[METRIC_WAL_BYTES] += 7;
    now->check_count = 0;
    tap_ok(!check(now, base, NULL), "each repeat of exact keys must be equal");
    tap_contains(find_check(now, "baseline/second/bigint/wal_bytes")->bound, "; in repeat 3",
                 "and the check says which is not");
    now->designs[3].name = "another"; /* bigint, second repeat */
    now->check_count = 0;
    tap_ok(!check(now, base, NULL), "a repeat that is missing fails");
    tap_contains(find_check(now, "baseline/first/bigint")->bound,
                 "repeat 2 of design \"bigint\" is not in the result", "and says so");
    result_free(now);
    now = sample_result_new(NULL);
    result_free(base);
    base = sample_result_new(&spec);
    sample_phase(base, "bigint", "second", 2)->figures.value[METRIC_WAL_BYTES] += 7;
    tap_ok(!check(now, base, NULL), "a baseline whose exact repeats differ is none");
    tap_contains(find_check(now, "baseline/second/bigint/wal_bytes")->bound,
                 "its own repeats differ", "and says so");
    result_free(base);
    result_free(now);
}

static void
test_minted(void)
{
    Result *base = sample_result_new(NULL), *now = sample_result_new(NULL);

    spoil_mint(base);
    spoil_mint(now);
    spoil_little(now);
    tap_ok(!check(now, base, NULL), "minted keys are held to the byte");
    tap_contains(find_check(now, "baseline/second/uuidv4/wal_bytes")->bound, "577,241,080 exactly",
                 "which the bound says");
    now->check_count = 0;
    now->seed++;
    tap_ok(check(now, base, NULL), "from another seed they are random");
    tap_text(find_check(now, "baseline/second/uuidv4/wal_bytes")->bound, "within 1% of 577,241,080",
             "which the bound says too");
    result_free(base);
    result_free(now);
}

static void
test_tolerance(void)
{
    static const struct {
        const char *list;
        void (*change)(Result *result);
        bool holds;
        const char *why;
    } cases[] = {
        {"wal=2", spoil_more, true, "more than the default"},
        {"wal_bytes=2%", spoil_more, true, "a metric's whole name, and a percent sign"},
        {"fpi=0,wal=1.5", spoil_more, true, "a list"},
        {"wal=0.5", spoil_little, false, "less than the default"},
        {"wal=0", spoil_little, false, "nothing at all"},
        {"wal=1", spoil_byte, true, "exact keys are held to it too"},
        {"fpi=0", spoil_hints, true, "hint bits are allowed whatever is said"},
        {"dirtied_pages=0", spoil_hints, true, "a metric that is not held by itself"},
        {"leaf_density_pct=2", spoil_fuller, false, "3 points are more than 2"},
        {"leaf_density_pct=3", spoil_fuller, true, "but not than 3"},
        {"fpi_bytes=0", spoil_hints, false, "a metric that neither side has is missing"},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        Result *base = sample_result_new(NULL), *now = sample_result_new(NULL);
        ToleranceList list;
        Diag diag = {0};

        tolerance_list_init(&list);
        tap_u64(tolerance_list_read(cases[i].list, &list, &diag), STATUS_OK, cases[i].list);
        cases[i].change(now);
        tap_ok(check(now, base, &list) == cases[i].holds, cases[i].why);
        result_free(base);
        result_free(now);
    }
}

static void
test_bad_lists(void)
{
    static const struct {
        const char *list, *message, *hint;
    } cases[] = {
        {"", "needs name=percent, got \"\"", ""},
        {"wal", "needs name=percent, got \"wal\"", ""},
        {"wal=1,", "needs name=percent, got \"\"", ""},
        {"wall=1", "does not know \"wall\"", "wal"},
        {"fpi_cuont=1", "does not know \"fpi_cuont\"", "fpi_count"},
        {"wal=", "from 0 to 100, not \"\"", ""},
        {"wal=-1", "not \"-1\"", ""},
        {"wal=101", "not \"101\"", ""},
        {"wal=nan", "not \"nan\"", ""},
        {"wal=0x1", "not \"0x1\"", ""},
        {"wal=1e1", "not \"1e1\"", ""},
        {"wal=1.2.3", "not \"1.2.3\"", ""},
        {"wal=.", "not \".\"", ""},
        {"wal=1 %", "not \"1 %\"", ""},
        {"elapsed_ms=5", "\"elapsed_ms\" is never checked", ""},
        {"wal_buffers_full_count=5", "never checked", ""},
        {"rows=0", "never checked", ""},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        ToleranceList list;
        Diag diag = {0};

        tolerance_list_init(&list);
        tap_u64(tolerance_list_read(cases[i].list, &list, &diag), STATUS_USAGE, cases[i].list);
        tap_contains(diag.message, cases[i].message, "the message");
        tap_contains(diag.hint, cases[i].hint, "the hint");
    }
}

static void
test_names(void)
{
    char text[METRIC_TEXT_SIZE];

    tap_u64(baseline_metric("baseline/second/uuidv4/wal_bytes"), METRIC_WAL_BYTES,
            "the metric of a check");
    tap_u64(baseline_metric("baseline/second/uuidv4"), METRIC_COUNT, "a whole phase has none");
    tap_u64(baseline_metric("wal_bytes"), METRIC_COUNT, "nor has a bound of such a name");
    baseline_print_figure(METRIC_WAL_BYTES, 115737113, text);
    tap_text(text, "115,737,113 bytes", "bytes in full");
    baseline_print_figure(METRIC_LEAF_DENSITY_PCT, 65.704, text);
    tap_text(text, "65.70%", "a percentage");
    baseline_print_figure(METRIC_LEAF_PAGES, 2102, text);
    tap_text(text, "2,102", "pages");
}

static void
test_load(void)
{
    char path[] = "/tmp/keybench-baseline-XXXXXX";
    int fd = mkstemp(path);
    Result *sample = sample_result_new(NULL), *loaded = NULL;
    Diag diag = {0};

    close(fd);
    if (result_save(sample, path, &diag) != STATUS_OK)
        BUG("%s", diag.message);
    tap_u64(baseline_load(path, &loaded, &diag), STATUS_OK, "a complete result is a baseline");
    tap_ok(check(sample, loaded, NULL), "what was saved and loaded holds");
    result_free(loaded);
    loaded = NULL;
    sample->status = RESULT_INTERRUPTED;
    if (result_save(sample, path, &diag) != STATUS_OK)
        BUG("%s", diag.message);
    tap_u64(baseline_load(path, &loaded, &diag), STATUS_SCENARIO, "an interrupted one is none");
    tap_ok(loaded == NULL, "and the out parameter is untouched");
    tap_contains(diag.message, "not complete", "the message says why");
    unlink(path);
    tap_u64(baseline_load(path, &loaded, &diag), STATUS_USAGE, "no such file");
    result_free(sample);
}

int
main(void)
{
    test_equal();
    test_cases();
    test_harmless();
    test_batches();
    test_unknown_batches();
    test_compressed();
    test_repeats();
    test_minted();
    test_tolerance();
    test_bad_lists();
    test_names();
    test_load();
    return tap_done();
}
