/*
 * Where an item of cJSON's tree stands in the text that it was parsed from: cJSON keeps no
 * positions, so text and tree are walked in step, only when an error is reported. For json.c alone.
 */
#ifndef KB_BASE_JSON_PLACE_H
#define KB_BASE_JSON_PLACE_H

#include "base/text.h"

#include <cjson/cJSON.h>

typedef struct JsonPlace {
    size_t key_at; /* offset of its key when it is a member of an object, else of its own */
    size_t at;     /* offset of the item */
    Text path;     /* "designs[1].rows"; empty for the root */
} JsonPlace;

/*
 * text    well-formed JSON, ends with a zero
 * root    the tree of it
 * item    the item to find; one that is not in the tree is said to be at the start
 * place   out: caller releases its path
 */
void json_place_find(const char *text, const cJSON *root, const cJSON *item, JsonPlace *place);

/* Line and column of an offset, from 1; columns are characters, as editors count them. */
void json_place_count(const char *text, size_t at, size_t *line, size_t *column);

#endif
