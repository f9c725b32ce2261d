/*
 * One measured statement: EXPLAIN (ANALYZE, WAL, BUFFERS) read from the top plan node only, because
 * a node's figures include those of its children, with the log position before and after as an
 * independent second look.
 */
#ifndef KB_RUN_MEASURE_H
#define KB_RUN_MEASURE_H

#include "db/conn.h"
#include "db/wal.h"
#include "results/metric.h"

/* What one statement cost, and the log around it. */
typedef struct Measurement {
    Figures figures; /* batch metrics but rows_per_checkpoint */
    WalPoint before, after;
    uint64_t commit_count; /* that wal_bytes does not hold: one a plan */
} Measurement;

/*
 * Run `sql` under EXPLAIN and read its counters.
 * Returns   STATUS_DB_QUERY also for a plan without the counters that every supported version gives
 * Source    PostgreSQL manual, EXPLAIN; WAL option from 13, SUMMARY, "WAL Buffers Full" from 18,
 * "WAL FPI Bytes" from 19
 */
Status measure_statement(DbConn *conn, const char *sql, DbParams params, Measurement *measurement,
                         Diag *diag) MUST_USE;

/* The same without the log around it: several sessions share that. */
Status measure_explain(DbConn *conn, const char *sql, DbParams params, Figures *figures,
                       Diag *diag) MUST_USE;

/* The figures of one EXPLAIN document (FORMAT JSON); for tests. */
Status measure_read_plan(const char *json, Figures *figures, Diag *diag) MUST_USE;

#endif
