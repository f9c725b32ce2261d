/*
 * How far a figure may be off the one it is held against. Where the keys are the same on every run
 * the answer is: not at all. Otherwise the scenario says, or the command line.
 */
#ifndef KB_REPORT_TOLERANCE_H
#define KB_REPORT_TOLERANCE_H

#include "base/diag.h"
#include "report/pair.h"

/* What --tolerance says, by MetricId; NAN where it says nothing. */
typedef struct ToleranceList {
    double pct[METRIC_COUNT];
    bool given[METRIC_COUNT];
} ToleranceList;

/* How far one figure may be off: by `pct` percent (of a percentage: by so many points) or by
 * `slack` in its own unit, whichever is more. Both 0: not at all. */
typedef struct Tolerance {
    double pct, slack;
} Tolerance;

/* Nothing said. */
void tolerance_list_init(ToleranceList *list);

/*
 * Read "wal=0,fpi=0.5": names of metrics or the short forms wal, records, fpi and leaves, each with
 * a percentage of 0 to 100.
 * Returns   STATUS_USAGE, also for a metric that no check can be about: a time, or rows
 */
Status tolerance_list_read(const char *text, ToleranceList *list, Diag *diag) MUST_USE;

/*
 * What holds for a figure: what `list` says, else what the new scenario's design says, else nothing
 * at all for an exact figure and 1% for others. Inexact ones of which nothing is said, and those of
 * the first phase whatever is said, may also be off by a few catalogue pages and the images of
 * their hint bits.
 *
 * list   NULL: nothing was said
 */
Tolerance tolerance_find(const ResultPair *pair, const Figure *figure, const ToleranceList *list);

/* Whether `value` is near enough to `base`. */
bool tolerance_holds(const Tolerance *tolerance, MetricId metric, double value, double base);

/* Whether nothing is allowed. */
bool tolerance_is_exact(const Tolerance *tolerance);

#endif
