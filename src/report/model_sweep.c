#include "report/model_parts.h"

#include "report/axis.h"

#include <string.h>

void
report_points_grid(const ReportBuilder *builder, ReportGrid *grid, size_t column_count)
{
    const ResultPoints *points = builder->points;
    bool one_axis = points->sweep->axis_count == 1;

    report_grid_init(builder, grid, points->count, column_count);
    grid->head[0] =
        one_axis ? report_text(builder, "%s", points->sweep->axes[0].title) : "point of the sweep";
    grid->head[1] = "design";
    for (size_t row = 0; row < points->count; row++)
        grid->rows[row] =
            one_axis ? axis_print_value(builder->arena, points->points[row].point->values[0].value)
                     : report_text(builder, "%s", points->points[row].label);
}

static void
build_metric(const ReportBuilder *builder, const TableSpec *spec, MetricId metric, ReportGrid *grid,
             TableFacts *facts)
{
    const Scenario *scenario = builder->scenario;

    report_points_grid(builder, grid, scenario->design_count);
    report_set_headings(grid);
    for (size_t column = 0; column < scenario->design_count; column++) {
        Figure figure = {
            .design = scenario->designs[column].name, .phase = spec->phase, .metric = metric};

        grid->columns[column] =
            report_text(builder, "%s", figure_title(&scenario->designs[column]));
        for (size_t row = 0; row < builder->points->count; row++) {
            ReportBuilder at = report_at(builder, row);

            grid->cells[row][column] = report_build_cell(&at, &figure, facts);
        }
    }
}

/* Whether a clause stands in the phase's description at every point. */
static bool
is_common(const ReportBuilder *builder, const char *phase, const char *clause, size_t length)
{
    for (size_t i = 0; i < builder->points->count; i++) {
        const Scenario *scenario = point_scenario(&builder->points->points[i]);
        const char *text = report_describe_phase(builder, scenario_find_phase(scenario, phase));
        const char *at = strstr(text, arena_printf(builder->arena, "%.*s", (int)length, clause));

        if (at == NULL || (at > text && at[-1] != ' ') || (at[length] != '\0' && at[length] != ';'))
            return false;
    }
    return true;
}

/* Those clauses of a phase's description that are true at all points; NULL when none is. */
static const char *
describe_common(const ReportBuilder *builder, const char *phase)
{
    const char *rest =
        report_describe_phase(builder, scenario_find_phase(builder->scenario, phase));
    const char *common = NULL;

    while (*rest != '\0') {
        size_t length = strcspn(rest, ";");

        if (is_common(builder, phase, rest, length))
            common = report_text(builder, "%s%s%.*s", common != NULL ? common : "",
                                 common != NULL ? "; " : "", (int)length, rest);
        rest += length + strspn(rest + length, "; ");
    }
    return common;
}

void
report_build_sweep(ReportBuilder *builder, const TableSpec *spec)
{
    for (size_t i = 0; i < spec->metric_count; i++) {
        TableFacts facts = {0};
        ReportGrid grid;
        ReportSection *section;

        build_metric(builder, spec, spec->metrics[i], &grid, &facts);
        section = report_add_grid(builder, &grid);
        section->title = report_text(builder, "%s: %s", spec->title,
                                     figure_metric_title(builder->scenario, spec->metrics[i]));
        section->about = describe_common(builder, spec->phase);
        report_note_cells(builder, section, &facts);
        if (i + 1 == spec->metric_count)
            report_note_phase(builder, section, spec);
        report_build_sweep_ratios(builder, spec, spec->metrics[i]);
        text_release(&facts.sources);
    }
}
