#include "scenario/parse.h"

#include <inttypes.h>
#include <string.h>

#define PHASE_ROWS_MAX UINT64_C(1000000000000)

enum {
    BATCHES_MAX = 100000,
    TITLE_MAX = 200,
    VALUE_MAX = 1000,
    SAMPLES_MAX_PER_S = 1000,
    SAMPLES_PER_S = 50
};

/* A checkpoint before each batch, before the phase, or never; "checkpoint" may be a number too. */
static const char *const CADENCES[] = {"each_batch", "phase", "none"};

static const char *const PHASE_KEYS[] = {
    "name",    "title",      "table", "action",  "rows",
    "batches", "checkpoint", "load",  "writers", "sample_waits_per_s",
    "choose",  "what",       "cache", "times",   "seconds",
    NULL,
};
static const char *const INSERT_PHASE_KEYS[] = {
    "name",    "title",      "table", "action",  "rows",
    "batches", "checkpoint", "load",  "writers", "sample_waits_per_s",
    NULL,
};
static Status
check_batches(const Parser *parser, const cJSON *json, const Phase *phase, Diag *diag)
{
    if (phase->rows % phase->batch_count == 0)
        return STATUS_OK;
    return json_error(parser->doc, cJSON_GetObjectItemCaseSensitive(json, "batches"), diag,
                      "%" PRIu64 " rows do not make %" PRIu64 " equal batches", phase->rows,
                      phase->batch_count);
}

/* A word, or how many rows lie between two checkpoints. */
Status
parse_checkpoint(const Parser *parser, const cJSON *json, Phase *phase, Diag *diag)
{
    const uint64_t batches[] = {1, phase->batch_count, 0};
    uint64_t batch_rows = phase->rows / phase->batch_count, rows = 0;
    const cJSON *member = cJSON_GetObjectItemCaseSensitive(json, "checkpoint");
    size_t word = 0;
    Status status;

    if (!cJSON_IsNumber(member) || batch_rows == 0) {
        status = parse_choice_or(parser, json, "checkpoint",
                                 CHOICES("cadence", CADENCES, ARRAY_LEN(CADENCES)), &word, diag);
        phase->batches_per_checkpoint = batches[word];
        return status;
    }
    status = json_u64(parser->doc, json, "checkpoint", 1, phase->rows, &rows, diag);
    if (status == STATUS_OK && rows % batch_rows != 0)
        status = json_error(parser->doc, member, diag,
                            "must be a multiple of the %" PRIu64 " rows of a batch", batch_rows);
    phase->batches_per_checkpoint = rows / batch_rows;
    return status;
}

static Status
parse_writers(const Parser *parser, const cJSON *json, Phase *phase, Diag *diag)
{
    uint64_t batch_rows = phase->rows / phase->batch_count;
    Status status =
        json_u64_or(parser->doc, json, "writers", 1, WRITERS_MAX, &phase->writer_count, diag);

    phase->sample_waits_per_s = phase->writer_count > 1 ? SAMPLES_PER_S : 0;
    if (status == STATUS_OK)
        status = json_u64_or(parser->doc, json, "sample_waits_per_s", 0, SAMPLES_MAX_PER_S,
                             &phase->sample_waits_per_s, diag);
    if (status != STATUS_OK || phase->writer_count <= batch_rows)
        return status;
    return json_error(parser->doc, cJSON_GetObjectItemCaseSensitive(json, "writers"), diag,
                      "more than the %" PRIu64 " rows of a batch", batch_rows);
}

Status
parse_phase_rows(const Parser *parser, const cJSON *json, Phase *phase, Diag *diag)
{
    const JsonDoc *doc = parser->doc;
    Status status = json_u64(doc, json, "rows", 1, PHASE_ROWS_MAX, &phase->rows, diag);

    if (status == STATUS_OK)
        status = json_u64_or(doc, json, "batches", 1, BATCHES_MAX, &phase->batch_count, diag);
    if (status == STATUS_OK)
        status = check_batches(parser, json, phase, diag);
    return status;
}

static Status
parse_insert(const Parser *parser, const cJSON *json, Phase *phase, Diag *diag)
{
    Status status = json_only_keys(parser->doc, json, INSERT_PHASE_KEYS, diag);

    if (status == STATUS_OK)
        status = parse_phase_rows(parser, json, phase, diag);
    if (status == STATUS_OK)
        status = parse_checkpoint(parser, json, phase, diag);
    if (status == STATUS_OK)
        status = parse_load(parser, json, &phase->load, diag);
    if (status == STATUS_OK)
        status = parse_writers(parser, json, phase, diag);
    return status;
}

static Status
parse_phase(const Parser *parser, const cJSON *json, void *item, Diag *diag)
{
    Phase *phase = item;
    Status status = parse_name(parser, json, &phase->name, diag);

    phase->title = phase->name;
    phase->batch_count = phase->writer_count = 1;
    if (status == STATUS_OK)
        status = parse_text_or(parser, json, "title", TITLE_MAX, &phase->title, diag);
    if (status == STATUS_OK)
        status = parse_text_or(parser, json, "table", SCENARIO_NAME_MAX, &phase->table, diag);
    if (status == STATUS_OK)
        status = parse_action(parser, json, &phase->action, diag);
    if (status != STATUS_OK)
        return status;
    return phase->action == ACTION_INSERT ? parse_insert(parser, json, phase, diag)
                                          : parse_other_action(parser, json, phase, diag);
}

Status
parse_phases(Parser *parser, const cJSON *root, Diag *diag)
{
    static const ListSpec SPEC = {"phases", 1,          PHASES_MAX, sizeof(Phase),
                                  true,     PHASE_KEYS, parse_phase};
    void *items = NULL;
    Status status = parse_list(parser, root, &SPEC, &items, &parser->scenario->phase_count, diag);

    parser->scenario->phases = items;
    if (status == STATUS_OK)
        status = check_rows_there(parser, cJSON_GetObjectItemCaseSensitive(root, "phases"), diag);
    return status;
}

/* Settings that would run a program, load code, name files, folders or tablespaces, write to the
 * machine's log or open the server to others: a scenario from a stranger must be safe to run. By
 * ending, and by whole name. */
static const char *const FORBIDDEN_ENDINGS[] = {
    "_command", "_library", "_libraries", "_directory",  "_directories", "_dir",
    "_file",    "_keyfile", "_path",      "_tablespace", "_tablespaces",
};
static const char *const FORBIDDEN_SETTINGS[] = {
    "event_source",      "include",
    "include_if_exists", "jit_provider",
    "listen_addresses",  "log_destination",
    "log_filename",      "port",
    "primary_conninfo",  "synchronous_standby_names",
    "syslog_facility",   "syslog_ident",
    "unix_socket_group", "unix_socket_permissions",
};

static bool
is_setting_name(const char *name)
{
    return name[0] != '\0' && strchr("0123456789.", name[0]) == NULL &&
           strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_.") == strlen(name);
}

static bool
is_forbidden(const char *name)
{
    for (size_t i = 0; i < ARRAY_LEN(FORBIDDEN_SETTINGS); i++)
        if (strcmp(name, FORBIDDEN_SETTINGS[i]) == 0)
            return true;
    for (size_t i = 0; i < ARRAY_LEN(FORBIDDEN_ENDINGS); i++) {
        size_t length = strlen(name), ending = strlen(FORBIDDEN_ENDINGS[i]);

        if (length >= ending && strcmp(name + length - ending, FORBIDDEN_ENDINGS[i]) == 0)
            return true;
    }
    return false;
}

static Status
parse_setting(const Parser *parser, const cJSON *json, ScenarioSetting *setting, Diag *diag)
{
    Arena *arena = parser->scenario->arena;
    const char *value;
    Status status;

    if (strlen(json->string) > SCENARIO_NAME_MAX || !is_setting_name(json->string))
        return json_error(parser->doc, json, diag, "not the name of a setting");
    if (is_forbidden(json->string))
        return json_error(parser->doc, json, diag, "a scenario may not change this setting");
    status = json_item_text(parser->doc, json, &value, diag);
    if (status != STATUS_OK)
        return status;
    if (strlen(value) > VALUE_MAX)
        return json_error(parser->doc, json, diag, "longer than %d bytes", VALUE_MAX);
    if (!is_printable(value))
        return json_error(parser->doc, json, diag, "control characters in a text");
    if (strcmp(json->string, SETTING_DATA_CHECKSUMS) == 0 && strcmp(value, "on") != 0 &&
        strcmp(value, "off") != 0)
        return json_error(parser->doc, json, diag, "must be \"on\" or \"off\"");
    setting->name = arena_text(arena, json->string);
    setting->value = arena_text(arena, value);
    return STATUS_OK;
}

Status
parse_settings(Parser *parser, const cJSON *root, Diag *diag)
{
    Scenario *scenario = parser->scenario;
    const cJSON *object = NULL;
    Status status = json_object_or(parser->doc, root, "settings", &object, diag);
    size_t count = (size_t)cJSON_GetArraySize(object);
    size_t i = 0;

    if (status != STATUS_OK || count == 0)
        return status;
    scenario->settings = arena_alloc(scenario->arena, count, sizeof(*scenario->settings));
    for (const cJSON *json = object->child; status == STATUS_OK && json != NULL; json = json->next)
        status = parse_setting(parser, json, &scenario->settings[i++], diag);
    scenario->setting_count = count;
    return status;
}
