#include "db/stmt.h"

#include "base/mem.h"
#include "db/conn_private.h"

#include <limits.h>
#include <stdlib.h>

enum {
    FLIGHT_MAX = 512,      /* statements and syncs on their way */
    QUEUE_BYTES = 1 << 16, /* queued here at most, but for one statement */
};

struct DbStmt {
    DbConn *conn;
    char *name;
    size_t param_count;
    const char **values;
    int *lengths;
    int *formats; /* all binary */
};

/* Answers come in the order of what was sent: sent = answered + in flight. */
struct DbPipeline {
    DbConn *conn;
    uint64_t sent_count, answered_count; /* statements and syncs */
    uint64_t sync_count;                 /* of them, syncs not answered yet */
    uint64_t row_count;
    size_t queued_bytes; /* since the last flush */
    bool open_transaction;
};

static DbStmt *
new_stmt(DbConn *conn, const char *name, size_t param_count)
{
    DbStmt *stmt = mem_new(1, sizeof(*stmt));

    *stmt = (DbStmt){.conn = conn, .name = mem_text(name), .param_count = param_count};
    stmt->values = mem_new(param_count, sizeof(*stmt->values));
    stmt->lengths = mem_new(param_count, sizeof(*stmt->lengths));
    stmt->formats = mem_new(param_count, sizeof(*stmt->formats));
    for (size_t i = 0; i < param_count; i++)
        stmt->formats[i] = 1;
    return stmt;
}

Status
stmt_prepare(DbConn *conn, const char *name, const char *sql, size_t param_count, DbStmt **stmt,
             Diag *diag)
{
    Status status = db_check_interrupt(conn, diag);
    PGresult *reply = NULL;
    Instant start = instant_now();

    if (param_count > STMT_PARAMS_MAX)
        BUG("a statement with %zu parameters", param_count);
    if (status != STATUS_OK)
        return status;
    if (PQsendPrepare(conn->pg, name, sql, 0, NULL) == 0)
        return db_not_sent(conn, diag);
    status = db_flush(conn, start, diag);
    if (status == STATUS_OK)
        status = db_collect(conn, start, &reply, diag);
    if (status != STATUS_OK && PQstatus(conn->pg) == CONNECTION_OK)
        db_cancel_and_drain(conn);
    else if (status == STATUS_OK && PQresultStatus(reply) != PGRES_COMMAND_OK)
        status = db_statement_failed(conn, reply, diag);
    PQclear(reply);
    if (status == STATUS_OK)
        *stmt = new_stmt(conn, name, param_count);
    return status;
}

void
stmt_free(DbStmt *stmt)
{
    if (stmt == NULL)
        return;
    free(stmt->name);
    free(stmt->values);
    free(stmt->lengths);
    free(stmt->formats);
    free(stmt);
}

size_t
stmt_param_count(const DbStmt *stmt)
{
    return stmt->param_count;
}

void
stmt_bind(DbStmt *stmt, size_t index, const void *bytes, size_t length)
{
    if (index >= stmt->param_count || length > INT_MAX)
        BUG("parameter %zu of %zu bytes", index, length);
    stmt->values[index] = bytes;
    stmt->lengths[index] = (int)length;
}

static Status
send(DbStmt *stmt, Diag *diag)
{
    Status status = db_check_interrupt(stmt->conn, diag);

    if (status != STATUS_OK)
        return status;
    if (PQsendQueryPrepared(stmt->conn->pg, stmt->name, (int)stmt->param_count, stmt->values,
                            stmt->lengths, stmt->formats, 0) == 0)
        return db_not_sent(stmt->conn, diag);
    return STATUS_OK;
}

static bool
is_success(const PGresult *reply)
{
    return PQresultStatus(reply) == PGRES_COMMAND_OK || PQresultStatus(reply) == PGRES_TUPLES_OK;
}

/* On success the reply is the caller's to clear. */
static Status
run(DbStmt *stmt, PGresult **reply, Diag *diag)
{
    DbConn *conn = stmt->conn;
    Instant start = instant_now();
    PGresult *got = NULL;
    Status status = send(stmt, diag);

    if (status != STATUS_OK)
        return status;
    status = db_flush(conn, start, diag);
    if (status == STATUS_OK)
        status = db_collect(conn, start, &got, diag);
    if (status != STATUS_OK && PQstatus(conn->pg) == CONNECTION_OK)
        db_cancel_and_drain(conn);
    else if (status == STATUS_OK && !is_success(got))
        status = db_statement_failed(conn, got, diag);
    if (status == STATUS_OK)
        *reply = got;
    else
        PQclear(got);
    return status;
}

Status
stmt_run(DbStmt *stmt, uint64_t *row_count, Diag *diag)
{
    PGresult *reply = NULL;
    Status status = run(stmt, &reply, diag);

    if (status == STATUS_OK && row_count != NULL)
        *row_count = db_touched_rows(reply);
    PQclear(reply);
    return status;
}

Status
stmt_query(DbStmt *stmt, DbRows **rows, Diag *diag)
{
    return run(stmt, rows, diag);
}

/* ---- Pipeline ---- */

DbPipeline *
stmt_pipeline_open(DbConn *conn)
{
    DbPipeline *pipeline = mem_new(1, sizeof(*pipeline));

    if (PQenterPipelineMode(conn->pg) == 0)
        BUG("a pipeline on a connection that is busy");
    pipeline->conn = conn;
    return pipeline;
}

/* Account for one answer. NULL stands between two statements' answers. */
static Status
take_answer(DbPipeline *pipeline, PGresult *reply, Diag *diag)
{
    DbConn *conn = pipeline->conn;
    Status status = STATUS_OK;

    if (reply == NULL)
        return PQstatus(conn->pg) == CONNECTION_OK ? STATUS_OK : db_connection_lost(conn, diag);
    if (PQresultStatus(reply) == PGRES_PIPELINE_SYNC)
        pipeline->sync_count--;
    else if (is_success(reply))
        pipeline->row_count += db_touched_rows(reply);
    else
        status = db_statement_failed(conn, reply, diag);
    pipeline->answered_count++;
    PQclear(reply);
    return status;
}

/* Read answers until at most `flight_max` are missing. */
static Status
collect(DbPipeline *pipeline, uint64_t flight_max, Diag *diag)
{
    DbConn *conn = pipeline->conn;
    Instant start = instant_now();
    Status status = STATUS_OK;

    while (status == STATUS_OK && pipeline->sent_count - pipeline->answered_count > flight_max) {
        PGresult *reply = NULL;

        status = db_next_result(conn, start, conn->deadline_ns, &reply, diag);
        if (status == STATUS_OK)
            status = take_answer(pipeline, reply, diag);
    }
    return status;
}

/* Keep what is on its way small: the server answers when asked to, not only at the next sync. */
static Status
make_room(DbPipeline *pipeline, Diag *diag)
{
    DbConn *conn = pipeline->conn;
    bool full = pipeline->sent_count - pipeline->answered_count >= FLIGHT_MAX;
    Status status;

    if (!full && pipeline->queued_bytes < QUEUE_BYTES)
        return STATUS_OK;
    if (full && pipeline->open_transaction && PQsendFlushRequest(conn->pg) == 0)
        return db_not_sent(conn, diag);
    pipeline->queued_bytes = 0;
    status = db_flush(conn, instant_now(), diag);
    if (status == STATUS_OK && full)
        status = collect(pipeline, FLIGHT_MAX / 2, diag);
    return status;
}

Status
stmt_pipeline_send(DbPipeline *pipeline, DbStmt *stmt, Diag *diag)
{
    Status status = send(stmt, diag);

    if (status != STATUS_OK)
        return status;
    pipeline->sent_count++;
    pipeline->open_transaction = true;
    for (size_t i = 0; i < stmt->param_count; i++)
        pipeline->queued_bytes += (size_t)stmt->lengths[i];
    return make_room(pipeline, diag);
}

Status
stmt_pipeline_sync(DbPipeline *pipeline, Diag *diag)
{
    if (PQpipelineSync(pipeline->conn->pg) == 0)
        return db_not_sent(pipeline->conn, diag);
    pipeline->sent_count++;
    pipeline->sync_count++;
    pipeline->open_transaction = false;
    return make_room(pipeline, diag);
}

Status
stmt_pipeline_finish(DbPipeline *pipeline, uint64_t *row_count, Diag *diag)
{
    Status status = STATUS_OK;

    if (pipeline->open_transaction)
        status = stmt_pipeline_sync(pipeline, diag);
    if (status == STATUS_OK)
        status = db_flush(pipeline->conn, instant_now(), diag);
    if (status == STATUS_OK)
        status = collect(pipeline, 0, diag);
    if (status == STATUS_OK)
        *row_count = pipeline->row_count;
    return status;
}

/* Give up what is in flight, so that the connection can be used for cleaning up. */
static void
drain(DbPipeline *pipeline)
{
    DbConn *conn = pipeline->conn;
    bool uninterruptible = conn->uninterruptible;
    Instant start = instant_now();
    Diag ignored;
    Status status = STATUS_OK;

    conn->uninterruptible = true;
    db_cancel(conn);
    if (pipeline->open_transaction && PQpipelineSync(conn->pg) != 0)
        pipeline->sync_count++;
    status = db_flush(conn, start, &ignored);
    while (status == STATUS_OK && pipeline->sync_count > 0 && PQstatus(conn->pg) == CONNECTION_OK) {
        PGresult *reply = NULL;

        status = db_next_result(conn, start, DB_CANCEL_DEADLINE_NS, &reply, &ignored);
        if (PQresultStatus(reply) == PGRES_PIPELINE_SYNC)
            pipeline->sync_count--;
        PQclear(reply);
    }
    conn->uninterruptible = uninterruptible;
}

void
stmt_pipeline_close(DbPipeline *pipeline)
{
    if (pipeline == NULL)
        return;
    if (pipeline->sent_count > pipeline->answered_count)
        drain(pipeline);
    /* Refused only where the connection is lost or not drained: then all later calls fail too. */
    PQexitPipelineMode(pipeline->conn->pg);
    free(pipeline);
}
