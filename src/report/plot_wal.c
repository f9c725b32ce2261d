#include "report/plot_axis.h"
#include "report/plot_parts.h"
#include "report/plot_text.h"
#include "report/wal_group.h"

#include <math.h>

enum { BAR_HEIGHT = 38, LEGEND_HEIGHT = 26 };

/* What a bar is made of, from its left on. */
enum { HEAP, LEAF, SPLIT, OTHER, IMAGES, SEGMENT_COUNT };

/* Greys for records and one colour for images, which are what the chart is about. */
static const struct {
    const char *title, *color, *text_color;
} SEGMENTS[SEGMENT_COUNT] = {
    [HEAP] = {"heap inserts", "#BDBDB8", "#1B1B1B"},
    [LEAF] = {"leaf inserts", "#8E8E89", "#1B1B1B"},
    [SPLIT] = {"page splits", "#4A4A47", "#FFFFFF"},
    [OTHER] = {"other records", "#E3E3DE", "#1B1B1B"},
    [IMAGES] = {"full-page images", "#CC79A7", "#1B1B1B"},
};

typedef struct Bars {
    double *bytes[SEGMENT_COUNT]; /* an item a design; NAN where nothing is known */
    double largest;               /* whole bar */
    size_t known;
} Bars;

static void
read_design(const PlotChart *chart, Bars *bars, size_t i)
{
    const PhaseResult *phase =
        wal_find_phase(chart->result, chart->scenario->designs[i].name, chart->spec->phase);
    WalGroupBytes sum;

    for (size_t segment = 0; segment < SEGMENT_COUNT; segment++)
        bars->bytes[segment][i] = NAN;
    if (phase == NULL)
        return;
    sum = wal_groups_sum(phase);
    bars->bytes[HEAP][i] = sum.record_bytes[WAL_GROUP_HEAP];
    bars->bytes[LEAF][i] = sum.record_bytes[WAL_GROUP_LEAF];
    bars->bytes[SPLIT][i] = sum.record_bytes[WAL_GROUP_SPLIT];
    bars->bytes[OTHER][i] = sum.record_bytes[WAL_GROUP_OTHER] + sum.record_bytes[WAL_GROUP_IMAGE];
    bars->bytes[IMAGES][i] = sum.fpi_total_bytes;
    bars->largest = fmax(bars->largest, sum.record_total_bytes + sum.fpi_total_bytes);
    bars->known++;
}

static Bars
bars_new(const PlotChart *chart)
{
    size_t count = chart->scenario->design_count;
    Bars bars = {.largest = 0};

    for (size_t segment = 0; segment < SEGMENT_COUNT; segment++)
        bars.bytes[segment] = arena_alloc(chart->arena, count, sizeof(double));
    for (size_t i = 0; i < count; i++)
        read_design(chart, &bars, i);
    return bars;
}

static double
whole_bar(const Bars *bars, size_t design)
{
    double whole = 0;

    for (size_t segment = 0; segment < SEGMENT_COUNT; segment++)
        whole += bars->bytes[segment][design];
    return whole;
}

static const char *
print_title(const PlotChart *chart, const Bars *bars)
{
    size_t count = chart->scenario->design_count;
    TitleEntries entries = {.items = arena_alloc(chart->arena, count, sizeof(TitleEntry))};

    for (size_t i = 0; i < count; i++) {
        double whole = whole_bar(bars, i);

        if (whole > 0)
            entries.items[entries.count++] = (TitleEntry){
                .title = plot_short_title(chart, i),
                .value = 100 * bars->bytes[IMAGES][i] / whole,
            };
    }
    return entries.count > 0 ? plot_title_wal(chart->arena, &entries) : "No WAL was written";
}

/* Texts of one segment and the room that they need. */
static void
add_segment(const PlotChart *chart, Text *script, const Bars *bars, size_t segment, double scale)
{
    size_t count = chart->scenario->design_count;
    double *scaled = arena_alloc(chart->arena, count, sizeof(double));
    double *widths = arena_alloc(chart->arena, count, sizeof(double));
    const char **texts = arena_alloc(chart->arena, count, sizeof(char *));

    for (size_t i = 0; i < count; i++) {
        char text[METRIC_TEXT_SIZE];

        metric_print(&METRICS[METRIC_WAL_BYTES], bars->bytes[segment][i], text);
        texts[i] = arena_text(chart->arena, text);
        widths[i] = plot_text_width_px(text, PLOT_FONT);
        scaled[i] = bars->bytes[segment][i] / scale;
    }
    plot_add_numbers(script, arena_printf(chart->arena, "value_%zu", segment + 1), scaled, count);
    plot_add_numbers(script, arena_printf(chart->arena, "width_%zu", segment + 1), widths, count);
    plot_add_texts(script, arena_printf(chart->arena, "text_%zu", segment + 1), texts, count);
}

static void
add_totals(const PlotChart *chart, Text *script, const Bars *bars, double scale)
{
    size_t count = chart->scenario->design_count;
    double *scaled = arena_alloc(chart->arena, count, sizeof(double)), width = 0;
    const char **texts = arena_alloc(chart->arena, count, sizeof(char *));

    for (size_t i = 0; i < count; i++) {
        char text[METRIC_TEXT_SIZE];

        metric_print(&METRICS[METRIC_WAL_BYTES], whole_bar(bars, i), text);
        texts[i] = arena_text(chart->arena, text);
        width = fmax(width, plot_text_width_px(text, PLOT_FONT));
        scaled[i] = whole_bar(bars, i) / scale;
    }
    plot_add_numbers(script, "total", scaled, count);
    plot_add_texts(script, "total_text", texts, count);
    plot_add_number(script, "text_px", width);
}

static void
add_legend(Text *script)
{
    const char *titles[SEGMENT_COUNT], *colors[SEGMENT_COUNT], *text_colors[SEGMENT_COUNT];
    double widths[SEGMENT_COUNT];

    for (size_t i = 0; i < SEGMENT_COUNT; i++) {
        titles[i] = SEGMENTS[i].title;
        colors[i] = SEGMENTS[i].color;
        text_colors[i] = SEGMENTS[i].text_color;
        widths[i] = plot_text_width_px(titles[i], PLOT_FONT);
    }
    plot_add_number(script, "segment_count", SEGMENT_COUNT);
    plot_add_texts(script, "segment_title", titles, SEGMENT_COUNT);
    plot_add_texts(script, "segment_color", colors, SEGMENT_COUNT);
    plot_add_texts(script, "segment_text_color", text_colors, SEGMENT_COUNT);
    plot_add_numbers(script, "segment_title_px", widths, SEGMENT_COUNT);
}

bool
plot_add_wal(const PlotChart *chart, Text *script)
{
    Bars bars = bars_new(chart);
    PlotAxis axis = plot_axis_new(METRIC_WAL_BYTES, bars.largest);
    Text tics = {0};
    double head;

    if (bars.known == 0)
        return false;
    head = plot_add_head(chart, script, print_title(chart, &bars)) + LEGEND_HEIGHT;
    plot_add_designs(chart, script);
    add_legend(script);
    for (size_t segment = 0; segment < SEGMENT_COUNT; segment++)
        add_segment(chart, script, &bars, segment, axis.scale);
    add_totals(chart, script, &bars, axis.scale);
    plot_axis_add_tics(&tics, &axis);
    plot_add_text(script, "tics", tics.data);
    text_release(&tics);
    plot_add_text(script, "axis", arena_printf(chart->arena, "WAL, %s", axis.unit));
    plot_add_text(script, "published_note", "");
    plot_add_number(script, "max", axis.max);
    plot_add_number(script, "W", PLOT_WIDTH);
    plot_add_number(script, "head_px", head);
    plot_add_number(script, "foot_px", PLOT_FOOT);
    plot_add_number(script, "H",
                    head + PLOT_FOOT + BAR_HEIGHT * (double)chart->scenario->design_count);
    return true;
}
