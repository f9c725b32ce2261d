/* Tables of swept results: points as rows, ratios point by point, holes. */
#include "report/table.h"

#include "report/axis.h"
#include "support/sample_sweep.h"
#include "support/tap.h"

#include <cjson/cJSON.h>
#include <math.h>

static const char IMAGES_TABLE[] = ", `tables`: [{`phase`: `second`, `metrics`: [`fpi_count`]}]";

static Text
print(const Result *result, ReportFormat format)
{
    ReportOptions options = {.format = format};
    Text out = {0};
    Diag diag = {0};

    if (report_print(result, &options, &out, &diag) != STATUS_OK)
        BUG("%s", diag.message);
    return out;
}

static void
test_axis_values(void)
{
    static const struct {
        const char *value, *title, *printed, *place;
        double number; /* NAN: a word */
    } CASES[] = {
        {"20000", "rows between checkpoints", "20,000", "20,000 rows between checkpoints", 20000},
        {"70", "fillfactor", "70", "fillfactor 70", 70},
        {"8", "writers", "8", "8 writers", 8},
        {"0.5", "class", "0.5", "class 0.5", 0.5},
        {"64MB", "shared_buffers", "64MB", "shared_buffers 64MB", 67108864},
        {"-1", "x", "-1", "x -1", -1},
        {"none", "rows between checkpoints", "none", "name=none", NAN},
        {"4x", "writers", "4x", "name=4x", NAN},
        {"infinity", "x", "infinity", "name=infinity", NAN},
    };
    Arena *arena = arena_new();

    for (size_t i = 0; i < ARRAY_LEN(CASES); i++) {
        double number = 0;
        bool is_number = axis_read_number(CASES[i].value, &number);

        tap_ok(is_number == !isnan(CASES[i].number), CASES[i].value);
        if (is_number)
            tap_near(number, CASES[i].number, 0, "its size");
        tap_text(axis_print_value(arena, CASES[i].value), CASES[i].printed, "in a table");
        tap_text(axis_print_place(arena, "name", CASES[i].title, CASES[i].value), CASES[i].place,
                 "in a sentence");
    }
    arena_free(arena);
}

static void
test_one_axis(void)
{
    static const char VIEWS[] =
        ", `tables`: [{`phase`: `second`, `metrics`: [`fpi_count`, `leaf_density_pct`]}], "
        "`references`: [{`design`: `uuidv4`, `phase`: `second`, `metric`: `fpi_count`, `value`: "
        "2100, `unit`: `count`, `source`: `a book`, `at`: {`checkpoint`: 20000}}]";
    static const char TABLE[] =
        "the second part: full-page images\n"
        "20,000 rows in 20 statements of 1,000\n"
        "\n"
        "                             bigint           UUIDv4              UUIDv7\n"
        "rows between checkpoints   measured   measured   book  off by   measured\n"
        "------------------------   --------   -----------------------   --------\n"
        "none                              0          0                         0\n"
        "20,000                            3      2,000  2,100   -4.8%          3\n"
        "1,000                            60     20,000                        60\n"
        "  book: a book\n"
        "\n"
        "rows between checkpoints   UUIDv4 / bigint   UUIDv4 / UUIDv7   bigint / UUIDv7\n"
        "------------------------   ---------------   ---------------   ---------------\n"
        "none                                     -                 -                 -\n"
        "20,000                                667x              667x              1.0x\n"
        "1,000                                 333x              333x              1.0x\n"
        "\n"
        "the second part: average leaf density\n"
        "20,000 rows in 20 statements of 1,000\n"
        "\n"
        "rows between checkpoints   bigint   UUIDv4   UUIDv7\n"
        "------------------------   ------   ------   ------\n"
        "none                        90.0%    70.0%    90.0%\n";
    Result *result = sample_sweep_new("[`none`, 20000, 1000]", NULL, VIEWS);
    Text out = print(result, REPORT_TEXT);

    tap_contains(out.data, "\nsweep     checkpoint none, 20,000, 1,000\n", "what is swept");
    tap_contains(out.data, TABLE,
                 "points are rows, the reference is at its point, ratios follow; percentages have "
                 "none");
    tap_contains(out.data, "What the WAL was: the second part, checkpoint=1000\n",
                 "what the WAL was, of three points");
    text_release(&out);
    out = print(result, REPORT_MARKDOWN);
    tap_contains(out.data,
                 "| rows between checkpoints | bigint | UUIDv4 | book | off by | UUIDv7 |\n",
                 "as Markdown");
    text_release(&out);
    out = print(result, REPORT_HTML);
    tap_contains(out.data, "<tr><th>20,000</th><td class=\"start \">3</td>", "as HTML");
    text_release(&out);
    result_free(result);
}

static void
test_json(void)
{
    Result *result = sample_sweep_new("[20000, 1000]", NULL, IMAGES_TABLE);
    Text out = print(result, REPORT_JSON);
    cJSON *root = cJSON_Parse(out.data);
    const cJSON *section =
        cJSON_GetArrayItem(cJSON_GetObjectItemCaseSensitive(root, "sections"), 1);
    const cJSON *rows = cJSON_GetObjectItemCaseSensitive(section, "rows");
    const cJSON *row = cJSON_GetArrayItem(rows, 1);
    const cJSON *cell = cJSON_GetArrayItem(cJSON_GetObjectItemCaseSensitive(row, "cells"), 1);

    tap_u64((uint64_t)cJSON_GetArraySize(rows), 2, "a row a point");
    tap_text(cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(row, "title")), "1,000",
             "named by its value");
    tap_near(cJSON_GetNumberValue(cJSON_GetObjectItemCaseSensitive(cell, "value")), 20000, 0,
             "UUIDv4's images");
    cJSON_Delete(root);
    text_release(&out);
    result_free(result);
}

static void
test_two_axes(void)
{
    static const char TABLE[] = "point of the sweep            bigint   UUIDv4   UUIDv7\n"
                                "---------------------------   ------   ------   ------\n"
                                "checkpoint=20000, bytes=10         3    2,000        3\n"
                                "checkpoint=20000, bytes=100        3    2,000        3\n"
                                "checkpoint=1000, bytes=10         60   20,000       60\n"
                                "checkpoint=1000, bytes=100        60   20,000       60\n";
    static const char HEADER[] =
        "scenario,design,checkpoint,bytes,repeat,phase,batch,index,metric,unit,value,reference\n";
    Result *result = sample_sweep_new("[20000, 1000]", "[10, 100]", IMAGES_TABLE);
    Text out = print(result, REPORT_TEXT);

    tap_u64(result->design_count, 8, "a design that an axis does not concern is measured once");
    tap_contains(out.data, TABLE, "and stands beside all its values");
    text_release(&out);
    out = print(result, REPORT_CSV);
    tap_ok(strncmp(out.data, HEADER, strlen(HEADER)) == 0, "CSV has a column an axis");
    tap_contains(out.data, "\nsample,uuidv4,1000,100,1,second,,,fpi_count,count,20000,\n",
                 "the values of a trial");
    tap_contains(out.data, "\nsample,bigint,1000,,1,second,,,fpi_count,count,60,\n",
                 "none where the axis does not concern the design");
    text_release(&out);
    result_free(result);
    result = sample_sweep_new("[`none`, 20000, 1000]", "[10, 100]", IMAGES_TABLE);
    out = print(result, REPORT_TEXT);
    tap_ok(strstr(out.data, "What the WAL was") == NULL, "of six points there is too much WAL");
    text_release(&out);
    result_free(result);
}

static void
test_holes(void)
{
    Result *result = sample_sweep_new("[20000, 4000, 1000]", NULL, IMAGES_TABLE);
    DesignResult *trial = sample_trial(result, "uuidv4", "checkpoint=4000");
    Text out;

    trial->error = "deadlock detected";
    sample_trial(result, "uuidv7", "checkpoint=1000")->phases[1].complete = false;
    sample_trial(result, "uuidv7", "checkpoint=1000")->phases[1].batch_count = 7;
    sample_trial(result, "uuidv4", "checkpoint=20000")->minted_by = ""; /* has not begun */
    result->status = RESULT_FAILED;
    out = print(result, REPORT_TEXT);
    tap_contains(out.data, "UUIDv4   uuid       keybench\n", "who minted stands in any trial");
    tap_contains(out.data, "status    failed; figures that were not measured read \"-\"",
                 "the run failed");
    tap_contains(out.data, "20,000                          3    2,000        3\n",
                 "a whole point");
    tap_contains(out.data, "4,000                          15   failed       15\n",
                 "a trial that failed");
    tap_contains(out.data, "1,000                          60   20,000        -\n",
                 "one that was interrupted");
    tap_contains(out.data, "! UUIDv4 at checkpoint=4000 failed: deadlock detected\n", "why");
    tap_contains(out.data, "! UUIDv7 at checkpoint=1000: 7 of 20 statements were measured\n",
                 "how far it came");
    tap_contains(out.data, "20,000                                667x",
                 "whole points have ratios");
    tap_contains(out.data,
                 "4,000                                    -                 -              1.0x\n",
                 "there are none of a hole");
    tap_contains(out.data,
                 "1,000                                 333x                 -                 -\n",
                 "nor of the other");
    text_release(&out);
    out = print(result, REPORT_CSV);
    tap_contains(out.data, "\nsample,uuidv4,4000,1,second,,,fpi_count,count,,\n", "a hole in CSV");
    text_release(&out);
    result_free(result);
}

static void
test_findings(void)
{
    static const Finding finding = {
        "checkpoint", "uuidv4", 1, "checkpoint=1000", "second", 3, "one that nobody asked for"};
    Result *result = sample_sweep_new("[20000, 1000]", NULL, IMAGES_TABLE);
    Text out;

    result_add_finding(result, &finding);
    out = print(result, REPORT_TEXT);
    tap_contains(out.data,
                 "! checkpoint, UUIDv4 at checkpoint=1000, batch 3: one that nobody asked for\n",
                 "where it was found");
    tap_contains(out.data, "20,000                                667x",
                 "other points have ratios");
    tap_contains(out.data,
                 "1,000                                    -                 -              1.0x\n"
                 "! no ratio of a contaminated measurement: see the findings\n",
                 "that one has none");
    text_release(&out);
    result_free(result);
}

/* A phase with batches as its axis, and one that is the same at all points. */
static void
test_cadence(void)
{
    static const char DOCUMENT[] =
        "{`format`: `keybench-scenario/1`, `name`: `cadence`, `seed`: 1, `designs`: ["
        "{`name`: `bigint`, `primary_key`: `id`, `columns`: [{`name`: `id`, `source`: `identity`, "
        "`type`: `bigint`}]}, {`name`: `uuidv4`, `primary_key`: `id`, `columns`: [{`name`: `id`, "
        "`source`: `keybench`, `format`: `uuidv4`}]}], `phases`: [{`name`: `one`, `rows`: 8000, "
        "`checkpoint`: `none`}, {`name`: `two`, `rows`: 8000}, {`name`: `many`, `rows`: 8000, "
        "`batches`: [1, 8]}], `tables`: [{`phase`: `one`, `metrics`: [`wal_bytes`]}, "
        "{`phase`: `two`, `metrics`: [`wal_bytes`]}, {`phase`: `many`, `metrics`: [`wal_bytes`]}]}";
    Result *result = sample_sweep_of(DOCUMENT);
    Text out = print(result, REPORT_TEXT);

    tap_contains(out.data, "no checkpoint asked for\nbatches   bigint / uuidv4\n",
                 "all without a checkpoint");
    tap_contains(out.data, "at 8,000 rows between checkpoints\nbatches   uuidv4 / bigint\n",
                 "the same cadence at all points is said once");
    tap_contains(out.data,
                 "batches   uuidv4 / bigint   rows between checkpoints\n"
                 "-------   ---------------   ------------------------\n"
                 "1                   15.6x                      8,000\n",
                 "else it stands beside the ratios");
    tap_contains(out.data, "many: WAL\n\nbatches     bigint",
                 "what differs from point to point is not said of all");
    text_release(&out);
    result_free(result);
}

static void
test_many_designs(void)
{
    Text document = {0};
    Result *result;
    Text out;

    text_add(&document,
             "{`format`: `keybench-scenario/1`, `name`: `many`, `seed`: 1, `designs`: [");
    for (int i = 0; i < 4; i++)
        text_printf(&document,
                    "%s{`name`: `d%d`, `primary_key`: `id`, `columns`: [{`name`: `id`, `source`: "
                    "`identity`, `type`: `bigint`}]}",
                    i > 0 ? "," : "", i);
    text_add(&document, "], `phases`: [{`name`: `p`, `rows`: 4000, `writers`: [1, 2]}], `tables`: "
                        "[{`phase`: `p`, `metrics`: [`wal_bytes`]}]}");
    result = sample_sweep_of(document.data);
    out = print(result, REPORT_TEXT);
    tap_contains(out.data,
                 "ratio to d0; at 4,000 rows between checkpoints\nwriters     d1     d2     d3\n",
                 "four designs are compared with the first");
    text_release(&out);
    text_release(&document);
    result_free(result);
}

static void
test_swept_setting(void)
{
    static const char DOCUMENT[] =
        "{`format`: `keybench-scenario/1`, `name`: `s`, `seed`: 1, `settings`: {`wal_compression`: "
        "[`off`, `zstd`]}, `designs`: [{`name`: `bigint`, `primary_key`: `id`, `columns`: "
        "[{`name`: `id`, `source`: `identity`, `type`: `bigint`}]}], `phases`: [{`name`: `p`, "
        "`rows`: 4000}]}";
    Result *result = sample_sweep_of(DOCUMENT);
    Text out = print(result, REPORT_TEXT);

    tap_contains(out.data, "settings  wal_compression swept\n", "no value of one point for all");
    text_release(&out);
    result_free(result);
}

static void
test_swept_seed(void)
{
    static const char DOCUMENT[] =
        "{`format`: `keybench-scenario/1`, `name`: `s`, `seed`: [7, 8], `designs`: [{`name`: "
        "`bigint`, `primary_key`: `id`, `columns`: [{`name`: `id`, `source`: `identity`, `type`: "
        "`bigint`}]}], `phases`: [{`name`: `p`, `rows`: 4000}]}";
    Result *result = sample_sweep_of(DOCUMENT);
    Text out = print(result, REPORT_TEXT);

    tap_contains(out.data, "sweep     seed 7, 8\n", "a report of a swept seed");
    text_release(&out);
    result_free(result);
}

int
main(void)
{
    test_axis_values();
    test_one_axis();
    test_json();
    test_two_axes();
    test_holes();
    test_findings();
    test_cadence();
    test_many_designs();
    test_swept_setting();
    test_swept_seed();
    return tap_done();
}
