/*
 * One writer: a connection that puts its rows of each batch into a trial's table, by the method of
 * the phase. What it does between two batches is not measured.
 */
#ifndef KB_RUN_WRITER_H
#define KB_RUN_WRITER_H

#include "base/clock.h"
#include "db/stmt.h"
#include "db/wal.h"
#include "results/metric.h"
#include "run/rows.h"
#include "run/tally.h"

#include <stdatomic.h>

typedef struct Writer {
    const TrialTable *table;
    uint64_t number; /* from 0 */
    DbConn *conn;
    bool owns_conn; /* the first writer uses the trial's */
    bool has_stage;
    RowSource *source; /* NULL when the server makes all values */
    const Phase *phase;
    uint64_t next_row;                         /* number of the first row of the next batch */
    uint64_t batch_rows;                       /* its share */
    uint64_t statement_rows, transaction_rows; /* of each; the last may have fewer */
    bool keeps_rows;              /* a transaction's rows are made before its time begins */
    DbStmt *insert, *insert_rest; /* of as many rows as a statement has, and of what is left over */
    DbStmt *begin, *commit;       /* where transactions have several statements, or a check */
    DbStmt *check;                /* is the key there? NULL: nobody asks */
    size_t key_field;             /* of a row that is sent */
    const atomic_bool *stop;      /* another writer failed: end */
    bool has_isolation;           /* its session has another isolation level than it began with */
    /* Of the last batch. */
    Tally tally; /* LOAD_COPY, LOAD_INSERT */
    WalPoint before, after;
    Figures figures; /* from the plan, where there is one; else the rows alone */
    uint64_t elapsed_ns;
    Status status;
    Diag diag;
} Writer;

/* `conn` is the trial's for writer 0; another writer opens one like it. Caller closes with
 * writer_close, also after a failure. */
Status writer_open(Writer *writer, const TrialTable *table, uint64_t number, DbConn *conn,
                   uint64_t seed, Diag *diag) MUST_USE;
void writer_close(Writer *writer);

/* The server was started again between two phases: the sessions and what was in them are gone. The
 * trial's connection is there again already. */
Status writer_reconnect(Writer *writer, Diag *diag) MUST_USE;

/*
 * Begin a phase: make its staging table or prepare its statements.
 *
 * phases      the scenario's; borrowed until the next phase begins
 * first_row   number of the writer's first row
 */
Status writer_begin_phase(Writer *writer, const Phase *phases, size_t phase, uint64_t first_row,
                          Diag *diag) MUST_USE;

/* What comes before a batch is measured: its rows are staged where the method stages, and nothing
 * is counted yet. */
Status writer_prepare_batch(Writer *writer, Diag *diag) MUST_USE;

/*
 * Put the rows of a batch into the table. Sets status and diag, figures and tally, and elapsed_ns
 * since `start` at the last commit. Between the two nothing is allocated, formatted, locked or
 * logged but by libpq, and a transaction's rows are made before its time begins.
 */
void writer_run_batch(Writer *writer, const Instant *start);

/* After the last phase, when the connection stays: drop and deallocate what is left in the session.
 */
Status writer_end(Writer *writer, Diag *diag) MUST_USE;

#endif
