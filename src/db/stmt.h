/*
 * Prepared statements with binary parameters, run one by one or many in flight (libpq's pipeline
 * mode). Nothing is allocated between two statements but by libpq; every wait has the connection's
 * deadline and ends when an interrupt is requested.
 */
#ifndef KB_DB_STMT_H
#define KB_DB_STMT_H

#include "db/conn.h"

enum { STMT_PARAMS_MAX = 65535 }; /* PostgreSQL manual, section 55.7, Bind: a 16-bit count */

typedef struct DbStmt DbStmt;

/*
 * Prepare under `name` of the session, with the types that the server infers for $1, $2 ...
 * Caller frees with stmt_free, before the connection is closed.
 */
Status stmt_prepare(DbConn *conn, const char *name, const char *sql, size_t param_count,
                    DbStmt **stmt, Diag *diag) MUST_USE;
void stmt_free(DbStmt *stmt); /* accepts NULL; the session keeps the statement */

size_t stmt_param_count(const DbStmt *stmt);

/* Parameter `index` (0 ..) of the next run, in PostgreSQL's binary form; borrowed until then. */
void stmt_bind(DbStmt *stmt, size_t index, const void *bytes, size_t length);

/* Run it and wait for its end. `row_count` out: how many rows it touched; NULL when nobody asks. */
Status stmt_run(DbStmt *stmt, uint64_t *row_count, Diag *diag) MUST_USE;

/* The same for its rows, as text; the caller's to free with db_rows_free. */
Status stmt_query(DbStmt *stmt, DbRows **rows, Diag *diag) MUST_USE;

/*
 * Statements in flight on one connection. Those between two syncs are one transaction. Nothing else
 * may be asked of the connection before stmt_pipeline_close.
 */
typedef struct DbPipeline DbPipeline;

DbPipeline *stmt_pipeline_open(DbConn *conn);

/* Queue one run; waits only for room. The bound bytes are the caller's again. */
Status stmt_pipeline_send(DbPipeline *pipeline, DbStmt *stmt, Diag *diag) MUST_USE;

/* End a transaction: it commits when the server gets there. */
Status stmt_pipeline_sync(DbPipeline *pipeline, Diag *diag) MUST_USE;

/* Wait for all answers. `row_count` out: how many rows were touched since stmt_pipeline_open. */
Status stmt_pipeline_finish(DbPipeline *pipeline, uint64_t *row_count, Diag *diag) MUST_USE;

/* Back to one statement at a time; after a failure what is in flight is cancelled first. */
void stmt_pipeline_close(DbPipeline *pipeline); /* accepts NULL */

#endif
