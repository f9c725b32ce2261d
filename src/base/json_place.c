#include "base/json_place.h"

#include "base/json_scan.h"

#include <limits.h>
#include <string.h>

static bool
is_plain_key(const char *key)
{
    return key[0] != '\0' && strspn(key, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                         "0123456789_-$") == strlen(key);
}

static void
add_to_path(Text *path, const cJSON *child, size_t index)
{
    if (child->string == NULL)
        text_printf(path, "[%zu]", index);
    else if (is_plain_key(child->string))
        text_printf(path, "%s%.63s", path->length > 0 ? "." : "", child->string);
    else
        text_printf(path, "[\"%.63s\"]", child->string);
}

/* Move behind an item's key and its colon, or not at all in an array. */
static bool
skip_key(JsonScan *scan, const cJSON *item)
{
    if (item->string == NULL)
        return true;
    if (!json_scan_string(scan))
        return false;
    json_scan_blanks(scan);
    scan->at++;
    return true;
}

static bool
locate(JsonScan *scan, const cJSON *item, const cJSON *target, JsonPlace *place)
{
    size_t index = 0;

    json_scan_blanks(scan);
    place->at = scan->at;
    if (item == target)
        return true;
    if (item->child == NULL)
        return !json_scan_value(scan);
    for (const cJSON *child = item->child; child != NULL; child = child->next) {
        size_t path_length = place->path.length;

        scan->at++; /* the bracket or comma in front */
        json_scan_blanks(scan);
        place->key_at = scan->at;
        add_to_path(&place->path, child, index++);
        if (skip_key(scan, child) && locate(scan, child, target, place))
            return true;
        place->path.length = path_length;
        json_scan_blanks(scan);
    }
    scan->at++;
    return false;
}

void
json_place_find(const char *text, const cJSON *root, const cJSON *item, JsonPlace *place)
{
    JsonScan scan = {.text = text, .length = strlen(text), .nesting_max = UINT_MAX};

    memset(place, 0, sizeof(*place));
    if (!locate(&scan, root, item, place))
        place->at = place->key_at = 0;
    if (place->path.data != NULL)
        place->path.data[place->path.length] = '\0';
}

void
json_place_count(const char *text, size_t at, size_t *line, size_t *column)
{
    *line = *column = 1;
    for (size_t i = 0; i < at; i++) {
        *column += ((unsigned char)text[i] & 0xc0) != 0x80;
        if (text[i] == '\n') {
            (*line)++;
            *column = 1;
        }
    }
}
