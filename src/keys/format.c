#include "keys/format.h"

#include "keys/format_impl.h"

#include <string.h>

const KeyFormat *const KEY_FORMATS[] = {
    &KEY_BIGINT,    &KEY_UUIDV4,         &KEY_UUIDV7, &KEY_ULID,           &KEY_KSUID,
    &KEY_SNOWFLAKE, &KEY_NANOID,         &KEY_TYPEID, &KEY_SQIDS,          &KEY_UUIDV7_COUNTER,
    &KEY_UUIDV7_MS, &KEY_ULID_MONOTONIC, &KEY_UUIDV1, &KEY_UUIDV1_SWAPPED, &KEY_UUIDV6,
    &KEY_UUIDV3,    &KEY_UUIDV5,         &KEY_UUIDV8, &KEY_COMB,
};
const size_t KEY_FORMAT_COUNT = ARRAY_LEN(KEY_FORMATS);

const KeyParams KEY_PARAMS_DEFAULT = {.node_count = 1};

const KeyFormat *
key_format_find(const char *name)
{
    for (size_t i = 0; i < KEY_FORMAT_COUNT; i++)
        if (strcmp(KEY_FORMATS[i]->name, name) == 0)
            return KEY_FORMATS[i];
    return NULL;
}

const KeyForm *
key_form_find(const KeyFormat *format, const char *name)
{
    for (size_t i = 0; i < format->form_count; i++)
        if (strcmp(format->forms[i].name, name) == 0)
            return &format->forms[i];
    return NULL;
}

const char *
key_format_name(const KeyFormat *format)
{
    return format->name;
}

const char *
key_format_title(const KeyFormat *format)
{
    return format->title;
}
