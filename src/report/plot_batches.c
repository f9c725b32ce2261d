#include "report/plot_lines.h"

#include <inttypes.h>
#include <math.h>

enum { MARKED_MAX = 40 }; /* batches; more marks would run into each other */

static PlotLines
read_lines(const PlotChart *chart, const Phase *phase)
{
    const Scenario *scenario = chart->scenario;
    PlotLines lines = plot_lines_new(chart, chart->spec->metrics[0], scenario->design_count,
                                     (size_t)phase->batch_count);

    lines.marks = phase->batch_count <= MARKED_MAX;
    for (size_t i = 0; i < lines.count; i++) {
        lines.items[i].title = figure_title(&scenario->designs[i]);
        lines.items[i].color = plot_color(i);
        for (size_t batch = 0; batch < lines.place_count; batch++) {
            Figure figure = {.design = scenario->designs[i].name,
                             .phase = phase->name,
                             .metric = lines.metric,
                             .batch = batch + 1};

            lines.items[i].value[batch] = figure_measure(chart->result, &figure).value;
            plot_lines_publish(&lines, i, batch, figure_find_reference(scenario, &figure));
        }
    }
    return lines;
}

static const char *
print_title(const PlotChart *chart, const PlotLines *lines)
{
    TitleEntries entries = {.items = arena_alloc(chart->arena, lines->count, sizeof(TitleEntry))};

    for (size_t i = 0; i < lines->count; i++) {
        TitleEntry entry = plot_lines_summarize(lines, i);

        entry.title = plot_short_title(chart, i);
        if (!isnan(entry.value))
            entries.items[entries.count++] = entry;
    }
    return plot_title_course(chart->arena, lines->metric, " a batch", &entries);
}

static void
set_axes(const PlotChart *chart, const Phase *phase, PlotLines *lines)
{
    PlotAxis axis = plot_lines_axis(lines);
    PlotAxis batches = plot_axis_whole((double)lines->place_count);
    char rows[METRIC_TEXT_SIZE];
    Text tics = {0};

    metric_print(&METRICS[METRIC_ROWS], (double)phase_batch_rows(phase), rows);
    plot_axis_add_tics(&tics, &batches);
    lines->x_title = arena_printf(chart->arena, "batch, each of %s rows", rows);
    lines->x_tics = arena_text(chart->arena, tics.data);
    lines->axis_title = arena_printf(chart->arena, "%s a batch%s%s", METRICS[lines->metric].title,
                                     axis.unit[0] != '\0' ? ", " : "", axis.unit);
    text_release(&tics);
}

bool
plot_add_batches(const PlotChart *chart, Text *script)
{
    const Phase *phase = scenario_find_phase(chart->scenario, chart->spec->phase);
    PlotLines lines = read_lines(chart, phase);

    if (plot_lines_known(&lines) == 0) {
        text_release(&lines.sources);
        return false;
    }
    set_axes(chart, phase, &lines);
    plot_lines_add(chart, script, print_title(chart, &lines), &lines);
    return true;
}
