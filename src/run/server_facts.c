#include "run/server_facts.h"

#include "db/relstats.h"

#include <stdlib.h>
#include <string.h>

enum { VERSION_WALINSPECT = 150000 };

/* Where the extension is; on a throwaway server it is installed first. */
static Status
find_extension(DbConn *conn, const char *extension, bool install, char **schema, Diag *diag)
{
    bool available = false;
    Status status = extension_find(conn, extension, schema, &available, diag);

    if (status != STATUS_OK || *schema != NULL || !available || !install)
        return status;
    status = extension_install(conn, extension, &available, diag);
    if (status == STATUS_OK)
        status = extension_find(conn, extension, schema, &available, diag);
    return status;
}

static Status
need_pgstattuple(DbConn *conn, bool throwaway, char **schema, Diag *diag)
{
    Status status = find_extension(conn, "pgstattuple", throwaway, schema, diag);

    if (status != STATUS_OK || *schema != NULL)
        return status;
    diag_set(diag, STATUS_SERVER, "extension \"pgstattuple\" is not installed in %s",
             db_label(conn));
    diag_hint(diag, "A superuser can run there: CREATE EXTENSION pgstattuple;"
                    " (it is in the server's contrib package)");
    return diag->status;
}

Status
server_facts_read(DbConn *conn, bool throwaway, ServerFacts *facts, Diag *diag)
{
    ServerFacts read = {.version_number = db_server_version(conn)};
    Status status = need_pgstattuple(conn, throwaway, &read.pgstattuple_schema, diag);
    if (status == STATUS_OK && throwaway && read.version_number >= VERSION_WALINSPECT)
        status = find_extension(conn, "pg_walinspect", true, &read.walinspect_schema, diag);
    if (status == STATUS_OK)
        *facts = read;
    else
        server_facts_release(&read);
    return status;
}

void
server_facts_release(ServerFacts *facts)
{
    free(facts->pgstattuple_schema);
    free(facts->walinspect_schema);
    *facts = (ServerFacts){0};
}
