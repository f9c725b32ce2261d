#include "scenario/load.h"

#include "base/file.h"
#include "base/paths.h"
#include "base/text.h"
#include "scenario/parse.h"

#include <sha2.h>
#include <stdlib.h>
#include <string.h>

enum { TITLE_MAX = 200, DESCRIPTION_MAX = 4000, REPEATS_MAX = 1000 };

static const char *const SCENARIO_KEYS[] = {
    "$schema",  "format",  "name",   "title",      "description", "seed",   "repeats", "axes",
    "settings", "designs", "phases", "references", "tables",      "charts", "bounds",  NULL,
};

/* Other versions may mean other things by the same keys, so this comes before all else. */
static Status
check_format(const Parser *parser, const cJSON *root, Diag *diag)
{
    const char *format;
    Status status = json_text(parser->doc, root, "format", &format, diag);

    if (status != STATUS_OK || strcmp(format, SCENARIO_FORMAT) == 0)
        return status;
    return json_error(parser->doc, cJSON_GetObjectItemCaseSensitive(root, "format"), diag,
                      "\"%.63s\" is not \"%s\", the format that this keybench reads", format,
                      SCENARIO_FORMAT);
}

static Status
parse_head(const Parser *parser, const cJSON *root, Diag *diag)
{
    const JsonDoc *doc = parser->doc;
    Scenario *scenario = parser->scenario;
    const char *schema;
    Status status = json_text_or(doc, root, "$schema", &schema, diag);

    if (status == STATUS_OK)
        status = parse_name(parser, root, &scenario->name, diag);
    scenario->title = scenario->name;
    scenario->description = "";
    scenario->repeats = 1;
    if (status == STATUS_OK)
        status = parse_text_or(parser, root, "title", TITLE_MAX, &scenario->title, diag);
    if (status == STATUS_OK)
        status = parse_text_or(parser, root, "description", DESCRIPTION_MAX, &scenario->description,
                               diag);
    if (status == STATUS_OK)
        status = json_u64(doc, root, "seed", 0, UINT64_MAX, &scenario->seed, diag);
    if (status == STATUS_OK)
        status = json_u64_or(doc, root, "repeats", 1, REPEATS_MAX, &scenario->repeats, diag);
    return status;
}

static Status
parse_root(Parser *parser, const cJSON *root, Diag *diag)
{
    static Status (*const PARTS[])(Parser *, const cJSON *, Diag *) = {
        parse_settings, parse_phases, parse_designs, parse_references,
        parse_tables,   parse_charts, parse_bounds,
    };
    Status status = json_only_keys(parser->doc, root, SCENARIO_KEYS, diag);

    if (status == STATUS_OK)
        status = check_format(parser, root, diag);
    if (status == STATUS_OK)
        status = parse_head(parser, root, diag);
    for (size_t i = 0; status == STATUS_OK && i < ARRAY_LEN(PARTS); i++)
        status = PARTS[i](parser, root, diag);
    return status;
}

static Scenario *
scenario_new(void)
{
    Arena *arena = arena_new();
    Scenario *scenario = arena_alloc(arena, 1, sizeof(*scenario));

    scenario->arena = arena;
    return scenario;
}

void
scenario_keep_text(Scenario *scenario, const cJSON *root, const char *bytes, size_t length)
{
    char *compact = cJSON_PrintUnformatted(root);

    if (compact == NULL)
        BUG("out of memory: the text of a scenario");
    scenario->text = arena_text(scenario->arena, compact);
    free(compact);
    SHA256Data((const uint8_t *)bytes, length, scenario->sha256);
}

Status
scenario_parse_json(const JsonDoc *doc, const Sweep *sweep, const NamedValue *point,
                    Scenario **scenario, Diag *diag)
{
    Parser parser = {.doc = doc, .scenario = scenario_new(), .point = point};
    Status status;

    if (sweep != NULL) {
        parser.axes = sweep->axes;
        parser.axis_count = sweep->axis_count;
    }
    status = parse_root(&parser, doc->root, diag);
    if (status == STATUS_OK)
        *scenario = parser.scenario;
    else
        scenario_free(parser.scenario);
    return status;
}

Status
scenario_parse(const char *file, const char *bytes, size_t length, Scenario **scenario, Diag *diag)
{
    JsonDoc doc = {0};
    Status status = json_parse(file, bytes, length, SCENARIO_NESTING_MAX, &doc, diag);

    if (status != STATUS_OK)
        return status;
    status = scenario_parse_json(&doc, NULL, NULL, scenario, diag);
    if (status == STATUS_OK)
        scenario_keep_text(*scenario, doc.root, bytes, length);
    json_release(&doc);
    return status;
}

static bool
has_suffix(const char *text, const char *suffix)
{
    size_t length = strlen(text), suffix_length = strlen(suffix);

    return length >= suffix_length && strcmp(text + length - suffix_length, suffix) == 0;
}

/* What looks like a path or is that of a file is taken as it stands, the rest as the name of one of
 * ours. */
static Status
find_file(const char *name, Text *path, Diag *diag)
{
    bool is_path = strchr(name, '/') != NULL || has_suffix(name, ".json") ||
                   (file_exists(name) && !folder_exists(name));
    Text below = {0};
    Status status = STATUS_OK;

    if (strcmp(name, "-") == 0 || is_path) {
        text_add(path, name);
    } else {
        text_printf(&below, "scenarios/%s.json", name);
        status = path_data(below.data, path, diag);
        text_release(&below);
    }
    if (status != STATUS_OK || strcmp(name, "-") == 0 || file_exists(path->data))
        return status;
    diag_set(diag, STATUS_USAGE, is_path ? "no file \"%s\"" : "no scenario \"%s\"", name);
    diag_hint(diag, "Run \"keybench list\" for the scenarios, or name a file.");
    return STATUS_USAGE;
}

Status
scenario_read_file(const char *name, Text *path, Text *content, Diag *diag)
{
    Status status = find_file(name, path, diag);

    if (status == STATUS_OK)
        status = file_read(path->data, SCENARIO_FILE_MAX_BYTES, content, diag);
    return status;
}

Status
scenario_load(const char *name, Scenario **scenario, Diag *diag)
{
    Text path = {0}, content = {0};
    Status status = scenario_read_file(name, &path, &content, diag);

    if (status == STATUS_OK)
        status = scenario_parse(path.data, text_data(&content), content.length, scenario, diag);
    text_release(&content);
    text_release(&path);
    return status;
}
