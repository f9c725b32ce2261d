/*
 * Two results side by side at one point of a sweep: which of their figures may be compared, and why
 * the others may not. What `compare` says and what `check` holds against a baseline both ask here.
 */
#ifndef KB_REPORT_PAIR_H
#define KB_REPORT_PAIR_H

#include "base/diag.h"
#include "report/figure.h"
#include "report/points.h"
#include "results/result.h"
#include "scenario/scenario.h"

#include <cjson/cJSON.h>

/* One of the two. */
typedef struct PairSide {
    const char *name;         /* in reasons: "baseline" */
    const Result *result;     /* of this point; without designs where the side lacks it */
    const SweepPoint *point;  /* of its sweep; the other side's where it lacks it */
    const Sweep *sweep;       /* likewise */
    const Scenario *scenario; /* of that point */
    cJSON *document;          /* its JSON */
    bool absent;              /* this side lacks the point */
} PairSide;

typedef struct ResultPair {
    Arena *arena;      /* of the reasons; that of all points */
    const char *label; /* "writers=8"; "" without a sweep */
    PairSide base, now;
} ResultPair;

/* Two results, point by point. */
typedef struct ResultPairs {
    Arena *arena;
    ResultPoints base_points, now_points;
    ResultPair *items; /* the points of the base, then those that only the other one has */
    size_t count;
} ResultPairs;

/*
 * Match the points of two results by the values of their axes. Only `name` and `result` of the
 * sides are read; the results are borrowed. The caller releases with pairs_release, also after a
 * failure.
 * Returns   STATUS_SCENARIO when a scenario inside a result cannot be read
 */
Status pairs_init(ResultPairs *pairs, const PairSide *base, const PairSide *now,
                  Diag *diag) MUST_USE;
void pairs_release(ResultPairs *pairs);

/* Whether a side has, or was to have, a trial of a design at this point. */
bool pair_has_trial(const PairSide *side, const char *design);

/* Whether a design is not to be looked at: a side is a part of a run, and the design is in another
 * part. */
bool pair_leaves_out(const ResultPair *pair, const char *design);

/* "writers=8": the values of the axes that concern a design at a point; "": none do. */
const char *pair_design_label(const ResultPair *pair, const char *design);

/* Whether an earlier point has the same trials of this design, which is measured once for all
 * values of some axis. */
bool pairs_repeat_design(const ResultPairs *pairs, size_t item, const char *design);

/* Names of designs or phases, in the pair's arena. */
typedef struct PairNames {
    const char **items;
    size_t count;
} PairNames;

/* Those of the base's scenario, then those that only the other one has. */
PairNames pair_designs(const ResultPair *pair);
PairNames pair_phases(const ResultPair *pair);

/* 0: the base; 1: the other one. */
const PairSide *pair_side(const ResultPair *pair, int which);

/* Why something may not be compared. */
typedef struct PairObstacle {
    const char *reason; /* NULL: it may; else it lives as long as the pair */
    bool missing;       /* it is not there, on one side or on both */
} PairObstacle;

/*
 * What stands in the way of comparing any figure of this design and phase: a run that is not
 * complete, a design or phase that is not there, a contaminated measurement, other keys, scale,
 * cadence, or way of inserting.
 */
PairObstacle pair_phase_obstacle(const ResultPair *pair, const char *design, const char *phase);

/*
 * What stands in the way of this figure, though others of its phase may be compared: a side does
 * not have it, a setting or major version that it depends on differs, or it is a time of two
 * machines or of designs side by side. The figure is of a phase, not of a batch.
 */
PairObstacle pair_figure_obstacle(const ResultPair *pair, const Figure *figure);

/*
 * Whether both sides must have the same figure to the last digit: keys from an identity column or
 * minted by keybench from the same seed, one writer, and a figure that depends on nothing else. The
 * first phase's WAL is not such a figure: hint bits of catalogue pages come into it. Nor is
 * compressed WAL.
 */
bool pair_is_exact(const ResultPair *pair, const Figure *figure);

/* Whether both sides have the same rows in the same order in a design's phase: from an identity
 * column or minted from the same seed, by one writer. */
bool pair_has_same_rows(const ResultPair *pair, const char *design, const char *phase);

/* Whether it is the scenario's first phase, the one into a new table. */
bool pair_is_first_phase(const ResultPair *pair, const char *phase);

/* What a side's server had for a setting at this point; "" when it did not say. */
const char *pair_server_value(const PairSide *side, const char *name);

/* Whether a metric varies from run to run by the machine's timing alone, so that single figures
 * say nothing. */
bool metric_is_noisy(MetricId metric);

#endif
