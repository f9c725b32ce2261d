/*
 * The extensions of the server at the other end, and where they are.
 */
#ifndef KB_RUN_SERVER_FACTS_H
#define KB_RUN_SERVER_FACTS_H

#include "db/conn.h"
#include "run/trial.h"
#include "server/cluster.h"

struct ServerFacts {
    int version_number;
    char *pgstattuple_schema;
    char *walinspect_schema; /* NULL: not used on this server */
    Cluster *cluster;        /* the throwaway server itself, which may be restarted; NULL: a user's.
                                Set by whoever started it */
};

/*
 * Look, and on a throwaway server install what is missing.
 * Returns   STATUS_SERVER with the exact remedy. Caller releases with server_facts_release
 */
Status server_facts_read(DbConn *conn, bool throwaway, ServerFacts *facts, Diag *diag) MUST_USE;
void server_facts_release(ServerFacts *facts);

#endif
