#include "report/table.h"

#include "report/model.h"
#include "report/render.h"
#include "scenario/load.h"

#include <string.h>

static Status
print_model(const Result *result, const Scenario *scenario, const ReportOptions *options, Text *out,
            Diag *diag)
{
    ReportModel model;
    Status status = STATUS_OK;

    report_model_init(&model, result, scenario);
    switch (options->format) {
    case REPORT_TEXT:
    case REPORT_CSV: /* made of the result, never of a model */
        render_text(&model, options->color, out);
        break;
    case REPORT_MARKDOWN:
        render_markdown(&model, out);
        break;
    case REPORT_JSON:
        render_json(&model, out);
        break;
    case REPORT_HTML:
        status = render_html(&model, options, out, diag);
        break;
    }
    report_model_release(&model);
    return status;
}

Status
report_print(const Result *result, const ReportOptions *options, Text *out, Diag *diag)
{
    Scenario *scenario = NULL;
    Status status = scenario_parse("scenario of the result", result->scenario_text,
                                   strlen(result->scenario_text), &scenario, diag);

    if (status == STATUS_OK && options->format == REPORT_CSV)
        render_csv(result, scenario, out);
    else if (status == STATUS_OK)
        status = print_model(result, scenario, options, out, diag);
    scenario_free(scenario);
    return status;
}
