#include "report/table.h"

#include "base/file.h"
#include "report/figure.h"
#include "results/result_json.h"
#include "support/sample_result.h"
#include "support/tap.h"

#include <cjson/cJSON.h>
#include <unistd.h>

enum { LINE_MAX_WIDTH = 100 };

/* The report of a result, released with text_release. */
static Text
print(const Result *result, ReportFormat format, bool color)
{
    ReportOptions options = {.format = format, .color = color};
    Text out = {0};
    Diag diag = {0};

    if (report_print(result, &options, &out, &diag) != STATUS_OK)
        BUG("%s", diag.message);
    return out;
}

static Text
print_sample(const SampleSpec *spec, ReportFormat format)
{
    Result *result = sample_result_new(spec);
    Text out = print(result, format, false);

    result_free(result);
    return out;
}

static void
test_text(void)
{
    static const char HEAD[] =
        "What a primary key costs: a sample\n"
        "scenario  sample, seed 42, sha256 0123456789ab\n"
        "server    PostgreSQL 18.1, a throwaway cluster, fsync off (counts do not depend on "
        "durability)\n"
        "settings  shared_buffers 128MB, wal_compression off, full_page_writes on, "
        "data_checksums on,\n"
        "          max_wal_size 32GB\n"
        "run       2026-01-31T23:59:59Z by keybench 0.1.0\n"
        "units     MB means 2^20 bytes; a buffer or page is 8 kB; counts hold on any machine\n";
    static const char DESIGNS[] = "design   key type   keys minted by\n"
                                  "------   --------   --------------\n"
                                  "bigint   bigint     server\n";
    static const char TABLE[] =
        "Table 13-1: the second million\n"
        "1,000,000 rows in 10 statements of 100,000; 100,000 rows between checkpoints\n"
        "\n"
        "                            bigint                     UUIDv4                     "
        "UUIDv7\n"
        "figure             measured    book  off by   measured    book  off by   measured    "
        "book  off by\n"
        "----------------   ------------------------   ------------------------   "
        "------------------------\n"
        "WAL                129.9 MB  130 MB   -0.1%   550.5 MB  551 MB   -0.1%   143.4 MB  143 "
        "MB   +0.3%\n"
        "full-page images         39      43   -9.3%     72,642  72,753   -0.2%         40      "
        "40    0.0%\n"
        "dirtied buffers       8,195                     84,001                     10,259\n"
        "  book: Table 13-1\n"
        "\n"
        "ratio              WAL   full-page images   dirtied buffers   rows between checkpoints\n"
        "---------------   ----   ----------------   ---------------   ------------------------\n"
        "UUIDv4 / UUIDv7   3.8x             1,816x              8.2x                    100,000\n"
        "UUIDv4 / bigint   4.2x             1,863x             10.3x                    100,000\n"
        "UUIDv7 / bigint   1.1x               1.0x              1.3x                    100,000\n";
    Text out = print_sample(NULL, REPORT_TEXT);

    tap_ok(strncmp(out.data, HEAD, strlen(HEAD)) == 0,
           "server, settings, run and units come first");
    tap_contains(out.data, DESIGNS, "who mints the keys");
    tap_contains(out.data, TABLE, "measured, published and deviation, then the ratios");
    tap_contains(out.data, "  21.4 MB  21 MB  *+2.1%",
                 "a deviation that is the book's rounding alone is marked");
    tap_contains(out.data, "  * rounds to the book's figure", "and explained");
    tap_contains(out.data, "times hold only side by side in this run", "times are labelled");
    tap_contains(out.data, "bytes in full-page images: this server does not tell",
                 "a figure that the server does not give");
    tap_contains(out.data, "leaf inserts      61.0     0.2   47.8%      61.0   403.2   85.4%",
                 "what the WAL was");
    text_release(&out);
}

/* The longest line, in characters. */
static size_t
longest_line(const char *text)
{
    size_t longest = 0;

    while (*text != '\0') {
        size_t length = strcspn(text, "\n"), width = 0;

        for (size_t i = 0; i < length; i++)
            width += ((unsigned char)text[i] & 0xc0) != 0x80 ? 1 : 0;
        longest = width > longest ? width : longest;
        text += length + (text[length] == '\n' ? 1 : 0);
    }
    return longest;
}

static void
test_shapes(void)
{
    static const struct {
        SampleSpec spec;
        const char *part, *why;
    } cases[] = {
        {{.design_count = 12}, "design          measured    book  off by", "many designs are rows"},
        {{.design_count = 12},
         "ratio to bigint    WAL   full-page images",
         "many designs are compared with the first"},
        {{.design_count = 12, .title_suffix = " with a very long name \xc3\xa4"},
         "at 100,000 rows between checkpoints",
         "a table of ratios in parts says the cadence over them"},
        {{.design_count = 1}, "figure               bigint\n", "one design"},
        {{.repeats = 3}, "identical in 3 of 3        550.5..551.6 MB", "repeats"},
        {{.repeats = 4}, "WAL                129.9 MB  130 MB   -0.1%   551.3 MB", "their median"},
        {{.batch_count = 1}, "1,000,000 rows in one statement; 1,000,000 rows", "one batch"},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        Text out = print_sample(&cases[i].spec, REPORT_TEXT);

        tap_contains(out.data, cases[i].part, cases[i].why);
        tap_ok(longest_line(out.data) <= LINE_MAX_WIDTH, "no line is longer than 100 characters");
        tap_ok(strstr(out.data, " \n") == NULL, "no line ends in a blank");
        text_release(&out);
    }
}

static void
test_one_design(void)
{
    SampleSpec spec = {.design_count = 1};
    Text out = print_sample(&spec, REPORT_TEXT);

    tap_ok(strstr(out.data, "ratio") == NULL, "one design alone has no ratio");
    text_release(&out);
}

static void
test_incomplete(void)
{
    Result *result = sample_result_new(NULL);
    PhaseResult *phase = sample_phase(result, "uuidv4", "second", 1);
    Text out;

    result->status = RESULT_INTERRUPTED;
    phase->complete = false;
    phase->batch_count = 4;
    result->design_count = 2; /* UUIDv7 was not begun */
    out = print(result, REPORT_TEXT, false);
    tap_contains(out.data, "status    interrupted; figures that were not measured read \"-\"",
                 "the report says so first");
    tap_contains(out.data, "WAL                129.9 MB  130 MB   -0.1%          -  551 MB       -",
                 "what is not whole is a hole, what is whole is shown");
    tap_contains(out.data, "! UUIDv4: 4 of 10 statements were measured", "how far it came");
    tap_contains(out.data, "UUIDv7   -          -\n", "a design that was not begun");
    tap_ok(strstr(out.data, "\nratio") == NULL, "no ratio");
    text_release(&out);
    result->status = RESULT_FAILED;
    result->error = "server \x1b[31mgone\nat batch 5";
    out = print(result, REPORT_TEXT, false);
    tap_contains(out.data, "status    failed: server  [31mgone at batch 5; figures",
                 "why it failed, without control characters");
    text_release(&out);
    result->design_count = 0;
    for (ReportFormat format = REPORT_TEXT; format <= REPORT_HTML; format++) {
        out = print(result, format, false);
        tap_ok(out.length > 0, "a result without designs prints");
        text_release(&out);
    }
    result_free(result);
}

static void
test_findings(void)
{
    static const Finding findings[] = {
        {"checkpoint", "uuidv4", 1, NULL, "second", 3, "one that keybench did not ask for"},
        {"other wal", NULL, 0, NULL, "second", 0, "81,234 bytes of other backends"},
        {"small", NULL, 0, NULL, NULL, 0, "one statement between checkpoints hides the effect"},
        {"odd", "gone", 0, NULL, "nowhere", 1, "a phase without a table"},
    };
    Result *result = sample_result_new(NULL);
    Text out;

    for (size_t i = 0; i < ARRAY_LEN(findings); i++)
        result_add_finding(result, &findings[i]);
    out = print(result, REPORT_TEXT, false);
    tap_contains(out.data,
                 "  book: Table 13-1\n"
                 "! checkpoint, UUIDv4, batch 3: one that keybench did not ask for\n"
                 "! other wal: 81,234 bytes of other backends\n\nratio",
                 "findings stand under the table of their phase");
    tap_contains(out.data,
                 "Findings\n! small: one statement between checkpoints hides the effect\n"
                 "! odd, gone, phase nowhere, batch 1: a phase without a table\n",
                 "others have a section");
    tap_contains(out.data, "UUIDv4 / UUIDv7     -                  -", "no ratio where they taint");
    tap_contains(out.data, "! no ratio of a contaminated measurement: see the findings", "why");
    tap_contains(out.data, "UUIDv4 / UUIDv7                1.3x   1.1x",
                 "another phase has its ratios");
    text_release(&out);
    result_free(result);
}

static void
test_checks(void)
{
    static CheckResult checks[] = {
        {"v4-over-v7", 3.8389, "at least 3", "pass"},
        {"bigint-images", 60, "36 to 48", "fail"},
        {"v4-wal", NAN, "within 1% of 551 MB", "not comparable"},
        {"unknown", 0.125, "of another version", "pass"},
    };
    Result *result = sample_result_new(NULL);
    Text out, colored;

    result->checks = checks;
    result->check_count = ARRAY_LEN(checks);
    out = print(result, REPORT_TEXT, false);
    tap_contains(out.data,
                 "v4-over-v7      pass             3.84x   at least 3\n"
                 "bigint-images   FAIL                60   36 to 48\n"
                 "v4-wal          not comparable       -   within 1% of 551 MB\n"
                 "unknown         pass             0.125   of another version\n",
                 "verdict, value in its unit, bound");
    colored = print(result, REPORT_TEXT, true);
    tap_contains(colored.data, "\033[1;31m   FAIL", "a failure in colour");
    tap_ok(strstr(out.data, "\033") == NULL, "no colour unless asked for");
    text_release(&colored);
    text_release(&out);
    result_free(result);
}

static void
test_side_by_side(void)
{
    Result *result = sample_result_new(NULL);
    Text out;

    result->jobs = 2;
    out = print(result, REPORT_TEXT, false);
    tap_contains(out.data, "2 designs side by side", "the run says so");
    tap_contains(out.data, "! times are not comparable: designs ran side by side",
                 "and so do the times");
    text_release(&out);
    result_free(result);
}

/* Times of 5 repeats, one after the other, have a ratio where the interval says that they differ.
 */
static void
test_time_ratios(void)
{
    static const double NOISE[] = {1.00, 1.04, 0.97, 1.02, 0.99};
    const SampleSpec spec = {.repeats = 5}, few = {.repeats = 4};
    Result *result = sample_result_new(&spec);
    Text out;

    for (uint64_t repeat = 1; repeat <= 5; repeat++)
        sample_phase(result, "uuidv4", "first", repeat)->figures.value[METRIC_ELAPSED_MS] *=
            2 * NOISE[repeat - 1];
    out = print(result, REPORT_TEXT, false);
    tap_contains(out.data, "UUIDv4 / bigint                1.8x   1.2x         2.0x",
                 "twice the time");
    tap_contains(out.data, "1.94..2.08", "its interval");
    tap_contains(out.data, "UUIDv7 / bigint                1.4x   1.1x            -",
                 "no ratio without evidence");
    tap_contains(out.data, "holds 1, there is no\n  evidence of a difference", "and why");
    text_release(&out);
    result->jobs = 2;
    out = print(result, REPORT_TEXT, false);
    tap_ok(strstr(out.data, "1.94..2.08") == NULL, "none side by side");
    text_release(&out);
    result_free(result);
    out = print_sample(&few, REPORT_TEXT);
    tap_ok(strstr(out.data, "95% interval") == NULL, "nor with four repeats");
    text_release(&out);
}

/* Of two repeats there is no middle one, and a mean of percentiles is none of anything. */
static void
test_latencies(void)
{
    static const double LATENCY_US[] = {900, 100};
    const SampleSpec spec = {.repeats = 2};
    const Figure p99 = {.design = "uuidv4", .phase = "first", .metric = METRIC_LATENCY_P99_US};
    const Figure time = {.design = "uuidv4", .phase = "first", .metric = METRIC_ELAPSED_MS};
    Result *result = sample_result_new(&spec);

    for (uint64_t repeat = 1; repeat <= 2; repeat++) {
        double *figures = sample_phase(result, "uuidv4", "first", repeat)->figures.value;

        figures[METRIC_LATENCY_P99_US] = figures[METRIC_ELAPSED_MS] = LATENCY_US[repeat - 1];
    }
    tap_ok(figure_measure(result, &p99).value == 900, "of two percentiles the higher is shown");
    tap_ok(figure_measure(result, &p99).min == 100, "  and the range of both");
    tap_ok(figure_measure(result, &time).value == 500, "other figures have a median");
    result_free(result);
}

static void
test_markdown(void)
{
    SampleSpec spec = {.title_suffix = "|*<b>&"};
    Text out = print_sample(NULL, REPORT_MARKDOWN);

    tap_contains(out.data, "# What a primary key costs: a sample\n\n- **scenario**: sample",
                 "heading and facts");
    tap_contains(out.data,
                 "| figure | bigint | book | off by | UUIDv4 | book | off by | UUIDv7 | book | "
                 "off by |\n|:--|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n| WAL | 129.9 MB | 130 MB "
                 "| -0.1% | 550.5 MB |",
                 "a table of GitHub");
    tap_contains(out.data, "| UUIDv4 / UUIDv7 | 3.8x | 1,816x | 8.2x | 100,000 |",
                 "rows between checkpoints beside the ratio");
    text_release(&out);
    out = print_sample(&spec, REPORT_MARKDOWN);
    tap_contains(out.data, "| bigint\\|\\*&lt;b&gt;&amp; |", "names are escaped");
    text_release(&out);
}

static void
test_csv(void)
{
    static const char HEADER[] =
        "scenario,design,repeat,phase,batch,index,metric,unit,value,reference\n"
        "\"a,\"\"b\"\"\",bigint,1,first,,,rows,rows,1000000,\n";
    Result *result = sample_result_new(NULL);
    Text out;

    result->scenario_name = "a,\"b\"";
    sample_phase(result, "uuidv7", "second", 1)->complete = false;
    out = print(result, REPORT_CSV, false);
    tap_ok(strncmp(out.data, HEADER, strlen(HEADER)) == 0, "header, and quotes by RFC 4180");
    tap_contains(out.data, ",uuidv4,1,second,,,wal_bytes,bytes,577241080,577765376\n",
                 "a phase's figure with the published one");
    tap_contains(out.data, ",uuidv4,1,second,10,,fpi_count,count,9278,9443\n", "a batch's");
    tap_contains(out.data, ",uuidv4,1,first,,uuidv4_pkey,leaf_density_pct,pct,72.28,72\n",
                 "an index's");
    tap_contains(out.data, ",bigint,1,first,,,wal/Btree/INSERT_LEAF/record_bytes,bytes,64000000,\n",
                 "the WAL's kinds");
    tap_contains(out.data, ",uuidv7,1,second,,,wal_bytes,bytes,,149946368\n",
                 "a hole is a row without a value");
    tap_ok(strstr(out.data, "fpi_bytes,bytes,,") == NULL, "what a server does not give has no row");
    text_release(&out);
    result_free(result);
}

static const cJSON *
item(const cJSON *object, const char *key, int index)
{
    return cJSON_GetArrayItem(cJSON_GetObjectItemCaseSensitive(object, key), index);
}

static void
test_json(void)
{
    Text out = print_sample(NULL, REPORT_JSON);
    cJSON *root = cJSON_Parse(out.data);
    const cJSON *section = item(root, "sections", 1);
    const cJSON *cell = item(item(section, "rows", 0), "cells", 1);

    tap_text(cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(root, "format")),
             "keybench-report/1", "its format");
    tap_text(cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(section, "title")),
             "Table 13-1: the second million", "a section");
    tap_text(cJSON_GetStringValue(item(cell, "texts", 0)), "550.5 MB", "a cell as printed");
    tap_text(cJSON_GetStringValue(item(cell, "texts", 2)), "-0.1%", "its deviation");
    tap_near(cJSON_GetNumberValue(cJSON_GetObjectItemCaseSensitive(cell, "value")), 577241080, 0,
             "the figure behind it");
    tap_near(cJSON_GetNumberValue(cJSON_GetObjectItemCaseSensitive(cell, "reference")),
             551.0 * 1048576, 0, "and the published one");
    cJSON_Delete(root);
    text_release(&out);
}

static void
test_html(void)
{
    SampleSpec spec = {.title_suffix = "<script>\\\"&"};
    char path[] = "/tmp/keybench-test-XXXXXX";
    const char *charts[] = {path}, *none[] = {"/nowhere/x.svg"};
    ReportOptions options = {.format = REPORT_HTML, .charts = charts, .chart_count = 1};
    Result *result = sample_result_new(&spec);
    Text out = {0};
    Diag diag = {0};
    int file = mkstemp(path);

    tap_ok(file >= 0 && write(file, "<svg/>!", 7) == 7 && close(file) == 0, "a chart");
    tap_u64(report_print(result, &options, &out, &diag), STATUS_OK, "a page with a chart");
    tap_contains(out.data, "src=\"data:image/svg+xml;base64,PHN2Zy8+IQ==\"", "it is embedded");
    tap_contains(out.data, "prefers-color-scheme:dark", "for dark pages too");
    tap_contains(out.data, "bigint&lt;script&gt;&quot;&amp;</th>", "names are escaped");
    tap_ok(strstr(out.data, "<script") == NULL, "everywhere");
    text_release(&out);
    options.charts = none;
    tap_u64(report_print(result, &options, &out, &diag), STATUS_IO, "a chart that is not there");
    unlink(path);
    text_release(&out);
    result_free(result);
}

/* What run prints from memory, report prints from the file. */
static void
test_round_trip(void)
{
    SampleSpec spec = {.repeats = 2};
    char path[] = "/tmp/keybench-test-XXXXXX";
    Result *result = sample_result_new(&spec), *loaded = NULL;
    Diag diag = {0};
    int file = mkstemp(path);

    tap_ok(file >= 0 && close(file) == 0, "a place for the result");
    tap_u64(result_save(result, path, &diag), STATUS_OK, "saved");
    tap_u64(result_load(path, &loaded, &diag), STATUS_OK, "and loaded");
    for (ReportFormat format = REPORT_TEXT; loaded != NULL && format <= REPORT_HTML; format++) {
        Text before = print(result, format, false), after = print(loaded, format, false);

        tap_ok(strcmp(before.data, after.data) == 0, "the report of both is the same");
        text_release(&before);
        text_release(&after);
    }
    unlink(path);
    result_free(loaded);
    result_free(result);
}

static void
test_bad_scenario(void)
{
    ReportOptions options = {.format = REPORT_TEXT};
    Result *result = sample_result_new(NULL);
    Text out = {0};
    Diag diag = {0};

    result->scenario_text = "[";
    tap_u64(report_print(result, &options, &out, &diag), STATUS_SCENARIO, "not a scenario");
    tap_contains(diag.message, "scenario of the result", "the message names it");
    tap_u64(out.length, 0, "nothing was printed");
    result_free(result);
}

static void
test_figures(void)
{
    static const struct {
        double ratio;
        const char *text;
    } ratios[] = {{3.8389, "3.8x"}, {1816.05, "1,816x"}, {0.927, "0.93x"}, {0.996, "1.0x"},
                  {99.96, "100x"},  {NAN, "-"},          {1.0 / 0.0, "-"}};
    static const struct {
        MetricId metric;
        double value, half_step;
        const char *why;
    } steps[] = {
        {METRIC_WAL_BYTES, 21.0 * 1048576, 524288, "whole MB"},
        {METRIC_WAL_BYTES, 136210022, 52428.8, "129.9 MB: tenths of a MB"},
        {METRIC_WAL_BYTES, 6184.0 * 1024, 512, "whole kB"},
        {METRIC_WAL_BYTES, 1234567, .5, "bytes"},
        {METRIC_LEAF_DENSITY_PCT, 72, .05, "percent"},
        {METRIC_FPI_COUNT, 43, .5, "counts"},
    };
    char text[METRIC_TEXT_SIZE];

    for (size_t i = 0; i < ARRAY_LEN(ratios); i++) {
        figure_print_ratio(ratios[i].ratio, text);
        tap_text(text, ratios[i].text, "a ratio");
    }
    for (size_t i = 0; i < ARRAY_LEN(steps); i++)
        tap_near(reference_half_step(steps[i].metric, steps[i].value), steps[i].half_step, 1e-9,
                 steps[i].why);
    tap_ok(isnan(deviation_pct(3, 0)), "no deviation from zero");
    tap_near(deviation_pct(0, 0), 0, 0, "but zero is zero");
}

static void
test_sources(void)
{
    Text sources = {0};

    figure_add_source(&sources, "text beside Table 13-1");
    figure_add_source(&sources, "Table 13-1");
    figure_add_source(&sources, "book, page 3");
    figure_add_source(&sources, "Table 13-1");
    figure_add_source(&sources, "book, page 3");
    tap_text(sources.data, "text beside Table 13-1, Table 13-1, book, page 3", "each source once");
    text_release(&sources);
}

int
main(void)
{
    test_text();
    test_shapes();
    test_one_design();
    test_incomplete();
    test_findings();
    test_checks();
    test_side_by_side();
    test_time_ratios();
    test_latencies();
    test_markdown();
    test_csv();
    test_json();
    test_html();
    test_round_trip();
    test_bad_scenario();
    test_figures();
    test_sources();
    return tap_done();
}
