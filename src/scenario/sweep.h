/*
 * A scenario whose scalars are lists: every combination of their values is a point, and each point
 * is a scenario without lists. Lists under one key are one axis. A scenario without any is a sweep
 * of one point.
 */
#ifndef KB_SCENARIO_SWEEP_H
#define KB_SCENARIO_SWEEP_H

#include "base/diag.h"
#include "results/result.h"
#include "scenario/scenario.h"

#include <cjson/cJSON.h>

enum { SWEEP_POINTS_MAX = 10000 };

typedef struct SweepAxis {
    const char *name;    /* the key of its lists: "writers", "wal_compression" */
    const char *title;   /* for tables and charts */
    const char **values; /* as texts, in the file's order */
    size_t value_count;
    bool *concerns; /* by design of the file: whether it is measured once a value, or once */
} SweepAxis;

typedef struct SweepPoint {
    NamedValue *values; /* one an axis */
    Scenario *scenario;
} SweepPoint;

typedef struct Sweep {
    Arena *arena; /* owns all below but the scenarios, which go with sweep_free too */
    SweepAxis *axes;
    size_t axis_count;
    SweepPoint *points; /* the last axis changes fastest */
    size_t point_count; /* 1 or more */
} Sweep;

/*
 * Load `name`: a path, "-" for standard input, or the name of a scenario that is installed
 * ("table-13-1"). Caller frees with sweep_free.
 * Returns   STATUS_SCENARIO for a bad file, STATUS_USAGE for a name that is nowhere, STATUS_IO
 */
Status sweep_load(const char *name, Sweep **sweep, Diag *diag) MUST_USE;

/* The same from bytes in memory; `file` names them in errors. */
Status sweep_parse(const char *file, const char *bytes, size_t length, Sweep **sweep,
                   Diag *diag) MUST_USE;

void sweep_free(Sweep *sweep); /* accepts NULL */

/* The scenario of the first point: name, titles, designs and phases are those of all points. */
const Scenario *sweep_first(const Sweep *sweep);

/* Whether a design is measured at this point: of the points that differ only by axes that do not
 * concern it, it is measured at the first. `design` is an index into the scenario's. */
bool sweep_measures(const Sweep *sweep, size_t point, size_t design);

/* Whether what was measured with these values of some axes belongs to a point. */
bool sweep_point_holds(const SweepPoint *point, size_t axis_count, const NamedValue *values,
                       size_t count);

/* The file's JSON with the values of a point in the place of its lists. Caller frees with
 * cJSON_Delete. */
cJSON *sweep_point_json(const Sweep *sweep, const SweepPoint *point);

/* NULL when there is none. */
SweepAxis *sweep_find_axis(const Sweep *sweep, const char *name);

#endif
