/*
 * COPY ... FROM STDIN: begin, any number of puts, then an end. Up to one block is on its way while
 * the caller makes the next, so making, sending and storing rows overlap.
 */
#ifndef KB_DB_COPY_H
#define KB_DB_COPY_H

#include "db/conn.h"

Status db_copy_begin(DbConn *conn, const char *sql, Diag *diag) MUST_USE;

/* Hand over a block, once the one before is on its way. The bytes are the caller's again. */
Status db_copy_put(DbConn *conn, const void *bytes, size_t length, Diag *diag) MUST_USE;

/* All rows are sent: wait until the server has them. `row_count` out: how many it took. */
Status db_copy_end(DbConn *conn, uint64_t *row_count, Diag *diag) MUST_USE;

/* Give up: the server rolls back. `reason` goes into its log. */
Status db_copy_give_up(DbConn *conn, const char *reason, Diag *diag) MUST_USE;

#endif
