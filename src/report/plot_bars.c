#include "report/plot_axis.h"
#include "report/plot_parts.h"
#include "report/plot_text.h"

#include <math.h>

enum { PANELS_MAX = 2, BAR_HEIGHT = 38 };

/* One metric of the chart: arrays with an item a design. */
typedef struct Panel {
    MetricId metric;
    PlotAxis axis;
    double *value, *low, *high, *published; /* in the metric's unit; NAN where there is none */
    const char **text;
    double text_px; /* the widest text */
    size_t known;   /* how many designs have a value */
} Panel;

static void
read_design(const PlotChart *chart, Panel *panel, size_t i, double *largest)
{
    Figure figure = {.design = chart->scenario->designs[i].name,
                     .phase = chart->spec->phase,
                     .metric = panel->metric};
    Measured measured = figure_measure(chart->result, &figure);
    const Reference *reference = figure_find_reference(chart->scenario, &figure);
    char text[METRIC_TEXT_SIZE];

    metric_print(&METRICS[panel->metric], measured.value, text);
    panel->text[i] = arena_text(chart->arena, text);
    panel->text_px = fmax(panel->text_px, plot_text_width_px(text, PLOT_FONT));
    panel->value[i] = measured.value;
    panel->low[i] = measured.min < measured.max ? measured.min : NAN;
    panel->high[i] = measured.min < measured.max ? measured.max : NAN;
    panel->published[i] = reference != NULL ? reference->value : NAN;
    if (!isnan(measured.value))
        panel->known++;
    *largest = fmax(*largest, fmax(measured.max, panel->published[i]));
}

static Panel
panel_new(const PlotChart *chart, MetricId metric)
{
    size_t count = chart->scenario->design_count;
    double largest = 0;
    Panel panel = {
        .metric = metric,
        .value = arena_alloc(chart->arena, count, sizeof(double)),
        .low = arena_alloc(chart->arena, count, sizeof(double)),
        .high = arena_alloc(chart->arena, count, sizeof(double)),
        .published = arena_alloc(chart->arena, count, sizeof(double)),
        .text = arena_alloc(chart->arena, count, sizeof(char *)),
    };

    for (size_t i = 0; i < count; i++)
        read_design(chart, &panel, i, &largest);
    panel.axis = plot_axis_new(metric, largest);
    return panel;
}

static TitleEntries
title_entries(const PlotChart *chart, const Panel *panel)
{
    size_t count = chart->scenario->design_count;
    TitleEntries entries = {.items = arena_alloc(chart->arena, count, sizeof(TitleEntry))};

    for (size_t i = 0; i < count; i++)
        if (!isnan(panel->value[i]))
            entries.items[entries.count++] = (TitleEntry){
                .title = plot_short_title(chart, i),
                .value = panel->value[i],
            };
    entries.no_ratio = plot_is_tainted(chart);
    return entries;
}

static const char *
print_title(const PlotChart *chart, const Panel *panels, size_t panel_count)
{
    const char *title = "";

    for (size_t i = 0; i < panel_count; i++) {
        TitleEntries entries = title_entries(chart, &panels[i]);

        if (entries.count == 0)
            continue;
        title = title[0] == '\0'
                    ? plot_title_bars(chart->arena, panels[i].metric, &entries)
                    : arena_printf(chart->arena, "%s%s", title,
                                   plot_title_second(chart->arena, panels[i].metric, &entries));
    }
    return title;
}

/* Scale an array to the axis, and add it. */
static void
add_scaled(const PlotChart *chart, Text *script, const char *name, const double *values,
           double scale)
{
    size_t count = chart->scenario->design_count;
    double *scaled = arena_alloc(chart->arena, count, sizeof(double));

    for (size_t i = 0; i < count; i++)
        scaled[i] = values[i] / scale;
    plot_add_numbers(script, name, scaled, count);
}

static const char *
numbered(const PlotChart *chart, const char *name, size_t panel)
{
    return arena_printf(chart->arena, "%s_%zu", name, panel + 1);
}

static void
add_panel(const PlotChart *chart, Text *script, const Panel *panel, size_t at)
{
    const PlotAxis *axis = &panel->axis;
    const char *title = figure_metric_title(chart->scenario, panel->metric);
    Text tics = {0};

    add_scaled(chart, script, numbered(chart, "value", at), panel->value, axis->scale);
    add_scaled(chart, script, numbered(chart, "low", at), panel->low, axis->scale);
    add_scaled(chart, script, numbered(chart, "high", at), panel->high, axis->scale);
    add_scaled(chart, script, numbered(chart, "published", at), panel->published, axis->scale);
    plot_add_texts(script, numbered(chart, "text", at), panel->text, chart->scenario->design_count);
    plot_add_number(script, numbered(chart, "max", at), axis->max);
    plot_add_text(script, numbered(chart, "axis", at),
                  axis->unit[0] != '\0' ? arena_printf(chart->arena, "%s, %s", title, axis->unit)
                                        : title);
    plot_axis_add_tics(&tics, axis);
    plot_add_text(script, numbered(chart, "tics", at), tics.data);
    text_release(&tics);
}

bool
plot_add_bars(const PlotChart *chart, Text *script)
{
    Panel panels[PANELS_MAX];
    size_t count = chart->spec->metrics[1] == METRIC_COUNT ? 1 : 2, known = 0;
    double head, text_px = 0;

    for (size_t i = 0; i < PANELS_MAX; i++) {
        panels[i] = panel_new(chart, chart->spec->metrics[i < count ? i : 0]);
        text_px = fmax(text_px, panels[i].text_px);
        known += panels[i].known;
    }
    if (known == 0)
        return false;
    head = plot_add_head(chart, script, print_title(chart, panels, count));
    plot_add_designs(chart, script);
    plot_add_text(script, "published_note", plot_published(chart, chart->spec->metrics, count));
    plot_add_number(script, "panel_count", (double)count);
    plot_add_number(script, "text_px", text_px);
    for (size_t i = 0; i < PANELS_MAX; i++) /* both arrays are always there */
        add_panel(chart, script, &panels[i], i);
    plot_add_number(script, "W", PLOT_WIDTH);
    plot_add_number(script, "head_px", head);
    plot_add_number(script, "foot_px", PLOT_FOOT);
    plot_add_number(script, "H",
                    head + PLOT_FOOT + BAR_HEIGHT * (double)chart->scenario->design_count);
    return true;
}
