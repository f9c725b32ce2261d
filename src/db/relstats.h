/*
 * Sizes and inner state of a table and its indexes. Nothing here but correlation_read scans a heap:
 * on a server with checksums a first scan writes WAL (hint bits), and would spoil the batch after
 * it.
 */
#ifndef KB_DB_RELSTATS_H
#define KB_DB_RELSTATS_H

#include "db/conn.h"

/*
 * The B-tree indexes of a table, the primary key's first, then by name, with the columns name,
 * index_bytes, tree_level, internal_pages, leaf_pages, empty_pages, deleted_pages,
 * leaf_density_pct, leaf_fragmentation_pct (the last two null for an empty index). Caller frees
 * *rows.
 *
 * table             schema-qualified and quoted
 * extension_schema  where pgstattuple is installed
 * Source            PostgreSQL manual, appendix F, pgstattuple: pgstatindex(regclass)
 */
Status indexes_read(DbConn *conn, const char *table, const char *extension_schema, DbRows **rows,
                    Diag *diag) MUST_USE;

/* Bytes of the table's main fork: pg_relation_size(). */
Status heap_bytes_read(DbConn *conn, const char *table, uint64_t *bytes, Diag *diag) MUST_USE;

/* Average bytes that one value of a column takes in the row: pg_column_size() of the first 1,000
 * rows. 0 for an empty table. */
Status column_bytes_read(DbConn *conn, const char *table, const char *column, double *bytes,
                         Diag *diag) MUST_USE;

/* Rows that are deleted or replaced and not yet vacuumed: pg_stat_get_dead_tuples(). NAN before 15,
 * where it cannot be made current. */
Status dead_rows_read(DbConn *conn, const char *table, double *rows, Diag *diag) MUST_USE;

/* How far the order of a column is the order of the rows in the heap, -100 to 100: Pearson's
 * correlation of both ranks, over all rows, rounded to hundredths. NAN for fewer than two rows. */
Status correlation_read(DbConn *conn, const char *table, const char *column, double *pct,
                        Diag *diag) MUST_USE;

/* Pages of a table and of its primary key's index that the server has in its cache. */
typedef struct CachedPages {
    double heap_pages, leaf_pages;
} CachedPages;

/*
 * Read them. Both extensions must be installed in schema public, as extension_install does.
 * Source   PostgreSQL manual, appendix F: pg_buffercache; pageinspect, bt_page_stats
 */
Status cached_pages_read(DbConn *conn, const char *table, CachedPages *pages, Diag *diag) MUST_USE;

/* Install one of the server's extensions in schema public, on a server of our own; *installed is
 * false where the server has no such extension. */
Status extension_install(DbConn *conn, const char *extension, bool *installed, Diag *diag) MUST_USE;

/*
 * The schema that an extension is installed in; caller frees. *schema NULL when it is not
 * installed; then `available` says whether the server could install it.
 */
Status extension_find(DbConn *conn, const char *extension, char **schema, bool *available,
                      Diag *diag) MUST_USE;

#endif
