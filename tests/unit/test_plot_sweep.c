/* Charts of swept results: where values stand, what titles say, what is drawn. */
#include "report/plot.h"

#include "base/file.h"
#include "report/plot_place.h"
#include "report/plot_title.h"
#include "support/sample_sweep.h"
#include "support/tap.h"

#include <math.h>
#include <unistd.h>

enum { VALUES_MAX = 6 };

static void
test_places(void)
{
    static const struct {
        const char *values[VALUES_MAX];
        bool logarithmic;
        const char *tics, *why;
    } CASES[] = {
        {{"1", "2", "5"}, false, "('1' 0, '2' 0.25, '5' 1)", "numbers stand by size"},
        {{"5", "1", "2"}, false, "('1' 0, '2' 0.25, '5' 1)", "in any order"},
        {{"0", "100", "400"}, false, "('0' 0, '100' 0.25, '400' 1)", "zero has no logarithm"},
        {{"1", "10", "100"}, true, "('1' 0, '10' 0.5, '100' 1)", "from a factor of 100 on"},
        {{"1000", "10000", "100000"},
         true,
         "('1,000' 0, '10,000' 0.5, '100,000' 1)",
         "with separators"},
        {{"16MB", "64MB", "256MB"}, false, "('16MB' 0, '64MB' 0.2, '256MB' 1)", "sizes"},
        {{"off", "pglz", "zstd"}, false, "('off' 0, 'pglz' 1, 'zstd' 2)", "words alone"},
        {{"none", "5", "3", "1"},
         false,
         "('1' 0, '3' 0.5, '5' 1, 'none' 1.14)",
         "a word before falling numbers is at the right"},
        {{"none", "1", "3", "5"},
         false,
         "('none' -0.14, '1' 0, '3' 0.5, '5' 1)",
         "before rising ones at the left"},
        {{"1", "3", "5", "none", "never"},
         false,
         "('1' 0, '3' 0.5, '5' 1, 'none' 1.14, 'never' 1.28)",
         "two behind them"},
        {{"1", "3", "3", "1000"}, true, NULL, "equal numbers"},
        {{"none", "7"}, false, "('none' 0, '7' 1)", "a single number is like a word"},
        {{"7"}, false, "('7' 0)", "one value"},
    };
    Arena *arena = arena_new();

    for (size_t i = 0; i < ARRAY_LEN(CASES); i++) {
        size_t count = 0;
        PlotPlaces places;

        while (count < VALUES_MAX && CASES[i].values[count] != NULL)
            count++;
        places = plot_places_new(arena, CASES[i].values, count);
        tap_ok(places.logarithmic == CASES[i].logarithmic, CASES[i].why);
        if (CASES[i].tics != NULL)
            tap_text(plot_places_tics(arena, &places, 600), CASES[i].tics, "  the marks");
    }
    arena_free(arena);
}

static void
test_crowded_tics(void)
{
    static const char *const NUMBERS[] = {"1", "2", "4", "8", "16", "10000"};
    static const char *const WORDS[] = {"some longer words", "others", "it's"};
    Arena *arena = arena_new();
    PlotPlaces places = plot_places_new(arena, NUMBERS, ARRAY_LEN(NUMBERS));

    tap_text(plot_places_tics(arena, &places, 60), "('1' 0, '10,000' 1)",
             "marks that would run into others are left out");
    places = plot_places_new(arena, WORDS, ARRAY_LEN(WORDS));
    tap_text(plot_places_tics(arena, &places, 120), "('some...' 0, 'others' 1, 'it''s' 2)",
             "words are cut and quoted");
    tap_text(plot_places_columns(arena, &places, 360),
             "('some longer'.\"\\n\".'words' 0, 'others' 1, 'it''s' 2)",
             "or broken where each has a column");
    tap_ok(plot_places_are_words(&places), "nothing lies between words");
    places = plot_places_new(arena, NUMBERS, ARRAY_LEN(NUMBERS));
    tap_ok(!plot_places_are_words(&places), "between numbers there is");
    arena_free(arena);
}

/* Lines over two places: 1,000 and 20,000 rows between checkpoints. */
static const char *
title(Arena *arena, MetricId metric, TitleLines lines, size_t count, double values[][2])
{
    static const char *PLACES[] = {"1,000 rows between checkpoints",
                                   "20,000 rows between checkpoints"};
    static const char *MARKS[] = {"1,000", "20,000"};
    static const char *TITLES[] = {"a", "b", "c"}, *VARIANTS[] = {"", "", ""};
    static size_t designs[] = {0, 1, 2};

    lines.titles = lines.titles != NULL ? lines.titles : TITLES;
    lines.variants = lines.variants != NULL ? lines.variants : VARIANTS;
    lines.designs = lines.designs != NULL ? lines.designs : designs;
    lines.values = arena_alloc(arena, count, sizeof(double *));
    for (size_t i = 0; i < count; i++)
        lines.values[i] = values[i];
    lines.count = count;
    lines.place_count = 2;
    lines.places = PLACES;
    lines.marks = MARKS;
    lines.preposition = "at";
    lines.what = "rows between checkpoints";
    return plot_title_lines(arena, metric, &lines);
}

static void
test_titles(void)
{
    double figures[][2] = {{100, 100}, {620, 130}, {110, 100}};
    double level[][2] = {{100, 100}, {380, 380}, {100, 100}};
    double alike[][2] = {{100, 50}, {101, 50}};
    double ratios[][2] = {{0.9, 0.9}, {6.2, 1.3}}, below[][2] = {{0.9, 0.5}};
    double densities[][2] = {{90, 90}, {70, 70}}, falling[][2] = {{90, 90}, {70, 50}};
    double hole[][2] = {{100, 100}, {NAN, 130}}, zero[][2] = {{0, 0}, {20, 0}};
    double nothing[][2] = {{NAN, NAN}};
    const char *names[] = {"v4 (w=1)", "v4 (w=2)", "v7 (w=1)"}, *variants[] = {"w=1", "w=2", "w=1"};
    size_t designs[] = {0, 0, 1};
    double split[][2] = {{300, 200}, {250, 150}, {100, 100}};
    TitleLines none = {0}, over = {.over = "v7"}, tainted = {.no_ratio = true};
    TitleLines variant = {.titles = names, .variants = variants, .designs = designs};
    Arena *arena = arena_new();

    tap_text(title(arena, METRIC_WAL_BYTES, none, 3, figures),
             "b writes 5.6x the WAL of c at 1,000 rows between checkpoints, 1.3x at 20,000",
             "figures: the two that are highest, where they are farthest apart and nearest");
    tap_text(title(arena, METRIC_WAL_BYTES, none, 3, level),
             "b writes 3.8x the WAL of a, whatever the rows between checkpoints", "a level ratio");
    tap_text(title(arena, METRIC_FPI_COUNT, none, 2, alike),
             "b: full-page images are 101 at 1,000 rows between checkpoints, 50 at 20,000",
             "no ratio worth naming");
    tap_text(title(arena, METRIC_WAL_BYTES, over, 2, ratios),
             "b writes 6.2x the WAL of v7 at 1,000 rows between checkpoints, 1.3x at 20,000",
             "ratios: the topmost");
    tap_text(title(arena, METRIC_WAL_BYTES, over, 1, below), "WAL: a at most 0.90x that of v7",
             "none above 1");
    tap_text(title(arena, METRIC_LEAF_DENSITY_PCT, none, 2, densities),
             "Leaves are 70% full with b, 90% with a, whatever the rows between checkpoints",
             "level percentages");
    tap_text(title(arena, METRIC_LEAF_DENSITY_PCT, none, 2, falling),
             "b: average leaf density is 70% at 1,000 rows between checkpoints, 50% at 20,000",
             "the one that moves");
    tap_text(title(arena, METRIC_FPI_COUNT, none, 2, hole),
             "b writes 1.3x the full-page images of a, whatever the rows between checkpoints",
             "a hole makes no ratio");
    tap_text(title(arena, METRIC_FPI_COUNT, none, 2, zero),
             "b: full-page images are 20 at 1,000 rows between checkpoints, 0 at 20,000",
             "nor does zero");
    tap_text(title(arena, METRIC_WAL_BYTES, tainted, 3, figures),
             "b: WAL is 620 bytes at 1,000 rows between checkpoints, 130 bytes at 20,000",
             "nor a contaminated one");
    tap_text(title(arena, METRIC_WAL_BYTES, variant, 3, split),
             "v4 (w=1) writes 3.0x the WAL of v7 (w=1) at 1,000 rows between checkpoints, 2.0x at "
             "20,000",
             "lines that differ by their design alone are compared");
    tap_text(title(arena, METRIC_WAL_BYTES, none, 1, nothing), "WAL", "nothing measured");
    arena_free(arena);
}

/* A private folder for charts, and what was drawn there. */
typedef struct Drawing {
    char folder[64];
    PlotFiles files;
} Drawing;

static void
draw(Drawing *drawing, const Result *result)
{
    PlotOptions options = {.stem = "s", .result_file = "s.json", .svg = true};
    Diag diag = {0};

    *drawing = (Drawing){.folder = "/tmp/keybench-test-XXXXXX"};
    if (mkdtemp(drawing->folder) == NULL)
        BUG("cannot make %s", drawing->folder);
    options.folder = drawing->folder;
    if (plot_draw(result, &options, &drawing->files, &diag) != STATUS_OK)
        BUG("%s: %s", diag.message, diag.detail);
}

static void
drawing_release(Drawing *drawing)
{
    for (size_t i = 0; i < drawing->files.count; i++)
        unlink(drawing->files.paths[i]);
    tap_ok(rmdir(drawing->folder) == 0, "nothing else is left in the folder");
    plot_files_release(&drawing->files);
}

/* Whether the chart of that number holds a text. */
static void
shows(const Drawing *drawing, size_t i, const char *text, const char *label)
{
    Text svg = {0};
    Diag diag = {0};

    if (i >= drawing->files.count ||
        file_read(drawing->files.paths[i], 1 << 24, &svg, &diag) != STATUS_OK)
        BUG("no chart %zu", i);
    tap_ok(strstr(svg.data, text) != NULL, label);
    if (strstr(svg.data, text) == NULL)
        printf("# no %s in %s\n", text, drawing->files.paths[i]);
    text_release(&svg);
}

static const char CHARTS[] =
    ", `references`: [{`design`: `uuidv4`, `phase`: `second`, `metric`: `fpi_count`, `value`: "
    "2100, "
    "`unit`: `count`, `source`: `a book`, `at`: {`checkpoint`: 20000}}], `charts`: ["
    "{`name`: `images`, `kind`: `axis`, `axis`: `checkpoint`, `phase`: `second`, `metrics`: "
    "[`fpi_count`]}, "
    "{`name`: `ratio`, `kind`: `axis`, `axis`: `checkpoint`, `phase`: `second`, `metrics`: "
    "[`wal_bytes`], `over_design`: `uuidv7`}, "
    "{`name`: `growth`, `kind`: `phases`, `metrics`: [`fpi_count`], `at`: {`checkpoint`: 1000}}, "
    "{`name`: `bars`, `kind`: `bars`, `phase`: `second`, `metrics`: [`wal_bytes`], `at`: "
    "{`checkpoint`: `none`}}]";

static void
test_drawings(void)
{
    Result *result = sample_sweep_new("[`none`, 20000, 1000]", NULL, CHARTS);
    Drawing drawing;

    draw(&drawing, result);
    if (tap_u64(drawing.files.count, 4, "all four are drawn")) {
        shows(&drawing, 0, ">UUIDv4 writes 667x the full-page images of bigint",
              "the title is the finding");
        shows(&drawing, 0, ">none<", "a word has its mark");
        shows(&drawing, 0, ">book (a book): 2,100<", "the published figure of one point");
        shows(&drawing, 0, ">s.json<", "the result file");
        shows(&drawing, 1, "UUIDv4 writes 51.7x the WAL of UUIDv7 at 1,000 rows", "a ratio");
        shows(&drawing, 1, ">WAL, as a multiple of UUIDv7's<", "its axis");
        shows(&drawing, 1, ">UUIDv4  1.0x<", "the end of its line");
        shows(&drawing, 2, "climb from 2,000 to 20,000 as the table grows to 30,000 rows",
              "over phases");
        shows(&drawing, 2, ">sample: checkpoint=1000; PostgreSQL 18.1<", "at which point");
        shows(&drawing, 3, "the second part; checkpoint=none; no checkpoint asked for",
              "bars of one point");
    }
    drawing_release(&drawing);
    result_free(result);
}

static void
test_holes(void)
{
    Result *result = sample_sweep_new("[`none`, 20000, 1000]", NULL, CHARTS);
    static const char *const POINTS[] = {"checkpoint=none", "checkpoint=20000", "checkpoint=1000"};
    Drawing drawing;

    sample_trial(result, "uuidv4", "checkpoint=1000")->error = "gone";
    result->status = RESULT_FAILED;
    draw(&drawing, result);
    tap_u64(drawing.files.count, 4, "a sweep with a failed trial has charts");
    shows(&drawing, 0, "; trials that failed are left out<", "which say so");
    shows(&drawing, 1, "UUIDv4 writes 6.9x the WAL of UUIDv7 at 20,000 rows", "of what is whole");
    drawing_release(&drawing);
    for (size_t i = 0; i < ARRAY_LEN(POINTS); i++)
        sample_trial(result, "uuidv7", POINTS[i])->error = "gone";
    draw(&drawing, result);
    tap_u64(drawing.files.count, 3, "a chart without a figure is left out");
    drawing_release(&drawing);
    result->status = RESULT_INTERRUPTED;
    draw(&drawing, result);
    tap_u64(drawing.files.count, 0, "an interrupted sweep has none");
    drawing_release(&drawing);
    result_free(result);
}

static void
test_two_axes(void)
{
    static const char VIEWS[] =
        ", `charts`: [{`name`: `images`, `kind`: `axis`, `axis`: `checkpoint`, `phase`: `second`, "
        "`metrics`: [`fpi_count`]}, "
        "{`name`: `fixed`, `kind`: `axis`, `axis`: `checkpoint`, `phase`: `second`, `metrics`: "
        "[`fpi_count`], `at`: {`bytes`: 100}}, "
        "{`name`: `bytes`, `kind`: `axis`, `axis`: `bytes`, `phase`: `second`, `metrics`: "
        "[`wal_bytes`], `over_design`: `bigint`, `at`: {`checkpoint`: 1000}}]";
    Result *result = sample_sweep_new("[20000, 1000]", "[10, 100]", VIEWS);
    Drawing drawing;

    draw(&drawing, result);
    if (tap_u64(drawing.files.count, 3, "three charts")) {
        shows(&drawing, 0, ">UUIDv4, bytes=100  2,000<", "a line for each combination");
        shows(&drawing, 0, ">bigint  3<", "one where the axis does not concern the design");
        shows(&drawing, 1, ">UUIDv4  2,000<", "fixed, a design has one line");
        shows(&drawing, 1, "; bytes=100; ", "and the point is named");
        shows(&drawing, 2, "whatever the bytes", "over a design that the axis does not concern");
    }
    drawing_release(&drawing);
    result_free(result);
}

/* Phases that have lines of their own along an axis: a control beside what it is to control. */
static void
test_beside(void)
{
    static const char VIEWS[] =
        ", `charts`: [{`name`: `beside`, `kind`: `axis`, `axis`: `checkpoint`, `phases`: "
        "[`second`, `first`], `metrics`: [`wal_bytes`], `over_design`: `uuidv7`}]";
    Result *result = sample_sweep_new("[20000, 1000]", NULL, VIEWS);
    Drawing drawing;

    draw(&drawing, result);
    if (tap_u64(drawing.files.count, 1, "a chart of two phases over an axis")) {
        shows(&drawing, 0, "UUIDv4 (the second part) writes 51.7x the WAL of UUIDv7",
              "the title says of which phase");
        shows(&drawing, 0, ">UUIDv4, the second part  6.9x<", "a line of the one");
        shows(&drawing, 0, ">UUIDv4, first  12.8x<", "and of the other");
    }
    drawing_release(&drawing);
    result_free(result);
}

/* Nothing lies between words, so bars show their figures. */
static void
test_bars(void)
{
    static const char DOCUMENT[] =
        "{`format`: `keybench-scenario/1`, `name`: `s`, `seed`: 1, `settings`: {`wal_compression`: "
        "[`off`, `zstd`]}, `designs`: [{`name`: `bigint`, `primary_key`: `id`, `columns`: "
        "[{`name`: `id`, `source`: `identity`, `type`: `bigint`}]}, {`name`: `uuidv4`, "
        "`primary_key`: `id`, `columns`: [{`name`: `id`, `source`: `keybench`, `format`: "
        "`uuidv4`}]}], `phases`: [{`name`: `p`, `rows`: 4000}], `charts`: [{`name`: `wal`, "
        "`kind`: `axis`, `axis`: `wal_compression`, `phase`: `p`, `metrics`: [`wal_bytes`]}]}";
    Result *result = sample_sweep_of(DOCUMENT);
    Drawing drawing;

    sample_trial(result, "bigint", "wal_compression=zstd")
        ->phases[0]
        .figures.value[METRIC_WAL_BYTES] = 99 << 20;
    draw(&drawing, result);
    if (tap_u64(drawing.files.count, 1, "a chart along words")) {
        shows(&drawing, 0, ">bigint<", "its designs have no last value");
        shows(&drawing, 0, ">99.0<", "each bar has its figure");
        shows(&drawing, 0, ">0.40<", "also the lowest");
        shows(&drawing, 0, ">120<", "and room over the highest");
    }
    drawing_release(&drawing);
    result_free(result);
}

int
main(void)
{
    setenv("KEYBENCH_DATA", ".", 0); /* tests run in the checkout */
    test_places();
    test_crowded_tics();
    test_titles();
    if (plot_available()) {
        test_drawings();
        test_holes();
        test_two_axes();
        test_beside();
        test_bars();
    } else {
        tap_skip("drawing", "gnuplot is not installed");
    }
    return tap_done();
}
