#include "support/sample_sweep.h"

#include "base/text.h"
#include "scenario/plan.h"

#include <string.h>

enum { ROW_BYTES = 100, IMAGE_BYTES = 6000, IMAGES_MAX = 2000 };

static double
count_images(const Design *design, const Phase *phase)
{
    uint64_t rows = phase_rows_per_checkpoint(phase);
    uint64_t once = strcmp(design->name, "uuidv4") != 0 ? 3 : rows < IMAGES_MAX ? rows : IMAGES_MAX;

    return rows > 0 ? (double)(phase->rows / rows * once) : 0;
}

static void
fill_figures(const Design *design, const Phase *phase, double share, Figures *figures)
{
    double images = count_images(design, phase) * share, rows = (double)phase->rows * share;

    figures_init(figures);
    figures->value[METRIC_ROWS] = rows;
    figures->value[METRIC_FPI_COUNT] = images;
    figures->value[METRIC_WAL_BYTES] = rows * ROW_BYTES + images * IMAGE_BYTES;
    figures->value[METRIC_ELAPSED_MS] = rows / 100;
}

static void
fill_phase(Arena *arena, const Design *design, const Phase *phase, PhaseResult *measured)
{
    *measured = (PhaseResult){
        .name = arena_text(arena, phase->name),
        .rows_per_checkpoint = phase_rows_per_checkpoint(phase),
        .wal_source = "plan",
        .batch_count = (size_t)phase->batch_count,
        .batches = arena_alloc(arena, (size_t)phase->batch_count, sizeof(BatchResult)),
        .complete = true,
        .index_count = 1,
        .indexes = arena_alloc(arena, 1, sizeof(IndexResult)),
        .wal_kind_count = 1,
        .wal_kinds = arena_alloc(arena, 1, sizeof(WalKind)),
    };
    for (size_t i = 0; i < measured->batch_count; i++)
        fill_figures(design, phase, 1 / (double)phase->batch_count, &measured->batches[i].figures);
    fill_figures(design, phase, 1, &measured->figures);
    figures_init(&measured->indexes[0].figures);
    measured->indexes[0].name = "pkey";
    measured->indexes[0].figures.value[METRIC_LEAF_DENSITY_PCT] =
        strcmp(design->name, "uuidv4") == 0 ? 70 : 90;
    measured->wal_kinds[0] = (WalKind){"Heap", "INSERT", 1, 1048576, 0};
}

static void
fill_trial(Result *result, const PlannedTrial *trial, DesignResult *design)
{
    const Scenario *scenario = trial->point->scenario;
    NamedValue *values = arena_alloc(result->arena, trial->sweep_count, sizeof(*values));

    for (size_t i = 0; i < trial->sweep_count; i++)
        values[i] = (NamedValue){arena_text(result->arena, trial->sweep[i].name),
                                 arena_text(result->arena, trial->sweep[i].value)};
    *design = (DesignResult){
        .name = arena_text(result->arena, trial->design->name),
        .sweep = values,
        .sweep_count = trial->sweep_count,
        .sweep_label = sweep_label(result->arena, values, trial->sweep_count),
        .key_type = "uuid",
        .minted_by = "keybench",
        .repeat = trial->repeat,
        .phases = arena_alloc(result->arena, scenario->phase_count, sizeof(PhaseResult)),
        .phase_count = scenario->phase_count,
    };
    for (size_t i = 0; i < scenario->phase_count; i++)
        fill_phase(result->arena, trial->design, &scenario->phases[i], &design->phases[i]);
}

static void
fill_head(Result *result)
{
    static NamedValue server[] = {
        {"version", "18.1"}, {"throwaway", "true"}, {"wal_compression", "off"}};

    result->keybench_version = "0.1.0";
    result->started_utc = "2026-01-31T23:59:59Z";
    result->jobs = 1;
    result->scenario_sha256 = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
    result->server = server;
    result->server_count = sizeof(server) / sizeof(server[0]);
}

Result *
sample_sweep_of(const char *document)
{
    Result *result = result_new();
    char *text = arena_text(result->arena, document);
    PlanRequest all = {0};
    Sweep *sweep = NULL;
    Plan *plan = NULL;
    Diag diag = {0};

    for (char *at = text; *at != '\0'; at++)
        if (*at == '`')
            *at = '"';
    if (sweep_parse("sample", text, strlen(text), &sweep, &diag) != STATUS_OK ||
        plan_make(sweep, &all, &plan, &diag) != STATUS_OK)
        BUG("%s", diag.message);
    fill_head(result);
    result->scenario_name = arena_text(result->arena, sweep_first(sweep)->name);
    result->scenario_text = text;
    result->design_count = plan->trial_count;
    result->designs = arena_alloc(result->arena, plan->trial_count, sizeof(DesignResult));
    for (size_t i = 0; i < plan->trial_count; i++)
        fill_trial(result, &plan->trials[i], &result->designs[i]);
    plan_free(plan);
    sweep_free(sweep);
    return result;
}

Result *
sample_sweep_new(const char *checkpoint, const char *bytes, const char *views)
{
    Text document = {0};
    Result *result;

    text_add(&document,
             "{`format`: `keybench-scenario/1`, `name`: `sample`, `seed`: 13, `axes`: [{`name`: "
             "`checkpoint`, `title`: `rows between checkpoints`}], `designs`: ["
             "{`name`: `bigint`, `primary_key`: `id`, `columns`: ["
             "{`name`: `id`, `source`: `identity`, `type`: `bigint`}]}, "
             "{`name`: `uuidv4`, `title`: `UUIDv4`, `primary_key`: `id`, `columns`: ["
             "{`name`: `id`, `source`: `keybench`, `format`: `uuidv4`}");
    if (bytes != NULL)
        text_printf(&document, ", {`name`: `f`, `source`: `filler`, `type`: `text`, `bytes`: %s}",
                    bytes);
    text_printf(&document,
                "]}, {`name`: `uuidv7`, `title`: `UUIDv7`, `primary_key`: `id`, `columns`: ["
                "{`name`: `id`, `source`: `keybench`, `format`: `uuidv7`}]}], `phases`: ["
                "{`name`: `first`, `rows`: 10000}, {`name`: `second`, `title`: `the second part`, "
                "`rows`: 20000, `batches`: 20, `checkpoint`: %s}]%s}",
                checkpoint, views);
    result = sample_sweep_of(document.data);
    text_release(&document);
    return result;
}

DesignResult *
sample_trial(Result *result, const char *design, const char *label)
{
    for (size_t i = 0; i < result->design_count; i++)
        if (strcmp(result->designs[i].name, design) == 0 &&
            strcmp(result->designs[i].sweep_label, label) == 0)
            return &result->designs[i];
    BUG("the sample has no %s at %s", design, label);
}
