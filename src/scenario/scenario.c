#include "scenario/scenario.h"

#include "base/clock.h"
#include "base/diag.h"

#include <string.h>

/* 2025-01-01 00:00 UTC */
#define MINTING_START_NS (UINT64_C(1735689600) * NS_PER_S)

const Generator GENERATORS[] = {
    {"gen_random_uuid", "pg_catalog.gen_random_uuid()", 13, "uuid", NULL},
    {"uuidv4", "pg_catalog.uuidv4()", 18, "uuid", NULL},
    {"uuidv7", "pg_catalog.uuidv7()", 18, "uuid", NULL},
    {"typeid", "keybench.base32_encode(pg_catalog.uuidv7())", 18, "text",
     "scenarios/sql/base32.sql"},
};
const size_t GENERATOR_COUNT = ARRAY_LEN(GENERATORS);

void
scenario_free(Scenario *scenario)
{
    if (scenario != NULL)
        arena_free(scenario->arena);
}

const Column *
design_find_column(const Design *design, const char *name)
{
    for (size_t i = 0; i < design->column_count; i++)
        if (strcmp(design->columns[i].name, name) == 0)
            return &design->columns[i];
    return NULL;
}

const Column *
design_key(const Design *design)
{
    if (design->featured_index != NULL)
        return design_find_column(design, design->featured_index->columns[0]);
    return design->key_column != NO_COLUMN ? &design->columns[design->key_column] : NULL;
}

const Design *
scenario_find_design(const Scenario *scenario, const char *name)
{
    for (size_t i = 0; i < scenario->design_count; i++)
        if (strcmp(scenario->designs[i].name, name) == 0)
            return &scenario->designs[i];
    return NULL;
}

const Phase *
scenario_find_phase(const Scenario *scenario, const char *name)
{
    for (size_t i = 0; i < scenario->phase_count; i++)
        if (strcmp(scenario->phases[i].name, name) == 0)
            return &scenario->phases[i];
    return NULL;
}

const Reference *
scenario_find_reference(const Scenario *scenario, const char *design, const char *phase,
                        MetricId metric)
{
    for (size_t i = 0; i < scenario->reference_count; i++) {
        const Reference *reference = &scenario->references[i];

        if (reference->metric == metric && reference->batch == 0 &&
            strcmp(reference->design, design) == 0 && strcmp(reference->phase, phase) == 0)
            return reference;
    }
    return NULL;
}

const Generator *
generator_find(const char *name)
{
    for (size_t i = 0; i < GENERATOR_COUNT; i++)
        if (strcmp(GENERATORS[i].name, name) == 0)
            return &GENERATORS[i];
    return NULL;
}

const ColumnClock *
column_find_clock(const Column *column, const char *phase)
{
    for (size_t i = 0; i < column->clock_count; i++)
        if (strcmp(column->clocks[i].phase, phase) == 0)
            return &column->clocks[i];
    return NULL;
}

const Design *
design_table(const Design *design, const Phase *phase)
{
    if (phase->table == NULL)
        return design;
    for (size_t i = 0; i < design->child_count; i++)
        if (strcmp(design->children[i].name, phase->table) == 0)
            return &design->children[i];
    return NULL;
}

bool
table_has_foreign_key(const Design *table)
{
    for (size_t i = 0; i < table->column_count; i++)
        if (table->columns[i].foreign_key)
            return true;
    return false;
}

Minting
column_minting(const Column *column, const Phase *phases, size_t phase)
{
    Minting minting = {column->format, column->form};

    for (size_t i = 0; i <= phase; i++)
        for (size_t k = 0; k < column->switch_count; k++)
            if (strcmp(column->switches[k].phase, phases[i].name) == 0)
                minting = (Minting){column->switches[k].format, column->switches[k].form};
    return minting;
}

static bool
is_indexed(const Design *table, const char *column)
{
    for (size_t i = 0; i < table->index_count; i++)
        for (size_t k = 0; k < table->indexes[i].column_count; k++)
            if (strcmp(table->indexes[i].columns[k], column) == 0)
                return true;
    return false;
}

const Column *
table_updated_column(const Design *table)
{
    for (size_t i = 0; i < table->column_count; i++)
        if (table->columns[i].source == COLUMN_FILLER && table->columns[i].filler_bytes > 0 &&
            !is_indexed(table, table->columns[i].name))
            return &table->columns[i];
    return NULL;
}

const char *
action_name(Action action)
{
    static const char *const NAMES[] = {
        [ACTION_INSERT] = "insert",
        [ACTION_READ] = "read",
        [ACTION_UPDATE] = "update",
        [ACTION_DELETE] = "delete",
        [ACTION_VACUUM] = "vacuum",
        [ACTION_REINDEX] = "reindex",
        [ACTION_CHECKPOINT] = "checkpoint",
        [ACTION_WAIT] = "wait",
        [ACTION_NONE] = "none",
    };

    return NAMES[action];
}

bool
action_finds_rows(Action action)
{
    return action == ACTION_READ || action == ACTION_UPDATE || action == ACTION_DELETE;
}

const Column *
table_row_number(const Design *table)
{
    for (size_t i = 0; i < table->column_count; i++)
        if (table->columns[i].source == COLUMN_ROW_NUMBER)
            return &table->columns[i];
    return NULL;
}

bool
phase_is_about(const Phase *phase, const char *table)
{
    if (phase->table == NULL || table == NULL)
        return phase->table == table;
    return strcmp(phase->table, table) == 0;
}

uint64_t
phase_inserted_rows(const Phase *phase)
{
    return phase->action == ACTION_INSERT ? phase->rows : 0;
}

uint64_t
phases_rows(const Phase *phases, size_t count, const char *table)
{
    uint64_t rows = 0;

    for (size_t i = 0; i < count; i++)
        if (phase_is_about(&phases[i], table))
            rows += phase_inserted_rows(&phases[i]);
    return rows;
}

uint64_t
phases_left_rows(const Phase *phases, size_t count, const char *table)
{
    uint64_t rows = phases_rows(phases, count, table);

    for (size_t i = 0; i < count; i++)
        if (phases[i].action == ACTION_DELETE && phase_is_about(&phases[i], table))
            rows -= phases[i].rows;
    return rows;
}

uint64_t
phase_writer_rows(const Phase *phase, uint64_t writer)
{
    uint64_t batch_rows = phase->rows / phase->batch_count;

    return batch_rows / phase->writer_count + (writer < batch_rows % phase->writer_count ? 1 : 0);
}

/* The clock of one phase, when the latest moment used before is `now_ns`; moves it on, to a whole
 * millisecond: a Snowflake counts from 0 again in each. */
static KeyClock
next_clock(const Column *column, const Phase *phase, uint64_t *now_ns)
{
    const ColumnClock *clock = column_find_clock(column, phase->name);
    KeyClock next = {.mode = KEY_CLOCK_STEP, .start_ns = *now_ns};
    /* As if all writers had as many rows as the first: they share a clock that makes no id twice.
     */
    uint64_t ids = phase_writer_rows(phase, 0) * phase->batch_count * phase->writer_count;
    uint64_t end_ns;

    if (clock == NULL) {
        next.step_ns = NS_PER_MS / column->ids_per_ms;
        end_ns = next.start_ns + ids * next.step_ns;
    } else {
        next.mode = clock->spread == CLOCK_EVEN ? KEY_CLOCK_STEP : KEY_CLOCK_WINDOW;
        next.start_ns = MINTING_START_NS + clock->start_s * NS_PER_S;
        next.span_ns = clock->span_s * NS_PER_S;
        next.step_ns = next.span_ns / ids;
        end_ns = next.start_ns + next.span_ns;
    }
    if (end_ns > *now_ns)
        *now_ns = (end_ns + NS_PER_MS - 1) / NS_PER_MS * NS_PER_MS;
    return next;
}

KeyParams
column_key_params(const Column *column, const Phase *phases, size_t phase, uint64_t writer,
                  uint64_t seed)
{
    uint64_t writers = phases[phase].writer_count, now_ns = MINTING_START_NS;
    KeyParams params = column->params;

    for (size_t i = 0; i <= phase; i++)
        if (phases[i].action == ACTION_INSERT && phase_is_about(&phases[i], phases[phase].table))
            params.clock = next_clock(column, &phases[i], &now_ns);
    if (params.clock.mode == KEY_CLOCK_STEP)
        params.clock.start_ns += writer * params.clock.step_ns;
    params.clock.step_ns *= writers;
    params.machine += (unsigned)writer * params.node_count;
    params.seeded = true;
    params.seed = seed;
    return params;
}

bool
column_travels(const Column *column)
{
    return column->source != COLUMN_IDENTITY && column->source != COLUMN_SERVER;
}

uint64_t
phase_batch_rows(const Phase *phase)
{
    return phase->rows / phase->batch_count;
}

uint64_t
phase_rows_per_checkpoint(const Phase *phase)
{
    return phase_batch_rows(phase) * phase->batches_per_checkpoint;
}
