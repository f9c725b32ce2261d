#include "report/pair.h"

#include <stdlib.h>
#include <string.h>

/* What a figure depends on, beside the inserts themselves. */
typedef enum MetricTrait {
    TRAIT_ALL = 1,     /* every figure has it */
    TRAIT_WAL = 2,     /* bytes of WAL */
    TRAIT_IMAGES = 4,  /* whether pages are logged whole */
    TRAIT_LOG = 8,     /* the layout of the log's files */
    TRAIT_CACHE = 16,  /* what stays in shared buffers */
    TRAIT_TIME = 32,   /* the machine and how it was used */
    TRAIT_DENSITY = 64 /* how pgstatindex counts */
} MetricTrait;

static const unsigned TRAITS[METRIC_COUNT] = {
    [METRIC_WAL_BYTES] = TRAIT_WAL | TRAIT_IMAGES,
    [METRIC_FPI_COUNT] = TRAIT_IMAGES,
    [METRIC_FPI_BYTES] = TRAIT_WAL | TRAIT_IMAGES,
    [METRIC_LSN_BYTES] = TRAIT_WAL | TRAIT_IMAGES | TRAIT_LOG,
    [METRIC_WAL_BUFFERS_FULL_COUNT] = TRAIT_TIME,
    [METRIC_HIT_PAGES] = TRAIT_CACHE,
    [METRIC_READ_PAGES] = TRAIT_CACHE,
    [METRIC_DIRTIED_PAGES] = TRAIT_CACHE,
    [METRIC_WRITTEN_PAGES] = TRAIT_CACHE,
    [METRIC_ELAPSED_MS] = TRAIT_TIME,
    [METRIC_ROWS_PER_S] = TRAIT_TIME,
    [METRIC_TRANSACTIONS_PER_S] = TRAIT_TIME,
    [METRIC_LATENCY_P50_US] = TRAIT_TIME,
    [METRIC_LATENCY_P95_US] = TRAIT_TIME,
    [METRIC_LATENCY_P99_US] = TRAIT_TIME,
    [METRIC_LATENCY_MAX_US] = TRAIT_TIME,
    [METRIC_FAILED_TRANSACTION_COUNT] = TRAIT_TIME,
    [METRIC_FAILED_PCT] = TRAIT_TIME,
    [METRIC_RETRY_COUNT] = TRAIT_TIME,
    [METRIC_LEAF_DENSITY_PCT] = TRAIT_DENSITY,
};

/* Measured on 13 to 19: neither checksums nor the size of the cache change the WAL of a batch. */
static const struct {
    const char *name;
    unsigned traits; /* of the figures that depend on it */
} SETTINGS[] = {
    {"block_size", TRAIT_ALL},
    {"default_table_access_method", TRAIT_ALL},
    {"full_page_writes", TRAIT_IMAGES | TRAIT_TIME},
    {"wal_compression", TRAIT_WAL | TRAIT_TIME},
    {"wal_block_size", TRAIT_LOG},
    {"wal_segment_size", TRAIT_LOG},
    {"shared_buffers", TRAIT_CACHE | TRAIT_TIME},
    {"wal_buffers", TRAIT_TIME},
    {"wal_level", TRAIT_WAL | TRAIT_TIME},
    {"data_checksums", TRAIT_TIME},
    {"fsync", TRAIT_TIME},
    {"synchronous_commit", TRAIT_TIME},
};

/* What a time depends on, of the machine. */
static const char *const MACHINE[] = {"cpu", "core_count", "memory_bytes"};

/* pgstatindex counts 4 bytes of a page less from here on. */
enum { VERSION_DENSITY = 180000 };

bool
metric_is_noisy(MetricId metric)
{
    return (TRAITS[metric] & TRAIT_TIME) != 0;
}

const char *
pair_server_value(const PairSide *side, const char *name)
{
    if (sweep_find_axis(side->sweep, name) != NULL)
        for (size_t i = 0; i < side->scenario->setting_count; i++)
            if (strcmp(side->scenario->settings[i].name, name) == 0)
                return side->scenario->settings[i].value;
    return result_server_value(side->result, name);
}

/* Values that mean the same to the figures. */
static const struct {
    const char *name, *value, *as;
} SYNONYMS[] = {
    {"wal_compression", "on", "pglz"},   /* as it is called from 15 on */
    {"wal_level", "minimal", "replica"}, /* only logical adds to records of inserts */
};

static const char *
setting_value(const PairSide *side, const char *name)
{
    const char *value = pair_server_value(side, name);

    for (size_t i = 0; i < ARRAY_LEN(SYNONYMS); i++)
        if (strcmp(SYNONYMS[i].name, name) == 0 && strcmp(SYNONYMS[i].value, value) == 0)
            return SYNONYMS[i].as;
    return value;
}

/* A setting that one version does not have is no difference. */
static const char *
find_other_setting(const ResultPair *pair, unsigned traits)
{
    for (size_t i = 0; i < ARRAY_LEN(SETTINGS); i++) {
        const char *base = setting_value(&pair->base, SETTINGS[i].name);
        const char *now = setting_value(&pair->now, SETTINGS[i].name);

        if ((SETTINGS[i].traits & traits) != 0 && base[0] != '\0' && now[0] != '\0' &&
            strcmp(base, now) != 0)
            return arena_printf(pair->arena, "%s is %s, not %s", SETTINGS[i].name, now, base);
    }
    return NULL;
}

static const char *
find_value(const NamedValue *values, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(values[i].name, name) == 0)
            return values[i].value;
    return "";
}

static const char *
find_other_machine(const ResultPair *pair)
{
    const Result *base = pair->base.result, *now = pair->now.result;

    for (int which = 0; which < 2; which++)
        if (pair_side(pair, which)->result->jobs > 1)
            return arena_printf(pair->arena, "designs of the %s ran side by side",
                                pair_side(pair, which)->name);
    for (int which = 0; which < 2; which++)
        for (size_t i = 0; i < pair_side(pair, which)->result->finding_count; i++)
            if (strcmp(pair_side(pair, which)->result->findings[i].kind, FINDING_MACHINES) == 0)
                return arena_printf(pair->arena, "the %s is of several machines",
                                    pair_side(pair, which)->name);
    for (size_t i = 0; i < ARRAY_LEN(MACHINE); i++)
        if (strcmp(find_value(base->machine, base->machine_count, MACHINE[i]),
                   find_value(now->machine, now->machine_count, MACHINE[i])) != 0)
            return "times of two machines";
    return NULL;
}

static long
version_of(const PairSide *side)
{
    return strtol(result_server_value(side->result, "version_number"), NULL, 10);
}

/* How many repeats a side must have; a part of a run has those that it says. */
static size_t
repeats_wanted(const PairSide *side, const char *design)
{
    size_t count = 0;

    if (side->result->part == NULL)
        return figure_repeat_count(side->result);
    for (size_t i = 0; i < side->result->design_count; i++)
        count += strcmp(side->result->designs[i].name, design) == 0;
    return count;
}

static const char *
find_missing_figure(const ResultPair *pair, const Figure *figure)
{
    for (int which = 0; which < 2; which++) {
        const PairSide *side = pair_side(pair, which);

        if (figure_measure(side->result, figure).count < repeats_wanted(side, figure->design))
            return arena_printf(pair->arena, "the %s has no %s%s", side->name,
                                METRICS[figure->metric].name,
                                (METRICS[figure->metric].flags & METRIC_OPTIONAL)
                                    ? ", which not every version gives"
                                    : "");
    }
    return NULL;
}

PairObstacle
pair_figure_obstacle(const ResultPair *pair, const Figure *figure)
{
    unsigned traits = TRAITS[figure->metric] | TRAIT_ALL;
    PairObstacle obstacle = {find_missing_figure(pair, figure), false};

    if (obstacle.reason != NULL) {
        obstacle.missing = true;
        return obstacle;
    }
    obstacle.reason = find_other_setting(pair, traits);
    if (obstacle.reason == NULL && (traits & TRAIT_TIME) != 0)
        obstacle.reason = find_other_machine(pair);
    if (obstacle.reason == NULL && (traits & TRAIT_DENSITY) != 0 &&
        (version_of(&pair->base) < VERSION_DENSITY) != (version_of(&pair->now) < VERSION_DENSITY))
        obstacle.reason =
            "PostgreSQL 18 and later count the density 0.05 points lower: see leaf pages";
    return obstacle;
}

/* ---- Exact figures ---- */

static bool
is_exact_metric(MetricId metric)
{
    switch (metric) {
    case METRIC_WAL_BYTES:
    case METRIC_WAL_RECORD_COUNT:
    case METRIC_FPI_COUNT:
    case METRIC_FPI_BYTES:
    case METRIC_INDEX_BYTES:
    case METRIC_LEAF_PAGES:
    case METRIC_INTERNAL_PAGES:
    case METRIC_EMPTY_PAGES:
    case METRIC_DELETED_PAGES:
    case METRIC_LEAF_DENSITY_PCT:
    case METRIC_LEAF_FRAGMENTATION_PCT:
    case METRIC_TREE_LEVEL:
    case METRIC_HEAP_BYTES:
    case METRIC_KEY_BYTES:
    case METRIC_MILLION_ROWS_BYTES:
        return true;
    default:
        return false;
    }
}

/* Whether a column's values are the same on both sides; the column is of the design's own table or
 * of a child. */
static bool
has_same_values(const ResultPair *pair, const Design *design, const Column *column)
{
    bool same_seed = pair->base.result->seed == pair->now.result->seed;

    switch (column->source) {
    case COLUMN_IDENTITY:
    case COLUMN_ROW_NUMBER:
        return true;
    case COLUMN_KEYBENCH:
    case COLUMN_FILLER:
        return same_seed;
    case COLUMN_PARENT:
        return (same_seed || column->pick == PICK_IN_ORDER) &&
               has_same_values(pair, design, &design->columns[design->key_column]);
    case COLUMN_SERVER:
        break;
    }
    /* minted here where the server cannot; the result says so of the key column only */
    if (!column->fallback || column != design_key(design))
        return false;
    for (int which = 0; which < 2; which++) {
        const DesignResult *found =
            result_find_design(pair_side(pair, which)->result, design->name, 1);

        if (found == NULL || strcmp(found->minted_by, "keybench") != 0)
            return false;
    }
    return same_seed;
}

/* Several writers meet in another order on every run. */
static bool
has_one_writer(const Scenario *scenario, const char *phase)
{
    for (size_t i = 0; i < scenario->phase_count; i++) {
        if (scenario->phases[i].writer_count > 1)
            return false;
        if (strcmp(scenario->phases[i].name, phase) == 0)
            break;
    }
    return true;
}

bool
pair_is_first_phase(const ResultPair *pair, const char *phase)
{
    const Phase *phases = pair->now.scenario->phases;
    const Phase *found = scenario_find_phase(pair->now.scenario, phase);

    return found != NULL && phases_rows(phases, (size_t)(found - phases), found->table) == 0;
}

bool
pair_has_same_rows(const ResultPair *pair, const char *name, const char *phase)
{
    const Design *design = scenario_find_design(pair->now.scenario, name);
    const Phase *found = scenario_find_phase(pair->now.scenario, phase);
    const Design *table;

    if (design == NULL || found == NULL || !has_one_writer(pair->now.scenario, phase))
        return false;
    table = design_table(design, found);
    for (size_t i = 0; i < table->column_count; i++)
        if (!has_same_values(pair, design, &table->columns[i]))
            return false;
    return true;
}

/* Whether the plan counted the phase's WAL: the statement alone. */
static bool
is_planned(const ResultPair *pair, const char *name, const Phase *phase)
{
    const Design *design = scenario_find_design(pair->now.scenario, name);

    return phase->load.method == LOAD_INSERT_SELECT && design != NULL &&
           !table_has_foreign_key(design_table(design, phase));
}

/* Images hold log positions, which depend on what else was logged, and shrink a little more or
 * less with them. */
static bool
is_compressed(const ResultPair *pair, MetricId metric)
{
    const char *compression = pair_server_value(&pair->now, "wal_compression");

    return (metric == METRIC_WAL_BYTES || metric == METRIC_FPI_BYTES) && compression[0] != '\0' &&
           strcmp(compression, "off") != 0;
}

bool
pair_is_exact(const ResultPair *pair, const Figure *figure)
{
    const Phase *phase = scenario_find_phase(pair->now.scenario, figure->phase);
    bool of_batches = METRICS[figure->metric].scope == METRIC_SCOPE_BATCH;

    if (phase == NULL || !is_exact_metric(figure->metric) || is_compressed(pair, figure->metric))
        return false;
    if (of_batches &&
        (pair_is_first_phase(pair, figure->phase) || !is_planned(pair, figure->design, phase)))
        return false;
    return pair_has_same_rows(pair, figure->design, figure->phase);
}
