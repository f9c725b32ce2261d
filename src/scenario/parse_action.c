/* What phases do other than insert: the keys of each action, and what they need of the table. */
#include "scenario/parse.h"

#include <inttypes.h>
#include <string.h>

enum { TIMES_MAX = 1000, WAIT_MAX_S = 86400 };

static const char *const CHOICES_OF_ROWS[] = {
    [CHOOSE_OLDEST] = "oldest",
    [CHOOSE_NEWEST] = "newest",
    [CHOOSE_RANDOM] = "random",
};
static const char *const WHATS[] = {
    [READ_NEWEST] = "newest",
    [READ_POINTS] = "points",
    [READ_RANGE] = "range",
    [READ_PAGES] = "pages",
};
static const char *const CACHES[] = {"warm", "cold"};

Status
parse_action(const Parser *parser, const cJSON *json, Action *action, Diag *diag)
{
    const char *names[ACTION_NONE + 1];
    size_t index = ACTION_INSERT;
    Status status;

    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        names[i] = action_name((Action)i);
    status = parse_choice_or(parser, json, "action", CHOICES("action", names, ARRAY_LEN(names)),
                             &index, diag);
    *action = (Action)index;
    return status;
}

static Status
parse_changed(const Parser *parser, const cJSON *json, Phase *phase, Diag *diag)
{
    size_t choice = 0;
    Status status = parse_phase_rows(parser, json, phase, diag);

    if (status == STATUS_OK)
        status = parse_choice(parser, json, "choose",
                              CHOICES("choice", CHOICES_OF_ROWS, ARRAY_LEN(CHOICES_OF_ROWS)),
                              &choice, diag);
    phase->choice = (RowChoice)choice;
    return status;
}

/* `rows` are of one time; the phase's are of all. */
static Status
parse_read(const Parser *parser, const cJSON *json, Phase *phase, Diag *diag)
{
    size_t what = 0, cache = 0;
    Status status = parse_phase_rows(parser, json, phase, diag);

    if (status == STATUS_OK)
        status = parse_choice(parser, json, "what", CHOICES("read", WHATS, ARRAY_LEN(WHATS)), &what,
                              diag);
    if (status == STATUS_OK)
        status = parse_choice_or(parser, json, "cache", CHOICES("cache", CACHES, ARRAY_LEN(CACHES)),
                                 &cache, diag);
    if (status == STATUS_OK)
        status = json_u64_or(parser->doc, json, "times", 1, TIMES_MAX, &phase->batch_count, diag);
    phase->what = (ReadWhat)what;
    phase->cold = cache == 1;
    if (status == STATUS_OK && phase->what == READ_PAGES && phase->rows % READ_PAGE_ROWS != 0)
        status = json_error(parser->doc, cJSON_GetObjectItemCaseSensitive(json, "rows"), diag,
                            "must be a multiple of the %d rows of a page", READ_PAGE_ROWS);
    phase->rows *= phase->batch_count;
    return status;
}

static Status
parse_wait(const Parser *parser, const cJSON *json, Phase *phase, Diag *diag)
{
    return json_u64(parser->doc, json, "seconds", 1, WAIT_MAX_S, &phase->wait_s, diag);
}

/* Nothing beyond what every phase has. */
static Status
parse_plain(const Parser *parser, const cJSON *json, Phase *phase, Diag *diag)
{
    (void)parser;
    (void)json;
    (void)phase;
    (void)diag;
    return STATUS_OK;
}

#define PHASE_HEAD "name", "title", "table", "action"

static const char *const READ_KEYS[] = {
    PHASE_HEAD, "rows", "what", "cache", "times", "checkpoint", NULL,
};
static const char *const CHANGE_KEYS[] = {
    PHASE_HEAD, "rows", "choose", "batches", "checkpoint", NULL,
};
static const char *const COMMAND_KEYS[] = {PHASE_HEAD, "checkpoint", NULL};
static const char *const WAIT_KEYS[] = {PHASE_HEAD, "seconds", NULL};
static const char *const HEAD_KEYS[] = {PHASE_HEAD, NULL};

/* What each action reads. Where another is swept with "none", all that the other has may stand. */
static const struct {
    const char *const *keys; /* NULL: every key of a phase */
    Status (*parse)(const Parser *parser, const cJSON *json, Phase *phase, Diag *diag);
    bool checkpoints; /* one may come before it */
} READERS[] = {
    [ACTION_READ] = {READ_KEYS, parse_read, true},
    [ACTION_UPDATE] = {CHANGE_KEYS, parse_changed, true},
    [ACTION_DELETE] = {CHANGE_KEYS, parse_changed, true},
    [ACTION_VACUUM] = {COMMAND_KEYS, parse_plain, true},
    [ACTION_REINDEX] = {COMMAND_KEYS, parse_plain, true},
    [ACTION_CHECKPOINT] = {HEAD_KEYS, parse_plain, false},
    [ACTION_WAIT] = {WAIT_KEYS, parse_wait, false},
    [ACTION_NONE] = {NULL, parse_plain, false},
};

Status
parse_other_action(const Parser *parser, const cJSON *json, Phase *phase, Diag *diag)
{
    Status status = STATUS_OK;

    if (READERS[phase->action].keys != NULL)
        status = json_only_keys(parser->doc, json, READERS[phase->action].keys, diag);
    if (status == STATUS_OK)
        status = READERS[phase->action].parse(parser, json, phase, diag);
    if (status == STATUS_OK && READERS[phase->action].checkpoints)
        status = parse_checkpoint(parser, json, phase, diag);
    return status;
}

/* How many rows must be there for a phase. */
static uint64_t
needed_rows(const Phase *phase)
{
    if (phase->action == ACTION_READ)
        return phase->rows / phase->batch_count + (phase->what == READ_PAGES ? 1 : 0);
    return phase->rows;
}

Status
check_rows_there(const Parser *parser, const cJSON *array, Diag *diag)
{
    const Phase *phases = parser->scenario->phases;
    size_t count = parser->scenario->phase_count;

    if (phases_rows(phases, count, NULL) == 0)
        return json_error(parser->doc, array, diag, "no phase inserts rows");
    for (size_t i = 0; i < count; i++) {
        uint64_t there = phases_left_rows(phases, i, phases[i].table);

        if (phases[i].action == ACTION_INSERT || needed_rows(&phases[i]) <= there)
            continue;
        return json_error(parser->doc, cJSON_GetArrayItem(array, (int)i), diag,
                          "\"%s\" needs %" PRIu64 " rows, but the phases before leave %" PRIu64,
                          action_name(phases[i].action), needed_rows(&phases[i]), there);
    }
    return STATUS_OK;
}

/* Rows are chosen by their numbers and found by their keys. */
static const char *
find_lack(const Phase *phase, const Design *table)
{
    if (table == NULL || !action_finds_rows(phase->action)) /* a missing table is told later */
        return NULL;
    if (table->key_column == NO_COLUMN)
        return "finds rows by their primary key, and here is none";
    if (table_row_number(table) == NULL)
        return "chooses rows by a column of source \"row_number\", and here is none";
    if (phase->action == ACTION_UPDATE && table_updated_column(table) == NULL)
        return "changes a column of source \"filler\" that no index holds, and here is none";
    return NULL;
}

Status
check_actions(const Parser *parser, const cJSON *json, const Design *design, Diag *diag)
{
    const Scenario *scenario = parser->scenario;

    for (size_t i = 0; i < scenario->phase_count; i++) {
        const Phase *phase = &scenario->phases[i];
        const char *lack = find_lack(phase, design_table(design, phase));

        if (lack != NULL)
            return json_error(parser->doc, cJSON_GetObjectItemCaseSensitive(json, "name"), diag,
                              "phase \"%s\" (%s) %s", phase->name, action_name(phase->action),
                              lack);
    }
    return STATUS_OK;
}
