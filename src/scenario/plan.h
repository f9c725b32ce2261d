/*
 * What a run measures, trial by trial: each design at each point of the sweep, repeats times, but
 * for what is left out. Trials do not depend on each other.
 */
#ifndef KB_SCENARIO_PLAN_H
#define KB_SCENARIO_PLAN_H

#include "scenario/sweep.h"

typedef struct PlannedTrial {
    const SweepPoint *point;
    const Design *design; /* of the point's scenario */
    uint64_t repeat;      /* 1.. */
    uint64_t seed;
    const NamedValue *sweep; /* the values of the axes that concern the design */
    size_t sweep_count;
} PlannedTrial;

typedef struct Plan {
    Arena *arena; /* owns the trials */
    const Sweep *sweep;
    uint64_t repeats, seed;
    const char *part;     /* "only writers=8, shard 2/8"; NULL: all trials are planned */
    PlannedTrial *trials; /* point by point, in the file's order */
    size_t trial_count;
    size_t *order; /* of measuring, as indexes into trials: shuffled by the seed, but as in the file
                      when there is one point and one repeat */
} Plan;

typedef struct PlanRequest {
    uint64_t repeats;     /* 0: the scenario's */
    const uint64_t *seed; /* NULL: the scenario's */
    const char *only; /* "writers=8,design=uuidv7": all must hold; "writers=8;writers=16": any of
                         them; NULL: all trials */
    uint64_t shard, shard_count; /* 1..shard_count: every shard_count-th trial; 0: all */
} PlanRequest;

/*
 * Caller frees with plan_free; the sweep is borrowed until then.
 * Returns   STATUS_USAGE for an `only` that names what the scenario does not have, or nothing
 */
Status plan_make(const Sweep *sweep, const PlanRequest *request, Plan **plan, Diag *diag) MUST_USE;
void plan_free(Plan *plan); /* accepts NULL */

#endif
