#include "scenario/parse.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum {
    DESIGNS_MAX = 64,
    COLUMNS_MAX = 64,
    INDEXES_MAX = 32,
    INDEX_COLUMNS_MAX = 32, /* PostgreSQL's INDEX_MAX_KEYS */
    COPIES_MAX = 32,
    STATEMENT_VALUES_MAX = 65535, /* PostgreSQL manual, section 55.7, Bind */
    TITLE_MAX = 200,
    TOLERANCE_MAX_PCT = 100,
};

static const char *const DESIGN_KEYS[] = {
    "name",    "title",   "primary_key",    "table_fillfactor", "key_fillfactor",
    "columns", "indexes", "featured_index", "tolerance_pct",    NULL,
};
static const char *const INDEX_KEYS[] = {"name", "columns", "unique", "fillfactor", "copies", NULL};

static Choices
column_choices(const Design *design)
{
    return CHOICES("column", design->columns, design->column_count);
}

static Status
parse_index_columns(const Parser *parser, const cJSON *json, Index *index, Diag *diag)
{
    const Design *design = parser->design;
    WordList words = {0};
    Status status = parse_words(parser, json, "columns", column_choices(design), &words, diag);

    if (status != STATUS_OK)
        return status;
    if (words.count > INDEX_COLUMNS_MAX)
        return json_error(parser->doc, cJSON_GetObjectItemCaseSensitive(json, "columns"), diag,
                          "an index has at most %d columns", INDEX_COLUMNS_MAX);
    index->columns = arena_alloc(parser->scenario->arena, words.count, sizeof(*index->columns));
    index->column_count = words.count;
    for (size_t i = 0; i < words.count; i++)
        index->columns[i] = design->columns[words.indexes[i]].name;
    return STATUS_OK;
}

/* Tables and indexes of a schema share one set of names; the key's own index is named by the
 * server. */
static Status
check_index_name(const Parser *parser, const cJSON *json, const Index *index, Diag *diag)
{
    const char *design = parser->design->name;
    size_t length = strlen(design);

    if (strncmp(index->name, design, length) != 0 ||
        (index->name[length] != '\0' && strcmp(index->name + length, "_pkey") != 0))
        return STATUS_OK;
    return json_error(parser->doc, cJSON_GetObjectItemCaseSensitive(json, "name"), diag,
                      "\"%s\" is the name of the design's %s", index->name,
                      index->name[length] == '\0' ? "table" : "primary key");
}

static Status
parse_index(const Parser *parser, const cJSON *json, void *item, Diag *diag)
{
    Index *index = item;
    Status status = parse_identifier(parser, json, &index->name, diag);

    if (status == STATUS_OK)
        status = check_index_name(parser, json, index, diag);
    if (status == STATUS_OK)
        status = parse_index_columns(parser, json, index, diag);
    if (status == STATUS_OK)
        status = json_bool_or(parser->doc, json, "unique", &index->unique, diag);
    if (status == STATUS_OK)
        status = parse_fillfactor(parser, json, "fillfactor", &index->fillfactor, diag);
    index->copies = 1;
    if (status == STATUS_OK)
        status = json_u64_or(parser->doc, json, "copies", 1, COPIES_MAX, &index->copies, diag);
    return status;
}

/* The name of the `number`th of equal indexes: "by_n", "by_n_2". */
static Status
name_copy(const Parser *parser, const cJSON *json, uint64_t number, Index *index, Diag *diag)
{
    if (number > 1)
        index->name = arena_printf(parser->scenario->arena, "%s_%" PRIu64, index->name, number);
    if (strlen(index->name) <= SCENARIO_NAME_MAX)
        return STATUS_OK;
    return json_error(parser->doc, cJSON_GetObjectItemCaseSensitive(json, "copies"), diag,
                      "the name of copy %" PRIu64 " is longer than %d bytes", number,
                      SCENARIO_NAME_MAX);
}

/* Put every index into the design as often as it asks for. */
static Status
add_copies(const Parser *parser, const cJSON *json, const Index *indexes, size_t count,
           Design *design, Diag *diag)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(json, "indexes");
    size_t total = 0;
    Status status = STATUS_OK;

    for (size_t i = 0; i < count; i++)
        total += (size_t)indexes[i].copies;
    design->indexes = arena_alloc(parser->scenario->arena, total, sizeof(*design->indexes));
    item = item != NULL ? item->child : NULL;
    for (size_t i = 0; status == STATUS_OK && i < count; i++, item = item->next) {
        for (uint64_t number = 1; status == STATUS_OK && number <= indexes[i].copies; number++) {
            Index *index = &design->indexes[design->index_count++];

            *index = indexes[i];
            status = name_copy(parser, item, number, index, diag);
        }
    }
    return status;
}

static Status
parse_indexes(const Parser *parser, const cJSON *json, Design *design, Diag *diag)
{
    static const ListSpec SPEC = {"indexes", 0,          INDEXES_MAX, sizeof(Index),
                                  true,      INDEX_KEYS, parse_index};
    Parser inner = *parser;
    void *items = NULL;
    size_t count = 0;
    Status status;

    inner.design = design;
    status = parse_list(&inner, json, &SPEC, &items, &count, diag);
    if (status == STATUS_OK)
        status = add_copies(&inner, json, items, count, design, diag);
    return status;
}

static Status
parse_columns(const Parser *parser, const cJSON *json, Design *design, Diag *diag)
{
    static const ListSpec SPEC = {"columns", 1,           COLUMNS_MAX, sizeof(Column),
                                  true,      COLUMN_KEYS, parse_column};
    void *items = NULL;
    Status status = parse_list(parser, json, &SPEC, &items, &design->column_count, diag);

    design->columns = items;
    return status;
}

static Status
parse_primary_key(const Parser *parser, const cJSON *json, Design *design, Diag *diag)
{
    Status status;

    if (cJSON_IsNull(cJSON_GetObjectItemCaseSensitive(json, "primary_key"))) {
        design->key_column = NO_COLUMN;
        return STATUS_OK;
    }
    status = parse_choice(parser, json, "primary_key", column_choices(design), &design->key_column,
                          diag);
    if (status == STATUS_OK && design->columns[design->key_column].source == COLUMN_FILLER)
        return json_error(parser->doc, cJSON_GetObjectItemCaseSensitive(json, "primary_key"), diag,
                          "a filler is not unique, so it cannot be a primary key");
    return status;
}

static Status
parse_featured_index(const Parser *parser, const cJSON *json, Design *design, Diag *diag)
{
    size_t index = design->index_count;
    Choices choices = CHOICES("index", design->indexes, design->index_count);
    Status status = parse_choice_or(parser, json, "featured_index", choices, &index, diag);

    if (index == design->index_count && design->key_column == NO_COLUMN)
        index = 0;
    if (status == STATUS_OK && index < design->index_count)
        design->featured_index = &design->indexes[index];
    return status;
}

/* Rows that are not staged need something to send. */
static Status
check_travels(const Parser *parser, const cJSON *json, const Design *design, Diag *diag)
{
    const Scenario *scenario = parser->scenario;
    bool direct = false;

    for (size_t i = 0; i < scenario->phase_count; i++)
        direct = direct || scenario->phases[i].load.method != LOAD_INSERT_SELECT;
    for (size_t i = 0; i < design->column_count; i++)
        direct = direct && !column_travels(&design->columns[i]);
    if (!direct)
        return STATUS_OK;
    return json_error(
        parser->doc, cJSON_GetObjectItemCaseSensitive(json, "columns"), diag,
        "the server makes every column, so there is nothing to \"copy\" or \"insert\"");
}

/* The parameters of one statement, values by rows, are limited. */
static Status
check_params(const Parser *parser, const cJSON *json, const Design *design, Diag *diag)
{
    const Scenario *scenario = parser->scenario;

    for (size_t i = 0; i < scenario->phase_count; i++) {
        const Phase *phase = &scenario->phases[i];

        if (phase->load.method == LOAD_INSERT &&
            phase->load.rows_per_statement * design->column_count > STATEMENT_VALUES_MAX)
            return json_error(parser->doc, cJSON_GetObjectItemCaseSensitive(json, "columns"), diag,
                              "phase \"%s\" inserts %" PRIu64 " rows a statement, but a statement "
                              "takes at most %d values",
                              phase->name, phase->load.rows_per_statement, STATEMENT_VALUES_MAX);
    }
    return STATUS_OK;
}

static Status
parse_pct(const Parser *parser, const cJSON *item, double *pct, Diag *diag)
{
    if (!cJSON_IsNumber(item))
        return json_error(parser->doc, item, diag, "must be a number");
    if (item->valuedouble < 0 || item->valuedouble > TOLERANCE_MAX_PCT)
        return json_error(parser->doc, item, diag, "must be from 0 to %d", TOLERANCE_MAX_PCT);
    *pct = item->valuedouble;
    return STATUS_OK;
}

/* One percentage for every metric, or an object with some of them. */
static Status
parse_tolerance(const Parser *parser, const cJSON *json, Design *design, Diag *diag)
{
    const cJSON *member = cJSON_GetObjectItemCaseSensitive(json, "tolerance_pct");
    const char *names[METRIC_COUNT + 1] = {NULL};
    Status status = STATUS_OK;

    for (int id = 0; id < METRIC_COUNT; id++) {
        names[id] = METRICS[id].name;
        design->tolerance_pct[id] = NAN;
    }
    if (cJSON_IsObject(member)) {
        const cJSON *item;

        status = json_only_keys(parser->doc, member, names, diag);
        cJSON_ArrayForEach(item, member)
        {
            if (status == STATUS_OK)
                status = parse_pct(parser, item, &design->tolerance_pct[metric_find(item->string)],
                                   diag);
        }
    } else if (member != NULL) {
        status = parse_pct(parser, member, &design->tolerance_pct[0], diag);
        for (int id = 1; id < METRIC_COUNT; id++)
            design->tolerance_pct[id] = design->tolerance_pct[0];
    }
    return status;
}

static Status
parse_design(const Parser *parser, const cJSON *json, void *item, Diag *diag)
{
    Design *design = item;
    Status status = parse_name(parser, json, &design->name, diag);

    design->title = design->name;
    if (status == STATUS_OK)
        status = parse_tolerance(parser, json, design, diag);
    if (status == STATUS_OK)
        status = parse_text_or(parser, json, "title", TITLE_MAX, &design->title, diag);
    if (status == STATUS_OK)
        status =
            parse_fillfactor(parser, json, "table_fillfactor", &design->table_fillfactor, diag);
    if (status == STATUS_OK)
        status = parse_fillfactor(parser, json, "key_fillfactor", &design->key_fillfactor, diag);
    if (status == STATUS_OK)
        status = parse_columns(parser, json, design, diag);
    if (status == STATUS_OK)
        status = parse_primary_key(parser, json, design, diag);
    if (status == STATUS_OK)
        status = parse_indexes(parser, json, design, diag);
    if (status == STATUS_OK)
        status = parse_featured_index(parser, json, design, diag);
    if (status == STATUS_OK)
        status = check_travels(parser, json, design, diag);
    if (status == STATUS_OK)
        status = check_params(parser, json, design, diag);
    return status;
}

Status
parse_designs(Parser *parser, const cJSON *root, Diag *diag)
{
    static const ListSpec SPEC = {"designs", 1,           DESIGNS_MAX, sizeof(Design),
                                  true,      DESIGN_KEYS, parse_design};
    void *items = NULL;
    Status status = parse_list(parser, root, &SPEC, &items, &parser->scenario->design_count, diag);

    parser->scenario->designs = items;
    return status;
}
