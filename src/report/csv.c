#include "report/csv.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const UNIT_NAMES[] = {
    [METRIC_UNIT_COUNT] = "count", [METRIC_UNIT_ROWS] = "rows",   [METRIC_UNIT_BYTES] = "bytes",
    [METRIC_UNIT_PAGES] = "pages", [METRIC_UNIT_PCT] = "pct",     [METRIC_UNIT_MS] = "ms",
    [METRIC_UNIT_US] = "us",       [METRIC_UNIT_PER_S] = "per_s",
};

void
csv_add_text(Text *out, const char *text)
{
    if (strpbrk(text, ",\"\r\n") == NULL) {
        text_add(out, text);
        return;
    }
    text_add(out, "\"");
    for (; *text != '\0'; text++)
        text_printf(out, *text == '"' ? "\"%c" : "%c", *text);
    text_add(out, "\"");
}

void
csv_add_number(Text *out, double number)
{
    char text[32];

    if (isnan(number))
        return;
    if (number == floor(number) && fabs(number) < 9007199254740992.0) {
        text_printf(out, "%.0f", number);
        return;
    }
    snprintf(text, sizeof(text), "%.15g", number);
    if (strtod(text, NULL) != number)
        snprintf(text, sizeof(text), "%.17g", number);
    text_add(out, text);
}

const char *
metric_unit_name(MetricId metric)
{
    return UNIT_NAMES[METRICS[metric].unit];
}
