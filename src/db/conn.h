/*
 * The door to libpq: open, query, cancel; cells.h reads what comes back, copy.h and stmt.h send
 * rows. Every wait has a deadline and ends at once when an interrupt is requested; the statement is
 * then cancelled on the server before the call returns.
 */
#ifndef KB_DB_CONN_H
#define KB_DB_CONN_H

#include "base/diag.h"
#include "db/cells.h"

#include <stddef.h>
#include <stdint.h>

typedef struct DbConn DbConn;

/* Where to connect: each may be NULL, then libpq's own rules hold (environment, service file,
 * password file). */
typedef struct DbTarget {
    const char *host; /* host name, or the folder of a Unix socket */
    const char *port;
    const char *user;
    const char *dbname; /* a database name or a whole conninfo string, as psql's --dbname */
} DbTarget;

typedef struct DbParams {
    int count;
    const char *const *values; /* text form; NULL for SQL null */
} DbParams;

#define DB_NO_PARAMS ((DbParams){0})
#define DB_PARAMS(...)                                                                             \
    ((DbParams){(int)ARRAY_LEN(((const char *const[]){__VA_ARGS__})),                              \
                (const char *const[]){__VA_ARGS__}})

typedef enum DbShape {
    DB_ANY_ROWS,
    DB_ONE_ROW,
} DbShape;

/*
 * Connect as application "keybench", UTF-8, within 10 s. Caller closes with db_close.
 * Returns   STATUS_SERVER when the server cannot be reached or refuses; the message holds no
 * password or conninfo
 */
Status db_open(const DbTarget *target, DbConn **conn, Diag *diag) MUST_USE;

/* Another connection to the same server, database and user, as for a second writer: with the same
 * password, TLS and further options. */
Status db_open_like(const DbConn *conn, DbConn **twin, Diag *diag) MUST_USE;
void db_close(DbConn *conn); /* accepts NULL */

/* The same connection anew, after its server was started again: what the session had is gone, its
 * deadline and listener stay. */
Status db_reconnect(DbConn *conn, Diag *diag) MUST_USE;

/* The server's number such as 180004; its major version is number / 10000. */
int db_server_version(const DbConn *conn);
int db_backend_pid(const DbConn *conn); /* also when the connection is lost */

/* False once the connection is lost, or what runs on it could not be ended: nothing more can be
 * asked of it. */
bool db_is_usable(const DbConn *conn);

/* The version of libpq, as a number such as 150018. */
int db_client_version(void);

/* "host /run/x port 5432 database postgres": never a password. Borrowed until the connection is
 * closed. */
const char *db_label(const DbConn *conn);

/* How long one statement may take before it is cancelled and reported; the default is one hour. */
void db_set_deadline(DbConn *conn, uint64_t deadline_ns);

/* While true an interrupt does not end statements: for cleaning up after one. */
void db_set_uninterruptible(DbConn *conn, bool uninterruptible);

/* Server notices go to `listener` (default: dropped). The text is one line, borrowed for the call.
 */
void db_set_notice_listener(DbConn *conn, void (*listener)(void *context, const char *text),
                            void *context);

/*
 * Run one statement with text parameters. On success *rows is the caller's to free with
 * db_rows_free. Returns   STATUS_DB_QUERY with message, detail, hint and SQLSTATE of the server;
 * STATUS_SERVER when the connection is lost or the deadline passed; STATUS_INTERRUPTED
 */
Status db_query(DbConn *conn, const char *sql, DbParams params, DbShape shape, DbRows **rows,
                Diag *diag) MUST_USE;

/* The same when no row is wanted. */
Status db_exec(DbConn *conn, const char *sql, DbParams params, Diag *diag) MUST_USE;

/* Several statements with ";" between, in one transaction; their rows are dropped. */
Status db_exec_script(DbConn *conn, const char *sql, Diag *diag) MUST_USE;

/*
 * One statement without parameters in two halves, for one that may have to wait for another
 * session's lock: send it, then collect its answer. Nothing else may be asked of the connection
 * between the two; db_close gives up what was not collected, after db_cancel.
 *
 * wait_ns    how long to wait for the answer; 0 only looks
 * finished   out: false when there is none yet, and db_finish may be called again
 * rows       out, when finished: the caller's, as of db_query; an error at the implicit commit
 *            counts as the statement's own
 */
Status db_send(DbConn *conn, const char *sql, Diag *diag) MUST_USE;
Status db_finish(DbConn *conn, uint64_t wait_ns, bool *finished, DbRows **rows,
                 Diag *diag) MUST_USE;

/* A quoted identifier or literal, safe to put in SQL text; caller frees with free(). */
char *db_quote_name(DbConn *conn, const char *name);
char *db_quote_literal(DbConn *conn, const char *value);

/* Cancel what runs, from any thread. Best effort; false when the request did not reach the server
 * within 5 s. */
bool db_cancel(DbConn *conn);

#endif
