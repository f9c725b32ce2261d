#include "db/activity.h"

#include "base/clock.h"

#include <stdio.h>
#include <time.h>

/* How long statistics may take to be told. */
static const uint64_t PATIENCE_NS = 2 * NS_PER_S;

/* Of a role that may not see others' sessions `state` is null, and it counts none. */
static const char SQL[] =
    "SELECT pg_stat_get_vacuum_count($1::regclass) + pg_stat_get_autovacuum_count($1::regclass)"
    " + (SELECT count(*) FROM pg_stat_progress_vacuum WHERE relid = $1::regclass) AS vacuum_count,"
    " (SELECT count(*) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
    "   AND backend_type = 'client backend' AND state = 'active') AS active_session_count,"
    " (SELECT count(*) FROM pg_replication_slots) + (SELECT count(*) FROM pg_stat_replication)"
    "   AS holder_count,"
    " md5(concat_ws('|', current_setting('full_page_writes'), current_setting('wal_compression'),"
    "   current_setting('wal_log_hints'), current_setting('wal_level'),"
    "   current_setting('shared_buffers'), current_setting('max_wal_size'),"
    "   current_setting('checkpoint_timeout'), current_setting('autovacuum')))"
    "   AS settings_hash";

Status
activity_point_read(DbConn *conn, const char *table, ActivityPoint *point, Diag *diag)
{
    DbRows *rows = NULL;
    ActivityPoint read = {0};
    Status status = db_query(conn, SQL, DB_PARAMS(table), DB_ONE_ROW, &rows, diag);

    if (status == STATUS_OK)
        status = db_cell_u64(rows, 0, "vacuum_count", &read.vacuum_count, diag);
    if (status == STATUS_OK)
        status = db_cell_u64(rows, 0, "active_session_count", &read.active_session_count, diag);
    if (status == STATUS_OK)
        status = db_cell_u64(rows, 0, "holder_count", &read.holder_count, diag);
    if (status == STATUS_OK)
        snprintf(read.settings_hash, sizeof(read.settings_hash), "%s",
                 db_cell(rows, 0, "settings_hash"));
    db_rows_free(rows);
    if (status == STATUS_OK)
        *point = read;
    return status;
}

Status
activity_await_vacuums(DbConn *conn, const char *table, uint64_t vacuum_count, ActivityPoint *point,
                       Diag *diag)
{
    const struct timespec pause = {.tv_nsec = 10 * NS_PER_MS};
    Instant start = instant_now();
    Status status = activity_point_read(conn, table, point, diag);

    while (status == STATUS_OK && point->vacuum_count < vacuum_count &&
           instant_elapsed_ns(start) < PATIENCE_NS) {
        nanosleep(&pause, NULL);
        status = activity_point_read(conn, table, point, diag);
    }
    return status;
}
