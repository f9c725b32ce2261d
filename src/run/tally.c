#include "run/tally.h"

#include "base/clock.h"

#include <stdio.h>
#include <string.h>

void
tally_add_failures(Tally *tally, const char *sqlstate, uint64_t count)
{
    size_t i = 0;

    while (i < tally->failure_count && strcmp(tally->failures[i].sqlstate, sqlstate) != 0)
        i++;
    if (i == TALLY_SQLSTATES_MAX) {
        sqlstate = "other";
        i--;
    }
    if (i == tally->failure_count)
        tally->failure_count++;
    snprintf(tally->failures[i].sqlstate, sizeof(tally->failures[i].sqlstate), "%s", sqlstate);
    tally->failures[i].count += count;
}

void
tally_merge(Tally *sum, const Tally *part)
{
    sum->committed_count += part->committed_count;
    sum->failed_count += part->failed_count;
    sum->retry_count += part->retry_count;
    hist_merge(&sum->latency, &part->latency);
    for (size_t i = 0; i < part->failure_count; i++)
        tally_add_failures(sum, part->failures[i].sqlstate, part->failures[i].count);
}

void
tally_fill(const Tally *tally, Figures *figures)
{
    figures->value[METRIC_TRANSACTION_COUNT] = (double)tally->committed_count;
    figures->value[METRIC_FAILED_TRANSACTION_COUNT] = (double)tally->failed_count;
    figures->value[METRIC_RETRY_COUNT] = (double)tally->retry_count;
}

void
tally_fill_latency(const Tally *tally, Figures *figures)
{
    static const struct {
        MetricId metric;
        double share;
    } PERCENTILES[] = {
        {METRIC_LATENCY_P50_US, 0.50},
        {METRIC_LATENCY_P95_US, 0.95},
        {METRIC_LATENCY_P99_US, 0.99},
    };

    if (tally->latency.count == 0)
        return;
    for (size_t i = 0; i < sizeof(PERCENTILES) / sizeof(PERCENTILES[0]); i++)
        figures->value[PERCENTILES[i].metric] =
            (double)hist_percentile_ns(&tally->latency, PERCENTILES[i].share) / (double)NS_PER_US;
    figures->value[METRIC_LATENCY_MAX_US] = (double)tally->latency.max_ns / (double)NS_PER_US;
}
