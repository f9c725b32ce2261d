/*
 * A result to the user: charts in a folder, the report on standard output. `run` and `report` both
 * end here, so what they print is the same byte for byte.
 */
#ifndef KB_CLI_PRESENT_H
#define KB_CLI_PRESENT_H

#include "base/diag.h"
#include "report/table.h"
#include "results/result.h"

typedef enum ChartChoice {
    CHARTS_BOTH,
    CHARTS_SVG,
    CHARTS_PNG,
    CHARTS_NONE,
} ChartChoice;

extern const char *const CHART_CHOICES[];  /* for OPTION_CHOICE, in the order of ChartChoice */
extern const char *const FORMAT_CHOICES[]; /* in the order of ReportFormat */

/*
 * Draw the charts of a complete result beside `result_path`, named after it. Without gnuplot it
 * says what to install and succeeds. `say` tells the user which files were drawn; NULL: silent.
 */
Status present_charts(const Result *result, const char *result_path, const char *folder,
                      ChartChoice choice, void (*say)(void *context, const char *text),
                      void *context, Diag *diag) MUST_USE;

/* Load a result that the user names; STATUS_USAGE also when there is no such file. Caller frees
 * with result_free. */
Status present_load(const char *path, Result **result, Diag *diag) MUST_USE;

/* A path as it is shown: what is not UTF-8 in it becomes "?". Caller frees with free(). */
char *present_path(const char *path);

/* Whether text on standard output may have colour: on a terminal, unless NO_COLOR is set. */
bool present_wants_color(void);

/* Print the report on standard output. Colour only for text on a terminal, unless NO_COLOR is set.
 */
Status present_report(const Result *result, ReportFormat format, Diag *diag) MUST_USE;

#endif
