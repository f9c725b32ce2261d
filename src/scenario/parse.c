#include "scenario/parse.h"

#include "base/words.h"

#include <stdlib.h>
#include <string.h>

enum { FILLFACTOR_MIN = 10, FILLFACTOR_MAX = 100 };

static const char *
choice_at(const Choices *choices, size_t i)
{
    const char *item = (const char *)choices->items + i * choices->item_bytes;
    const char *name;

    memcpy(&name, item, sizeof(name));
    return name;
}

/* The error for a word that is none of them. */
static Status
refuse_word(const Parser *parser, const cJSON *item, const Choices *choices, Diag *diag)
{
    const char **names = mem_new(choices->count, sizeof(*names));

    for (size_t i = 0; i < choices->count; i++)
        names[i] = choice_at(choices, i);
    json_error(parser->doc, item, diag, "unknown %s \"%.63s\"", choices->what, item->valuestring);
    word_hint(item->valuestring, names, choices->count, diag);
    free(names);
    return STATUS_SCENARIO;
}

Status
parse_choice_item(const Parser *parser, const cJSON *item, Choices choices, size_t *index,
                  Diag *diag)
{
    const char *word;
    Status status = json_item_text(parser->doc, item, &word, diag);

    if (status != STATUS_OK)
        return status;
    for (size_t i = 0; i < choices.count; i++) {
        if (strcmp(choice_at(&choices, i), word) == 0) {
            *index = i;
            return STATUS_OK;
        }
    }
    return refuse_word(parser, item, &choices, diag);
}

Status
parse_choice_or(const Parser *parser, const cJSON *object, const char *key, Choices choices,
                size_t *index, Diag *diag)
{
    const cJSON *member = cJSON_GetObjectItemCaseSensitive(object, key);

    if (member == NULL)
        return STATUS_OK;
    return parse_choice_item(parser, member, choices, index, diag);
}

Status
parse_choice(const Parser *parser, const cJSON *object, const char *key, Choices choices,
             size_t *index, Diag *diag)
{
    const char *word;
    Status status = json_text(parser->doc, object, key, &word, diag);

    if (status == STATUS_OK)
        status = parse_choice_or(parser, object, key, choices, index, diag);
    return status;
}

bool
is_printable(const char *text)
{
    for (; *text != '\0'; text++) {
        bool c1_control = *text == '\xc2' && ((unsigned char)text[1] & 0xe0) == 0x80;

        if ((unsigned char)*text < ' ' || *text == '\x7f' || c1_control)
            return false;
    }
    return true;
}

/* Read a printable text and copy it into the arena. */
static Status
parse_printable(const Parser *parser, const cJSON *object, const char *key, size_t max_bytes,
                const char **text, Diag *diag)
{
    const cJSON *member = cJSON_GetObjectItemCaseSensitive(object, key);
    const char *value;
    Status status = json_text(parser->doc, object, key, &value, diag);

    if (status != STATUS_OK)
        return status;
    if (value[0] == '\0')
        return json_error(parser->doc, member, diag, "must not be empty");
    if (strlen(value) > max_bytes)
        return json_error(parser->doc, member, diag, "longer than %zu bytes", max_bytes);
    if (!is_printable(value))
        return json_error(parser->doc, member, diag, "control characters in a text");
    *text = arena_text(parser->scenario->arena, value);
    return STATUS_OK;
}

Status
parse_identifier(const Parser *parser, const cJSON *object, const char **name, Diag *diag)
{
    return parse_printable(parser, object, "name", SCENARIO_NAME_MAX, name, diag);
}

Status
parse_name(const Parser *parser, const cJSON *object, const char **name, Diag *diag)
{
    const char *word = "";
    Status status = parse_identifier(parser, object, &word, diag);
    size_t fitting;

    if (status != STATUS_OK)
        return status;
    fitting = strspn(word, "abcdefghijklmnopqrstuvwxyz0123456789-_");
    if (word[fitting] != '\0' || word[0] == '-' || word[0] == '_') {
        json_error(parser->doc, cJSON_GetObjectItemCaseSensitive(object, "name"), diag,
                   "\"%s\" cannot be a name", word);
        diag_hint(diag, "Names are made of a-z, 0-9, \"-\" and \"_\" and begin with a letter or "
                        "digit; use \"title\" for what is printed.");
        return STATUS_SCENARIO;
    }
    *name = word;
    return STATUS_OK;
}

Status
parse_text_or(const Parser *parser, const cJSON *object, const char *key, size_t max_bytes,
              const char **text, Diag *diag)
{
    if (cJSON_GetObjectItemCaseSensitive(object, key) == NULL)
        return STATUS_OK;
    return parse_printable(parser, object, key, max_bytes, text, diag);
}

Status
parse_fillfactor(const Parser *parser, const cJSON *object, const char *key, int *fillfactor,
                 Diag *diag)
{
    uint64_t number = 0;
    Status status =
        json_u64_or(parser->doc, object, key, FILLFACTOR_MIN, FILLFACTOR_MAX, &number, diag);

    if (status == STATUS_OK)
        *fillfactor = (int)number;
    return status;
}

/* Read the next word of a list. */
static Status
add_word(const Parser *parser, const cJSON *item, Choices choices, WordList *words, Diag *diag)
{
    size_t index;
    Status status = parse_choice_item(parser, item, choices, &index, diag);

    if (status != STATUS_OK)
        return status;
    for (size_t i = 0; i < words->count; i++)
        if (words->indexes[i] == index)
            return json_error(parser->doc, item, diag, "\"%s\" is there twice", item->valuestring);
    words->indexes[words->count++] = index;
    return STATUS_OK;
}

Status
parse_words(const Parser *parser, const cJSON *object, const char *key, Choices choices,
            WordList *words, Diag *diag)
{
    WordList list = {0};
    const cJSON *array;
    Status status = json_array(parser->doc, object, key, &array, diag);

    if (status != STATUS_OK)
        return status;
    if (array->child == NULL)
        return json_error(parser->doc, array, diag, "must not be empty");
    list.indexes = arena_alloc(parser->scenario->arena, choices.count, sizeof(*list.indexes));
    for (const cJSON *item = array->child; status == STATUS_OK && item != NULL; item = item->next)
        status = add_word(parser, item, choices, &list, diag);
    if (status == STATUS_OK)
        *words = list;
    return status;
}

/* No two items of a list may have one name; the new one's struct is behind those of the others. */
static Status
check_name(const Parser *parser, const cJSON *json, const ListSpec *spec, const void *items,
           size_t count, Diag *diag)
{
    Choices earlier = {spec->key, items, count, spec->item_bytes};
    const char *name = choice_at(&earlier, count);

    for (size_t i = 0; i < count; i++)
        if (strcmp(choice_at(&earlier, i), name) == 0)
            return json_error(parser->doc, cJSON_GetObjectItemCaseSensitive(json, "name"), diag,
                              "\"%s\" is there twice", name);
    return STATUS_OK;
}

/* Read item `index` of a list into its struct. */
static Status
parse_item(const Parser *parser, const cJSON *json, const ListSpec *spec, char *items, size_t index,
           Diag *diag)
{
    Status status = json_only_keys(parser->doc, json, spec->keys, diag);

    if (status == STATUS_OK)
        status = spec->parse(parser, json, items + index * spec->item_bytes, diag);
    if (status == STATUS_OK && spec->named)
        status = check_name(parser, json, spec, items, index, diag);
    return status;
}

static Status
check_length(const Parser *parser, const cJSON *array, const ListSpec *spec, size_t count,
             Diag *diag)
{
    if (count < spec->min)
        return json_error(parser->doc, array, diag, "must not be empty");
    if (count > spec->max)
        return json_error(parser->doc, array, diag, "%zu items, but at most %zu are allowed", count,
                          spec->max);
    return STATUS_OK;
}

/* Read all items into an array of structs; *items is NULL when there are none. */
static Status
parse_items(const Parser *parser, const cJSON *array, const ListSpec *spec, void **items,
            size_t *count, Diag *diag)
{
    size_t length = (size_t)cJSON_GetArraySize(array);
    const cJSON *json = array->child;
    Status status = check_length(parser, array, spec, length, diag);
    char *structs;

    if (status != STATUS_OK || length == 0)
        return status;
    structs = arena_alloc(parser->scenario->arena, length, spec->item_bytes);
    for (size_t i = 0; status == STATUS_OK && json != NULL; i++, json = json->next)
        status = parse_item(parser, json, spec, structs, i, diag);
    if (status == STATUS_OK) {
        *items = structs;
        *count = length;
    }
    return status;
}

Status
parse_list(const Parser *parser, const cJSON *object, const ListSpec *spec, void **items,
           size_t *count, Diag *diag)
{
    const cJSON *array = NULL;
    Status status = spec->min > 0 ? json_array(parser->doc, object, spec->key, &array, diag)
                                  : json_array_or(parser->doc, object, spec->key, &array, diag);

    if (status != STATUS_OK || array == NULL)
        return status;
    return parse_items(parser, array, spec, items, count, diag);
}

Choices
parse_design_choices(const Parser *parser)
{
    return CHOICES("design", parser->scenario->designs, parser->scenario->design_count);
}

Choices
parse_phase_choices(const Parser *parser)
{
    return CHOICES("phase", parser->scenario->phases, parser->scenario->phase_count);
}

Choices
parse_metric_choices(void)
{
    return CHOICES("metric", METRICS, METRIC_COUNT);
}
