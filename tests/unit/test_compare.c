#include "report/compare.h"

#include "base/mem.h"
#include "support/sample_result.h"
#include "support/spoil.h"
#include "support/tap.h"

#include <cjson/cJSON.h>
#include <math.h>

/* A base, a new result made from the same sample, and the figure that a case looks at. */
typedef struct Look {
    const char *design, *phase;
    MetricId metric;
} Look;

static const CompareFigure *
find_figure(const Comparison *comparison, const Look *look)
{
    for (size_t i = 0; i < comparison->figure_count; i++) {
        const CompareFigure *it = &comparison->figures[i];

        if (it->figure.metric == look->metric && strcmp(it->figure.design, look->design) == 0 &&
            strcmp(it->figure.phase, look->phase) == 0)
            return it;
    }
    return NULL;
}

static void
compare(Comparison *comparison, const Result *base, const Result *now)
{
    Diag diag = {0};

    if (comparison_init(comparison, base, now, &diag) != STATUS_OK)
        BUG("%s", diag.message);
}

static void
test_equal(void)
{
    Result *base = sample_result_new(NULL), *now = sample_result_new(NULL);
    Comparison comparison;
    size_t identical;

    compare(&comparison, base, now);
    identical = comparison_count(&comparison, COMPARE_IDENTICAL);
    tap_u64(comparison.figure_count, 108, "each figure that is there, of each design and phase");
    tap_u64(identical, 102, "a result and itself are identical");
    tap_u64(comparison_count(&comparison, COMPARE_NOT), 6, "but for times, which say nothing");
    for (size_t i = 0; i < comparison.figure_count; i++)
        if (comparison.figures[i].verdict == COMPARE_NOT && i < METRIC_COUNT)
            tap_contains(comparison.figures[i].reason, "5 repeats on each side tell, these are 1",
                         "and why");
    comparison_release(&comparison);
    result_free(base);
    result_free(now);
}

/* One way to change a result, and what is then said of one figure. */
typedef struct Case {
    const char *why;
    void (*change)(Result *result);
    bool on_base; /* the base is changed, not the new result */
    Look look;
    CompareVerdict verdict;
    const char *reason; /* part of it; NULL: none */
} Case;

#define V4_WAL                                                                                     \
    {                                                                                              \
        "uuidv4", "second", METRIC_WAL_BYTES                                                       \
    }
#define BIGINT_WAL                                                                                 \
    {                                                                                              \
        "bigint", "second", METRIC_WAL_BYTES                                                       \
    }
#define V4_LEAVES                                                                                  \
    {                                                                                              \
        "uuidv4", "second", METRIC_LEAF_PAGES                                                      \
    }

static const Case CASES[] = {
    {"interrupted", spoil_interrupt, false, V4_WAL, COMPARE_NOT, "the new result was interrupted"},
    {"a base that failed", spoil_fail, true, V4_WAL, COMPARE_NOT, "the base failed"},
    {"no such design",
     spoil_design,
     false,
     {"uuidv7", "first", METRIC_WAL_BYTES},
     COMPARE_NOT,
     "design \"uuidv7\" is not in the new result"},
    {"no such phase", spoil_phase, false, BIGINT_WAL, COMPARE_NOT,
     "phase \"second\" is not in the new result"},
    {"a phase cut short", spoil_cut, true, V4_WAL, COMPARE_NOT, "not measured to its end"},
    {"no such figure", spoil_figure, false, V4_WAL, COMPARE_NOT, "the new result has no wal_bytes"},
    {"contaminated", spoil_taint, false, V4_WAL, COMPARE_NOT,
     "the new result is contaminated: checkpoint in batch 3"},
    {"another design is", spoil_taint, false, BIGINT_WAL, COMPARE_IDENTICAL, NULL},
    {"a finding that taints nothing", spoil_remark, false, V4_WAL, COMPARE_IDENTICAL, NULL},
    {"other keys", spoil_keys, false, V4_WAL, COMPARE_NOT,
     "design \"uuidv4\" is another one in the two scenarios"},
    {"another title", spoil_title, false, V4_WAL, COMPARE_IDENTICAL, NULL},
    {"other scale", spoil_scale, false, V4_WAL, COMPARE_NOT,
     "other scale: 500,000 rows in phase \"first\", not 1,000,000"},
    {"other cadence", spoil_cadence, false, V4_WAL, COMPARE_NOT,
     "other cadence: no checkpoints in phase \"first\", not 1,000,000 rows between"},
    {"other batches", spoil_batches, false, V4_WAL, COMPARE_NOT, "other cadence: 50,000 rows"},
    {"and before them all is as it was",
     spoil_batches,
     false,
     {"uuidv4", "first", METRIC_WAL_BYTES},
     COMPARE_IDENTICAL,
     NULL},
    {"writers", spoil_writers, false, V4_WAL, COMPARE_NOT, "4 writers in phase \"second\", not 1"},
    {"images off", spoil_full_page_writes, false, V4_WAL, COMPARE_NOT,
     "full_page_writes is off, not on"},
    {"which leaves do not feel", spoil_full_page_writes, false, V4_LEAVES, COMPARE_IDENTICAL, NULL},
    {"WAL compression", spoil_compression, false, V4_WAL, COMPARE_NOT,
     "wal_compression is pglz, not off"},
    {"which does not change how many images there are",
     spoil_compression,
     false,
     {"uuidv4", "second", METRIC_FPI_COUNT},
     COMPARE_IDENTICAL,
     NULL},
    {"a larger cache",
     spoil_cache,
     false,
     {"uuidv4", "second", METRIC_DIRTIED_PAGES},
     COMPARE_NOT,
     "shared_buffers is 1GB, not 128MB"},
    {"which WAL does not feel", spoil_cache, false, V4_WAL, COMPARE_IDENTICAL, NULL},
    {"a major that counts density otherwise",
     spoil_major,
     false,
     {"uuidv7", "second", METRIC_LEAF_DENSITY_PCT},
     COMPARE_NOT,
     "0.05 points lower"},
    {"and nothing else", spoil_major, false, V4_LEAVES, COMPARE_IDENTICAL, NULL},
    {"one byte more of identity keys", spoil_byte, false, BIGINT_WAL, COMPARE_WORSE, NULL},
    {"one byte less", spoil_byte, true, BIGINT_WAL, COMPARE_BETTER, NULL},
    {"0.9% more of random keys", spoil_little, false, V4_WAL, COMPARE_WITHIN, NULL},
    {"1.1% more", spoil_more, false, V4_WAL, COMPARE_WORSE, NULL},
    {"a design that allows 2%", spoil_more_allowed, false, V4_WAL, COMPARE_WITHIN, NULL},
    {"fuller leaves",
     spoil_fuller,
     false,
     {"uuidv4", "second", METRIC_LEAF_DENSITY_PCT},
     COMPARE_BETTER,
     NULL},
    {"hint bits in the first phase",
     spoil_hints,
     false,
     {"bigint", "first", METRIC_FPI_COUNT},
     COMPARE_WITHIN,
     NULL},
    {"more than hint bits can be",
     spoil_many_hints,
     false,
     {"bigint", "first", METRIC_FPI_COUNT},
     COMPARE_WORSE,
     NULL},
};

static void
test_cases(void)
{
    for (size_t i = 0; i < ARRAY_LEN(CASES); i++) {
        const Case *it = &CASES[i];
        Result *base = sample_result_new(NULL), *now = sample_result_new(NULL);
        Comparison comparison;
        const CompareFigure *figure;

        it->change(it->on_base ? base : now);
        compare(&comparison, base, now);
        figure = find_figure(&comparison, &it->look);
        tap_text(figure != NULL ? COMPARE_VERDICTS[figure->verdict] : "no such figure",
                 COMPARE_VERDICTS[it->verdict], it->why);
        if (figure != NULL && it->verdict == COMPARE_NOT) {
            tap_contains(figure->reason, it->reason, "and the reason");
            tap_ok(isnan(figure->ratio), "and no ratio");
        }
        comparison_release(&comparison);
        result_free(base);
        result_free(now);
    }
}

/* The same seed makes minted keys equal; another seed makes them random. */
static void
test_minted(void)
{
    static const Look LOOK = V4_WAL;
    Result *base = sample_result_new(NULL), *now = sample_result_new(NULL);
    Comparison comparison;

    spoil_mint(base);
    spoil_mint(now);
    sample_phase(now, "uuidv4", "second", 1)->figures.value[METRIC_WAL_BYTES] += 1;
    compare(&comparison, base, now);
    tap_u64(find_figure(&comparison, &LOOK)->verdict, COMPARE_WORSE, "minted keys are exact");
    comparison_release(&comparison);
    now->seed++;
    compare(&comparison, base, now);
    tap_u64(find_figure(&comparison, &LOOK)->verdict, COMPARE_WITHIN, "from one seed only");
    comparison_release(&comparison);
    result_free(base);
    result_free(now);
}

/* Five repeats whose times are multiplied. */
static CompareVerdict
compare_times(double factor, const char *cpu, uint64_t jobs)
{
    static const Look LOOK = {"uuidv7", "second", METRIC_ELAPSED_MS};
    static const double NOISE[] = {1.00, 1.04, 0.97, 1.02, 0.99};
    const SampleSpec spec = {.repeats = 5};
    Result *base = sample_result_new(&spec), *now = sample_result_new(&spec);
    NamedValue machine[] = {{"cpu", cpu}};
    Comparison comparison;
    CompareVerdict verdict;

    now->machine = machine;
    now->jobs = jobs;
    for (uint64_t repeat = 1; repeat <= 5; repeat++) {
        sample_phase(base, "uuidv7", "second", repeat)->figures.value[METRIC_ELAPSED_MS] *=
            NOISE[repeat - 1];
        sample_phase(now, "uuidv7", "second", repeat)->figures.value[METRIC_ELAPSED_MS] *=
            factor * NOISE[repeat % 5];
    }
    compare(&comparison, base, now);
    verdict = find_figure(&comparison, &LOOK)->verdict;
    comparison_release(&comparison);
    result_free(base);
    result_free(now);
    return verdict;
}

static void
test_times(void)
{
    static const struct {
        double factor;
        const char *cpu;
        uint64_t jobs;
        CompareVerdict verdict;
        const char *why;
    } cases[] = {
        {1, "made up", 1, COMPARE_NO_EVIDENCE, "times that vary alike"},
        {1.02, "made up", 1, COMPARE_NO_EVIDENCE, "a difference inside the noise"},
        {1.5, "made up", 1, COMPARE_WORSE, "half as much again"},
        {0.5, "made up", 1, COMPARE_BETTER, "half"},
        {0.5, "another", 1, COMPARE_NOT, "of another machine"},
        {0.5, "made up", 2, COMPARE_NOT, "of designs side by side"},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        tap_text(COMPARE_VERDICTS[compare_times(cases[i].factor, cases[i].cpu, cases[i].jobs)],
                 COMPARE_VERDICTS[cases[i].verdict], cases[i].why);
}

static Text
print(const Comparison *comparisons, size_t count, CompareFormat format, bool all)
{
    static const char *const PATHS[] = {"new.json", "newer.json"};
    const CompareReport report = {.base_path = "base.json",
                                  .paths = PATHS,
                                  .comparisons = comparisons,
                                  .count = count,
                                  .all = all};
    Text out = {0};

    compare_print(&report, format, &out);
    return out;
}

static void
test_text(const Comparison *comparison)
{
    static const char TABLE[] =
        "second 1,000,000 rows\n"
        "1,000,000 rows in 10 statements of 100,000; 100,000 rows between checkpoints\n"
        "\n"
        "bigint                          base                 new    ratio   verdict\n"
        "----------------   -----------------   -----------------   ------   "
        "------------------\n"
        "WAL                136,210,020 bytes   136,210,021 bytes   1.000x   worse\n"
        "WAL records                2,000,500           2,000,500   1.000x   identical\n"
        "full-page images                  39                  39   1.000x   identical\n"
        "dirtied buffers                8,195               8,195        -   not comparable (1)\n"
        "leaf pages                     5,476               5,476   1.000x   identical\n"
        "! (1) shared_buffers is 1GB, not 128MB\n"
        "  13 more, none of them better or worse, 4 not comparable: --all shows them\n";
    Text out = print(comparison, 1, COMPARE_TEXT, false);

    tap_contains(out.data,
                 "base     base.json: scenario sample (0123456789ab), seed 42, PostgreSQL 18.1",
                 "which results");
    tap_contains(out.data,
                 "figures  108: 75 identical, 1 within tolerance, 2 worse, 30 not comparable",
                 "all verdicts in one line");
    tap_contains(out.data, "differs  shared_buffers 1GB, was 128MB", "settings that differ");
    tap_contains(out.data, TABLE, "both values, ratio, verdict, and reasons below");
    tap_ok(strstr(out.data, "buffers hit") == NULL, "lesser figures are not shown");
    tap_contains(out.data, "none of them better or worse", "but counted");
    text_release(&out);
    out = print(comparison, 1, COMPARE_TEXT, true);
    tap_contains(out.data, "buffers hit", "unless all are asked for");
    text_release(&out);
    out = print(comparison, 1, COMPARE_MARKDOWN, false);
    tap_contains(out.data, "| WAL | 136,210,020 bytes | 136,210,021 bytes | 1.000x | worse |",
                 "Markdown, with all digits where they matter");
    text_release(&out);
}

static void
test_csv(const Comparison *comparison)
{
    Text out = print(comparison, 1, COMPARE_CSV, false);
    size_t lines = 0;

    for (const char *at = out.data; *at != '\0'; at++)
        lines += *at == '\n';
    tap_u64(lines, 109, "a header and a row for each figure");
    tap_contains(out.data,
                 "\nnew.json,bigint,second,wal_bytes,bytes,136210020,136210021,136210020,136210020,"
                 "136210021,136210021,1.00000000734",
                 "a figure with its ratio");
    tap_contains(out.data, ",not comparable,\"shared_buffers is 1GB, not 128MB\"\n",
                 "a reason with a comma");
    text_release(&out);
}

static void
test_json(const Comparison *comparison)
{
    Text out = print(comparison, 1, COMPARE_JSON, false);
    cJSON *root = cJSON_Parse(out.data);
    const cJSON *one = cJSON_GetArrayItem(cJSON_GetObjectItem(root, "comparisons"), 0);
    const cJSON *figures = cJSON_GetObjectItem(one, "figures");
    const cJSON *verdicts = cJSON_GetObjectItem(one, "verdicts");

    tap_text(cJSON_GetStringValue(cJSON_GetObjectItem(root, "format")), "keybench-comparison/1",
             "JSON has a format");
    tap_u64((uint64_t)cJSON_GetArraySize(figures), 108, "and every figure");
    tap_near(cJSON_GetNumberValue(cJSON_GetObjectItem(verdicts, "worse")), 2, 0,
             "and the verdicts");
    tap_text(cJSON_GetStringValue(cJSON_GetObjectItem(one, "file")), "new.json", "and the file");
    cJSON_Delete(root);
    text_release(&out);
}

static void
test_output(void)
{
    Result *base = sample_result_new(NULL), *now = sample_result_new(NULL);
    Comparison comparisons[2];
    Text out;

    spoil_byte(now);
    spoil_more(now);
    spoil_hints(now);
    spoil_cache(now);
    compare(&comparisons[0], base, now);
    compare(&comparisons[1], base, base);
    test_text(&comparisons[0]);
    test_csv(&comparisons[0]);
    test_json(&comparisons[0]);
    out = print(comparisons, 2, COMPARE_TEXT, false);
    tap_contains(out.data, "\nnew 2", "several results are numbered");
    tap_contains(out.data, "\nfirst 1,000,000 rows: new 2\n", "and their tables");
    text_release(&out);
    comparison_release(&comparisons[0]);
    comparison_release(&comparisons[1]);
    result_free(base);
    result_free(now);
}

static void
test_bad_scenario(void)
{
    Result *base = sample_result_new(NULL), *now = sample_result_new(NULL);
    Comparison comparison;
    Diag diag = {0};

    now->scenario_text = "{}";
    tap_u64(comparison_init(&comparison, base, now, &diag), STATUS_SCENARIO, "no scenario inside");
    tap_text(diag.context, "new result", "the message says whose");
    comparison_release(&comparison);
    result_free(base);
    result_free(now);
}

int
main(void)
{
    test_equal();
    test_cases();
    test_minted();
    test_times();
    test_output();
    test_bad_scenario();
    return tap_done();
}
