#include "results/result_json.h"

#include "base/file.h"
#include "results/result_read.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FILE_MAX_BYTES = 64 << 20, NESTING_MAX = 24, REPEATS_MAX = 1000 };

static Status
load_batches(Loader *loader, const cJSON *object, PhaseResult *phase)
{
    const cJSON *array = NULL, *item = NULL;
    void *items = NULL;
    Status status = open_array(loader, object, "batches", false, sizeof(BatchResult), &array,
                               &items, &phase->batch_count);
    size_t at = 0;

    if (status != STATUS_OK)
        return status;
    phase->batches = items;
    cJSON_ArrayForEach(item, array)
    {
        BatchResult *batch = &phase->batches[at++];

        figures_init(&batch->figures);
        if (status == STATUS_OK)
            status = read_figures(loader, item, METRIC_SCOPE_BATCH, &batch->figures);
    }
    return status;
}

static Status
load_indexes(Loader *loader, const cJSON *object, PhaseResult *phase)
{
    const cJSON *array = NULL, *item = NULL;
    void *items = NULL;
    Status status = open_array(loader, object, "indexes", false, sizeof(IndexResult), &array,
                               &items, &phase->index_count);
    size_t at = 0;

    if (status != STATUS_OK)
        return status;
    phase->indexes = items;
    cJSON_ArrayForEach(item, array)
    {
        IndexResult *index = &phase->indexes[at++];

        figures_init(&index->figures);
        if (status == STATUS_OK)
            status = read_text(loader, item, "name", &index->name);
        if (status == STATUS_OK)
            status = read_figures(loader, item, METRIC_SCOPE_INDEX, &index->figures);
    }
    return status;
}

static Status
load_wal_kind(Loader *loader, const cJSON *item, WalKind *kind)
{
    Status status = read_text(loader, item, "resource_manager", &kind->resource_manager);

    if (status == STATUS_OK)
        status = read_text(loader, item, "record_type", &kind->record_type);
    if (status == STATUS_OK)
        status = read_number(loader, item, "record_count", &kind->record_count);
    if (status == STATUS_OK)
        status = read_number(loader, item, "record_bytes", &kind->record_bytes);
    if (status == STATUS_OK)
        status = read_number(loader, item, "fpi_bytes", &kind->fpi_bytes);
    return status;
}

static Status
load_wal_kinds(Loader *loader, const cJSON *object, PhaseResult *phase)
{
    const cJSON *array = NULL, *item = NULL;
    void *items = NULL;
    Status status = open_array(loader, object, "wal_kinds", true, sizeof(WalKind), &array, &items,
                               &phase->wal_kind_count);
    size_t at = 0;

    phase->wal_kinds = items;
    if (status != STATUS_OK || array == NULL)
        return status;
    cJSON_ArrayForEach(item, array)
    {
        if (status == STATUS_OK)
            status = load_wal_kind(loader, item, &phase->wal_kinds[at++]);
    }
    return status;
}

static Status
load_failures(Loader *loader, const cJSON *object, PhaseResult *phase)
{
    const cJSON *array = NULL, *item = NULL;
    void *items = NULL;
    Status status = open_array(loader, object, "failures", true, sizeof(FailureCount), &array,
                               &items, &phase->failure_count);
    size_t at = 0;

    phase->failures = items;
    if (status != STATUS_OK || array == NULL)
        return status;
    cJSON_ArrayForEach(item, array)
    {
        FailureCount *failure = &phase->failures[at++];

        if (status == STATUS_OK)
            status = read_text(loader, item, "sqlstate", &failure->sqlstate);
        if (status == STATUS_OK)
            status = read_number(loader, item, "count", &failure->count);
    }
    return status;
}

static Status
load_waits(Loader *loader, const cJSON *object, PhaseResult *phase)
{
    const cJSON *array = NULL, *item = NULL;
    void *items = NULL;
    Status status = open_array(loader, object, "waits", true, sizeof(WaitShare), &array, &items,
                               &phase->wait_count);
    size_t at = 0;

    phase->waits = items;
    if (status != STATUS_OK || array == NULL)
        return status;
    cJSON_ArrayForEach(item, array)
    {
        WaitShare *wait = &phase->waits[at++];

        if (status == STATUS_OK)
            status = read_text(loader, item, "event", &wait->event);
        if (status == STATUS_OK)
            status = read_number(loader, item, "sample_count", &wait->sample_count);
        if (status == STATUS_OK)
            status = read_number(loader, item, "share_pct", &wait->share_pct);
    }
    return status;
}

static Status
load_phase(Loader *loader, const cJSON *item, PhaseResult *phase)
{
    Status status = read_text(loader, item, "name", &phase->name);

    figures_init(&phase->figures);
    if (status == STATUS_OK)
        status = json_bool_or(&loader->doc, item, "complete", &phase->complete, loader->diag);
    if (status == STATUS_OK)
        status = read_whole(loader, item, "rows_per_checkpoint", &phase->rows_per_checkpoint);
    if (status == STATUS_OK)
        status = read_text_or_null(loader, item, "wal_source", &phase->wal_source);
    if (status == STATUS_OK)
        status = read_figures(loader, item, METRIC_SCOPE_BATCH, &phase->figures);
    if (status == STATUS_OK)
        status = read_figures(loader, item, METRIC_SCOPE_TABLE, &phase->figures);
    if (status == STATUS_OK)
        status = load_batches(loader, item, phase);
    if (status == STATUS_OK)
        status = load_indexes(loader, item, phase);
    if (status == STATUS_OK)
        status = load_wal_kinds(loader, item, phase);
    if (status == STATUS_OK)
        status = load_failures(loader, item, phase);
    if (status == STATUS_OK)
        status = load_waits(loader, item, phase);
    return status;
}

/* What a design of a sweep says beside the others. */
static Status
load_sweep(Loader *loader, const cJSON *item, DesignResult *design)
{
    NamedValue *values = NULL;
    Status status = read_text_or_null(loader, item, "error", &design->error);

    if (status == STATUS_OK && cJSON_GetObjectItemCaseSensitive(item, "sweep") != NULL)
        status = read_named_values(loader, item, "sweep", &values, &design->sweep_count);
    design->sweep = values;
    design->sweep_label = sweep_label(loader->result->arena, values, design->sweep_count);
    return status;
}

static bool
is_phase_twice(const DesignResult *design, size_t number)
{
    for (size_t i = 0; i < number; i++)
        if (strcmp(design->phases[i].name, design->phases[number].name) == 0)
            return true;
    return false;
}

static Status
load_design(Loader *loader, const cJSON *item, DesignResult *design)
{
    const cJSON *array = NULL, *phase = NULL;
    void *items = NULL;
    size_t at = 0;
    Status status = read_text(loader, item, "name", &design->name);

    if (status == STATUS_OK)
        status = load_sweep(loader, item, design);
    if (status == STATUS_OK)
        status = read_text(loader, item, "key_type", &design->key_type);
    if (status == STATUS_OK)
        status = read_text(loader, item, "minted_by", &design->minted_by);
    if (status == STATUS_OK)
        status =
            json_u64(&loader->doc, item, "repeat", 1, REPEATS_MAX, &design->repeat, loader->diag);
    if (status == STATUS_OK)
        status = json_double_or(&loader->doc, item, "predicted_table_bytes",
                                &design->predicted_table_bytes, loader->diag);
    if (status == STATUS_OK)
        status = json_double_or(&loader->doc, item, "predicted_wal_bytes",
                                &design->predicted_wal_bytes, loader->diag);
    if (status == STATUS_OK)
        status = open_array(loader, item, "phases", false, sizeof(PhaseResult), &array, &items,
                            &design->phase_count);
    design->phases = items;
    if (status != STATUS_OK)
        return status;
    cJSON_ArrayForEach(phase, array)
    {
        if (status == STATUS_OK)
            status = load_phase(loader, phase, &design->phases[at++]);
        if (status == STATUS_OK && is_phase_twice(design, at - 1))
            status = json_error(&loader->doc, phase, loader->diag, "the same phase twice");
    }
    return status;
}

static bool
is_trial_twice(const Result *result, size_t number)
{
    const DesignResult *design = &result->designs[number];

    for (size_t i = 0; i < number; i++)
        if (result->designs[i].repeat == design->repeat &&
            strcmp(result->designs[i].name, design->name) == 0 &&
            strcmp(result->designs[i].sweep_label, design->sweep_label) == 0)
            return true;
    return false;
}

static Status
load_designs(Loader *loader)
{
    Result *result = loader->result;
    const cJSON *array = NULL, *item = NULL;
    void *items = NULL;
    size_t at = 0;
    Status status = open_array(loader, loader->doc.root, "designs", false, sizeof(DesignResult),
                               &array, &items, &result->design_count);

    result->designs = items;
    if (status != STATUS_OK)
        return status;
    cJSON_ArrayForEach(item, array)
    {
        if (status == STATUS_OK)
            status = load_design(loader, item, &result->designs[at++]);
        if (status == STATUS_OK && is_trial_twice(result, at - 1))
            status = json_error(&loader->doc, item, loader->diag, "the same trial twice");
    }
    return status;
}

static Status
load_check(Loader *loader, const cJSON *item, CheckResult *check)
{
    Status status = read_text(loader, item, "name", &check->name);

    if (status == STATUS_OK)
        status = read_number(loader, item, "value", &check->value);
    if (status == STATUS_OK)
        status = read_text(loader, item, "bound", &check->bound);
    if (status == STATUS_OK)
        status = read_text(loader, item, "verdict", &check->verdict);
    return status;
}

static Status
load_checks(Loader *loader)
{
    Result *result = loader->result;
    const cJSON *array = NULL, *item = NULL;
    void *items = NULL;
    size_t at = 0;
    Status status = open_array(loader, loader->doc.root, "checks", true, sizeof(CheckResult),
                               &array, &items, &result->check_count);

    result->checks = items;
    if (status != STATUS_OK || array == NULL)
        return status;
    cJSON_ArrayForEach(item, array)
    {
        if (status == STATUS_OK)
            status = load_check(loader, item, &result->checks[at++]);
    }
    return status;
}

static Status
load_finding(Loader *loader, const cJSON *item, Finding *finding)
{
    Status status = read_text(loader, item, "kind", &finding->kind);

    if (status == STATUS_OK)
        status = read_text_or_null(loader, item, "design", &finding->design);
    if (status == STATUS_OK)
        status = read_whole(loader, item, "repeat", &finding->repeat);
    if (status == STATUS_OK)
        status = read_text_or_null(loader, item, "sweep", &finding->sweep);
    if (status == STATUS_OK)
        status = read_text_or_null(loader, item, "phase", &finding->phase);
    if (status == STATUS_OK)
        status = read_whole(loader, item, "batch", &finding->batch);
    if (status == STATUS_OK)
        status = read_text(loader, item, "detail", &finding->detail);
    return status;
}

static Status
load_findings(Loader *loader)
{
    Result *result = loader->result;
    const cJSON *array = NULL, *item = NULL;
    void *items = NULL;
    size_t at = 0;
    Status status = open_array(loader, loader->doc.root, "findings", true, sizeof(Finding), &array,
                               &items, &result->finding_count);

    result->findings = items;
    if (status != STATUS_OK || array == NULL)
        return status;
    cJSON_ArrayForEach(item, array)
    {
        if (status == STATUS_OK)
            status = load_finding(loader, item, &result->findings[at++]);
    }
    return status;
}

static Status
load_status(Loader *loader)
{
    static const char *const WORDS[] = {"complete", "interrupted", "failed"};
    const cJSON *root = loader->doc.root;
    const char *word = NULL;
    Status status = json_text(&loader->doc, root, "status", &word, loader->diag);

    for (size_t i = 0; status == STATUS_OK && i < ARRAY_LEN(WORDS); i++) {
        if (strcmp(word, WORDS[i]) == 0) {
            loader->result->status = (ResultStatus)i;
            return STATUS_OK;
        }
    }
    if (status == STATUS_OK)
        status = json_error(&loader->doc, cJSON_GetObjectItemCaseSensitive(root, "status"),
                            loader->diag, "unknown status \"%s\"", word);
    return status;
}

static Status
load_scenario(Loader *loader)
{
    Result *result = loader->result;
    const cJSON *scenario = NULL, *document = NULL;
    char *text;
    Status status =
        json_object(&loader->doc, loader->doc.root, "scenario", &scenario, loader->diag);

    if (status == STATUS_OK)
        status = read_text(loader, scenario, "name", &result->scenario_name);
    if (status == STATUS_OK)
        status = read_text(loader, scenario, "sha256", &result->scenario_sha256);
    if (status == STATUS_OK)
        status = json_object(&loader->doc, scenario, "document", &document, loader->diag);
    if (status != STATUS_OK)
        return status;
    text = cJSON_PrintUnformatted(document);
    result->scenario_text = arena_text(result->arena, text);
    cJSON_free(text);
    return STATUS_OK;
}

static Status
check_format(Loader *loader)
{
    const char *format = NULL;
    Status status = json_text(&loader->doc, loader->doc.root, "format", &format, loader->diag);

    if (status != STATUS_OK || strcmp(format, RESULT_FORMAT) == 0)
        return status;
    json_error(&loader->doc, cJSON_GetObjectItemCaseSensitive(loader->doc.root, "format"),
               loader->diag, "format \"%s\" is not \"%s\"", format, RESULT_FORMAT);
    diag_hint(loader->diag, "Give a result file that \"keybench run\" wrote.");
    return loader->diag->status;
}

static Status
load_all(Loader *loader)
{
    Result *result = loader->result;
    const cJSON *root = loader->doc.root;
    Status status = check_format(loader);

    if (status == STATUS_OK)
        status = load_status(loader);
    if (status == STATUS_OK)
        status = read_text_or_null(loader, root, "error", &result->error);
    if (status == STATUS_OK)
        status = read_text_or_null(loader, root, "part", &result->part);
    if (status == STATUS_OK)
        status = read_text(loader, root, "keybench_version", &result->keybench_version);
    if (status == STATUS_OK)
        status = read_text(loader, root, "started_utc", &result->started_utc);
    if (status == STATUS_OK)
        status = read_whole(loader, root, "seed", &result->seed);
    if (status == STATUS_OK)
        status = json_u64_or(&loader->doc, root, "repeats", 1, REPEATS_MAX, &result->repeats,
                             loader->diag);
    if (status == STATUS_OK)
        status = read_whole(loader, root, "jobs", &result->jobs);
    if (status == STATUS_OK)
        status = load_scenario(loader);
    if (status == STATUS_OK)
        status = read_named_values(loader, root, "server", &result->server, &result->server_count);
    if (status == STATUS_OK)
        status =
            read_named_values(loader, root, "machine", &result->machine, &result->machine_count);
    if (status == STATUS_OK)
        status = load_designs(loader);
    if (status == STATUS_OK)
        status = load_checks(loader);
    if (status == STATUS_OK)
        status = load_findings(loader);
    return status;
}

/* A run that was killed before its first phase ended leaves the name that it took. */
static Status
refuse_empty(const char *path, Diag *diag)
{
    diag_set(diag, STATUS_SCENARIO, "result \"%s\" is empty: its run has not measured a phase yet",
             path);
    diag_hint(diag, "Wait for the run; if it was killed, remove the file and run it again.");
    return diag->status;
}

Status
result_load(const char *path, Result **result, Diag *diag)
{
    Loader loader = {.diag = diag};
    Text content = {0};
    Status status = file_read(path, FILE_MAX_BYTES, &content, diag);

    if (status == STATUS_OK && content.length == 0)
        status = refuse_empty(path, diag);
    if (status == STATUS_OK)
        status =
            json_parse(path, text_data(&content), content.length, NESTING_MAX, &loader.doc, diag);
    text_release(&content);
    if (status != STATUS_OK)
        return status;
    loader.result = result_new();
    status = load_all(&loader);
    json_release(&loader.doc);
    if (status == STATUS_OK)
        *result = loader.result;
    else
        result_free(loader.result);
    return status;
}
