#include "results/result.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

Result *
result_new(void)
{
    Result *result = mem_new(1, sizeof(*result));

    result->arena = arena_new();
    return result;
}

void
result_free(Result *result)
{
    if (result == NULL)
        return;
    arena_free(result->arena);
    free(result);
}

const DesignResult *
result_find_design(const Result *result, const char *name, uint64_t repeat)
{
    for (size_t i = 0; i < result->design_count; i++) {
        const DesignResult *design = &result->designs[i];

        if (design->repeat == repeat && strcmp(design->name, name) == 0)
            return design;
    }
    return NULL;
}

const DesignResult *
result_find_trial(const Result *result, const char *name, const char *label, uint64_t repeat)
{
    for (size_t i = 0; i < result->design_count; i++) {
        const DesignResult *design = &result->designs[i];

        if (design->repeat == repeat && strcmp(design->name, name) == 0 &&
            strcmp(design->sweep_label, label) == 0)
            return design;
    }
    return NULL;
}

const PhaseResult *
design_find_phase(const DesignResult *design, const char *name)
{
    for (size_t i = 0; i < design->phase_count; i++)
        if (strcmp(design->phases[i].name, name) == 0)
            return &design->phases[i];
    return NULL;
}

bool
design_is_complete(const DesignResult *design, size_t phase_count)
{
    bool complete = design->error == NULL && design->phase_count == phase_count;

    for (size_t i = 0; i < design->phase_count; i++)
        complete = complete && design->phases[i].complete;
    return complete;
}

double
phase_figure(const PhaseResult *phase, MetricId metric)
{
    if (!phase->complete)
        return NAN;
    if (METRICS[metric].scope != METRIC_SCOPE_INDEX)
        return phase->figures.value[metric];
    return phase->index_count > 0 ? phase->indexes[0].figures.value[metric] : NAN;
}

bool
result_has_begun(const Result *result)
{
    for (size_t i = 0; i < result->design_count; i++)
        if (result->designs[i].phase_count > 0)
            return true;
    return false;
}

static const char *
named_value(const NamedValue *values, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(values[i].name, name) == 0)
            return values[i].value;
    return "";
}

const char *
result_server_value(const Result *result, const char *name)
{
    return named_value(result->server, result->server_count, name);
}

static const char *
copy_or_null(Arena *arena, const char *text)
{
    return text != NULL ? arena_text(arena, text) : NULL;
}

void
result_add_finding(Result *result, const Finding *finding)
{
    size_t count = result->finding_count;
    Finding *grown = arena_alloc(result->arena, count + 1, sizeof(*grown));

    if (count > 0)
        memcpy(grown, result->findings, count * sizeof(*grown));
    grown[count] = (Finding){
        .kind = arena_text(result->arena, finding->kind),
        .design = copy_or_null(result->arena, finding->design),
        .repeat = finding->repeat,
        .sweep = copy_or_null(result->arena, finding->sweep),
        .phase = copy_or_null(result->arena, finding->phase),
        .batch = finding->batch,
        .detail = arena_text(result->arena, finding->detail),
    };
    result->findings = grown;
    result->finding_count = count + 1;
}

void
result_add_remark(Result *result, const Finding *remark)
{
    for (size_t i = 0; i < result->finding_count; i++)
        if (result->findings[i].design == NULL &&
            strcmp(result->findings[i].kind, remark->kind) == 0 &&
            strcmp(result->findings[i].detail, remark->detail) == 0)
            return;
    result_add_finding(result, remark);
}

/* "Xeon, 2 cores, 4131606528 bytes of memory": what times depend on. */
static const char *
describe_machine(Arena *arena, const NamedValue *machine, size_t count)
{
    return arena_printf(
        arena, "%s, %s cores, %s bytes of memory", named_value(machine, count, "cpu"),
        named_value(machine, count, "core_count"), named_value(machine, count, "memory_bytes"));
}

void
result_note_machines(Result *result, const NamedValue *other, size_t count)
{
    const char *here = describe_machine(result->arena, result->machine, result->machine_count);
    const char *there = describe_machine(result->arena, other, count);
    Finding finding = {
        .kind = FINDING_MACHINES,
        .detail = arena_printf(
            result->arena, "measured on \"%s\" and \"%s\": counts hold, times are of two machines",
            here, there),
    };

    if (strcmp(here, there) != 0)
        result_add_remark(result, &finding);
}

bool
finding_taints(const Finding *finding)
{
    static const char *const KINDS[] = {"checkpoint", "other wal", "vacuum", "settings"};

    for (size_t i = 0; i < sizeof(KINDS) / sizeof(KINDS[0]); i++)
        if (strcmp(KINDS[i], finding->kind) == 0)
            return true;
    return false;
}

bool
finding_is_about(const Finding *finding, const DesignResult *design)
{
    return (finding->design == NULL || strcmp(finding->design, design->name) == 0) &&
           (finding->repeat == 0 || finding->repeat == design->repeat) &&
           (finding->sweep == NULL || strcmp(finding->sweep, design->sweep_label) == 0);
}

bool
result_is_tainted(const Result *result, const DesignResult *design, const char *phase)
{
    for (size_t i = 0; i < result->finding_count; i++) {
        const Finding *finding = &result->findings[i];

        if (finding_taints(finding) && finding_is_about(finding, design) &&
            (finding->phase == NULL || phase == NULL || strcmp(finding->phase, phase) == 0))
            return true;
    }
    return false;
}

const char *
sweep_label(Arena *arena, const NamedValue *values, size_t count)
{
    const char *label = "";

    for (size_t i = 0; i < count; i++)
        label = arena_printf(arena, "%s%s%s=%s", label, i > 0 ? ", " : "", values[i].name,
                             values[i].value);
    return label;
}
