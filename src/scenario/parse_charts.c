#include "scenario/parse.h"

#include <string.h>

enum { CHARTS_MAX = 100 };

/* What each kind of chart draws. */
typedef struct ChartRule {
    const char *name;
    size_t metrics_max;
    bool of_batches; /* draws figures of single batches */
    bool of_points;  /* draws many points of a sweep */
} ChartRule;

static const ChartRule CHART_RULES[] = {
    [CHART_BARS] = {"bars", 2, false, false},     [CHART_BATCHES] = {"batches", 1, true, false},
    [CHART_WAL] = {"wal_kinds", 0, false, false}, [CHART_AXIS] = {"axis", 1, false, true},
    [CHART_PHASES] = {"phases", 1, false, true},
};

#define OF(kind) (1u << (kind))

/* The keys of a chart, and the kinds that take them. */
static const struct {
    const char *name;
    unsigned kinds;
} KEY_RULES[] = {
    {"metrics", ~OF(CHART_WAL)},
    {"phase", ~OF(CHART_PHASES)},
    {"axis", OF(CHART_AXIS)},
    {"phases", OF(CHART_AXIS) | OF(CHART_PHASES)},
    {"over_design", OF(CHART_AXIS) | OF(CHART_PHASES)},
};

static const char *const CHART_KEYS[] = {"name",    "kind",        "phase", "axis", "phases",
                                         "metrics", "over_design", "at",    NULL};

static const cJSON *
member(const cJSON *json, const char *key)
{
    return cJSON_GetObjectItemCaseSensitive(json, key);
}

static Status
check_keys(const Parser *parser, const cJSON *json, ChartKind kind, Diag *diag)
{
    for (size_t i = 0; i < ARRAY_LEN(KEY_RULES); i++) {
        const cJSON *value = member(json, KEY_RULES[i].name);

        if (value != NULL && (KEY_RULES[i].kinds & OF(kind)) == 0)
            return json_error(parser->doc, value, diag, "a chart of kind \"%s\" takes no %s",
                              CHART_RULES[kind].name, KEY_RULES[i].name);
    }
    return STATUS_OK;
}

/* Whether the chart's rule allows these metrics. */
static Status
check_metrics(const Parser *parser, const cJSON *array, const ChartRule *rule,
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
parse_metrics(const Parser *parser, const cJSON *json, ChartSpec *chart, Diag *diag)
{
    const ChartRule *rule = &CHART_RULES[chart->kind];
    WordList words = {0};
    Status status;

    chart->metrics[0] = chart->metrics[1] = METRIC_COUNT;
    if (rule->metrics_max == 0)
        return STATUS_OK;
    status = parse_words(parser, json, "metrics", parse_metric_choices(), &words, diag);
    if (status == STATUS_OK)
        status = check_metrics(parser, member(json, "metrics"), rule, &words, diag);
    if (status != STATUS_OK)
        return status;
    for (size_t i = 0; i < words.count; i++)
        chart->metrics[i] = (MetricId)words.indexes[i];
    return STATUS_OK;
}

static Status
parse_phase(const Parser *parser, const cJSON *json, ChartSpec *chart, Diag *diag)
{
    size_t phase = 0;
    Status status = parse_choice(parser, json, "phase", parse_phase_choices(parser), &phase, diag);

    if (status == STATUS_OK)
        chart->phase = parser->scenario->phases[phase].name;
    return status;
}

static void
add_inserting_phases(const Scenario *scenario, WordList *words)
{
    words->indexes = arena_alloc(scenario->arena, scenario->phase_count, sizeof(*words->indexes));
    for (size_t i = 0; i < scenario->phase_count; i++)
        if (scenario->phases[i].action == ACTION_INSERT)
            words->indexes[words->count++] = i;
}

/* The phases named, or all that insert. */
static Status
parse_phase_list(const Parser *parser, const cJSON *json, ChartSpec *chart, Diag *diag)
{
    const Scenario *scenario = parser->scenario;
    bool named = member(json, "phases") != NULL;
    WordList words = {0};
    Status status = STATUS_OK;

    if (named)
        status = parse_words(parser, json, "phases", parse_phase_choices(parser), &words, diag);
    else
        add_inserting_phases(scenario, &words);
    if (status != STATUS_OK)
        return status;
    if (words.count < 2)
        return json_error(parser->doc, named ? member(json, "phases") : json, diag,
                          "a chart over phases needs two of them");
    chart->phases = arena_alloc(scenario->arena, words.count, sizeof(*chart->phases));
    chart->phase_count = words.count;
    for (size_t i = 0; i < words.count; i++)
        chart->phases[i] = scenario->phases[words.indexes[i]].name;
    return STATUS_OK;
}

static Status
parse_axis(const Parser *parser, const cJSON *json, ChartSpec *chart, Diag *diag)
{
    Choices axes = CHOICES("axis", parser->axes, parser->axis_count);
    size_t axis = 0;
    Status status;

    if (parser->axis_count == 0) {
        status = json_error(parser->doc, json, diag, "nothing is swept, so there is no axis");
        diag_hint(diag, "A list in place of a value makes an axis, as in \"writers\": [1, 4].");
        return status;
    }
    status = parse_choice(parser, json, "axis", axes, &axis, diag);
    if (status == STATUS_OK)
        chart->axis = parser->axes[axis].name;
    return status;
}

/* What the figures are divided by: another design, and no percentage. */
static Status
parse_over(const Parser *parser, const cJSON *json, ChartSpec *chart, Diag *diag)
{
    const cJSON *over = member(json, "over_design");
    size_t design = 0;
    Status status;

    if (over == NULL)
        return STATUS_OK;
    status = parse_choice(parser, json, "over_design", parse_design_choices(parser), &design, diag);
    if (status != STATUS_OK)
        return status;
    if (METRICS[chart->metrics[0]].unit == METRIC_UNIT_PCT)
        return json_error(parser->doc, over, diag, "percentages say more as they are");
    if (parser->scenario->design_count < 2)
        return json_error(parser->doc, over, diag, "a figure over itself is always 1");
    chart->over_design = parser->scenario->designs[design].name;
    return STATUS_OK;
}

/* A chart over an axis has one, or lines of several. */
static bool
has_phase_list(const cJSON *json, ChartKind kind)
{
    return kind == CHART_PHASES || (kind == CHART_AXIS && member(json, "phases") != NULL);
}

static Status
parse_subject(const Parser *parser, const cJSON *json, ChartSpec *chart, Diag *diag)
{
    Status status = check_keys(parser, json, chart->kind, diag);

    if (status == STATUS_OK && chart->kind == CHART_AXIS)
        status = parse_axis(parser, json, chart, diag);
    if (status != STATUS_OK)
        return status;
    if (member(json, "phase") != NULL && member(json, "phases") != NULL)
        return json_error(parser->doc, member(json, "phases"), diag,
                          "a chart is of one \"phase\" or of several \"phases\"");
    status = has_phase_list(json, chart->kind) ? parse_phase_list(parser, json, chart, diag)
                                               : parse_phase(parser, json, chart, diag);
    if (status == STATUS_OK)
        status = parse_metrics(parser, json, chart, diag);
    return status;
}

static Status
parse_chart(const Parser *parser, const cJSON *json, void *item, Diag *diag)
{
    ChartSpec *chart = item;
    size_t kind = 0;
    Status status = parse_name(parser, json, &chart->name, diag);

    if (status == STATUS_OK)
        status = parse_choice(parser, json, "kind",
                              CHOICES("kind", CHART_RULES, ARRAY_LEN(CHART_RULES)), &kind, diag);
    chart->kind = (ChartKind)kind;
    if (status == STATUS_OK)
        status = parse_subject(parser, json, chart, diag);
    if (status == STATUS_OK)
        status = parse_over(parser, json, chart, diag);
    if (status == STATUS_OK)
        status = parse_at(parser, json, &chart->here, diag);
    return status;
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

/* ---- Charts of a sweep ---- */

/* The points that a chart is about. */
typedef struct ChartPoints {
    const Sweep *sweep;
    size_t chart; /* index, the same in all scenarios */
    size_t count;
    size_t first; /* point */
} ChartPoints;

static bool
is_here(const ChartPoints *points, size_t point)
{
    return points->sweep->points[point].scenario->charts[points->chart].here;
}

/* Whether the chart's points have one value of an axis. */
static bool
is_fixed(const ChartPoints *points, size_t axis)
{
    const SweepPoint *first = &points->sweep->points[points->first];

    for (size_t i = 0; i < points->sweep->point_count; i++)
        if (is_here(points, i) &&
            strcmp(points->sweep->points[i].values[axis].value, first->values[axis].value) != 0)
            return false;
    return true;
}

/* Whether an axis changes a design's figure, or what it is divided by. */
static bool
concerns(const ChartPoints *points, const ChartSpec *chart, const SweepAxis *axis, size_t design)
{
    const Scenario *scenario = points->sweep->points[points->first].scenario;
    bool found = axis->concerns[design];

    for (size_t i = 0; chart->over_design != NULL && i < scenario->design_count; i++)
        found = found ||
                (strcmp(scenario->designs[i].name, chart->over_design) == 0 && axis->concerns[i]);
    return found;
}

/* How many lines a design has: one for each combination of what is neither fixed nor on the x,
 * and along an axis for each phase. */
static size_t
count_lines(const ChartPoints *points, const ChartSpec *chart, size_t design)
{
    const Sweep *sweep = points->sweep;
    size_t count = chart->axis != NULL && chart->phase == NULL ? chart->phase_count : 1;

    for (size_t i = 0; i < sweep->axis_count; i++) {
        const SweepAxis *axis = &sweep->axes[i];

        if (concerns(points, chart, axis, design) && !is_fixed(points, i) &&
            (chart->axis == NULL || strcmp(chart->axis, axis->name) != 0))
            count *= axis->value_count;
    }
    return count;
}

static Status
refuse(const JsonDoc *doc, const cJSON *json, const char *message, Diag *diag)
{
    json_error(doc, json, diag, "%s", message);
    diag_hint(diag, "Fix an axis: \"at\": {\"NAME\": VALUE}.");
    return diag->status;
}

static Status
check_chart(const JsonDoc *doc, const cJSON *json, const ChartPoints *points, Diag *diag)
{
    const Scenario *scenario = points->sweep->points[points->first].scenario;
    const ChartSpec *chart = &scenario->charts[points->chart];
    size_t lines = 0, most = 0;

    if (!CHART_RULES[chart->kind].of_points)
        return points->count == 1
                   ? STATUS_OK
                   : refuse(doc, json, "such a chart shows one point of a sweep", diag);
    for (size_t i = 0; i < scenario->design_count; i++) {
        size_t count = count_lines(points, chart, i);

        if (chart->over_design == NULL ||
            strcmp(chart->over_design, scenario->designs[i].name) != 0)
            lines += count;
        most = count > most ? count : most;
    }
    if (most > 1 && lines > CHART_LINES_MAX)
        return refuse(doc, json, "the chart would have too many lines to be told apart", diag);
    for (size_t i = 0; chart->axis != NULL && i < points->sweep->axis_count; i++)
        if (strcmp(points->sweep->axes[i].name, chart->axis) == 0 && is_fixed(points, i))
            return json_error(doc, member(json, "axis"), diag, "has one value here");
    return STATUS_OK;
}

Status
check_charts(const JsonDoc *doc, const Sweep *sweep, Diag *diag)
{
    const cJSON *json =
        member(doc->root, "charts") != NULL ? member(doc->root, "charts")->child : NULL;
    Status status = STATUS_OK;

    for (size_t i = 0; status == STATUS_OK && json != NULL; i++, json = json->next) {
        ChartPoints points = {.sweep = sweep, .chart = i};

        for (size_t point = sweep->point_count; point > 0; point--)
            if (is_here(&points, point - 1)) {
                points.count++;
                points.first = point - 1;
            }
        status = check_chart(doc, json, &points, diag);
    }
    return status;
}
