#include "scenario/parse.h"

#include <inttypes.h>
#include <string.h>

enum { PER_PARENT_MAX = 1000000 };

static const char *const PICKS[] = {[PICK_IN_ORDER] = "in_order", [PICK_RANDOM] = "random"};

const char *
parse_table_name(const Parser *parser)
{
    return parser->design->parent != NULL ? parser->design->name : NULL;
}

static Status
check_parent(const Parser *parser, const cJSON *json, Diag *diag)
{
    const Design *parent = parser->design->parent;

    if (parent == NULL)
        return json_error(parser->doc, cJSON_GetObjectItemCaseSensitive(json, "source"), diag,
                          "only a table of \"children\" has a parent");
    if (parent->key_column == NO_COLUMN)
        return json_error(parser->doc, json, diag, "the parent has no primary key to reference");
    return STATUS_OK;
}

static Status
parse_pick(const Parser *parser, const cJSON *json, Column *column, Diag *diag)
{
    const cJSON *member = cJSON_GetObjectItemCaseSensitive(json, "per_parent");
    size_t pick = PICK_IN_ORDER;
    Status status = parse_choice_or(parser, json, "pick", CHOICES("pick", PICKS, ARRAY_LEN(PICKS)),
                                    &pick, diag);

    column->pick = (ParentPick)pick;
    column->per_parent = 1;
    if (status == STATUS_OK)
        status = json_u64_or(parser->doc, json, "per_parent", 1, PER_PARENT_MAX,
                             &column->per_parent, diag);
    if (status == STATUS_OK && column->pick == PICK_RANDOM && member != NULL)
        return json_error(parser->doc, member, diag,
                          "parents picked at random do not have a number of rows each");
    return status;
}

/* Keys that count are known from the row's number, and keys that keybench mints can be minted once
 * more in the same order; all others must be looked up. */
static bool
must_join(const Column *key, ParentPick pick)
{
    if (key->source == COLUMN_IDENTITY || key->source == COLUMN_ROW_NUMBER)
        return false;
    return key->source == COLUMN_SERVER || pick == PICK_RANDOM;
}

static Status
check_join(const Parser *parser, const cJSON *json, const Phase *phase, Diag *diag)
{
    if (table_row_number(parser->design->parent) == NULL) {
        json_error(parser->doc, json, diag,
                   "the parent's keys are found by row number, and it has no such column");
        diag_hint(diag, "Give the parent a column of source \"row_number\".");
        return STATUS_SCENARIO;
    }
    if (phase->load.method == LOAD_INSERT_SELECT)
        return STATUS_OK;
    return json_error(parser->doc, json, diag,
                      "phase \"%s\" does not stage its rows, so the parent's keys cannot be found",
                      phase->name);
}

/* Every row of a phase needs its parent before it. */
static Status
check_enough(const Parser *parser, const cJSON *json, const Column *column, size_t number,
             Diag *diag)
{
    const Phase *phases = parser->scenario->phases;
    uint64_t there = phases_rows(phases, number, NULL);
    uint64_t rows = phases_rows(phases, number + 1, parse_table_name(parser));
    uint64_t needed =
        column->pick == PICK_RANDOM ? 1 : (rows + column->per_parent - 1) / column->per_parent;

    if (needed <= there)
        return STATUS_OK;
    return json_error(parser->doc, json, diag,
                      "phase \"%s\" needs %" PRIu64 " parent rows, but %" PRIu64
                      " are there before it",
                      phases[number].name, needed, there);
}

static Status
check_phases(const Parser *parser, const cJSON *json, const Column *column, Diag *diag)
{
    Status status = STATUS_OK;

    for (size_t i = 0; status == STATUS_OK && i < parser->scenario->phase_count; i++) {
        const Phase *phase = &parser->scenario->phases[i];

        if (!phase_is_about(phase, parse_table_name(parser)))
            continue;
        if (column->joined)
            status = check_join(parser, json, phase, diag);
        if (status == STATUS_OK)
            status = check_enough(parser, json, column, i, diag);
    }
    return status;
}

Status
parse_parent(const Parser *parser, const cJSON *json, Column *column, Diag *diag)
{
    Status status = check_parent(parser, json, diag);
    const Column *key;

    if (status != STATUS_OK)
        return status;
    key = &parser->design->parent->columns[parser->design->parent->key_column];
    column->type = key->type;
    column->collation = key->collation;
    column->foreign_key = true;
    status = json_bool_or(parser->doc, json, "foreign_key", &column->foreign_key, diag);
    if (status == STATUS_OK)
        status = parse_pick(parser, json, column, diag);
    column->joined = must_join(key, column->pick);
    if (status == STATUS_OK)
        status = check_phases(parser, json, column, diag);
    return status;
}
