#include "report/tolerance.h"

#include "base/mem.h"
#include "base/words.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Catalogue pages whose hint bits were seen to be logged by a first statement: up to 4, once each.
 * One image takes at most a page and its record. As many pages may be read or not. */
enum { HINT_IMAGES_MAX = 8, IMAGE_MAX_BYTES = 8192 + 64 };

static const double DEFAULT_PCT = 1;

static const struct {
    const char *name;
    MetricId metric;
} SHORT_NAMES[] = {
    {"wal", METRIC_WAL_BYTES},
    {"records", METRIC_WAL_RECORD_COUNT},
    {"fpi", METRIC_FPI_COUNT},
    {"leaves", METRIC_LEAF_PAGES},
};

void
tolerance_list_init(ToleranceList *list)
{
    for (int id = 0; id < METRIC_COUNT; id++) {
        list->pct[id] = NAN;
        list->given[id] = false;
    }
}

static MetricId
find_metric(const char *name)
{
    for (size_t i = 0; i < ARRAY_LEN(SHORT_NAMES); i++)
        if (strcmp(SHORT_NAMES[i].name, name) == 0)
            return SHORT_NAMES[i].metric;
    return metric_find(name);
}

static Status
refuse_name(const char *name, Diag *diag)
{
    const char *words[ARRAY_LEN(SHORT_NAMES) + METRIC_COUNT];
    size_t count = 0;

    for (; count < ARRAY_LEN(SHORT_NAMES); count++)
        words[count] = SHORT_NAMES[count].name;
    for (int id = 0; id < METRIC_COUNT; id++)
        words[count++] = METRICS[id].name;
    diag_set(diag, STATUS_USAGE, "\"--tolerance\" does not know \"%s\"", name);
    word_hint(name, words, count, diag);
    return diag->status;
}

/* "0.5" or "0.5%"; false for all else. */
static bool
read_pct(const char *text, double *pct)
{
    size_t length = strspn(text, "0123456789.");
    const char *rest = text + length;
    char *end = NULL;

    if (length == 0 || (strcmp(rest, "") != 0 && strcmp(rest, "%") != 0))
        return false;
    *pct = strtod(text, &end);
    return end == rest && *pct <= 100;
}

/* Read one "name=percent". */
static Status
read_item(char *item, ToleranceList *list, Diag *diag)
{
    char *sign = strchr(item, '=');
    MetricId metric;

    if (sign == NULL)
        return diag_set(diag, STATUS_USAGE, "\"--tolerance\" needs name=percent, got \"%s\"", item);
    *sign = '\0';
    metric = find_metric(item);
    if (metric == METRIC_COUNT)
        return refuse_name(item, diag);
    if (metric_is_noisy(metric) || metric == METRIC_ROWS)
        return diag_set(diag, STATUS_USAGE, "\"%s\" is never checked against a baseline",
                        METRICS[metric].name);
    if (!read_pct(sign + 1, &list->pct[metric]))
        return diag_set(diag, STATUS_USAGE,
                        "the tolerance of \"%s\" is a percentage from 0 to 100, not \"%s\"", item,
                        sign + 1);
    list->given[metric] = true;
    return STATUS_OK;
}

Status
tolerance_list_read(const char *text, ToleranceList *list, Diag *diag)
{
    char *copy = mem_text(text), *rest = copy, *item;
    Status status = STATUS_OK;

    while (status == STATUS_OK && (item = strsep(&rest, ",")) != NULL)
        status = read_item(item, list, diag);
    free(copy);
    return status;
}

/* How much of a metric catalogue pages can make. */
static double
slack_of(MetricId metric)
{
    switch (metric) {
    case METRIC_FPI_COUNT:
    case METRIC_WAL_RECORD_COUNT:
    case METRIC_HIT_PAGES:
    case METRIC_READ_PAGES:
    case METRIC_DIRTIED_PAGES:
    case METRIC_WRITTEN_PAGES:
        return HINT_IMAGES_MAX;
    case METRIC_WAL_BYTES:
    case METRIC_FPI_BYTES:
    case METRIC_LSN_BYTES:
        return HINT_IMAGES_MAX * IMAGE_MAX_BYTES;
    default:
        return 0;
    }
}

Tolerance
tolerance_find(const ResultPair *pair, const Figure *figure, const ToleranceList *list)
{
    const Design *design = scenario_find_design(pair->now.scenario, figure->design);
    double stated = design != NULL ? design->tolerance_pct[figure->metric] : NAN;
    bool first = pair_is_first_phase(pair, figure->phase);

    if (list != NULL && list->given[figure->metric])
        return (Tolerance){list->pct[figure->metric], first ? slack_of(figure->metric) : 0};
    if (!isnan(stated))
        return (Tolerance){stated, first ? slack_of(figure->metric) : 0};
    if (pair_is_exact(pair, figure))
        return (Tolerance){0, 0};
    return (Tolerance){DEFAULT_PCT, slack_of(figure->metric)};
}

bool
tolerance_holds(const Tolerance *tolerance, MetricId metric, double value, double base)
{
    double allowed = METRICS[metric].unit == METRIC_UNIT_PCT ? tolerance->pct
                                                             : fabs(base) * tolerance->pct / 100;

    return value == base || fabs(value - base) <= fmax(allowed, tolerance->slack);
}

bool
tolerance_is_exact(const Tolerance *tolerance)
{
    return tolerance->pct == 0 && tolerance->slack == 0;
}
