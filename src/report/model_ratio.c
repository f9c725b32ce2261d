#include "report/model_parts.h"

#include "base/units.h"
#include "report/axis.h"
#include "report/layout.h"

#include <math.h>
#include <string.h>

enum { ALL_PAIRS_MAX = 3 }; /* designs; more are compared with the first one only */

/* One column: the figures of `over` are the divisor. */
typedef struct Pair {
    const Design *design, *over;
} Pair;

typedef struct Pairs {
    Pair *items;
    size_t count;
} Pairs;

/* Times need repeats, one after the other; percentages say more as they are. */
static bool
has_ratio(const ReportBuilder *builder, MetricId metric)
{
    MetricUnit unit = METRICS[metric].unit;

    if (METRICS[metric].flags & METRIC_TIMING)
        return builder->repeat_count >= STATS_REPEATS_MIN && builder->result->jobs <= 1;
    return metric != METRIC_TREE_LEVEL &&
           (unit == METRIC_UNIT_BYTES || unit == METRIC_UNIT_PAGES || unit == METRIC_UNIT_COUNT);
}

static double
read_figure(const ReportBuilder *builder, const Design *design, const char *phase, MetricId metric)
{
    Figure figure = {.design = design->name, .phase = phase, .metric = metric};

    return figure_measure(builder->result, &figure).value;
}

/* At any point of the result; NAN when it is nowhere. */
static double
read_largest(const ReportBuilder *builder, const Design *design, const char *phase, MetricId metric)
{
    double largest = NAN;

    for (size_t i = 0; i < builder->points->count; i++) {
        ReportBuilder at = report_at(builder, i);

        largest = fmax(largest, read_figure(&at, design, phase, metric));
    }
    return largest;
}

/* Few designs, the largest figure first. */
static void
sort_designs(const ReportBuilder *builder, const char *phase, MetricId metric, const Design **order)
{
    for (size_t i = 0; i < builder->scenario->design_count; i++) {
        const Design *design = &builder->scenario->designs[i];
        double value = read_largest(builder, design, phase, metric);
        size_t at = i;

        for (; at > 0 && read_largest(builder, order[at - 1], phase, metric) < value; at--)
            order[at] = order[at - 1];
        order[at] = design;
    }
}

/* All pairs of few designs, largest first and the larger one divided by the smaller; else every
 * design over the first one. */
static Pairs
choose_pairs(const ReportBuilder *builder, const TableSpec *spec, MetricId metric)
{
    size_t count = builder->scenario->design_count;
    const Design **order = arena_alloc(builder->arena, count, sizeof(Design *));
    Pairs pairs = {.items = arena_alloc(builder->arena, count + ALL_PAIRS_MAX, sizeof(Pair))};

    if (count > ALL_PAIRS_MAX) {
        for (size_t i = 1; i < count; i++)
            pairs.items[pairs.count++] =
                (Pair){&builder->scenario->designs[i], &builder->scenario->designs[0]};
        return pairs;
    }
    sort_designs(builder, spec->phase, metric, order);
    for (size_t i = 0; i < count; i++)
        for (size_t over = i + 1; over < count; over++)
            pairs.items[pairs.count++] = (Pair){order[i], order[over]};
    return pairs;
}

static bool
is_tainted(const ReportBuilder *builder, const Pair *pair, const char *phase)
{
    return figure_is_tainted(builder->result, pair->design->name, phase) ||
           figure_is_tainted(builder->result, pair->over->name, phase);
}

/* A ratio whose interval holds 1 is none: the cell keeps the interval alone. */
static void
judge_time(const ReportBuilder *builder, const Pair *pair, const char *phase, MetricId metric,
           ReportCell *cell)
{
    Figure figure = {.design = pair->design->name, .phase = phase, .metric = metric};
    Figure over = {.design = pair->over->name, .phase = phase, .metric = metric};
    Interval interval = figure_ratio_interval(builder->result, &figure, builder->result, &over);

    if (isnan(interval.low) || (interval.low <= 1 && interval.high >= 1))
        cell->value = NAN;
    if (!isnan(interval.low))
        cell->below = report_text(builder, "%.2f..%.2f", interval.low, interval.high);
}

static ReportCell
build_ratio(const ReportBuilder *builder, const Pair *pair, const char *phase, MetricId metric)
{
    double value = read_figure(builder, pair->design, phase, metric);
    double over = read_figure(builder, pair->over, phase, metric);
    ReportCell cell = {.value = NAN, .reference = NAN};
    char text[METRIC_TEXT_SIZE];

    if (over != 0 && !is_tainted(builder, pair, phase))
        cell.value = value / over;
    if ((METRICS[metric].flags & METRIC_TIMING) && !isnan(cell.value))
        judge_time(builder, pair, phase, metric, &cell);
    figure_print_ratio(cell.value, text);
    cell.part[0] = report_text(builder, "%s", text);
    return cell;
}

static const char *
print_rows_per_checkpoint(const ReportBuilder *builder, const char *name)
{
    const Phase *phase = scenario_find_phase(builder->scenario, name);
    uint64_t rows = phase != NULL ? phase_rows_per_checkpoint(phase) : 0;
    char text[UNITS_TEXT_SIZE];

    if (phase != NULL && phase->rows == 0)
        return "-"; /* of a command */
    units_print_count((double)rows, text, sizeof(text));
    return rows > 0 ? report_text(builder, "%s", text) : "no checkpoint";
}

/* Whether a metric can be divided, and was measured. */
static bool
can_divide(const ReportBuilder *builder, const char *phase, MetricId metric)
{
    bool known = false;

    for (size_t i = 0; i < builder->scenario->design_count; i++)
        known =
            known || !isnan(read_largest(builder, &builder->scenario->designs[i], phase, metric));
    return known && has_ratio(builder, metric);
}

static size_t
choose_metrics(const ReportBuilder *builder, const TableSpec *spec, MetricId *metrics)
{
    size_t count = 0;

    for (size_t i = 0; i < spec->metric_count; i++)
        if (can_divide(builder, spec->phase, spec->metrics[i]))
            metrics[count++] = spec->metrics[i];
    return count;
}

/* "UUIDv4 / UUIDv7", or the design alone where all are divided by the same. */
static const char *
print_pair(const ReportBuilder *builder, const Pair *pair)
{
    if (builder->scenario->design_count > ALL_PAIRS_MAX)
        return report_text(builder, "%s", figure_title(pair->design));
    return report_text(builder, "%s / %s", figure_title(pair->design), figure_title(pair->over));
}

static void
fill_row(const ReportBuilder *builder, const TableSpec *spec, const Pair *pair,
         const MetricId *metrics, ReportRow *row, size_t metric_count)
{
    row->title = print_pair(builder, pair);
    for (size_t i = 0; i < metric_count; i++)
        row->cells[i] = build_ratio(builder, pair, spec->phase, metrics[i]);
    row->cells[metric_count].part[0] = print_rows_per_checkpoint(builder, spec->phase);
}

static void
note_tainted(const ReportBuilder *builder, ReportSection *section, const char *phase,
             const Pairs *pairs)
{
    bool tainted = false;

    for (size_t i = 0; i < pairs->count; i++)
        tainted = tainted || is_tainted(builder, &pairs->items[i], phase);
    if (tainted)
        report_add_note(builder, section, REPORT_WARNING,
                        "no ratio of a contaminated measurement: see the findings");
}

static void
note_times(const ReportBuilder *builder, ReportSection *section, const MetricId *metrics,
           size_t metric_count)
{
    for (size_t i = 0; i < metric_count; i++)
        if (METRICS[metrics[i]].flags & METRIC_TIMING)
            report_add_note(builder, section, REPORT_PLAIN,
                            "time: of the medians of all repeats, and its 95% interval; where that "
                            "holds 1, there is no evidence of a difference, and no ratio");
}

static void
build_section(ReportBuilder *builder, const TableSpec *spec, const Pairs *pairs,
              const MetricId *metrics, size_t metric_count)
{
    ReportSection *section = report_add_section(builder, metric_count + 1, pairs->count);

    section->head = builder->scenario->design_count <= ALL_PAIRS_MAX
                        ? "ratio"
                        : report_text(builder, "ratio to %s", figure_title(pairs->items[0].over));
    for (size_t i = 0; i < metric_count; i++)
        section->columns[i].title = figure_metric_title(builder->scenario, metrics[i]);
    section->columns[metric_count].title = "rows between checkpoints";
    for (size_t i = 0; i < pairs->count; i++)
        fill_row(builder, spec, &pairs->items[i], metrics, &section->rows[i], metric_count);
    if (layout_section_width(section, LAYOUT_PART_GAP_SMALL) >
        REPORT_WIDTH) /* the last column stands apart */
        section->about = report_text(builder, "at %s rows between checkpoints",
                                     print_rows_per_checkpoint(builder, spec->phase));
    note_times(builder, section, metrics, metric_count);
    note_tainted(builder, section, spec->phase, pairs);
}

void
report_build_ratios(ReportBuilder *builder, const TableSpec *spec)
{
    MetricId metrics[METRIC_COUNT];
    size_t metric_count;
    Pairs pairs;

    if (builder->result->status != RESULT_COMPLETE || builder->scenario->design_count < 2)
        return;
    metric_count = choose_metrics(builder, spec, metrics);
    if (metric_count == 0)
        return;
    pairs = choose_pairs(builder, spec, metrics[0]);
    build_section(builder, spec, &pairs, metrics, metric_count);
}

/* ---- Sweeps ---- */

static uint64_t
rows_per_checkpoint_at(const ReportBuilder *builder, size_t point, const char *phase)
{
    const Scenario *scenario = point_scenario(&builder->points->points[point]);

    return phase_rows_per_checkpoint(scenario_find_phase(scenario, phase));
}

static bool
cadence_varies(const ReportBuilder *builder, const char *phase)
{
    for (size_t i = 1; i < builder->points->count; i++)
        if (rows_per_checkpoint_at(builder, i, phase) != rows_per_checkpoint_at(builder, 0, phase))
            return true;
    return false;
}

/* Whether the points' names say the rows between checkpoints already. */
static bool
cadence_is_named(const ReportBuilder *builder)
{
    const SweepAxis *axis = sweep_find_axis(builder->points->sweep, "checkpoint");
    double rows;

    for (size_t i = 0; axis != NULL && i < axis->value_count; i++)
        if (!axis_read_number(axis->values[i], &rows) && strcmp(axis->values[i], "none") != 0)
            return false;
    return axis != NULL;
}

/* The pairs of one point, and the cadence where it is not the same at all. */
static void
fill_point(const ReportBuilder *builder, const TableSpec *spec, MetricId metric, const Pairs *pairs,
           ReportCell *cells, size_t cell_count)
{
    for (size_t i = 0; i < pairs->count; i++)
        cells[i] = build_ratio(builder, &pairs->items[i], spec->phase, metric);
    if (cell_count > pairs->count)
        cells[pairs->count].part[0] = print_rows_per_checkpoint(builder, spec->phase);
}

/* What all ratios of a section have in common; NULL: nothing. */
static const char *
describe_ratios(const ReportBuilder *builder, const char *phase, const Pairs *pairs, bool varies)
{
    const char *over = "", *cadence = "";

    if (builder->scenario->design_count > ALL_PAIRS_MAX)
        over = report_text(builder, "ratio to %s", figure_title(pairs->items[0].over));
    if (!varies)
        cadence = report_text(
            builder, "%s%s", rows_per_checkpoint_at(builder, 0, phase) > 0 ? "at " : "",
            report_describe_cadence(builder, scenario_find_phase(builder->scenario, phase)));
    if (over[0] == '\0' && cadence[0] == '\0')
        return NULL;
    return report_text(builder, "%s%s%s", over, over[0] != '\0' && cadence[0] != '\0' ? "; " : "",
                       cadence);
}

static void
note_tainted_points(const ReportBuilder *builder, ReportSection *section, const char *phase,
                    const Pairs *pairs)
{
    size_t before = section->note_count;

    for (size_t i = 0; section->note_count == before && i < builder->points->count; i++) {
        ReportBuilder at = report_at(builder, i);

        note_tainted(&at, section, phase, pairs);
    }
}

static void
fill_grid(const ReportBuilder *builder, const TableSpec *spec, MetricId metric, const Pairs *pairs,
          ReportGrid *grid)
{
    grid->head[1] = "ratio";
    for (size_t i = 0; i < pairs->count; i++)
        grid->columns[i] = print_pair(builder, &pairs->items[i]);
    if (grid->column_count > pairs->count)
        grid->columns[pairs->count] = "rows between checkpoints";
    for (size_t row = 0; row < grid->row_count; row++) {
        ReportBuilder at = report_at(builder, row);

        fill_point(&at, spec, metric, pairs, grid->cells[row], grid->column_count);
    }
}

void
report_build_sweep_ratios(ReportBuilder *builder, const TableSpec *spec, MetricId metric)
{
    bool varies = cadence_varies(builder, spec->phase);
    ReportSection *section;
    ReportGrid grid;
    Pairs pairs;

    if (builder->scenario->design_count < 2 || !can_divide(builder, spec->phase, metric))
        return;
    pairs = choose_pairs(builder, spec, metric);
    report_points_grid(builder, &grid, pairs.count + (varies && !cadence_is_named(builder)));
    fill_grid(builder, spec, metric, &pairs, &grid);
    section = report_add_grid(builder, &grid);
    section->about = describe_ratios(builder, spec->phase, &pairs, varies);
    note_times(builder, section, &metric, 1);
    note_tainted_points(builder, section, spec->phase, &pairs);
}
