#include "scenario/plan.h"

#include "base/rng.h"
#include "base/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- --only ---- */

enum { CONDITIONS_MAX = 64 };

/* One "name=value"; conditions of one group must hold together, one group is enough. */
typedef struct Condition {
    size_t group;
    const char *name, *value;
} Condition;

typedef struct Filter {
    Condition conditions[CONDITIONS_MAX];
    size_t count, group_count;
} Filter;

static Status
check_value(const SweepAxis *axis, const char *value, Diag *diag)
{
    Text values = {0};

    for (size_t i = 0; i < axis->value_count; i++) {
        if (strcmp(axis->values[i], value) == 0) {
            text_release(&values);
            return STATUS_OK;
        }
        text_printf(&values, "%s%s", i > 0 ? ", " : "", axis->values[i]);
    }
    diag_set(diag, STATUS_USAGE, "\"--only\": \"%s\" is no value of \"%s\"", value, axis->name);
    diag_hint(diag, "Its values are: %s.", text_data(&values));
    text_release(&values);
    return STATUS_USAGE;
}

static Status
refuse_design(const Scenario *scenario, const char *name, Diag *diag)
{
    Text designs = {0};

    for (size_t i = 0; i < scenario->design_count; i++)
        text_printf(&designs, "%s%s", i > 0 ? ", " : "", scenario->designs[i].name);
    diag_set(diag, STATUS_USAGE, "\"--only\": the scenario has no design \"%s\"", name);
    diag_hint(diag, "It has: %s.", text_data(&designs));
    text_release(&designs);
    return STATUS_USAGE;
}

static Status
check_condition(const Sweep *sweep, const Condition *condition, Diag *diag)
{
    const SweepAxis *axis = sweep_find_axis(sweep, condition->name);
    Text axes = {0};

    if (axis != NULL)
        return check_value(axis, condition->value, diag);
    if (strcmp(condition->name, "design") == 0) {
        if (scenario_find_design(sweep_first(sweep), condition->value) != NULL)
            return STATUS_OK;
        return refuse_design(sweep_first(sweep), condition->value, diag);
    }
    for (size_t i = 0; i < sweep->axis_count; i++)
        text_printf(&axes, ", %s", sweep->axes[i].name);
    diag_set(diag, STATUS_USAGE, "\"--only\": \"%s\" is not swept by this scenario",
             condition->name);
    diag_hint(diag, "It has: design%s.", text_data(&axes));
    text_release(&axes);
    return STATUS_USAGE;
}

static Status
read_condition(const Sweep *sweep, char *text, Filter *filter, Diag *diag)
{
    char *equals = strchr(text, '=');
    Condition *condition = &filter->conditions[filter->count];

    if (equals == NULL || equals == text || equals[1] == '\0')
        return diag_set(diag, STATUS_USAGE, "\"--only\": \"%s\" is not NAME=VALUE", text);
    if (filter->count == CONDITIONS_MAX)
        return diag_set(diag, STATUS_USAGE, "\"--only\" has more than %d conditions",
                        CONDITIONS_MAX);
    *equals = '\0';
    *condition = (Condition){filter->group_count, text, equals + 1};
    filter->count++;
    return check_condition(sweep, condition, diag);
}

/* `text` is cut into pieces that the filter keeps. */
static Status
read_filter(const Sweep *sweep, char *text, Filter *filter, Diag *diag)
{
    char *group_rest = NULL;
    Status status = STATUS_OK;

    for (char *group = strtok_r(text, ";", &group_rest); status == STATUS_OK && group != NULL;
         group = strtok_r(NULL, ";", &group_rest)) {
        char *rest = NULL;

        for (char *word = strtok_r(group, ",", &rest); status == STATUS_OK && word != NULL;
             word = strtok_r(NULL, ",", &rest))
            status = read_condition(sweep, word, filter, diag);
        filter->group_count++;
    }
    if (status == STATUS_OK && filter->count == 0)
        status = diag_set(diag, STATUS_USAGE, "\"--only\" says nothing");
    return status;
}

static bool
meets(const PlannedTrial *trial, const Condition *condition)
{
    if (strcmp(condition->name, "design") == 0)
        return strcmp(trial->design->name, condition->value) == 0;
    for (size_t i = 0; i < trial->sweep_count; i++)
        if (strcmp(trial->sweep[i].name, condition->name) == 0)
            return strcmp(trial->sweep[i].value, condition->value) == 0;
    return true; /* the axis does not concern the design */
}

static bool
passes(const Filter *filter, const PlannedTrial *trial)
{
    for (size_t group = 0; group < filter->group_count; group++) {
        bool all = true;

        for (size_t i = 0; i < filter->count; i++)
            if (filter->conditions[i].group == group)
                all = all && meets(trial, &filter->conditions[i]);
        if (all)
            return true;
    }
    return filter->group_count == 0;
}

/* ---- Trials ---- */

static void
set_sweep(Plan *plan, PlannedTrial *trial, size_t design)
{
    const Sweep *sweep = plan->sweep;
    NamedValue *values = arena_alloc(plan->arena, sweep->axis_count, sizeof(*values));

    for (size_t i = 0; i < sweep->axis_count; i++)
        if (sweep->axes[i].concerns[design])
            values[trial->sweep_count++] = trial->point->values[i];
    trial->sweep = values;
}

/* The trials of one repeat that pass. */
static void
add_repeat(Plan *plan, const Filter *filter, const uint64_t *seed, uint64_t repeat)
{
    const Sweep *sweep = plan->sweep;

    for (size_t point = 0; point < sweep->point_count; point++) {
        const Scenario *scenario = sweep->points[point].scenario;

        for (size_t design = 0; design < scenario->design_count; design++) {
            PlannedTrial *trial = &plan->trials[plan->trial_count];

            if (!sweep_measures(sweep, point, design))
                continue;
            *trial = (PlannedTrial){.point = &sweep->points[point],
                                    .design = &scenario->designs[design],
                                    .repeat = repeat,
                                    .seed = seed != NULL ? *seed : scenario->seed};
            set_sweep(plan, trial, design);
            plan->trial_count += passes(filter, trial);
        }
    }
}

static void
keep_shard(Plan *plan, const PlanRequest *request)
{
    size_t kept = 0;

    for (size_t i = 0; i < plan->trial_count; i++)
        if (i % request->shard_count == request->shard - 1)
            plan->trials[kept++] = plan->trials[i];
    plan->trial_count = kept;
}

static void
shuffle(Plan *plan)
{
    Rng rng;

    rng_init(&rng, plan->seed, 0);
    for (size_t i = plan->trial_count; i > 1; i--) {
        size_t other = (size_t)rng_below(&rng, i);
        size_t swapped = plan->order[i - 1];

        plan->order[i - 1] = plan->order[other];
        plan->order[other] = swapped;
    }
}

static void
make_trials(Plan *plan, const PlanRequest *request, const Filter *filter)
{
    const Sweep *sweep = plan->sweep;

    plan->trials = arena_alloc(
        plan->arena, sweep->point_count * sweep_first(sweep)->design_count * plan->repeats + 1,
        sizeof(*plan->trials));
    for (uint64_t repeat = 1; repeat <= plan->repeats; repeat++)
        add_repeat(plan, filter, request->seed, repeat);
    if (request->shard_count > 0)
        keep_shard(plan, request);
    plan->order = arena_alloc(plan->arena, plan->trial_count, sizeof(*plan->order));
    for (size_t i = 0; i < plan->trial_count; i++)
        plan->order[i] = i;
    if (sweep->point_count > 1 || plan->repeats > 1)
        shuffle(plan);
}

static const char *
describe_part(Arena *arena, const PlanRequest *request)
{
    const char *part = request->only != NULL ? arena_printf(arena, "only %s", request->only) : NULL;

    if (request->shard_count == 0)
        return part;
    return arena_printf(arena, "%s%sshard %" PRIu64 "/%" PRIu64, part != NULL ? part : "",
                        part != NULL ? ", " : "", request->shard, request->shard_count);
}

Status
plan_make(const Sweep *sweep, const PlanRequest *request, Plan **plan, Diag *diag)
{
    Arena *arena = arena_new();
    Plan *made = arena_alloc(arena, 1, sizeof(*made));
    Filter filter = {.count = 0};
    Status status = STATUS_OK;

    *made = (Plan){
        .arena = arena,
        .sweep = sweep,
        .repeats = request->repeats > 0 ? request->repeats : sweep_first(sweep)->repeats,
        .seed = request->seed != NULL ? *request->seed : sweep_first(sweep)->seed,
        .part = describe_part(arena, request),
    };
    if (request->only != NULL)
        status = read_filter(sweep, arena_text(arena, request->only), &filter, diag);
    if (status == STATUS_OK)
        make_trials(made, request, &filter);
    if (status == STATUS_OK && made->trial_count == 0)
        status = diag_set(diag, STATUS_USAGE, "no trial is left to measure");
    if (status == STATUS_OK)
        *plan = made;
    else
        arena_free(arena);
    return status;
}

void
plan_free(Plan *plan)
{
    if (plan != NULL)
        arena_free(plan->arena);
}
