#include "results/result_read.h"

#include <math.h>

/* 2^53: the largest whole number that a JSON number holds exactly. */
static const uint64_t WHOLE_MAX = UINT64_C(1) << 53;

Status
read_text(Loader *loader, const cJSON *object, const char *key, const char **value)
{
    const char *text = NULL;
    Status status = json_text(&loader->doc, object, key, &text, loader->diag);

    if (status == STATUS_OK)
        *value = arena_text(loader->result->arena, text);
    return status;
}

Status
read_text_or_null(Loader *loader, const cJSON *object, const char *key, const char **value)
{
    const cJSON *member = cJSON_GetObjectItemCaseSensitive(object, key);

    if (member == NULL || cJSON_IsNull(member))
        return STATUS_OK;
    return read_text(loader, object, key, value);
}

Status
read_number(Loader *loader, const cJSON *object, const char *key, double *value)
{
    const cJSON *member = cJSON_GetObjectItemCaseSensitive(object, key);

    if (cJSON_IsNull(member)) {
        *value = NAN;
        return STATUS_OK;
    }
    return json_double(&loader->doc, object, key, value, loader->diag);
}

Status
read_whole(Loader *loader, const cJSON *object, const char *key, uint64_t *value)
{
    return json_u64(&loader->doc, object, key, 0, WHOLE_MAX, value, loader->diag);
}

/* No figure is negative, and all are kept as counts of less than 2^53. */
static Status
check_figure(Loader *loader, const cJSON *object, const char *key, double value)
{
    if (isnan(value) || (value >= 0 && value <= (double)WHOLE_MAX))
        return STATUS_OK;
    return json_error(&loader->doc, cJSON_GetObjectItemCaseSensitive(object, key), loader->diag,
                      "no figure can be %g", value);
}

Status
read_figures(Loader *loader, const cJSON *object, MetricScope scope, Figures *figures)
{
    Status status = STATUS_OK;

    for (int id = 0; status == STATUS_OK && id < METRIC_COUNT; id++) {
        const Metric *metric = &METRICS[id];
        bool present = cJSON_GetObjectItemCaseSensitive(object, metric->name) != NULL;

        if (metric->scope == scope && (present || !(metric->flags & METRIC_OPTIONAL)))
            status = read_number(loader, object, metric->name, &figures->value[id]);
        if (status == STATUS_OK)
            status = check_figure(loader, object, metric->name, figures->value[id]);
    }
    return status;
}

Status
open_array(Loader *loader, const cJSON *object, const char *key, bool optional, size_t item_size,
           const cJSON **array, void **items, size_t *count)
{
    Status status = optional ? json_array_or(&loader->doc, object, key, array, loader->diag)
                             : json_array(&loader->doc, object, key, array, loader->diag);

    if (status == STATUS_OK && *array != NULL) {
        *count = (size_t)cJSON_GetArraySize(*array);
        *items = arena_alloc(loader->result->arena, *count, item_size);
    }
    return status;
}

Status
read_named_values(Loader *loader, const cJSON *parent, const char *key, NamedValue **values,
                  size_t *count)
{
    const cJSON *object = NULL;
    Status status = json_object(&loader->doc, parent, key, &object, loader->diag);
    size_t at = 0;

    if (status != STATUS_OK)
        return status;
    *count = (size_t)cJSON_GetArraySize(object);
    *values = arena_alloc(loader->result->arena, *count, sizeof(**values));
    for (const cJSON *item = object->child; status == STATUS_OK && item != NULL;
         item = item->next, at++) {
        (*values)[at].name = arena_text(loader->result->arena, item->string);
        status = read_text(loader, object, item->string, &(*values)[at].value);
    }
    return status;
}
