#include "lab/measured.h"

#include "base/clock.h"
#include "base/json.h"
#include "base/text.h"
#include "base/units.h"
#include "run/measure.h"
#include "run/runner.h"
#include "run/volume.h"
#include "scenario/load.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const uint64_t TURN_WAIT_NS = 1800 * NS_PER_S;

typedef struct CacheEntry {
    struct CacheEntry *next;
    char *file;
    Result *result;
} CacheEntry;

struct MeasuredCache {
    CacheEntry *entries;
};

MeasuredCache *
measured_cache_new(void)
{
    return mem_new(1, sizeof(MeasuredCache));
}

void
measured_cache_free(MeasuredCache *cache)
{
    while (cache != NULL && cache->entries != NULL) {
        CacheEntry *entry = cache->entries;

        cache->entries = entry->next;
        result_free(entry->result);
        free(entry->file);
        free(entry);
    }
    free(cache);
}

static const Result *
find_result(const MeasuredCache *cache, const char *file)
{
    for (const CacheEntry *entry = cache->entries; entry != NULL; entry = entry->next)
        if (strcmp(entry->file, file) == 0)
            return entry->result;
    return NULL;
}

/* ---- Scenarios ---- */

/* The server runs already, so a scenario cannot choose its settings. */
static Status
check_scenario(const Sweep *sweep, const char *path, Diag *diag)
{
    if (sweep->axis_count > 0)
        return diag_set(diag, STATUS_SCENARIO, "%s: a sweep cannot prove one claim", path);
    if (sweep_first(sweep)->setting_count == 0)
        return STATUS_OK;
    diag_set(diag, STATUS_SCENARIO, "%s: settings in a scenario of the lab", path);
    diag_hint(diag, "The server of a chapter runs already; \"server NAME with SETTING=VALUE\" "
                    "starts another.");
    return diag->status;
}

static void
announce(const MeasuredRun *run, const Plan *plan)
{
    Volume volume = volume_of_plan(plan);
    char rows[UNITS_TEXT_SIZE], tables[UNITS_TEXT_SIZE], wal[UNITS_TEXT_SIZE];
    Text text = {0};

    if (run->notice == NULL)
        return;
    units_print_count(volume.rows, rows, sizeof(rows));
    units_print_bytes(volume.table_bytes, 0, tables, sizeof(tables));
    units_print_bytes(volume.wal_bytes, 0, wal, sizeof(wal));
    text_printf(&text, "measuring %s: %s rows; about %s of WAL, tables of up to about %s at a time",
                run->file, rows, wal, tables);
    run->notice(run->context, text.data);
    text_release(&text);
}

static Status
run_planned(const MeasuredRun *run, const Plan *plan, Result **result, Diag *diag)
{
    const RunOptions options = {
        .plan = plan,
        .target = run->target,
        .jobs = 1,
        .insist = run->insist,
        .turn_wait_ns = TURN_WAIT_NS,
    };

    announce(run, plan);
    return run_plan(&options, result, diag);
}

static Status
run_loaded(const MeasuredRun *run, const Sweep *sweep, Result **result, Diag *diag)
{
    const PlanRequest request = {.repeats = 1};
    Scenario *scenario = sweep->points[0].scenario;
    Plan *plan = NULL;
    Status status;

    for (size_t i = 0; i < scenario->phase_count; i++)
        scenario->phases[i].rows *= run->scale;
    status = plan_make(sweep, &request, &plan, diag);
    if (status == STATUS_OK)
        status = run_planned(run, plan, result, diag);
    plan_free(plan);
    return status;
}

static void
keep(MeasuredCache *cache, const char *path, Result *result)
{
    CacheEntry *entry = mem_new(1, sizeof(*entry));

    entry->file = mem_text(path);
    entry->result = result;
    entry->next = cache->entries;
    cache->entries = entry;
}

static Status
run_file(MeasuredCache *cache, const MeasuredRun *run, const char *path, Diag *diag)
{
    Sweep *sweep = NULL;
    Result *result = NULL;
    Status status = sweep_load(path, &sweep, diag);

    if (status == STATUS_OK)
        status = check_scenario(sweep, path, diag);
    if (status == STATUS_OK)
        status = run_loaded(run, sweep, &result, diag);
    if (status == STATUS_OK)
        keep(cache, path, result);
    else
        result_free(result);
    sweep_free(sweep);
    return status;
}

Status
measured_run(MeasuredCache *cache, const MeasuredRun *run, const Result **result, Diag *diag)
{
    Text path = {0};
    Status status = STATUS_OK;

    text_printf(&path, "%s/%s", run->folder, run->file);
    if (find_result(cache, path.data) == NULL)
        status = run_file(cache, run, path.data, diag);
    if (status == STATUS_OK)
        *result = find_result(cache, path.data);
    text_release(&path);
    return status;
}

/* ---- The table "figure" ---- */

/* A name in SQL: KEYWORDS schema.figure REST, where the schema is ours and needs its quotes. */
static Status
exec_on_figure(DbConn *conn, const char *before, const char *schema, const char *after,
               DbParams params, Diag *diag)
{
    char *name = db_quote_name(conn, schema);
    Text sql = {0};
    Status status;

    text_printf(&sql, "%s %s.figure %s", before, name, after);
    status = db_exec(conn, sql.data, params, diag);
    text_release(&sql);
    free(name);
    return status;
}

static Status
make_table(DbConn *conn, const char *schema, Diag *diag)
{
    return exec_on_figure(conn, "CREATE TABLE IF NOT EXISTS", schema,
                          "(design text, phase text, batch integer, index_name text, metric text,"
                          " value double precision)",
                          DB_NO_PARAMS, diag);
}

/* Where figures belong. */
typedef struct FigurePlace {
    const char *design, *phase;
    uint64_t batch;         /* 0: the phase as a whole */
    const char *index_name; /* "": the table */
} FigurePlace;

static void
add_figures(cJSON *list, const FigurePlace *place, const Figures *figures)
{
    for (int id = 0; id < METRIC_COUNT; id++) {
        cJSON *row;

        if (isnan(figures->value[id]))
            continue;
        row = cJSON_CreateObject();
        cJSON_AddStringToObject(row, "design", place->design);
        cJSON_AddStringToObject(row, "phase", place->phase);
        cJSON_AddNumberToObject(row, "batch", (double)place->batch);
        cJSON_AddStringToObject(row, "index_name", place->index_name);
        cJSON_AddStringToObject(row, "metric", METRICS[id].name);
        cJSON_AddNumberToObject(row, "value", figures->value[id]);
        cJSON_AddItemToArray(list, row);
    }
}

static void
add_phase(cJSON *list, const char *design, const PhaseResult *phase)
{
    FigurePlace place = {.design = design, .phase = phase->name, .index_name = ""};

    add_figures(list, &place, &phase->figures);
    for (size_t i = 0; i < phase->index_count; i++) {
        place.index_name = phase->indexes[i].name;
        add_figures(list, &place, &phase->indexes[i].figures);
    }
    place.index_name = "";
    for (size_t i = 0; i < phase->batch_count; i++) {
        place.batch = i + 1;
        add_figures(list, &place, &phase->batches[i].figures);
    }
}

static Status
insert_figures(DbConn *conn, const char *schema, const cJSON *list, Diag *diag)
{
    char *json = cJSON_PrintUnformatted(list);
    Status status;

    if (json == NULL)
        BUG("out of memory: figures");
    status = make_table(conn, schema, diag);
    if (status == STATUS_OK)
        status = exec_on_figure(conn, "INSERT INTO", schema,
                                "SELECT * FROM jsonb_to_recordset($1::jsonb) AS r (design text,"
                                " phase text, batch integer, index_name text, metric text,"
                                " value double precision)",
                                DB_PARAMS(json), diag);
    free(json);
    return status;
}

Status
measured_write_result(DbConn *conn, const char *schema, const Result *result, Diag *diag)
{
    cJSON *list = cJSON_CreateArray();
    Status status;

    for (size_t i = 0; i < result->design_count; i++)
        for (size_t phase = 0; phase < result->designs[i].phase_count; phase++)
            add_phase(list, result->designs[i].name, &result->designs[i].phases[phase]);
    status = insert_figures(conn, schema, list, diag);
    cJSON_Delete(list);
    return status;
}

/* ---- One statement ---- */

static Status
next_batch(DbConn *conn, const char *schema, const Step *step, uint64_t *batch, Diag *diag)
{
    char *name = db_quote_name(conn, schema);
    Text sql = {0};
    DbRows *rows = NULL;
    Status status = make_table(conn, schema, diag);

    text_printf(&sql,
                "SELECT coalesce(max(batch), 0) + 1 AS batch FROM %s.figure"
                " WHERE design = $1 AND phase = $2",
                name);
    if (status == STATUS_OK)
        status =
            db_query(conn, sql.data, DB_PARAMS(step->design, step->phase), DB_ONE_ROW, &rows, diag);
    if (status == STATUS_OK)
        status = db_cell_u64(rows, 0, "batch", batch, diag);
    db_rows_free(rows);
    text_release(&sql);
    free(name);
    return status;
}

/* Batch 0 of a measured statement: the sum of its batches so far. */
static Status
write_sum(DbConn *conn, const char *schema, const Step *step, Diag *diag)
{
    DbParams place = DB_PARAMS(step->design, step->phase);
    char *name = db_quote_name(conn, schema);
    Text select = {0};
    Status status = exec_on_figure(conn, "DELETE FROM", schema,
                                   "WHERE design = $1 AND phase = $2 AND batch = 0", place, diag);

    text_printf(&select,
                "SELECT design, phase, 0, index_name, metric, sum(value) FROM %s.figure"
                " WHERE design = $1 AND phase = $2 GROUP BY design, phase, index_name, metric",
                name);
    if (status == STATUS_OK)
        status = exec_on_figure(conn, "INSERT INTO", schema, select.data, place, diag);
    text_release(&select);
    free(name);
    return status;
}

Status
measured_statement(DbConn *session, DbConn *conn, const char *schema, const Step *step,
                   const char *sql, Diag *diag)
{
    FigurePlace place = {.design = step->design, .phase = step->phase, .index_name = ""};
    cJSON *list = cJSON_CreateArray();
    Measurement measurement;
    Status status = next_batch(conn, schema, step, &place.batch, diag);

    if (status == STATUS_OK)
        status = measure_statement(session, sql, DB_NO_PARAMS, &measurement, diag);
    if (status == STATUS_OK) {
        add_figures(list, &place, &measurement.figures);
        status = insert_figures(conn, schema, list, diag);
    }
    if (status == STATUS_OK)
        status = write_sum(conn, schema, step, diag);
    cJSON_Delete(list);
    return status;
}
