#include "db/conn_private.h"

#include "base/interrupt.h"
#include "base/mem.h"
#include "base/text.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

enum { NAP_MS = 50 };

/* ---- What a failure looks like ---- */

static void
copy_folded(char *target, size_t size, const char *text)
{
    if (text == NULL)
        return;
    snprintf(target, size, "%s", text);
    text_fold(target);
}

/* libpq's text: a line a failure, and below it, after a tab, what to make of it. The first such
 * advice is the hint. */
static void
split_reason(const char *text, Text *reason, Text *hint)
{
    char *copy = mem_text(text), *rest = copy, *line;
    bool advised = false;

    while ((line = strsep(&rest, "\n")) != NULL) {
        bool advises = line[0] == '\t';
        Text *target = advises ? hint : reason;

        advised = advised || (!advises && hint->length > 0);
        text_fold(line);
        if (line[0] != '\0' && !(advises && advised))
            text_printf(target, "%s%s", target->length == 0 ? "" : advises ? " " : "; ", line);
    }
    free(copy);
}

Status
db_connection_failed(DbConn *conn, const char *what, Diag *diag)
{
    Text reason = {0}, hint = {0};

    split_reason(PQerrorMessage(conn->pg), &reason, &hint);
    diag_set(diag, STATUS_SERVER, "%s: %s", what,
             reason.length > 0 ? reason.data : "no reason given");
    diag_hint(diag, "%s", text_data(&hint));
    text_release(&reason);
    text_release(&hint);
    return diag->status;
}

Status
db_connection_lost(DbConn *conn, Diag *diag)
{
    return db_connection_failed(conn, "lost the connection to the server", diag);
}

Status
db_not_sent(DbConn *conn, Diag *diag)
{
    if (PQstatus(conn->pg) != CONNECTION_OK)
        return db_connection_lost(conn, diag);
    return db_connection_failed(conn, "cannot send a statement", diag);
}

Status
db_statement_failed(DbConn *conn, const PGresult *reply, Diag *diag)
{
    const char *sqlstate = PQresultErrorField(reply, PG_DIAG_SQLSTATE);

    if (PQstatus(conn->pg) != CONNECTION_OK || reply == NULL)
        return db_connection_lost(conn, diag);
    diag_set(diag, STATUS_DB_QUERY, "the server refused a statement");
    copy_folded(diag->message, sizeof(diag->message),
                PQresultErrorField(reply, PG_DIAG_MESSAGE_PRIMARY));
    copy_folded(diag->detail, sizeof(diag->detail),
                PQresultErrorField(reply, PG_DIAG_MESSAGE_DETAIL));
    copy_folded(diag->hint, sizeof(diag->hint), PQresultErrorField(reply, PG_DIAG_MESSAGE_HINT));
    copy_folded(diag->sqlstate, sizeof(diag->sqlstate), sqlstate);
    return diag->status;
}

uint64_t
db_touched_rows(PGresult *reply)
{
    return strtoull(PQcmdTuples(reply), NULL, 10);
}

/* ---- Waiting ---- */

static Status
no_answer(const DbConn *conn, uint64_t deadline_ns, Diag *diag)
{
    diag_set(diag, STATUS_SERVER, "no answer within %llu s from %s",
             (unsigned long long)(deadline_ns / NS_PER_S), conn->label);
    diag_hint(diag, "Is the server overloaded, or the network to it cut?");
    return diag->status;
}

Status
db_wait(DbConn *conn, short events, Instant start, uint64_t deadline_ns, Diag *diag)
{
    struct pollfd end = {.fd = PQsocket(conn->pg), .events = events};

    for (;;) {
        int ready = poll(&end, 1, NAP_MS);

        if (ready < 0 && errno != EINTR)
            return diag_set(diag, STATUS_IO, "cannot wait for the server: %s", strerror(errno));
        if (!conn->uninterruptible && interrupt_requested())
            return interrupt_status(diag);
        if (ready > 0)
            return STATUS_OK;
        if (instant_elapsed_ns(start) >= deadline_ns)
            return no_answer(conn, deadline_ns, diag);
    }
}

Status
db_check_interrupt(const DbConn *conn, Diag *diag)
{
    if (!conn->uninterruptible && interrupt_requested())
        return interrupt_status(diag);
    return STATUS_OK;
}

Status
db_flush(DbConn *conn, Instant start, Diag *diag)
{
    int left;

    while ((left = PQflush(conn->pg)) > 0) {
        Status status = db_wait(conn, POLLIN | POLLOUT, start, conn->deadline_ns, diag);

        if (status != STATUS_OK)
            return status;
        if (PQconsumeInput(conn->pg) == 0) /* read, or both sides may wait for each other */
            return db_connection_lost(conn, diag);
    }
    if (left < 0)
        return db_connection_lost(conn, diag);
    return STATUS_OK;
}

Status
db_next_result(DbConn *conn, Instant start, uint64_t deadline_ns, PGresult **reply, Diag *diag)
{
    while (PQisBusy(conn->pg)) {
        Status status = db_wait(conn, POLLIN, start, deadline_ns, diag);

        if (status != STATUS_OK)
            return status;
        if (PQconsumeInput(conn->pg) == 0)
            return db_connection_lost(conn, diag);
    }
    *reply = PQgetResult(conn->pg);
    return STATUS_OK;
}

void
db_cancel_and_drain(DbConn *conn)
{
    bool uninterruptible = conn->uninterruptible;
    Instant start = instant_now();
    PGresult *reply = NULL;
    Diag ignored;

    if (!db_cancel(conn)) /* then its end would be waited for in vain */
        return;
    conn->uninterruptible = true;
    while (db_next_result(conn, start, DB_CANCEL_DEADLINE_NS, &reply, &ignored) == STATUS_OK) {
        ExecStatusType outcome = PQresultStatus(reply);

        if (reply == NULL)
            break;
        PQclear(reply);
        if (outcome == PGRES_COPY_IN && PQputCopyEnd(conn->pg, "interrupted") < 0)
            break;
        if (PQstatus(conn->pg) != CONNECTION_OK)
            break;
    }
    conn->uninterruptible = uninterruptible;
}

Status
db_collect(DbConn *conn, Instant start, PGresult **reply, Diag *diag)
{
    PGresult *first = NULL, *next = NULL;
    Status status = db_next_result(conn, start, conn->deadline_ns, &first, diag);

    while (status == STATUS_OK && first != NULL && PQresultStatus(first) != PGRES_COPY_IN) {
        status = db_next_result(conn, start, conn->deadline_ns, &next, diag);
        if (status != STATUS_OK || next == NULL)
            break;
        PQclear(next);
    }
    if (status == STATUS_OK)
        *reply = first;
    else
        PQclear(first);
    return status;
}

Status
db_run_statement(DbConn *conn, const char *sql, DbParams params, PGresult **reply, Diag *diag)
{
    Instant start = instant_now();
    Status status = db_check_interrupt(conn, diag);

    if (status != STATUS_OK)
        return status;
    if (PQsendQueryParams(conn->pg, sql, params.count, NULL, params.values, NULL, NULL, 0) == 0)
        return db_not_sent(conn, diag);
    status = db_flush(conn, start, diag);
    if (status == STATUS_OK)
        status = db_collect(conn, start, reply, diag);
    if (status != STATUS_OK && PQstatus(conn->pg) == CONNECTION_OK)
        db_cancel_and_drain(conn);
    return status;
}

Status
db_query(DbConn *conn, const char *sql, DbParams params, DbShape shape, DbRows **rows, Diag *diag)
{
    PGresult *reply = NULL;
    Status status = db_run_statement(conn, sql, params, &reply, diag);
    ExecStatusType outcome = PQresultStatus(reply);

    if (status != STATUS_OK)
        return status;
    if (outcome != PGRES_TUPLES_OK && outcome != PGRES_COMMAND_OK)
        status = db_statement_failed(conn, reply, diag);
    else if (shape == DB_ONE_ROW && PQntuples(reply) != 1)
        status = diag_set(diag, STATUS_DB_QUERY, "expected one row, got %d", PQntuples(reply));
    if (status == STATUS_OK)
        *rows = reply;
    else
        PQclear(reply);
    return status;
}

Status
db_exec(DbConn *conn, const char *sql, DbParams params, Diag *diag)
{
    DbRows *rows = NULL;
    Status status = db_query(conn, sql, params, DB_ANY_ROWS, &rows, diag);

    db_rows_free(rows);
    return status;
}

Status
db_exec_script(DbConn *conn, const char *sql, Diag *diag)
{
    Instant start = instant_now();
    PGresult *reply = NULL;
    bool ended = false;
    Status status = db_check_interrupt(conn, diag), failed = STATUS_OK;

    if (status != STATUS_OK)
        return status;
    if (PQsendQuery(conn->pg, sql) == 0)
        return db_not_sent(conn, diag);
    status = db_flush(conn, start, diag);
    while (status == STATUS_OK && !ended) {
        status = db_next_result(conn, start, conn->deadline_ns, &reply, diag);
        ended = status == STATUS_OK && reply == NULL;
        if (status == STATUS_OK && !ended && PQresultStatus(reply) == PGRES_FATAL_ERROR)
            failed = db_statement_failed(conn, reply, diag);
        PQclear(reply);
        reply = NULL;
    }
    if (status != STATUS_OK && PQstatus(conn->pg) == CONNECTION_OK)
        db_cancel_and_drain(conn);
    return status != STATUS_OK ? status : failed;
}

Status
db_send(DbConn *conn, const char *sql, Diag *diag)
{
    Status status = db_check_interrupt(conn, diag);

    if (status != STATUS_OK)
        return status;
    if (PQsendQueryParams(conn->pg, sql, 0, NULL, NULL, NULL, NULL, 0) == 0)
        return db_not_sent(conn, diag);
    return db_flush(conn, instant_now(), diag);
}

/* Whether an answer has come, or the connection is lost, within `wait_ns`. */
static Status
await_answer(DbConn *conn, uint64_t wait_ns, bool *ready, Diag *diag)
{
    Instant start = instant_now();

    while (PQisBusy(conn->pg)) {
        Diag timeout = {0};
        Status status = db_wait(conn, POLLIN, start, wait_ns, &timeout);

        if (status == STATUS_SERVER) /* the time is up */
            return STATUS_OK;
        if (status != STATUS_OK) {
            *diag = timeout;
            return status;
        }
        if (PQconsumeInput(conn->pg) == 0)
            return db_connection_lost(conn, diag);
    }
    *ready = true;
    return STATUS_OK;
}

static bool
is_copy(const PGresult *reply)
{
    return PQresultStatus(reply) == PGRES_COPY_IN || PQresultStatus(reply) == PGRES_COPY_OUT;
}

/* The statement's result, or the error of the commit that follows it in the same cycle. */
static Status
collect_with_commit(DbConn *conn, PGresult **reply, Diag *diag)
{
    PGresult *kept = NULL, *next = NULL;
    Instant start = instant_now();
    Status status = db_next_result(conn, start, conn->deadline_ns, &kept, diag);

    while (status == STATUS_OK && kept != NULL && !is_copy(kept)) {
        status = db_next_result(conn, start, conn->deadline_ns, &next, diag);
        if (status != STATUS_OK || next == NULL)
            break;
        if (PQresultStatus(next) == PGRES_FATAL_ERROR) {
            PQclear(kept);
            kept = next;
        } else {
            PQclear(next);
        }
    }
    *reply = kept;
    return status;
}

Status
db_finish(DbConn *conn, uint64_t wait_ns, bool *finished, DbRows **rows, Diag *diag)
{
    PGresult *reply = NULL;
    bool ready = false;
    Status status = await_answer(conn, wait_ns, &ready, diag);
    ExecStatusType outcome;

    if (status != STATUS_OK || !ready) {
        *finished = false;
        return status;
    }
    *finished = true;
    status = collect_with_commit(conn, &reply, diag);
    outcome = PQresultStatus(reply);
    if (status == STATUS_OK && outcome != PGRES_TUPLES_OK && outcome != PGRES_COMMAND_OK)
        status = db_statement_failed(conn, reply, diag);
    if (status == STATUS_OK)
        *rows = reply;
    else
        PQclear(reply);
    return status;
}
