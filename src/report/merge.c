#include "report/merge.h"

#include "report/check.h"
#include "report/pair.h"
#include "scenario/plan.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Figures that two measurements of one trial have in common whatever its keys: WAL of a first phase
 * may differ by a hint bit's image. */
static const MetricId SAME[] = {METRIC_ROWS, METRIC_LEAF_PAGES};

typedef struct Merge {
    const MergePart *parts;
    size_t count;
    const Plan *plan;
    Result *merged;
    size_t missing_count; /* trials of the plan that no part completed */
    Diag *diag;
} Merge;

/* A trial, and the part that it is from. */
typedef struct Taken {
    const DesignResult *trial; /* NULL: none */
    const Result *part;
    bool complete;
} Taken;

/* ---- Whether the parts belong together ---- */

static Status
differ(const Merge *merge, const MergePart *part, const char *what, const char *has,
       const char *first_has)
{
    return diag_set(merge->diag, STATUS_USAGE, "\"%s\" has %s %s, but \"%s\" has %s", part->path,
                    what, has, merge->parts[0].path, first_has);
}

static Status
compare_heads(const Merge *merge, const MergePart *part)
{
    const Result *first = merge->parts[0].result, *other = part->result;
    char seeds[2][24];

    if (strcmp(first->scenario_sha256, other->scenario_sha256) != 0)
        return differ(merge, part, "the scenario with SHA-256", other->scenario_sha256,
                      first->scenario_sha256);
    snprintf(seeds[0], sizeof(seeds[0]), "%" PRIu64, first->seed);
    snprintf(seeds[1], sizeof(seeds[1]), "%" PRIu64, other->seed);
    if (first->seed != other->seed)
        return differ(merge, part, "seed", seeds[1], seeds[0]);
    if (strcmp(first->keybench_version, other->keybench_version) != 0)
        return differ(merge, part, "keybench", other->keybench_version, first->keybench_version);
    return STATUS_OK;
}

/* Swept settings differ by trial, and where the programs were found means nothing. */
static Status
compare_servers(const Merge *merge, const MergePart *part)
{
    const Result *first = merge->parts[0].result;

    for (size_t i = 0; i < first->server_count; i++) {
        const char *name = first->server[i].name, *value = first->server[i].value;
        const char *other = result_server_value(part->result, name);

        if (strcmp(value, other) != 0 && strcmp(name, "found_by") != 0 &&
            sweep_find_axis(merge->plan->sweep, name) == NULL)
            return differ(merge, part, name, other, value);
    }
    return STATUS_OK;
}

/* ---- A trial that was measured twice ---- */

static Status
refuse_figure(const Merge *merge, const DesignResult *trial, const Figure *figure, double one,
              double other)
{
    char batch[40] = "";

    if (figure->batch > 0)
        snprintf(batch, sizeof(batch), ", batch %" PRIu64, figure->batch);
    diag_set(merge->diag, STATUS_USAGE,
             "design \"%s\"%s%s, phase \"%s\"%s was measured twice: %s %.17g and %.17g",
             trial->name, trial->sweep_label[0] != '\0' ? " at " : "", trial->sweep_label,
             figure->phase, batch, METRICS[figure->metric].name, one, other);
    diag_hint(merge->diag, "Leave one of the files out; keys that the server makes at random never "
                           "cost the same twice.");
    return STATUS_USAGE;
}

static bool
must_be_same(const ResultPair *pair, const Figure *figure)
{
    for (size_t i = 0; i < ARRAY_LEN(SAME); i++)
        if (SAME[i] == figure->metric)
            return true;
    return pair_is_exact(pair, figure);
}

/* A figure of the phase, and of each of its batches. */
static Status
compare_figure(const Merge *merge, const ResultPair *pair, Figure figure)
{
    const DesignResult *trial = pair->base.result->designs;
    const PhaseResult *phase = design_find_phase(trial, figure.phase);
    uint64_t batches = METRICS[figure.metric].scope == METRIC_SCOPE_BATCH ? phase->batch_count : 0;

    for (; figure.batch <= batches; figure.batch++) {
        double one = figure_of_repeat(pair->base.result, &figure, 1);
        double other = figure_of_repeat(pair->now.result, &figure, 1);

        if (one != other && !(isnan(one) && isnan(other)))
            return refuse_figure(merge, trial, &figure, one, other);
    }
    return STATUS_OK;
}

/* A result of this trial alone, as its only repeat. */
static Result
result_of(const Result *part, DesignResult *trial)
{
    Result result = *part;

    trial->repeat = 1;
    result.designs = trial;
    result.design_count = 1;
    return result;
}

static Status
compare_trials(const Merge *merge, const PlannedTrial *planned, const Taken *a, const Taken *b)
{
    DesignResult trials[2] = {*a->trial, *b->trial};
    const Result base = result_of(a->part, &trials[0]), now = result_of(b->part, &trials[1]);
    const Sweep *sweep = merge->plan->sweep;
    const ResultPair pair = {
        .base = {.result = &base, .sweep = sweep, .scenario = planned->point->scenario},
        .now = {.result = &now, .sweep = sweep, .scenario = planned->point->scenario}};
    Status status = STATUS_OK;

    for (size_t phase = 0; phase < a->trial->phase_count; phase++)
        for (int id = 0; status == STATUS_OK && id < METRIC_COUNT; id++) {
            Figure figure = {.design = a->trial->name,
                             .phase = a->trial->phases[phase].name,
                             .metric = (MetricId)id};

            if (must_be_same(&pair, &figure))
                status = compare_figure(merge, &pair, figure);
        }
    return status;
}

/* ---- Trials ---- */

static void
add_findings(Result *merged, const Result *part, const DesignResult *trial)
{
    for (size_t i = 0; i < part->finding_count; i++)
        if (part->findings[i].design != NULL && finding_is_about(&part->findings[i], trial))
            result_add_finding(merged, &part->findings[i]);
}

/* Measured whole, or skipped by a run that had nothing to complain of. */
static bool
is_done(const Result *part, const DesignResult *trial, size_t phase_count)
{
    return trial != NULL && (design_is_complete(trial, phase_count) ||
                             (trial->error != NULL && part->status == RESULT_COMPLETE));
}

/* Not skipped, and to its end. */
static bool
is_measured(const Taken *taken)
{
    return taken->complete && taken->trial->error == NULL;
}

/* Whether a trial that was not measured says more than another, or why it failed. */
static bool
is_further(const Taken *found, const Taken *than)
{
    if (than->complete)
        return false;
    return than->trial == NULL || found->trial->phase_count > than->trial->phase_count ||
           (found->trial->error != NULL && than->trial->error == NULL);
}

/* The trial as the first part that completed it has it, else as the one that came furthest. */
static Status
take_trial(Merge *merge, const PlannedTrial *trial)
{
    const char *label = sweep_label(merge->merged->arena, trial->sweep, trial->sweep_count);
    size_t phase_count = trial->point->scenario->phase_count;
    Taken best = {.trial = NULL};
    Status status = STATUS_OK;

    for (size_t i = 0; status == STATUS_OK && i < merge->count; i++) {
        const Result *part = merge->parts[i].result;
        Taken found = {result_find_trial(part, trial->design->name, label, trial->repeat), part,
                       false};

        if (found.trial == NULL)
            continue;
        found.complete = is_done(part, found.trial, phase_count);
        if (is_measured(&found) && is_measured(&best))
            status = compare_trials(merge, trial, &best, &found);
        else if (is_measured(&found) || is_further(&found, &best))
            best = found;
    }
    merge->missing_count += !best.complete;
    if (status == STATUS_OK && best.trial != NULL) {
        merge->merged->designs[merge->merged->design_count++] = *best.trial;
        add_findings(merge->merged, best.part, best.trial);
    }
    return status;
}

static Status
take_trials(Merge *merge)
{
    const Plan *plan = merge->plan;
    Result *merged = merge->merged;
    Status status = STATUS_OK;

    merged->designs = arena_alloc(merged->arena, plan->trial_count, sizeof(*merged->designs));
    for (size_t i = 0; status == STATUS_OK && i < plan->trial_count; i++)
        status = take_trial(merge, &plan->trials[i]);
    return status;
}

/* ---- The rest ---- */

/* What was found about a whole part holds for what is made of it. */
static void
join_remarks(const Merge *merge)
{
    for (size_t i = 0; i < merge->count; i++) {
        const Result *part = merge->parts[i].result;

        for (size_t k = 0; k < part->finding_count; k++)
            if (part->findings[k].design == NULL)
                result_add_remark(merge->merged, &part->findings[k]);
        result_note_machines(merge->merged, part->machine, part->machine_count);
    }
}

static void
set_head(const Merge *merge)
{
    Result *merged = merge->merged;
    Arena *arena = merged->arena;

    *merged = *merge->parts[0].result;
    merged->arena = arena;
    merged->part = merged->error = NULL;
    merged->designs = NULL;
    merged->checks = NULL;
    merged->findings = NULL;
    merged->design_count = merged->check_count = merged->finding_count = 0;
    merged->repeats = merge->plan->repeats;
    for (size_t i = 1; i < merge->count; i++) {
        const Result *part = merge->parts[i].result;

        if (strcmp(part->started_utc, merged->started_utc) < 0)
            merged->started_utc = part->started_utc;
        if (part->jobs > merged->jobs)
            merged->jobs = part->jobs;
    }
}

static void
set_status(const Merge *merge)
{
    Result *merged = merge->merged;
    size_t planned = merge->plan->trial_count;

    merged->status = RESULT_COMPLETE;
    if (merge->missing_count == 0)
        return;
    merged->status = RESULT_INTERRUPTED;
    for (size_t i = 0; i < merged->design_count; i++)
        if (merged->designs[i].error != NULL)
            merged->status = RESULT_FAILED;
    merged->error = arena_printf(merged->arena, "%zu of %zu trials are missing or not complete",
                                 merge->missing_count, planned);
    if (merged->design_count < planned)
        merged->part =
            arena_printf(merged->arena, "%zu of %zu trials", merged->design_count, planned);
}

/* What was planned, or where an older file does not say, what is there. */
static uint64_t
repeats_of(const MergePart *parts, size_t count)
{
    uint64_t repeats = 1;

    for (size_t i = 0; i < count; i++) {
        const Result *part = parts[i].result;

        repeats = part->repeats > repeats ? part->repeats : repeats;
        for (size_t k = 0; k < part->design_count; k++)
            if (part->designs[k].repeat > repeats)
                repeats = part->designs[k].repeat;
    }
    return repeats;
}

static Status
merge_planned(Merge *merge)
{
    bool all_hold = false;
    Status status = STATUS_OK;

    set_head(merge);
    for (size_t i = 1; status == STATUS_OK && i < merge->count; i++)
        status = compare_servers(merge, &merge->parts[i]);
    if (status == STATUS_OK)
        status = take_trials(merge);
    if (status != STATUS_OK)
        return status;
    join_remarks(merge);
    set_status(merge);
    return check_bounds(merge->merged, &all_hold, merge->diag);
}

Status
merge_parts(const MergePart *parts, size_t count, Result **merged, Diag *diag)
{
    const Result *first = parts[0].result;
    PlanRequest request = {.repeats = repeats_of(parts, count), .seed = &first->seed};
    Merge merge = {.parts = parts, .count = count, .diag = diag};
    Sweep *sweep = NULL;
    Plan *plan = NULL;
    Status status = STATUS_OK;

    for (size_t i = 1; status == STATUS_OK && i < count; i++)
        status = compare_heads(&merge, &parts[i]);
    if (status == STATUS_OK)
        status = sweep_parse("scenario of the results", first->scenario_text,
                             strlen(first->scenario_text), &sweep, diag);
    if (status == STATUS_OK)
        status = plan_make(sweep, &request, &plan, diag);
    merge.plan = plan;
    merge.merged = result_new();
    if (status == STATUS_OK)
        status = merge_planned(&merge);
    plan_free(plan);
    sweep_free(sweep);
    if (status == STATUS_OK)
        *merged = merge.merged;
    else
        result_free(merge.merged);
    return status;
}
