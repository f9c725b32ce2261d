#include "run/readiness.h"

#include "base/units.h"
#include "db/schema.h"
#include "server/host.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum {
    MAJOR_MIN = 14,
    MAJOR_MAX = 19,
    OTHER_SESSIONS_MAX = 10, /* more look like somebody's work */
};

/* Databases larger than this together look like somebody's data. */
static const uint64_t OTHER_DATA_MAX_BYTES = UINT64_C(10) << 30;

/* One row with all that is asked. Rights as pg_has_role sees them; a role that a version lacks
 * counts as not held. */
static const char FACTS_SQL[] =
    "SELECT pg_is_in_recovery() AS recovering, pg_backend_pid() AS pid,"
    " current_setting('is_superuser') = 'on' AS superuser, quote_ident(current_user) AS role,"
    " quote_ident(current_database()) AS database,"
    " coalesce((SELECT pg_has_role(oid, 'USAGE') FROM pg_roles WHERE rolname = 'pg_checkpoint'), "
    "false) AS checkpointer,"
    " pg_has_role('pg_stat_scan_tables', 'USAGE') AS scanner,"
    " EXISTS (SELECT FROM pg_extension WHERE extname = 'pgstattuple') AS has_extension,"
    " EXISTS (SELECT FROM pg_available_extensions WHERE name = 'pgstattuple') AS "
    "extension_available,"
    " has_database_privilege(current_database(), 'CREATE') AS may_create,"
    " has_database_privilege(current_database(), 'TEMPORARY') AS may_stage,"
    " EXISTS (SELECT FROM pg_namespace WHERE nspname = $1 AND obj_description(oid, 'pg_namespace')"
    "   IS DISTINCT FROM $2) AS foreign_schema,"
    " current_setting('archive_mode') <> 'off' AS archiving,"
    " (SELECT count(*) FROM pg_replication_slots) AS slots,"
    " (SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'walsender') AS senders,"
    " (SELECT count(*) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND usesysid IS NOT NULL"
    "   AND datid IS NOT NULL) AS sessions,"
    " (SELECT coalesce(sum(pg_database_size(oid)), 0)::bigint FROM pg_database"
    "   WHERE has_database_privilege(oid, 'CONNECT') AND datallowconn) AS data_bytes,"
    " pg_size_bytes(current_setting('max_wal_size')) AS max_wal_bytes,"
    " extract(epoch FROM current_setting('checkpoint_timeout')::interval)::bigint AS "
    "checkpoint_timeout_s,"
    " current_setting('full_page_writes') AS full_page_writes,"
    " current_setting('wal_compression') AS wal_compression,"
    " current_setting('autovacuum') AS autovacuum,"
    " current_setting('shared_buffers') AS shared_buffers,"
    " inet_server_addr() IS NULL AS through_socket,"
    " CASE WHEN pg_has_role('pg_read_all_settings', 'USAGE') THEN coalesce("
    "   (SELECT nullif(pg_tablespace_location(dattablespace), '') FROM pg_database"
    "   WHERE datname = current_database()), current_setting('data_directory')) END AS data_folder";

static void add(Readiness *readiness, ReadyLevel level, const char *subject, const char *remedy,
                const char *format, ...) PRINTF_LIKE(5, 6);

static void
add(Readiness *readiness, ReadyLevel level, const char *subject, const char *remedy,
    const char *format, ...)
{
    ReadyItem *item = &readiness->items[readiness->count];
    va_list args;

    if (readiness->count == READY_ITEMS_MAX)
        BUG("more than %d conditions", READY_ITEMS_MAX);
    readiness->count++;
    item->level = level;
    item->subject = subject;
    snprintf(item->remedy, sizeof(item->remedy), "%s", remedy);
    va_start(args, format);
    vsnprintf(item->found, sizeof(item->found), format, args);
    va_end(args);
}

static bool
is_true(const DbRows *rows, const char *column)
{
    const char *cell = db_cell(rows, 0, column);

    return cell != NULL && cell[0] == 't';
}

static void
judge_version(Readiness *readiness, const DbConn *conn)
{
    int version = db_server_version(conn), major = version / 10000;

    if (major < MAJOR_MIN)
        add(readiness, READY_REFUSED, "server version", "Use PostgreSQL 14 or later.",
            "PostgreSQL %d", major);
    else if (major > MAJOR_MAX)
        add(readiness, READY_NOTE, "server version", "",
            "PostgreSQL %d, which keybench was never tried on", major);
    else
        add(readiness, READY_OK, "server version", "", "PostgreSQL %d.%d", major, version % 10000);
}

/* A pooler that hands each transaction to another backend would lose locks, staging tables and
 * counters. */
static Status
judge_session(Readiness *readiness, const DbConn *conn, const DbRows *rows, Diag *diag)
{
    uint64_t pid = 0;
    Status status = db_cell_u64(rows, 0, "pid", &pid, diag);

    if (status != STATUS_OK)
        return status;
    if (pid != (uint64_t)db_backend_pid(conn))
        add(readiness, READY_REFUSED, "connection",
            "Connect to the server itself, past the pooler.",
            "it goes through a pooler: the server's process is not the one that answered");
    else
        add(readiness, READY_OK, "connection", "", "direct, %s", db_label(conn));
    if (is_true(rows, "recovering"))
        add(readiness, READY_REFUSED, "standby",
            "Give keybench a primary of its own; it writes tables.", "the server is in recovery");
    return STATUS_OK;
}

static void
judge_extension(Readiness *readiness, const DbRows *rows)
{
    static const char SUBJECT[] = "extension pgstattuple";

    if (is_true(rows, "has_extension"))
        add(readiness, READY_OK, SUBJECT, "", "installed");
    else if (is_true(rows, "extension_available"))
        add(readiness, READY_REFUSED, SUBJECT,
            "A superuser can run there: CREATE EXTENSION pgstattuple;",
            "not installed in database %s", db_cell(rows, 0, "database"));
    else
        add(readiness, READY_REFUSED, SUBJECT,
            "Install the server's contrib package, then run there: CREATE EXTENSION pgstattuple;",
            "the server does not have it");
}

static void
add_right(Readiness *readiness, const char *subject, bool held, const char *grant)
{
    if (held)
        add(readiness, READY_OK, subject, "", "held");
    else
        add(readiness, READY_REFUSED, subject, grant, "this role lacks it");
}

static void
judge_rights(Readiness *readiness, const DbConn *conn, const DbRows *rows)
{
    const char *role = db_cell(rows, 0, "role"), *database = db_cell(rows, 0, "database");
    bool superuser = is_true(rows, "superuser");
    char grant[256];

    if (db_server_version(conn) >= 150000)
        snprintf(grant, sizeof(grant), "A superuser can run: GRANT pg_checkpoint TO %s;", role);
    else
        snprintf(grant, sizeof(grant), "Before PostgreSQL 15 only a superuser may run CHECKPOINT.");
    add_right(readiness, "right to CHECKPOINT", superuser || is_true(rows, "checkpointer"), grant);
    snprintf(grant, sizeof(grant), "A superuser can run: GRANT pg_stat_scan_tables TO %s;", role);
    add_right(readiness, "right to read index statistics", superuser || is_true(rows, "scanner"),
              grant);
    snprintf(grant, sizeof(grant), "Its owner can run: GRANT CREATE ON DATABASE %s TO %s;",
             database, role);
    add_right(readiness, "right to make a schema", is_true(rows, "may_create"), grant);
    snprintf(grant, sizeof(grant), "Its owner can run: GRANT TEMPORARY ON DATABASE %s TO %s;",
             database, role);
    add_right(readiness, "right to make a staging table", is_true(rows, "may_stage"), grant);
    if (is_true(rows, "foreign_schema"))
        add(readiness, READY_REFUSED, "schema keybench",
            "Use another database; keybench touches nothing that it did not make.",
            "exists and was not made by keybench");
}

static Status
judge_production(Readiness *readiness, const DbRows *rows, Diag *diag)
{
    static const char REMEDY[] = "Use a test server, or insist with --yes-really.";
    uint64_t slots = 0, senders = 0, sessions = 0, data_bytes = 0;
    char size[UNITS_TEXT_SIZE];
    Status status = db_cell_u64(rows, 0, "slots", &slots, diag);

    if (status == STATUS_OK)
        status = db_cell_u64(rows, 0, "senders", &senders, diag);
    if (status == STATUS_OK)
        status = db_cell_u64(rows, 0, "sessions", &sessions, diag);
    if (status == STATUS_OK)
        status = db_cell_u64(rows, 0, "data_bytes", &data_bytes, diag);
    if (status != STATUS_OK)
        return status;
    if (is_true(rows, "archiving"))
        add(readiness, READY_PRODUCTION, "archiving", REMEDY,
            "archive_mode is on: WAL goes to an archive");
    if (slots + senders > 0)
        add(readiness, READY_PRODUCTION, "replication", REMEDY,
            "%llu replication slots, %llu WAL senders", (unsigned long long)slots,
            (unsigned long long)senders);
    if (sessions > OTHER_SESSIONS_MAX)
        add(readiness, READY_PRODUCTION, "other sessions", REMEDY, "%llu clients are connected",
            (unsigned long long)sessions);
    units_print_bytes((double)data_bytes, 1, size, sizeof(size));
    if (data_bytes > OTHER_DATA_MAX_BYTES)
        add(readiness, READY_PRODUCTION, "data", REMEDY, "the databases hold %s", size);
    else
        add(readiness, READY_OK, "data", "", "the databases hold %s, %llu other sessions", size,
            (unsigned long long)sessions);
    return STATUS_OK;
}

/* A checkpoint is forced when about max_wal_size / (1 + checkpoint_completion_target) was written;
 * half is the safe side. */
static Status
judge_checkpoints(Readiness *readiness, const Plan *plan, const DbRows *rows, Diag *diag)
{
    double batch_wal_bytes = plan != NULL ? volume_of_plan(plan).batch_wal_bytes : 0;
    uint64_t max_wal_bytes = 0, timeout_s = 0;
    char limit[UNITS_TEXT_SIZE], wal[UNITS_TEXT_SIZE];
    Status status = db_cell_u64(rows, 0, "max_wal_bytes", &max_wal_bytes, diag);

    if (status == STATUS_OK)
        status = db_cell_u64(rows, 0, "checkpoint_timeout_s", &timeout_s, diag);
    if (status != STATUS_OK)
        return status;
    units_print_bytes((double)max_wal_bytes, 0, limit, sizeof(limit));
    units_print_bytes(batch_wal_bytes, 0, wal, sizeof(wal));
    if (batch_wal_bytes > (double)max_wal_bytes / 2)
        add(readiness, READY_NOTE, "max_wal_size", "Raise it for the run, or make batches smaller.",
            "%s; a batch writes about %s, so a checkpoint may fall inside it", limit, wal);
    else
        add(readiness, READY_OK, "max_wal_size", "", "%s", limit);
    add(readiness, READY_OK, "checkpoint_timeout", "",
        "%llu s; a batch that a timed checkpoint falls into is reported",
        (unsigned long long)timeout_s);
    return STATUS_OK;
}

/* Where the server's disk can be seen from here: through its socket, by a role that may know where
 * the data is, in a folder that this user may look at. pg_wal may be a link to another disk; only
 * the server's user sees that. */
static void
judge_disk(Readiness *readiness, const Plan *plan, const DbRows *rows)
{
    static const char SUBJECT[] = "disk";
    const char *folder = db_cell(rows, 0, "data_folder");
    char text[200], size[UNITS_TEXT_SIZE];
    DiskFacts disk = {0};
    uint64_t max_wal_bytes = 0;
    Diag ignored = {0};
    Room room;

    if (is_true(rows, "through_socket") && folder != NULL)
        host_disk_read(folder, &disk);
    if (disk.total_bytes == 0) {
        add(readiness, READY_OK, SUBJECT, "",
            "not known: it takes a Unix socket, pg_read_all_settings and a folder that this user "
            "can see");
        return;
    }
    units_print_bytes((double)disk.free_bytes, 1, size, sizeof(size));
    if (plan == NULL ||
        db_cell_u64(rows, 0, "max_wal_bytes", &max_wal_bytes, &ignored) != STATUS_OK) {
        add(readiness, READY_OK, SUBJECT, "", "%s free in %s", size, folder);
        return;
    }
    room = room_of_plan(plan, 1, (double)max_wal_bytes);
    room.free_bytes = (double)disk.free_bytes;
    room_print(&room, text, sizeof(text));
    add(readiness, room_suffices(&room) ? READY_OK : READY_REFUSED, SUBJECT,
        "Measure fewer rows, or give the server more room.", "%s", text);
}

static void
judge_settings(Readiness *readiness, const DbRows *rows)
{
    const char *full_page_writes = db_cell(rows, 0, "full_page_writes");
    const char *compression = db_cell(rows, 0, "wal_compression");

    if (strcmp(full_page_writes, "on") == 0)
        add(readiness, READY_OK, "full_page_writes", "", "on");
    else
        add(readiness, READY_NOTE, "full_page_writes", "",
            "off: no images, so the keys hardly differ");
    if (strcmp(compression, "off") == 0)
        add(readiness, READY_OK, "wal_compression", "", "off");
    else
        add(readiness, READY_NOTE, "wal_compression", "",
            "%s: images are smaller than in the references", compression);
    add(readiness, READY_OK, "shared_buffers", "", "%s", db_cell(rows, 0, "shared_buffers"));
    add(readiness, READY_OK, "autovacuum", "", "%s; off on keybench's own tables",
        db_cell(rows, 0, "autovacuum"));
}

Status
readiness_read(DbConn *conn, const Plan *plan, Readiness *readiness, Diag *diag)
{
    DbRows *rows = NULL;
    Status status;

    *readiness = (Readiness){0};
    judge_version(readiness, conn);
    if (readiness->items[0].level == READY_REFUSED) /* older servers cannot even be asked */
        return STATUS_OK;
    status = db_query(conn, FACTS_SQL, DB_PARAMS(KEYBENCH_SCHEMA, KEYBENCH_SCHEMA_MARK), DB_ONE_ROW,
                      &rows, diag);
    if (status == STATUS_OK)
        status = judge_session(readiness, conn, rows, diag);
    if (status == STATUS_OK) {
        judge_extension(readiness, rows);
        judge_rights(readiness, conn, rows);
        status = judge_production(readiness, rows, diag);
    }
    if (status == STATUS_OK)
        status = judge_checkpoints(readiness, plan, rows, diag);
    if (status == STATUS_OK) {
        judge_disk(readiness, plan, rows);
        judge_settings(readiness, rows);
    }
    db_rows_free(rows);
    return status;
}

Status
readiness_require(const Readiness *readiness, bool insist, Diag *diag)
{
    for (size_t i = 0; i < readiness->count; i++) {
        const ReadyItem *item = &readiness->items[i];

        if (item->level < READY_PRODUCTION || (item->level == READY_PRODUCTION && insist))
            continue;
        diag_set(diag, STATUS_SERVER, "the server is not fit for a run: %s: %s", item->subject,
                 item->found);
        diag_hint(diag, "%s", item->remedy);
        return diag->status;
    }
    return STATUS_OK;
}
