#include "run/measure.h"

#include "base/json.h"
#include "base/text.h"

#include <string.h>

enum { PLAN_NESTING_MAX = 256 };

/* Keys of the top plan node, by metric. */
static const struct {
    MetricId metric;
    const char *key;
    bool optional; /* newer versions only */
} PLAN_KEYS[] = {
    {METRIC_WAL_BYTES, "WAL Bytes", false},
    {METRIC_WAL_RECORD_COUNT, "WAL Records", false},
    {METRIC_FPI_COUNT, "WAL FPI", false},
    {METRIC_FPI_BYTES, "WAL FPI Bytes", true},
    {METRIC_WAL_BUFFERS_FULL_COUNT, "WAL Buffers Full", true},
    {METRIC_HIT_PAGES, "Shared Hit Blocks", false},
    {METRIC_READ_PAGES, "Shared Read Blocks", false},
    {METRIC_DIRTIED_PAGES, "Shared Dirtied Blocks", false},
    {METRIC_WRITTEN_PAGES, "Shared Written Blocks", false},
};

/* The rows that went in: of the node below ModifyTable, which itself returns none. */
static Status
read_rows(const JsonDoc *doc, const cJSON *top, Figures *figures, Diag *diag)
{
    const cJSON *children = NULL;
    Status status = json_array(doc, top, "Plans", &children, diag);

    if (status == STATUS_OK && cJSON_GetArraySize(children) == 1)
        status =
            json_double(doc, children->child, "Actual Rows", &figures->value[METRIC_ROWS], diag);
    return status;
}

static Status
read_top_node(const JsonDoc *doc, const cJSON *entry, Figures *figures, Diag *diag)
{
    const cJSON *top = NULL;
    Status status = json_object(doc, entry, "Plan", &top, diag);

    for (size_t i = 0; status == STATUS_OK && i < ARRAY_LEN(PLAN_KEYS); i++) {
        double *value = &figures->value[PLAN_KEYS[i].metric];

        status = PLAN_KEYS[i].optional ? json_double_or(doc, top, PLAN_KEYS[i].key, value, diag)
                                       : json_double(doc, top, PLAN_KEYS[i].key, value, diag);
    }
    if (status == STATUS_OK)
        status = read_rows(doc, top, figures, diag);
    if (status == STATUS_OK)
        status =
            json_double(doc, entry, "Execution Time", &figures->value[METRIC_ELAPSED_MS], diag);
    return status;
}

Status
measure_read_plan(const char *json, Figures *figures, Diag *diag)
{
    JsonDoc doc = {0};
    Figures read;
    Status status = json_parse("EXPLAIN", json, strlen(json), PLAN_NESTING_MAX, &doc, diag);

    figures_init(&read);
    if (status == STATUS_OK && cJSON_GetArraySize(doc.root) != 1)
        status = diag_set(diag, STATUS_DB_QUERY, "EXPLAIN did not return one plan");
    if (status == STATUS_OK)
        status = read_top_node(&doc, doc.root->child, &read, diag);
    json_release(&doc);
    if (status == STATUS_OK)
        *figures = read;
    else if (status == STATUS_SCENARIO) /* the server's document, not the user's file */
        status = diag->status = STATUS_DB_QUERY;
    return status;
}

Status
measure_explain(DbConn *conn, const char *sql, DbParams params, Figures *figures, Diag *diag)
{
    Text explain = {0};
    DbRows *rows = NULL;
    Status status;

    text_printf(&explain, "EXPLAIN (ANALYZE, WAL, BUFFERS, TIMING OFF, SUMMARY, FORMAT JSON) %s",
                sql);
    status = db_query(conn, explain.data, params, DB_ONE_ROW, &rows, diag);
    if (status == STATUS_OK)
        status = measure_read_plan(db_cell(rows, 0, "\"QUERY PLAN\""), figures, diag);
    db_rows_free(rows);
    text_release(&explain);
    return status;
}

Status
measure_statement(DbConn *conn, const char *sql, DbParams params, Measurement *measurement,
                  Diag *diag)
{
    Measurement made = {.commit_count = 1};
    Status status = wal_point_read(conn, &made.before, diag);

    if (status == STATUS_OK)
        status = measure_explain(conn, sql, params, &made.figures, diag);
    if (status == STATUS_OK)
        status = wal_point_read(conn, &made.after, diag);
    if (status != STATUS_OK)
        return status;
    made.figures.value[METRIC_LSN_BYTES] = (double)(made.after.insert_lsn - made.before.insert_lsn);
    *measurement = made;
    return STATUS_OK;
}
