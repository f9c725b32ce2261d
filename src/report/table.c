#include "report/table.h"

#include "report/model.h"
#include "report/points.h"
#include "report/render.h"

static Status
print_model(const Result *result, const ResultPoints *points, const ReportOptions *options,
            Text *out, Diag *diag)
{
    ReportModel model;
    Status status = STATUS_OK;

    report_model_init(&model, result, points);
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
    ResultPoints points = {0};
    Status status = points_read(result, &points, diag);

    if (status == STATUS_OK && options->format == REPORT_CSV)
        render_csv(result, &points, out);
    else if (status == STATUS_OK)
        status = print_model(result, &points, options, out, diag);
    points_release(&points);
    return status;
}
