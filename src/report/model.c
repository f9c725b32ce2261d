#include "report/model.h"

#include "report/layout.h"
#include "report/model_parts.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *
report_text(const ReportBuilder *builder, const char *format, ...)
{
    va_list args;
    char *text = NULL, *copy;
    int length;

    va_start(args, format);
    length = vasprintf(&text, format, args);
    va_end(args);
    if (length < 0)
        BUG("cannot print \"%s\"", format);
    copy = arena_text(builder->arena, text);
    free(text);
    for (char *at = copy; *at != '\0'; at++)
        if ((unsigned char)*at < ' ' || *at == 0x7f)
            *at = ' ';
    return copy;
}

ReportSection *
report_add_section(ReportBuilder *builder, size_t column_count, size_t row_count)
{
    ReportSection *section = &builder->model->sections[builder->model->section_count++];

    section->columns = arena_alloc(builder->arena, column_count, sizeof(*section->columns));
    section->column_count = column_count;
    section->rows = arena_alloc(builder->arena, row_count, sizeof(*section->rows));
    section->row_count = row_count;
    for (size_t column = 0; column < column_count; column++)
        section->columns[column].part_count = 1;
    for (size_t row = 0; row < row_count; row++) {
        ReportCell *cells = arena_alloc(builder->arena, column_count, sizeof(*cells));

        for (size_t column = 0; column < column_count; column++)
            cells[column].value = cells[column].reference = NAN;
        section->rows[row].cells = cells;
    }
    return section;
}

void
report_add_note(const ReportBuilder *builder, ReportSection *section, ReportTone tone,
                const char *text)
{
    size_t count = section->note_count;

    if ((count & (count - 1)) == 0) { /* full at each power of two */
        ReportNote *grown = arena_alloc(builder->arena, count > 0 ? 2 * count : 1, sizeof(*grown));

        if (count > 0)
            memcpy(grown, section->notes, count * sizeof(*grown));
        section->notes = grown;
    }
    section->notes[section->note_count++] = (ReportNote){.tone = tone, .text = text};
}

bool
report_section_has_parts(const ReportSection *section)
{
    for (size_t i = 0; i < section->column_count; i++)
        if (section->columns[i].part[0] != NULL)
            return true;
    return false;
}

enum { WAL_POINTS_MAX = 4 }; /* of more points, what their WAL was would fill pages */

bool
report_is_sweep(const ReportBuilder *builder)
{
    return builder->points->sweep->axis_count > 0;
}

ReportBuilder
report_at(const ReportBuilder *builder, size_t point)
{
    ReportBuilder at = *builder;

    at.result = builder->points->points[point].result;
    at.scenario = point_scenario(&builder->points->points[point]);
    at.label = builder->points->points[point].label;
    return at;
}

/* A scenario table and its ratios, once or for each metric; a phase's WAL,
 * once or for each point, and its waits, once or for each design;
 * designs, two of checks, findings; one for a second shape. */
static size_t
most_sections(const ReportBuilder *builder)
{
    const Scenario *scenario = builder->scenario;
    size_t count = 5 + scenario->phase_count * (WAL_POINTS_MAX + scenario->design_count);

    for (size_t i = 0; i < scenario->table_count; i++)
        count += 2 * (report_is_sweep(builder) ? scenario->tables[i].metric_count : 1);
    return count;
}

static void
build_table(ReportBuilder *builder, const TableSpec *spec)
{
    if (report_is_sweep(builder)) {
        report_build_sweep(builder, spec);
        return;
    }
    report_build_table(builder, spec);
    report_build_ratios(builder, spec);
}

static void
build_wal(ReportBuilder *builder, const Phase *phase)
{
    for (size_t i = 0; builder->points->count <= WAL_POINTS_MAX && i < builder->points->count;
         i++) {
        ReportBuilder at = report_at(builder, i);

        report_build_wal(&at, phase);
    }
}

static void
build_sections(ReportBuilder *builder)
{
    const Scenario *scenario = builder->scenario;

    report_build_facts(builder);
    report_build_designs(builder);
    for (size_t i = 0; i < scenario->table_count; i++)
        build_table(builder, &scenario->tables[i]);
    for (size_t i = 0; i < scenario->phase_count; i++)
        build_wal(builder, &scenario->phases[i]);
    for (size_t i = 0; i < scenario->phase_count; i++)
        report_build_waits(builder, &scenario->phases[i]);
    report_build_checks(builder);
    report_build_findings(builder);
}

void
report_model_init(ReportModel *model, const Result *result, const ResultPoints *points)
{
    ReportBuilder builder = {
        .model = model,
        .points = points,
        .result = result,
        .scenario = sweep_first(points->sweep),
        .label = "",
        .repeat_count = figure_repeat_count(result),
    };

    memset(model, 0, sizeof(*model));
    model->arena = builder.arena = arena_new();
    model->title = report_text(&builder, "%s", builder.scenario->title);
    model->sections = arena_alloc(model->arena, most_sections(&builder), sizeof(*model->sections));
    build_sections(&builder);
}

void
report_model_release(ReportModel *model)
{
    arena_free(model->arena);
    memset(model, 0, sizeof(*model));
}
