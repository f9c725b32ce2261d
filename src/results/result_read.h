/*
 * How the members of a result's JSON are read; for result_load.c only. Each function sets what it
 * reads on success, else STATUS_SCENARIO with file, line and path; texts and items are the
 * result's.
 */
#ifndef KB_RESULTS_RESULT_READ_H
#define KB_RESULTS_RESULT_READ_H

#include "base/json.h"
#include "results/result.h"

#include <cjson/cJSON.h>

/* What one load carries through its functions. */
typedef struct Loader {
    JsonDoc doc;
    Result *result;
    Diag *diag;
} Loader;

Status read_text(Loader *loader, const cJSON *object, const char *key, const char **value) MUST_USE;

/* A missing text or null leaves `value` alone. */
Status read_text_or_null(Loader *loader, const cJSON *object, const char *key,
                         const char **value) MUST_USE;

/* null is NAN. */
Status read_number(Loader *loader, const cJSON *object, const char *key, double *value) MUST_USE;

/* From 0 to 2^53, the largest whole number that a JSON number holds exactly. */
Status read_whole(Loader *loader, const cJSON *object, const char *key, uint64_t *value) MUST_USE;

/* Those of `scope`; the optional ones may be missing. */
Status read_figures(Loader *loader, const cJSON *object, MetricScope scope,
                    Figures *figures) MUST_USE;

/* An array member, and room for its items of `item_size` bytes; a missing optional one is empty. */
Status open_array(Loader *loader, const cJSON *object, const char *key, bool optional,
                  size_t item_size, const cJSON **array, void **items, size_t *count) MUST_USE;

/* An object whose members are all texts. */
Status read_named_values(Loader *loader, const cJSON *parent, const char *key, NamedValue **values,
                         size_t *count) MUST_USE;

#endif
