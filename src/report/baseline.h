/*
 * A result held against an earlier one: the gate for changes of key, server or keybench. What must
 * be the same on every run is held to the last digit, the rest to a tolerance. Times are never
 * checked.
 */
#ifndef KB_REPORT_BASELINE_H
#define KB_REPORT_BASELINE_H

#include "base/diag.h"
#include "report/tolerance.h"
#include "results/result.h"

/* Names of baseline checks begin with it: "baseline/second/uuidv4/wal_bytes". */
#define BASELINE_PREFIX "baseline/"

/*
 * Load a result to hold others against.
 * Returns   STATUS_SCENARIO also for a run that is not complete, STATUS_USAGE when there is no such
 *           file; caller frees with result_free
 */
Status baseline_load(const char *path, Result **baseline, Diag *diag) MUST_USE;

/*
 * Append a check to result->checks for WAL bytes, records, images and leaf pages of each design and
 * phase that either side has, and for what `list` names. An exact figure is checked in every batch
 * and repeat; of others the median of the repeats is. What one side does not have fails.
 *
 * list      NULL: nothing was said about tolerances
 * all_hold  out: every check that was appended passes, and there was one
 * Returns   STATUS_SCENARIO when the scenario inside a result cannot be read
 */
Status baseline_check(Result *result, const Result *baseline, const ToleranceList *list,
                      bool *all_hold, Diag *diag) MUST_USE;

/* Whether a check of that name is one of a baseline's. */
bool baseline_owns(const char *name);

/* What a check of that name holds; METRIC_COUNT for a check that is not of a baseline's figure. */
MetricId baseline_metric(const char *name);

/* A figure in full, since one of its digits may be what matters: "115,737,113 bytes". `text` has
 * METRIC_TEXT_SIZE bytes. */
void baseline_print_figure(MetricId metric, double value, char *text);

#endif
