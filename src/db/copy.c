#include "db/copy.h"

#include "db/conn_private.h"

#include <limits.h>

Status
db_copy_begin(DbConn *conn, const char *sql, Diag *diag)
{
    PGresult *reply = NULL;
    Status status = db_run_statement(conn, sql, DB_NO_PARAMS, &reply, diag);

    if (status == STATUS_OK && PQresultStatus(reply) != PGRES_COPY_IN)
        status = db_statement_failed(conn, reply, diag);
    PQclear(reply);
    return status;
}

Status
db_copy_put(DbConn *conn, const void *bytes, size_t length, Diag *diag)
{
    Status status = db_flush(conn, instant_now(), diag);

    if (length > INT_MAX)
        BUG("a COPY block of %zu bytes", length);
    if (status == STATUS_OK && PQputCopyData(conn->pg, bytes, (int)length) != 1)
        status = db_connection_lost(conn, diag);
    if (status != STATUS_OK && PQstatus(conn->pg) == CONNECTION_OK)
        db_cancel_and_drain(conn);
    return status;
}

/* Say that no more comes, and collect the answer. */
static Status
finish(DbConn *conn, const char *reason_or_null, PGresult **reply, Diag *diag)
{
    Instant start = instant_now();
    Status status = db_flush(conn, start, diag);

    if (status == STATUS_OK && PQputCopyEnd(conn->pg, reason_or_null) != 1)
        status = db_connection_lost(conn, diag);
    if (status == STATUS_OK)
        status = db_flush(conn, start, diag);
    if (status == STATUS_OK)
        status = db_collect(conn, start, reply, diag);
    if (status != STATUS_OK && PQstatus(conn->pg) == CONNECTION_OK)
        db_cancel_and_drain(conn);
    return status;
}

Status
db_copy_end(DbConn *conn, uint64_t *row_count, Diag *diag)
{
    PGresult *reply = NULL;
    Status status = finish(conn, NULL, &reply, diag);

    if (status == STATUS_OK && PQresultStatus(reply) != PGRES_COMMAND_OK)
        status = db_statement_failed(conn, reply, diag);
    if (status == STATUS_OK)
        *row_count = db_touched_rows(reply);
    PQclear(reply);
    return status;
}

Status
db_copy_give_up(DbConn *conn, const char *reason, Diag *diag)
{
    PGresult *reply = NULL;
    Status status = finish(conn, reason, &reply, diag);

    PQclear(reply);
    return status;
}
