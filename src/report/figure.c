#include "report/figure.h"

#include "base/units.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double KB_BYTES = 1024.0;
static const double MB_BYTES = 1024.0 * 1024.0;

uint64_t
figure_repeat_count(const Result *result)
{
    uint64_t count = 0;

    for (size_t i = 0; i < result->design_count; i++)
        if (result->designs[i].repeat > count)
            count = result->designs[i].repeat;
    return count;
}

static double
figure_of_design(const DesignResult *design, const Figure *figure)
{
    const PhaseResult *phase = design_find_phase(design, figure->phase);

    if (phase == NULL || design->error != NULL) /* of a trial that failed, nothing counts */
        return NAN;
    if (figure->batch == 0)
        return phase_figure(phase, figure->metric);
    if (figure->batch > phase->batch_count)
        return NAN;
    return phase->batches[figure->batch - 1].figures.value[figure->metric];
}

double
figure_of_repeat(const Result *result, const Figure *figure, uint64_t repeat)
{
    const DesignResult *design = result_find_design(result, figure->design, repeat);

    return design != NULL ? figure_of_design(design, figure) : NAN;
}

/* The figure of every repeat that has it; caller frees with free(). */
static double *
collect_repeats(const Result *result, const Figure *figure, size_t *count)
{
    double *values = mem_new(result->design_count + 1, sizeof(*values));

    *count = 0;
    for (size_t i = 0; i < result->design_count; i++) {
        double value = NAN;

        if (strcmp(result->designs[i].name, figure->design) == 0)
            value = figure_of_design(&result->designs[i], figure);
        if (!isnan(value))
            values[(*count)++] = value;
    }
    return values;
}

Measured
figure_measure(const Result *result, const Figure *figure)
{
    Measured measured = {.value = NAN, .min = NAN, .max = NAN};
    double *values = collect_repeats(result, figure, &measured.count);

    if (measured.count > 0) {
        measured.value = stats_median(values, measured.count); /* sorts them */
        if (METRICS[figure->metric].unit == METRIC_UNIT_US)
            measured.value = values[measured.count / 2];
        measured.min = values[0];
        measured.max = values[measured.count - 1];
    }
    free(values);
    return measured;
}

Interval
figure_ratio_interval(const Result *result, const Figure *figure, const Result *over_result,
                      const Figure *over)
{
    size_t count, over_count;
    double *values = collect_repeats(result, figure, &count);
    double *over_values = collect_repeats(over_result, over, &over_count);
    Interval interval = stats_ratio_interval(values, count, over_values, over_count, result->seed);

    free(values);
    free(over_values);
    return interval;
}

bool
figure_has_failed(const Result *result, const char *design)
{
    for (size_t i = 0; i < result->design_count; i++)
        if (result->designs[i].error != NULL && strcmp(result->designs[i].name, design) == 0)
            return true;
    return false;
}

bool
figure_repeat_is_tainted(const Result *result, const char *design, uint64_t repeat,
                         const char *phase)
{
    const DesignResult *trial = result_find_design(result, design, repeat);

    return trial != NULL && result_is_tainted(result, trial, phase);
}

bool
figure_is_tainted(const Result *result, const char *design, const char *phase)
{
    for (uint64_t repeat = 1; repeat <= figure_repeat_count(result); repeat++)
        if (figure_repeat_is_tainted(result, design, repeat, phase))
            return true;
    return false;
}

const PhaseResult *
figure_find_phase(const Result *result, const char *design, const char *phase)
{
    const PhaseResult *found = NULL;

    for (size_t i = 0; found == NULL && i < result->design_count; i++)
        if (strcmp(result->designs[i].name, design) == 0)
            found = design_find_phase(&result->designs[i], phase);
    return found;
}

const Reference *
figure_find_reference(const Scenario *scenario, const Figure *figure)
{
    for (size_t i = 0; i < scenario->reference_count; i++) {
        const Reference *reference = &scenario->references[i];

        if (reference->metric == figure->metric && reference->batch == figure->batch &&
            strcmp(reference->design, figure->design) == 0 &&
            strcmp(reference->phase, figure->phase) == 0)
            return reference;
    }
    return NULL;
}

static bool
is_whole(double value)
{
    return fabs(value - round(value)) < 1e-5; /* sizes were rounded to bytes when they were read */
}

static double
bytes_step(double bytes)
{
    if (is_whole(bytes / MB_BYTES))
        return MB_BYTES;
    if (is_whole(bytes / MB_BYTES * 10))
        return MB_BYTES / 10;
    return is_whole(bytes / KB_BYTES) ? KB_BYTES : 1;
}

double
reference_half_step(MetricId metric, double value)
{
    switch (METRICS[metric].unit) {
    case METRIC_UNIT_BYTES:
        return bytes_step(value) / 2;
    case METRIC_UNIT_PCT:
        return 0.05;
    case METRIC_UNIT_COUNT:
    case METRIC_UNIT_ROWS:
    case METRIC_UNIT_PAGES:
    case METRIC_UNIT_MS:
    case METRIC_UNIT_US:
    case METRIC_UNIT_PER_S:
        break;
    }
    return 0.5;
}

bool
reference_is_met(const Reference *reference, double value)
{
    return fabs(value - reference->value) <=
           reference_half_step(reference->metric, reference->value);
}

double
deviation_pct(double value, double reference)
{
    if (reference == 0)
        return value == 0 ? 0 : NAN;
    return (value / reference - 1) * 100;
}

void
figure_print_short(MetricId metric, double value, char *text)
{
    char *point;

    metric_print(&METRICS[metric], value, text);
    point = strstr(text, ".0");
    if (point != NULL && !isdigit((unsigned char)point[2]))
        memmove(point, point + 2, strlen(point + 2) + 1);
}

void
figure_print_ratio(double ratio, char *text)
{
    if (isnan(ratio) || isinf(ratio))
        snprintf(text, METRIC_TEXT_SIZE, "-");
    else if (fabs(ratio) < 99.95)
        snprintf(text, METRIC_TEXT_SIZE, "%.*fx", ratio < 0.995 ? 2 : 1, ratio);
    else {
        units_print_count(ratio, text, METRIC_TEXT_SIZE - 1);
        strncat(text, "x", 2);
    }
}

static bool
holds_source(const char *sources, const char *source)
{
    size_t length = strlen(source);

    for (const char *at = sources; at != NULL; at = strstr(at, ", ")) {
        at += at > sources ? 2 : 0;
        if (strncmp(at, source, length) == 0 &&
            (at[length] == '\0' || strncmp(at + length, ", ", 2) == 0))
            return true;
    }
    return false;
}

void
figure_add_source(Text *sources, const char *source)
{
    if (!holds_source(text_data(sources), source))
        text_printf(sources, "%s%s", sources->length > 0 ? ", " : "", source);
}

const char *
figure_title(const Design *design)
{
    return design->title[0] != '\0' ? design->title : design->name;
}

const char *
figure_find_title(const Scenario *scenario, const char *design)
{
    const Design *found = scenario_find_design(scenario, design);

    return found != NULL ? figure_title(found) : design;
}

/* Whether in one of its tables another index stands in the primary key's place. */
static bool
features_index(const Design *design)
{
    for (size_t i = 0; i < design->child_count; i++)
        if (design->children[i].featured_index != NULL)
            return true;
    return design->featured_index != NULL;
}

const char *
figure_metric_title(const Scenario *scenario, MetricId metric)
{
    for (size_t i = 0; metric == METRIC_INDEX_BYTES && i < scenario->design_count; i++)
        if (features_index(&scenario->designs[i]))
            return "index";
    return METRICS[metric].title;
}
