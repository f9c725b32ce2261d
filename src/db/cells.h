/*
 * What a statement returned: cells by column name, as text or as typed values that are checked.
 */
#ifndef KB_DB_CELLS_H
#define KB_DB_CELLS_H

#include "base/diag.h"

#include <stddef.h>
#include <stdint.h>

typedef struct pg_result DbRows; /* libpq's result, opaque outside this room */

void db_rows_free(DbRows *rows); /* accepts NULL */
size_t db_rows_count(const DbRows *rows);

/* A cell as text; NULL for SQL null. `column` is a name as in SQL: folded to lower case unless
 * quoted. Borrowed from `rows`. A column that is not there is a BUG: the SQL is ours. */
const char *db_cell(const DbRows *rows, size_t row, const char *column);

/* Typed cells; SQL null and malformed numbers are STATUS_DB_QUERY naming the column. */
Status db_cell_u64(const DbRows *rows, size_t row, const char *column, uint64_t *value,
                   Diag *diag) MUST_USE;
Status db_cell_i64(const DbRows *rows, size_t row, const char *column, int64_t *value,
                   Diag *diag) MUST_USE;
Status db_cell_double(const DbRows *rows, size_t row, const char *column, double *value,
                      Diag *diag) MUST_USE;
Status db_cell_bool(const DbRows *rows, size_t row, const char *column, bool *value,
                    Diag *diag) MUST_USE;

#endif
