/*
 * A run under way, shared by the files that make it: runner.c starts servers and workers,
 * run_result.c keeps what they measure. Private to these two.
 */
#ifndef KB_RUN_RUN_STATE_H
#define KB_RUN_RUN_STATE_H

#include "run/runner.h"
#include "run/server_facts.h"
#include "run/trial.h"
#include "server/cluster.h"

#include <pthread.h>

/* One run under way; all that workers share stands behind the lock. */
typedef struct Run {
    const RunOptions *options;
    pthread_mutex_t lock;
    Result *result; /* its designs are the plan's trials, in the same order */
    size_t next;    /* into the plan's order */
    bool server_recorded;
    Status status; /* the first failure that ended the run, or of a trial */
    Diag *diag;    /* and its cause */
    bool over;     /* no further trial begins */
    uint64_t rows_done, rows_total;
} Run;

/* One worker: a server, a connection, and the trial it is at. */
typedef struct Worker {
    Run *run;
    Cluster *cluster;         /* NULL on the user's server */
    const Scenario *settings; /* the scenario whose settings the cluster has */
    DbConn *conn;
    ServerFacts facts;
    bool claimed;              /* the schema is ours to remove */
    const PlannedTrial *trial; /* under way */
    DesignResult *design;      /* and its place in the result */
    Diag diag;
} Worker;

/* Make the result with a place for every trial of the plan, and take what is measured already. */
void run_result_start(Run *run);

/* A trial's recorder for this worker. */
Recorder run_result_recorder(Worker *worker);

/* As if the worker's design had not been measured: figures and findings go, its rows are still to
 * come. The lock is held. */
void run_result_forget(Worker *worker);

/* Save when anything is there to save. The lock is held. */
Status run_result_save(const Run *run, Diag *diag) MUST_USE;

/* The run is over: its status and cause. */
void run_result_finish(Run *run);

#endif
