/*
 * A result as tables: for people, for Markdown and HTML pages, and for other programs. Made from
 * the result alone, so what `run` prints and what `report` prints later are equal byte for byte.
 */
#ifndef KB_REPORT_TABLE_H
#define KB_REPORT_TABLE_H

#include "base/diag.h"
#include "base/text.h"
#include "results/result.h"

typedef enum ReportFormat {
    REPORT_TEXT,
    REPORT_MARKDOWN,
    REPORT_CSV,  /* one row a figure: scenario, design, each axis of a sweep, repeat, phase, batch,
                    index, metric, unit, value, reference */
    REPORT_JSON, /* the tables as printed, not the result file */
    REPORT_HTML, /* one self-contained page; charts are embedded when `charts` names them */
} ReportFormat;

typedef struct ReportOptions {
    ReportFormat format;
    bool color;                /* text only */
    const char *const *charts; /* HTML: SVG files to embed; may be NULL */
    size_t chart_count;
} ReportOptions;

/* Append the report to `out`. STATUS_SCENARIO when the scenario inside the result cannot be read.
 */
Status report_print(const Result *result, const ReportOptions *options, Text *out,
                    Diag *diag) MUST_USE;

#endif
