/*
 * A trial's table and its loader without a trial, for tests that look at what loading does: 6,000
 * rows in three batches, by the ways that a phase names.
 */
#ifndef KB_TESTS_LOADING_H
#define KB_TESTS_LOADING_H

#include "run/loader.h"
#include "run/server_facts.h"

enum { LOADING_ROWS = 6000, LOADING_BATCHES = 3 };

typedef struct Bench {
    DbConn *conn;
    ServerFacts facts;
    Scenario *scenario;
    TrialTable table;
    Loader *loader;
    WalSource wal_source;
} Bench;

/* End the test unless this went well. */
void must(Status status, const Diag *diag, const char *what);

/* Run one statement that must go well. */
void must_exec(DbConn *conn, const char *sql);

/*
 * Make the table. `conn` has claimed the schema.
 *
 * design   named "d", in JSON with ` for "
 * phase    further keys of it, such as ", `writers`: 3"
 */
void open_bench(Bench *bench, DbConn *conn, const char *design, const char *phase);
void close_bench(Bench *bench);

/* Run all batches; `last` out: what the last one cost. */
Status run_batches(Bench *bench, Measurement *last, Diag *diag);

#endif
