#include "results/result_json.h"

#include "base/file.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const STATUS_WORDS[] = {
    [RESULT_COMPLETE] = "complete",
    [RESULT_INTERRUPTED] = "interrupted",
    [RESULT_FAILED] = "failed",
};

static void
add_text(cJSON *object, const char *key, const char *value)
{
    if (value == NULL)
        cJSON_AddNullToObject(object, key);
    else
        cJSON_AddStringToObject(object, key, value);
}

/* The shortest text that reads back as the same bits; cJSON's own may lose the last one. */
static void
add_number(cJSON *object, const char *key, double value)
{
    char text[40];

    if (!isfinite(value)) {
        cJSON_AddNullToObject(object, key);
        return;
    }
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, sizeof(text), "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            break;
    }
    cJSON_AddRawToObject(object, key, text);
}

/* The figures of one scope; what the server cannot tell is left out, what was not measured is null.
 */
static void
add_figures(cJSON *object, const Figures *figures, MetricScope scope)
{
    for (int id = 0; id < METRIC_COUNT; id++) {
        const Metric *metric = &METRICS[id];

        if (metric->scope == scope &&
            !((metric->flags & METRIC_OPTIONAL) && isnan(figures->value[id])))
            add_number(object, metric->name, figures->value[id]);
    }
}

static void
add_named_values(cJSON *object, const char *key, const NamedValue *values, size_t count)
{
    cJSON *member = cJSON_AddObjectToObject(object, key);

    for (size_t i = 0; i < count; i++)
        cJSON_AddStringToObject(member, values[i].name, values[i].value);
}

static cJSON *
add_item(cJSON *array)
{
    cJSON *item = cJSON_CreateObject();

    cJSON_AddItemToArray(array, item);
    return item;
}

static void
add_batches(cJSON *object, const PhaseResult *phase)
{
    cJSON *array = cJSON_AddArrayToObject(object, "batches");

    for (size_t i = 0; i < phase->batch_count; i++)
        add_figures(add_item(array), &phase->batches[i].figures, METRIC_SCOPE_BATCH);
}

static void
add_indexes(cJSON *object, const PhaseResult *phase)
{
    cJSON *array = cJSON_AddArrayToObject(object, "indexes");

    for (size_t i = 0; i < phase->index_count; i++) {
        cJSON *item = add_item(array);

        add_text(item, "name", phase->indexes[i].name);
        add_figures(item, &phase->indexes[i].figures, METRIC_SCOPE_INDEX);
    }
}

static void
add_wal_kinds(cJSON *object, const PhaseResult *phase)
{
    cJSON *array;

    if (phase->wal_kind_count == 0)
        return;
    array = cJSON_AddArrayToObject(object, "wal_kinds");
    for (size_t i = 0; i < phase->wal_kind_count; i++) {
        const WalKind *kind = &phase->wal_kinds[i];
        cJSON *item = add_item(array);

        add_text(item, "resource_manager", kind->resource_manager);
        add_text(item, "record_type", kind->record_type);
        add_number(item, "record_count", kind->record_count);
        add_number(item, "record_bytes", kind->record_bytes);
        add_number(item, "fpi_bytes", kind->fpi_bytes);
    }
}

static void
add_failures(cJSON *object, const PhaseResult *phase)
{
    cJSON *array;

    if (phase->failure_count == 0)
        return;
    array = cJSON_AddArrayToObject(object, "failures");
    for (size_t i = 0; i < phase->failure_count; i++) {
        cJSON *item = add_item(array);

        add_text(item, "sqlstate", phase->failures[i].sqlstate);
        add_number(item, "count", phase->failures[i].count);
    }
}

static void
add_waits(cJSON *object, const PhaseResult *phase)
{
    cJSON *array;

    if (phase->wait_count == 0)
        return;
    array = cJSON_AddArrayToObject(object, "waits");
    for (size_t i = 0; i < phase->wait_count; i++) {
        cJSON *item = add_item(array);

        add_text(item, "event", phase->waits[i].event);
        add_number(item, "sample_count", phase->waits[i].sample_count);
        add_number(item, "share_pct", phase->waits[i].share_pct);
    }
}

static void
add_phases(cJSON *object, const DesignResult *design)
{
    cJSON *array = cJSON_AddArrayToObject(object, "phases");

    for (size_t i = 0; i < design->phase_count; i++) {
        const PhaseResult *phase = &design->phases[i];
        cJSON *item = add_item(array);

        add_text(item, "name", phase->name);
        cJSON_AddBoolToObject(item, "complete", phase->complete);
        add_number(item, "batch_count", (double)phase->batch_count);
        add_number(item, "rows_per_checkpoint", (double)phase->rows_per_checkpoint);
        add_text(item, "wal_source", phase->wal_source);
        add_figures(item, &phase->figures, METRIC_SCOPE_BATCH);
        add_figures(item, &phase->figures, METRIC_SCOPE_TABLE);
        add_batches(item, phase);
        add_indexes(item, phase);
        add_wal_kinds(item, phase);
        add_failures(item, phase);
        add_waits(item, phase);
    }
}

static void
add_designs(cJSON *root, const Result *result)
{
    cJSON *array = cJSON_AddArrayToObject(root, "designs");

    for (size_t i = 0; i < result->design_count; i++) {
        const DesignResult *design = &result->designs[i];
        cJSON *item = add_item(array);

        add_text(item, "name", design->name);
        if (design->sweep_count > 0)
            add_named_values(item, "sweep", design->sweep, design->sweep_count);
        if (design->error != NULL)
            add_text(item, "error", design->error);
        add_text(item, "key_type", design->key_type);
        add_text(item, "minted_by", design->minted_by);
        add_number(item, "repeat", (double)design->repeat);
        if (design->predicted_wal_bytes > 0) {
            add_number(item, "predicted_table_bytes", design->predicted_table_bytes);
            add_number(item, "predicted_wal_bytes", design->predicted_wal_bytes);
        }
        add_phases(item, design);
    }
}

static void
add_checks(cJSON *root, const Result *result)
{
    cJSON *array = cJSON_AddArrayToObject(root, "checks");

    for (size_t i = 0; i < result->check_count; i++) {
        const CheckResult *check = &result->checks[i];
        cJSON *item = add_item(array);

        add_text(item, "name", check->name);
        add_number(item, "value", check->value);
        add_text(item, "bound", check->bound);
        add_text(item, "verdict", check->verdict);
    }
}

static void
add_findings(cJSON *root, const Result *result)
{
    cJSON *array = cJSON_AddArrayToObject(root, "findings");

    for (size_t i = 0; i < result->finding_count; i++) {
        const Finding *finding = &result->findings[i];
        cJSON *item = add_item(array);

        add_text(item, "kind", finding->kind);
        add_text(item, "design", finding->design);
        add_number(item, "repeat", (double)finding->repeat);
        if (finding->sweep != NULL)
            add_text(item, "sweep", finding->sweep);
        add_text(item, "phase", finding->phase);
        add_number(item, "batch", (double)finding->batch);
        add_text(item, "detail", finding->detail);
    }
}

static void
add_scenario(cJSON *root, const Result *result)
{
    cJSON *item = cJSON_AddObjectToObject(root, "scenario");

    add_text(item, "name", result->scenario_name);
    add_text(item, "sha256", result->scenario_sha256);
    cJSON_AddItemToObject(item, "document", cJSON_Parse(result->scenario_text));
}

char *
result_to_json(const Result *result)
{
    cJSON *root = cJSON_CreateObject();
    char *text;

    add_text(root, "format", RESULT_FORMAT);
    add_text(root, "status", STATUS_WORDS[result->status]);
    if (result->error != NULL)
        add_text(root, "error", result->error);
    if (result->part != NULL)
        add_text(root, "part", result->part);
    add_text(root, "keybench_version", result->keybench_version);
    add_text(root, "started_utc", result->started_utc);
    add_number(root, "seed", (double)result->seed);
    if (result->repeats > 0)
        add_number(root, "repeats", (double)result->repeats);
    add_number(root, "jobs", (double)result->jobs);
    add_scenario(root, result);
    add_named_values(root, "server", result->server, result->server_count);
    add_named_values(root, "machine", result->machine, result->machine_count);
    add_designs(root, result);
    add_checks(root, result);
    add_findings(root, result);
    text = cJSON_Print(root);
    cJSON_Delete(root);
    if (text == NULL)
        BUG("out of memory for a result");
    return text;
}

Status
result_save(const Result *result, const char *path, Diag *diag)
{
    Text content = {0};
    char *json = result_to_json(result);
    Status status;

    text_printf(&content, "%s\n", json);
    free(json);
    status = file_write_atomic(path, content.data, content.length, diag);
    text_release(&content);
    return status;
}
