/*
 * Rows of a query that is not ours, as one line of text for people: columns by place, not by name.
 */
#ifndef KB_DB_ROWTEXT_H
#define KB_DB_ROWTEXT_H

#include "base/text.h"
#include "db/conn.h"

/* Whether the statement was one that returns rows, be it none of them. */
bool rows_returned(const DbRows *rows);

/* Append columns joined by ", " and rows joined by "; ", null as "null", a boolean as "true" or
 * "false"; "no row" when there is none. */
void rows_print(const DbRows *rows, Text *text);

/* The first column of the first row; NULL for SQL null and when there is none. Borrowed from
 * `rows`.
 */
const char *rows_first_cell(const DbRows *rows);

#endif
