#include "report/baseline.h"

#include "base/file.h"
#include "base/units.h"
#include "results/result_json.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Room for a check's name without its point: two names of a scenario and a metric's. */
enum { METRIC_PATH_MAX = 256 };

/* What is held to the baseline unless more is asked for. */
static const MetricId METRICS_HELD[] = {
    METRIC_WAL_BYTES,
    METRIC_WAL_RECORD_COUNT,
    METRIC_FPI_COUNT,
    METRIC_LEAF_PAGES,
};

/* One run of the gate. */
typedef struct Gate {
    ResultPairs pairs;
    const ResultPair *pair; /* the point under way */
    const ToleranceList *list;
    Arena *arena;        /* the result's */
    CheckResult *checks; /* made so far */
    size_t count;
} Gate;

/* One figure while it is checked. */
typedef struct Held {
    Figure figure;
    Measured base;
    Tolerance tolerance;
    double worst;      /* the value that is farthest off */
    uint64_t repeat;   /* where it is; 0: nowhere, all is well */
    uint64_t batch;    /* the first batch that is off; 0: none */
    double batch_base; /* what that batch should have, and has */
    double batch_value;
} Held;

Status
baseline_load(const char *path, Result **baseline, Diag *diag)
{
    Result *loaded = NULL;
    Status status;

    if (!file_exists(path))
        return diag_set(diag, STATUS_USAGE, "no baseline \"%s\"", path);
    status = result_load(path, &loaded, diag);
    if (status != STATUS_OK)
        return status;
    if (loaded->status != RESULT_COMPLETE) {
        result_free(loaded);
        diag_set(diag, STATUS_SCENARIO, "baseline \"%s\" is of a run that is not complete", path);
        diag_hint(diag, "Make another one with \"keybench run\".");
        return diag->status;
    }
    *baseline = loaded;
    return STATUS_OK;
}

/* ---- What a check says ---- */

static void
add_check(Gate *gate, const char *name, double value, const char *bound, const char *verdict)
{
    gate->checks[gate->count++] =
        (CheckResult){.name = name, .value = value, .bound = bound, .verdict = verdict};
}

static void
add_obstacle(Gate *gate, const char *name, const PairObstacle *obstacle)
{
    add_check(gate, name, NAN, arena_printf(gate->arena, "as the baseline; %s", obstacle->reason),
              obstacle->missing ? "fail" : "not comparable");
}

void
baseline_print_figure(MetricId metric, double value, char *text)
{
    size_t length;

    if (METRICS[metric].unit == METRIC_UNIT_PCT) {
        units_print_pct(value, 2, text, METRIC_TEXT_SIZE);
        return;
    }
    units_print_count(value, text, METRIC_TEXT_SIZE);
    length = strlen(text);
    if (METRICS[metric].unit == METRIC_UNIT_BYTES)
        snprintf(text + length, METRIC_TEXT_SIZE - length, " bytes");
}

/* The same without its unit, which stands beside it. */
static const char *
print_digits(const Gate *gate, MetricId metric, double value)
{
    char text[METRIC_TEXT_SIZE];

    baseline_print_figure(metric, value, text);
    text[strcspn(text, " ")] = '\0';
    return arena_text(gate->arena, text);
}

static const char *
print_tolerance(const Gate *gate, const Held *held)
{
    MetricId metric = held->figure.metric;
    const char *base = print_digits(gate, metric, held->base.value);
    bool is_pct = METRICS[metric].unit == METRIC_UNIT_PCT;
    double by_pct =
        is_pct ? held->tolerance.pct : fabs(held->base.value) * held->tolerance.pct / 100;

    if (tolerance_is_exact(&held->tolerance))
        return arena_printf(gate->arena, "%s exactly", base);
    if (held->tolerance.slack > by_pct)
        return arena_printf(gate->arena, "%s, give or take %s", base,
                            print_digits(gate, metric, held->tolerance.slack));
    return arena_printf(gate->arena, "within %g%s of %s", held->tolerance.pct,
                        is_pct ? " points" : "%", base);
}

/* "+12", "+2.1%" */
static const char *
print_distance(const Gate *gate, const Held *held, double value, double base)
{
    char text[UNITS_TEXT_SIZE];

    if (METRICS[held->figure.metric].unit == METRIC_UNIT_PCT)
        return arena_printf(gate->arena, "%+.2f points", value - base);
    if (isnan(value) || isnan(base))
        return isnan(base) ? "it has none in the baseline" : "it has none now";
    units_print_count(fabs(value - base), text, sizeof(text));
    if (base == 0 || fabs(value / base - 1) < 0.0005)
        return arena_printf(gate->arena, "%c%s", value < base ? '-' : '+', text);
    return arena_printf(gate->arena, "%c%s (%+.1f%%)", value < base ? '-' : '+', text,
                        (value / base - 1) * 100);
}

static const char *
print_failure(const Gate *gate, const Held *held)
{
    Text text = {0};
    const char *copy;

    text_add(&text, print_tolerance(gate, held));
    if (held->worst != held->base.value)
        text_printf(&text, "; off by %s",
                    print_distance(gate, held, held->worst, held->base.value));
    if (held->batch > 0)
        text_printf(&text, "; batch %" PRIu64 " is the first that differs: %s", held->batch,
                    print_distance(gate, held, held->batch_value, held->batch_base));
    if (held->repeat > 1)
        text_printf(&text, "; in repeat %" PRIu64, held->repeat);
    copy = arena_text(gate->arena, text.data);
    text_release(&text);
    return copy;
}

/* ---- Checking ---- */

/* Whether all batches of one repeat are as the baseline's; notes the first that is not. */
static bool
check_batches(const Gate *gate, Held *held, uint64_t repeat)
{
    const Result *base = gate->pair->base.result, *now = gate->pair->now.result;
    const PhaseResult *phase = figure_find_phase(base, held->figure.design, held->figure.phase);
    Figure figure = held->figure;

    if (METRICS[figure.metric].scope != METRIC_SCOPE_BATCH)
        return true;
    for (figure.batch = 1; figure.batch <= phase->batch_count; figure.batch++) {
        held->batch_base = phase->batches[figure.batch - 1].figures.value[figure.metric];
        held->batch_value = figure_of_repeat(now, &figure, repeat);
        if (held->batch_base != held->batch_value &&
            !(isnan(held->batch_base) && isnan(held->batch_value))) {
            held->batch = figure.batch;
            return false;
        }
    }
    return true;
}

/* Every repeat, to the last digit. */
static bool
check_exactly(const Gate *gate, Held *held)
{
    uint64_t count = figure_repeat_count(gate->pair->now.result);

    for (uint64_t repeat = 1; repeat <= count; repeat++) {
        double value = figure_of_repeat(gate->pair->now.result, &held->figure, repeat);
        bool batches = check_batches(gate, held, repeat);

        if (gate->pair->now.result->part != NULL && isnan(value))
            continue; /* the part has other repeats, or the figure would have been missing */
        if (value == held->base.value && batches)
            continue;
        held->worst = value;
        held->repeat = repeat;
        return false;
    }
    return true;
}

static void
check_held(Gate *gate, const char *name, Held *held)
{
    Measured now = figure_measure(gate->pair->now.result, &held->figure);
    bool holds;

    held->worst = now.value;
    if (!tolerance_is_exact(&held->tolerance)) {
        holds = tolerance_holds(&held->tolerance, held->figure.metric, now.value, held->base.value);
    } else if (held->base.min != held->base.max) {
        PairObstacle obstacle = {"its own repeats differ", false};

        add_obstacle(gate, name, &obstacle);
        return;
    } else {
        holds = check_exactly(gate, held);
    }
    add_check(gate, name, held->worst,
              holds ? print_tolerance(gate, held) : print_failure(gate, held),
              holds ? "pass" : "fail");
}

static bool
is_held(const Gate *gate, MetricId metric)
{
    for (size_t i = 0; i < ARRAY_LEN(METRICS_HELD); i++)
        if (METRICS_HELD[i] == metric)
            return true;
    return gate->list != NULL && gate->list->given[metric];
}

/* A way of inserting that gives no such counter gives none to either side. */
static bool
is_unknown(const Gate *gate, const Figure *figure)
{
    return !(gate->list != NULL && gate->list->given[figure->metric]) &&
           figure_measure(gate->pair->base.result, figure).count == 0 &&
           figure_measure(gate->pair->now.result, figure).count == 0;
}

/* "baseline/second/uuidv4/wal_bytes [writers=8]"; `metric` NULL: of the whole phase. */
static const char *
print_name(const Gate *gate, const char *design, const char *phase, const char *metric)
{
    const char *label = pair_design_label(gate->pair, design);
    bool swept = label[0] != '\0';

    return arena_printf(gate->arena, BASELINE_PREFIX "%s/%s%s%s%s%s%s", phase, design,
                        metric != NULL ? "/" : "", metric != NULL ? metric : "", swept ? " [" : "",
                        label, swept ? "]" : "");
}

static void
check_figure(Gate *gate, const Figure *figure)
{
    Held held = {.figure = *figure};
    PairObstacle obstacle = pair_figure_obstacle(gate->pair, figure);
    const char *name =
        print_name(gate, figure->design, figure->phase, METRICS[figure->metric].name);

    if (obstacle.reason != NULL) {
        add_obstacle(gate, name, &obstacle);
        return;
    }
    held.base = figure_measure(gate->pair->base.result, figure);
    held.tolerance = tolerance_find(gate->pair, figure, gate->list);
    check_held(gate, name, &held);
}

static void
check_phase(Gate *gate, const char *design, const char *phase)
{
    static const PairObstacle NOTHING = {"neither side has a figure to hold", true};
    PairObstacle obstacle = pair_phase_obstacle(gate->pair, design, phase);
    const char *name = print_name(gate, design, phase, NULL);
    size_t before = gate->count;

    if (obstacle.reason != NULL) {
        add_obstacle(gate, name, &obstacle);
        return;
    }
    for (int id = 0; id < METRIC_COUNT; id++) {
        Figure figure = {.design = design, .phase = phase, .metric = (MetricId)id};

        if (is_held(gate, figure.metric) && !is_unknown(gate, &figure))
            check_figure(gate, &figure);
    }
    if (gate->count == before)
        add_obstacle(gate, name, &NOTHING);
}

static void
check_point(Gate *gate, size_t item)
{
    PairNames designs, phases;
    size_t most;

    gate->pair = &gate->pairs.items[item];
    designs = pair_designs(gate->pair);
    phases = pair_phases(gate->pair);
    most = designs.count * phases.count * METRIC_COUNT;
    gate->checks = arena_alloc(gate->arena, most, sizeof(*gate->checks));
    gate->count = 0;
    for (size_t phase = 0; phase < phases.count; phase++)
        for (size_t design = 0; design < designs.count; design++)
            if (!pair_leaves_out(gate->pair, designs.items[design]) &&
                !pairs_repeat_design(&gate->pairs, item, designs.items[design]))
                check_phase(gate, designs.items[design], phases.items[phase]);
}

/* Reasons live as long as the pairs; checks as long as the result. */
static void
append_checks(Result *result, const Gate *gate)
{
    size_t count = result->check_count;
    CheckResult *all = arena_alloc(result->arena, count + gate->count, sizeof(*all));

    if (count > 0)
        memcpy(all, result->checks, count * sizeof(*all));
    if (gate->count > 0)
        memcpy(all + count, gate->checks, gate->count * sizeof(*all));
    result->checks = all;
    result->check_count = count + gate->count;
}

Status
baseline_check(Result *result, const Result *baseline, const ToleranceList *list, bool *all_hold,
               Diag *diag)
{
    const PairSide base = {.name = "baseline", .result = baseline};
    const PairSide now = {.name = "result", .result = result};
    Gate gate = {.list = list, .arena = result->arena};
    Status status = pairs_init(&gate.pairs, &base, &now, diag);
    size_t before = result->check_count;

    for (size_t i = 0; status == STATUS_OK && i < gate.pairs.count; i++) {
        check_point(&gate, i);
        append_checks(result, &gate);
    }
    if (status == STATUS_OK)
        *all_hold = result->check_count > before;
    for (size_t i = before; status == STATUS_OK && i < result->check_count; i++)
        *all_hold = *all_hold && strcmp(result->checks[i].verdict, "pass") == 0;
    pairs_release(&gate.pairs);
    return status;
}

bool
baseline_owns(const char *name)
{
    return strncmp(name, BASELINE_PREFIX, strlen(BASELINE_PREFIX)) == 0;
}

MetricId
baseline_metric(const char *name)
{
    char path[METRIC_PATH_MAX];
    size_t length = strcspn(name, " "); /* the point stands behind */

    if (!baseline_owns(name) || length >= sizeof(path))
        return METRIC_COUNT;
    memcpy(path, name, length);
    path[length] = '\0';
    return metric_find(strrchr(path, '/') + 1);
}
