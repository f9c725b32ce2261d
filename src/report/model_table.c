#include "report/model_parts.h"

#include "base/text.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { MEASURED, PUBLISHED, DEVIATION };

/* Deviations from here on that come from the published figure's rounding alone are marked. */
static const double ROUNDING_MARK_PCT = 1.0;

static const char *
print_deviation(const ReportBuilder *builder, double value, const Reference *reference,
                TableFacts *facts)
{
    double pct = deviation_pct(value, reference->value);
    bool rounded = fabs(pct) >= ROUNDING_MARK_PCT && reference_is_met(reference, value);

    if (isnan(pct))
        return "-";
    facts->rounded = facts->rounded || rounded;
    pct = round(pct * 10) / 10;
    return report_text(builder, "%s%s%.1f%%", rounded ? "*" : "", pct > 0 ? "+" : "", pct + 0.0);
}

const char *
report_print_spread(const ReportBuilder *builder, MetricId metric, const Measured *measured)
{
    char min[METRIC_TEXT_SIZE], max[METRIC_TEXT_SIZE], *unit;

    if (builder->repeat_count < 2 || measured->count == 0)
        return NULL;
    if (measured->min == measured->max)
        return report_text(builder, "identical in %zu of %" PRIu64, measured->count,
                           builder->repeat_count);
    metric_print(&METRICS[metric], measured->min, min);
    metric_print(&METRICS[metric], measured->max, max);
    if (strcmp(min, max) == 0)
        return report_text(builder, "%.2g%% apart", deviation_pct(measured->max, measured->min));
    unit = strchr(min, ' ');
    if (unit != NULL && strchr(max, ' ') != NULL && strcmp(unit, strchr(max, ' ')) == 0)
        *unit = '\0'; /* it stands behind the other */
    return report_text(builder, "%s..%s", min, max);
}

ReportCell
report_build_cell(const ReportBuilder *builder, const Figure *figure, TableFacts *facts)
{
    Measured measured = figure_measure(builder->result, figure);
    const Reference *reference = figure_find_reference(builder->scenario, figure);
    ReportCell cell = {.value = measured.value, .reference = NAN};
    char text[METRIC_TEXT_SIZE];

    metric_print(&METRICS[figure->metric], measured.value, text);
    cell.part[MEASURED] = report_text(builder, "%s", text);
    if (measured.count == 0 && figure_has_failed(builder->result, figure->design)) {
        cell.part[MEASURED] = "failed";
        cell.tone = REPORT_BAD;
    }
    cell.below = report_print_spread(builder, figure->metric, &measured);
    facts->timing = facts->timing || (METRICS[figure->metric].flags & METRIC_TIMING);
    if (reference == NULL)
        return cell;
    figure_print_short(figure->metric, reference->value, text);
    cell.reference = reference->value;
    cell.part[PUBLISHED] = report_text(builder, "%s", text);
    cell.part[DEVIATION] = print_deviation(builder, measured.value, reference, facts);
    figure_add_source(&facts->sources, reference->source);
    return cell;
}

void
report_set_headings(ReportGrid *grid)
{
    grid->part[MEASURED] = "measured";
    grid->part[PUBLISHED] = "book";
    grid->part[DEVIATION] = "off by";
}

static void
build_grid(const ReportBuilder *builder, const TableSpec *spec, ReportGrid *grid, TableFacts *facts)
{
    const Scenario *scenario = builder->scenario;

    report_grid_init(builder, grid, spec->metric_count, scenario->design_count);
    grid->head[0] = "figure";
    grid->head[1] = "design";
    report_set_headings(grid);
    for (size_t column = 0; column < scenario->design_count; column++)
        grid->columns[column] =
            report_text(builder, "%s", figure_title(&scenario->designs[column]));
    for (size_t row = 0; row < spec->metric_count; row++) {
        grid->rows[row] = figure_metric_title(scenario, spec->metrics[row]);
        for (size_t column = 0; column < scenario->design_count; column++) {
            Figure figure = {.design = scenario->designs[column].name,
                             .phase = spec->phase,
                             .metric = spec->metrics[row]};

            grid->cells[row][column] = report_build_cell(builder, &figure, facts);
        }
    }
}

/* "UUIDv4 at writers=8, repeat 2" */
static const char *
name_trial(const ReportBuilder *builder, const DesignResult *design)
{
    const char *repeat = "";

    if (builder->repeat_count > 1 && design->error != NULL)
        repeat = report_text(builder, ", repeat %" PRIu64, design->repeat);
    return report_text(builder, "%s%s%s%s", figure_find_title(builder->scenario, design->name),
                       design->sweep_count > 0 ? " at " : "",
                       design->sweep_count > 0 ? design->sweep_label : "", repeat);
}

/* "UUIDv4: 4 of 10 statements were measured", or why there are none. */
static void
note_hole(const ReportBuilder *builder, ReportSection *section, const DesignResult *design,
          const TableSpec *spec)
{
    const ResultPoint *point = points_find(builder->points, design);
    const Phase *planned =
        point != NULL ? scenario_find_phase(point_scenario(point), spec->phase) : NULL;
    const PhaseResult *phase = design_find_phase(design, spec->phase);

    if (design->error != NULL)
        report_add_note(
            builder, section, REPORT_BAD,
            report_text(builder, "%s failed: %s", name_trial(builder, design), design->error));
    else if (planned != NULL && phase != NULL && !phase->complete)
        report_add_note(
            builder, section, REPORT_WARNING,
            report_text(builder, "%s: %zu of %" PRIu64 " %s were measured",
                        name_trial(builder, design), phase->batch_count, planned->batch_count,
                        planned->load.method == LOAD_INSERT_SELECT ? "statements" : "batches"));
}

/* A metric that a complete run has for no design is one that the server does not give. */
static void
note_unknown(const ReportBuilder *builder, ReportSection *section, const TableSpec *spec)
{
    for (size_t i = 0; i < spec->metric_count; i++) {
        const Metric *metric = &METRICS[spec->metrics[i]];
        bool known =
            builder->result->status != RESULT_COMPLETE || !(metric->flags & METRIC_OPTIONAL);

        for (size_t k = 0; !known && k < builder->scenario->design_count; k++) {
            Figure figure = {.design = builder->scenario->designs[k].name,
                             .phase = spec->phase,
                             .metric = spec->metrics[i]};

            known = figure_measure(builder->result, &figure).count > 0;
        }
        if (!known)
            report_add_note(builder, section, REPORT_PLAIN,
                            report_text(builder, "%s: this server does not tell", metric->title));
    }
}

static void
note_timing(const ReportBuilder *builder, ReportSection *section)
{
    if (builder->result->jobs > 1)
        report_add_note(builder, section, REPORT_WARNING,
                        "times are not comparable: designs ran side by side");
    else
        report_add_note(builder, section, REPORT_PLAIN, "times hold only side by side in this run");
}

void
report_note_cells(const ReportBuilder *builder, ReportSection *section, const TableFacts *facts)
{
    if (facts->sources.length > 0)
        report_add_note(builder, section, REPORT_PLAIN,
                        report_text(builder, "book: %s", facts->sources.data));
    if (facts->rounded)
        report_add_note(builder, section, REPORT_PLAIN,
                        "* rounds to the book's figure: \"21 MB\" stands for 20.5 to 21.5 MB");
    if (facts->timing)
        note_timing(builder, section);
}

void
report_note_phase(const ReportBuilder *builder, ReportSection *section, const TableSpec *spec)
{
    report_note_wal_source(builder, section, spec);
    note_unknown(builder, section, spec);
    for (size_t i = 0; i < builder->result->design_count; i++)
        note_hole(builder, section, &builder->result->designs[i], spec);
    report_add_failures(builder, section, spec->phase);
    report_add_findings(builder, section, spec->phase);
}

void
report_build_table(ReportBuilder *builder, const TableSpec *spec)
{
    const Phase *phase = scenario_find_phase(builder->scenario, spec->phase);
    TableFacts facts = {0};
    ReportGrid grid;
    ReportSection *section;

    build_grid(builder, spec, &grid, &facts);
    section = report_add_grid(builder, &grid);
    section->title = report_text(builder, "%s", spec->title);
    section->about = phase != NULL ? report_describe_phase(builder, phase) : NULL;
    report_note_cells(builder, section, &facts);
    report_note_phase(builder, section, spec);
    text_release(&facts.sources);
}
