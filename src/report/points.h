/*
 * The points of a swept result: what was measured at one of them is a plain result, so that tables,
 * checks and comparisons need no second way. A result without a sweep has one point.
 */
#ifndef KB_REPORT_POINTS_H
#define KB_REPORT_POINTS_H

#include "base/diag.h"
#include "results/result.h"
#include "scenario/sweep.h"

typedef struct ResultPoint {
    const SweepPoint *point;
    const char *label;    /* "writers=8, bytes=100"; "" without a sweep */
    const Result *result; /* the designs and findings of this point; checks and all else as in the
                             whole */
} ResultPoint;

typedef struct ResultPoints {
    Arena *arena; /* owns points, labels and results; what these point to is the whole result's */
    Sweep *sweep; /* of the scenario inside the result */
    ResultPoint *points; /* those at which anything was to be measured, in the sweep's order */
    size_t count;
} ResultPoints;

/* Read the scenario inside a result and split it. The result is borrowed until points_release,
 * which the caller owes. STATUS_SCENARIO when the scenario cannot be read. */
Status points_read(const Result *result, ResultPoints *points, Diag *diag) MUST_USE;
void points_release(ResultPoints *points);

/* The first point that a trial belongs to; borrowed, NULL when there is none. */
const ResultPoint *points_find(const ResultPoints *points, const DesignResult *design);

/* The scenario of a point. */
const Scenario *point_scenario(const ResultPoint *point);

#endif
