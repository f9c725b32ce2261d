/*
 * Identities between independent counters of one server, for every measured batch: the plan's WAL
 * plus the commit record is what the session wrote (18 on) and what pg_walinspect finds in the log
 * (15 on), to the byte; and the buffers that the plan dirtied are those that the next checkpoint
 * writes when nothing was evicted.
 */
#include "support/servers.h"
#include "support/tap.h"

#include "run/cleanliness.h"
#include "run/measure.h"

#include <math.h>

enum { BATCHES = 4 };

static void
run_sql(DbConn *conn, const char *sql)
{
    Diag diag = {0};

    if (db_exec(conn, sql, DB_NO_PARAMS, &diag) != STATUS_OK)
        tap_ok(false, diag.message);
}

/* Bytes of all records between two points, images included. */
static double
bytes_in_log(DbConn *conn, const WalPoint *before, const WalPoint *after)
{
    DbRows *rows = NULL;
    Diag diag = {0};
    double sum = 0;

    if (wal_kinds_read(conn, "public", before->insert_lsn, after->flush_lsn, &rows, &diag) !=
        STATUS_OK)
        return NAN;
    for (size_t row = 0; row < db_rows_count(rows); row++) {
        double record_bytes = NAN, fpi_bytes = NAN;

        if (db_cell_double(rows, row, "record_bytes", &record_bytes, &diag) != STATUS_OK ||
            db_cell_double(rows, row, "fpi_bytes", &fpi_bytes, &diag) != STATUS_OK)
            return NAN;
        sum += record_bytes + fpi_bytes;
    }
    db_rows_free(rows);
    return sum;
}

static void
test_batch(DbConn *conn, const char *insert, bool inspect)
{
    Measurement measurement;
    Diag diag = {0};
    uint64_t written_pages = 0;
    double plan_bytes, images, dirtied;
    WalCount own;

    tap_u64(wal_checkpoint(conn, NULL, &diag), STATUS_OK, "a checkpoint");
    if (!tap_ok(measure_statement(conn, insert, DB_NO_PARAMS, &measurement, &diag) == STATUS_OK,
                "a batch"))
        return;
    plan_bytes = measurement.figures.value[METRIC_WAL_BYTES] + COMMIT_RECORD_BYTES;
    images = measurement.figures.value[METRIC_FPI_COUNT];
    own = wal_count_between(measurement.before.own, measurement.after.own);
    if (own.bytes != WAL_UNKNOWN) {
        tap_near((double)own.bytes, plan_bytes, 0, "plan and commit are what the session wrote");
        tap_near((double)own.record_count, measurement.figures.value[METRIC_WAL_RECORD_COUNT] + 1,
                 0, "also in records");
        tap_near((double)own.fpi_count, images, 0, "and in full-page images");
    }
    if (inspect)
        tap_near(bytes_in_log(conn, &measurement.before, &measurement.after), plan_bytes, 0,
                 "plan and commit are what the log holds");
    tap_ok(measurement.figures.value[METRIC_LSN_BYTES] > plan_bytes,
           "the log position moves further: alignment and page headers");
    tap_ok(measurement.before.redo_lsn == measurement.after.redo_lsn, "no checkpoint fell inside");
    tap_u64(wal_checkpoint(conn, &written_pages, &diag), STATUS_OK, "the next checkpoint");
    dirtied = measurement.figures.value[METRIC_DIRTIED_PAGES];
    tap_ok((double)written_pages >= dirtied && (double)written_pages <= dirtied + 8,
           "writes what the plan dirtied, and a few catalogue pages at most");
}

static void
test_key(DbConn *conn, const char *key, const char *insert, bool inspect)
{
    Text create = {0};

    printf("# %s\n", key);
    text_printf(&create,
                "CREATE TABLE public.t (id %s PRIMARY KEY, n int) WITH (autovacuum_enabled = off)",
                key);
    run_sql(conn, create.data);
    text_release(&create);
    for (int i = 0; i < 3; i++) /* catalogue pages settle: pruned, hinted */
        run_sql(conn, insert);
    for (int i = 0; i < BATCHES; i++)
        test_batch(conn, insert, inspect);
    run_sql(conn, "DROP TABLE public.t");
}

int
main(void)
{
    TestServers servers;

    test_servers_find(&servers);
    for (size_t i = 0; i < servers.count; i++) {
        Cluster *cluster = test_cluster_start(servers.programs[i].bindir);
        DbConn *conn = test_connect(cluster);
        bool inspect = db_server_version(conn) >= 150000;

        printf("# PostgreSQL %s\n", servers.programs[i].version);
        if (inspect)
            run_sql(conn, "CREATE EXTENSION pg_walinspect SCHEMA public");
        test_key(conn, "bigint GENERATED ALWAYS AS IDENTITY",
                 "INSERT INTO public.t (n) SELECT r FROM generate_series(1, 5000) r", inspect);
        test_key(conn, "uuid DEFAULT gen_random_uuid()",
                 "INSERT INTO public.t (n) SELECT r FROM generate_series(1, 5000) r", inspect);
        db_close(conn);
        cluster_stop(cluster);
    }
    return tap_done();
}
