/*
 * The server's version and the settings that a count can depend on, as recorded with every result.
 */
#ifndef KB_DB_SETTINGS_H
#define KB_DB_SETTINGS_H

#include "db/conn.h"

/*
 * One row a setting, columns name and value, in a fixed order: those of docs/results.md that this
 * server has. Values as current_setting() shows them. Caller frees *rows.
 */
Status settings_read(DbConn *conn, DbRows **rows, Diag *diag) MUST_USE;

#endif
