/*
 * The SQL of one table of a design: itself, its staging table for rows minted here, and the
 * measured statement. All identifiers are quoted by libpq; types, collations and generators come
 * from keybench's own tables, never from a scenario's free text.
 */
#ifndef KB_RUN_TRIAL_TABLE_H
#define KB_RUN_TRIAL_TABLE_H

#include "db/conn.h"
#include "scenario/scenario.h"

/* One table of a design on one server. Release with trial_table_release. */
typedef struct TrialTable {
    const Design *design;
    bool *staged; /* by column: minted or filled here and sent through the staging table */
    bool any_staged;
    bool any_joined;  /* some hold keys of the parent that only the server knows */
    char *name;       /* quoted and schema-qualified */
    char *create_sql; /* the table with its primary key */
    char **index_sql; /* design->index_count further statements */
    char *stage_sql;  /* the staging table of a session; NULL when nothing is staged */
    char *raw_sql;    /* where rows wait that need keys of the parent, which are looked up by row
                         number; NULL when none are */
    char *stage_copy_sql; /* COPY into the first of them, binary: row number, then the staged
                             columns in order */
    char *join_sql;       /* from there into the staging table, in order; NULL when none are */
    char *stage_empty_sql, *stage_drop_sql; /* both of them */
    char *insert_sql; /* the measured INSERT; $1 and $2: first and last row number, unless staged */
    char *sent_names; /* the columns that the server does not make, in order: "id", "n" */
    size_t sent_count;
    char *copy_sql; /* COPY of whole rows into the table itself, binary */
} TrialTable;

/*
 * Decide who makes each column's values on this server and write the SQL.
 * Returns   STATUS_SERVER when a generator is missing there and the scenario allows no fallback
 */
Status trial_table_init(TrialTable *table, DbConn *conn, const Design *design, Diag *diag) MUST_USE;
void trial_table_release(TrialTable *table);

/* The INSERT of `row_count` whole rows, sent_count parameters each, in order. Caller frees. */
char *trial_table_values_sql(const TrialTable *table, uint64_t row_count);

/* SELECT of the row whose key is $1; of a design whose key is sent. Caller frees. */
char *trial_table_check_sql(const TrialTable *table, DbConn *conn);

/* Which field of a whole row the key is. */
size_t trial_table_key_field(const TrialTable *table);

/* Create the table and its indexes, and the functions that its defaults call; drop the table again.
 */
Status trial_table_create(const TrialTable *table, DbConn *conn, Diag *diag) MUST_USE;
Status trial_table_drop(const TrialTable *table, DbConn *conn, Diag *diag) MUST_USE;

/* "server" or "keybench", of the key column; of any column in a table without key. */
const char *trial_table_minted_by(const TrialTable *table);

#endif
