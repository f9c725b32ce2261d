#include "db/rowtext.h"

#include <libpq-fe.h>

/* The type's number in every server's catalog: BOOLOID of pg_type.dat. */
static const Oid TYPE_BOOLEAN = 16;

bool
rows_returned(const DbRows *rows)
{
    return PQresultStatus(rows) == PGRES_TUPLES_OK;
}

static const char *
cell_text(const DbRows *rows, int row, int column)
{
    const char *value = PQgetvalue(rows, row, column);

    if (PQgetisnull(rows, row, column))
        return "null";
    if (PQftype(rows, column) == TYPE_BOOLEAN)
        return value[0] == 't' ? "true" : "false";
    return value;
}

void
rows_print(const DbRows *rows, Text *text)
{
    if (PQntuples(rows) == 0)
        text_add(text, "no row");
    for (int row = 0; row < PQntuples(rows); row++) {
        text_add(text, row > 0 ? "; " : "");
        for (int column = 0; column < PQnfields(rows); column++)
            text_printf(text, "%s%s", column > 0 ? ", " : "", cell_text(rows, row, column));
    }
}

const char *
rows_first_cell(const DbRows *rows)
{
    if (PQntuples(rows) == 0 || PQnfields(rows) == 0 || PQgetisnull(rows, 0, 0))
        return NULL;
    return PQgetvalue(rows, 0, 0);
}
