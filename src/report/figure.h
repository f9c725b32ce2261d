/*
 * One figure of a result, over all repeats, and what was published about it. Tables, checks and
 * charts read results through this module, so that they agree.
 */
#ifndef KB_REPORT_FIGURE_H
#define KB_REPORT_FIGURE_H

#include "base/stats.h"
#include "base/text.h"
#include "results/result.h"
#include "scenario/scenario.h"

/* Which figure. */
typedef struct Figure {
    const char *design, *phase;
    MetricId metric;
    uint64_t batch; /* 1..: of this batch alone; 0: of the phase */
} Figure;

/* A figure over the repeats of its design. */
typedef struct Measured {
    double value; /* the median of the repeats that have it; NAN when none has. Of two middle
                     latencies the higher: percentiles are never averaged. */
    double min, max;
    size_t count; /* repeats that have it */
} Measured;

/* The largest number of repeats of any design; 0 when nothing was measured. */
uint64_t figure_repeat_count(const Result *result);

/* The figure of one repeat, 1.. ; NAN when it is not there. */
double figure_of_repeat(const Result *result, const Figure *figure, uint64_t repeat);

Measured figure_measure(const Result *result, const Figure *figure);

/* The 95% interval of the ratio of two figures' medians over their repeats; NAN when there are
 * fewer than STATS_REPEATS_MIN. Times have no other ratio. */
Interval figure_ratio_interval(const Result *result, const Figure *figure,
                               const Result *over_result, const Figure *over);

/* Whether some trial of a design failed. */
bool figure_has_failed(const Result *result, const char *design);

/* Whether a finding taints one repeat of a design's phase. */
bool figure_repeat_is_tainted(const Result *result, const char *design, uint64_t repeat,
                              const char *phase);

/* Whether some repeat of a design's phase is contaminated, so that no ratio may be made of it. */
bool figure_is_tainted(const Result *result, const char *design, const char *phase);

/* The phase as the first repeat that has it measured it; borrowed, NULL when none has. */
const PhaseResult *figure_find_phase(const Result *result, const char *design, const char *phase);

/* Borrowed; NULL when nothing was published. */
const Reference *figure_find_reference(const Scenario *scenario, const Figure *figure);

/*
 * Half of the last digit that a published figure has: a book that prints "21 MB" means 20.5 to 21.5
 * MB. Sizes are taken to be printed in whole MB, tenths of a MB, whole kB or bytes, whichever is
 * the coarsest that holds the value; percentages with one decimal; counts in full.
 */
double reference_half_step(MetricId metric, double value);

/* Whether a measured value rounds to the published one. */
bool reference_is_met(const Reference *reference, double value);

/* How far `value` is from `reference` in percent: 0 for 0 against 0, NAN for others against 0. */
double deviation_pct(double value, double reference);

/* As metric_print, but ".0" is left out: "130 MB", "90%". `text` has METRIC_TEXT_SIZE bytes. */
void figure_print_short(MetricId metric, double value, char *text);

/* "3.8x", from 100 on without decimals: "1,816x". `text` has METRIC_TEXT_SIZE bytes. */
void figure_print_ratio(double ratio, char *text);

/* Append a source to a list "a, b", unless it is there. */
void figure_add_source(Text *sources, const char *source);

/* A design's title, or its name when that is empty; borrowed. */
const char *figure_title(const Design *design);

/* A metric's title; that of the index, where a design shows another than the primary key's, is
 * "index". */
const char *figure_metric_title(const Scenario *scenario, MetricId metric);

/* The title of the design of that name, or the name when the scenario has none; borrowed. */
const char *figure_find_title(const Scenario *scenario, const char *design);

#endif
