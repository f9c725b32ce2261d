#include "report/axis.h"
#include "report/plot_lines.h"
#include "report/plot_place.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Whose figures one line shows. */
typedef struct Series {
    size_t design;
    const char *phase;   /* its name; NULL: the phases are the x axis */
    const char *variant; /* "writers=8"; "" where the design has one line */
    size_t number;       /* 0.. of the design's lines */
} Series;

typedef struct SeriesList {
    Series *items;
    size_t count, design_count;
} SeriesList;

/* What stands along the x axis. */
typedef struct Along {
    PlotPlaces places;
    const char **names, **marks; /* of the places, for a sentence */
    const char *preposition, *what, *title;
    bool grows; /* rows in the table, more from place to place */
} Along;

/* ---- Which lines ---- */

static size_t
find_design(const PlotChart *chart, const char *name)
{
    size_t design = 0;

    while (strcmp(chart->scenario->designs[design].name, name) != 0)
        design++;
    return design;
}

static bool
varies(const PlotChart *chart, size_t axis)
{
    for (size_t i = 1; i < chart->point_count; i++)
        if (strcmp(chart->points[i].point->values[axis].value,
                   chart->points[0].point->values[axis].value) != 0)
            return true;
    return false;
}

/* Whether an axis tells lines of a design apart. */
static bool
splits(const PlotChart *chart, size_t axis, size_t design)
{
    const ChartSpec *spec = chart->spec;
    const SweepAxis *it = &chart->sweep->axes[axis];
    bool concerns = it->concerns[design];

    if (spec->over_design != NULL)
        concerns = concerns || it->concerns[find_design(chart, spec->over_design)];
    return concerns && varies(chart, axis) &&
           (spec->axis == NULL || strcmp(spec->axis, it->name) != 0);
}

/* The phases that have lines of their own: one, several along an axis, or none. */
static size_t
line_phase_count(const PlotChart *chart)
{
    return chart->spec->axis != NULL && chart->spec->phase == NULL ? chart->spec->phase_count : 1;
}

static const char *
line_phase(const PlotChart *chart, size_t number)
{
    if (chart->spec->axis == NULL)
        return NULL;
    return chart->spec->phase != NULL ? chart->spec->phase : chart->spec->phases[number];
}

static const char *
print_variant(const PlotChart *chart, size_t design, const char *phase, const ResultPoint *point)
{
    const char *text =
        line_phase_count(chart) > 1 ? scenario_find_phase(chart->scenario, phase)->title : "";

    for (size_t i = 0; i < chart->sweep->axis_count; i++)
        if (splits(chart, i, design))
            text = arena_printf(chart->arena, "%s%s%s=%s", text, text[0] != '\0' ? ", " : "",
                                point->point->values[i].name, point->point->values[i].value);
    return text;
}

/* Add the lines of a design, each once. */
static void
add_design(const PlotChart *chart, SeriesList *list, size_t design)
{
    size_t first = list->count, phases = line_phase_count(chart);

    for (size_t i = 0; i < phases * chart->point_count; i++) {
        const char *phase = line_phase(chart, i / chart->point_count);
        const char *variant =
            print_variant(chart, design, phase, &chart->points[i % chart->point_count]);
        size_t at = first;

        while (at < list->count && strcmp(list->items[at].variant, variant) != 0)
            at++;
        if (at == list->count)
            list->items[list->count++] = (Series){design, phase, variant, at - first};
    }
    list->design_count++;
}

static SeriesList
find_series(const PlotChart *chart)
{
    size_t designs = chart->scenario->design_count;
    const char *over = chart->spec->over_design;
    size_t most = designs * line_phase_count(chart) * chart->point_count;
    SeriesList list = {.items = arena_alloc(chart->arena, most, sizeof(Series))};

    for (size_t i = 0; i < designs; i++)
        if (over == NULL || strcmp(over, chart->scenario->designs[i].name) != 0)
            add_design(chart, &list, i);
    return list;
}

/* Designs have colours, their lines dashes; the lines of a single one have colours. */
static void
name_lines(const PlotChart *chart, const SeriesList *list, PlotLines *lines)
{
    for (size_t i = 0; i < list->count; i++) {
        const Series *series = &list->items[i];
        const char *title = figure_title(&chart->scenario->designs[series->design]);
        PlotLine *line = &lines->items[i];

        line->title = series->variant[0] != '\0'
                          ? arena_printf(chart->arena, "%s, %s", title, series->variant)
                          : title;
        line->color = plot_color(list->design_count > 1 ? series->design : i);
        line->dash = list->design_count > 1 ? series->number + 1 : 1;
    }
}

/* ---- Their values ---- */

/* A figure at a point, or its ratio to that of another design; NAN when there is none. */
static double
read_value(const PlotChart *chart, const ResultPoint *point, const Figure *figure)
{
    const char *over_design = chart->spec->over_design;
    double value = figure_measure(point->result, figure).value, over_value;
    Figure over = *figure;

    if (over_design == NULL)
        return value;
    over.design = over_design;
    over_value = figure_measure(point->result, &over).value;
    if (over_value == 0 || figure_is_tainted(point->result, figure->design, figure->phase) ||
        figure_is_tainted(point->result, over.design, figure->phase))
        return NAN;
    return value / over_value;
}

/* `phase` is that of the place, for lines that have none of their own. */
static void
read_place(const PlotChart *chart, PlotLines *lines, const SeriesList *list,
           const ResultPoint *point, const char *phase, size_t place)
{
    for (size_t i = 0; i < list->count; i++) {
        const Series *series = &list->items[i];
        Figure figure = {.design = chart->scenario->designs[series->design].name,
                         .phase = series->phase != NULL ? series->phase : phase,
                         .metric = lines->metric};

        if (strcmp(print_variant(chart, series->design, series->phase, point), series->variant) !=
            0)
            continue;
        lines->items[i].value[place] = read_value(chart, point, &figure);
        if (chart->spec->over_design == NULL)
            plot_lines_publish(lines, i, place,
                               figure_find_reference(point_scenario(point), &figure));
    }
}

/* Words beside numbers are not on their scale. */
static void
set_places(const PlotPlaces *places, PlotLines *lines)
{
    size_t numbers = 0;

    lines->bars = plot_places_are_words(places);
    for (size_t i = 0; i < places->count; i++)
        numbers += places->items[i].is_word ? 0 : 1;
    for (size_t i = 0; i < places->count; i++) {
        bool word = places->items[i].is_word || (i > 0 && places->items[i - 1].is_word);

        lines->x[i] = places->items[i].x;
        lines->gap[i] = i > 0 && word && numbers > 1;
    }
}

static PlotLines
new_lines(const PlotChart *chart, const SeriesList *list, const PlotPlaces *places)
{
    PlotLines lines = plot_lines_new(chart, chart->spec->metrics[0], list->count, places->count);

    if (chart->spec->over_design != NULL)
        lines.over = figure_find_title(chart->scenario, chart->spec->over_design);
    name_lines(chart, list, &lines);
    set_places(places, &lines);
    return lines;
}

/* ---- What is said ---- */

static void
set_axes(const PlotChart *chart, const Along *along, PlotLines *lines)
{
    const char *title = figure_metric_title(chart->scenario, lines->metric);
    PlotAxis axis = plot_lines_axis(lines);
    double width_px = plot_lines_width_px(chart, lines);

    if (lines->over != NULL)
        lines->axis_title = arena_printf(chart->arena, "%s, as a multiple of %s's", title,
                                         plot_cut_title(chart, lines->over));
    else
        lines->axis_title = arena_printf(chart->arena, "%s%s%s", title,
                                         axis.unit[0] != '\0' ? ", " : "", axis.unit);
    lines->x_title = arena_printf(chart->arena, "%s%s", along->title,
                                  along->places.logarithmic ? ", logarithmic" : "");
    lines->x_tics = lines->bars ? plot_places_columns(chart->arena, &along->places, width_px)
                                : plot_places_tics(chart->arena, &along->places, width_px);
}

static const char *
title_growth(const PlotChart *chart, const Along *along, const PlotLines *lines)
{
    TitleEntries entries = {.items = arena_alloc(chart->arena, lines->count, sizeof(TitleEntry))};

    for (size_t i = 0; i < lines->count; i++) {
        TitleEntry entry = plot_lines_summarize(lines, i);

        entry.title = plot_cut_title(chart, entry.title);
        if (!isnan(entry.value))
            entries.items[entries.count++] = entry;
    }
    return plot_title_course(chart->arena, lines->metric,
                             arena_printf(chart->arena, " as the table grows to %s",
                                          along->names[along->places.count - 1]),
                             &entries);
}

static const char *
print_title(const PlotChart *chart, const Along *along, const SeriesList *list,
            const PlotLines *lines)
{
    TitleLines title = {
        .titles = arena_alloc(chart->arena, lines->count, sizeof(char *)),
        .values = arena_alloc(chart->arena, lines->count, sizeof(double *)),
        .designs = arena_alloc(chart->arena, lines->count, sizeof(size_t)),
        .variants = arena_alloc(chart->arena, lines->count, sizeof(char *)),
        .count = lines->count,
        .place_count = lines->place_count,
        .places = along->names,
        .marks = along->marks,
        .preposition = along->preposition,
        .what = along->what,
        .over = lines->over != NULL ? plot_cut_title(chart, lines->over) : NULL,
        .no_ratio = plot_is_tainted(chart),
    };

    if (along->grows && lines->over == NULL)
        return title_growth(chart, along, lines);
    for (size_t i = 0; i < lines->count; i++) {
        const Series *series = &list->items[i];
        const char *name = plot_short_title(chart, series->design);

        title.titles[i] = series->variant[0] != '\0'
                              ? arena_printf(chart->arena, "%s (%s)", name, series->variant)
                              : name;
        title.values[i] = lines->items[i].value;
        title.designs[i] = series->design;
        title.variants[i] = series->variant;
    }
    return plot_title_lines(chart->arena, lines->metric, &title);
}

static bool
finish(const PlotChart *chart, Text *script, const Along *along, const SeriesList *list,
       PlotLines *lines)
{
    if (plot_lines_known(lines) == 0) {
        text_release(&lines->sources);
        return false;
    }
    set_axes(chart, along, lines);
    plot_lines_add(chart, script, print_title(chart, along, list, lines), lines);
    return true;
}

/* ---- Over the values of an axis ---- */

static Along
along_axis(const PlotChart *chart, const SweepAxis *axis)
{
    Along along = {
        .places = plot_places_new(chart->arena, axis->values, axis->value_count),
        .names = arena_alloc(chart->arena, axis->value_count, sizeof(char *)),
        .marks = arena_alloc(chart->arena, axis->value_count, sizeof(char *)),
        .preposition = "at",
        .what = axis->title,
        .title = axis->title,
    };

    for (size_t i = 0; i < along.places.count; i++) {
        const PlotPlace *place = &along.places.items[i];

        along.names[i] =
            axis_print_place(chart->arena, axis->name, axis->title, axis->values[place->value]);
        along.marks[i] = place->text;
    }
    return along;
}

/* The place of the value that an axis has at a point. */
static size_t
find_place(const PlotChart *chart, const Along *along, const SweepAxis *axis,
           const ResultPoint *point)
{
    size_t number = (size_t)(axis - chart->sweep->axes), place = 0;

    while (strcmp(axis->values[along->places.items[place].value],
                  point->point->values[number].value) != 0)
        place++;
    return place;
}

bool
plot_add_axis(const PlotChart *chart, Text *script)
{
    const SweepAxis *axis = sweep_find_axis(chart->sweep, chart->spec->axis);
    SeriesList list = find_series(chart);
    Along along = along_axis(chart, axis);
    PlotLines lines = new_lines(chart, &list, &along.places);

    for (size_t i = 0; i < chart->point_count; i++)
        read_place(chart, &lines, &list, &chart->points[i], NULL,
                   find_place(chart, &along, axis, &chart->points[i]));
    return finish(chart, script, &along, &list, &lines);
}

/* ---- Over phases ---- */

static bool
is_same_table(const Phase *a, const Phase *b)
{
    if (a->table == NULL || b->table == NULL)
        return a->table == b->table;
    return strcmp(a->table, b->table) == 0;
}

/* Rows in a phase's table after it. */
static uint64_t
rows_after(const Scenario *scenario, const char *name)
{
    const Phase *phase = scenario_find_phase(scenario, name);

    return phases_left_rows(scenario->phases, (size_t)(phase - scenario->phases) + 1, phase->table);
}

/* Whether all phases are of one table, whose rows are the same at all points, and more from phase
 * to phase. */
static bool
table_grows(const PlotChart *chart)
{
    const ChartSpec *spec = chart->spec;

    for (size_t i = 0; i < spec->phase_count; i++) {
        uint64_t rows = rows_after(chart->scenario, spec->phases[i]);

        if (!is_same_table(scenario_find_phase(chart->scenario, spec->phases[i]),
                           scenario_find_phase(chart->scenario, spec->phases[0])))
            return false;
        for (size_t point = 1; point < chart->point_count; point++)
            if (rows_after(point_scenario(&chart->points[point]), spec->phases[i]) != rows)
                return false;
        if (i > 0 && rows <= rows_after(chart->scenario, spec->phases[i - 1]))
            return false;
    }
    return true;
}

static Along
along_phases(const PlotChart *chart)
{
    const ChartSpec *spec = chart->spec;
    const char **values = arena_alloc(chart->arena, spec->phase_count, sizeof(char *));
    bool grows = table_grows(chart);
    Along along = {
        .names = arena_alloc(chart->arena, spec->phase_count, sizeof(char *)),
        .marks = arena_alloc(chart->arena, spec->phase_count, sizeof(char *)),
        .preposition = grows ? "at" : "in",
        .what = grows ? "rows in the table" : "phase",
        .title = grows ? "rows in the table after the phase" : "phase",
        .grows = grows,
    };

    for (size_t i = 0; i < spec->phase_count; i++)
        values[i] = grows ? arena_printf(chart->arena, "%" PRIu64,
                                         rows_after(chart->scenario, spec->phases[i]))
                          : scenario_find_phase(chart->scenario, spec->phases[i])->title;
    along.places = plot_places_new(chart->arena, values, spec->phase_count);
    for (size_t i = 0; i < spec->phase_count; i++) {
        along.marks[i] = along.places.items[i].text;
        along.names[i] =
            grows ? arena_printf(chart->arena, "%s rows", along.marks[i]) : along.marks[i];
    }
    return along;
}

bool
plot_add_phases(const PlotChart *chart, Text *script)
{
    SeriesList list = find_series(chart);
    Along along = along_phases(chart);
    PlotLines lines = new_lines(chart, &list, &along.places);

    for (size_t i = 0; i < chart->point_count; i++)
        for (size_t place = 0; place < along.places.count; place++)
            read_place(chart, &lines, &list, &chart->points[i],
                       chart->spec->phases[along.places.items[place].value], place);
    return finish(chart, script, &along, &list, &lines);
}
