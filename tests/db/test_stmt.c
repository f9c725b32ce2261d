/* db/stmt on real servers: binary parameters, pipelines, errors, deadlines, and a connection that
 * is usable after each of them. */
#include "support/servers.h"
#include "support/tap.h"

#include "base/clock.h"
#include "base/interrupt.h"
#include "db/stmt.h"

enum { MANY = 3000 }; /* more than a pipeline has in flight */

static void
encode(uint32_t number, uint8_t *bytes)
{
    for (int i = 0; i < 4; i++)
        bytes[i] = (uint8_t)(number >> (8 * (3 - i)));
}

static uint64_t
count_rows(DbConn *conn)
{
    DbRows *rows = NULL;
    Diag diag = {0};
    uint64_t count = UINT64_MAX;

    if (db_query(conn, "SELECT count(*) AS count FROM pg_temp.numbers", DB_NO_PARAMS, DB_ONE_ROW,
                 &rows, &diag) != STATUS_OK ||
        db_cell_u64(rows, 0, "count", &count, &diag) != STATUS_OK)
        printf("# %s\n", diag.message);
    db_rows_free(rows);
    return count;
}

static DbStmt *
prepare(DbConn *conn, const char *name, const char *sql, size_t params)
{
    DbStmt *stmt = NULL;
    Diag diag = {0};

    if (stmt_prepare(conn, name, sql, params, &stmt, &diag) != STATUS_OK)
        BUG("%s: %s", sql, diag.message);
    return stmt;
}

static void
test_single(DbConn *conn)
{
    DbStmt *stmt = NULL;
    Diag diag = {0};
    uint8_t bytes[2][4];
    uint64_t rows = 0;

    tap_u64(stmt_prepare(conn, "bad", "INSERT INTO no_such VALUES ($1)", 1, &stmt, &diag),
            STATUS_DB_QUERY, "a statement that cannot be prepared");
    tap_text(diag.sqlstate, "42P01", "  its SQLSTATE");
    tap_ok(stmt == NULL, "  nothing is handed over");
    stmt = prepare(conn, "two", "INSERT INTO pg_temp.numbers VALUES ($1), ($2)", 2);
    encode(1, bytes[0]);
    encode(2, bytes[1]);
    stmt_bind(stmt, 0, bytes[0], sizeof(bytes[0]));
    stmt_bind(stmt, 1, bytes[1], sizeof(bytes[1]));
    tap_u64(stmt_run(stmt, &rows, &diag), STATUS_OK, "two rows in one statement");
    tap_u64(rows, 2, "  by the server's word");
    tap_u64(stmt_run(stmt, &rows, &diag), STATUS_DB_QUERY, "the same again");
    tap_text(diag.sqlstate, "23505", "  is refused");
    stmt_bind(stmt, 0, bytes[0], 3);
    tap_u64(stmt_run(stmt, &rows, &diag), STATUS_DB_QUERY, "an integer of three bytes");
    tap_text(diag.sqlstate, "08P01", "  is malformed");
    tap_u64(count_rows(conn), 2, "the connection is usable");
    stmt_free(stmt);
    stmt_free(NULL);
}

static Status
send_numbers(DbPipeline *pipeline, DbStmt *stmt, uint32_t first, uint32_t count, uint32_t together,
             Diag *diag)
{
    Status status = STATUS_OK;
    uint8_t bytes[4];

    for (uint32_t i = 0; status == STATUS_OK && i < count; i++) {
        encode(first + i, bytes);
        stmt_bind(stmt, 0, bytes, sizeof(bytes));
        status = stmt_pipeline_send(pipeline, stmt, diag);
        if (status == STATUS_OK && (i + 1) % together == 0)
            status = stmt_pipeline_sync(pipeline, diag);
    }
    return status;
}

static void
test_pipeline(DbConn *conn)
{
    static const uint32_t TOGETHER[] = {1, 7, MANY};
    DbStmt *stmt = prepare(conn, "one", "INSERT INTO pg_temp.numbers VALUES ($1)", 1);
    Diag diag = {0};
    uint64_t before = count_rows(conn);

    for (size_t i = 0; i < ARRAY_LEN(TOGETHER); i++) {
        DbPipeline *pipeline = stmt_pipeline_open(conn);
        uint64_t rows = 0;
        uint32_t first = 100 + (uint32_t)i * MANY;

        tap_u64(send_numbers(pipeline, stmt, first, MANY, TOGETHER[i], &diag), STATUS_OK,
                "many statements in flight");
        tap_u64(stmt_pipeline_finish(pipeline, &rows, &diag), STATUS_OK, "  all are answered");
        tap_u64(rows, MANY, "  and counted");
        stmt_pipeline_close(pipeline);
        tap_u64(count_rows(conn), before + (i + 1) * MANY, "  and there");
    }
    stmt_free(stmt);
}

/* What was synced before the failure stays, the rest goes. */
static void
test_pipeline_error(DbConn *conn)
{
    DbStmt *stmt = prepare(conn, "again", "INSERT INTO pg_temp.numbers VALUES ($1)", 1);
    Diag diag = {0};
    uint64_t rows = 99, before = count_rows(conn);
    uint8_t bytes[4];
    DbPipeline *pipeline = stmt_pipeline_open(conn);
    Status status = send_numbers(pipeline, stmt, 1000000, 10, 10, &diag);
    if (status == STATUS_OK)
        status = send_numbers(pipeline, stmt, 2000000, 10, 100, &diag);
    encode(1000005, bytes);
    stmt_bind(stmt, 0, bytes, sizeof(bytes));
    if (status == STATUS_OK)
        status = stmt_pipeline_send(pipeline, stmt, &diag);
    if (status == STATUS_OK)
        status = stmt_pipeline_finish(pipeline, &rows, &diag);
    tap_u64(status, STATUS_DB_QUERY, "a duplicate in a pipeline");
    tap_text(diag.sqlstate, "23505", "  its SQLSTATE");
    tap_u64(rows, 99, "  no count is given");
    stmt_pipeline_close(pipeline);
    tap_u64(count_rows(conn), before + 10, "the transaction before it stands, its own does not");
    stmt_pipeline_close(NULL);
    stmt_free(stmt);
}

static void
test_deadline(DbConn *conn)
{
    DbStmt *stmt = prepare(conn, "sleep", "SELECT pg_sleep($1)", 1);
    DbPipeline *pipeline;
    Diag diag = {0};
    static const uint8_t MINUTE[8] = {0x40, 0x4e}; /* 60.0 */
    uint64_t rows = 0;

    stmt_bind(stmt, 0, MINUTE, sizeof(MINUTE));
    db_set_deadline(conn, NS_PER_S / 5);
    tap_u64(stmt_run(stmt, NULL, &diag), STATUS_SERVER, "a statement past its deadline");
    tap_contains(diag.message, "no answer within", "  says so");
    pipeline = stmt_pipeline_open(conn);
    if (stmt_pipeline_send(pipeline, stmt, &diag) != STATUS_OK)
        printf("# %s\n", diag.message);
    tap_u64(stmt_pipeline_finish(pipeline, &rows, &diag), STATUS_SERVER, "the same in a pipeline");
    stmt_pipeline_close(pipeline);
    db_set_deadline(conn, 60 * NS_PER_S);
    tap_ok(count_rows(conn) > 0, "both were cancelled, and the connection is usable");
    stmt_free(stmt);
}

static void
test_lost(const Cluster *cluster, DbConn *conn)
{
    DbConn *victim = test_connect(cluster);
    DbStmt *stmt = prepare(victim, "one", "SELECT $1::integer", 1);
    DbPipeline *pipeline = stmt_pipeline_open(victim);
    Diag diag = {0};
    char pid[16];
    uint64_t rows = 0;
    Status status;

    snprintf(pid, sizeof(pid), "%d", db_backend_pid(victim));
    if (db_exec(conn, "SELECT pg_terminate_backend($1::int, 10000)", DB_PARAMS(pid), &diag) !=
        STATUS_OK)
        printf("# %s\n", diag.message);
    status = send_numbers(pipeline, stmt, 1, MANY, 1, &diag);
    if (status == STATUS_OK)
        status = stmt_pipeline_finish(pipeline, &rows, &diag);
    tap_u64(status, STATUS_SERVER, "a connection that is lost under a pipeline");
    tap_contains(diag.message, "lost the connection", "  says so");
    stmt_pipeline_close(pipeline);
    stmt_free(stmt);
    db_close(victim);
}

static void
test_twin(DbConn *conn)
{
    DbConn *twin = NULL;
    Diag diag = {0};

    tap_u64(db_open_like(conn, &twin, &diag), STATUS_OK, "another connection like this one");
    tap_text(twin != NULL ? db_label(twin) : "", db_label(conn), "  leads to the same place");
    tap_ok(twin != NULL && db_backend_pid(twin) != db_backend_pid(conn), "  in another session");
    db_close(twin);
}

/* The last test: a request cannot be taken back. */
static void
test_interrupt(DbConn *conn)
{
    DbStmt *stmt = prepare(conn, "last", "INSERT INTO pg_temp.numbers VALUES ($1)", 1);
    DbPipeline *pipeline = stmt_pipeline_open(conn);
    Diag diag = {0};
    uint64_t rows = 0, before;
    Status status = send_numbers(pipeline, stmt, 3000000, 100, 1000, &diag);

    tap_u64(status, STATUS_OK, "statements in flight");
    interrupt_request();
    tap_u64(stmt_pipeline_finish(pipeline, &rows, &diag), STATUS_INTERRUPTED, "interrupted");
    stmt_pipeline_close(pipeline);
    db_set_uninterruptible(conn, true);
    before = count_rows(conn);
    tap_ok(before != UINT64_MAX, "the connection is usable for cleaning up");
    db_set_uninterruptible(conn, false);
    tap_u64(stmt_run(stmt, NULL, &diag), STATUS_INTERRUPTED, "nothing starts any more");
    stmt_free(stmt);
}

static void
test_server(const ServerPrograms *programs, bool last)
{
    Cluster *cluster = test_cluster_start(programs->bindir);
    DbConn *conn = test_connect(cluster);
    Diag diag = {0};

    printf("# PostgreSQL %s\n", programs->version);
    tap_u64(db_exec(conn, "CREATE TEMPORARY TABLE numbers (n integer PRIMARY KEY)", DB_NO_PARAMS,
                    &diag),
            STATUS_OK, "a table");
    test_single(conn);
    test_pipeline(conn);
    test_pipeline_error(conn);
    test_deadline(conn);
    test_lost(cluster, conn);
    test_twin(conn);
    if (last)
        test_interrupt(conn);
    db_close(conn);
    cluster_stop(cluster);
}

int
main(void)
{
    TestServers servers;

    interrupt_install();
    test_servers_find(&servers);
    for (size_t i = 0; i < servers.count; i++)
        test_server(&servers.programs[i], i + 1 == servers.count);
    return tap_done();
}
