/*
 * Measured figures for claims: scenarios run by the code of `keybench run`, single statements
 * counted by it, and both as rows of the claim's table "figure", where its SQL reads them.
 */
#ifndef KB_LAB_MEASURED_H
#define KB_LAB_MEASURED_H

#include "db/conn.h"
#include "lab/chapter.h"
#include "results/result.h"

#include <stdint.h>

/* What the scenarios of one chapter gave: each is run once, whichever claims ask for it. */
typedef struct MeasuredCache MeasuredCache;

MeasuredCache *measured_cache_new(void);
void measured_cache_free(MeasuredCache *cache); /* accepts NULL */

typedef struct MeasuredRun {
    const DbTarget *target; /* pgstattuple is installed there */
    const char *folder;     /* where the scenario's file is */
    const char *file;
    unsigned scale; /* its row counts are multiplied by this */
    bool insist;    /* also on a server that looks like production */
    void (*notice)(void *context, const char *text); /* NULL: none */
    void *context;
} MeasuredRun;

/*
 * Run a scenario, unless it was run before.
 *
 * result    out: borrowed from the cache
 * Returns   STATUS_SCENARIO for a bad file, or one that asks for settings of the server; what
 * run_scenario returns
 */
Status measured_run(MeasuredCache *cache, const MeasuredRun *run, const Result **result,
                    Diag *diag) MUST_USE;

/* Put all figures of a result into the table "figure" of a schema; it is made when it is missing.
 */
Status measured_write_result(DbConn *conn, const char *schema, const Result *result,
                             Diag *diag) MUST_USE;

/* Run one statement under the counters of `keybench run`, and put them into "figure" as the next
 * batch of this design and phase; batch 0 is their sum. `conn` writes the table. */
Status measured_statement(DbConn *session, DbConn *conn, const char *schema, const Step *step,
                          const char *sql, Diag *diag) MUST_USE;

#endif
