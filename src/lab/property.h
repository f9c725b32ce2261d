/*
 * What the lab makes on a server outside its sessions: schemas and databases with a name of their
 * own, marked by a comment and guarded by an advisory lock for as long as their claim runs. What a
 * killed lab left behind is known by its mark without its lock, and dropped by the next.
 */
#ifndef KB_LAB_PROPERTY_H
#define KB_LAB_PROPERTY_H

#include "db/conn.h"

/* "keybench_lab_" and eight hexadecimal digits. */
enum { PROPERTY_NAME_SIZE = sizeof("keybench_lab_01234567") };

/* A name that nobody has: `name` has PROPERTY_NAME_SIZE bytes. */
void property_name(char *name);

/* Make a schema or database; its lock belongs to `conn` and ends with it. A database's `conn` must
 * not be in a transaction. */
Status schema_make(DbConn *conn, const char *name, Diag *diag) MUST_USE;
Status database_make(DbConn *conn, const char *name, Diag *diag) MUST_USE;

/*
 * Drop a schema with all that is in it, the publications that hold nothing but tables of it, and
 * the idle replication slots whose names begin with its name; or a database with the sessions in
 * it. What is not there any more is fine.
 */
Status schema_drop(DbConn *conn, const char *name, Diag *diag) MUST_USE;
Status database_drop(DbConn *conn, const char *name, Diag *diag) MUST_USE;

/* Drop what labs that are gone left in this database, and the databases that they made from it. */
Status leftovers_drop(DbConn *conn, Diag *diag) MUST_USE;

#endif
