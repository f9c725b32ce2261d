#include "db/cells.h"

#include <errno.h>
#include <libpq-fe.h>
#include <stdlib.h>
#include <string.h>

void
db_rows_free(DbRows *rows)
{
    PQclear(rows);
}

size_t
db_rows_count(const DbRows *rows)
{
    return (size_t)PQntuples(rows);
}

const char *
db_cell(const DbRows *rows, size_t row, const char *column)
{
    int number = PQfnumber(rows, column);

    if (number < 0 || row >= db_rows_count(rows))
        BUG("no cell \"%s\" in row %zu", column, row);
    return PQgetisnull(rows, (int)row, number) ? NULL : PQgetvalue(rows, (int)row, number);
}

static Status
bad_cell(const char *column, const char *cell, const char *wanted, Diag *diag)
{
    return diag_set(diag, STATUS_DB_QUERY, "column \"%s\" holds %s%s%s where %s was expected",
                    column, cell != NULL ? "\"" : "", cell != NULL ? cell : "null",
                    cell != NULL ? "\"" : "", wanted);
}

Status
db_cell_u64(const DbRows *rows, size_t row, const char *column, uint64_t *value, Diag *diag)
{
    const char *cell = db_cell(rows, row, column);
    char *end = NULL;
    unsigned long long number;

    errno = 0;
    number = cell != NULL ? strtoull(cell, &end, 10) : 0;
    if (cell == NULL || end == cell || *end != '\0' || errno != 0 || cell[0] == '-')
        return bad_cell(column, cell, "a whole number", diag);
    *value = number;
    return STATUS_OK;
}

Status
db_cell_i64(const DbRows *rows, size_t row, const char *column, int64_t *value, Diag *diag)
{
    const char *cell = db_cell(rows, row, column);
    char *end = NULL;
    long long number;

    errno = 0;
    number = cell != NULL ? strtoll(cell, &end, 10) : 0;
    if (cell == NULL || end == cell || *end != '\0' || errno != 0)
        return bad_cell(column, cell, "a whole number", diag);
    *value = number;
    return STATUS_OK;
}

Status
db_cell_double(const DbRows *rows, size_t row, const char *column, double *value, Diag *diag)
{
    const char *cell = db_cell(rows, row, column);
    char *end = NULL;
    double number = cell != NULL ? strtod(cell, &end) : 0;

    if (cell == NULL || end == cell || *end != '\0')
        return bad_cell(column, cell, "a number", diag);
    *value = number;
    return STATUS_OK;
}

Status
db_cell_bool(const DbRows *rows, size_t row, const char *column, bool *value, Diag *diag)
{
    const char *cell = db_cell(rows, row, column);

    if (cell == NULL || (strcmp(cell, "t") != 0 && strcmp(cell, "f") != 0))
        return bad_cell(column, cell, "true or false", diag);
    *value = cell[0] == 't';
    return STATUS_OK;
}
