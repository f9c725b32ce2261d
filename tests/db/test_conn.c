/* db/conn on real servers: shapes, typed cells, errors with SQLSTATE, COPY, deadline, cancel, a
 * lost connection. */
#include "support/servers.h"
#include "support/tap.h"

#include "base/clock.h"
#include "db/copy.h"
#include "db/schema.h"
#include "db/wal.h"

static void
test_cells(DbConn *conn)
{
    DbRows *rows = NULL;
    Diag diag = {0};
    uint64_t whole = 99;
    double number = 99;
    bool truth = true;

    tap_u64(db_query(conn, "SELECT 42 AS whole, 2.5 AS number, false AS truth, NULL AS nothing",
                     DB_NO_PARAMS, DB_ONE_ROW, &rows, &diag),
            STATUS_OK, "a query with one row");
    tap_u64(db_cell_u64(rows, 0, "whole", &whole, &diag), STATUS_OK, "a whole number is read");
    tap_u64(whole, 42, "its value");
    tap_u64(db_cell_double(rows, 0, "number", &number, &diag), STATUS_OK, "a number is read");
    tap_near(number, 2.5, 0, "its value");
    tap_u64(db_cell_bool(rows, 0, "truth", &truth, &diag), STATUS_OK, "a boolean is read");
    tap_ok(!truth, "its value");
    tap_u64(db_cell_u64(rows, 0, "number", &whole, &diag), STATUS_DB_QUERY,
            "2.5 is no whole number");
    tap_u64(whole, 42, "the out parameter is untouched on failure");
    tap_u64(db_cell_u64(rows, 0, "nothing", &whole, &diag), STATUS_DB_QUERY, "null is no number");
    tap_contains(diag.message, "\"nothing\" holds null", "the message names the column");
    db_rows_free(rows);
}

static void
test_errors(DbConn *conn)
{
    DbRows *rows = NULL;
    Diag diag = {0};

    tap_u64(db_exec(conn, "SELECT * FROM no_such_table", DB_NO_PARAMS, &diag), STATUS_DB_QUERY,
            "a missing table");
    tap_text(diag.sqlstate, "42P01", "the server's SQLSTATE is kept");
    tap_contains(diag.message, "no_such_table", "and its message");
    tap_u64(db_query(conn, "SELECT generate_series(1, 2)", DB_NO_PARAMS, DB_ONE_ROW, &rows, &diag),
            STATUS_DB_QUERY, "two rows where one is expected");
    tap_ok(rows == NULL, "no rows are handed over on failure");
    tap_u64(db_exec(conn, "SELECT $1::int", DB_PARAMS("x'; DROP TABLE y; --"), &diag),
            STATUS_DB_QUERY, "a parameter is a value, never SQL");
    tap_text(diag.sqlstate, "22P02", "it fails as a malformed integer");
    tap_u64(db_exec(conn, "SELECT 1", DB_NO_PARAMS, &diag), STATUS_OK,
            "the connection is usable after errors");
}

static void
test_quoting(DbConn *conn)
{
    char *name = db_quote_name(conn, "we\"ird'; --");
    char *literal = db_quote_literal(conn, "it's \\ odd");

    tap_text(name, "\"we\"\"ird'; --\"", "an identifier is quoted");
    tap_contains(literal, "it''s", "a literal is quoted");
    free(name);
    free(literal);
}

static void
test_deadline(DbConn *conn)
{
    Diag diag = {0};

    db_set_deadline(conn, NS_PER_S / 5);
    tap_u64(db_exec(conn, "SELECT pg_sleep(60)", DB_NO_PARAMS, &diag), STATUS_SERVER,
            "a statement past its deadline");
    tap_contains(diag.message, "no answer within", "the message says so");
    db_set_deadline(conn, 60 * NS_PER_S);
    tap_u64(db_exec(conn, "SELECT 1", DB_NO_PARAMS, &diag), STATUS_OK,
            "it was cancelled, and the connection is usable");
}

static void
test_copy(DbConn *conn)
{
    DbRows *rows = NULL;
    Diag diag = {0};
    uint64_t count = 0;

    tap_u64(db_exec(conn, "CREATE TEMPORARY TABLE copied (n int)", DB_NO_PARAMS, &diag), STATUS_OK,
            "a table for COPY");
    tap_u64(db_copy_begin(conn, "COPY pg_temp.copied FROM STDIN", &diag), STATUS_OK, "COPY begins");
    tap_u64(db_copy_put(conn, "1\n2\n", 4, &diag), STATUS_OK, "rows are sent");
    tap_u64(db_copy_end(conn, &count, &diag), STATUS_OK, "COPY ends");
    tap_u64(count, 2, "and says how many rows came");
    tap_u64(db_copy_begin(conn, "COPY pg_temp.copied FROM STDIN", &diag), STATUS_OK, "again");
    tap_u64(db_copy_put(conn, "x\n", 2, &diag), STATUS_OK, "a bad row is sent");
    tap_u64(db_copy_end(conn, &count, &diag), STATUS_DB_QUERY, "and refused at the end");
    tap_text(diag.sqlstate, "22P02", "with the server's SQLSTATE");
    tap_u64(db_copy_begin(conn, "COPY pg_temp.copied FROM STDIN", &diag), STATUS_OK, "a third");
    tap_u64(db_copy_give_up(conn, "given up", &diag), STATUS_OK, "given up by the client");
    tap_u64(db_copy_begin(conn, "COPY no_such FROM STDIN", &diag), STATUS_DB_QUERY,
            "COPY into a missing table");
    if (db_query(conn, "SELECT count(*) AS count FROM pg_temp.copied", DB_NO_PARAMS, DB_ONE_ROW,
                 &rows, &diag) == STATUS_OK &&
        db_cell_u64(rows, 0, "count", &count, &diag) == STATUS_OK)
        tap_u64(count, 2, "only the good rows are there");
    db_rows_free(rows);
}

static void
test_lost(const Cluster *cluster, DbConn *conn)
{
    DbConn *victim = test_connect(cluster);
    char pid[16];
    Diag diag = {0};

    snprintf(pid, sizeof(pid), "%d", db_backend_pid(victim));
    tap_u64(db_exec(conn, "SELECT pg_terminate_backend($1::int)", DB_PARAMS(pid), &diag), STATUS_OK,
            "the backend is terminated");
    tap_u64(db_exec(victim, "SELECT 1", DB_NO_PARAMS, &diag), STATUS_SERVER, "a lost connection");
    tap_contains(diag.message, "lost the connection", "the message says so");
    db_close(victim);
}

static void
test_refused(void)
{
    const DbTarget target = {.host = "/nonexistent", .dbname = "password=secret dbname=x"};
    DbConn *conn = NULL;
    Diag diag = {0};

    tap_u64(db_open(&target, &conn, &diag), STATUS_SERVER, "no server there");
    tap_ok(conn == NULL, "no connection is handed over");
    tap_ok(strstr(diag.message, "secret") == NULL, "the password is not in the message");
}

static void
test_schema(const Cluster *cluster, DbConn *conn)
{
    DbConn *other = test_connect(cluster);
    Diag diag = {0};

    tap_u64(schema_claim(conn, &diag), STATUS_OK, "the schema is claimed");
    tap_u64(schema_claim(other, &diag), STATUS_SERVER, "a second run is refused");
    tap_contains(diag.message, "another keybench run", "and told why");
    tap_u64(
        db_exec(conn, "CREATE TABLE keybench.parent (id int PRIMARY KEY);", DB_NO_PARAMS, &diag),
        STATUS_OK, "a table");
    tap_u64(db_exec(conn, "CREATE TABLE keybench.child (id int REFERENCES keybench.parent)",
                    DB_NO_PARAMS, &diag),
            STATUS_OK, "and one that references it");
    tap_u64(schema_release(conn, &diag), STATUS_OK, "both go with the schema");
    tap_u64(schema_claim(other, &diag), STATUS_OK, "then the second run may");
    tap_u64(db_exec(other, "SELECT pg_advisory_unlock_all()", DB_NO_PARAMS, &diag), STATUS_OK,
            "it is lost, and leaves the schema");
    db_close(other);
    tap_u64(schema_claim(conn, &diag), STATUS_OK, "what a lost run left is taken over");
    tap_u64(db_exec(conn, "CREATE TABLE keybench.kept (id int)", DB_NO_PARAMS, &diag), STATUS_OK,
            "a table of ours");
    tap_u64(db_exec(conn, "CREATE VIEW public.theirs AS SELECT * FROM keybench.kept", DB_NO_PARAMS,
                    &diag),
            STATUS_OK, "somebody's view on it");
    tap_u64(schema_release(conn, &diag), STATUS_DB_QUERY, "nothing of theirs is dropped with it");
    tap_u64(db_exec(conn, "DROP VIEW public.theirs", DB_NO_PARAMS, &diag), STATUS_OK,
            "they drop it");
    tap_u64(schema_release(conn, &diag), STATUS_OK, "then ours goes");
    tap_u64(db_exec(conn, "CREATE SCHEMA keybench", DB_NO_PARAMS, &diag), STATUS_OK,
            "a schema of that name by somebody else");
    tap_u64(schema_claim(conn, &diag), STATUS_SERVER, "is refused");
    tap_contains(diag.message, "was not made by keybench", "and told why");
    tap_u64(db_exec(conn, "DROP SCHEMA keybench", DB_NO_PARAMS, &diag), STATUS_OK,
            "it is still there");
}

static void
test_wal(DbConn *conn)
{
    WalPoint before = {0}, after = {0};
    Diag diag = {0};

    tap_u64(wal_point_read(conn, &before, &diag), STATUS_OK, "a point of the log");
    tap_u64(db_exec(conn, "CREATE TABLE public.some (n int)", DB_NO_PARAMS, &diag), STATUS_OK,
            "something is written");
    tap_u64(wal_checkpoint(conn, NULL, &diag), STATUS_OK, "a checkpoint");
    tap_u64(wal_point_read(conn, &after, &diag), STATUS_OK, "another point");
    tap_ok(after.insert_lsn > before.insert_lsn, "the log moved");
    tap_ok(after.redo_lsn > before.redo_lsn, "and so did the checkpoint's redo");
    tap_u64(db_exec(conn, "CREATE ROLE plain", DB_NO_PARAMS, &diag), STATUS_OK, "a plain role");
    tap_u64(db_exec(conn, "SET ROLE plain", DB_NO_PARAMS, &diag), STATUS_OK, "which we become");
    tap_u64(wal_checkpoint(conn, NULL, &diag), STATUS_SERVER, "may not checkpoint");
    tap_ok(diag.hint[0] != '\0', "and is told the remedy");
    tap_u64(db_exec(conn, "RESET ROLE", DB_NO_PARAMS, &diag), STATUS_OK, "back");
}

int
main(void)
{
    TestServers servers;

    test_servers_find(&servers);
    test_refused();
    for (size_t i = 0; i < servers.count; i++) {
        Cluster *cluster = test_cluster_start(servers.programs[i].bindir);
        DbConn *conn = test_connect(cluster);

        printf("# PostgreSQL %s\n", servers.programs[i].version);
        test_cells(conn);
        test_errors(conn);
        test_quoting(conn);
        test_deadline(conn);
        test_copy(conn);
        test_lost(cluster, conn);
        test_schema(cluster, conn);
        test_wal(conn);
        db_close(conn);
        cluster_stop(cluster);
    }
    return tap_done();
}
