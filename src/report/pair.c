#include "report/pair.h"

#include "base/units.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const PairSide *
pair_side(const ResultPair *pair, int which)
{
    return which == 0 ? &pair->base : &pair->now;
}

static void
add_name(PairNames *names, const char *name)
{
    for (size_t i = 0; i < names->count; i++)
        if (strcmp(names->items[i], name) == 0)
            return;
    names->items[names->count++] = name;
}

PairNames
pair_designs(const ResultPair *pair)
{
    const Scenario *base = pair->base.scenario, *now = pair->now.scenario;
    size_t most = base->design_count + now->design_count;
    PairNames names = {arena_alloc(pair->arena, most, sizeof(const char *)), 0};

    for (size_t i = 0; i < base->design_count; i++)
        add_name(&names, base->designs[i].name);
    for (size_t i = 0; i < now->design_count; i++)
        add_name(&names, now->designs[i].name);
    return names;
}

PairNames
pair_phases(const ResultPair *pair)
{
    const Scenario *base = pair->base.scenario, *now = pair->now.scenario;
    size_t most = base->phase_count + now->phase_count;
    PairNames names = {arena_alloc(pair->arena, most, sizeof(const char *)), 0};

    for (size_t i = 0; i < base->phase_count; i++)
        add_name(&names, base->phases[i].name);
    for (size_t i = 0; i < now->phase_count; i++)
        add_name(&names, now->phases[i].name);
    return names;
}

static const char *
find_broken_run(const ResultPair *pair)
{
    for (int which = 0; which < 2; which++) {
        const PairSide *side = pair_side(pair, which);

        if (side->sweep->axis_count > 0)
            continue; /* there each trial counts for itself */
        if (side->result->status == RESULT_INTERRUPTED)
            return arena_printf(pair->arena, "the %s was interrupted", side->name);
        if (side->result->status == RESULT_FAILED)
            return arena_printf(pair->arena, "the %s failed", side->name);
    }
    return NULL;
}

/* Why a trial that is there has no such phase; NULL when it has. */
static const char *
find_cut(const ResultPair *pair, const PairSide *side, const DesignResult *trial, const char *phase)
{
    const PhaseResult *measured = design_find_phase(trial, phase);

    if (measured != NULL && measured->complete)
        return NULL;
    if (trial->error != NULL)
        return arena_printf(pair->arena, "design \"%s\" failed in the %s: %s", trial->name,
                            side->name, trial->error);
    if (measured == NULL)
        return arena_printf(pair->arena, "phase \"%s\" is not in the %s", phase, side->name);
    return arena_printf(pair->arena, "phase \"%s\" of the %s was not measured to its end", phase,
                        side->name);
}

/* Every repeat must be there, and whole. */
static const char *
find_hole(const ResultPair *pair, const PairSide *side, const char *design, const char *phase)
{
    uint64_t count = figure_repeat_count(side->result);

    for (uint64_t repeat = 1; repeat <= count || repeat == 1; repeat++) {
        const DesignResult *found = result_find_design(side->result, design, repeat);
        const char *cut = found != NULL ? find_cut(pair, side, found, phase) : NULL;

        if (side->absent)
            return arena_printf(pair->arena, "%s is only in the %s", pair->label,
                                side == &pair->base ? pair->now.name : pair->base.name);
        if (found == NULL && pair_has_trial(side, design) && side->result->part != NULL)
            continue; /* the part has other repeats */
        if (found == NULL && repeat > 1)
            return arena_printf(pair->arena, "repeat %" PRIu64 " of design \"%s\" is not in the %s",
                                repeat, design, side->name);
        if (found == NULL)
            return arena_printf(pair->arena, "design \"%s\" is not in the %s", design, side->name);
        if (cut != NULL)
            return cut;
    }
    return NULL;
}

/* What contaminated a phase: "checkpoint, batch 3". */
static const char *
find_taint(const ResultPair *pair, const PairSide *side, const char *design, const char *phase)
{
    for (size_t i = 0; i < side->result->finding_count; i++) {
        const Finding *finding = &side->result->findings[i];

        if (!finding_taints(finding) ||
            (finding->design != NULL && strcmp(finding->design, design) != 0) ||
            (finding->phase != NULL && strcmp(finding->phase, phase) != 0))
            continue;
        if (finding->batch == 0)
            return arena_printf(pair->arena, "the %s is contaminated: %s", side->name,
                                finding->kind);
        return arena_printf(pair->arena, "the %s is contaminated: %s in batch %" PRIu64, side->name,
                            finding->kind, finding->batch);
    }
    return NULL;
}

/* The JSON of a named item of the scenario, without what changes no figure. Caller deletes. */
static cJSON *
copy_design(const PairSide *side, const char *design)
{
    static const char *const IDLE_KEYS[] = {"title", "tolerance_pct"};
    const cJSON *item;
    cJSON *copy = NULL;

    cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(side->document, "designs"))
    {
        const cJSON *name = cJSON_GetObjectItemCaseSensitive(item, "name");

        if (copy == NULL && cJSON_IsString(name) && strcmp(name->valuestring, design) == 0)
            copy = cJSON_Duplicate(item, true);
    }
    for (size_t i = 0; i < ARRAY_LEN(IDLE_KEYS); i++)
        cJSON_DeleteItemFromObjectCaseSensitive(copy, IDLE_KEYS[i]);
    return copy;
}

static const char *
find_other_design(const ResultPair *pair, const char *design)
{
    cJSON *base = copy_design(&pair->base, design), *now = copy_design(&pair->now, design);
    bool same = base != NULL && now != NULL && cJSON_Compare(base, now, true);

    cJSON_Delete(base);
    cJSON_Delete(now);
    return same ? NULL
                : arena_printf(pair->arena, "design \"%s\" is another one in the two scenarios",
                               design);
}

static const char *
print_cadence(const ResultPair *pair, const Phase *phase)
{
    uint64_t rows = phase_rows_per_checkpoint(phase);
    char text[UNITS_TEXT_SIZE];

    if (rows == 0)
        return "no checkpoints";
    units_print_count((double)rows, text, sizeof(text));
    return arena_printf(pair->arena, "%s rows between checkpoints", text);
}

static const char *
print_whole(const ResultPair *pair, uint64_t number)
{
    char text[UNITS_TEXT_SIZE];

    units_print_count((double)number, text, sizeof(text));
    return arena_text(pair->arena, text);
}

static bool
is_same_load(const Load *a, const Load *b)
{
    return a->method == b->method && a->rows_per_statement == b->rows_per_statement &&
           a->rows_per_transaction == b->rows_per_transaction && a->pipeline == b->pipeline;
}

/* What differs in how a phase is made; NULL when nothing does. */
static const char *
find_other_work(const ResultPair *pair, const Phase *base, const Phase *now)
{
    if (strcmp(base->name, now->name) != 0)
        return arena_printf(pair->arena, "phase \"%s\" is where phase \"%s\" was", now->name,
                            base->name);
    if (base->rows != now->rows)
        return arena_printf(pair->arena, "other scale: %s rows in phase \"%s\", not %s",
                            print_whole(pair, now->rows), now->name, print_whole(pair, base->rows));
    if (phase_rows_per_checkpoint(base) != phase_rows_per_checkpoint(now) ||
        base->batches_per_checkpoint != now->batches_per_checkpoint)
        return arena_printf(pair->arena, "other cadence: %s in phase \"%s\", not %s",
                            print_cadence(pair, now), now->name, print_cadence(pair, base));
    if (base->batch_count != now->batch_count)
        return arena_printf(pair->arena, "%" PRIu64 " batches in phase \"%s\", not %" PRIu64,
                            now->batch_count, now->name, base->batch_count);
    if (base->writer_count != now->writer_count)
        return arena_printf(pair->arena, "%" PRIu64 " writers in phase \"%s\", not %" PRIu64,
                            now->writer_count, now->name, base->writer_count);
    if (!is_same_load(&base->load, &now->load))
        return arena_printf(pair->arena, "rows of phase \"%s\" go in another way", now->name);
    return NULL;
}

/* What a phase costs depends on all that was inserted before it. */
static const char *
find_other_history(const ResultPair *pair, const char *phase)
{
    const Scenario *base = pair->base.scenario, *now = pair->now.scenario;

    for (size_t i = 0; i < base->phase_count && i < now->phase_count; i++) {
        const char *reason = find_other_work(pair, &base->phases[i], &now->phases[i]);

        if (reason != NULL || strcmp(base->phases[i].name, phase) == 0)
            return reason;
    }
    return arena_printf(pair->arena, "phase \"%s\" is not in both scenarios", phase);
}

PairObstacle
pair_phase_obstacle(const ResultPair *pair, const char *design, const char *phase)
{
    PairObstacle obstacle = {find_broken_run(pair), false};

    if (obstacle.reason != NULL)
        return obstacle;
    for (int which = 0; obstacle.reason == NULL && which < 2; which++)
        obstacle.reason = find_hole(pair, pair_side(pair, which), design, phase);
    obstacle.missing = obstacle.reason != NULL;
    for (int which = 0; obstacle.reason == NULL && which < 2; which++)
        obstacle.reason = find_taint(pair, pair_side(pair, which), design, phase);
    if (obstacle.reason == NULL)
        obstacle.reason = find_other_design(pair, design);
    if (obstacle.reason == NULL)
        obstacle.reason = find_other_history(pair, phase);
    return obstacle;
}
