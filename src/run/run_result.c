#include "run/run_state.h"

#include "base/clock.h"
#include "results/result_json.h"
#include "run/outlook.h"
#include "server/host.h"

#include <math.h>
#include <string.h>

/* ---- The result's skeleton ---- */

static uint64_t
trial_rows(const PlannedTrial *trial)
{
    const Scenario *scenario = trial->point->scenario;
    uint64_t rows = 0;

    for (size_t i = 0; i < scenario->phase_count; i++)
        rows += phase_inserted_rows(&scenario->phases[i]);
    return rows;
}

/* Rows that a phase has inserted so far: those count as the run's progress. */
static uint64_t
inserted_rows(const PlannedTrial *trial, size_t phase, const Figures *figures)
{
    return trial->point->scenario->phases[phase].action == ACTION_INSERT
               ? (uint64_t)figures->value[METRIC_ROWS]
               : 0;
}

static void
add_phases(const Run *run, const PlannedTrial *trial, DesignResult *design)
{
    const Scenario *scenario = trial->point->scenario;
    Arena *arena = run->result->arena;

    design->phases = arena_alloc(arena, scenario->phase_count, sizeof(*design->phases));
    for (size_t i = 0; i < scenario->phase_count; i++) {
        const Phase *phase = &scenario->phases[i];

        design->phases[i] = (PhaseResult){
            .name = arena_text(arena, phase->name),
            .rows_per_checkpoint = phase_rows_per_checkpoint(phase),
            .batches = arena_alloc(arena, phase->batch_count, sizeof(BatchResult)),
        };
        figures_init(&design->phases[i].figures);
    }
}

static void
add_sweep(Arena *arena, const PlannedTrial *trial, DesignResult *design)
{
    NamedValue *values = arena_alloc(arena, trial->sweep_count, sizeof(*values));

    for (size_t i = 0; i < trial->sweep_count; i++)
        values[i] = (NamedValue){arena_text(arena, trial->sweep[i].name),
                                 arena_text(arena, trial->sweep[i].value)};
    design->sweep = values;
    design->sweep_count = trial->sweep_count;
    design->sweep_label = sweep_label(arena, values, trial->sweep_count);
}

/* Every trial has its place from the start: what is not reached stays visibly empty. */
static void
add_designs(Run *run)
{
    const Plan *plan = run->options->plan;
    Result *result = run->result;

    result->design_count = plan->trial_count;
    result->designs = arena_alloc(result->arena, result->design_count, sizeof(DesignResult));
    for (size_t i = 0; i < plan->trial_count; i++) {
        const PlannedTrial *trial = &plan->trials[i];
        DesignResult *made = &result->designs[i];
        const Column *key = design_key(trial->design);

        made->name = arena_text(result->arena, trial->design->name);
        made->key_type = arena_text(result->arena, key != NULL ? key->type : "");
        made->minted_by = "";
        made->repeat = trial->repeat;
        add_sweep(result->arena, trial, made);
        add_phases(run, trial, made);
        run->rows_total += trial_rows(trial);
    }
}

static void
set_machine(Result *result)
{
    HostFacts facts;
    Arena *arena = result->arena;

    host_facts_read(&facts);
    result->machine = arena_alloc(arena, 5, sizeof(*result->machine));
    result->machine[result->machine_count++] =
        (NamedValue){"cpu", arena_text(arena, facts.cpu_model)};
    result->machine[result->machine_count++] =
        (NamedValue){"core_count", arena_printf(arena, "%u", facts.core_count)};
    result->machine[result->machine_count++] = (NamedValue){
        "memory_bytes", arena_printf(arena, "%llu", (unsigned long long)facts.memory_bytes)};
    result->machine[result->machine_count++] =
        (NamedValue){"kernel", arena_text(arena, facts.kernel)};
    result->machine[result->machine_count++] = (NamedValue){"os", arena_text(arena, facts.os_name)};
}

/* Take a trial, and what was found about it, from the result that the run goes on with. */
static void
take_over(Run *run, const PlannedTrial *trial, DesignResult *design, const DesignResult *done)
{
    const Result *resume = run->options->resume;

    *design = *done;
    run->rows_done += trial_rows(trial);
    for (size_t i = 0; i < resume->finding_count; i++)
        if (resume->findings[i].design != NULL && finding_is_about(&resume->findings[i], done))
            result_add_finding(run->result, &resume->findings[i]);
}

/* What stands over all trials. The server's facts are there from the start: the run may end before
 * it has one. */
static void
take_over_head(Run *run)
{
    const Result *resume = run->options->resume;
    Result *result = run->result;

    result->started_utc = resume->started_utc;
    result->server = resume->server;
    result->server_count = resume->server_count;
    if (resume->jobs > result->jobs)
        result->jobs = resume->jobs;
    for (size_t i = 0; i < resume->finding_count; i++)
        if (resume->findings[i].design == NULL)
            result_add_finding(result, &resume->findings[i]);
    result_note_machines(result, resume->machine, resume->machine_count);
}

static void
take_over_all(Run *run)
{
    const Plan *plan = run->options->plan;
    const Result *resume = run->options->resume;

    take_over_head(run);
    for (size_t i = 0; i < plan->trial_count; i++) {
        const PlannedTrial *trial = &plan->trials[i];
        DesignResult *design = &run->result->designs[i];
        const DesignResult *done =
            result_find_trial(resume, design->name, design->sweep_label, design->repeat);

        if (done != NULL && design_is_complete(done, trial->point->scenario->phase_count))
            take_over(run, trial, design, done);
    }
}

void
run_result_start(Run *run)
{
    const Plan *plan = run->options->plan;
    const Scenario *scenario = sweep_first(plan->sweep);
    Result *result = result_new();
    char stamp[UTC_STAMP_SIZE];

    run->result = result;
    clock_utc_stamp(clock_wall_ns(), stamp);
    result->status = RESULT_INTERRUPTED; /* until it is known better: also what a kill -9 leaves */
    result->keybench_version = KEYBENCH_VERSION;
    result->started_utc = arena_text(result->arena, stamp);
    result->seed = plan->seed;
    if (plan->part != NULL)
        result->part = arena_text(result->arena, plan->part);
    result->repeats = plan->repeats;
    result->jobs = run->options->jobs;
    result->scenario_name = arena_text(result->arena, scenario->name);
    result->scenario_sha256 = arena_text(result->arena, scenario->sha256);
    result->scenario_text = arena_text(result->arena, scenario->text);
    set_machine(result);
    add_designs(run);
    if (run->options->resume != NULL)
        take_over_all(run);
}

/* ---- The recorder: what a trial measures goes into the result ---- */

static void
record_finding(void *context, const Finding *finding)
{
    Worker *worker = context;
    Finding placed = *finding;

    pthread_mutex_lock(&worker->run->lock);
    placed.repeat = worker->design->repeat;
    if (worker->design->sweep_count > 0)
        placed.sweep = worker->design->sweep_label;
    result_add_finding(worker->run->result, &placed);
    pthread_mutex_unlock(&worker->run->lock);
}

static void
record_begin(void *context, const char *key_type, const char *minted_by)
{
    Worker *worker = context;
    Run *run = worker->run;
    Volume predicted = volume_of_trial(worker->trial);

    pthread_mutex_lock(&run->lock);
    worker->design->key_type = arena_text(run->result->arena, key_type);
    worker->design->minted_by = arena_text(run->result->arena, minted_by);
    worker->design->predicted_table_bytes = predicted.table_bytes;
    worker->design->predicted_wal_bytes = predicted.wal_bytes;
    pthread_mutex_unlock(&run->lock);
    if (worker->design->repeat == 1)
        outlook_judge_scale(worker->trial, record_finding, worker);
}

/* Called with the lock held, so that events come one at a time. */
static void
tell(Worker *worker, size_t phase_number, const Figures *figures)
{
    const RunOptions *options = worker->run->options;
    const PhaseResult *phase = &worker->design->phases[phase_number];
    RunEvent event = {
        .design = worker->design->name,
        .phase = phase->name,
        .sweep = worker->design->sweep_label,
        .repeat = worker->design->repeat,
        .batch = phase->batch_count,
        .batch_count = worker->trial->point->scenario->phases[phase_number].batch_count,
        .rows_done = worker->run->rows_done,
        .rows_total = worker->run->rows_total,
    };

    if (options->listener == NULL)
        return;
    if (figures != NULL && figures->value[METRIC_ELAPSED_MS] > 0)
        event.rows_per_s = figures->value[METRIC_ROWS] * 1000 / figures->value[METRIC_ELAPSED_MS];
    options->listener(options->context, &event);
}

static void
record_begin_phase(void *context, size_t phase_number, const char *wal_source)
{
    Worker *worker = context;

    pthread_mutex_lock(&worker->run->lock);
    worker->design->phase_count = phase_number + 1;
    worker->design->phases[phase_number].wal_source = wal_source;
    tell(worker, phase_number, NULL);
    pthread_mutex_unlock(&worker->run->lock);
}

static void
record_batch(void *context, size_t phase_number, const Figures *figures)
{
    Worker *worker = context;
    PhaseResult *phase = &worker->design->phases[phase_number];

    pthread_mutex_lock(&worker->run->lock);
    phase->batches[phase->batch_count].figures = *figures;
    figures_add_batch(&phase->figures, figures, phase->batch_count == 0);
    if (!isnan(figures->value[METRIC_ROWS_PER_S]))
        figures_derive(&phase->figures);
    phase->batch_count++;
    worker->run->rows_done += inserted_rows(worker->trial, phase_number, figures);
    tell(worker, phase_number, figures);
    pthread_mutex_unlock(&worker->run->lock);
}

/* What several writers add to a phase. */
static void
copy_writers(Arena *arena, PhaseResult *phase, const PhaseResult *measured)
{
    phase->failures = arena_alloc(arena, measured->failure_count, sizeof(*phase->failures));
    for (size_t i = 0; i < measured->failure_count; i++)
        phase->failures[i] =
            (FailureCount){.sqlstate = arena_text(arena, measured->failures[i].sqlstate),
                           .count = measured->failures[i].count};
    phase->failure_count = measured->failure_count;
    phase->waits = arena_alloc(arena, measured->wait_count, sizeof(*phase->waits));
    for (size_t i = 0; i < measured->wait_count; i++) {
        phase->waits[i] = measured->waits[i];
        phase->waits[i].event = arena_text(arena, measured->waits[i].event);
    }
    phase->wait_count = measured->wait_count;
}

static void
copy_probe(Arena *arena, PhaseResult *phase, const PhaseResult *measured)
{
    phase->indexes = arena_alloc(arena, measured->index_count, sizeof(*phase->indexes));
    for (size_t i = 0; i < measured->index_count; i++) {
        phase->indexes[i] = measured->indexes[i];
        phase->indexes[i].name = arena_text(arena, measured->indexes[i].name);
    }
    phase->index_count = measured->index_count;
    phase->wal_kinds = arena_alloc(arena, measured->wal_kind_count, sizeof(*phase->wal_kinds));
    for (size_t i = 0; i < measured->wal_kind_count; i++) {
        const WalKind *kind = &measured->wal_kinds[i];

        phase->wal_kinds[i] = *kind;
        phase->wal_kinds[i].resource_manager = arena_text(arena, kind->resource_manager);
        phase->wal_kinds[i].record_type = arena_text(arena, kind->record_type);
    }
    phase->wal_kind_count = measured->wal_kind_count;
    copy_writers(arena, phase, measured);
    for (int id = 0; id < METRIC_COUNT; id++)
        if (METRICS[id].scope == METRIC_SCOPE_TABLE || METRICS[id].unit == METRIC_UNIT_US)
            phase->figures.value[id] = measured->figures.value[id];
    phase->complete = true;
}

Status
run_result_save(const Run *run, Diag *diag)
{
    if (run->options->result_path == NULL || !result_has_begun(run->result))
        return STATUS_OK;
    return result_save(run->result, run->options->result_path, diag);
}

static Status
record_end_phase(void *context, size_t phase_number, const PhaseResult *measured, Diag *diag)
{
    Worker *worker = context;
    Run *run = worker->run;
    Status status;

    pthread_mutex_lock(&run->lock);
    copy_probe(run->result->arena, &worker->design->phases[phase_number], measured);
    status = run_result_save(run, diag);
    pthread_mutex_unlock(&run->lock);
    return status;
}

static void
record_key_bytes(void *context, size_t phase_number, double bytes)
{
    Worker *worker = context;

    pthread_mutex_lock(&worker->run->lock);
    worker->design->phases[phase_number].figures.value[METRIC_KEY_BYTES] = bytes;
    pthread_mutex_unlock(&worker->run->lock);
}

static bool
record_stopped(void *context)
{
    Worker *worker = context;
    bool stopped;

    pthread_mutex_lock(&worker->run->lock);
    stopped = worker->run->over;
    pthread_mutex_unlock(&worker->run->lock);
    return stopped;
}

Recorder
run_result_recorder(Worker *worker)
{
    return (Recorder){record_begin,     record_begin_phase, record_batch,   record_finding,
                      record_end_phase, record_key_bytes,   record_stopped, worker};
}

/* ---- After a trial and after the run ---- */

void
run_result_forget(Worker *worker)
{
    Run *run = worker->run;
    DesignResult *design = worker->design;
    Result *result = run->result;
    size_t kept = 0;

    design->error = NULL;
    for (size_t i = 0; i < design->phase_count; i++) {
        PhaseResult *phase = &design->phases[i];

        if (phase->batch_count > 0)
            run->rows_done -= inserted_rows(worker->trial, i, &phase->figures);
        phase->batch_count = phase->index_count = phase->wal_kind_count = 0;
        phase->failure_count = phase->wait_count = 0;
        phase->complete = false;
        figures_init(&phase->figures);
    }
    design->phase_count = 0;
    for (size_t i = 0; i < result->finding_count; i++) {
        const Finding *finding = &result->findings[i];

        if (finding->design == NULL || !finding_is_about(finding, design))
            result->findings[kept++] = *finding;
    }
    result->finding_count = kept;
}

void
run_result_finish(Run *run)
{
    Result *result = run->result;
    char line[DIAG_LINE_SIZE];

    if (run->status == STATUS_OK) {
        result->status = RESULT_COMPLETE;
        return;
    }
    result->status = run->status == STATUS_INTERRUPTED ? RESULT_INTERRUPTED : RESULT_FAILED;
    diag_line(run->diag, line, sizeof(line));
    result->error = arena_text(result->arena, line);
}
