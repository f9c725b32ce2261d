/*
 * The one schema that keybench works in: made by it, marked as its own by a comment, and nothing
 * outside it is ever touched. An advisory lock keeps two runs in one database apart.
 */
#ifndef KB_DB_SCHEMA_H
#define KB_DB_SCHEMA_H

#include "db/conn.h"

#define KEYBENCH_SCHEMA "keybench"

/* The comment by which a schema is known as ours. */
#define KEYBENCH_SCHEMA_MARK "made by keybench for its measurements; \"keybench clean\" removes it"

/*
 * Take the lock, then make the schema; what an interrupted run left in a schema of ours is removed
 * first. Returns   STATUS_SERVER when another run holds the lock, or a schema of that name is not
 * ours
 */
Status schema_claim(DbConn *conn, Diag *diag) MUST_USE;

/* The same, but wait up to `wait_ns` for the other run to end. */
Status schema_claim_wait(DbConn *conn, uint64_t wait_ns, Diag *diag) MUST_USE;

/* Take the lock alone, for whoever measures elsewhere than in our schema; it ends with the
 * connection. `wait_ns` 0: do not wait. Returns   STATUS_SERVER when another run keeps it, or the
 * connection goes through a pooler */
Status measuring_turn_take(DbConn *conn, uint64_t wait_ns, Diag *diag) MUST_USE;

/* Drop our tables and the schema, and give the lock back. Never drops anything with CASCADE. A drop
 * waits 5 s for another session's lock. Returns   STATUS_SERVER naming that session */
Status schema_release(DbConn *conn, Diag *diag) MUST_USE;

/* The same when the connection that claimed it can no longer be used: over a new one, tried for 10
 * s since the server may be restarting. Its old session is ended if it is still there. */
Status schema_release_anew(const DbConn *lost, Diag *diag) MUST_USE;

/*
 * Remove what an interrupted run left: our schema with its tables and functions, nothing else.
 *
 * found     out: false when there was none
 * Returns   STATUS_SERVER when a run is using it, or a schema of that name is not ours
 */
Status schema_clean(DbConn *conn, bool *found, Diag *diag) MUST_USE;

/* Vacuum the system catalogues, which takes a superuser. Whoever is the first to read a row after
 * its transaction marks it so, also that it is dead in an index, and on a server that logs such
 * hints that is an image of the page: better here than in a batch. */
Status catalogue_settle(DbConn *conn, Diag *diag) MUST_USE;

#endif
