#include "scenario/parse.h"

#include <string.h>

enum { TABLES_MAX = 100, TITLE_MAX = 200 };

static const char *const TABLE_KEYS[] = {"title", "phase", "metrics", NULL};

/* What a scenario without "tables" shows of each phase. */
static const MetricId DEFAULT_METRICS[] = {
    METRIC_WAL_BYTES,   METRIC_FPI_COUNT,        METRIC_DIRTIED_PAGES,
    METRIC_INDEX_BYTES, METRIC_LEAF_DENSITY_PCT,
};

static Status
parse_table(const Parser *parser, const cJSON *json, void *item, Diag *diag)
{
    TableSpec *table = item;
    WordList words = {0};
    size_t phase = 0;
    Status status = parse_choice(parser, json, "phase", parse_phase_choices(parser), &phase, diag);

    if (status != STATUS_OK)
        return status;
    table->phase = parser->scenario->phases[phase].name;
    table->title = parser->scenario->phases[phase].title;
    status = parse_text_or(parser, json, "title", TITLE_MAX, &table->title, diag);
    if (status == STATUS_OK)
        status = parse_words(parser, json, "metrics", parse_metric_choices(), &words, diag);
    table->metrics = arena_alloc(parser->scenario->arena, words.count, sizeof(*table->metrics));
    table->metric_count = words.count;
    for (size_t i = 0; i < words.count; i++)
        table->metrics[i] = (MetricId)words.indexes[i];
    return status;
}

static void
add_default_tables(Scenario *scenario)
{
    scenario->tables =
        arena_alloc(scenario->arena, scenario->phase_count, sizeof(*scenario->tables));
    scenario->table_count = scenario->phase_count;
    for (size_t i = 0; i < scenario->phase_count; i++) {
        MetricId *metrics =
            arena_alloc(scenario->arena, ARRAY_LEN(DEFAULT_METRICS), sizeof(*metrics));

        memcpy(metrics, DEFAULT_METRICS, sizeof(DEFAULT_METRICS));
        scenario->tables[i] = (TableSpec){
            .title = scenario->phases[i].title,
            .phase = scenario->phases[i].name,
            .metrics = metrics,
            .metric_count = ARRAY_LEN(DEFAULT_METRICS),
        };
    }
}

Status
parse_tables(Parser *parser, const cJSON *root, Diag *diag)
{
    static const ListSpec SPEC = {"tables", 0,          TABLES_MAX, sizeof(TableSpec),
                                  false,    TABLE_KEYS, parse_table};
    void *items = NULL;
    Status status = parse_list(parser, root, &SPEC, &items, &parser->scenario->table_count, diag);

    parser->scenario->tables = items;
    if (status == STATUS_OK && cJSON_GetObjectItemCaseSensitive(root, SPEC.key) == NULL)
        add_default_tables(parser->scenario);
    return status;
}
