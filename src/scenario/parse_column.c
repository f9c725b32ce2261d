#include "scenario/parse.h"

#include "base/clock.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    FILLER_MAX_BYTES = 1000000,
    PARAM_TEXT_MAX = 255,
    LENGTH_MAX = 255,
    MACHINE_MAX = 1023,
    IDS_PER_MS_MAX = 1000000, /* one a nanosecond */
    NODE_SKEW_MAX_MS = 86400000,
    CLOCK_MAX_S = 1577880000, /* 50 years of 365.25 days */
};

/* The types that generators give. */
static const char *const SERVER_TYPES[] = {"uuid", "text"};
static const char *const FILLER_TYPES[] = {"text", "bytea"};

static const char *const SPREADS[] = {[CLOCK_EVEN] = "even", [CLOCK_RANDOM] = "random"};

/* A type that counts rows, and how far. */
typedef struct IntegerType {
    const char *name;
    uint64_t max;
} IntegerType;

static const IntegerType INTEGER_TYPES[] = {
    {"bigint", INT64_MAX},
    {"integer", INT32_MAX},
    {"smallint", INT16_MAX},
};
enum { IDENTITY_TYPES = 2 }; /* the first of them */

#define COMMON_KEYS "name", "source"
#define MINTED_KEYS                                                                                \
    "format", "form", "prefix", "alphabet", "length", "epoch_ms", "machine", "nodes",              \
        "node_skew_ms", "ids_per_ms", "clocks", "hash_name", "switches"

const char *const COLUMN_KEYS[] = {
    COMMON_KEYS, MINTED_KEYS,   "type", "generator",  "fallback",
    "bytes",     "foreign_key", "pick", "per_parent", NULL,
};
static const char *const COUNTED_KEYS[] = {COMMON_KEYS, "type", NULL};
static const char *const SERVER_KEYS[] = {COMMON_KEYS, "type",   "generator",
                                          "fallback",  "prefix", NULL};
static const char *const KEYBENCH_KEYS[] = {COMMON_KEYS, MINTED_KEYS, NULL};
static const char *const CLOCK_KEYS[] = {"phase", "spread", "start_s", "span_s", NULL};
static const char *const SWITCH_KEYS[] = {"phase", "format", NULL};
static const char *const FILLER_KEYS[] = {COMMON_KEYS, "type", "bytes", NULL};
static const char *const PARENT_KEYS[] = {COMMON_KEYS, "foreign_key", "pick", "per_parent", NULL};

/* Read the type of a column that counts rows, one of the first `count` integer types. */
static Status
parse_counted(const Parser *parser, const cJSON *json, size_t count, Column *column, Diag *diag)
{
    const Scenario *scenario = parser->scenario;
    uint64_t rows = phases_rows(scenario->phases, scenario->phase_count, parse_table_name(parser));
    size_t index = 0;
    Status status =
        parse_choice(parser, json, "type", CHOICES("type", INTEGER_TYPES, count), &index, diag);

    if (status != STATUS_OK)
        return status;
    column->type = INTEGER_TYPES[index].name;
    if (rows <= INTEGER_TYPES[index].max)
        return STATUS_OK;
    return json_error(parser->doc, cJSON_GetObjectItemCaseSensitive(json, "type"), diag,
                      "\"%s\" counts to %" PRIu64 ", but the phases insert %" PRIu64 " rows",
                      column->type, INTEGER_TYPES[index].max, rows);
}

static Status
parse_identity(const Parser *parser, const cJSON *json, Column *column, Diag *diag)
{
    return parse_counted(parser, json, IDENTITY_TYPES, column, diag);
}

static Status
parse_row_number(const Parser *parser, const cJSON *json, Column *column, Diag *diag)
{
    return parse_counted(parser, json, ARRAY_LEN(INTEGER_TYPES), column, diag);
}

static Status
parse_filler(const Parser *parser, const cJSON *json, Column *column, Diag *diag)
{
    size_t type = 0;
    Status status = parse_choice(
        parser, json, "type", CHOICES("type", FILLER_TYPES, ARRAY_LEN(FILLER_TYPES)), &type, diag);

    column->type = FILLER_TYPES[type];
    if (status != STATUS_OK)
        return status;
    return json_u64(parser->doc, json, "bytes", 0, FILLER_MAX_BYTES, &column->filler_bytes, diag);
}

/* Read a key format by name; NULL stays when the key is missing. */
static Status
parse_format_or(const Parser *parser, const cJSON *json, const char *key, const KeyFormat **format,
                Diag *diag)
{
    const char **names = mem_new(KEY_FORMAT_COUNT, sizeof(*names));
    size_t index = KEY_FORMAT_COUNT;
    Status status;

    for (size_t i = 0; i < KEY_FORMAT_COUNT; i++)
        names[i] = key_format_name(KEY_FORMATS[i]);
    status = parse_choice_or(parser, json, key, CHOICES("key format", names, KEY_FORMAT_COUNT),
                             &index, diag);
    free(names);
    if (status == STATUS_OK && index < KEY_FORMAT_COUNT)
        *format = KEY_FORMATS[index];
    return status;
}

/* Make a minter as the run will, for one phase's last writer. Caller frees. */
static Status
try_minter(const Parser *parser, const cJSON *json, const Column *column, size_t phase,
           KeyMinter **minter, Diag *diag)
{
    const Phase *phases = parser->scenario->phases;
    KeyParams params = column_key_params(column, phases, phase, phases[phase].writer_count - 1,
                                         parser->scenario->seed);
    Minting minting = column_minting(column, phases, phase);
    Diag cause = {0};

    if (key_minter_new(minting.format, &params, minter, &cause) == STATUS_OK)
        return STATUS_OK;
    json_error(parser->doc, json, diag, "%s", cause.message);
    if (cause.hint[0] != '\0')
        diag_hint(diag, "%s", cause.hint);
    return STATUS_SCENARIO;
}

/* Minters know what their parameters may be, and how wide they make the column. */
static Status
try_minters(const Parser *parser, const cJSON *json, Column *column, Diag *diag)
{
    const Phase *phases = parser->scenario->phases;
    char type[KEY_SQL_TYPE_MAX] = "", before[KEY_SQL_TYPE_MAX];

    for (size_t phase = 0; phase < parser->scenario->phase_count; phase++) {
        KeyMinter *minter = NULL;
        Status status;

        if (!phase_is_about(&phases[phase], parse_table_name(parser)) ||
            phases[phase].action != ACTION_INSERT)
            continue;
        status = try_minter(parser, json, column, phase, &minter, diag);
        if (status != STATUS_OK)
            return status;
        memcpy(before, type, sizeof(before));
        key_form_sql_type(minter, column_minting(column, phases, phase).form, type);
        key_minter_free(minter);
        if (before[0] != '\0' && strcmp(before, type) != 0)
            return json_error(parser->doc, cJSON_GetObjectItemCaseSensitive(json, "switches"), diag,
                              "ids would be %s in phase \"%s\", and the column is %s", type,
                              phases[phase].name, before);
    }
    column->type = arena_text(parser->scenario->arena, type);
    column->collation = column->form->collation;
    return STATUS_OK;
}

static const KeyForm *
find_form_of_type(const KeyFormat *format, const char *type)
{
    for (size_t i = 0; i < format->form_count; i++)
        if (strcmp(format->forms[i].sql_type, type) == 0)
            return &format->forms[i];
    return NULL;
}

static Status
parse_fallback(const Parser *parser, const cJSON *json, Column *column, Diag *diag)
{
    const cJSON *member = cJSON_GetObjectItemCaseSensitive(json, "fallback");
    Status status = parse_format_or(parser, json, "fallback", &column->format, diag);

    if (status != STATUS_OK || column->format == NULL)
        return status;
    column->fallback = true;
    column->form = find_form_of_type(column->format, column->type);
    if (column->form == NULL)
        return json_error(parser->doc, member, diag, "key format \"%s\" has no form of type \"%s\"",
                          column->format->name, column->type);
    return try_minters(parser, json, column, diag);
}

/* A prefix stands before what functions of ours write: TypeIDs. */
static Status
parse_generator_prefix(const Parser *parser, const cJSON *json, Column *column, Diag *diag)
{
    const cJSON *member = cJSON_GetObjectItemCaseSensitive(json, "prefix");
    Column typeid = {.params = KEY_PARAMS_DEFAULT, .ids_per_ms = 1};
    Status status =
        parse_text_or(parser, json, "prefix", PARAM_TEXT_MAX, &column->params.prefix, diag);

    if (status != STATUS_OK || member == NULL)
        return status;
    if (column->generator->functions == NULL)
        return json_error(parser->doc, member, diag, "generator \"%s\" takes no prefix",
                          column->generator->name);
    typeid.format = key_format_find("typeid");
    typeid.form = &typeid.format->forms[0];
    typeid.params.prefix = column->params.prefix;
    return try_minters(parser, json, &typeid, diag);
}

static Status
parse_server(const Parser *parser, const cJSON *json, Column *column, Diag *diag)
{
    size_t type = 0, generator = 0;
    Status status = parse_choice(
        parser, json, "type", CHOICES("type", SERVER_TYPES, ARRAY_LEN(SERVER_TYPES)), &type, diag);

    if (status == STATUS_OK)
        status = parse_choice(parser, json, "generator",
                              CHOICES("generator", GENERATORS, GENERATOR_COUNT), &generator, diag);
    column->type = SERVER_TYPES[type];
    column->generator = &GENERATORS[generator];
    if (status == STATUS_OK && strcmp(column->type, column->generator->type) != 0)
        status = json_error(parser->doc, cJSON_GetObjectItemCaseSensitive(json, "type"), diag,
                            "generator \"%s\" gives values of type \"%s\"", column->generator->name,
                            column->generator->type);
    if (status == STATUS_OK)
        status = parse_generator_prefix(parser, json, column, diag);
    if (status == STATUS_OK)
        status = parse_fallback(parser, json, column, diag);
    return status;
}

static Status
parse_form(const Parser *parser, const cJSON *json, Column *column, Diag *diag)
{
    const KeyFormat *format = column->format;
    size_t form = 0;
    Status status = parse_choice_or(
        parser, json, "form", CHOICES("form", format->forms, format->form_count), &form, diag);

    column->form = &format->forms[form];
    return status;
}

static Status
parse_param_texts(const Parser *parser, const cJSON *json, KeyParams *params, Diag *diag)
{
    Status status = parse_text_or(parser, json, "prefix", PARAM_TEXT_MAX, &params->prefix, diag);

    if (status == STATUS_OK)
        status = parse_text_or(parser, json, "alphabet", PARAM_TEXT_MAX, &params->alphabet, diag);
    if (status == STATUS_OK)
        status = parse_text_or(parser, json, "hash_name", PARAM_TEXT_MAX, &params->name, diag);
    return status;
}

static Status
parse_param_numbers(const Parser *parser, const cJSON *json, KeyParams *params, Diag *diag)
{
    const JsonDoc *doc = parser->doc;
    uint64_t length = params->length, machine = params->machine, nodes = params->node_count;
    uint64_t epoch_ms = 0, node_skew_ms = 0;
    Status status = json_u64_or(doc, json, "length", 1, LENGTH_MAX, &length, diag);

    if (status == STATUS_OK)
        status = json_u64_or(doc, json, "epoch_ms", 0, UINT64_MAX, &epoch_ms, diag);
    if (status == STATUS_OK)
        status = json_u64_or(doc, json, "machine", 0, MACHINE_MAX, &machine, diag);
    if (status == STATUS_OK)
        status = json_u64_or(doc, json, "nodes", 1, KEY_NODES_MAX, &nodes, diag);
    if (status == STATUS_OK)
        status = json_u64_or(doc, json, "node_skew_ms", 0, NODE_SKEW_MAX_MS, &node_skew_ms, diag);
    params->length = (unsigned)length;
    params->epoch_ms = (int64_t)epoch_ms;
    params->machine = (unsigned)machine;
    params->node_count = (unsigned)nodes;
    params->node_skew_ns = node_skew_ms * NS_PER_MS;
    return status;
}

static Status
parse_clock(const Parser *parser, const cJSON *json, void *item, Diag *diag)
{
    ColumnClock *clock = item;
    size_t phase = 0, spread = 0;
    Status status = parse_choice(parser, json, "phase", parse_phase_choices(parser), &phase, diag);

    clock->phase = parser->scenario->phases[phase].name;
    if (status == STATUS_OK && parser->scenario->phases[phase].action != ACTION_INSERT)
        status = json_error(parser->doc, cJSON_GetObjectItemCaseSensitive(json, "phase"), diag,
                            "phase \"%s\" does not insert", clock->phase);
    if (status == STATUS_OK)
        status = parse_choice_or(parser, json, "spread",
                                 CHOICES("spread", SPREADS, ARRAY_LEN(SPREADS)), &spread, diag);
    clock->spread = (ClockSpread)spread;
    if (status == STATUS_OK)
        status = json_u64_or(parser->doc, json, "start_s", 0, CLOCK_MAX_S, &clock->start_s, diag);
    if (status == STATUS_OK)
        status = json_u64(parser->doc, json, "span_s", 1, CLOCK_MAX_S, &clock->span_s, diag);
    return status;
}

/* One phase, one clock. */
static Status
check_clocks(const Parser *parser, const cJSON *json, const Column *column, Diag *diag)
{
    const cJSON *array = cJSON_GetObjectItemCaseSensitive(json, "clocks");

    for (size_t i = 0; i < column->clock_count; i++)
        if (column_find_clock(column, column->clocks[i].phase) != &column->clocks[i])
            return json_error(parser->doc, cJSON_GetArrayItem(array, (int)i), diag,
                              "phase \"%s\" has a clock already", column->clocks[i].phase);
    return STATUS_OK;
}

static Status
parse_clocks(const Parser *parser, const cJSON *json, Column *column, Diag *diag)
{
    static const ListSpec SPEC = {"clocks", 0,          PHASES_MAX, sizeof(ColumnClock),
                                  false,    CLOCK_KEYS, parse_clock};
    void *items = NULL;
    Status status = parse_list(parser, json, &SPEC, &items, &column->clock_count, diag);

    column->clocks = items;
    if (status == STATUS_OK)
        status = check_clocks(parser, json, column, diag);
    return status;
}

/* Refuse a parameter that would change nothing. */
static Status
check_taken(const Parser *parser, const cJSON *json, const Column *column, Diag *diag)
{
    static const struct {
        const char *key;
        KeyTakes taken;
    } rows[] = {
        {"alphabet", KEY_TAKES_ALPHABET}, {"length", KEY_TAKES_ALPHABET},
        {"epoch_ms", KEY_TAKES_MACHINE},  {"machine", KEY_TAKES_MACHINE},
        {"hash_name", KEY_TAKES_NAME},
    };
    unsigned taken = column->format->takes;

    for (size_t i = 0; i < column->switch_count; i++)
        taken |= column->switches[i].format->takes;
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        const cJSON *member = cJSON_GetObjectItemCaseSensitive(json, rows[i].key);

        if (member != NULL && (taken & rows[i].taken) == 0)
            return json_error(parser->doc, member, diag, "format \"%s\" takes no %s",
                              key_format_name(column->format), rows[i].key);
    }
    return STATUS_OK;
}

/* The form of the new format that is stored as the old one is. */
static const KeyForm *
find_form_like(const KeyFormat *format, const KeyForm *form)
{
    const KeyForm *same = key_form_find(format, form->name);

    return same != NULL ? same : find_form_of_type(format, form->sql_type);
}

static Status
parse_switch(const Parser *parser, const cJSON *json, void *item, Diag *diag)
{
    ColumnSwitch *change = item;
    const char *word;
    size_t phase = 0;
    Status status = parse_choice(parser, json, "phase", parse_phase_choices(parser), &phase, diag);

    change->phase = parser->scenario->phases[phase].name;
    if (status == STATUS_OK && parser->scenario->phases[phase].action != ACTION_INSERT)
        status = json_error(parser->doc, cJSON_GetObjectItemCaseSensitive(json, "phase"), diag,
                            "phase \"%s\" does not insert", change->phase);
    if (status == STATUS_OK)
        status = json_text(parser->doc, json, "format", &word, diag);
    if (status == STATUS_OK)
        status = parse_format_or(parser, json, "format", &change->format, diag);
    return status;
}

/* Each phase once, and each format stored as the column is. */
static Status
check_switch(const Parser *parser, const cJSON *json, const Column *column, size_t number,
             Diag *diag)
{
    ColumnSwitch *change = &column->switches[number];

    for (size_t i = 0; i < number; i++)
        if (strcmp(column->switches[i].phase, change->phase) == 0)
            return json_error(parser->doc, cJSON_GetObjectItemCaseSensitive(json, "phase"), diag,
                              "phase \"%s\" has a switch already", change->phase);
    change->form = find_form_like(change->format, column->form);
    if (change->form != NULL)
        return STATUS_OK;
    return json_error(parser->doc, cJSON_GetObjectItemCaseSensitive(json, "format"), diag,
                      "key format \"%s\" has no form \"%s\", which the column is stored in",
                      change->format->name, column->form->name);
}

static Status
parse_switches(const Parser *parser, const cJSON *json, Column *column, Diag *diag)
{
    static const ListSpec SPEC = {"switches", 0,           PHASES_MAX,  sizeof(ColumnSwitch),
                                  false,      SWITCH_KEYS, parse_switch};
    const cJSON *array = cJSON_GetObjectItemCaseSensitive(json, "switches");
    void *items = NULL;
    Status status = parse_list(parser, json, &SPEC, &items, &column->switch_count, diag);

    column->switches = items;
    for (size_t i = 0; status == STATUS_OK && i < column->switch_count; i++)
        status = check_switch(parser, cJSON_GetArrayItem(array, (int)i), column, i, diag);
    return status;
}

static Status
parse_minted(const Parser *parser, const cJSON *json, Column *column, Diag *diag)
{
    const JsonDoc *doc = parser->doc;
    const char *word;
    Status status = json_text(doc, json, "format", &word, diag);

    if (status == STATUS_OK)
        status = parse_format_or(parser, json, "format", &column->format, diag);
    if (status == STATUS_OK)
        status = parse_form(parser, json, column, diag);
    if (status == STATUS_OK)
        status = parse_param_texts(parser, json, &column->params, diag);
    if (status == STATUS_OK)
        status = parse_param_numbers(parser, json, &column->params, diag);
    if (status == STATUS_OK)
        status = json_u64_or(doc, json, "ids_per_ms", 1, IDS_PER_MS_MAX, &column->ids_per_ms, diag);
    if (status == STATUS_OK)
        status = parse_clocks(parser, json, column, diag);
    if (status == STATUS_OK)
        status = parse_switches(parser, json, column, diag);
    if (status == STATUS_OK)
        status = check_taken(parser, json, column, diag);
    if (status == STATUS_OK)
        status = try_minters(parser, json, column, diag);
    return status;
}

/* What each source reads. */
typedef struct SourceReader {
    const char *name;
    const char *const *keys;
    Status (*parse)(const Parser *parser, const cJSON *json, Column *column, Diag *diag);
} SourceReader;

static const SourceReader SOURCES[] = {
    [COLUMN_IDENTITY] = {"identity", COUNTED_KEYS, parse_identity},
    [COLUMN_SERVER] = {"server", SERVER_KEYS, parse_server},
    [COLUMN_KEYBENCH] = {"keybench", KEYBENCH_KEYS, parse_minted},
    [COLUMN_ROW_NUMBER] = {"row_number", COUNTED_KEYS, parse_row_number},
    [COLUMN_FILLER] = {"filler", FILLER_KEYS, parse_filler},
    [COLUMN_PARENT] = {"parent", PARENT_KEYS, parse_parent},
};

/* Names that PostgreSQL keeps for itself in every table: manual, section "System Columns". */
static Status
check_not_system(const Parser *parser, const cJSON *json, const char *name, Diag *diag)
{
    static const char *const SYSTEM[] = {"tableoid", "xmin", "cmin", "xmax", "cmax", "ctid"};

    for (size_t i = 0; i < ARRAY_LEN(SYSTEM); i++)
        if (strcmp(name, SYSTEM[i]) == 0)
            return json_error(parser->doc, cJSON_GetObjectItemCaseSensitive(json, "name"), diag,
                              "\"%s\" is a system column of every table", name);
    return STATUS_OK;
}

Status
parse_column(const Parser *parser, const cJSON *json, void *item, Diag *diag)
{
    Column *column = item;
    size_t source = 0;
    Status status = parse_identifier(parser, json, &column->name, diag);

    column->params = KEY_PARAMS_DEFAULT;
    column->ids_per_ms = 1;
    if (status == STATUS_OK)
        status = check_not_system(parser, json, column->name, diag);
    if (status == STATUS_OK)
        status = parse_choice(parser, json, "source",
                              CHOICES("source", SOURCES, ARRAY_LEN(SOURCES)), &source, diag);
    column->source = (ColumnSource)source;
    if (status == STATUS_OK)
        status = json_only_keys(parser->doc, json, SOURCES[source].keys, diag);
    if (status == STATUS_OK)
        status = SOURCES[source].parse(parser, json, column, diag);
    return status;
}
