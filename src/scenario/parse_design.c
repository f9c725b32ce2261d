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
    CHILDREN_MAX = 16,
    STATEMENT_VALUES_MAX = 65535, /* PostgreSQL manual, section 55.7, Bind */
    TITLE_MAX = 200,
    TOLERANCE_MAX_PCT = 100,
};

#define TABLE_KEYS                                                                                 \
    "name", "title", "primary_key", "table_fillfactor", "key_fillfactor", "columns", "indexes",    \
        "featured_index"

static const char *const DESIGN_KEYS[] = {TABLE_KEYS, "tolerance_pct", "children", NULL};
static const char *const CHILD_KEYS[] = {TABLE_KEYS, NULL};
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
    for (size_t i = 0; status == STATUS_OK && item != NULL; i++, item = item->next) {
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
    void *items = NULL;
    size_t count = 0;
    Status status = parse_list(parser, json, &SPEC, &items, &count, diag);

    if (status == STATUS_OK)
        status = add_copies(parser, json, items, count, design, diag);
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

/* Whether several rows have one value of it. */
static bool
is_repeated(const Column *column)
{
    return column->source == COLUMN_PARENT &&
           (column->pick == PICK_RANDOM || column->per_parent > 1);
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
    if (status == STATUS_OK && is_repeated(&design->columns[design->key_column]))
        return json_error(parser->doc, cJSON_GetObjectItemCaseSensitive(json, "primary_key"), diag,
                          "several rows have one parent, so it cannot be a primary key");
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
        direct = direct || (phase_is_about(&scenario->phases[i], parse_table_name(parser)) &&
                            scenario->phases[i].load.method != LOAD_INSERT_SELECT);
    for (size_t i = 0; i < design->column_count; i++)
        direct = direct && !column_travels(&design->columns[i]);
    if (!direct)
        return STATUS_OK;
    return json_error(
        parser->doc, cJSON_GetObjectItemCaseSensitive(json, "columns"), diag,
        "the server makes every column, so there is nothing to \"copy\" or \"insert\"");
}

/* A check looks for a key that is known before the row is there. */
static Status
check_key(const Parser *parser, const cJSON *json, const Design *design, Diag *diag)
{
    const Scenario *scenario = parser->scenario;
    const Column *key =
        design->key_column != NO_COLUMN ? &design->columns[design->key_column] : NULL;

    for (size_t i = 0; i < scenario->phase_count; i++)
        if (scenario->phases[i].load.check &&
            phase_is_about(&scenario->phases[i], parse_table_name(parser)) &&
            (key == NULL || !column_travels(key)))
            return json_error(parser->doc, cJSON_GetObjectItemCaseSensitive(json, "primary_key"),
                              diag,
                              "phase \"%s\" checks each key, so keybench must make it: a column of "
                              "source \"keybench\" or \"row_number\"",
                              scenario->phases[i].name);
    return STATUS_OK;
}

/* The parameters of one statement, values by rows, are limited. */
static Status
check_params(const Parser *parser, const cJSON *json, const Design *design, Diag *diag)
{
    const Scenario *scenario = parser->scenario;

    for (size_t i = 0; i < scenario->phase_count; i++) {
        const Phase *phase = &scenario->phases[i];

        if (phase->load.method == LOAD_INSERT && phase_is_about(phase, parse_table_name(parser)) &&
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
check_loaded(const Parser *parser, const cJSON *json, const Design *table, Diag *diag)
{
    const Scenario *scenario = parser->scenario;

    if (phases_rows(scenario->phases, scenario->phase_count, parse_table_name(parser)) > 0)
        return STATUS_OK;
    return json_error(parser->doc, cJSON_GetObjectItemCaseSensitive(json, "name"), diag,
                      "no phase inserts into \"%s\"", table->name);
}

/* What a design's own table and its children have in common; the parser stands at the table. */
static Status
parse_table(const Parser *parser, const cJSON *json, Design *table, Diag *diag)
{
    static Status (*const PARTS[])(const Parser *, const cJSON *, Design *, Diag *) = {
        parse_columns, parse_primary_key, parse_indexes, parse_featured_index};
    Status status = check_loaded(parser, json, table, diag);

    table->title = table->name;
    if (status == STATUS_OK)
        status = parse_text_or(parser, json, "title", TITLE_MAX, &table->title, diag);
    if (status == STATUS_OK)
        status = parse_fillfactor(parser, json, "table_fillfactor", &table->table_fillfactor, diag);
    if (status == STATUS_OK)
        status = parse_fillfactor(parser, json, "key_fillfactor", &table->key_fillfactor, diag);
    for (size_t i = 0; status == STATUS_OK && i < ARRAY_LEN(PARTS); i++)
        status = PARTS[i](parser, json, table, diag);
    if (status == STATUS_OK)
        status = check_travels(parser, json, table, diag);
    if (status == STATUS_OK)
        status = check_key(parser, json, table, diag);
    if (status == STATUS_OK)
        status = check_params(parser, json, table, diag);
    return status;
}

/* ---- Children ---- */

/* Whether a relation of this table has the name: the table, its key's index or another index. */
static bool
has_relation(const Design *table, const char *name)
{
    size_t length = strlen(table->name);

    for (size_t i = 0; i < table->index_count; i++)
        if (strcmp(table->indexes[i].name, name) == 0)
            return true;
    return strncmp(name, table->name, length) == 0 &&
           (name[length] == '\0' || strcmp(name + length, "_pkey") == 0);
}

/* The tables of a design and their indexes are in one schema. */
static Status
check_apart(const Parser *parser, const cJSON *json, const Design *child, const Design *other,
            Diag *diag)
{
    const cJSON *at = cJSON_GetObjectItemCaseSensitive(json, "name");
    const char *taken = has_relation(other, child->name) ? child->name : NULL;

    for (size_t i = 0; taken == NULL && i < child->index_count; i++)
        if (has_relation(other, child->indexes[i].name))
            taken = child->indexes[i].name;
    if (taken == NULL)
        return STATUS_OK;
    return json_error(parser->doc, at, diag, "table \"%s\" or an index of it is named \"%s\" too",
                      other->name, taken);
}

static Status
parse_child(const Parser *parser, const cJSON *json, void *item, Diag *diag)
{
    Design *child = item;
    Parser inner = *parser;
    Status status = parse_name(parser, json, &child->name, diag);

    inner.design = child;
    child->parent = parser->design;
    if (status == STATUS_OK)
        status = parse_table(&inner, json, child, diag);
    if (status == STATUS_OK)
        status = check_apart(parser, json, child, child->parent, diag);
    return status;
}

static Status
parse_children(const Parser *parser, const cJSON *json, Design *design, Diag *diag)
{
    static const ListSpec SPEC = {"children", 0,          CHILDREN_MAX, sizeof(Design),
                                  true,       CHILD_KEYS, parse_child};
    const cJSON *array;
    void *items = NULL;
    Status status = parse_list(parser, json, &SPEC, &items, &design->child_count, diag);

    design->children = items;
    array = cJSON_GetObjectItemCaseSensitive(json, "children");
    for (size_t i = 0; i < design->child_count; i++)
        for (size_t k = 0; status == STATUS_OK && k < i; k++)
            status = check_apart(parser, cJSON_GetArrayItem(array, (int)i), &design->children[i],
                                 &design->children[k], diag);
    return status;
}

static Status
parse_design(const Parser *parser, const cJSON *json, void *item, Diag *diag)
{
    Design *design = item;
    Parser inner = *parser;
    Status status = parse_name(parser, json, &design->name, diag);

    inner.design = design;
    if (status == STATUS_OK)
        status = parse_tolerance(&inner, json, design, diag);
    if (status == STATUS_OK)
        status = parse_table(&inner, json, design, diag);
    if (status == STATUS_OK)
        status = parse_children(&inner, json, design, diag);
    if (status == STATUS_OK)
        status = check_actions(&inner, json, design, diag);
    return status;
}

/* A phase's table is one of every design. */
static Status
check_phase_tables(const Parser *parser, const cJSON *root, Diag *diag)
{
    const Scenario *scenario = parser->scenario;
    const cJSON *json = cJSON_GetObjectItemCaseSensitive(root, "phases")->child;

    for (size_t i = 0; i < scenario->phase_count; i++, json = json->next)
        for (size_t k = 0; k < scenario->design_count; k++)
            if (design_table(&scenario->designs[k], &scenario->phases[i]) == NULL)
                return json_error(parser->doc, cJSON_GetObjectItemCaseSensitive(json, "table"),
                                  diag, "design \"%s\" has no child \"%s\"",
                                  scenario->designs[k].name, scenario->phases[i].table);
    return STATUS_OK;
}

Status
parse_designs(Parser *parser, const cJSON *root, Diag *diag)
{
    static const ListSpec SPEC = {"designs", 1,           DESIGNS_MAX, sizeof(Design),
                                  true,      DESIGN_KEYS, parse_design};
    void *items = NULL;
    Status status = parse_list(parser, root, &SPEC, &items, &parser->scenario->design_count, diag);

    parser->scenario->designs = items;
    if (status == STATUS_OK)
        status = check_phase_tables(parser, root, diag);
    return status;
}
