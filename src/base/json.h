/*
 * JSON through cJSON, with what it lacks: every error says file, line, column and the path of the
 * value, as in `scenarios/x.json:12:5: designs[1].rows: ...`. Strict: UTF-8, no duplicate keys,
 * bounded depth, only keys that are read.
 */
#ifndef KB_BASE_JSON_H
#define KB_BASE_JSON_H

#include "base/diag.h"

#include <cjson/cJSON.h>
#include <stdint.h>

/* One parsed file. */
typedef struct JsonDoc {
    char *file; /* name for errors */
    char *text; /* the bytes, terminated */
    cJSON *root;
} JsonDoc;

/*
 * Parse; the caller releases with json_release. STATUS_SCENARIO for bad UTF-8, NUL bytes, syntax,
 * trailing text, duplicate keys, numbers that are not finite, nesting deeper than `nesting_max`.
 */
Status json_parse(const char *file, const char *bytes, size_t length, unsigned nesting_max,
                  JsonDoc *doc, Diag *diag) MUST_USE;
void json_release(JsonDoc *doc);

/* Set an error at `value`: "FILE:LINE:COLUMN: PATH: ..." and return STATUS_SCENARIO. */
Status json_error(const JsonDoc *doc, const cJSON *value, Diag *diag, const char *format, ...)
    PRINTF_LIKE(4, 5);

/* Every key of `object` must be one of `keys` (NULL-terminated); the error lists what is allowed or
 * the nearest one. */
Status json_only_keys(const JsonDoc *doc, const cJSON *object, const char *const *keys,
                      Diag *diag) MUST_USE;

/*
 * Typed reads of a member. A missing or mistyped member is an error at `object` or the member, and
 * the out parameter is untouched. The _or variants leave the out parameter as it is when the member
 * is missing. Whole numbers must be exact and in range.
 */
Status json_text(const JsonDoc *doc, const cJSON *object, const char *key, const char **value,
                 Diag *diag) MUST_USE;
Status json_text_or(const JsonDoc *doc, const cJSON *object, const char *key, const char **value,
                    Diag *diag) MUST_USE;
Status json_u64(const JsonDoc *doc, const cJSON *object, const char *key, uint64_t min,
                uint64_t max, uint64_t *value, Diag *diag) MUST_USE;
Status json_u64_or(const JsonDoc *doc, const cJSON *object, const char *key, uint64_t min,
                   uint64_t max, uint64_t *value, Diag *diag) MUST_USE;
Status json_double(const JsonDoc *doc, const cJSON *object, const char *key, double *value,
                   Diag *diag) MUST_USE;
Status json_double_or(const JsonDoc *doc, const cJSON *object, const char *key, double *value,
                      Diag *diag) MUST_USE;
Status json_bool_or(const JsonDoc *doc, const cJSON *object, const char *key, bool *value,
                    Diag *diag) MUST_USE;

/* The same for an item of an array. */
Status json_item_text(const JsonDoc *doc, const cJSON *item, const char **value,
                      Diag *diag) MUST_USE;

/* A member that must be an array or object; *value NULL when it is missing in the _or variant. */
Status json_array(const JsonDoc *doc, const cJSON *object, const char *key, const cJSON **value,
                  Diag *diag) MUST_USE;
Status json_array_or(const JsonDoc *doc, const cJSON *object, const char *key, const cJSON **value,
                     Diag *diag) MUST_USE;
Status json_object(const JsonDoc *doc, const cJSON *object, const char *key, const cJSON **value,
                   Diag *diag) MUST_USE;
Status json_object_or(const JsonDoc *doc, const cJSON *object, const char *key, const cJSON **value,
                      Diag *diag) MUST_USE;

#endif
