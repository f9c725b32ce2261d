#include "report/plot_lines.h"

#include "report/plot_text.h"

#include <math.h>
#include <stdlib.h>

enum {
    PLOT_HEIGHT = 300,
    LABEL_HEIGHT = 18,
    LABEL_WIDTH_MAX = 270,
    NOTED_VALUES_MAX = 3,
    PUBLISHED_WIDTH_MAX = 330,
    BAR_TEXT_OVER = 4, /* so many pixels may a bar's figure be wider than the bar */
};

static const double BARS_SHARE = 0.84;    /* of the room of a place */
static const double BARS_HEADROOM = 1.06; /* for the figure over the largest */

PlotLines
plot_lines_new(const PlotChart *chart, MetricId metric, size_t line_count, size_t place_count)
{
    PlotLines lines = {.metric = metric,
                       .items = arena_alloc(chart->arena, line_count, sizeof(PlotLine)),
                       .count = line_count,
                       .x = arena_alloc(chart->arena, place_count, sizeof(double)),
                       .gap = arena_alloc(chart->arena, place_count, sizeof(bool)),
                       .place_count = place_count,
                       .marks = true};

    for (size_t place = 0; place < place_count; place++)
        lines.x[place] = 1 + (double)place;
    for (size_t i = 0; i < line_count; i++) {
        PlotLine *line = &lines.items[i];

        *line = (PlotLine){.dash = 1};
        line->value = arena_alloc(chart->arena, place_count, sizeof(double));
        line->published = arena_alloc(chart->arena, place_count, sizeof(double));
        for (size_t place = 0; place < place_count; place++)
            line->value[place] = line->published[place] = NAN;
    }
    return lines;
}

void
plot_lines_publish(PlotLines *lines, size_t line, size_t place, const Reference *reference)
{
    if (reference == NULL)
        return;
    lines->items[line].published[place] = reference->value;
    figure_add_source(&lines->sources, reference->source);
}

TitleEntry
plot_lines_summarize(const PlotLines *lines, size_t line)
{
    TitleEntry entry = {
        .title = lines->items[line].title, .value = NAN, .first = NAN, .low = NAN, .high = NAN};

    for (size_t place = 0; place < lines->place_count; place++) {
        double value = lines->items[line].value[place];

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

size_t
plot_lines_known(const PlotLines *lines)
{
    size_t known = 0;

    for (size_t i = 0; i < lines->count; i++)
        known += isnan(plot_lines_summarize(lines, i).value) ? 0 : 1;
    return known;
}

PlotAxis
plot_lines_axis(const PlotLines *lines)
{
    double largest = 0;

    for (size_t i = 0; i < lines->count; i++)
        for (size_t place = 0; place < lines->place_count; place++)
            largest =
                fmax(largest, fmax(lines->items[i].value[place], lines->items[i].published[place]));
    return plot_axis_new(lines->over != NULL ? METRIC_FPI_COUNT : lines->metric,
                         lines->bars ? BARS_HEADROOM * largest : largest);
}

/* Design and variant: the one differs at the start, the other at the end. */
static const char *
name_of(const PlotChart *chart, const PlotLines *lines, size_t line)
{
    return plot_text_cut_middle(chart->arena, lines->items[line].title, PLOT_FONT, LABEL_WIDTH_MAX);
}

static const char *
print_label(const PlotChart *chart, const PlotLines *lines, size_t line, double value)
{
    const char *name = name_of(chart, lines, line);
    char text[METRIC_TEXT_SIZE];

    if (lines->over != NULL)
        figure_print_ratio(value, text);
    else
        metric_print(&METRICS[lines->metric], value, text);
    return arena_printf(chart->arena, "%s  %s", name, text);
}

/* A line's label has its last value; that of bars has none, each bar has its own. */
static const char *
label_of(const PlotChart *chart, const PlotLines *lines, size_t line)
{
    if (lines->bars)
        return name_of(chart, lines, line);
    return print_label(chart, lines, line, plot_lines_summarize(lines, line).value);
}

static double
labels_width_px(const PlotChart *chart, const PlotLines *lines)
{
    double width = 0;

    for (size_t i = 0; i < lines->count; i++)
        width = fmax(width, plot_text_width_px(label_of(chart, lines, i), PLOT_FONT));
    return width;
}

static double
tics_width_px(const PlotAxis *axis)
{
    return plot_text_width_px("0", PLOT_FONT) * (3 + log10(axis->max + 1) * 4 / 3);
}

double
plot_lines_width_px(const PlotChart *chart, const PlotLines *lines)
{
    PlotAxis axis = plot_lines_axis(lines);

    return (PLOT_WIDTH - 2 * PLOT_EDGE - 22 - tics_width_px(&axis) -
            labels_width_px(chart, lines)) /
           (lines->bars ? 1 : 1.04); /* 2% are free at both sides of lines */
}

static void
add_data(Text *script, const PlotLines *lines, double scale)
{
    text_add(script, "$lines << END_OF_LINES\n");
    for (size_t place = 0; place < lines->place_count; place++) {
        text_printf(script, "%s%.10g", lines->gap[place] ? "\n" : "", lines->x[place]);
        for (size_t i = 0; i < lines->count; i++) {
            double value = lines->items[i].value[place] / scale;

            if (isnan(value))
                text_add(script, " NaN");
            else
                text_printf(script, " %.10g", value);
        }
        text_add(script, "\n");
    }
    text_add(script, "END_OF_LINES\n");
}

/* "275.2", "36,441", "3.8x": the axis has the unit. */
static void
print_bar(const PlotLines *lines, double value, const PlotAxis *axis, char *text)
{
    double scaled = value / axis->scale;

    if (lines->over != NULL)
        figure_print_ratio(value, text);
    else if (axis->unit[0] == '\0')
        metric_print(&METRICS[lines->metric], value, text);
    else
        snprintf(text, METRIC_TEXT_SIZE, "%.*f", scaled < 10 ? 2 : 1, scaled);
}

/* Where a figure stands: at its place, or in the middle of its bar. */
static double
figure_x(const PlotLines *lines, size_t line, size_t place)
{
    double width = BARS_SHARE / (double)lines->count;

    if (!lines->bars)
        return lines->x[place];
    return lines->x[place] + width * ((double)line + 0.5) - BARS_SHARE / 2;
}

/* A bar a line: line, middle, value and its text, which is left out where bars are too narrow. */
static void
add_bars(const PlotChart *chart, Text *script, const PlotLines *lines, const PlotAxis *axis)
{
    double width = BARS_SHARE / (double)lines->count;
    double bar_px = plot_lines_width_px(chart, lines) / (double)lines->place_count * width;

    text_add(script, "$bars << END_OF_BARS\n0 -1 NaN \"\"\n");
    for (size_t i = 0; lines->bars && i < lines->count; i++)
        for (size_t place = 0; place < lines->place_count; place++) {
            double value = lines->items[i].value[place];
            char text[METRIC_TEXT_SIZE];

            if (isnan(value))
                continue;
            print_bar(lines, value, axis, text);
            text_printf(script, "%zu %.10g %.10g \"%s\"\n", i + 1, figure_x(lines, i, place),
                        value / axis->scale,
                        plot_text_width_px(text, PLOT_SMALL_FONT) <= bar_px + BAR_TEXT_OVER ? text
                                                                                            : "");
        }
    text_add(script, "END_OF_BARS\n");
    plot_add_number(script, "bars", lines->bars);
    plot_add_number(script, "bar_width", width);
}

/* The published figures; one far outside when there is none, since a block of data must not be
 * empty. */
static void
add_published(const PlotChart *chart, Text *script, const PlotLines *lines, double scale)
{
    Text note = {0};
    size_t count = 0;
    const char *source = "";

    text_add(script, "$published << END_OF_PUBLISHED\n-1 -1\n");
    for (size_t i = 0; i < lines->count; i++) {
        for (size_t place = 0; place < lines->place_count; place++) {
            double value = lines->items[i].published[place];
            char text[METRIC_TEXT_SIZE];

            if (isnan(value))
                continue;
            text_printf(script, "%.10g %.10g\n", figure_x(lines, i, place), value / scale);
            figure_print_short(lines->metric, value, text);
            text_printf(&note, "%s%s", count++ > 0 ? ", " : ": ", text);
        }
    }
    text_add(script, "END_OF_PUBLISHED\n");
    if (count > 0)
        source = plot_text_cut(chart->arena,
                               arena_printf(chart->arena, "book (%s)", lines->sources.data),
                               PLOT_FONT, PUBLISHED_WIDTH_MAX);
    plot_add_text(script, "published_note",
                  arena_printf(chart->arena, "%s%s", source,
                               count <= NOTED_VALUES_MAX ? text_data(&note) : ""));
    text_release(&note);
}

/* A label at the end of a line. */
typedef struct EndLabel {
    size_t line;
    double at_px; /* its middle, over the axis */
} EndLabel;

static int
compare_labels(const void *left, const void *right)
{
    const EndLabel *a = left, *b = right;

    if (a->at_px != b->at_px)
        return a->at_px < b->at_px ? -1 : 1;
    return a->line > b->line ? -1 : 1;
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

/* Where the last value of a line is. */
static double
end_x(const PlotLines *lines, size_t line)
{
    size_t place = lines->place_count;

    while (place > 0 && isnan(lines->items[line].value[place - 1]))
        place--;
    return place > 0 ? lines->x[place - 1] : NAN;
}

/* Add a label and its place for each line that has a value; places are from the axis up. */
static void
add_labels(const PlotChart *chart, Text *script, const PlotLines *lines, const PlotAxis *axis,
           double height_px)
{
    size_t count = lines->count, known = 0;
    EndLabel *labels = arena_alloc(chart->arena, count, sizeof(*labels));
    double *places = arena_alloc(chart->arena, count, sizeof(double));
    double *ends = arena_alloc(chart->arena, count, sizeof(double));
    double *ends_x = arena_alloc(chart->arena, count, sizeof(double));
    const char **texts = arena_alloc(chart->arena, count, sizeof(char *));

    for (size_t i = 0; i < count; i++) {
        ends[i] = plot_lines_summarize(lines, i).value / axis->scale;
        ends_x[i] = end_x(lines, i);
        texts[i] = label_of(chart, lines, i);
        places[i] = NAN;
        if (!isnan(ends[i]))
            labels[known++] = (EndLabel){i, height_px * ends[i] / axis->max};
    }
    if (lines->bars)
        for (size_t i = 0; i < known; i++)
            labels[i].at_px = height_px - LABEL_HEIGHT * (double)(i + 1);
    else
        spread_labels(labels, known, height_px);
    for (size_t i = 0; i < known; i++)
        places[labels[i].line] = labels[i].at_px;
    plot_add_texts(script, "label_text", texts, count);
    plot_add_numbers(script, "label_px", places, count);
    plot_add_numbers(script, "end_value", ends, count);
    plot_add_numbers(script, "end_x", ends_x, count);
    plot_add_number(script, "labels_px", labels_width_px(chart, lines));
}

static void
add_styles(const PlotChart *chart, Text *script, const PlotLines *lines)
{
    const char **colors = arena_alloc(chart->arena, lines->count, sizeof(char *));
    double *dashes = arena_alloc(chart->arena, lines->count, sizeof(double));

    for (size_t i = 0; i < lines->count; i++) {
        colors[i] = lines->items[i].color;
        dashes[i] = (double)lines->items[i].dash;
    }
    plot_add_number(script, "line_count", (double)lines->count);
    plot_add_texts(script, "line_color", colors, lines->count);
    plot_add_numbers(script, "line_dash", dashes, lines->count);
}

static void
add_axes(Text *script, const PlotLines *lines, const PlotAxis *axis)
{
    Text tics = {0};
    double first = lines->x[0], last = lines->x[lines->place_count - 1];

    plot_axis_add_tics(&tics, axis);
    plot_add_text(script, "axis", lines->axis_title);
    plot_add_text(script, "tics", tics.data);
    plot_add_number(script, "tics_px", tics_width_px(axis));
    plot_add_number(script, "max", axis->max);
    text_release(&tics);
    plot_add_text(script, "x_axis", lines->x_title);
    plot_add_text(script, "x_tics", lines->x_tics);
    plot_add_number(script, "x_from", first);
    plot_add_number(script, "x_to", last > first || lines->bars ? last : first + 1);
    plot_add_number(script, "marks", lines->marks);
    plot_add_number(script, "one", lines->over != NULL ? 1 : NAN);
}

void
plot_lines_add(const PlotChart *chart, Text *script, const char *title, PlotLines *lines)
{
    PlotAxis axis = plot_lines_axis(lines);
    double height = fmax(PLOT_HEIGHT, LABEL_HEIGHT * (double)plot_lines_known(lines));
    double head = plot_add_head(chart, script, title) + LABEL_HEIGHT;

    add_styles(chart, script, lines);
    add_data(script, lines, axis.scale);
    add_bars(chart, script, lines, &axis);
    add_published(chart, script, lines, axis.scale);
    add_labels(chart, script, lines, &axis, height);
    add_axes(script, lines, &axis);
    plot_add_number(script, "W", PLOT_WIDTH);
    plot_add_number(script, "head_px", head);
    plot_add_number(script, "foot_px", PLOT_FOOT);
    plot_add_number(script, "H", head + PLOT_FOOT + height);
    text_release(&lines->sources);
}
