/*
 * Fields of comma-separated values, RFC 4180, as all files of that kind here have them. Commas and
 * line breaks are the caller's.
 */
#ifndef KB_REPORT_CSV_H
#define KB_REPORT_CSV_H

#include "base/text.h"
#include "results/metric.h"

/* A text, in quotes only where they are needed. */
void csv_add_text(Text *out, const char *text);

/* Enough digits to read the same number again; nothing for NAN. */
void csv_add_number(Text *out, double number);

/* "bytes", "count", "pages", "rows", "pct", "ms" */
const char *metric_unit_name(MetricId metric);

#endif
