#include "run/trial_table.h"

#include "base/file.h"
#include "base/mem.h"
#include "base/paths.h"
#include "base/text.h"
#include "db/schema.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { SCRIPT_MAX_BYTES = 1 << 20 };

static Status
decide_staged(TrialTable *table, int server_major, Diag *diag)
{
    for (size_t i = 0; i < table->design->column_count; i++) {
        const Column *column = &table->design->columns[i];
        bool lacks = column->source == COLUMN_SERVER && server_major < column->generator->min_major;

        if (lacks && !column->fallback) {
            diag_set(diag, STATUS_SERVER, "PostgreSQL %d has no %s (from %d on)", server_major,
                     column->generator->sql, column->generator->min_major);
            diag_hint(diag, "Give the column a \"fallback\" format, or use a newer server.");
            return diag->status;
        }
        table->staged[i] = lacks || column->source == COLUMN_KEYBENCH ||
                           column->source == COLUMN_FILLER || column->source == COLUMN_PARENT;
        table->any_staged |= table->staged[i];
        table->any_joined |= column->joined;
    }
    return STATUS_OK;
}

static void
add_name(Text *sql, DbConn *conn, const char *name)
{
    char *quoted = db_quote_name(conn, name);

    text_add(sql, quoted);
    free(quoted);
}

static void
add_type(Text *sql, DbConn *conn, const Column *column)
{
    text_add(sql, column->type);
    if (column->collation != NULL) {
        text_add(sql, " COLLATE pg_catalog.");
        add_name(sql, conn, column->collation);
    }
}

static void
add_default(Text *sql, DbConn *conn, const Column *column)
{
    Text prefix = {0};
    char *quoted;

    text_add(sql, " DEFAULT ");
    if (column->params.prefix != NULL) {
        text_printf(&prefix, "%s_", column->params.prefix);
        quoted = db_quote_literal(conn, prefix.data);
        text_printf(sql, "%s || ", quoted);
        free(quoted);
        text_release(&prefix);
    }
    text_add(sql, column->generator->sql);
}

static void
add_primary_key(Text *sql, DbConn *conn, const Design *design)
{
    text_add(sql, ", PRIMARY KEY (");
    add_name(sql, conn, design->columns[design->key_column].name);
    text_add(sql, ")");
    if (design->key_fillfactor > 0)
        text_printf(sql, " WITH (fillfactor = %d)", design->key_fillfactor);
}

static char *
make_name(DbConn *conn, const char *design_name)
{
    Text name = {0};

    text_add(&name, KEYBENCH_SCHEMA ".");
    add_name(&name, conn, design_name);
    return name.data;
}

static void
add_reference(Text *sql, DbConn *conn, const Design *child)
{
    char *parent = make_name(conn, child->parent->name);

    text_printf(sql, " NOT NULL REFERENCES %s", parent);
    free(parent);
}

static char *
make_create(const TrialTable *table, DbConn *conn)
{
    const Design *design = table->design;
    Text sql = {0};

    text_printf(&sql, "CREATE TABLE %s (", table->name);
    for (size_t i = 0; i < design->column_count; i++) {
        const Column *column = &design->columns[i];

        add_name(&sql, conn, column->name);
        text_add(&sql, " ");
        add_type(&sql, conn, column);
        if (column->source == COLUMN_IDENTITY)
            text_add(&sql, " GENERATED ALWAYS AS IDENTITY");
        else if (column->source == COLUMN_SERVER && !table->staged[i])
            add_default(&sql, conn, column);
        else if (column->foreign_key)
            add_reference(&sql, conn, design);
        text_add(&sql, i + 1 < design->column_count ? ", " : "");
    }
    if (design->key_column != NO_COLUMN)
        add_primary_key(&sql, conn, design);
    text_add(&sql, ") WITH (autovacuum_enabled = off, toast.autovacuum_enabled = off");
    if (design->table_fillfactor > 0)
        text_printf(&sql, ", fillfactor = %d", design->table_fillfactor);
    text_add(&sql, ")");
    return sql.data;
}

static char *
make_index(const TrialTable *table, DbConn *conn, const Index *index)
{
    Text sql = {0};

    text_printf(&sql, "CREATE %sINDEX ", index->unique ? "UNIQUE " : "");
    add_name(&sql, conn, index->name);
    text_printf(&sql, " ON %s (", table->name);
    for (size_t i = 0; i < index->column_count; i++) {
        text_add(&sql, i > 0 ? ", " : "");
        add_name(&sql, conn, index->columns[i]);
    }
    text_add(&sql, ")");
    if (index->fillfactor > 0)
        text_printf(&sql, " WITH (fillfactor = %d)", index->fillfactor);
    return sql.data;
}

/* ---- The staging table ---- */

/* Each table of a design has its own in a session: "keybench_stage", "keybench_stage_1". */
static void
add_stage_name(Text *sql, const Design *table, const char *which)
{
    text_printf(sql, "keybench_%s", which);
    if (table->parent != NULL)
        text_printf(sql, "_%zu", (size_t)(table - table->parent->children) + 1);
}

/* Its columns are r (the row number) and the staged columns under their own number: c0, c3. In the
 * raw one the parent's row number is in the place of its key. */
static char *
make_stage(const TrialTable *table, DbConn *conn, bool raw)
{
    Text sql = {0};

    text_add(&sql, "CREATE TEMPORARY TABLE ");
    add_stage_name(&sql, table->design, raw ? "raw" : "stage");
    text_add(&sql, " (r bigint");
    for (size_t i = 0; i < table->design->column_count; i++) {
        const Column *column = &table->design->columns[i];

        if (!table->staged[i])
            continue;
        text_printf(&sql, ", c%zu ", i);
        if (raw && column->joined)
            text_add(&sql, "bigint");
        else
            add_type(&sql, conn, column);
    }
    text_add(&sql, ")");
    return sql.data;
}

/* INSERT INTO stage SELECT raw.r, raw.c0, p1.id FROM raw JOIN orders AS p1 ON p1.n = raw.c1 ORDER
 * BY raw.r */
static char *
make_join(const TrialTable *table, DbConn *conn)
{
    const Design *design = table->design, *parent = design->parent;
    char *parent_name = make_name(conn, parent->name);
    char *key = db_quote_name(conn, parent->columns[parent->key_column].name);
    char *number = db_quote_name(conn, table_row_number(parent)->name);
    Text sql = {0}, joins = {0};

    text_add(&sql, "INSERT INTO pg_temp.");
    add_stage_name(&sql, design, "stage");
    text_add(&sql, " SELECT raw.r");
    for (size_t i = 0; i < design->column_count; i++) {
        if (design->columns[i].joined) {
            text_printf(&sql, ", p%zu.%s", i, key);
            text_printf(&joins, " JOIN %s AS p%zu ON p%zu.%s = raw.c%zu", parent_name, i, i, number,
                        i);
        } else if (table->staged[i]) {
            text_printf(&sql, ", raw.c%zu", i);
        }
    }
    text_add(&sql, " FROM pg_temp.");
    add_stage_name(&sql, design, "raw");
    text_printf(&sql, " AS raw%s ORDER BY raw.r", joins.data);
    text_release(&joins);
    free(number);
    free(key);
    free(parent_name);
    return sql.data;
}

/* `before` the staging table, and the raw one where there is one. */
static char *
make_of_stages(const TrialTable *table, const char *before)
{
    Text sql = {0};

    text_printf(&sql, "%s pg_temp.", before);
    add_stage_name(&sql, table->design, "stage");
    if (table->any_joined) {
        text_add(&sql, ", pg_temp.");
        add_stage_name(&sql, table->design, "raw");
    }
    return sql.data;
}

static char *
make_stage_copy(const TrialTable *table)
{
    Text sql = {0};

    text_add(&sql, "COPY pg_temp.");
    add_stage_name(&sql, table->design, table->any_joined ? "raw" : "stage");
    text_add(&sql, " FROM STDIN (FORMAT binary)");
    return sql.data;
}

static void
make_staging(TrialTable *table, DbConn *conn)
{
    table->stage_sql = make_stage(table, conn, false);
    table->stage_copy_sql = make_stage_copy(table);
    table->stage_empty_sql = make_of_stages(table, "TRUNCATE");
    table->stage_drop_sql = make_of_stages(table, "DROP TABLE");
    if (table->any_joined) {
        table->raw_sql = make_stage(table, conn, true);
        table->join_sql = make_join(table, conn);
    }
}

/* ---- Inserts ---- */

/* INSERT INTO t (n) SELECT r::integer FROM generate_series($1, $2), or the same from the staging
 * table. */
static char *
make_insert(const TrialTable *table, DbConn *conn)
{
    const Design *design = table->design;
    Text names = {0}, values = {0}, sql = {0};

    for (size_t i = 0; i < design->column_count; i++) {
        const Column *column = &design->columns[i];

        if (!table->staged[i] && column->source != COLUMN_ROW_NUMBER)
            continue; /* the column's default makes it */
        text_add(&names, names.length > 0 ? ", " : "");
        add_name(&names, conn, column->name);
        text_add(&values, values.length > 0 ? ", " : "");
        if (table->staged[i])
            text_printf(&values, "c%zu", i);
        else
            text_printf(&values, "r::%s", column->type);
    }
    text_printf(&sql, "INSERT INTO %s", table->name);
    if (names.length > 0)
        text_printf(&sql, " (%s)", names.data);
    text_printf(&sql, " SELECT %s FROM ", text_data(&values));
    if (table->any_staged) {
        text_add(&sql, "pg_temp.");
        add_stage_name(&sql, design, "stage");
    } else {
        text_add(&sql, "generate_series($1::bigint, $2::bigint) AS r");
    }
    text_release(&names);
    text_release(&values);
    return sql.data;
}

/* What whole rows are made of; a table that the server makes all of has none. */
static void
make_sent(TrialTable *table, DbConn *conn)
{
    Text names = {0}, sql = {0};

    for (size_t i = 0; i < table->design->column_count; i++) {
        if (!table->staged[i] && table->design->columns[i].source != COLUMN_ROW_NUMBER)
            continue;
        text_add(&names, table->sent_count++ > 0 ? ", " : "");
        add_name(&names, conn, table->design->columns[i].name);
    }
    text_printf(&sql, "COPY %s (%s) FROM STDIN (FORMAT binary)", table->name, text_data(&names));
    table->copy_sql = sql.data;
    table->sent_names = names.data;
}

char *
trial_table_values_sql(const TrialTable *table, uint64_t row_count)
{
    Text sql = {0};
    uint64_t param = 0;

    text_printf(&sql, "INSERT INTO %s (%s) VALUES ", table->name, table->sent_names);
    for (uint64_t row = 0; row < row_count; row++) {
        for (size_t i = 0; i < table->sent_count; i++)
            text_printf(&sql, "%s$%" PRIu64, i > 0 ? ", " : row > 0 ? "), (" : "(", ++param);
    }
    text_add(&sql, ")");
    return sql.data;
}

char *
trial_table_check_sql(const TrialTable *table, DbConn *conn)
{
    Text sql = {0};

    text_printf(&sql, "SELECT FROM %s WHERE ", table->name);
    add_name(&sql, conn, table->design->columns[table->design->key_column].name);
    text_add(&sql, " = $1");
    return sql.data;
}

size_t
trial_table_key_field(const TrialTable *table)
{
    size_t field = 0;

    for (size_t i = 0; i < table->design->key_column; i++)
        field += table->staged[i] || table->design->columns[i].source == COLUMN_ROW_NUMBER;
    return field;
}

Status
trial_table_init(TrialTable *table, DbConn *conn, const Design *design, Diag *diag)
{
    Status status;

    *table = (TrialTable){.design = design};
    table->staged = mem_new(design->column_count, sizeof(*table->staged));
    status = decide_staged(table, db_server_version(conn) / 10000, diag);
    if (status != STATUS_OK) {
        trial_table_release(table);
        return status;
    }
    table->name = make_name(conn, design->name);
    table->create_sql = make_create(table, conn);
    table->index_sql = mem_new(design->index_count, sizeof(*table->index_sql));
    for (size_t i = 0; i < design->index_count; i++)
        table->index_sql[i] = make_index(table, conn, &design->indexes[i]);
    if (table->any_staged)
        make_staging(table, conn);
    table->insert_sql = make_insert(table, conn);
    make_sent(table, conn);
    return STATUS_OK;
}

void
trial_table_release(TrialTable *table)
{
    for (size_t i = 0; table->index_sql != NULL && i < table->design->index_count; i++)
        free(table->index_sql[i]);
    free(table->index_sql);
    free(table->staged);
    free(table->name);
    free(table->create_sql);
    free(table->stage_sql);
    free(table->raw_sql);
    free(table->stage_copy_sql);
    free(table->join_sql);
    free(table->stage_empty_sql);
    free(table->stage_drop_sql);
    free(table->sent_names);
    free(table->copy_sql);
    free(table->insert_sql);
    *table = (TrialTable){0};
}

/* The schema is ours alone, so functions in it are those of an earlier trial. */
static Status
has_functions(DbConn *conn, bool *there, Diag *diag)
{
    static const char SQL[] =
        "SELECT EXISTS (SELECT FROM pg_proc WHERE pronamespace = $1::regnamespace) AS there";
    DbRows *rows = NULL;
    Status status = db_query(conn, SQL, DB_PARAMS(KEYBENCH_SCHEMA), DB_ONE_ROW, &rows, diag);

    if (status == STATUS_OK)
        status = db_cell_bool(rows, 0, "there", there, diag);
    db_rows_free(rows);
    return status;
}

static Status
run_script(DbConn *conn, const char *below, Diag *diag)
{
    Text path = {0}, sql = {0};
    Status status = path_data(below, &path, diag);

    text_add(&sql, "SET LOCAL search_path = " KEYBENCH_SCHEMA ", pg_catalog;\n");
    if (status == STATUS_OK)
        status = file_read(path.data, SCRIPT_MAX_BYTES, &sql, diag);
    if (status == STATUS_OK)
        status = db_exec_script(conn, sql.data, diag);
    if (status != STATUS_OK)
        diag_context(diag, "%s", below);
    text_release(&sql);
    text_release(&path);
    return status;
}

static Status
create_functions(const TrialTable *table, DbConn *conn, Diag *diag)
{
    for (size_t i = 0; i < table->design->column_count; i++) {
        const Generator *generator = table->design->columns[i].generator;
        bool there = false;
        Status status;

        if (generator == NULL || generator->functions == NULL || table->staged[i])
            continue;
        status = has_functions(conn, &there, diag);
        if (status == STATUS_OK && !there)
            status = run_script(conn, generator->functions, diag);
        if (status != STATUS_OK)
            return status;
    }
    return STATUS_OK;
}

Status
trial_table_create(const TrialTable *table, DbConn *conn, Diag *diag)
{
    Status status = create_functions(table, conn, diag);

    if (status == STATUS_OK)
        status = db_exec(conn, table->create_sql, DB_NO_PARAMS, diag);
    for (size_t i = 0; status == STATUS_OK && i < table->design->index_count; i++)
        status = db_exec(conn, table->index_sql[i], DB_NO_PARAMS, diag);
    if (status != STATUS_OK)
        diag_context(diag, "cannot create the table");
    return status;
}

Status
trial_table_drop(const TrialTable *table, DbConn *conn, Diag *diag)
{
    Text sql = {0};
    Status status;

    text_printf(&sql, "DROP TABLE %s", table->name);
    status = db_exec(conn, sql.data, DB_NO_PARAMS, diag);
    text_release(&sql);
    return status;
}

const char *
trial_table_minted_by(const TrialTable *table)
{
    const Column *key = design_key(table->design);
    bool here = key != NULL ? table->staged[key - table->design->columns] : table->any_staged;

    return here ? "keybench" : "server";
}
