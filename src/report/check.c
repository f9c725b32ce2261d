#include "report/check.h"

#include "report/baseline.h"
#include "report/figure.h"
#include "report/points.h"
#include "scenario/reference.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* One bound while it is evaluated. */
typedef struct Check {
    const Result *result; /* of one point */
    const Scenario *scenario;
    const Bound *bound;
    bool swept;          /* its trials are judged each for itself, whatever became of the others */
    double worst;        /* the value that is farthest outside, or nearest to the limit */
    double worst_margin; /* how far outside: above 0 breaks the bound */
    const char *missing; /* why it cannot be evaluated; NULL when it can */
    bool tainted;        /* a ratio, and a side of it is contaminated */
} Check;

static Figure
figure_of_bound(const Bound *bound, uint64_t batch)
{
    return (Figure){
        .design = bound->design, .phase = bound->phase, .metric = bound->metric, .batch = batch};
}

/* The other side of a ratio. */
static Figure
figure_over(const Bound *bound, uint64_t batch)
{
    return (Figure){.design = bound->over_design,
                    .phase = bound->over_phase != NULL ? bound->over_phase : bound->phase,
                    .metric = bound->metric,
                    .batch = batch};
}

/* How far outside a value is, in its own unit or, against a reference, in percent. What rounds to
 * the published figure equals it: a book's "21 MB" is no exact number. */
static double
margin(const Check *check, double value)
{
    const Bound *bound = check->bound;
    Figure figure = figure_of_bound(bound, 0);
    const Reference *reference;

    if (isnan(bound->within_pct))
        return fmax(bound->min - value, value - bound->max);
    reference = figure_find_reference(check->scenario, &figure);
    if (reference_is_met(reference, value))
        return -bound->within_pct;
    return reference->value == 0 ? INFINITY
                                 : fabs(deviation_pct(value, reference->value)) - bound->within_pct;
}

static const char *
explain_missing(const Check *check, const Figure *figure, uint64_t repeat)
{
    const DesignResult *design = result_find_design(check->result, figure->design, repeat);
    Arena *arena = check->result->arena;

    if (design == NULL)
        return arena_printf(arena, "design \"%s\" was not measured", figure->design);
    if (design_find_phase(design, figure->phase) == NULL)
        return arena_printf(arena, "design \"%s\" has no phase \"%s\"", figure->design,
                            figure->phase);
    return arena_printf(arena, "design \"%s\", phase \"%s\" has no %s", figure->design,
                        figure->phase, METRICS[figure->metric].name);
}

static bool
side_is_tainted(const Check *check, const Figure *side, uint64_t repeat)
{
    return figure_repeat_is_tainted(check->result, side->design, repeat, side->phase);
}

/* Read one side of the bound, or note that it is not there. */
static double
read_side(Check *check, const Figure *figure, uint64_t repeat)
{
    double value = figure_of_repeat(check->result, figure, repeat);

    if (isnan(value) && check->missing == NULL)
        check->missing = explain_missing(check, figure, repeat);
    return value;
}

static void
check_value(Check *check, uint64_t batch, uint64_t repeat)
{
    const Bound *bound = check->bound;
    Figure figure = figure_of_bound(bound, batch), over = figure_over(bound, batch);
    double value = read_side(check, &figure, repeat), outside;

    if (bound->over_design != NULL) {
        value /= read_side(check, &over, repeat);
        check->tainted = check->tainted || side_is_tainted(check, &figure, repeat) ||
                         side_is_tainted(check, &over, repeat);
    }
    if (check->missing != NULL)
        return;
    if (!isfinite(value)) {
        check->missing = arena_printf(check->result->arena, "%s of \"%s\" is 0",
                                      METRICS[bound->metric].name, bound->over_design);
        return;
    }
    outside = margin(check, value);
    if (isnan(check->worst) || outside > check->worst_margin) {
        check->worst = value;
        check->worst_margin = outside;
    }
}

/* The batches that the scenario asks for, not those that happen to be there. */
static uint64_t
batch_count(const Check *check)
{
    const Phase *phase = scenario_find_phase(check->scenario, check->bound->phase);

    return phase != NULL ? phase->batch_count : 1;
}

static void
check_repeat(Check *check, uint64_t repeat)
{
    if (check->bound->scope == BOUND_TOTAL) {
        check_value(check, 0, repeat);
        return;
    }
    for (uint64_t batch = 1; batch <= batch_count(check); batch++)
        check_value(check, batch, repeat);
}

static const char *
print_limit(const Check *check, double limit)
{
    char text[METRIC_TEXT_SIZE];

    if (check->bound->over_design != NULL)
        return arena_printf(check->result->arena, "%.6g", limit);
    figure_print_short(check->bound->metric, limit, text);
    return arena_text(check->result->arena, text);
}

/* One value is allowed, so each digit of it counts. */
static bool
is_exact(const Bound *bound)
{
    return bound->min == bound->max && bound->over_design == NULL;
}

static const char *
print_in_full(const Check *check, double value)
{
    char text[METRIC_TEXT_SIZE];

    baseline_print_figure(check->bound->metric, value, text);
    text[strcspn(text, " ")] = '\0'; /* the unit stands beside the value */
    return arena_text(check->result->arena, text);
}

static const char *
print_range(const Check *check)
{
    const Bound *bound = check->bound;
    Arena *arena = check->result->arena;

    if (is_exact(bound))
        return arena_printf(arena, "%s exactly", print_in_full(check, bound->min));
    if (isinf(bound->max))
        return arena_printf(arena, "at least %s", print_limit(check, bound->min));
    if (isinf(bound->min))
        return arena_printf(arena, "at most %s", print_limit(check, bound->max));
    return arena_printf(arena, "%s to %s", print_limit(check, bound->min),
                        print_limit(check, bound->max));
}

static const char *
print_bound(const Check *check)
{
    const Bound *bound = check->bound;
    Figure figure = figure_of_bound(bound, 0);
    const Reference *reference = figure_find_reference(check->scenario, &figure);
    Arena *arena = check->result->arena;

    if (isnan(bound->within_pct))
        return arena_printf(arena, "%s%s", print_range(check),
                            bound->scope == BOUND_EACH_BATCH ? " in each batch" : "");
    if (reference == NULL)
        return arena_printf(arena, "within %g%% of a published figure", bound->within_pct);
    return arena_printf(arena, "within %g%% of %s (%s)", bound->within_pct,
                        print_limit(check, reference->value), reference->source);
}

/* Whether a repeat of both sides was to be measured by this part of a run. */
static bool
is_planned(const Check *check, uint64_t repeat)
{
    const Bound *bound = check->bound;

    return result_find_design(check->result, bound->design, repeat) != NULL &&
           (bound->over_design == NULL ||
            result_find_design(check->result, bound->over_design, repeat) != NULL);
}

/* A part of a run leaves out what is not in it. */
static bool
is_left_out(const Check *check)
{
    uint64_t repeat_count = figure_repeat_count(check->result);

    if (check->result->part == NULL)
        return false;
    for (uint64_t repeat = 1; repeat <= repeat_count; repeat++)
        if (is_planned(check, repeat))
            return false;
    return true;
}

/* Why a trial says nothing; NULL when it was measured to its end. */
static const char *
explain_trial(const Check *check, const DesignResult *trial)
{
    Arena *arena = check->result->arena;
    bool whole = trial->phase_count == check->scenario->phase_count;

    if (trial->error != NULL)
        return arena_printf(arena, "the trial failed: %s", trial->error);
    for (size_t i = 0; i < trial->phase_count; i++)
        whole = whole && trial->phases[i].complete;
    if (whole || check->result->status == RESULT_COMPLETE)
        return NULL;
    return arena_printf(arena, "design \"%s\" was not measured to its end", trial->name);
}

static const char *
find_broken_trial(const Check *check)
{
    const Bound *bound = check->bound;
    const char *reason = NULL;

    for (size_t i = 0; reason == NULL && i < check->result->design_count; i++) {
        const DesignResult *trial = &check->result->designs[i];

        if (strcmp(trial->name, bound->design) == 0 ||
            (bound->over_design != NULL && strcmp(trial->name, bound->over_design) == 0))
            reason = explain_trial(check, trial);
    }
    return reason;
}

static void
evaluate(Check *check)
{
    Figure figure = figure_of_bound(check->bound, 0);
    uint64_t repeat_count = figure_repeat_count(check->result);

    if (!isnan(check->bound->within_pct) &&
        figure_find_reference(check->scenario, &figure) == NULL) {
        check->missing = "nothing was published";
        return;
    }
    if (repeat_count == 0)
        check->missing = "nothing was measured";
    for (uint64_t repeat = 1; repeat <= repeat_count && check->missing == NULL; repeat++)
        if (check->result->part == NULL || is_planned(check, repeat))
            check_repeat(check, repeat);
}

static void
add_reason(const Check *check, CheckResult *verdict, const char *reason)
{
    verdict->bound = arena_printf(check->result->arena, "%s; %s", verdict->bound, reason);
}

/* Why the published figure is of another server; NULL when it is not. In a sweep of settings the
 * scenario says what each point has. */
static const char *
find_other_server(const Check *check)
{
    const Bound *bound = check->bound;
    bool of_images = bound->metric == METRIC_WAL_BYTES || bound->metric == METRIC_FPI_COUNT ||
                     bound->metric == METRIC_FPI_BYTES || bound->metric == METRIC_LSN_BYTES;

    for (size_t i = 0;
         of_images && !check->swept && !isnan(bound->within_pct) && i < REFERENCE_SETTING_COUNT;
         i++) {
        const ReferenceSetting *setting = &REFERENCE_SETTINGS[i];
        const char *found = result_server_value(check->result, setting->name);
        const char *wanted = reference_differs(check->scenario, setting, found);

        if (setting->of_images && wanted != NULL)
            return arena_printf(check->result->arena,
                                "%s is %s, and was %s for the published figure", setting->name,
                                found, wanted);
    }
    return NULL;
}

static void
judge(Check *check, CheckResult *verdict)
{
    const char *broken = check->swept ? find_broken_trial(check) : find_other_server(check);

    if (broken != NULL) {
        add_reason(check, verdict, broken);
        return;
    }
    if (!check->swept && check->result->status != RESULT_COMPLETE)
        return;
    evaluate(check);
    if (check->missing != NULL) {
        add_reason(check, verdict, check->missing);
        verdict->verdict = "fail";
    } else if (check->tainted) {
        add_reason(check, verdict, "contaminated");
    } else {
        verdict->value = check->worst;
        verdict->verdict = check->worst_margin <= 0 ? "pass" : "fail";
    }
}

/* ---- Points ---- */

/* Whether an axis changes what a bound is about. */
static bool
concerns(const SweepAxis *axis, const Scenario *scenario, const char *design)
{
    const Design *found = design != NULL ? scenario_find_design(scenario, design) : NULL;

    return found != NULL && axis->concerns[found - scenario->designs];
}

/* "ratio [writers=8]" */
static const char *
print_name(Arena *arena, const Sweep *sweep, const SweepPoint *point, const Bound *bound)
{
    NamedValue *values = arena_alloc(arena, sweep->axis_count, sizeof(*values));
    size_t count = 0;

    for (size_t i = 0; i < sweep->axis_count; i++)
        if (concerns(&sweep->axes[i], point->scenario, bound->design) ||
            concerns(&sweep->axes[i], point->scenario, bound->over_design))
            values[count++] = point->values[i];
    if (count == 0)
        return arena_text(arena, bound->name);
    return arena_printf(arena, "%s [%s]", bound->name, sweep_label(arena, values, count));
}

/* A bound on what is measured once comes at several points, and is one check. */
static bool
is_known(const Result *result, const CheckResult *check)
{
    for (size_t i = 0; i < result->check_count; i++)
        if (strcmp(result->checks[i].name, check->name) == 0 &&
            strcmp(result->checks[i].bound, check->bound) == 0)
            return true;
    return false;
}

static void
check_point(Result *result, const ResultPoints *points, const SweepPoint *point, const Result *part)
{
    const Scenario *scenario = point->scenario;

    for (size_t i = 0; i < scenario->bound_count; i++) {
        const Bound *bound = &scenario->bounds[i];
        Check check = {.result = part,
                       .scenario = scenario,
                       .bound = bound,
                       .swept = points->sweep->axis_count > 0,
                       .worst = NAN};
        CheckResult verdict = {.value = NAN, .verdict = "not comparable"};

        if (is_left_out(&check))
            continue;
        verdict.name = print_name(result->arena, points->sweep, point, bound);
        verdict.bound = print_bound(&check);
        judge(&check, &verdict);
        if (!is_known(result, &verdict))
            result->checks[result->check_count++] = verdict;
    }
}

/* What was measured at a point; where nothing was, there are no designs. */
static Result
result_at(const Result *result, const ResultPoints *points, const SweepPoint *point)
{
    Result nothing = *result;

    for (size_t i = 0; i < points->count; i++)
        if (points->points[i].point == point)
            return *points->points[i].result;
    nothing.design_count = nothing.finding_count = 0;
    return nothing;
}

Status
check_bounds(Result *result, bool *all_hold, Diag *diag)
{
    ResultPoints points;
    Status status = points_read(result, &points, diag);
    const Sweep *sweep;

    if (status != STATUS_OK)
        return status;
    sweep = points.sweep;
    result->checks =
        arena_alloc(result->arena, sweep->point_count * sweep_first(sweep)->bound_total,
                    sizeof(*result->checks));
    result->check_count = 0;
    for (size_t i = 0; i < sweep->point_count; i++) {
        Result part = result_at(result, &points, &sweep->points[i]);

        check_point(result, &points, &sweep->points[i], &part);
    }
    points_release(&points);
    *all_hold = check_failure_count(result) == 0;
    return STATUS_OK;
}

/* The bound of a check, at whatever point it is. */
static const Bound *
find_bound(const Scenario *scenario, const char *check)
{
    size_t length = strcspn(check, " ");

    for (size_t i = 0; i < scenario->bound_total; i++)
        if (strlen(scenario->bounds[i].name) == length &&
            strncmp(scenario->bounds[i].name, check, length) == 0)
            return &scenario->bounds[i];
    return NULL;
}

void
check_print_value(const Scenario *scenario, const CheckResult *check, char *text)
{
    const Bound *bound = find_bound(scenario, check->name);
    MetricId held = baseline_metric(check->name);

    if (isnan(check->value))
        snprintf(text, METRIC_TEXT_SIZE, "-");
    else if (held != METRIC_COUNT)
        baseline_print_figure(held, check->value, text);
    else if (bound == NULL)
        snprintf(text, METRIC_TEXT_SIZE, "%.6g", check->value);
    else if (bound->over_design != NULL)
        snprintf(text, METRIC_TEXT_SIZE, "%.2fx", check->value);
    else if (is_exact(bound))
        baseline_print_figure(bound->metric, check->value, text);
    else
        metric_print(&METRICS[bound->metric], check->value, text);
}

void
check_complete(Result *result)
{
    static const char *const WORDS[] = {
        [RESULT_COMPLETE] = "", [RESULT_INTERRUPTED] = "interrupted", [RESULT_FAILED] = "failed"};
    CheckResult *all;

    if (result->status == RESULT_COMPLETE)
        return;
    all = arena_alloc(result->arena, result->check_count + 1, sizeof(*all));
    if (result->check_count > 0)
        memcpy(all, result->checks, result->check_count * sizeof(*all));
    all[result->check_count++] = (CheckResult){
        .name = "run",
        .value = NAN,
        .bound = arena_printf(result->arena, "complete; it is %s%s%s", WORDS[result->status],
                              result->error != NULL ? ": " : "",
                              result->error != NULL ? result->error : ""),
        .verdict = "fail",
    };
    result->checks = all;
}

size_t
check_failure_count(const Result *result)
{
    size_t count = 0;

    for (size_t i = 0; i < result->check_count; i++)
        count += strcmp(result->checks[i].verdict, "pass") != 0;
    return count;
}

Status
check_verdict(const Result *result, Diag *diag)
{
    enum { NAMED_MAX = 3 };
    size_t count = check_failure_count(result), named = 0;
    Text names = {0};

    if (count == 0)
        return STATUS_OK;
    for (size_t i = 0; i < result->check_count && named < NAMED_MAX; i++)
        if (strcmp(result->checks[i].verdict, "pass") != 0)
            text_printf(&names, "%s%s", named++ > 0 ? ", " : "", result->checks[i].name);
    diag_set(diag, STATUS_CHECK_FAILED, "%zu of %zu checks %s not hold: %s%s", count,
             result->check_count, count == 1 ? "does" : "do", names.data,
             count > NAMED_MAX ? ", ..." : "");
    text_release(&names);
    return diag->status;
}
