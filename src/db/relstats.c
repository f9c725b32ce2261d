#include "db/relstats.h"

#include "base/mem.h"
#include "base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

Status
indexes_read(DbConn *conn, const char *table, const char *extension_schema, DbRows **rows,
             Diag *diag)
{
    char *schema = db_quote_name(conn, extension_schema);
    Text sql = {0};
    Status status;

    /* An empty index has NaN density; null says the same without a special number. */
    text_printf(&sql,
                "SELECT c.relname AS name, pg_relation_size(c.oid) AS index_bytes, s.tree_level,"
                " s.internal_pages, s.leaf_pages, s.empty_pages, s.deleted_pages,"
                " nullif(s.avg_leaf_density, 'NaN') AS leaf_density_pct,"
                " nullif(s.leaf_fragmentation, 'NaN') AS leaf_fragmentation_pct"
                " FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid"
                " JOIN pg_am a ON a.oid = c.relam AND a.amname = 'btree',"
                " LATERAL %s.pgstatindex(c.oid::regclass) s"
                " WHERE i.indrelid = $1::regclass ORDER BY i.indisprimary DESC, c.relname",
                schema);
    status = db_query(conn, sql.data, DB_PARAMS(table), DB_ANY_ROWS, rows, diag);
    if (status == STATUS_DB_QUERY && strcmp(diag->sqlstate, "42501") == 0)
        diag_hint(diag, "A superuser can run: GRANT pg_stat_scan_tables TO this user;");
    text_release(&sql);
    free(schema);
    return status;
}

Status
heap_bytes_read(DbConn *conn, const char *table, uint64_t *bytes, Diag *diag)
{
    DbRows *rows = NULL;
    Status status = db_query(conn, "SELECT pg_relation_size($1::regclass) AS bytes",
                             DB_PARAMS(table), DB_ONE_ROW, &rows, diag);

    if (status == STATUS_OK)
        status = db_cell_u64(rows, 0, "bytes", bytes, diag);
    db_rows_free(rows);
    return status;
}

Status
column_bytes_read(DbConn *conn, const char *table, const char *column, double *bytes, Diag *diag)
{
    char *name = db_quote_name(conn, column);
    DbRows *rows = NULL;
    Text sql = {0};
    Status status;

    text_printf(&sql,
                "SELECT coalesce(avg(size), 0)::float8 AS bytes FROM"
                " (SELECT pg_column_size(%s) AS size FROM %s LIMIT 1000) AS sample",
                name, table);
    status = db_query(conn, sql.data, DB_NO_PARAMS, DB_ONE_ROW, &rows, diag);
    if (status == STATUS_OK)
        status = db_cell_double(rows, 0, "bytes", bytes, diag);
    db_rows_free(rows);
    text_release(&sql);
    free(name);
    return status;
}

/* One cell "value"; null leaves *value NAN. */
static Status
read_value(DbConn *conn, const char *sql, DbParams params, double *value, Diag *diag)
{
    DbRows *rows = NULL;
    Status status = db_query(conn, sql, params, DB_ONE_ROW, &rows, diag);

    if (status == STATUS_OK) {
        *value = NAN;
        if (db_cell(rows, 0, "value") != NULL)
            status = db_cell_double(rows, 0, "value", value, diag);
    }
    db_rows_free(rows);
    return status;
}

Status
dead_rows_read(DbConn *conn, const char *table, double *rows, Diag *diag)
{
    *rows = NAN;
    if (db_server_version(conn) < 150000)
        return STATUS_OK;
    return read_value(conn, "SELECT pg_stat_get_dead_tuples($1::regclass) AS value",
                      DB_PARAMS(table), rows, diag);
}

Status
correlation_read(DbConn *conn, const char *table, const char *column, double *pct, Diag *diag)
{
    char *name = db_quote_name(conn, column);
    Text sql = {0};
    Status status;

    text_printf(&sql,
                "SELECT round((100 * corr(by_key, by_place))::numeric, 2)::float8 AS value FROM"
                " (SELECT row_number() OVER (ORDER BY %s) AS by_key,"
                " row_number() OVER (ORDER BY ctid) AS by_place FROM %s) AS rank",
                name, table);
    status = read_value(conn, sql.data, DB_NO_PARAMS, pct, diag);
    text_release(&sql);
    free(name);
    return status;
}

Status
cached_pages_read(DbConn *conn, const char *table, CachedPages *pages, Diag *diag)
{
    /* Block 0 of a B-tree is its meta page, which bt_page_stats refuses. */
    static const char SQL[] =
        "SELECT count(*) FILTER (WHERE b.relfilenode = pg_relation_filenode(i.indrelid)) AS heap,"
        " count(*) FILTER (WHERE CASE WHEN b.relfilenode = pg_relation_filenode(i.indexrelid)"
        "   AND b.relblocknumber > 0 THEN (SELECT s.type FROM public.bt_page_stats("
        "   i.indexrelid::regclass::text, b.relblocknumber) AS s) = 'l' END) AS leaf"
        " FROM pg_index i, public.pg_buffercache b"
        " WHERE i.indrelid = $1::regclass AND i.indisprimary AND b.relforknumber = 0"
        " AND b.reldatabase = (SELECT oid FROM pg_database WHERE datname = current_database())";
    DbRows *rows = NULL;
    Status status = db_query(conn, SQL, DB_PARAMS(table), DB_ONE_ROW, &rows, diag);

    if (status == STATUS_OK)
        status = db_cell_double(rows, 0, "heap", &pages->heap_pages, diag);
    if (status == STATUS_OK)
        status = db_cell_double(rows, 0, "leaf", &pages->leaf_pages, diag);
    db_rows_free(rows);
    return status;
}

Status
extension_install(DbConn *conn, const char *extension, bool *installed, Diag *diag)
{
    char *name, *schema = NULL;
    bool available = false;
    Text sql = {0};
    Status status = extension_find(conn, extension, &schema, &available, diag);

    *installed = status == STATUS_OK && (schema != NULL || available);
    if (status == STATUS_OK && schema == NULL && available) {
        name = db_quote_name(conn, extension);
        text_printf(&sql, "CREATE EXTENSION %s SCHEMA public", name);
        status = db_exec(conn, sql.data, DB_NO_PARAMS, diag);
        text_release(&sql);
        free(name);
    }
    free(schema);
    return status;
}

Status
extension_find(DbConn *conn, const char *extension, char **schema, bool *available, Diag *diag)
{
    static const char SQL[] =
        "SELECT n.nspname AS schema, EXISTS (SELECT FROM pg_available_extensions a WHERE a.name = "
        "$1)"
        " AS available FROM (SELECT) AS one LEFT JOIN pg_extension e ON e.extname = $1"
        " LEFT JOIN pg_namespace n ON n.oid = e.extnamespace";
    DbRows *rows = NULL;
    Status status = db_query(conn, SQL, DB_PARAMS(extension), DB_ONE_ROW, &rows, diag);

    if (status == STATUS_OK)
        status = db_cell_bool(rows, 0, "available", available, diag);
    if (status == STATUS_OK && db_cell(rows, 0, "schema") != NULL)
        *schema = mem_text(db_cell(rows, 0, "schema"));
    db_rows_free(rows);
    return status;
}
