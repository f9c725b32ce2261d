#include "scenario/parse.h"

#include "base/units.h"
#include "base/words.h"

#include <math.h>
#include <string.h>

enum { REFERENCES_MAX = 1000, BOUNDS_MAX = 1000, SOURCE_TEXT_MAX = 200 };

static const char *const REFERENCE_KEYS[] = {
    "design", "phase", "metric", "batch", "value", "unit", "source", "at", NULL,
};
static const char *const BOUND_KEYS[] = {
    "name",  "design", "phase", "metric",     "over_design", "over_phase",
    "scope", "min",    "max",   "within_pct", "at",          NULL,
};
static const char *const SCOPES[] = {[BOUND_TOTAL] = "total", [BOUND_EACH_BATCH] = "each_batch"};

/* The words for a unit of the file, and which metrics are measured in it. */
typedef struct UnitWord {
    const char *name;
    MetricUnit unit;
} UnitWord;

static const UnitWord UNITS[] = {
    {"bytes", METRIC_UNIT_BYTES}, {"kB", METRIC_UNIT_BYTES},    {"MB", METRIC_UNIT_BYTES},
    {"GB", METRIC_UNIT_BYTES},    {"TB", METRIC_UNIT_BYTES},    {"count", METRIC_UNIT_COUNT},
    {"rows", METRIC_UNIT_ROWS},   {"pages", METRIC_UNIT_PAGES}, {"pct", METRIC_UNIT_PCT},
    {"ms", METRIC_UNIT_MS},       {"us", METRIC_UNIT_US},       {"per_s", METRIC_UNIT_PER_S},
};

/* What a reference and a bound are about. */
typedef struct Subject {
    const Design *design;
    const Phase *phase;
    MetricId metric;
} Subject;

static const cJSON *
member(const cJSON *json, const char *key)
{
    return cJSON_GetObjectItemCaseSensitive(json, key);
}

static Status
parse_subject(const Parser *parser, const cJSON *json, Subject *subject, Diag *diag)
{
    size_t design = 0, phase = 0, metric = 0;
    Status status =
        parse_choice(parser, json, "design", parse_design_choices(parser), &design, diag);

    if (status == STATUS_OK)
        status = parse_choice(parser, json, "phase", parse_phase_choices(parser), &phase, diag);
    if (status == STATUS_OK)
        status = parse_choice(parser, json, "metric", parse_metric_choices(), &metric, diag);
    if (status == STATUS_OK)
        *subject = (Subject){&parser->scenario->designs[design], &parser->scenario->phases[phase],
                             (MetricId)metric};
    return status;
}

/* Read value and unit of a reference and bring them to the metric's own unit. */
static Status
parse_value(const Parser *parser, const cJSON *json, MetricId metric, double *value, Diag *diag)
{
    size_t unit = 0;
    uint64_t scale_bytes = 1;
    Status status = json_double(parser->doc, json, "value", value, diag);

    if (status == STATUS_OK && *value < 0)
        status = json_error(parser->doc, member(json, "value"), diag, "must not be negative");
    if (status == STATUS_OK)
        status = parse_choice(parser, json, "unit", CHOICES("unit", UNITS, ARRAY_LEN(UNITS)), &unit,
                              diag);
    if (status != STATUS_OK)
        return status;
    if (UNITS[unit].unit != METRICS[metric].unit)
        return json_error(parser->doc, member(json, "unit"), diag,
                          "\"%s\" is not measured in \"%s\"", METRICS[metric].name,
                          UNITS[unit].name);
    if (units_find_bytes(UNITS[unit].name, &scale_bytes))
        *value = round(*value * (double)scale_bytes);
    if (isinf(*value))
        return json_error(parser->doc, member(json, "value"), diag, "the number is too large");
    return STATUS_OK;
}

/* Read which batch a reference is about; 0 when it is about the phase. */
static Status
parse_batch_or(const Parser *parser, const cJSON *json, const Subject *subject, uint64_t *batch,
               Diag *diag)
{
    Status status =
        json_u64_or(parser->doc, json, "batch", 1, subject->phase->batch_count, batch, diag);

    if (status != STATUS_OK || *batch == 0 || METRICS[subject->metric].scope == METRIC_SCOPE_BATCH)
        return status;
    return json_error(parser->doc, member(json, "batch"), diag,
                      "\"%s\" is measured after a phase, not for each batch",
                      METRICS[subject->metric].name);
}

/* A value that the axis does not have would be at no point at all. */
static Status
check_axis_value(const Parser *parser, const cJSON *json, const SweepAxis *axis, const char *value,
                 Diag *diag)
{
    for (size_t i = 0; i < axis->value_count; i++)
        if (strcmp(axis->values[i], value) == 0)
            return STATUS_OK;
    json_error(parser->doc, json, diag, "\"%.63s\" is no value of \"%s\"", value, axis->name);
    word_hint(value, axis->values, axis->value_count, diag);
    return STATUS_SCENARIO;
}

/* Whether a value of "at" is the one that its axis has at this point. */
static Status
match_axis(const Parser *parser, const cJSON *value, bool *here, Diag *diag)
{
    Status status;
    char number[40];
    const char *text = number;
    size_t i = 0;

    if (cJSON_IsString(value))
        text = value->valuestring;
    else if (cJSON_IsNumber(value))
        snprintf(number, sizeof(number), "%.15g", value->valuedouble);
    else if (cJSON_IsBool(value))
        text = cJSON_IsTrue(value) ? "true" : "false";
    else
        return json_error(parser->doc, value, diag, "must be one value of a list");
    while (i < parser->axis_count && strcmp(parser->axes[i].name, value->string) != 0)
        i++;
    if (i == parser->axis_count)
        return json_error(parser->doc, value, diag, "no list stands under a key \"%.63s\"",
                          value->string);
    status = check_axis_value(parser, value, &parser->axes[i], text, diag);
    *here = *here && strcmp(parser->point[i].value, text) == 0;
    return status;
}

Status
parse_at(const Parser *parser, const cJSON *json, bool *here, Diag *diag)
{
    const cJSON *at = NULL, *value;
    Status status = json_object_or(parser->doc, json, "at", &at, diag);

    *here = true;
    cJSON_ArrayForEach(value, at)
    {
        if (status == STATUS_OK)
            status = match_axis(parser, value, here, diag);
    }
    return status;
}

static Status
parse_reference(const Parser *parser, const cJSON *json, void *item, Diag *diag)
{
    Reference *reference = item;
    const char *source;
    Subject subject;
    Status status = parse_subject(parser, json, &subject, diag);

    if (status == STATUS_OK)
        status = parse_batch_or(parser, json, &subject, &reference->batch, diag);
    if (status == STATUS_OK)
        status = parse_value(parser, json, subject.metric, &reference->value, diag);
    if (status == STATUS_OK)
        status = json_text(parser->doc, json, "source", &source, diag);
    if (status == STATUS_OK)
        status = parse_text_or(parser, json, "source", SOURCE_TEXT_MAX, &reference->source, diag);
    if (status == STATUS_OK)
        status = parse_at(parser, json, &reference->here, diag);
    if (status != STATUS_OK)
        return status;
    reference->design = subject.design->name;
    reference->phase = subject.phase->name;
    reference->metric = subject.metric;
    return STATUS_OK;
}

static bool
is_same_figure(const Reference *a, const Reference *b)
{
    return a->here && b->here && a->metric == b->metric && a->batch == b->batch &&
           strcmp(a->design, b->design) == 0 && strcmp(a->phase, b->phase) == 0;
}

/* One figure, one reference. */
static Status
check_references(const Parser *parser, const cJSON *array, Diag *diag)
{
    const Reference *references = parser->scenario->references;
    const cJSON *json = array->child;

    for (size_t i = 0; i < parser->scenario->reference_count; i++, json = json->next)
        for (size_t j = 0; j < i; j++)
            if (is_same_figure(&references[i], &references[j]))
                return json_error(parser->doc, json, diag, "the same figure as references[%zu]", j);
    return STATUS_OK;
}

/* Those of other points go. */
static void
keep_references(Scenario *scenario)
{
    size_t kept = 0;

    for (size_t i = 0; i < scenario->reference_count; i++)
        if (scenario->references[i].here)
            scenario->references[kept++] = scenario->references[i];
    scenario->reference_count = kept;
}

Status
parse_references(Parser *parser, const cJSON *root, Diag *diag)
{
    static const ListSpec SPEC = {
        "references", 0, REFERENCES_MAX, sizeof(Reference), false, REFERENCE_KEYS, parse_reference};
    Scenario *scenario = parser->scenario;
    void *items = NULL;
    Status status = parse_list(parser, root, &SPEC, &items, &scenario->reference_count, diag);

    scenario->references = items;
    if (status != STATUS_OK || items == NULL)
        return status;
    status = check_references(parser, member(root, SPEC.key), diag);
    if (status == STATUS_OK)
        keep_references(scenario);
    return status;
}

/* Read the other side of a ratio. */
static Status
parse_over(const Parser *parser, const cJSON *json, const Subject *subject, Bound *bound,
           Diag *diag)
{
    const Scenario *scenario = parser->scenario;
    size_t design = 0, phase = (size_t)(subject->phase - scenario->phases);
    Status status;

    if (member(json, "over_design") == NULL && member(json, "over_phase") == NULL)
        return STATUS_OK;
    status = parse_choice(parser, json, "over_design", parse_design_choices(parser), &design, diag);
    if (status == STATUS_OK)
        status =
            parse_choice_or(parser, json, "over_phase", parse_phase_choices(parser), &phase, diag);
    if (status != STATUS_OK)
        return status;
    if (&scenario->designs[design] == subject->design && &scenario->phases[phase] == subject->phase)
        return json_error(parser->doc, member(json, "over_design"), diag,
                          "a figure over itself is always 1");
    bound->over_design = scenario->designs[design].name;
    bound->over_phase = scenario->phases[phase].name;
    return STATUS_OK;
}

static Status
parse_scope(const Parser *parser, const cJSON *json, const Subject *subject, Bound *bound,
            Diag *diag)
{
    const Phase *over = bound->over_phase != NULL
                            ? scenario_find_phase(parser->scenario, bound->over_phase)
                            : subject->phase;
    size_t scope = BOUND_TOTAL;
    Status status = parse_choice_or(parser, json, "scope",
                                    CHOICES("scope", SCOPES, ARRAY_LEN(SCOPES)), &scope, diag);

    if (status != STATUS_OK)
        return status;
    if (scope == BOUND_EACH_BATCH && METRICS[subject->metric].scope != METRIC_SCOPE_BATCH)
        return json_error(parser->doc, member(json, "scope"), diag,
                          "\"%s\" is measured after a phase, not for each batch",
                          METRICS[subject->metric].name);
    if (scope == BOUND_EACH_BATCH && over->batch_count != subject->phase->batch_count)
        return json_error(parser->doc, member(json, "scope"), diag,
                          "phases \"%s\" and \"%s\" have different numbers of batches",
                          subject->phase->name, over->name);
    bound->scope = (BoundScope)scope;
    return STATUS_OK;
}

/* Read the distance from a reference, which is a total and needs no other limit beside it. */
static Status
parse_within(const Parser *parser, const cJSON *json, const Subject *subject, Bound *bound,
             Diag *diag)
{
    const cJSON *within = member(json, "within_pct");
    Status status = json_double_or(parser->doc, json, "within_pct", &bound->within_pct, diag);

    if (status != STATUS_OK || within == NULL)
        return status;
    if (bound->within_pct < 0)
        return json_error(parser->doc, within, diag, "must not be negative");
    if (bound->over_design != NULL || bound->scope != BOUND_TOTAL || member(json, "min") != NULL ||
        member(json, "max") != NULL)
        return json_error(parser->doc, within, diag,
                          "stands without \"min\", \"max\", \"over_design\" and scope "
                          "\"each_batch\"");
    if (bound->here && /* a reference may be of its point alone */
        scenario_find_reference(parser->scenario, subject->design->name, subject->phase->name,
                                subject->metric) == NULL)
        return json_error(parser->doc, within, diag,
                          "there is no reference for \"%s\" of this "
                          "design and phase",
                          METRICS[subject->metric].name);
    return STATUS_OK;
}

static Status
parse_limits(const Parser *parser, const cJSON *json, const Subject *subject, Bound *bound,
             Diag *diag)
{
    Status status;

    bound->min = -INFINITY;
    bound->max = INFINITY;
    bound->within_pct = NAN;
    status = json_double_or(parser->doc, json, "min", &bound->min, diag);
    if (status == STATUS_OK)
        status = json_double_or(parser->doc, json, "max", &bound->max, diag);
    if (status == STATUS_OK)
        status = parse_within(parser, json, subject, bound, diag);
    if (status != STATUS_OK)
        return status;
    if (bound->min > bound->max)
        return json_error(parser->doc, member(json, "min"), diag, "larger than \"max\"");
    if (isinf(bound->min) && isinf(bound->max) && isnan(bound->within_pct))
        return json_error(parser->doc, json, diag,
                          "one of \"min\", \"max\" and \"within_pct\" is needed");
    return STATUS_OK;
}

static Status
parse_bound(const Parser *parser, const cJSON *json, void *item, Diag *diag)
{
    Bound *bound = item;
    Subject subject;
    Status status = parse_name(parser, json, &bound->name, diag);

    if (status == STATUS_OK)
        status = parse_subject(parser, json, &subject, diag);
    if (status == STATUS_OK)
        status = parse_at(parser, json, &bound->here, diag);
    if (status == STATUS_OK)
        status = parse_over(parser, json, &subject, bound, diag);
    if (status == STATUS_OK)
        status = parse_scope(parser, json, &subject, bound, diag);
    if (status == STATUS_OK)
        status = parse_limits(parser, json, &subject, bound, diag);
    if (status != STATUS_OK)
        return status;
    bound->design = subject.design->name;
    bound->phase = subject.phase->name;
    bound->metric = subject.metric;
    return STATUS_OK;
}

/* Those of this point first, then the others, each in the file's order. */
static void
sort_bounds(Scenario *scenario)
{
    size_t total = scenario->bound_count, placed = 0;
    Bound *sorted = arena_alloc(scenario->arena, total, sizeof(*sorted));

    for (size_t i = 0; i < total; i++)
        if (scenario->bounds[i].here)
            sorted[placed++] = scenario->bounds[i];
    scenario->bound_count = placed;
    for (size_t i = 0; i < total; i++)
        if (!scenario->bounds[i].here)
            sorted[placed++] = scenario->bounds[i];
    scenario->bounds = sorted;
    scenario->bound_total = total;
}

Status
parse_bounds(Parser *parser, const cJSON *root, Diag *diag)
{
    static const ListSpec SPEC = {"bounds", 0,          BOUNDS_MAX, sizeof(Bound),
                                  true,     BOUND_KEYS, parse_bound};
    void *items = NULL;
    Status status = parse_list(parser, root, &SPEC, &items, &parser->scenario->bound_count, diag);

    parser->scenario->bounds = items;
    if (status == STATUS_OK)
        sort_bounds(parser->scenario);
    return status;
}
