/*
 * One function a format: a model (CSV: the result itself) appended to a text. Private to the report
 * room; report_print is the door.
 */
#ifndef KB_REPORT_RENDER_H
#define KB_REPORT_RENDER_H

#include "base/diag.h"
#include "base/text.h"
#include "report/model.h"
#include "report/points.h"
#include "report/table.h"

void render_text(const ReportModel *model, bool color, Text *out);
void render_markdown(const ReportModel *model, Text *out);
void render_json(const ReportModel *model, Text *out);
void render_csv(const Result *result, const ResultPoints *points, Text *out);

/* STATUS_IO when a chart cannot be read. */
Status render_html(const ReportModel *model, const ReportOptions *options, Text *out,
                   Diag *diag) MUST_USE;

#endif
