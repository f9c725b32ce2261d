#include "report/check_print.h"

#include "report/check.h"
#include "report/model_parts.h"
#include "report/render.h"

#include <math.h>
#include <string.h>

static void
add_fact(ReportBuilder *builder, ReportTone tone, const char *name, const char *text)
{
    ReportModel *model = builder->model;

    model->facts[model->fact_count++] = (ReportFact){.name = name, .text = text, .tone = tone};
}

static void
add_facts(ReportBuilder *builder, const CheckReport *report)
{
    enum { FACTS_MAX = 3 };
    const Result *result = report->result;
    size_t failures = check_failure_count(result);

    builder->model->facts = arena_alloc(builder->arena, FACTS_MAX, sizeof(*builder->model->facts));
    add_fact(builder, REPORT_PLAIN, "result",
             report_text(builder, "%s: PostgreSQL %s, %s", report->path,
                         result_server_value(result, "version"), result->started_utc));
    if (report->baseline_path != NULL)
        add_fact(builder, REPORT_PLAIN, "baseline",
                 report_text(builder, "%s", report->baseline_path));
    add_fact(builder, failures > 0 ? REPORT_BAD : REPORT_GOOD, "checks",
             failures > 0
                 ? report_text(builder, "%zu of %zu do not hold", failures, result->check_count)
                 : report_text(builder, "all %zu hold", result->check_count));
}

/* The same result with the checks that do not pass alone. */
static Result
keep_failures(const Result *result, Arena *arena)
{
    Result kept = *result;

    kept.checks = arena_alloc(arena, result->check_count, sizeof(*kept.checks));
    kept.check_count = 0;
    for (size_t i = 0; i < result->check_count; i++)
        if (strcmp(result->checks[i].verdict, "pass") != 0)
            kept.checks[kept.check_count++] = result->checks[i];
    return kept;
}

static void
build(const CheckReport *report, ReportModel *model)
{
    enum { SECTIONS_MAX = 2 }; /* of the scenario, of the baseline */
    ReportBuilder builder = {.model = model, .scenario = report->scenario};
    Result shown = *report->result;

    memset(model, 0, sizeof(*model));
    model->arena = builder.arena = arena_new();
    if (report->failures_only)
        shown = keep_failures(report->result, model->arena);
    builder.result = &shown;
    model->title = report_text(&builder, "Check: %s", report->scenario->title);
    model->sections = arena_alloc(model->arena, SECTIONS_MAX, sizeof(*model->sections));
    add_facts(&builder, report);
    report_build_checks(&builder);
}

void
check_print_text(const CheckReport *report, Text *out)
{
    ReportModel model;

    build(report, &model);
    render_text(&model, report->color, out);
    report_model_release(&model);
}

void
check_print_markdown(const CheckReport *report, Text *out)
{
    ReportModel model;

    build(report, &model);
    render_markdown(&model, out);
    report_model_release(&model);
}
