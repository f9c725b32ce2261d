#include "lab/property.h"

#include "base/mem.h"
#include "base/text.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#define NAME_PREFIX "keybench_lab_"

/* Two-key form: the first says keybench's lab ("kbla"), the second which name. Manual, section
 * "Advisory Locks". */
#define LOCK_KEYS "1801612385, hashtext($1)"

/* The comment by which we know what is ours. Advisory locks hold within one database, so a
 * database's mark says which one made it. */
#define SCHEMA_MARK "made by keybench lab for one claim; the next lab drops it"
#define DATABASE_MARK "made by keybench lab for one claim; the next lab drops it from database "

void
property_name(char *name)
{
    uint32_t number = 0;

    if (getrandom(&number, sizeof(number), 0) != (ssize_t)sizeof(number))
        BUG("the system gives no random numbers");
    snprintf(name, PROPERTY_NAME_SIZE, NAME_PREFIX "%08" PRIx32, number);
}

static Status
lock(DbConn *conn, const char *name, bool *taken, Diag *diag)
{
    DbRows *rows = NULL;
    Status status = db_query(conn, "SELECT pg_try_advisory_lock(" LOCK_KEYS ") AS taken",
                             DB_PARAMS(name), DB_ONE_ROW, &rows, diag);

    if (status == STATUS_OK)
        status = db_cell_bool(rows, 0, "taken", taken, diag);
    db_rows_free(rows);
    return status;
}

static Status
unlock(DbConn *conn, const char *name, Diag *diag)
{
    return db_exec(conn, "SELECT pg_advisory_unlock(" LOCK_KEYS ")", DB_PARAMS(name), diag);
}

/* Run a statement with one quoted name in it, and a quoted literal behind it when there is one. */
static Status
exec_named(DbConn *conn, const char *before, const char *name, const char *after,
           const char *literal, Diag *diag)
{
    char *quoted = db_quote_name(conn, name);
    char *value = literal != NULL ? db_quote_literal(conn, literal) : mem_text("");
    Text sql = {0};
    Status status;

    text_printf(&sql, "%s %s %s%s", before, quoted, after, value);
    status = db_exec(conn, sql.data, DB_NO_PARAMS, diag);
    text_release(&sql);
    free(value);
    free(quoted);
    return status;
}

/* Run the statements that a query gives in its column "statement". */
static Status
exec_each(DbConn *conn, const char *query, DbParams params, Diag *diag)
{
    DbRows *rows = NULL;
    Status status = db_query(conn, query, params, DB_ANY_ROWS, &rows, diag);

    for (size_t row = 0; status == STATUS_OK && row < db_rows_count(rows); row++)
        status = db_exec(conn, db_cell(rows, row, "statement"), DB_NO_PARAMS, diag);
    db_rows_free(rows);
    return status;
}

/* The lock comes first, so that nobody takes what is being made for something left behind. */
static Status
lock_new(DbConn *conn, const char *name, Diag *diag)
{
    bool taken = false;
    Status status = lock(conn, name, &taken, diag);

    if (status == STATUS_OK && !taken)
        status = diag_set(diag, STATUS_SERVER, "another lab uses the name \"%s\" in %s", name,
                          db_label(conn));
    return status;
}

Status
schema_make(DbConn *conn, const char *name, Diag *diag)
{
    Status status = lock_new(conn, name, diag);

    if (status == STATUS_OK)
        status = exec_named(conn, "CREATE SCHEMA", name, "", NULL, diag);
    if (status == STATUS_DB_QUERY && strcmp(diag->sqlstate, "42501") == 0)
        diag_hint(diag,
                  "GRANT CREATE ON DATABASE ... TO this user, or use a database of your own.");
    if (status == STATUS_OK)
        status = exec_named(conn, "COMMENT ON SCHEMA", name, "IS ", SCHEMA_MARK, diag);
    return status;
}

static Status
mark_database(DbConn *conn, const char *name, Diag *diag)
{
    DbRows *rows = NULL;
    Status status = db_query(conn, "SELECT $1::text || current_database() AS mark",
                             DB_PARAMS(DATABASE_MARK), DB_ONE_ROW, &rows, diag);

    if (status == STATUS_OK)
        status =
            exec_named(conn, "COMMENT ON DATABASE", name, "IS ", db_cell(rows, 0, "mark"), diag);
    db_rows_free(rows);
    return status;
}

Status
database_make(DbConn *conn, const char *name, Diag *diag)
{
    Status status = lock_new(conn, name, diag);

    if (status == STATUS_OK) /* template1 may be in use, or hold what a claim does not expect */
        status = exec_named(conn, "CREATE DATABASE", name, "TEMPLATE template0", NULL, diag);
    if (status == STATUS_OK)
        status = mark_database(conn, name, diag);
    return status;
}

/* A publication does not go with its tables. Source: manual, "pg_publication_rel", from 10. */
static Status
drop_publications(DbConn *conn, const char *schema, Diag *diag)
{
    static const char SQL[] =
        "SELECT format('DROP PUBLICATION %I', p.pubname) AS statement FROM pg_publication p"
        " JOIN pg_publication_rel r ON r.prpubid = p.oid JOIN pg_class c ON c.oid = r.prrelid"
        " JOIN pg_namespace n ON n.oid = c.relnamespace"
        " WHERE pg_has_role(p.pubowner, 'USAGE') GROUP BY p.pubname"
        " HAVING bool_and(n.nspname = $1)";

    return exec_each(conn, SQL, DB_PARAMS(schema), diag);
}

/* Nor does a slot, which would hold the server's WAL for ever. */
static Status
drop_slots(DbConn *conn, const char *schema, Diag *diag)
{
    static const char SQL[] =
        "SELECT format('SELECT pg_drop_replication_slot(%L)', slot_name) AS statement"
        " FROM pg_replication_slots WHERE starts_with(slot_name::text, $1) AND NOT active";

    return exec_each(conn, SQL, DB_PARAMS(schema), diag);
}

Status
schema_drop(DbConn *conn, const char *name, Diag *diag)
{
    Status status = drop_publications(conn, name, diag);

    if (status == STATUS_OK)
        status = drop_slots(conn, name, diag);
    if (status == STATUS_OK)
        status = exec_named(conn, "DROP SCHEMA IF EXISTS", name, "CASCADE", NULL, diag);
    if (status == STATUS_OK)
        status = unlock(conn, name, diag);
    return status;
}

Status
database_drop(DbConn *conn, const char *name, Diag *diag)
{
    Status status = exec_named(conn, "DROP DATABASE IF EXISTS", name, "WITH (FORCE)", NULL, diag);

    if (status == STATUS_OK)
        status = unlock(conn, name, diag);
    return status;
}

/* Drop each name that a query gives, unless a lab that lives holds its lock. */
static Status
drop_unlocked(DbConn *conn, const char *query, DbParams params,
              Status (*drop)(DbConn *conn, const char *name, Diag *diag), Diag *diag)
{
    DbRows *rows = NULL;
    Status status = db_query(conn, query, params, DB_ANY_ROWS, &rows, diag);

    for (size_t row = 0; status == STATUS_OK && row < db_rows_count(rows); row++) {
        bool taken = false;

        status = lock(conn, db_cell(rows, row, "name"), &taken, diag);
        if (status == STATUS_OK && taken)
            status = drop(conn, db_cell(rows, row, "name"), diag);
    }
    db_rows_free(rows);
    return status;
}

Status
leftovers_drop(DbConn *conn, Diag *diag)
{
    static const char SCHEMAS[] =
        "SELECT nspname AS name FROM pg_namespace WHERE starts_with(nspname::text, $1)"
        " AND obj_description(oid, 'pg_namespace') = $2 AND pg_has_role(nspowner, 'USAGE')";
    static const char DATABASES[] =
        "SELECT datname AS name FROM pg_database WHERE starts_with(datname::text, $1)"
        " AND shobj_description(oid, 'pg_database') = $2 || current_database()"
        " AND pg_has_role(datdba, 'USAGE')";
    Status status =
        drop_unlocked(conn, SCHEMAS, DB_PARAMS(NAME_PREFIX, SCHEMA_MARK), schema_drop, diag);

    if (status == STATUS_OK)
        status = drop_unlocked(conn, DATABASES, DB_PARAMS(NAME_PREFIX, DATABASE_MARK),
                               database_drop, diag);
    return status;
}
