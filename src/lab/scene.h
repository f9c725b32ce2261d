/*
 * All that a claim runs on: its schema, the sessions it speaks in, and the further databases and
 * servers that it asks for. Everything here is gone when the scene is closed.
 */
#ifndef KB_LAB_SCENE_H
#define KB_LAB_SCENE_H

#include "db/conn.h"
#include "lab/chapter.h"
#include "server/cluster.h"

/* One connection of a claim. */
typedef struct Session {
    struct Session *next;
    const char *name;
    DbConn *conn;
    bool busy;           /* a statement was sent and is not collected */
    const Step *waiting; /* the statement that blocks; NULL: none */
} Session;

typedef struct SceneOptions {
    const DbTarget *target; /* of server "main" */
    Cluster *cluster;       /* that it is, borrowed; NULL: the user's server */
    const char *bindir;     /* for further servers; NULL: search */
    const Claim *claim;
    void (*notice)(void *context, const char *text); /* what could not be cleaned up */
    void *context;
} SceneOptions;

typedef struct Scene Scene;

/* In session "main" of database "main" of server "main", with the claim's schema made. Caller
 * closes with scene_close, which is never interrupted. */
Status scene_open(const SceneOptions *options, Scene **scene, Diag *diag) MUST_USE;
void scene_close(Scene *scene); /* accepts NULL */

/* The same name in every database and on every server of the claim. */
const char *scene_schema(const Scene *scene);

/* Move; what is not there yet is made. A server starts with `step`'s settings. */
Status scene_go_session(Scene *scene, const char *name, Diag *diag) MUST_USE;
Status scene_go_database(Scene *scene, const char *name, Diag *diag) MUST_USE;
Status scene_go_server(Scene *scene, const Step *step, Diag *diag) MUST_USE;

/* True once for each database that the scene has moved to: the chapter's setup has yet to run. */
bool scene_take_new(Scene *scene);

/* End the current session; its next statement opens it anew. */
void scene_disconnect(Scene *scene);

/* The session that statements go to, open. */
Status scene_session(Scene *scene, Session **session, Diag *diag) MUST_USE;

/* A connection beside the sessions, to the same database, for what the lab itself asks. */
Status scene_keeper(Scene *scene, DbConn **keeper, Diag *diag) MUST_USE;

/* Bring what the scene's own connections to the current server wrote into the server's counters, so
 * that a measurement that begins now does not see it as somebody else's. */
Status scene_publish(Scene *scene, Diag *diag) MUST_USE;

/* The session of this name that has a waiting statement, wherever it is; NULL when there is none.
 */
Session *scene_find_waiting(const Scene *scene, const char *name);

/*
 * Which of the scene's own sessions a session of the current server waits for, by the server's own
 * view. Source: manual, "System Information Functions", pg_blocking_pids(), from 9.6.
 *
 * waits       out: whether it waits for a lock, whoever holds it
 * holder      out: NULL when it waits for none of ours
 */
Status scene_waits_for(Scene *scene, const Session *session, bool *waits, const Session **holder,
                       Diag *diag) MUST_USE;

/* End the current server and start it again, by kill -9 or by an immediate shutdown. Sessions are
 * opened anew at their next use. */
Status scene_crash(Scene *scene, Diag *diag) MUST_USE;
Status scene_restart(Scene *scene, Diag *diag) MUST_USE;

/* Where the `run` of a scenario goes: the current server and database. */
const DbTarget *scene_target(const Scene *scene);

#endif
