/*
 * Two results side by side: which of their figures may be compared, and why the others may not.
 * What `compare` says and what `check` holds against a baseline both ask here.
 */
#ifndef KB_REPORT_PAIR_H
#define KB_REPORT_PAIR_H

#include "base/diag.h"
#include "report/figure.h"
#include "results/result.h"
#include "scenario/scenario.h"

#include <cjson/cJSON.h>

/* One of the two. */
typedef struct PairSide {
    const char *name; /* in reasons: "baseline" */
    const Result *result;
    Scenario *scenario; /* the one inside the result */
    cJSON *document;    /* its JSON */
} PairSide;

typedef struct ResultPair {
    Arena *arena; /* of the reasons */
    PairSide base, now;
} ResultPair;

/*
 * Read both scenarios. The names stand in reasons: "base" and "new". The results are borrowed; the
 * caller releases with pair_release, also after a failure.
 * Returns   STATUS_SCENARIO when a scenario inside a result cannot be read
 */
Status pair_init(ResultPair *pair, const PairSide *base, const PairSide *now, Diag *diag) MUST_USE;
void pair_release(ResultPair *pair);

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
 * first phase's WAL is not such a figure: hint bits of catalogue pages come into it.
 */
bool pair_is_exact(const ResultPair *pair, const Figure *figure);

/* Whether it is the scenario's first phase, the one into a new table. */
bool pair_is_first_phase(const ResultPair *pair, const char *phase);

/* Whether a metric varies from run to run by the machine's timing alone, so that single figures
 * say nothing. */
bool metric_is_noisy(MetricId metric);

#endif
