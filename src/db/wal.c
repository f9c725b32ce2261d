#include "db/wal.h"

#include "base/clock.h"
#include "base/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    LSN_TEXT_SIZE = 32,
    PAGE_HEADER_MAX_BYTES = 40, /* the next record's place may lie behind a page header */
};

/* How long the server's other processes may take over what they do in the background. */
static const uint64_t PATIENCE_NS = 2 * NS_PER_S;

/* Columns that a server lacks are null. */
static const char *
point_sql(int version_number)
{
    /* Positions as differences from 0/0, so that no LSN text is parsed here. */
#define POSITIONS                                                                                  \
    "SELECT pg_current_wal_insert_lsn() - '0/0'::pg_lsn AS insert_lsn,"                            \
    " pg_current_wal_flush_lsn() - '0/0'::pg_lsn AS flush_lsn,"                                    \
    " redo_lsn - '0/0'::pg_lsn AS redo_lsn, "
#define COUNTS(name, view)                                                                         \
    view ".wal_bytes AS " name "_bytes, " view ".wal_records AS " name "_records, " view           \
         ".wal_fpi AS " name "_fpi"
#define NO_COUNTS(name) "NULL AS " name "_bytes, NULL AS " name "_records, NULL AS " name "_fpi"
    if (version_number >= 180000)
        return POSITIONS COUNTS("own", "b") ", " COUNTS(
            "server", "w") " FROM pg_control_checkpoint(), pg_stat_wal AS w,"
                           " pg_stat_get_backend_wal(pg_backend_pid()) AS b";
    if (version_number >= 150000)
        return POSITIONS NO_COUNTS("own") ", " COUNTS(
            "server", "w") " FROM pg_control_checkpoint(), pg_stat_wal AS w";
    return POSITIONS NO_COUNTS("own") ", " NO_COUNTS("server") " FROM pg_control_checkpoint()";
#undef POSITIONS
#undef COUNTS
#undef NO_COUNTS
}

static Status
read_count(const DbRows *rows, const char *const columns[3], WalCount *count, Diag *diag)
{
    uint64_t *const fields[] = {&count->bytes, &count->record_count, &count->fpi_count};
    Status status = STATUS_OK;

    for (size_t i = 0; status == STATUS_OK && i < ARRAY_LEN(fields); i++) {
        *fields[i] = WAL_UNKNOWN;
        if (db_cell(rows, 0, columns[i]) != NULL)
            status = db_cell_u64(rows, 0, columns[i], fields[i], diag);
    }
    return status;
}

/* They reach the shared counters at the end of this statement. */
Status
wal_publish_own(DbConn *conn, Diag *diag)
{
    if (db_server_version(conn) < 150000)
        return STATUS_OK;
    return db_exec(conn, "SELECT pg_stat_force_next_flush()", DB_NO_PARAMS, diag);
}

Status
wal_point_read(DbConn *conn, WalPoint *point, Diag *diag)
{
    static const char *const OWN[] = {"own_bytes", "own_records", "own_fpi"};
    static const char *const SERVER[] = {"server_bytes", "server_records", "server_fpi"};
    DbRows *rows = NULL;
    WalPoint read = {0};
    Status status = wal_publish_own(conn, diag);

    if (status == STATUS_OK)
        status = db_query(conn, point_sql(db_server_version(conn)), DB_NO_PARAMS, DB_ONE_ROW, &rows,
                          diag);
    if (status == STATUS_OK)
        status = db_cell_u64(rows, 0, "insert_lsn", &read.insert_lsn, diag);
    if (status == STATUS_OK)
        status = db_cell_u64(rows, 0, "flush_lsn", &read.flush_lsn, diag);
    if (status == STATUS_OK)
        status = db_cell_u64(rows, 0, "redo_lsn", &read.redo_lsn, diag);
    if (status == STATUS_OK)
        status = read_count(rows, OWN, &read.own, diag);
    if (status == STATUS_OK)
        status = read_count(rows, SERVER, &read.server, diag);
    db_rows_free(rows);
    if (status == STATUS_OK)
        *point = read;
    return status;
}

static bool
is_flushed(const WalPoint *point)
{
    return point->flush_lsn + PAGE_HEADER_MAX_BYTES >= point->insert_lsn;
}

Status
wal_await_flush(DbConn *conn, WalPoint *point, Diag *diag)
{
    const struct timespec pause = {.tv_nsec = NS_PER_MS};
    Instant start = instant_now();
    Status status = STATUS_OK;

    if (!is_flushed(point))
        status = db_exec(conn, "SELECT pg_current_xact_id()", DB_NO_PARAMS, diag);
    while (status == STATUS_OK && !is_flushed(point) && instant_elapsed_ns(start) < PATIENCE_NS) {
        DbRows *rows = NULL;

        nanosleep(&pause, NULL);
        status = db_query(conn, "SELECT pg_current_wal_flush_lsn() - '0/0'::pg_lsn AS flush_lsn",
                          DB_NO_PARAMS, DB_ONE_ROW, &rows, diag);
        if (status == STATUS_OK)
            status = db_cell_u64(rows, 0, "flush_lsn", &point->flush_lsn, diag);
        db_rows_free(rows);
    }
    if (point->flush_lsn > point->insert_lsn) /* others wrote meanwhile */
        point->flush_lsn = point->insert_lsn;
    return status;
}

static uint64_t
difference(uint64_t before, uint64_t after)
{
    if (before == WAL_UNKNOWN || after == WAL_UNKNOWN || after < before)
        return WAL_UNKNOWN;
    return after - before;
}

WalCount
wal_count_between(WalCount before, WalCount after)
{
    return (WalCount){difference(before.bytes, after.bytes),
                      difference(before.record_count, after.record_count),
                      difference(before.fpi_count, after.fpi_count)};
}

/* What checkpoints have done so far. */
typedef struct CheckpointCount {
    uint64_t requests, pages;
} CheckpointCount;

static Status
checkpoint_count_read(DbConn *conn, CheckpointCount *count, Diag *diag)
{
    const char *sql = db_server_version(conn) >= 170000
                          ? "SELECT num_requested AS requests, buffers_written AS pages"
                            " FROM pg_stat_checkpointer"
                          : "SELECT checkpoints_req AS requests, buffers_checkpoint AS pages"
                            " FROM pg_stat_bgwriter";
    DbRows *rows = NULL;
    Status status = db_query(conn, sql, DB_NO_PARAMS, DB_ONE_ROW, &rows, diag);

    if (status == STATUS_OK)
        status = db_cell_u64(rows, 0, "requests", &count->requests, diag);
    if (status == STATUS_OK)
        status = db_cell_u64(rows, 0, "pages", &count->pages, diag);
    db_rows_free(rows);
    return status;
}

static Status
run_checkpoint(DbConn *conn, Diag *diag)
{
    Status status = db_exec(conn, "CHECKPOINT", DB_NO_PARAMS, diag);

    if (status != STATUS_DB_QUERY || strcmp(diag->sqlstate, "42501") != 0)
        return status;
    diag->status = STATUS_SERVER;
    if (db_server_version(conn) >= 150000)
        diag_hint(diag, "A superuser can run: GRANT pg_checkpoint TO this user;");
    else
        diag_hint(diag, "Before PostgreSQL 15 only a superuser may run CHECKPOINT.");
    return diag->status;
}

/* The checkpointer publishes its counters a moment after it has answered. */
static Status
wait_for_pages(DbConn *conn, CheckpointCount before, uint64_t *written_pages, Diag *diag)
{
    const struct timespec pause = {.tv_nsec = NS_PER_MS};
    Instant start = instant_now();
    CheckpointCount after = before;
    Status status = STATUS_OK;

    while (status == STATUS_OK && after.requests == before.requests &&
           instant_elapsed_ns(start) < PATIENCE_NS) {
        status = checkpoint_count_read(conn, &after, diag);
        if (after.requests == before.requests)
            nanosleep(&pause, NULL);
    }
    if (status == STATUS_OK)
        *written_pages =
            after.requests > before.requests ? after.pages - before.pages : WAL_UNKNOWN;
    return status;
}

Status
wal_checkpoint(DbConn *conn, uint64_t *written_pages, Diag *diag)
{
    CheckpointCount before = {0};
    Status status = STATUS_OK;

    if (written_pages != NULL)
        status = checkpoint_count_read(conn, &before, diag);
    if (status == STATUS_OK)
        status = run_checkpoint(conn, diag);
    if (status == STATUS_OK && written_pages != NULL)
        status = wait_for_pages(conn, before, written_pages, diag);
    return status;
}

static void
print_lsn(uint64_t lsn, char *text)
{
    snprintf(text, LSN_TEXT_SIZE, "%" PRIX64 "/%" PRIX64, lsn >> 32, lsn & UINT32_MAX);
}

Status
wal_kinds_read(DbConn *conn, const char *extension_schema, uint64_t start_lsn, uint64_t end_lsn,
               DbRows **rows, Diag *diag)
{
    char *schema = db_quote_name(conn, extension_schema);
    char start[LSN_TEXT_SIZE], end[LSN_TEXT_SIZE];
    Text sql = {0};
    Status status;

    print_lsn(start_lsn, start);
    print_lsn(end_lsn, end);
    text_printf(&sql,
                "SELECT \"resource_manager/record_type\" AS kind, count AS record_count,"
                " record_size AS record_bytes, fpi_size AS fpi_bytes"
                " FROM %s.pg_get_wal_stats($1::pg_lsn, $2::pg_lsn, true) WHERE count > 0",
                schema);
    status = db_query(conn, sql.data, DB_PARAMS(start, end), DB_ANY_ROWS, rows, diag);
    text_release(&sql);
    free(schema);
    return status;
}

static const char IMAGES[] = "SELECT count(*) AS image_count FROM"
                             " %s.pg_get_wal_block_info($1::pg_lsn, $2::pg_lsn, false)"
                             " WHERE block_fpi_length > 0";

/* Before 16 a record's blocks are one text, in which each image says "(FPW". */
static const char IMAGES_15[] =
    "SELECT coalesce(sum(regexp_count(block_ref, '\\(FPW')), 0) AS image_count FROM"
    " %s.pg_get_wal_records_info($1::pg_lsn, $2::pg_lsn) WHERE fpi_length > 0";

Status
wal_images_read(DbConn *conn, const char *extension_schema, uint64_t start_lsn, uint64_t end_lsn,
                double *image_count, Diag *diag)
{
    char start[LSN_TEXT_SIZE], end[LSN_TEXT_SIZE];
    DbRows *rows = NULL;
    Text sql = {0};
    char *schema;
    Status status;

    schema = db_quote_name(conn, extension_schema);
    print_lsn(start_lsn, start);
    print_lsn(end_lsn, end);
    text_printf(&sql, db_server_version(conn) < 160000 ? IMAGES_15 : IMAGES, schema);
    status = db_query(conn, sql.data, DB_PARAMS(start, end), DB_ONE_ROW, &rows, diag);
    if (status == STATUS_OK)
        status = db_cell_double(rows, 0, "image_count", image_count, diag);
    db_rows_free(rows);
    text_release(&sql);
    free(schema);
    return status;
}
