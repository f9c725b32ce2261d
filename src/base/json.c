#include "base/json.h"

#include "base/json_place.h"
#include "base/json_scan.h"
#include "base/mem.h"
#include "base/text.h"
#include "base/words.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define BYTE_ORDER_MARK "\xef\xbb\xbf"

/* Doubles hold every whole number up to here. */
#define JSON_EXACT_MAX (UINT64_C(1) << 53)

/* What is not UTF-8 any more after a cut, and what a terminal would obey, becomes "?". */
static void
make_printable(char *text)
{
    size_t length = strlen(text);
    size_t bad;

    while (text_find_bad_utf8(text, length, &bad))
        text[bad] = '?';
    for (size_t i = 0; i < length; i++) {
        bool c1_control = text[i] == '\xc2' && ((unsigned char)text[i + 1] & 0xe0) == 0x80;

        if ((unsigned char)text[i] < ' ' || text[i] == '\x7f')
            text[i] = '?';
        if (c1_control)
            text[i] = text[i + 1] = '?';
    }
}

/* Set "FILE:LINE:COLUMN: PATH: problem". */
static Status
report(const JsonDoc *doc, size_t at, const char *path, const char *problem, Diag *diag)
{
    size_t line, column;

    json_place_count(doc->text, at, &line, &column);
    diag_set(diag, STATUS_SCENARIO, "%s:%zu:%zu: %s%s%s", doc->file, line, column, path,
             path[0] != '\0' ? ": " : "", problem);
    make_printable(diag->message);
    return STATUS_SCENARIO;
}

static Status json_error_va(const JsonDoc *doc, const cJSON *value, bool at_key, Diag *diag,
                            const char *format, va_list args) __attribute__((format(printf, 5, 0)));

static Status
json_error_va(const JsonDoc *doc, const cJSON *value, bool at_key, Diag *diag, const char *format,
              va_list args)
{
    char problem[640];
    JsonPlace place;

    vsnprintf(problem, sizeof(problem), format, args);
    json_place_find(doc->text, doc->root, value, &place);
    report(doc, at_key ? place.key_at : place.at, text_data(&place.path), problem, diag);
    text_release(&place.path);
    return STATUS_SCENARIO;
}

Status
json_error(const JsonDoc *doc, const cJSON *value, Diag *diag, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    json_error_va(doc, value, false, diag, format, args);
    va_end(args);
    return STATUS_SCENARIO;
}

static Status key_error(const JsonDoc *doc, const cJSON *value, Diag *diag, const char *format, ...)
    PRINTF_LIKE(4, 5);

static Status
key_error(const JsonDoc *doc, const cJSON *value, Diag *diag, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    json_error_va(doc, value, true, diag, format, args);
    va_end(args);
    return STATUS_SCENARIO;
}

typedef struct Member {
    const cJSON *item;
    size_t rank; /* place in its object, so that the second of two equal keys is the one at fault */
} Member;

static int
compare_members(const void *left, const void *right)
{
    const Member *a = left, *b = right;
    int order = strcmp(a->item->string, b->item->string);

    return order != 0 ? order : (a->rank > b->rank) - (a->rank < b->rank);
}

/* One sort instead of each against each: a hostile file has a hundred thousand keys. */
static Status
check_duplicates(const JsonDoc *doc, const cJSON *object, Diag *diag)
{
    size_t count = (size_t)cJSON_GetArraySize(object);
    Member *members = mem_new(count, sizeof(*members));
    Status status = STATUS_OK;
    size_t rank = 0;

    for (const cJSON *item = object->child; item != NULL; item = item->next, rank++)
        members[rank] = (Member){item, rank};
    qsort(members, count, sizeof(*members), compare_members);
    for (size_t i = 1; status == STATUS_OK && i < count; i++)
        if (strcmp(members[i - 1].item->string, members[i].item->string) == 0)
            status = key_error(doc, members[i].item, diag, "the key is there twice");
    free(members);
    return status;
}

/* What the grammar allows and keybench does not. */
static Status
check_tree(const JsonDoc *doc, const cJSON *item, Diag *diag)
{
    Status status = STATUS_OK;

    if (cJSON_IsNumber(item) && !isfinite(item->valuedouble))
        return json_error(doc, item, diag, "the number is too large");
    if (cJSON_IsObject(item))
        status = check_duplicates(doc, item, diag);
    for (const cJSON *child = item->child; status == STATUS_OK && child != NULL;
         child = child->next)
        status = check_tree(doc, child, diag);
    return status;
}

static Status
parse_text(JsonDoc *doc, size_t length, unsigned nesting_max, Diag *diag)
{
    JsonScan scan = {.text = doc->text, .length = length, .nesting_max = nesting_max};
    const char *zero = memchr(doc->text, '\0', length);
    size_t bad;

    if (zero != NULL)
        return report(doc, (size_t)(zero - doc->text), "", "a zero byte", diag);
    if (text_find_bad_utf8(doc->text, length, &bad))
        return report(doc, bad, "", "not UTF-8", diag);
    if (!json_scan_all(&scan))
        return report(doc, scan.at, "", scan.problem, diag);
    doc->root = cJSON_ParseWithLength(doc->text, length + 1);
    if (doc->root == NULL)
        BUG("cJSON refuses what json_scan accepts");
    return check_tree(doc, doc->root, diag);
}

Status
json_parse(const char *file, const char *bytes, size_t length, unsigned nesting_max, JsonDoc *doc,
           Diag *diag)
{
    size_t mark = sizeof(BYTE_ORDER_MARK) - 1;
    JsonDoc parsed = {0};
    Status status;

    if (length >= mark && memcmp(bytes, BYTE_ORDER_MARK, mark) == 0) {
        bytes += mark;
        length -= mark;
    }
    parsed.file = mem_text(file);
    parsed.text = mem_new(length + 1, 1);
    if (length > 0)
        memcpy(parsed.text, bytes, length);
    status = parse_text(&parsed, length, nesting_max, diag);
    if (status == STATUS_OK)
        *doc = parsed;
    else
        json_release(&parsed);
    return status;
}

void
json_release(JsonDoc *doc)
{
    cJSON_Delete(doc->root);
    free(doc->text);
    free(doc->file);
    memset(doc, 0, sizeof(*doc));
}

static const char *
kind_of(const cJSON *value)
{
    if (cJSON_IsObject(value))
        return "an object";
    if (cJSON_IsArray(value))
        return "an array";
    if (cJSON_IsString(value))
        return "a string";
    if (cJSON_IsNumber(value))
        return "a number";
    return cJSON_IsBool(value) ? "a boolean" : "null";
}

Status
json_only_keys(const JsonDoc *doc, const cJSON *object, const char *const *keys, Diag *diag)
{
    if (!cJSON_IsObject(object))
        return json_error(doc, object, diag, "must be an object, not %s", kind_of(object));
    for (const cJSON *member = object->child; member != NULL; member = member->next) {
        size_t count = 0;

        while (keys[count] != NULL && strcmp(keys[count], member->string) != 0)
            count++;
        if (keys[count] == NULL) {
            key_error(doc, member, diag, "unknown key");
            word_hint(member->string, keys, count, diag);
            return STATUS_SCENARIO;
        }
    }
    return STATUS_OK;
}

/* One of cJSON's tests of a type, and its name in errors. */
typedef struct Kind {
    cJSON_bool (*test)(const cJSON *value);
    const char *name;
} Kind;

static const Kind OBJECT = {cJSON_IsObject, "an object"};
static const Kind ARRAY = {cJSON_IsArray, "an array"};
static const Kind STRING = {cJSON_IsString, "a string"};
static const Kind NUMBER = {cJSON_IsNumber, "a number"};
static const Kind BOOLEAN = {cJSON_IsBool, "true or false"};

/* Find a member of one kind; *member is NULL when it is missing. */
static Status
find_member(const JsonDoc *doc, const cJSON *object, const char *key, const Kind *kind,
            const cJSON **member, Diag *diag)
{
    const cJSON *found = cJSON_GetObjectItemCaseSensitive(object, key);

    if (found != NULL && !kind->test(found))
        return json_error(doc, found, diag, "must be %s, not %s", kind->name, kind_of(found));
    *member = found;
    return STATUS_OK;
}

static Status
need(const JsonDoc *doc, const cJSON *object, const char *key, Diag *diag)
{
    if (cJSON_GetObjectItemCaseSensitive(object, key) != NULL)
        return STATUS_OK;
    return json_error(doc, object, diag, "key \"%s\" is missing", key);
}

Status
json_text_or(const JsonDoc *doc, const cJSON *object, const char *key, const char **value,
             Diag *diag)
{
    const cJSON *member = NULL;
    Status status = find_member(doc, object, key, &STRING, &member, diag);

    if (status == STATUS_OK && member != NULL)
        *value = member->valuestring;
    return status;
}

Status
json_item_text(const JsonDoc *doc, const cJSON *item, const char **value, Diag *diag)
{
    if (!cJSON_IsString(item))
        return json_error(doc, item, diag, "must be a string, not %s", kind_of(item));
    *value = item->valuestring;
    return STATUS_OK;
}

Status
json_text(const JsonDoc *doc, const cJSON *object, const char *key, const char **value, Diag *diag)
{
    Status status = need(doc, object, key, diag);

    return status == STATUS_OK ? json_text_or(doc, object, key, value, diag) : status;
}

Status
json_double_or(const JsonDoc *doc, const cJSON *object, const char *key, double *value, Diag *diag)
{
    const cJSON *member = NULL;
    Status status = find_member(doc, object, key, &NUMBER, &member, diag);

    if (status == STATUS_OK && member != NULL)
        *value = member->valuedouble;
    return status;
}

Status
json_double(const JsonDoc *doc, const cJSON *object, const char *key, double *value, Diag *diag)
{
    Status status = need(doc, object, key, diag);

    return status == STATUS_OK ? json_double_or(doc, object, key, value, diag) : status;
}

Status
json_u64_or(const JsonDoc *doc, const cJSON *object, const char *key, uint64_t min, uint64_t max,
            uint64_t *value, Diag *diag)
{
    uint64_t largest = max < JSON_EXACT_MAX ? max : JSON_EXACT_MAX;
    const cJSON *member = NULL;
    Status status = find_member(doc, object, key, &NUMBER, &member, diag);
    double number;

    if (status != STATUS_OK || member == NULL)
        return status;
    number = member->valuedouble;
    if (number != floor(number) || number < (double)min || number > (double)largest)
        return json_error(doc, member, diag, "must be a whole number from %" PRIu64 " to %" PRIu64,
                          min, largest);
    *value = (uint64_t)number;
    return STATUS_OK;
}

Status
json_u64(const JsonDoc *doc, const cJSON *object, const char *key, uint64_t min, uint64_t max,
         uint64_t *value, Diag *diag)
{
    Status status = need(doc, object, key, diag);

    return status == STATUS_OK ? json_u64_or(doc, object, key, min, max, value, diag) : status;
}

Status
json_bool_or(const JsonDoc *doc, const cJSON *object, const char *key, bool *value, Diag *diag)
{
    const cJSON *member = NULL;
    Status status = find_member(doc, object, key, &BOOLEAN, &member, diag);

    if (status == STATUS_OK && member != NULL)
        *value = cJSON_IsTrue(member);
    return status;
}

Status
json_array_or(const JsonDoc *doc, const cJSON *object, const char *key, const cJSON **value,
              Diag *diag)
{
    return find_member(doc, object, key, &ARRAY, value, diag);
}

Status
json_array(const JsonDoc *doc, const cJSON *object, const char *key, const cJSON **value,
           Diag *diag)
{
    Status status = need(doc, object, key, diag);

    return status == STATUS_OK ? json_array_or(doc, object, key, value, diag) : status;
}

Status
json_object_or(const JsonDoc *doc, const cJSON *object, const char *key, const cJSON **value,
               Diag *diag)
{
    return find_member(doc, object, key, &OBJECT, value, diag);
}

Status
json_object(const JsonDoc *doc, const cJSON *object, const char *key, const cJSON **value,
            Diag *diag)
{
    Status status = need(doc, object, key, diag);

    return status == STATUS_OK ? json_object_or(doc, object, key, value, diag) : status;
}
