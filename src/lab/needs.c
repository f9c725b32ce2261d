#include "lab/needs.h"

#include "db/relstats.h"

#include <stdlib.h>
#include <string.h>

enum { MAJOR_MIN = 14 };

Status
lab_facts_read(DbConn *conn, bool throwaway, LabServerFacts *facts, Diag *diag)
{
    static const char SQL[] = "SELECT rolsuper, rolcreatedb, current_setting('server_version') AS "
                              "version FROM pg_roles WHERE rolname = current_user";
    LabServerFacts read = {.major = db_server_version(conn) / 10000, .throwaway = throwaway};
    DbRows *rows = NULL;
    Status status = STATUS_OK;

    if (read.major < MAJOR_MIN)
        return diag_set(diag, STATUS_SERVER, "the server at %s is PostgreSQL %d; the lab needs %d",
                        db_label(conn), read.major, MAJOR_MIN);
    status = db_query(conn, SQL, DB_NO_PARAMS, DB_ONE_ROW, &rows, diag);
    if (status == STATUS_OK)
        status = db_cell_bool(rows, 0, "rolsuper", &read.superuser, diag);
    if (status == STATUS_OK)
        status = db_cell_bool(rows, 0, "rolcreatedb", &read.createdb, diag);
    if (status == STATUS_OK) {
        snprintf(read.version, sizeof(read.version), "%s", db_cell(rows, 0, "version"));
        read.version[strcspn(read.version, " ")] = '\0'; /* "15.18 (Debian 15.18-0+deb12u1)" */
        *facts = read;
    }
    db_rows_free(rows);
    return status;
}

static void
check_version(const LabServerFacts *facts, const Need *need, Text *reason)
{
    if (facts->major >= need->version_min && facts->major <= need->version_max)
        return;
    if (need->version_max == CHAPTER_VERSION_LAST)
        text_printf(reason, "needs PostgreSQL %d, this is %s", need->version_min, facts->version);
    else
        text_printf(reason, "needs PostgreSQL %d to %d, this is %s", need->version_min,
                    need->version_max, facts->version);
}

/* A role that the server does not have yet, as pg_checkpoint before 15, is no right of anybody but
 * a superuser. Source: manual, chapter "Predefined Roles". */
static Status
check_role(DbConn *conn, const LabServerFacts *facts, const Need *need, Text *reason, Diag *diag)
{
    static const char SQL[] = "SELECT coalesce((SELECT pg_has_role(r.oid, 'USAGE') FROM pg_roles r"
                              " WHERE r.rolname = $1), false) AS has";
    DbRows *rows = NULL;
    bool has = facts->superuser;
    Status status = STATUS_OK;

    if (!has)
        status = db_query(conn, SQL, DB_PARAMS(need->name), DB_ONE_ROW, &rows, diag);
    if (status == STATUS_OK && !has)
        status = db_cell_bool(rows, 0, "has", &has, diag);
    db_rows_free(rows);
    if (status == STATUS_OK && !has)
        text_printf(reason, "needs the role %s", need->name);
    return status;
}

static Status
install(DbConn *conn, const char *extension, Diag *diag)
{
    char *name = db_quote_name(conn, extension);
    Text sql = {0};
    Status status;

    text_printf(&sql, "CREATE EXTENSION IF NOT EXISTS %s SCHEMA public", name);
    status = db_exec(conn, sql.data, DB_NO_PARAMS, diag);
    text_release(&sql);
    free(name);
    return status;
}

static Status
check_extension(DbConn *conn, const LabServerFacts *facts, const Need *need, Text *reason,
                Diag *diag)
{
    char *schema = NULL;
    bool available = false;
    Status status = extension_find(conn, need->name, &schema, &available, diag);
    bool installed = schema != NULL;

    free(schema);
    if (status != STATUS_OK || installed)
        return status;
    if (available && facts->throwaway)
        return install(conn, need->name, diag);
    if (available)
        text_printf(reason, "needs the extension %s: CREATE EXTENSION %s", need->name, need->name);
    else
        text_printf(reason, "needs the extension %s, which this server does not have", need->name);
    return STATUS_OK;
}

static Status
check_need(DbConn *conn, const LabServerFacts *facts, const Need *need, Text *reason, Diag *diag)
{
    switch (need->kind) {
    case NEED_VERSION:
        check_version(facts, need, reason);
        break;
    case NEED_SUPERUSER:
        if (!facts->superuser)
            text_add(reason, "needs a superuser");
        break;
    case NEED_CREATEDB:
        if (!facts->superuser && !facts->createdb)
            text_add(reason, "needs a role that may create databases");
        break;
    case NEED_THROWAWAY:
        if (!facts->throwaway)
            text_add(reason, "needs a server of keybench's own: leave out the connection options");
        break;
    case NEED_ROLE:
        return check_role(conn, facts, need, reason, diag);
    case NEED_EXTENSION:
        return check_extension(conn, facts, need, reason, diag);
    }
    return STATUS_OK;
}

Status
needs_check(DbConn *conn, const LabServerFacts *facts, const Claim *claim, Text *reason, Diag *diag)
{
    Status status = STATUS_OK;

    for (size_t i = 0; status == STATUS_OK && reason->length == 0 && i < claim->need_count; i++)
        status = check_need(conn, facts, &claim->needs[i], reason, diag);
    return status;
}

Status
needs_install(DbConn *conn, const Claim *claim, Diag *diag)
{
    Status status = STATUS_OK;

    for (size_t i = 0; status == STATUS_OK && i < claim->need_count; i++)
        if (claim->needs[i].kind == NEED_EXTENSION)
            status = install(conn, claim->needs[i].name, diag);
    return status;
}
