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

/* One section a scenario table and its ratios, one a phase for its WAL; designs, two of checks,
 * findings. */
static size_t
most_sections(const Scenario *scenario)
{
    return 5 + 2 * scenario->table_count + scenario->phase_count; /* one is for a second shape */
}

static void
build_sections(ReportBuilder *builder)
{
    const Scenario *scenario = builder->scenario;

    report_build_facts(builder);
    report_build_designs(builder);
    for (size_t i = 0; i < scenario->table_count; i++) {
        report_build_table(builder, &scenario->tables[i]);
        report_build_ratios(builder, &scenario->tables[i]);
    }
    for (size_t i = 0; i < scenario->phase_count; i++)
        report_build_wal(builder, &scenario->phases[i]);
    report_build_checks(builder);
    report_build_findings(builder);
}

void
report_model_init(ReportModel *model, const Result *result, const Scenario *scenario)
{
    ReportBuilder builder = {
        .model = model,
        .result = result,
        .scenario = scenario,
        .repeat_count = figure_repeat_count(result),
    };

    memset(model, 0, sizeof(*model));
    model->arena = builder.arena = arena_new();
    model->title = report_text(&builder, "%s", scenario->title);
    model->sections = arena_alloc(model->arena, most_sections(scenario), sizeof(*model->sections));
    build_sections(&builder);
}

void
report_model_release(ReportModel *model)
{
    arena_free(model->arena);
    memset(model, 0, sizeof(*model));
}
