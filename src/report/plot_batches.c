#include "report/plot_axis.h"
#include "report/plot_parts.h"
#include "report/plot_text.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

enum { PLOT_HEIGHT = 300, LABEL_HEIGHT = 18, LABEL_WIDTH_MAX = 230, NOTED_VALUES_MAX = 3 };

/* The chart's lines: value[design][batch], in the metric's unit. */
typedef struct Lines {
    MetricId metric;
    double **value;
    size_t design_count, batch_count;
    double largest; /* measured or published */
    size_t known;   /* designs that have a line */
} Lines;

static Figure
figure_at(const PlotChart *chart, const Lines *lines, size_t design, size_t batch)
{
    return (Figure){.design = chart->scenario->designs[design].name,
                    .phase = chart->spec->phase,
                    .metric = lines->metric,
                    .batch = batch + 1};
}

static void
read_line(const PlotChart *chart, Lines *lines, size_t design)
{
    bool known = false;

    lines->value[design] = arena_alloc(chart->arena, lines->batch_count, sizeof(double));
    for (size_t batch = 0; batch < lines->batch_count; batch++) {
        Figure figure = figure_at(chart, lines, design, batch);
        const Reference *reference = figure_find_reference(chart->scenario, &figure);
        double value = figure_measure(chart->result, &figure).value;

        lines->value[design][batch] = value;
        lines->largest = fmax(lines->largest, value);
        if (reference != NULL)
            lines->largest = fmax(lines->largest, reference->value);
        known = known || !isnan(value);
    }
    if (known)
        lines->known++;
}

static Lines
lines_new(const PlotChart *chart)
{
    const Phase *phase = scenario_find_phase(chart->scenario, chart->spec->phase);
    Lines lines = {
        .metric = chart->spec->metrics[0],
        .design_count = chart->scenario->design_count,
        .batch_count = phase->batch_count,
    };

    lines.value = arena_alloc(chart->arena, lines.design_count, sizeof(*lines.value));
    for (size_t i = 0; i < lines.design_count; i++)
        read_line(chart, &lines, i);
    return lines;
}

/* First and last value, least and most of a line; value NAN when it has none. */
static TitleEntry
summarize(const PlotChart *chart, const Lines *lines, size_t design)
{
    TitleEntry entry = {.title = plot_short_title(chart, design),
                        .value = NAN,
                        .first = NAN,
                        .low = NAN,
                        .high = NAN};

    for (size_t batch = 0; batch < lines->batch_count; batch++) {
        double value = lines->value[design][batch];

        if (isnan(value))
            continue;
        if (isnan(entry.first))
            entry.first = value;
        entry.value = value;
        entry.low = fmin(entry.low, value); /* of NAN and a number, the number */
        entry.high = fmax(entry.high, value);
    }
    return entry;
}

static const char *
print_title(const PlotChart *chart, const Lines *lines)
{
    TitleEntries entries = {.items =
                                arena_alloc(chart->arena, lines->design_count, sizeof(TitleEntry))};

    for (size_t i = 0; i < lines->design_count; i++) {
        TitleEntry entry = summarize(chart, lines, i);

        if (!isnan(entry.value))
            entries.items[entries.count++] = entry;
    }
    return plot_title_batches(chart->arena, lines->metric, &entries);
}

static void
add_data(Text *script, const Lines *lines, double scale)
{
    text_add(script, "$lines << END_OF_LINES\n");
    for (size_t batch = 0; batch < lines->batch_count; batch++) {
        text_printf(script, "%zu", batch + 1);
        for (size_t i = 0; i < lines->design_count; i++) {
            double value = lines->value[i][batch] / scale;

            if (isnan(value))
                text_add(script, " NaN");
            else
                text_printf(script, " %.10g", value);
        }
        text_add(script, "\n");
    }
    text_add(script, "END_OF_LINES\n");
}

/* The published figures of single batches; one far outside when there is none, since a block of
 * data must not be empty. */
static void
add_published(const PlotChart *chart, Text *script, const Lines *lines, double scale)
{
    Text note = {0};
    size_t count = 0;
    const char *source = plot_published(chart, &lines->metric, 1, true);

    text_add(script, "$published << END_OF_PUBLISHED\n-1 -1\n");
    for (size_t i = 0; i < lines->design_count; i++) {
        for (size_t batch = 0; batch < lines->batch_count; batch++) {
            Figure figure = figure_at(chart, lines, i, batch);
            const Reference *reference = figure_find_reference(chart->scenario, &figure);
            char text[METRIC_TEXT_SIZE];

            if (reference == NULL)
                continue;
            text_printf(script, "%zu %.10g\n", batch + 1, reference->value / scale);
            figure_print_short(lines->metric, reference->value, text);
            text_printf(&note, "%s%s", count++ > 0 ? ", " : ": ", text);
        }
    }
    text_add(script, "END_OF_PUBLISHED\n");
    plot_add_text(script, "published_note",
                  arena_printf(chart->arena, "%s%s", source,
                               count <= NOTED_VALUES_MAX ? text_data(&note) : ""));
    text_release(&note);
}

/* A label at the end of a line. */
typedef struct EndLabel {
    size_t design;
    double at_px; /* its middle, over the axis */
} EndLabel;

static int
compare_labels(const void *left, const void *right)
{
    const EndLabel *a = left, *b = right;

    if (a->at_px != b->at_px)
        return a->at_px < b->at_px ? -1 : 1;
    return a->design > b->design ? -1 : 1;
}

/* Move labels apart so that none covers another: up first, then down from the top. */
static void
spread_labels(EndLabel *labels, size_t count, double top_px)
{
    qsort(labels, count, sizeof(*labels), compare_labels);
    for (size_t i = 1; i < count; i++)
        labels[i].at_px = fmax(labels[i].at_px, labels[i - 1].at_px + LABEL_HEIGHT);
    for (size_t i = count; i > 0; i--) {
        labels[i - 1].at_px = fmin(labels[i - 1].at_px, top_px);
        top_px = labels[i - 1].at_px - LABEL_HEIGHT;
    }
}

static const char *
print_label(const PlotChart *chart, const Lines *lines, size_t design, double value)
{
    char text[METRIC_TEXT_SIZE];
    const char *name = plot_text_cut(chart->arena, figure_title(&chart->scenario->designs[design]),
                                     PLOT_FONT, LABEL_WIDTH_MAX);

    metric_print(&METRICS[lines->metric], value, text);
    return arena_printf(chart->arena, "%s  %s", name, text);
}

/* Add a label and its place for each design that has a line; places are from the axis up. */
static void
add_labels(const PlotChart *chart, Text *script, const Lines *lines, const PlotAxis *axis,
           double height_px)
{
    size_t count = lines->design_count, known = 0;
    EndLabel *labels = arena_alloc(chart->arena, count, sizeof(*labels));
    double *places = arena_alloc(chart->arena, count, sizeof(double));
    double *ends = arena_alloc(chart->arena, count, sizeof(double)), width = 0;
    const char **texts = arena_alloc(chart->arena, count, sizeof(char *));

    for (size_t i = 0; i < count; i++) {
        ends[i] = summarize(chart, lines, i).value / axis->scale;
        texts[i] = print_label(chart, lines, i, ends[i] * axis->scale);
        places[i] = NAN;
        width = fmax(width, plot_text_width_px(texts[i], PLOT_FONT));
        if (!isnan(ends[i]))
            labels[known++] = (EndLabel){i, height_px * ends[i] / axis->max};
    }
    spread_labels(labels, known, height_px);
    for (size_t i = 0; i < known; i++)
        places[labels[i].design] = labels[i].at_px;
    plot_add_texts(script, "label_text", texts, count);
    plot_add_numbers(script, "label_px", places, count);
    plot_add_numbers(script, "line_end", ends, count);
    plot_add_number(script, "labels_px", width);
}

static void
add_axes(const PlotChart *chart, Text *script, const Lines *lines, const PlotAxis *axis)
{
    const Phase *phase = scenario_find_phase(chart->scenario, chart->spec->phase);
    PlotAxis batches = plot_axis_whole((double)lines->batch_count);
    uint64_t batch_rows = phase->rows / phase->batch_count;
    char rows[METRIC_TEXT_SIZE];
    Text tics = {0};

    metric_print(&METRICS[METRIC_ROWS], (double)batch_rows, rows);
    plot_add_text(script, "batch_axis", arena_printf(chart->arena, "batch, each of %s rows", rows));
    plot_add_text(script, "axis",
                  arena_printf(chart->arena, "%s a batch%s%s", METRICS[lines->metric].title,
                               axis->unit[0] != '\0' ? ", " : "", axis->unit));
    plot_axis_add_tics(&tics, axis);
    plot_add_text(script, "tics", tics.data);
    plot_add_number(script, "tics_px",
                    plot_text_width_px("0", PLOT_FONT) * (3 + log10(axis->max + 1) * 4 / 3));
    text_release(&tics);
    plot_axis_add_tics(&tics, &batches);
    plot_add_text(script, "batch_tics", tics.data);
    text_release(&tics);
    plot_add_number(script, "max", axis->max);
    plot_add_number(script, "batch_count", (double)lines->batch_count);
}

bool
plot_add_batches(const PlotChart *chart, Text *script)
{
    Lines lines = lines_new(chart);
    PlotAxis axis = plot_axis_new(lines.metric, lines.largest);
    double height = fmax(PLOT_HEIGHT, LABEL_HEIGHT * (double)lines.known), head;

    if (lines.known == 0)
        return false;
    head = plot_add_head(chart, script, print_title(chart, &lines)) + LABEL_HEIGHT;
    plot_add_designs(chart, script);
    add_data(script, &lines, axis.scale);
    add_published(chart, script, &lines, axis.scale);
    add_labels(chart, script, &lines, &axis, height);
    add_axes(chart, script, &lines, &axis);
    plot_add_number(script, "W", PLOT_WIDTH);
    plot_add_number(script, "head_px", head);
    plot_add_number(script, "foot_px", PLOT_FOOT);
    plot_add_number(script, "H", head + PLOT_FOOT + height);
    return true;
}
