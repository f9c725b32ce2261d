#include "scenario/parse.h"

#include <string.h>

enum { TABLES_MAX = 100, CHARTS_MAX = 100, TITLE_MAX = 200 };

static const char *const TABLE_KEYS[] = {"title", "phase", "metrics", NULL};
static const char *const CHART_KEYS[] = {"name", "kind", "phase", "metrics", NULL};

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

/* What each kind of chart draws. */
typedef struct ChartRule {
    const char *name;
    size_t metrics_max;
    bool of_batches; /* draws figures of single batches */
} ChartRule;

static const ChartRule CHART_RULES[] = {
    [CHART_BARS] = {"bars", 2, false},
    [CHART_BATCHES] = {"batches", 1, true},
    [CHART_WAL] = {"wal_kinds", 0, false},
};

/* Whether the chart's rule allows these metrics. */
static Status
check_chart_metrics(const Parser *parser, const cJSON *array, const ChartRule *rule,
                    const WordList *words, Diag *diag)
{
    const Metric *first = &METRICS[words->indexes[0]];

    if (words->count > rule->metrics_max)
        return json_error(parser->doc, array, diag, "a chart of kind \"%s\" shows at most %zu",
                          rule->name, rule->metrics_max);
    if (rule->of_batches && first->scope != METRIC_SCOPE_BATCH)
        return json_error(parser->doc, array, diag,
                          "\"%s\" is measured after a phase, not for each batch", first->name);
    if (words->count == 2 && METRICS[words->indexes[1]].unit != first->unit)
        return json_error(parser->doc, array, diag,
                          "\"%s\" and \"%s\" share no unit and hence no axis", first->name,
                          METRICS[words->indexes[1]].name);
    return STATUS_OK;
}

static Status
parse_chart_metrics(const Parser *parser, const cJSON *json, ChartSpec *chart, Diag *diag)
{
    const ChartRule *rule = &CHART_RULES[chart->kind];
    const cJSON *array = cJSON_GetObjectItemCaseSensitive(json, "metrics");
    WordList words = {0};
    Status status;

    chart->metrics[0] = chart->metrics[1] = METRIC_COUNT;
    if (rule->metrics_max == 0 && array != NULL)
        return json_error(parser->doc, array, diag, "a chart of kind \"%s\" takes no metrics",
                          rule->name);
    if (rule->metrics_max == 0)
        return STATUS_OK;
    status = parse_words(parser, json, "metrics", parse_metric_choices(), &words, diag);
    if (status == STATUS_OK)
        status = check_chart_metrics(parser, array, rule, &words, diag);
    if (status != STATUS_OK)
        return status;
    for (size_t i = 0; i < words.count; i++)
        chart->metrics[i] = (MetricId)words.indexes[i];
    return STATUS_OK;
}

static Status
parse_chart(const Parser *parser, const cJSON *json, void *item, Diag *diag)
{
    ChartSpec *chart = item;
    size_t kind = 0, phase = 0;
    Status status = parse_name(parser, json, &chart->name, diag);

    if (status == STATUS_OK)
        status = parse_choice(parser, json, "kind",
                              CHOICES("kind", CHART_RULES, ARRAY_LEN(CHART_RULES)), &kind, diag);
    if (status == STATUS_OK)
        status = parse_choice(parser, json, "phase", parse_phase_choices(parser), &phase, diag);
    if (status != STATUS_OK)
        return status;
    chart->kind = (ChartKind)kind;
    chart->phase = parser->scenario->phases[phase].name;
    return parse_chart_metrics(parser, json, chart, diag);
}

Status
parse_charts(Parser *parser, const cJSON *root, Diag *diag)
{
    static const ListSpec SPEC = {"charts", 0,          CHARTS_MAX, sizeof(ChartSpec),
                                  true,     CHART_KEYS, parse_chart};
    void *items = NULL;
    Status status = parse_list(parser, root, &SPEC, &items, &parser->scenario->chart_count, diag);

    parser->scenario->charts = items;
    return status;
}
