/*
 * Rows that are there already: chosen by their row numbers before anything is measured, then found
 * by their keys, as a service finds what it was asked for. Their keys wait in a temporary table,
 * whose pages are no shared buffers.
 */
#include "run/action_parts.h"

#include "base/mem.h"
#include "base/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define CHOSEN "pg_temp.keybench_chosen"

/* ---- Choosing ---- */

/* "md5(n || salt)": an order that depends on nothing but the seed, on every server. */
static void
add_random_order(const Actor *actor, uint64_t batch, Text *sql)
{
    Text salt = {0};
    char *quoted;

    text_printf(&salt, "/%s/%" PRIu64 "/%" PRIu64, actor->phase->name, batch, actor->plan.seed);
    quoted = db_quote_literal(actor->conn, salt.data);
    text_printf(sql, "md5(%s::text || %s), %s", actor->number, quoted, actor->number);
    free(quoted);
    text_release(&salt);
}

/* The order that the first rows of are taken. */
static void
add_choice_order(const Actor *actor, uint64_t batch, Text *sql)
{
    const Phase *phase = actor->phase;
    bool reads = phase->action == ACTION_READ;

    if (reads ? phase->what == READ_POINTS : phase->choice == CHOOSE_RANDOM)
        add_random_order(actor, batch, sql);
    else if (reads ? phase->what == READ_NEWEST : phase->choice == CHOOSE_NEWEST)
        text_printf(sql, "%s DESC", actor->number);
    else
        text_add(sql, actor->number);
}

/* Rows of a range lie in the middle of the table's history. */
static uint64_t
skipped_rows(const Actor *actor, uint64_t row_count)
{
    const Phase *phases = actor->plan.scenario->phases;

    if (actor->phase->action != ACTION_READ || actor->phase->what != READ_RANGE)
        return 0;
    return (phases_left_rows(phases, (size_t)(actor->phase - phases), actor->phase->table) -
            row_count) /
           2;
}

/* Every hundredth key: each is the last of the page before the one that is read. */
static void
add_page_ends(const Actor *actor, uint64_t row_count, Text *sql)
{
    text_printf(sql,
                "SELECT place / %d + 1 AS place, key FROM (SELECT row_number() OVER (ORDER BY %s)"
                " - 1 AS place, %s AS key FROM %s) AS row WHERE place < %" PRIu64
                " AND place %% %d = 0 ORDER BY place",
                READ_PAGE_ROWS, actor->key, actor->key, actor->table->name, row_count,
                READ_PAGE_ROWS);
}

static void
add_rows(const Actor *actor, uint64_t batch, uint64_t row_count, Text *sql)
{
    bool by_key = actor->phase->action == ACTION_READ && actor->phase->what == READ_RANGE;

    text_printf(sql,
                "SELECT row_number() OVER (ORDER BY %s) AS place, key FROM (SELECT %s AS key,"
                " row_number() OVER (ORDER BY ",
                by_key ? "key" : "taken", actor->key);
    add_choice_order(actor, batch, sql);
    text_printf(sql,
                ") AS taken FROM %s) AS row WHERE taken > %" PRIu64 " AND taken <= %" PRIu64
                " ORDER BY place",
                actor->table->name, skipped_rows(actor, row_count),
                skipped_rows(actor, row_count) + row_count);
}

/* How many rows are chosen at once: reads choose for each batch. */
static uint64_t
chosen_count(const Phase *phase)
{
    return phase->action == ACTION_READ ? phase->rows / phase->batch_count : phase->rows;
}

static Status
create_chosen(Actor *actor, uint64_t batch, Diag *diag)
{
    Text sql = {0};
    Status status = chosen_rows_drop(actor, diag);

    text_add(&sql, "CREATE TEMPORARY TABLE keybench_chosen AS ");
    if (actor->phase->action == ACTION_READ && actor->phase->what == READ_PAGES)
        add_page_ends(actor, chosen_count(actor->phase), &sql);
    else
        add_rows(actor, batch, chosen_count(actor->phase), &sql);
    if (status == STATUS_OK)
        status = db_exec(actor->conn, sql.data, DB_NO_PARAMS, diag);
    actor->has_chosen = status == STATUS_OK;
    text_release(&sql);
    return status;
}

Status
chosen_rows_drop(Actor *actor, Diag *diag)
{
    bool had = actor->has_chosen;

    actor->has_chosen = false;
    return had ? db_exec(actor->conn, "DROP TABLE " CHOSEN, DB_NO_PARAMS, diag) : STATUS_OK;
}

/* ---- The statement ---- */

/* Rows that are neighbours by key are read by one scan. */
static Status
find_ends(Actor *actor, Diag *diag)
{
    DbRows *rows = NULL;
    Text sql = {0};
    bool alone = false;
    Status status;

    text_printf(&sql,
                "WITH ends AS (SELECT (SELECT key FROM " CHOSEN " ORDER BY key LIMIT 1) AS low,"
                " (SELECT key FROM " CHOSEN " ORDER BY key DESC LIMIT 1) AS high)"
                " SELECT low::text, high::text, (SELECT count(*) FROM %s AS target"
                " WHERE target.%s BETWEEN low AND high) = (SELECT count(*) FROM " CHOSEN
                ") AS alone FROM ends",
                actor->table->name, actor->key);
    status = db_query(actor->conn, sql.data, DB_NO_PARAMS, DB_ONE_ROW, &rows, diag);
    if (status == STATUS_OK)
        status = db_cell_bool(rows, 0, "alone", &alone, diag);
    if (status == STATUS_OK && alone) {
        actor->first = mem_text(db_cell(rows, 0, "low"));
        actor->last = mem_text(db_cell(rows, 0, "high"));
    }
    db_rows_free(rows);
    text_release(&sql);
    return status;
}

static void
write_scan(Actor *actor, Text *sql)
{
    const Design *design = actor->table->design;
    const char *type = design->columns[design->key_column].type;

    text_printf(sql,
                "SELECT count(row.number) FROM (SELECT target.%s AS number FROM %s AS target"
                " WHERE target.%s BETWEEN $1::%s AND $2::%s ORDER BY target.%s%s) AS row",
                actor->number, actor->table->name, actor->key, type, type, actor->key,
                actor->phase->what == READ_NEWEST ? " DESC" : "");
}

/* The row number is read, too, so that the index alone does not answer. */
static void
write_read(Actor *actor, Text *sql)
{
    const char *table = actor->table->name;

    if (actor->phase->what == READ_PAGES)
        text_printf(sql,
                    "SELECT count(page.number) FROM " CHOSEN " AS chosen CROSS JOIN LATERAL"
                    " (SELECT target.%s AS number FROM %s AS target WHERE target.%s > chosen.key"
                    " ORDER BY target.%s LIMIT %d) AS page",
                    actor->number, table, actor->key, actor->key, READ_PAGE_ROWS);
    else if (actor->first != NULL)
        write_scan(actor, sql);
    else
        text_printf(sql,
                    "SELECT count(target.%s) FROM " CHOSEN
                    " AS chosen JOIN %s AS target ON target.%s = chosen.key",
                    actor->number, table, actor->key);
}

/* $1 and $2: the places of a batch. A filler's bytes move up by one: as many as before, and others.
 */
static void
write_change(Actor *actor, Text *sql)
{
    const char *table = actor->table->name;

    if (actor->phase->action == ACTION_DELETE)
        text_printf(sql, "DELETE FROM %s AS target USING ", table);
    else
        text_printf(sql,
                    "UPDATE %s AS target SET %s = substr(target.%s, 2) || substr(target.%s, 1, 1)"
                    " FROM ",
                    table, actor->set, actor->set, actor->set);
    text_printf(sql,
                CHOSEN " AS chosen WHERE chosen.place BETWEEN $1::bigint AND $2::bigint"
                       " AND target.%s = chosen.key",
                actor->key);
}

static void
forget_statement(Actor *actor)
{
    free(actor->sql);
    free(actor->first);
    free(actor->last);
    actor->sql = actor->first = actor->last = NULL;
}

Status
chosen_rows_make(Actor *actor, uint64_t batch, Diag *diag)
{
    bool reads = actor->phase->action == ACTION_READ;
    Text sql = {0};
    Status status = create_chosen(actor, batch, diag);

    forget_statement(actor);
    if (status == STATUS_OK && reads && actor->phase->what != READ_PAGES &&
        actor->phase->what != READ_POINTS)
        status = find_ends(actor, diag);
    if (status != STATUS_OK)
        return status;
    if (reads)
        write_read(actor, &sql);
    else
        write_change(actor, &sql);
    actor->sql = sql.data;
    return STATUS_OK;
}

/* ---- Past a restart ---- */

Status
chosen_rows_take(Actor *actor, char **keys, Diag *diag)
{
    DbRows *rows = NULL;
    Status status =
        db_query(actor->conn, "SELECT array_agg(key ORDER BY place)::text AS keys FROM " CHOSEN,
                 DB_NO_PARAMS, DB_ONE_ROW, &rows, diag);

    if (status == STATUS_OK)
        *keys = mem_text(db_cell(rows, 0, "keys"));
    db_rows_free(rows);
    actor->has_chosen = false;
    return status;
}

Status
chosen_rows_put(Actor *actor, const char *keys, Diag *diag)
{
    const Design *design = actor->table->design;
    Text create = {0}, insert = {0};
    Status status;

    text_printf(&create,
                "CREATE TEMPORARY TABLE keybench_chosen AS SELECT 0::bigint AS place,"
                " %s AS key FROM %s WITH NO DATA",
                actor->key, actor->table->name);
    text_printf(&insert,
                "INSERT INTO " CHOSEN " SELECT place, key FROM unnest($1::%s[])"
                " WITH ORDINALITY AS row (key, place)",
                design->columns[design->key_column].type);
    status = db_exec(actor->conn, create.data, DB_NO_PARAMS, diag);
    actor->has_chosen = status == STATUS_OK;
    if (status == STATUS_OK)
        status = db_exec(actor->conn, insert.data, DB_PARAMS(keys), diag);
    text_release(&create);
    text_release(&insert);
    return status;
}

/* ---- Running ---- */

/* One lookup a row through the key's index, on every version alike; choosing rows may do otherwise.
 */
static const char PLAN_SETTINGS[] =
    "SET enable_seqscan = off; SET enable_bitmapscan = off; SET enable_hashjoin = off;"
    " SET enable_mergejoin = off; SET enable_material = off; SET enable_memoize = off;"
    " SET enable_sort = off; SET jit = off; SET max_parallel_workers_per_gather = 0";
static const char PLAN_RESETS[] =
    "RESET enable_seqscan; RESET enable_bitmapscan; RESET enable_hashjoin;"
    " RESET enable_mergejoin; RESET enable_material; RESET enable_memoize;"
    " RESET enable_sort; RESET jit; RESET max_parallel_workers_per_gather";

Status
chosen_rows_run(Actor *actor, Diag *diag)
{
    Status status = db_exec_script(actor->conn, PLAN_SETTINGS, diag);

    if (status == STATUS_OK)
        status = db_exec(actor->conn, actor->sql,
                         actor->first != NULL ? DB_PARAMS(actor->first, actor->last) : DB_NO_PARAMS,
                         diag);
    if (status == STATUS_OK)
        status = db_exec_script(actor->conn, PLAN_RESETS, diag);
    return status;
}

static Status
check_count(const Actor *actor, const Measurement *measurement, Diag *diag)
{
    static const char *const DONE[] = {
        [ACTION_READ] = "read", [ACTION_UPDATE] = "updated", [ACTION_DELETE] = "deleted"};
    double rows = (double)phase_batch_rows(actor->phase);

    if (measurement->figures.value[METRIC_ROWS] == rows)
        return STATUS_OK;
    return diag_set(diag, STATUS_DB_QUERY, "the server %s %.0f rows, not %.0f",
                    DONE[actor->phase->action], measurement->figures.value[METRIC_ROWS], rows);
}

Status
chosen_rows_measure(Actor *actor, uint64_t batch, Measurement *measurement, Diag *diag)
{
    uint64_t batch_rows = actor->phase->rows / actor->phase->batch_count;
    char first[24], last[24];
    DbParams places = DB_PARAMS(first, last), ends = DB_PARAMS(actor->first, actor->last);
    Status status = db_exec_script(actor->conn, PLAN_SETTINGS, diag);

    snprintf(first, sizeof(first), "%" PRIu64, (batch - 1) * batch_rows + 1);
    snprintf(last, sizeof(last), "%" PRIu64, batch * batch_rows);
    if (actor->phase->action == ACTION_READ)
        places = actor->first != NULL ? ends : DB_NO_PARAMS;
    if (status == STATUS_OK)
        status = measure_statement(actor->conn, actor->sql, places, measurement, diag);
    if (status == STATUS_OK)
        status = check_count(actor, measurement, diag);
    if (status == STATUS_OK)
        status = db_exec_script(actor->conn, PLAN_RESETS, diag);
    return status;
}
