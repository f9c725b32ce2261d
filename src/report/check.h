/*
 * The scenario's bounds against the figures of a result. A missing design, phase or figure is a
 * failure, not a pass.
 */
#ifndef KB_REPORT_CHECK_H
#define KB_REPORT_CHECK_H

#include "base/diag.h"
#include "results/result.h"
#include "scenario/scenario.h"

/*
 * Evaluate every bound of the result's scenario and replace result->checks. A run that is not
 * complete has "not comparable" checks, and so have ratios of a contaminated measurement. Of a
 * sweep each point is checked, "ratio [writers=8]", as far as its own trials are complete; a part
 * of a run has no checks of what is not in it.
 * `all_hold` out: every verdict is "pass".
 */
Status check_bounds(Result *result, bool *all_hold, Diag *diag) MUST_USE;

/* Append a check that fails when the run is not complete: bounds may be none. */
void check_complete(Result *result);

/* How many of result->checks do not pass. */
size_t check_failure_count(const Result *result);

/* STATUS_CHECK_FAILED, naming some of the checks that do not pass; STATUS_OK when all do. */
Status check_verdict(const Result *result, Diag *diag) MUST_USE;

/* How a check's value reads: "3.84x", "110.4 MB", of a baseline check in full: "115,737,113 bytes".
 * `text` has METRIC_TEXT_SIZE bytes. */
void check_print_value(const Scenario *scenario, const CheckResult *check, char *text);

#endif
