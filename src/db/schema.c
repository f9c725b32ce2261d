#include "db/schema.h"

#include "base/clock.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Two-key form: the first says keybench ("kben"), the second what for. PostgreSQL manual,
 * section 13.3.5. */
#define LOCK_KEYS "1801610606, 1"
#define LOCK_KEYS_ARE "classid = 1801610606 AND objid = 1 AND objsubid = 2"

/* How long another session may keep us from dropping what is ours. Longer than deadlock_timeout,
 * after which autovacuum gives way. */
#define DROP_LOCK_TIMEOUT "5s"

static const uint64_t ANEW_DEADLINE_NS = 10 * NS_PER_S; /* as long as a restart may take */
static const uint64_t ANEW_PAUSE_NS = 200 * NS_PER_MS;
static const uint64_t ANEW_STATEMENT_DEADLINE_NS = 60 * NS_PER_S;

/* A pooler hands each transaction to a session of its choice: a lock would stay there for ever. */
static Status
refuse_pooler(DbConn *conn, Diag *diag)
{
    DbRows *rows = NULL;
    int64_t pid = 0;
    Status status =
        db_query(conn, "SELECT pg_backend_pid() AS pid", DB_NO_PARAMS, DB_ONE_ROW, &rows, diag);

    if (status == STATUS_OK)
        status = db_cell_i64(rows, 0, "pid", &pid, diag);
    db_rows_free(rows);
    if (status != STATUS_OK || pid == db_backend_pid(conn))
        return status;
    diag_set(diag, STATUS_SERVER,
             "%s goes through a pooler: the server's process is not the one that answered",
             db_label(conn));
    diag_hint(diag, "Connect to the server itself, past the pooler.");
    return diag->status;
}

static Status
set_lock_timeout(DbConn *conn, const char *time, Diag *diag)
{
    return db_exec(conn, "SELECT set_config('lock_timeout', $1, false)", DB_PARAMS(time), diag);
}

static Status
try_lock(DbConn *conn, bool *taken, Diag *diag)
{
    DbRows *rows = NULL;
    Status status = db_query(conn, "SELECT pg_try_advisory_lock(" LOCK_KEYS ") AS taken",
                             DB_NO_PARAMS, DB_ONE_ROW, &rows, diag);

    if (status == STATUS_OK)
        status = db_cell_bool(rows, 0, "taken", taken, diag);
    db_rows_free(rows);
    return status;
}

/* Wait on the server, a second at a time: a statement that waits for long holds a snapshot, and a
 * CREATE INDEX CONCURRENTLY elsewhere would wait for that. */
static Status
wait_for_lock(DbConn *conn, uint64_t wait_ns, bool *taken, Diag *diag)
{
    Instant start = instant_now();
    Status status = set_lock_timeout(conn, "1s", diag);

    while (status == STATUS_OK && !*taken && instant_elapsed_ns(start) < wait_ns) {
        status = db_exec(conn, "SELECT pg_advisory_lock(" LOCK_KEYS ")", DB_NO_PARAMS, diag);
        *taken = status == STATUS_OK;
        if (status == STATUS_DB_QUERY && strcmp(diag->sqlstate, "55P03") == 0)
            status = STATUS_OK; /* lock_not_available: not yet */
    }
    if (status == STATUS_OK)
        status = set_lock_timeout(conn, "0", diag);
    return status;
}

Status
measuring_turn_take(DbConn *conn, uint64_t wait_ns, Diag *diag)
{
    bool taken = false;
    Status status = refuse_pooler(conn, diag);

    if (status == STATUS_OK)
        status = try_lock(conn, &taken, diag);
    if (status == STATUS_OK && !taken && wait_ns > 0)
        status = wait_for_lock(conn, wait_ns, &taken, diag);
    if (status != STATUS_OK || taken)
        return status;
    diag_set(diag, STATUS_SERVER, "another keybench run is using %s", db_label(conn));
    diag_hint(diag, "Wait for it to end: two runs would measure each other.");
    return diag->status;
}

/* Whether a schema of our name exists, and whether it carries our mark and is owned by this user.
 */
static Status
find_schema(DbConn *conn, bool *exists, bool *ours, Diag *diag)
{
    static const char SQL[] = "SELECT coalesce(obj_description(n.oid, 'pg_namespace') = $2, false)"
                              "   AND pg_has_role(n.nspowner, 'USAGE') AS ours"
                              " FROM pg_namespace n WHERE n.nspname = $1";
    DbRows *rows = NULL;
    Status status = db_query(conn, SQL, DB_PARAMS(KEYBENCH_SCHEMA, KEYBENCH_SCHEMA_MARK),
                             DB_ANY_ROWS, &rows, diag);

    if (status != STATUS_OK)
        return status;
    *exists = db_rows_count(rows) > 0;
    if (*exists)
        status = db_cell_bool(rows, 0, "ours", ours, diag);
    db_rows_free(rows);
    return status;
}

static Status
drop_one(DbConn *conn, const char *kind, const char *name, Diag *diag)
{
    Text sql = {0};
    char *quoted = db_quote_name(conn, name);
    Status status;

    text_printf(&sql, "DROP %s " KEYBENCH_SCHEMA ".%s", kind, quoted);
    status = db_exec(conn, sql.data, DB_NO_PARAMS, diag);
    free(quoted);
    text_release(&sql);
    return status;
}

/* Tables that reference others go first: a table without incoming foreign keys can always be
 * dropped. */
static Status
drop_next_table(DbConn *conn, bool *done, Diag *diag)
{
    static const char SQL[] = "SELECT c.relname FROM pg_class c WHERE c.relnamespace = "
                              "$1::regnamespace AND c.relkind IN ('r', 'p')"
                              " ORDER BY EXISTS (SELECT FROM pg_constraint f WHERE f.confrelid = "
                              "c.oid AND f.conrelid <> c.oid),"
                              " c.oid DESC LIMIT 1";
    DbRows *rows = NULL;
    Status status = db_query(conn, SQL, DB_PARAMS(KEYBENCH_SCHEMA), DB_ANY_ROWS, &rows, diag);

    if (status != STATUS_OK)
        return status;
    *done = db_rows_count(rows) == 0;
    if (!*done)
        status = drop_one(conn, "TABLE", db_cell(rows, 0, "relname"), diag);
    db_rows_free(rows);
    return status;
}

static Status
drop_functions(DbConn *conn, Diag *diag)
{
    static const char SQL[] =
        "SELECT format('DROP FUNCTION %s', p.oid::regprocedure) AS statement"
        " FROM pg_proc p WHERE p.pronamespace = $1::regnamespace ORDER BY p.oid DESC";
    DbRows *rows = NULL;
    Status status = db_query(conn, SQL, DB_PARAMS(KEYBENCH_SCHEMA), DB_ANY_ROWS, &rows, diag);

    for (size_t row = 0; status == STATUS_OK && row < db_rows_count(rows); row++)
        status = db_exec(conn, db_cell(rows, row, "statement"), DB_NO_PARAMS, diag);
    db_rows_free(rows);
    return status;
}

/* Say who holds the lock that a drop waited for. */
static Status
blocked(DbConn *conn, Diag *diag)
{
    static const char SQL[] =
        "SELECT pid, coalesce(nullif(application_name, ''), 'no name') AS application"
        " FROM pg_locks l JOIN pg_class c ON c.oid = l.relation JOIN pg_stat_activity USING (pid)"
        " WHERE l.locktype = 'relation' AND l.granted AND pid <> pg_backend_pid()"
        " AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())"
        " AND c.relnamespace = $1::regnamespace LIMIT 1";
    DbRows *rows = NULL;
    Diag ignored = {0};
    Status status = db_query(conn, SQL, DB_PARAMS(KEYBENCH_SCHEMA), DB_ONE_ROW, &rows, &ignored);

    if (status == STATUS_OK) {
        const char *pid = db_cell(rows, 0, "pid");

        diag_set(diag, STATUS_SERVER,
                 "process %s of the server (%s) holds a lock in schema \"" KEYBENCH_SCHEMA "\"",
                 pid, db_cell(rows, 0, "application"));
        diag_hint(
            diag,
            "Let its transaction end, or run SELECT pg_terminate_backend(%s); then try again.",
            pid);
    } else {
        diag_context(diag, "cannot remove schema \"" KEYBENCH_SCHEMA "\"");
        diag_hint(diag, "Another session holds a lock in it; let its transaction end.");
    }
    db_rows_free(rows);
    return diag->status;
}

static Status
drop_contents(DbConn *conn, Diag *diag)
{
    bool done = false;
    Status status = STATUS_OK;

    while (status == STATUS_OK && !done)
        status = drop_next_table(conn, &done, diag);
    if (status == STATUS_OK)
        status = drop_functions(conn, diag);
    if (status == STATUS_OK)
        status = db_exec(conn, "DROP SCHEMA " KEYBENCH_SCHEMA, DB_NO_PARAMS, diag);
    return status;
}

static Status
drop_schema(DbConn *conn, Diag *diag)
{
    Diag ignored = {0};
    Status status = set_lock_timeout(conn, DROP_LOCK_TIMEOUT, diag);

    if (status == STATUS_OK)
        status = drop_contents(conn, diag);
    if (status == STATUS_OK)
        return set_lock_timeout(conn, "0", diag);
    if (status == STATUS_DB_QUERY && set_lock_timeout(conn, "0", &ignored) == STATUS_OK &&
        strcmp(diag->sqlstate, "55P03") == 0) /* lock_not_available */
        return blocked(conn, diag);
    if (status == STATUS_DB_QUERY) {
        diag_context(diag, "cannot remove schema \"" KEYBENCH_SCHEMA "\"");
        diag_hint(diag, "Something that keybench did not make depends on it or is in it.");
    }
    return status;
}

static Status
create_schema(DbConn *conn, Diag *diag)
{
    Text sql = {0};
    char *mark = db_quote_literal(conn, KEYBENCH_SCHEMA_MARK);
    Status status = db_exec(conn, "CREATE SCHEMA " KEYBENCH_SCHEMA, DB_NO_PARAMS, diag);

    if (status == STATUS_DB_QUERY && strcmp(diag->sqlstate, "42501") == 0)
        diag_hint(diag,
                  "GRANT CREATE ON DATABASE ... TO this user, or use a database of your own.");
    text_printf(&sql, "COMMENT ON SCHEMA " KEYBENCH_SCHEMA " IS %s", mark);
    if (status == STATUS_OK)
        status = db_exec(conn, sql.data, DB_NO_PARAMS, diag);
    text_release(&sql);
    free(mark);
    return status;
}

Status
schema_claim(DbConn *conn, Diag *diag)
{
    return schema_claim_wait(conn, 0, diag);
}

static Status
not_ours(const DbConn *conn, Diag *diag)
{
    diag_set(diag, STATUS_SERVER,
             "schema \"" KEYBENCH_SCHEMA "\" exists and was not made by keybench in %s",
             db_label(conn));
    diag_hint(diag, "Use another database; keybench touches nothing that it did not make.");
    return diag->status;
}

Status
schema_claim_wait(DbConn *conn, uint64_t wait_ns, Diag *diag)
{
    bool exists = false, ours = false;
    Status status = measuring_turn_take(conn, wait_ns, diag);

    if (status == STATUS_OK)
        status = find_schema(conn, &exists, &ours, diag);
    if (status == STATUS_OK && exists && !ours)
        status = not_ours(conn, diag);
    if (status == STATUS_OK && exists)
        status = drop_schema(conn, diag);
    if (status == STATUS_OK)
        status = create_schema(conn, diag);
    return status;
}

Status
schema_release(DbConn *conn, Diag *diag)
{
    Status status = drop_schema(conn, diag);

    if (status == STATUS_OK)
        status = db_exec(conn, "SELECT pg_advisory_unlock(" LOCK_KEYS ")", DB_NO_PARAMS, diag);
    return status;
}

static Status
clean(DbConn *conn, uint64_t wait_ns, bool *found, Diag *diag)
{
    bool exists = false, ours = false;
    Status status = measuring_turn_take(conn, wait_ns, diag);

    if (status == STATUS_OK)
        status = find_schema(conn, &exists, &ours, diag);
    if (status == STATUS_OK && exists && !ours)
        status = not_ours(conn, diag);
    if (status == STATUS_OK && exists)
        status = drop_schema(conn, diag);
    if (status == STATUS_OK)
        *found = exists;
    return status;
}

Status
schema_clean(DbConn *conn, bool *found, Diag *diag)
{
    return clean(conn, 0, found, diag);
}

/* The server may still be at work for the connection that was lost; only a holder of our lock is
 * ended. */
static Status
end_lost_session(DbConn *conn, int pid, Diag *diag)
{
    static const char SQL[] =
        "SELECT pg_terminate_backend(pid) FROM pg_locks"
        " WHERE locktype = 'advisory' AND " LOCK_KEYS_ARE " AND granted AND pid = $1::int"
        " AND database = (SELECT oid FROM pg_database WHERE datname = current_database())";
    char number[16];

    snprintf(number, sizeof(number), "%d", pid);
    return db_exec(conn, SQL, DB_PARAMS(number), diag);
}

Status
schema_release_anew(const DbConn *lost, Diag *diag)
{
    static const struct timespec PAUSE = {.tv_nsec = (long)ANEW_PAUSE_NS};
    Instant start = instant_now();
    DbConn *conn = NULL;
    bool found;
    Status status = db_open_like(lost, &conn, diag);

    while (status == STATUS_SERVER && instant_elapsed_ns(start) < ANEW_DEADLINE_NS) {
        nanosleep(&PAUSE, NULL);
        status = db_open_like(lost, &conn, diag);
    }
    if (status != STATUS_OK)
        return status;
    db_set_deadline(conn, ANEW_STATEMENT_DEADLINE_NS);
    status = end_lost_session(conn, db_backend_pid(lost), diag);
    if (status == STATUS_OK)
        status = clean(conn, ANEW_DEADLINE_NS, &found, diag);
    db_close(conn);
    return status;
}

/* Those in which tables have rows, as of 13. A transaction that filled only temporary tables does
 * not wait until its commit is in the log, and until then no hint is set on rows of the 32
 * transactions around it (transam.c, TransactionIdGetCommitLSN): one that does wait takes it along.
 * Without INDEX_CLEANUP a few dead rows stay in indexes. */
Status
catalogue_settle(DbConn *conn, Diag *diag)
{
    static const char LOG[] = "SELECT pg_logical_emit_message(true, 'keybench', '')";
    static const char VACUUM[] =
        "VACUUM (INDEX_CLEANUP on) pg_catalog.pg_attrdef, pg_catalog.pg_attribute,"
        " pg_catalog.pg_class, pg_catalog.pg_constraint, pg_catalog.pg_depend, pg_catalog.pg_index,"
        " pg_catalog.pg_proc, pg_catalog.pg_sequence, pg_catalog.pg_shdepend,"
        " pg_catalog.pg_trigger, pg_catalog.pg_type";
    Status status = db_exec(conn, LOG, DB_NO_PARAMS, diag);

    return status == STATUS_OK ? db_exec(conn, VACUUM, DB_NO_PARAMS, diag) : status;
}
