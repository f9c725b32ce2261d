#include "report/points.h"

#include <string.h>

static bool
is_of_one_design(const Result *result, const Finding *finding)
{
    for (size_t i = 0; i < result->design_count; i++)
        if (finding_is_about(finding, &result->designs[i]))
            return true;
    return finding->design == NULL;
}

/* The designs that were measured with this point's values. */
static const Result *
view(ResultPoints *points, const Result *whole, const SweepPoint *point)
{
    size_t axis_count = points->sweep->axis_count;
    Result *part = arena_alloc(points->arena, 1, sizeof(*part));

    *part = *whole;
    part->designs = arena_alloc(points->arena, whole->design_count, sizeof(*part->designs));
    part->findings = arena_alloc(points->arena, whole->finding_count, sizeof(*part->findings));
    part->design_count = part->finding_count = 0;
    for (size_t i = 0; i < whole->design_count; i++) {
        const DesignResult *design = &whole->designs[i];

        if (sweep_point_holds(point, axis_count, design->sweep, design->sweep_count))
            part->designs[part->design_count++] = *design;
    }
    for (size_t i = 0; i < whole->finding_count; i++)
        if (is_of_one_design(part, &whole->findings[i]))
            part->findings[part->finding_count++] = whole->findings[i];
    return part;
}

Status
points_read(const Result *result, ResultPoints *points, Diag *diag)
{
    ResultPoints read = {0};
    Status status = sweep_parse("scenario of the result", result->scenario_text,
                                strlen(result->scenario_text), &read.sweep, diag);

    if (status != STATUS_OK)
        return status;
    read.arena = arena_new();
    read.points = arena_alloc(read.arena, read.sweep->point_count, sizeof(*read.points));
    for (size_t i = 0; i < read.sweep->point_count; i++) {
        const SweepPoint *point = &read.sweep->points[i];
        const Result *part = view(&read, result, point);

        if (part->design_count == 0 && read.sweep->axis_count > 0)
            continue;
        read.points[read.count++] = (ResultPoint){
            .point = point,
            .label = sweep_label(read.arena, point->values, read.sweep->axis_count),
            .result = part,
        };
    }
    *points = read;
    return STATUS_OK;
}

void
points_release(ResultPoints *points)
{
    if (points->sweep == NULL)
        return;
    sweep_free(points->sweep);
    arena_free(points->arena);
    *points = (ResultPoints){0};
}

const ResultPoint *
points_find(const ResultPoints *points, const DesignResult *design)
{
    for (size_t i = 0; i < points->count; i++)
        if (sweep_point_holds(points->points[i].point, points->sweep->axis_count, design->sweep,
                              design->sweep_count))
            return &points->points[i];
    return NULL;
}

const Scenario *
point_scenario(const ResultPoint *point)
{
    return point->point->scenario;
}
