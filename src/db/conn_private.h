/*
 * What the files of this room share of a connection: its waits, each with a deadline and ended by
 * an interrupt, and what a failure looks like. For conn.c, exchange.c, copy.c and stmt.c only; the
 * others use their headers.
 */
#ifndef KB_DB_CONN_PRIVATE_H
#define KB_DB_CONN_PRIVATE_H

#include "base/clock.h"
#include "db/conn.h"

#include <libpq-fe.h>

/* How long what was cancelled may take to end. */
#define DB_CANCEL_DEADLINE_NS (20 * NS_PER_S)

/* How long the request to cancel may take on its way: a network that is cut swallows it. */
#define DB_CANCEL_REQUEST_DEADLINE_NS (5 * NS_PER_S)

struct DbConn {
    PGconn *pg;
    char *label;
    int backend_pid; /* libpq forgets it when the connection is lost */
    uint64_t deadline_ns;
    bool uninterruptible;
    void (*notice_listener)(void *context, const char *text);
    void *notice_context;
};

/* STATUS_INTERRUPTED when the statement that is about to be sent must not start. */
Status db_check_interrupt(const DbConn *conn, Diag *diag) MUST_USE;

/* Wait until the socket has `events`, the deadline of `start` passes, or an interrupt is requested.
 * In naps: the descriptor of interrupts, with all writers waiting on it, would be a lock between
 * them. */
Status db_wait(DbConn *conn, short events, Instant start, uint64_t deadline_ns,
               Diag *diag) MUST_USE;

/* Wait until the server took all that is queued for it. What it sends meanwhile is read, or both
 * sides may wait for each other. */
Status db_flush(DbConn *conn, Instant start, Diag *diag) MUST_USE;

/* The next result of what runs, NULL after the last one of a statement. Caller clears it. */
Status db_next_result(DbConn *conn, Instant start, uint64_t deadline_ns, PGresult **reply,
                      Diag *diag) MUST_USE;

/* The statement's own result; the rest of the cycle is read up to its end, but for a COPY that has
 * begun. Caller clears it. */
Status db_collect(DbConn *conn, Instant start, PGresult **reply, Diag *diag) MUST_USE;

/* Send one statement and collect its result. After a failure nothing of it runs any more. */
Status db_run_statement(DbConn *conn, const char *sql, DbParams params, PGresult **reply,
                        Diag *diag) MUST_USE;

/* Cancel what runs and read what is left of it, so that the connection can be used for cleaning
 * up. */
void db_cancel_and_drain(DbConn *conn);

/* Set `diag` to "WHAT: the connection's own words"; returns STATUS_SERVER. */
Status db_connection_failed(DbConn *conn, const char *what, Diag *diag);

/* The same where it broke under a statement. */
Status db_connection_lost(DbConn *conn, Diag *diag);

/* The same where a statement could not be sent. */
Status db_not_sent(DbConn *conn, Diag *diag);

/* Set `diag` to the server's own words on a failed statement. A NULL reply is a lost connection. */
Status db_statement_failed(DbConn *conn, const PGresult *reply, Diag *diag);

/* How many rows a statement touched, by its command tag; 0 when it does not say. */
uint64_t db_touched_rows(PGresult *reply);

#endif
