#include "run/outlook.h"

#include "base/mem.h"
#include "base/units.h"

#include <stdio.h>

static const double LEAF_PAGES_LEAST = 20;

/* ---- Before ---- */

static bool
is_of_log(MetricId metric)
{
    return metric == METRIC_WAL_BYTES || metric == METRIC_FPI_COUNT || metric == METRIC_FPI_BYTES ||
           metric == METRIC_LSN_BYTES;
}

/* Whether the scenario shows or bounds what checkpoints change. */
static bool
asks_for_log(const Scenario *scenario)
{
    for (size_t i = 0; i < scenario->bound_count; i++)
        if (is_of_log(scenario->bounds[i].metric))
            return true;
    for (size_t i = 0; i < scenario->table_count; i++)
        for (size_t k = 0; k < scenario->tables[i].metric_count; k++)
            if (is_of_log(scenario->tables[i].metrics[k]))
                return true;
    return false;
}

static bool
shows_images(const Scenario *scenario, size_t number)
{
    const Phase *phase = &scenario->phases[number];
    uint64_t cycle_rows = phase_rows_per_checkpoint(phase);

    return phase->action != ACTION_READ && cycle_rows > 0 &&
           cycle_rows <= phases_rows(scenario->phases, number, phase->table);
}

static bool
hides_images(const Scenario *scenario, const Design *design)
{
    if (!volume_key_is_random(scenario, design) || !asks_for_log(scenario))
        return false;
    for (size_t i = 0; i < scenario->phase_count; i++)
        if (shows_images(scenario, i))
            return false;
    return true;
}

void
outlook_judge_scale(const PlannedTrial *trial,
                    void (*report)(void *context, const Finding *finding), void *context)
{
    const Scenario *scenario = trial->point->scenario;
    uint64_t rows = phases_rows(scenario->phases, scenario->phase_count, NULL);
    double pages = volume_key_pages(scenario, trial->design, (double)rows);
    char detail[256];
    Finding finding = {.kind = "scale", .design = trial->design->name, .detail = detail};

    if (pages > 0 && pages < LEAF_PAGES_LEAST) {
        snprintf(
            detail, sizeof(detail),
            "the key's index has about %.0f leaf pages, so one page more or less is %.0f%%: too "
            "small to show what the key costs",
            pages + 0.5, 100 / pages);
        report(context, &finding);
    }
    if (hides_images(scenario, trial->design)) {
        finding.detail =
            "one statement between checkpoints hides the effect: in no phase do fewer "
            "rows go in between two checkpoints than were there before, so a page gets "
            "one image for many rows";
        report(context, &finding);
    }
}

/* ---- After ---- */

void
outlook_judge_volume(const PlannedTrial *trial, const DesignResult *measured,
                     void (*report)(void *context, const Finding *finding), void *context)
{
    Volume written = volume_written(trial, measured);
    const struct {
        const char *what;
        double predicted_bytes, written_bytes;
    } parts[] = {
        {"WAL", measured->predicted_wal_bytes, written.wal_bytes},
        {"tables", measured->predicted_table_bytes, written.table_bytes},
    };

    for (size_t i = 0; i < ARRAY_LEN(parts); i++) {
        char predicted[UNITS_TEXT_SIZE], found[UNITS_TEXT_SIZE], detail[256];
        const Finding finding = {.kind = "volume", .design = measured->name, .detail = detail};

        if (!volume_is_off(parts[i].predicted_bytes, parts[i].written_bytes))
            continue;
        units_print_bytes(parts[i].predicted_bytes, 0, predicted, sizeof(predicted));
        units_print_bytes(parts[i].written_bytes, 0, found, sizeof(found));
        snprintf(detail, sizeof(detail),
                 "about %s of %s were expected, and %s written: plan the disk by what was written",
                 predicted, parts[i].what, found);
        report(context, &finding);
    }
}
