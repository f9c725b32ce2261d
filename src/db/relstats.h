/*
 * Sizes and inner state of a table and its indexes. Nothing here scans a heap: on a server with
 * checksums a first scan writes WAL (hint bits), and would spoil the batch after it.
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

/*
 * The schema that an extension is installed in; caller frees. *schema NULL when it is not
 * installed; then `available` says whether the server could install it.
 */
Status extension_find(DbConn *conn, const char *extension, char **schema, bool *available,
                      Diag *diag) MUST_USE;

#endif
