#include "report/plot_script.h"

#include "base/units.h"
#include "report/plot_parts.h"
#include "report/plot_text.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { NAME_WIDTH_MAX = 250, TITLE_NAME_WIDTH_MAX = 260, PUBLISHED_WIDTH_MAX = 330 };

/* Estimated widths may be short by this much. */
static const double NAME_RESERVE = 1.06;

/* Black is kept for what was published; yellow is too light for lines on white. */
static const char *const COLORS[] = {
    "#0072B2", "#D55E00", "#009E73", "#E69F00", "#56B4E9", "#CC79A7",
    "#004B75", "#8F3F00", "#006B4E", "#9C6C00", "#2A7FAE", "#8A4A6E",
};

static const struct {
    const char *name;
    bool (*add)(const PlotChart *chart, Text *script);
} KINDS[] = {
    [CHART_BARS] = {"bars.gp", plot_add_bars},
    [CHART_BATCHES] = {"lines.gp", plot_add_batches},
    [CHART_WAL] = {"wal_kinds.gp", plot_add_wal},
    [CHART_AXIS] = {"lines.gp", plot_add_axis},
    [CHART_PHASES] = {"lines.gp", plot_add_phases},
};

bool
plot_script_add(const PlotChart *chart, Text *script)
{
    return KINDS[chart->spec->kind].add(chart, script);
}

const char *
plot_script_name(ChartKind kind)
{
    return KINDS[kind].name;
}

const char *
plot_color(size_t design)
{
    return COLORS[design % ARRAY_LEN(COLORS)];
}

static void
add_value(Text *script, double number)
{
    if (isnan(number))
        text_add(script, "NaN");
    else
        text_printf(script, "%.10g", number);
}

void
plot_add_number(Text *script, const char *name, double number)
{
    text_printf(script, "%s = ", name);
    add_value(script, number);
    text_add(script, "\n");
}

void
plot_add_text(Text *script, const char *name, const char *text)
{
    text_printf(script, "%s = ", name);
    plot_text_quote(script, text);
    text_add(script, "\n");
}

void
plot_add_numbers(Text *script, const char *name, const double *numbers, size_t count)
{
    text_printf(script, "array %s[%zu] = [", name, count);
    for (size_t i = 0; i < count; i++) {
        text_add(script, i > 0 ? ", " : "");
        add_value(script, numbers[i]);
    }
    text_add(script, "]\n");
}

void
plot_add_texts(Text *script, const char *name, const char *const *texts, size_t count)
{
    text_printf(script, "array %s[%zu] = [", name, count);
    for (size_t i = 0; i < count; i++) {
        text_add(script, i > 0 ? ", " : "");
        plot_text_quote(script, texts[i]);
    }
    text_add(script, "]\n");
}

static size_t
phase_count(const PlotChart *chart)
{
    return chart->spec->phase != NULL ? 1 : chart->spec->phase_count;
}

static const char *
phase_name(const PlotChart *chart, size_t phase)
{
    return chart->spec->phase != NULL ? chart->spec->phase : chart->spec->phases[phase];
}

bool
plot_is_tainted(const PlotChart *chart)
{
    for (size_t point = 0; point < chart->point_count; point++)
        for (size_t i = 0; i < chart->scenario->design_count; i++)
            for (size_t phase = 0; phase < phase_count(chart); phase++)
                if (figure_is_tainted(chart->points[point].result, chart->scenario->designs[i].name,
                                      phase_name(chart, phase)))
                    return true;
    return false;
}

static bool
has_failed(const PlotChart *chart)
{
    for (size_t point = 0; point < chart->point_count; point++)
        for (size_t i = 0; i < chart->scenario->design_count; i++)
            if (figure_has_failed(chart->points[point].result, chart->scenario->designs[i].name))
                return true;
    return false;
}

/* "100,000 rows between checkpoints; ", or nothing where that is not the same in all of a chart. */
static const char *
print_cadence(const PlotChart *chart)
{
    uint64_t common = UINT64_MAX;
    char text[UNITS_TEXT_SIZE];

    for (size_t point = 0; point < chart->point_count; point++)
        for (size_t i = 0; i < phase_count(chart); i++) {
            const Scenario *scenario = point_scenario(&chart->points[point]);
            const Phase *phase = scenario_find_phase(scenario, phase_name(chart, i));
            uint64_t rows = phase_rows_per_checkpoint(phase);

            if (phase->rows == 0) /* a command */
                return "";
            if (common != UINT64_MAX && rows != common)
                return "";
            common = rows;
        }
    units_print_count((double)common, text, sizeof(text));
    return common > 0 ? arena_printf(chart->arena, "%s rows between checkpoints; ", text)
                      : "no checkpoint asked for; ";
}

/* The values of a sweep that all of a chart has in common: "writers=8; " */
static const char *
print_place(const PlotChart *chart)
{
    const char *text = "";

    for (size_t i = 0; i < chart->sweep->axis_count; i++) {
        const NamedValue *value = &chart->points[0].point->values[i];
        bool common = chart->spec->axis == NULL || strcmp(chart->spec->axis, value->name) != 0;

        for (size_t point = 1; common && point < chart->point_count; point++)
            common = strcmp(chart->points[point].point->values[i].value, value->value) == 0;
        if (common)
            text = arena_printf(chart->arena, "%s%s=%s; ", text, value->name, value->value);
    }
    return text;
}

/* "table-13-1: second 1,000,000 rows; 100,000 rows between checkpoints; PostgreSQL 18.1" */
static const char *
print_subtitle(const PlotChart *chart)
{
    const char *version = result_server_value(chart->result, "version"), *phase = "";

    if (chart->spec->phase != NULL)
        phase = arena_printf(chart->arena, "%s; ",
                             scenario_find_phase(chart->scenario, chart->spec->phase)->title);
    return arena_printf(chart->arena, "%s: %s%s%s%s%s%s%s", chart->result->scenario_name, phase,
                        print_place(chart), print_cadence(chart),
                        strncmp(version, "PostgreSQL", 10) == 0 ? "" : "PostgreSQL ", version,
                        has_failed(chart) ? "; trials that failed are left out" : "",
                        plot_is_tainted(chart) ? "; contaminated" : "");
}

/* Whose folder it is in is nobody's business. */
static const char *
base_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash != NULL ? slash + 1 : path;
}

double
plot_add_head(const PlotChart *chart, Text *script, const char *title)
{
    const double width = PLOT_WIDTH - 2 * PLOT_EDGE;
    const char *lines[PLOT_LINES_MAX];

    plot_text_break(chart->arena, title, PLOT_TITLE_FONT, width, lines);
    plot_add_text(script, "title_1", lines[0]);
    plot_add_text(script, "title_2", lines[1]);
    plot_add_text(script, "subtitle",
                  plot_text_cut(chart->arena, print_subtitle(chart), PLOT_FONT, width));
    plot_add_text(script, "corner",
                  plot_text_cut_start(chart->arena, base_name(chart->result_file), PLOT_SMALL_FONT,
                                      width / 2));
    return PLOT_HEAD_ONE_LINE + (lines[1][0] != '\0' ? PLOT_TITLE_LINE : 0);
}

const char *
plot_cut_title(const PlotChart *chart, const char *title)
{
    return plot_text_cut(chart->arena, title, PLOT_TITLE_FONT, TITLE_NAME_WIDTH_MAX);
}

const char *
plot_short_title(const PlotChart *chart, size_t design)
{
    return plot_cut_title(chart, figure_title(&chart->scenario->designs[design]));
}

void
plot_add_designs(const PlotChart *chart, Text *script)
{
    size_t count = chart->scenario->design_count;
    const char **lines[PLOT_LINES_MAX], **colors = arena_alloc(chart->arena, count, sizeof(char *));
    double width = 0;

    for (size_t line = 0; line < PLOT_LINES_MAX; line++)
        lines[line] = arena_alloc(chart->arena, count, sizeof(char *));
    for (size_t i = 0; i < count; i++) {
        const char *broken[PLOT_LINES_MAX];

        plot_text_break(chart->arena, figure_title(&chart->scenario->designs[i]), PLOT_FONT,
                        NAME_WIDTH_MAX, broken);
        for (size_t line = 0; line < PLOT_LINES_MAX; line++) {
            lines[line][i] = broken[line];
            width = fmax(width, plot_text_width_px(broken[line], PLOT_FONT));
        }
        colors[i] = plot_color(i);
    }
    plot_add_number(script, "design_count", (double)count);
    plot_add_number(script, "names_px", width * NAME_RESERVE);
    plot_add_texts(script, "name_1", lines[0], count);
    plot_add_texts(script, "name_2", lines[1], count);
    plot_add_texts(script, "color", colors, count);
}

static bool
is_shown(const PlotChart *chart, const MetricId *metrics, size_t metric_count,
         const Reference *reference)
{
    bool known = false;

    for (size_t i = 0; i < metric_count; i++)
        known = known || metrics[i] == reference->metric;
    return known && reference->batch == 0 && strcmp(reference->phase, chart->spec->phase) == 0;
}

const char *
plot_published(const PlotChart *chart, const MetricId *metrics, size_t metric_count)
{
    const Scenario *scenario = chart->scenario;
    Text sources = {0};
    const char *text = "";

    for (size_t i = 0; i < scenario->reference_count; i++) {
        const Reference *reference = &scenario->references[i];

        if (is_shown(chart, metrics, metric_count, reference))
            figure_add_source(&sources, reference->source);
    }
    if (sources.length > 0)
        text = plot_text_cut(chart->arena, arena_printf(chart->arena, "book (%s)", sources.data),
                             PLOT_FONT, PUBLISHED_WIDTH_MAX);
    text_release(&sources);
    return text;
}
