/*
 * A plan to a result: trials in order, each on a server, side by side when asked; the
 * result is saved after every phase, and kept whatever happens.
 */
#ifndef KB_RUN_RUNNER_H
#define KB_RUN_RUNNER_H

#include "base/diag.h"
#include "db/conn.h"
#include "results/result.h"
#include "scenario/plan.h"

/* Where the run stands: told to the listener from any worker, one at a time. */
typedef struct RunEvent {
    const char *design, *phase; /* borrowed for the call */
    const char *sweep;          /* "writers=8"; "": none */
    uint64_t repeat;
    uint64_t batch, batch_count;    /* of the phase; batch 0: the phase begins */
    uint64_t rows_done, rows_total; /* of the whole run */
    double rows_per_s;              /* of the last batch; 0 when it begins */
} RunEvent;

typedef struct RunOptions {
    const Plan *plan;
    const DbTarget *target; /* the user's server; NULL: throwaway clusters */
    const char *bindir;     /* for throwaway clusters; NULL: search */
    uint64_t jobs;          /* trials side by side; above 1 only with throwaway clusters */
    bool insist;            /* also on a server that looks like production */
    uint64_t retries;       /* how often a tainted design is measured again, on a fresh table */
    uint64_t statement_timeout_ns; /* for the longest statement; 0: an hour */
    uint64_t turn_wait_ns;   /* how long to wait for another run on the user's server; 0: refuse */
    const Result *resume;    /* trials that are complete in it are taken as they are; NULL: none.
                                The run's result borrows from it */
    const Result *baseline;  /* whose settings are looked at before it starts; NULL: none */
    const char *result_path; /* saved there after each phase; NULL: not saved */
    void (*listener)(void *context, const RunEvent *event); /* NULL: none */
    void (*notice)(void *context, const char *text); /* one-line remarks for the user; NULL: none */
    void *context;
} RunOptions;

/*
 * Run all trials of the plan. In a sweep a trial that fails is marked with the cause and the others
 * go on; without one the run ends there. *result is set whatever is returned, with what was
 * measured until then; caller frees with result_free. It is saved under result_path in every case,
 * once a phase has begun. Returns STATUS_INTERRUPTED, or the first trial's error
 */
Status run_plan(const RunOptions *options, Result **result, Diag *diag) MUST_USE;

#endif
