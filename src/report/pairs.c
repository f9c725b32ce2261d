#include "report/pair.h"

#include <string.h>

/* Whether two points have the same values, in whatever order their files name the axes. */
static bool
is_same_point(const Sweep *sweep, const SweepPoint *point, const Sweep *other_sweep,
              const SweepPoint *other)
{
    return sweep->axis_count == other_sweep->axis_count &&
           sweep_point_holds(point, sweep->axis_count, other->values, sweep->axis_count);
}

static const ResultPoint *
find_point(const ResultPoints *points, const Sweep *sweep, const SweepPoint *wanted)
{
    for (size_t i = 0; i < points->count; i++)
        if (is_same_point(points->sweep, points->points[i].point, sweep, wanted))
            return &points->points[i];
    return NULL;
}

static void
open_side(PairSide *side, const PairSide *given, const ResultPoints *points,
          const ResultPoint *found)
{
    side->name = given->name;
    side->result = found->result;
    side->sweep = points->sweep;
    side->point = found->point;
    side->scenario = side->point->scenario;
    side->document = sweep_point_json(side->sweep, side->point);
}

/* The side that lacks the other's point has a result of nothing there. */
static void
open_absent(const ResultPairs *pairs, PairSide *side, const PairSide *given, const PairSide *other)
{
    Result *nothing = arena_alloc(pairs->arena, 1, sizeof(*nothing));

    *nothing = *given->result;
    nothing->design_count = nothing->finding_count = 0;
    side->name = given->name;
    side->absent = true;
    side->result = nothing;
    side->sweep = other->sweep;
    side->point = other->point;
    side->scenario = side->point->scenario;
    side->document = sweep_point_json(side->sweep, side->point);
}

static ResultPair *
add_pair(ResultPairs *pairs, const char *label)
{
    ResultPair *pair = &pairs->items[pairs->count++];

    pair->arena = pairs->arena;
    pair->label = label;
    return pair;
}

static void
match_points(ResultPairs *pairs, const PairSide *base, const PairSide *now)
{
    const ResultPoints *ours = &pairs->base_points, *theirs = &pairs->now_points;

    pairs->items = arena_alloc(pairs->arena, ours->count + theirs->count, sizeof(*pairs->items));
    for (size_t i = 0; i < ours->count; i++) {
        const ResultPoint *point = &ours->points[i];
        const ResultPoint *same = find_point(theirs, ours->sweep, point->point);
        ResultPair *pair = add_pair(pairs, point->label);

        open_side(&pair->base, base, ours, point);
        if (same != NULL)
            open_side(&pair->now, now, theirs, same);
        else
            open_absent(pairs, &pair->now, now, &pair->base);
    }
    for (size_t i = 0; i < theirs->count; i++) {
        const ResultPoint *point = &theirs->points[i];
        ResultPair *pair;

        if (find_point(ours, theirs->sweep, point->point) != NULL)
            continue;
        pair = add_pair(pairs, point->label);
        open_side(&pair->now, now, theirs, point);
        open_absent(pairs, &pair->base, base, &pair->now);
    }
}

Status
pairs_init(ResultPairs *pairs, const PairSide *base, const PairSide *now, Diag *diag)
{
    Status status;

    *pairs = (ResultPairs){.arena = arena_new()};
    status = points_read(base->result, &pairs->base_points, diag);
    if (status != STATUS_OK) {
        diag_context(diag, "%s", base->name);
        return status;
    }
    status = points_read(now->result, &pairs->now_points, diag);
    if (status != STATUS_OK)
        diag_context(diag, "%s", now->name);
    else
        match_points(pairs, base, now);
    return status;
}

void
pairs_release(ResultPairs *pairs)
{
    for (size_t i = 0; i < pairs->count; i++) {
        cJSON_Delete(pairs->items[i].base.document);
        cJSON_Delete(pairs->items[i].now.document);
    }
    points_release(&pairs->base_points);
    points_release(&pairs->now_points);
    if (pairs->arena != NULL)
        arena_free(pairs->arena);
    *pairs = (ResultPairs){.arena = NULL};
}

static const DesignResult *
find_trial(const Result *result, const char *design)
{
    for (size_t i = 0; i < result->design_count; i++)
        if (strcmp(result->designs[i].name, design) == 0)
            return &result->designs[i];
    return NULL;
}

/* What a side's trial of a design is called; NULL when it has none. */
static const char *
side_label(const PairSide *side, const char *design)
{
    const DesignResult *trial = find_trial(side->result, design);

    return trial != NULL ? trial->sweep_label : NULL;
}

bool
pair_has_trial(const PairSide *side, const char *design)
{
    return find_trial(side->result, design) != NULL;
}

bool
pair_leaves_out(const ResultPair *pair, const char *design)
{
    return (pair->base.result->part != NULL && !pair_has_trial(&pair->base, design)) ||
           (pair->now.result->part != NULL && !pair_has_trial(&pair->now, design));
}

const char *
pair_design_label(const ResultPair *pair, const char *design)
{
    const char *base = side_label(&pair->base, design), *now = side_label(&pair->now, design);

    if (base != NULL)
        return base;
    return now != NULL ? now : pair->label;
}

static bool
is_same_label(const char *a, const char *b)
{
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

bool
pairs_repeat_design(const ResultPairs *pairs, size_t item, const char *design)
{
    const ResultPair *pair = &pairs->items[item];
    const char *base = side_label(&pair->base, design), *now = side_label(&pair->now, design);

    for (size_t i = 0; (base != NULL || now != NULL) && i < item; i++)
        if (is_same_label(side_label(&pairs->items[i].base, design), base) &&
            is_same_label(side_label(&pairs->items[i].now, design), now))
            return true;
    return false;
}
