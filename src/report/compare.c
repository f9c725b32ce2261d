#include "report/compare.h"

#include <math.h>
#include <string.h>

const char *const COMPARE_VERDICTS[COMPARE_VERDICT_COUNT] = {
    [COMPARE_IDENTICAL] = "identical",
    [COMPARE_WITHIN] = "within tolerance",
    [COMPARE_NO_EVIDENCE] = "no evidence of a difference",
    [COMPARE_BETTER] = "better",
    [COMPARE_WORSE] = "worse",
    [COMPARE_NOT] = "not comparable",
};

/* Every figure is a cost but this one. */
static bool
is_better_when_larger(MetricId metric)
{
    return metric == METRIC_LEAF_DENSITY_PCT;
}

static CompareVerdict
judge_direction(MetricId metric, bool larger)
{
    return larger == is_better_when_larger(metric) ? COMPARE_BETTER : COMPARE_WORSE;
}

static bool
is_one_value(const Measured *measured)
{
    return measured->min == measured->max;
}

static void
judge_count(CompareFigure *it)
{
    MetricId metric = it->figure.metric;

    if (it->base.value != 0 && METRICS[metric].unit != METRIC_UNIT_PCT)
        it->ratio = it->now.value / it->base.value;
    if (it->base.value == it->now.value && is_one_value(&it->base) && is_one_value(&it->now))
        it->verdict = COMPARE_IDENTICAL;
    else if (tolerance_holds(&it->tolerance, metric, it->now.value, it->base.value))
        it->verdict = COMPARE_WITHIN;
    else
        it->verdict = judge_direction(metric, it->now.value > it->base.value);
}

/* A time is no fact: only repeats tell whether two of them differ. */
static void
judge_time(const ResultPair *pair, CompareFigure *it)
{
    it->interval =
        figure_ratio_interval(pair->now.result, &it->figure, pair->base.result, &it->figure);
    if (it->base.count < STATS_REPEATS_MIN || it->now.count < STATS_REPEATS_MIN) {
        it->verdict = COMPARE_NOT;
        it->reason = arena_printf(pair->arena,
                                  "it varies from run to run: %d repeats on each side tell, these "
                                  "are %zu and %zu",
                                  STATS_REPEATS_MIN, it->base.count, it->now.count);
    } else if (isnan(it->interval.low)) {
        it->verdict = COMPARE_NOT;
        it->reason = "it is 0 in the base";
    } else if (it->interval.low <= 1 && it->interval.high >= 1) {
        it->verdict = COMPARE_NO_EVIDENCE;
    } else {
        it->ratio = it->now.value / it->base.value;
        it->verdict = judge_direction(it->figure.metric, it->interval.low > 1);
    }
}

/* Compare one figure; false when neither side has it. */
static bool
compare_figure(const ResultPair *pair, const PairObstacle *of_phase, CompareFigure *it)
{
    it->base = figure_measure(pair->base.result, &it->figure);
    it->now = figure_measure(pair->now.result, &it->figure);
    it->ratio = it->interval.low = it->interval.high = NAN;
    if (it->base.count == 0 && it->now.count == 0)
        return false;
    it->tolerance = tolerance_find(pair, &it->figure, NULL);
    it->reason = of_phase->reason != NULL ? of_phase->reason
                                          : pair_figure_obstacle(pair, &it->figure).reason;
    if (it->reason != NULL)
        it->verdict = COMPARE_NOT;
    else if (metric_is_noisy(it->figure.metric))
        judge_time(pair, it);
    else
        judge_count(it);
    return true;
}

static void
compare_phase(Comparison *comparison, const ResultPair *pair, const char *design, const char *phase)
{
    PairObstacle obstacle = pair_phase_obstacle(pair, design, phase);

    for (int id = 0; id < METRIC_COUNT; id++) {
        CompareFigure it = {.pair = pair,
                            .figure = {.design = design, .phase = phase, .metric = (MetricId)id}};

        if (id != METRIC_ROWS && compare_figure(pair, &obstacle, &it))
            comparison->figures[comparison->figure_count++] = it;
    }
}

static void
compare_point(Comparison *comparison, size_t item)
{
    const ResultPair *pair = &comparison->pairs.items[item];
    PairNames designs = pair_designs(pair), phases = pair_phases(pair);

    for (size_t phase = 0; phase < phases.count; phase++)
        for (size_t design = 0; design < designs.count; design++)
            if (!pair_leaves_out(pair, designs.items[design]) &&
                !pairs_repeat_design(&comparison->pairs, item, designs.items[design]))
                compare_phase(comparison, pair, designs.items[design], phases.items[phase]);
}

/* No more figures than the points have together. */
static size_t
most_figures(const ResultPairs *pairs)
{
    size_t count = 0;

    for (size_t i = 0; i < pairs->count; i++)
        count += pair_designs(&pairs->items[i]).count * pair_phases(&pairs->items[i]).count;
    return count * METRIC_COUNT;
}

Status
comparison_init(Comparison *comparison, const Result *base, const Result *now, Diag *diag)
{
    const PairSide base_side = {.name = "base", .result = base};
    const PairSide now_side = {.name = "new result", .result = now};
    Status status;

    *comparison = (Comparison){.base = base, .now = now};
    status = pairs_init(&comparison->pairs, &base_side, &now_side, diag);
    if (status != STATUS_OK)
        return status;
    comparison->figures = arena_alloc(comparison->pairs.arena, most_figures(&comparison->pairs),
                                      sizeof(*comparison->figures));
    for (size_t i = 0; i < comparison->pairs.count; i++)
        compare_point(comparison, i);
    return STATUS_OK;
}

void
comparison_release(Comparison *comparison)
{
    pairs_release(&comparison->pairs);
    *comparison = (Comparison){.figures = NULL};
}

size_t
comparison_count(const Comparison *comparison, CompareVerdict verdict)
{
    size_t count = 0;

    for (size_t i = 0; i < comparison->figure_count; i++)
        count += comparison->figures[i].verdict == verdict;
    return count;
}
