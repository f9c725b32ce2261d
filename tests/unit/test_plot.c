#include "report/plot.h"

#include "base/file.h"
#include "base/mem.h"
#include "base/text.h"
#include "report/plot_axis.h"
#include "report/plot_text.h"
#include "report/plot_title.h"
#include "support/sample_result.h"
#include "support/tap.h"

#include <unistd.h>

static const char HOSTILE[] = " a\\\"b'c {/=20 x} `touch pwned` @name %d _^& <b>\xc3\xa9";

static void
test_quote(void)
{
    static const struct {
        const char *text, *quoted, *why;
    } cases[] = {
        {"plain", "'plain'", "plain"},
        {"", "''", "empty"},
        {"it's", "'it''s'", "a single quote is doubled"},
        {"a\nb\tc\x7f", "'a b c '", "control characters become blanks"},
        {"\\n \"x\" `id` @a", "'\\n \"x\" `id` @a'", "nothing else means anything"},
        {"\xff\xc3\xa9\xc3", "'?\xc3\xa9?'", "bytes that are not UTF-8"},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        Text script = {0};

        plot_text_quote(&script, cases[i].text);
        tap_text(script.data, cases[i].quoted, cases[i].why);
        text_release(&script);
    }
}

static void
test_lines(void)
{
    Arena *arena = arena_new();
    const char *lines[PLOT_LINES_MAX];
    const char *text = "nothing much to see";

    plot_text_break(arena, text, 10, 1000, lines);
    tap_text(lines[0], text, "what fits stays on one line");
    tap_text(lines[1], "", "and needs no second");
    plot_text_break(arena, text, 10, plot_text_width_px("nothing much to", 10), lines);
    tap_text(lines[0], "nothing", "two lines are of about one length");
    tap_text(lines[1], "much to see", "the second one");
    plot_text_break(arena, "a; three four", 10, plot_text_width_px("three four", 10), lines);
    tap_text(lines[0], "a;", "a line ends where a clause does");
    plot_text_break(arena, "abcdefghijklmnopqrstuvwxyz", 10, 60, lines);
    tap_contains(lines[1], "...", "a word that is too long is cut");
    tap_ok(plot_text_width_px(lines[0], 10) <= 60, "and fits");
    tap_text(plot_text_cut_start(arena, "abcdef", 10, 30), "...def", "cut at the start");
    tap_text(plot_text_cut_middle(arena, "abcdefghijkl", 10, 50), "abc...ijkl", "cut between");
    tap_text(plot_text_cut_middle(arena, "abcdef", 10, 50), "abcdef", "not where it fits");
    tap_text(plot_text_cut(arena, "\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9", 10, 20), "\xc3\xa9...",
             "never inside a character");
    arena_free(arena);
}

static void
test_axis(void)
{
    static const struct {
        MetricId metric;
        double largest, max, step;
        const char *tics, *why;
    } cases[] = {
        {METRIC_FPI_COUNT, 9443, 10000, 2000,
         "('0' 0, '2,000' 2000, '4,000' 4000, '6,000' 6000, '8,000' 8000, '10,000' 10000)",
         "a count"},
        {METRIC_WAL_BYTES, 551.0 * 1048576, 600, 100,
         "('0' 0, '100' 100, '200' 200, '300' 300, '400' 400, '500' 500, '600' 600)", "MB"},
        {METRIC_LEAF_DENSITY_PCT, 72, 100, 20,
         "('0' 0, '20' 20, '40' 40, '60' 60, '80' 80, '100' 100)", "percent end at 100"},
        {METRIC_FPI_COUNT, 0, 1, .2,
         "('0.0' 0, '0.2' 0.2, '0.4' 0.4, '0.6' 0.6, '0.8' 0.8, '1.0' 1)", "nothing but zeros"},
        {METRIC_FPI_COUNT, 12, 12, 2, "('0' 0, '2' 2, '4' 4, '6' 6, '8' 8, '10' 10, '12' 12)",
         "the largest is a mark"},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        PlotAxis axis = plot_axis_new(cases[i].metric, cases[i].largest);
        Text tics = {0};

        plot_axis_add_tics(&tics, &axis);
        tap_near(axis.max, cases[i].max, 1e-9, cases[i].why);
        tap_near(axis.step, cases[i].step, 1e-9, "its step");
        tap_text(tics.data, cases[i].tics, "its marks");
        text_release(&tics);
    }
}

static void
test_bar_titles(void)
{
    static TitleEntry three[] = {
        {.title = "a", .value = 10}, {.title = "b", .value = 42}, {.title = "c", .value = 11}};
    static TitleEntry alike[] = {{.title = "a", .value = 100}, {.title = "b", .value = 101}};
    static TitleEntry four[] = {{.title = "a", .value = 10},
                                {.title = "b", .value = 42},
                                {.title = "c", .value = 41},
                                {.title = "d", .value = 5}};
    static TitleEntry zero[] = {{.title = "a", .value = 0}, {.title = "b", .value = 7}};
    static TitleEntry leaves[] = {{.title = "a", .value = 90.03},
                                  {.title = "b", .value = 71.76},
                                  {.title = "c", .value = 89.99}};
    static TitleEntry shares[] = {{.title = "a", .value = 0.34}, {.title = "b", .value = 37.6}};
    static const struct {
        MetricId metric;
        TitleEntries entries;
        const char *title, *why;
    } cases[] = {
        {METRIC_WAL_BYTES,
         {three, 3, false},
         "b writes 3.8x the WAL of c",
         "against the next of three"},
        {METRIC_WAL_BYTES,
         {four, 4, false},
         "b writes 8.4x the WAL of d",
         "against the least of many"},
        {METRIC_INDEX_BYTES, {three, 3, false}, "b's index is 3.8x that of c", "a size"},
        {METRIC_HIT_PAGES,
         {three, 3, false},
         "b has 3.8x the buffers hit of c",
         "no phrase of its own"},
        {METRIC_FPI_COUNT,
         {alike, 2, false},
         "full-page images: all alike, 100 to 101",
         "no finding"},
        {METRIC_FPI_COUNT,
         {zero, 2, false},
         "full-page images: 0 (a) to 7 (b)",
         "no ratio to zero"},
        {METRIC_WAL_BYTES, {three, 3, true}, "WAL: 10 bytes (a) to 42 bytes (b)", "contaminated"},
        {METRIC_FPI_COUNT, {three, 1, false}, "a: full-page images 10", "a single design"},
        {METRIC_LEAF_DENSITY_PCT,
         {leaves, 3, false},
         "Leaves are 72% full with b, 90% with a and c",
         "percentages that read alike are one"},
        {METRIC_TOUCHED_INDEX_PCT,
         {shares, 2, false},
         "share of the index read: 0.3% with a, 38% with b",
         "a small share is not nothing"},
    };
    Arena *arena = arena_new();

    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        tap_text(plot_title_bars(arena, cases[i].metric, &cases[i].entries), cases[i].title,
                 cases[i].why);
    arena_free(arena);
}

static void
test_batch_titles(void)
{
    TitleEntry lines[] = {
        {.title = "bigint", .value = 4, .first = 4, .low = 4, .high = 4},
        {.title = "UUIDv4", .value = 9278, .first = 4799, .low = 4799, .high = 9278},
        {.title = "UUIDv7", .value = 4, .first = 4, .low = 4, .high = 4},
    };
    TitleEntries all = {lines, 3, false}, one = {lines, 1, false}, two = {lines, 2, false};
    Arena *arena = arena_new();

    tap_text(plot_title_course(arena, METRIC_FPI_COUNT, " a batch", &all),
             "UUIDv4: full-page images climb from 4,799 to 9,278 a batch; bigint and UUIDv7 stay "
             "at 4",
             "one climbs, two are flat");
    tap_text(plot_title_course(arena, METRIC_FPI_COUNT, " a batch", &two),
             "UUIDv4: full-page images climb from 4,799 to 9,278 a batch; bigint stays at 4",
             "one climbs, one is flat");
    tap_text(plot_title_course(arena, METRIC_FPI_COUNT, " a batch", &one),
             "bigint: full-page images stay near 4 a batch", "one alone");
    arena_free(arena);
}

/* A private folder for charts, and what was drawn there. */
typedef struct Drawing {
    char folder[64];
    PlotFiles files;
    Diag diag;
    Status status;
} Drawing;

static void
draw(Drawing *drawing, const Result *result, const char *result_file)
{
    PlotOptions options = {.folder = drawing->folder,
                           .stem = "sample",
                           .result_file = result_file,
                           .svg = true,
                           .png = true};

    snprintf(drawing->folder, sizeof(drawing->folder), "/tmp/keybench-test-XXXXXX");
    if (mkdtemp(drawing->folder) == NULL)
        BUG("cannot make %s", drawing->folder);
    options.folder = drawing->folder;
    drawing->files = (PlotFiles){0};
    drawing->status = plot_draw(result, &options, &drawing->files, &drawing->diag);
}

static void
drawing_release(Drawing *drawing)
{
    for (size_t i = 0; i < drawing->files.count; i++)
        unlink(drawing->files.paths[i]);
    tap_ok(rmdir(drawing->folder) == 0, "nothing else is left in the folder");
    plot_files_release(&drawing->files);
}

static void
read_drawing(const Drawing *drawing, size_t i, Text *content)
{
    Diag diag = {0};

    if (file_read(drawing->files.paths[i], 1 << 24, content, &diag) != STATUS_OK)
        BUG("%s", diag.message);
}

static void
test_drawings(void)
{
    Result *result = sample_result_new(NULL);
    Drawing drawing = {.status = STATUS_OK};
    Text svg = {0}, png = {0};

    draw(&drawing, result, "/home/someone/results/sample.json");
    if (tap_u64(drawing.status, STATUS_OK, "the sample's charts are drawn") &&
        tap_u64(drawing.files.count, 10, "five, each as SVG and PNG")) {
        read_drawing(&drawing, 0, &svg);
        read_drawing(&drawing, 1, &png);
        tap_contains(svg.data, "UUIDv4 writes 3.8x the WAL of UUIDv7", "the title is the finding");
        tap_contains(svg.data, "100,000 rows between checkpoints", "the cadence");
        tap_contains(svg.data, "book (Table 13-1)", "the published figure's source");
        tap_contains(svg.data, ">550.5 MB<", "the bar's value");
        tap_contains(svg.data, ">sample.json<", "the result file");
        tap_ok(strstr(svg.data, "someone") == NULL, "but not its folder");
        tap_ok(memcmp(png.data, "\x89PNG", 4) == 0, "the PNG is one");
    } else {
        printf("# %s\n# %s\n", drawing.diag.message, drawing.diag.detail);
    }
    text_release(&svg);
    text_release(&png);
    drawing_release(&drawing);
    result_free(result);
}

/* Every text that a file may hold, in one run of the real program. */
static void
test_hostile_names(void)
{
    Arena *arena = arena_new();
    Text suffix = {0};
    SampleSpec spec = {.design_count = 12};
    Result *result;
    Drawing drawing = {.status = STATUS_OK};

    for (const char *at = HOSTILE; *at != '\0'; at++) /* as JSON */
        text_printf(&suffix, *at == '"' || *at == '\\' ? "\\%c" : "%c", *at);
    spec.title_suffix = suffix.data;
    result = sample_result_new(&spec);
    result->scenario_name = "a\nb'; exit 3; '";
    draw(&drawing, result, "a\"b'c\n{/=20 x}\xff.json");
    tap_u64(drawing.status, STATUS_OK, "names are data: gnuplot draws them");
    tap_u64(drawing.files.count, 10, "all of them");
    if (drawing.files.count > 0) {
        Text svg = {0};

        read_drawing(&drawing, 0, &svg);
        tap_contains(svg.data, "{/=20", "markup is printed as it stands");
        tap_contains(svg.data, "&lt;b>", "and escaped for XML");
        text_release(&svg);
    }
    tap_ok(!file_exists("pwned"), "nothing was run");
    drawing_release(&drawing);
    text_release(&suffix);
    arena_free(arena);
    result_free(result);
}

static void
test_holes(void)
{
    SampleSpec repeats = {.repeats = 3}, one = {.design_count = 1, .batch_count = 1};
    Result *result = sample_result_new(&repeats);
    Drawing drawing = {.status = STATUS_OK};

    for (uint64_t repeat = 1; repeat <= 3; repeat++)
        sample_phase(result, "uuidv7", "second", repeat)->figures.value[METRIC_WAL_BYTES] = NAN;
    draw(&drawing, result, "x.json");
    tap_u64(drawing.files.count, 10, "a design without a figure leaves a hole");
    drawing_release(&drawing);
    result_free(result);

    result = sample_result_new(&one);
    sample_phase(result, "bigint", "second", 1)->wal_kind_count = 0;
    draw(&drawing, result, "x.json");
    tap_u64(drawing.files.count, 8, "one design, one batch; the chart without figures is left out");
    drawing_release(&drawing);
    result->status = RESULT_INTERRUPTED;
    draw(&drawing, result, "x.json");
    tap_u64(drawing.status, STATUS_OK, "an interrupted run is no error");
    tap_u64(drawing.files.count, 0, "but has no charts");
    drawing_release(&drawing);
    result_free(result);
}

static void
test_missing(void)
{
    Result *result = sample_result_new(NULL);
    Drawing drawing = {.status = STATUS_OK};

    setenv("PATH", "/nowhere", 1);
    tap_ok(!plot_available(), "gnuplot is not on an empty PATH");
    draw(&drawing, result, "x.json");
    tap_u64(drawing.status, STATUS_IO, "no chart without gnuplot");
    tap_text(drawing.diag.message, "no charts: gnuplot is not installed", "it says so");
    tap_contains(drawing.diag.hint, "sudo apt-get install gnuplot-nox", "and what to do");
    tap_u64(drawing.files.count, 0, "no files");
    drawing_release(&drawing);
    result_free(result);
}

int
main(void)
{
    setenv("KEYBENCH_DATA", ".", 0); /* tests run in the checkout */
    test_quote();
    test_lines();
    test_axis();
    test_bar_titles();
    test_batch_titles();
    if (plot_available()) {
        test_drawings();
        test_hostile_names();
        test_holes();
    } else {
        tap_skip("drawing", "gnuplot is not installed");
    }
    test_missing();
    return tap_done();
}
