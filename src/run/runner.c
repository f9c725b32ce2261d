#include "run/runner.h"

#include "base/clock.h"
#include "base/interrupt.h"
#include "base/mem.h"
#include "base/rng.h"
#include "base/text.h"
#include "db/schema.h"
#include "db/settings.h"
#include "results/result_json.h"
#include "run/readiness.h"
#include "run/server_facts.h"
#include "run/trial.h"
#include "run/volume.h"
#include "server/cluster.h"
#include "server/host.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static const uint64_t CLEANING_DEADLINE_NS = 60 * NS_PER_S; /* of each statement */

/* One run under way; all that workers share stands behind the lock. */
typedef struct Run {
    const RunOptions *options;
    pthread_mutex_t lock;
    Result *result;
    size_t *order; /* indexes into result->designs, in the order of measuring */
    size_t next;   /* into order */
    bool server_recorded;
    Status status; /* the first failure */
    Diag *diag;    /* and its cause */
    uint64_t rows_done, rows_total;
} Run;

/* One worker: a server, a connection, and the trial it is at. */
typedef struct Worker {
    Run *run;
    Cluster *cluster; /* NULL on the user's server */
    DbConn *conn;
    ServerFacts facts;
    bool claimed;         /* the schema is ours to remove */
    DesignResult *design; /* of the trial under way */
    Diag diag;
} Worker;

static void
fail(Run *run, Status status, const Diag *diag)
{
    pthread_mutex_lock(&run->lock);
    if (run->status == STATUS_OK || (run->status == STATUS_INTERRUPTED && status != run->status)) {
        run->status = status;
        *run->diag = *diag;
    }
    pthread_mutex_unlock(&run->lock);
}

/* ---- The result's skeleton ---- */

static uint64_t
rows_per_design(const Scenario *scenario)
{
    uint64_t rows = 0;

    for (size_t i = 0; i < scenario->phase_count; i++)
        rows += scenario->phases[i].rows;
    return rows;
}

static void
add_phases(Run *run, DesignResult *design)
{
    const Scenario *scenario = run->options->scenario;
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

/* Every design of every repeat has its place from the start: what is not reached stays visibly
 * empty. */
static void
add_designs(Run *run)
{
    const Scenario *scenario = run->options->scenario;
    Result *result = run->result;

    result->design_count = scenario->design_count * run->options->repeats;
    result->designs = arena_alloc(result->arena, result->design_count, sizeof(DesignResult));
    for (size_t i = 0; i < result->design_count; i++) {
        const Design *design = &scenario->designs[i % scenario->design_count];
        DesignResult *made = &result->designs[i];
        const Column *key = design_key(design);

        made->name = arena_text(result->arena, design->name);
        made->key_type = arena_text(result->arena, key != NULL ? key->type : "");
        made->minted_by = "";
        made->repeat = i / scenario->design_count + 1;
        add_phases(run, made);
    }
}

/* As in the file for one repeat; shuffled by the seed for more, so that no design always comes
 * first. */
static void
make_order(Run *run)
{
    size_t count = run->result->design_count;
    Rng rng;

    run->order = mem_new(count, sizeof(*run->order));
    for (size_t i = 0; i < count; i++)
        run->order[i] = i;
    rng_init(&rng, run->options->seed, 0);
    for (size_t i = count; run->options->repeats > 1 && i > 1; i--) {
        size_t other = (size_t)rng_below(&rng, i);
        size_t swapped = run->order[i - 1];

        run->order[i - 1] = run->order[other];
        run->order[other] = swapped;
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

static void
start_result(Run *run)
{
    const RunOptions *options = run->options;
    Result *result = result_new();
    char stamp[UTC_STAMP_SIZE];

    run->result = result;
    clock_utc_stamp(clock_wall_ns(), stamp);
    result->status = RESULT_INTERRUPTED; /* until it is known better: also what a kill -9 leaves */
    result->keybench_version = KEYBENCH_VERSION;
    result->started_utc = arena_text(result->arena, stamp);
    result->seed = options->seed;
    result->jobs = options->jobs;
    result->scenario_name = arena_text(result->arena, options->scenario->name);
    result->scenario_sha256 = arena_text(result->arena, options->scenario->sha256);
    result->scenario_text = arena_text(result->arena, options->scenario->text);
    set_machine(result);
    add_designs(run);
    run->rows_total = rows_per_design(options->scenario) * result->design_count;
}

/* ---- The recorder: what a trial measures goes into the result ---- */

static void
record_begin(void *context, const char *key_type, const char *minted_by)
{
    Worker *worker = context;
    Run *run = worker->run;

    pthread_mutex_lock(&run->lock);
    worker->design->key_type = arena_text(run->result->arena, key_type);
    worker->design->minted_by = arena_text(run->result->arena, minted_by);
    pthread_mutex_unlock(&run->lock);
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
        .repeat = worker->design->repeat,
        .batch = phase->batch_count,
        .batch_count = options->scenario->phases[phase_number].batch_count,
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
    phase->batch_count++;
    worker->run->rows_done += (uint64_t)figures->value[METRIC_ROWS];
    tell(worker, phase_number, figures);
    pthread_mutex_unlock(&worker->run->lock);
}

static void
record_finding(void *context, const Finding *finding)
{
    Worker *worker = context;
    Finding placed = *finding;

    pthread_mutex_lock(&worker->run->lock);
    placed.repeat = worker->design->repeat;
    result_add_finding(worker->run->result, &placed);
    pthread_mutex_unlock(&worker->run->lock);
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
    for (int id = 0; id < METRIC_COUNT; id++)
        if (METRICS[id].scope == METRIC_SCOPE_TABLE)
            phase->figures.value[id] = measured->figures.value[id];
    phase->complete = true;
}

static Status
save(const Run *run, Diag *diag)
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
    status = save(run, diag);
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
    stopped = worker->run->status != STATUS_OK;
    pthread_mutex_unlock(&worker->run->lock);
    return stopped;
}

/* ---- Servers ---- */

static Status
start_cluster(Worker *worker, Diag *diag)
{
    const RunOptions *options = worker->run->options;
    const Scenario *scenario = options->scenario;
    ClusterSetting *settings = mem_new(scenario->setting_count, sizeof(*settings));
    ClusterOptions cluster = {.bindir = options->bindir,
                              .settings = settings,
                              .setting_count = scenario->setting_count,
                              .data_checksums = -1};
    Status status;

    for (size_t i = 0; i < scenario->setting_count; i++)
        settings[i] = (ClusterSetting){scenario->settings[i].name, scenario->settings[i].value};
    status = cluster_start(&cluster, &worker->cluster, diag);
    free(settings);
    return status;
}

static void
add_server_value(Result *result, const char *name, const char *value)
{
    result->server[result->server_count++] =
        (NamedValue){arena_text(result->arena, name), arena_text(result->arena, value)};
}

static void notice(const Run *run, const char *format, ...) PRINTF_LIKE(2, 3);

static void
notice(const Run *run, const char *format, ...)
{
    char text[1024];
    va_list args;

    if (run->options->notice == NULL)
        return;
    va_start(args, format);
    vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    run->options->notice(run->options->context, text);
}

static void
tell_server(const Worker *worker)
{
    const char *version = result_server_value(worker->run->result, "version");

    if (worker->cluster == NULL)
        notice(worker->run, "PostgreSQL %s at %s", version, db_label(worker->conn));
    else
        notice(worker->run, "PostgreSQL %s from %s (found by %s), a throwaway cluster", version,
               cluster_programs(worker->cluster)->bindir,
               cluster_programs(worker->cluster)->found_by);
}

/* Once a run: with several workers their servers are made alike. */
static Status
record_server(Worker *worker, Diag *diag)
{
    Run *run = worker->run;
    DbRows *rows = NULL;
    Status status = settings_read(worker->conn, &rows, diag);

    if (status != STATUS_OK)
        return status;
    pthread_mutex_lock(&run->lock);
    if (!run->server_recorded) {
        Result *result = run->result;

        result->server =
            arena_alloc(result->arena, db_rows_count(rows) + 2, sizeof(*result->server));
        add_server_value(result, "throwaway", worker->cluster != NULL ? "true" : "false");
        if (worker->cluster != NULL)
            add_server_value(result, "found_by", cluster_programs(worker->cluster)->found_by);
        for (size_t row = 0; row < db_rows_count(rows); row++)
            add_server_value(result, db_cell(rows, row, "name"), db_cell(rows, row, "value"));
        run->server_recorded = true;
        tell_server(worker);
    }
    pthread_mutex_unlock(&run->lock);
    db_rows_free(rows);
    return STATUS_OK;
}

/* On the user's server: nothing is written before it is known to be fit. */
static Status
check_readiness(Worker *worker, Diag *diag)
{
    const RunOptions *options = worker->run->options;
    Readiness readiness;
    Status status = readiness_read(worker->conn, volume_estimate(options->scenario).batch_wal_bytes,
                                   &readiness, diag);

    for (size_t i = 0; status == STATUS_OK && i < readiness.count; i++) {
        const ReadyItem *item = &readiness.items[i];

        if (item->level == READY_NOTE)
            notice(worker->run, "note: %s: %s", item->subject, item->found);
    }
    if (status == STATUS_OK)
        status = readiness_require(&readiness, options->insist, diag);
    return status;
}

static Status
open_server(Worker *worker, Diag *diag)
{
    const DbTarget *target = worker->run->options->target;
    Status status = STATUS_OK;

    if (target == NULL) {
        status = start_cluster(worker, diag);
        if (status == STATUS_OK)
            target = cluster_target(worker->cluster);
    }
    if (status == STATUS_OK)
        status = db_open(target, &worker->conn, diag);
    if (status == STATUS_OK && worker->run->options->statement_timeout_ns > 0)
        db_set_deadline(worker->conn, worker->run->options->statement_timeout_ns);
    if (status == STATUS_OK && worker->cluster == NULL)
        status = check_readiness(worker, diag);
    if (status == STATUS_OK)
        status = server_facts_read(worker->conn, worker->cluster != NULL, &worker->facts, diag);
    if (status == STATUS_OK)
        status = schema_claim_wait(worker->conn, worker->run->options->turn_wait_ns, diag);
    worker->claimed = status == STATUS_OK;
    if (status == STATUS_OK)
        status = record_server(worker, diag);
    return status;
}

/* Our schema goes from the user's server; a throwaway server goes as a whole. */
static void
close_server(Worker *worker)
{
    Diag diag = {0};
    Status status = STATUS_OK;

    if (worker->cluster == NULL && worker->claimed) {
        db_set_uninterruptible(worker->conn, true);
        db_set_deadline(worker->conn, CLEANING_DEADLINE_NS);
        status = db_is_usable(worker->conn) ? schema_release(worker->conn, &diag)
                                            : schema_release_anew(worker->conn, &diag);
    }
    if (status != STATUS_OK)
        notice(worker->run,
               "schema \"" KEYBENCH_SCHEMA "\" is left behind (\"keybench clean\" removes it): %s",
               diag.message);
    db_close(worker->conn);
    server_facts_release(&worker->facts);
    cluster_stop(worker->cluster);
}

/* ---- Workers ---- */

/* The next trial in order; NULL when there is none or the run is over. */
static DesignResult *
take_trial(Run *run)
{
    DesignResult *design = NULL;

    pthread_mutex_lock(&run->lock);
    if (run->status == STATUS_OK && run->next < run->result->design_count)
        design = &run->result->designs[run->order[run->next++]];
    pthread_mutex_unlock(&run->lock);
    return design;
}

/* As if the design had not been measured: figures and findings go, its rows are still to come. */
static void
forget_trial(Run *run, DesignResult *design)
{
    Result *result = run->result;
    size_t kept = 0;

    for (size_t i = 0; i < design->phase_count; i++) {
        PhaseResult *phase = &design->phases[i];

        if (phase->batch_count > 0)
            run->rows_done -= (uint64_t)phase->figures.value[METRIC_ROWS];
        phase->batch_count = phase->index_count = phase->wal_kind_count = 0;
        phase->complete = false;
        figures_init(&phase->figures);
    }
    design->phase_count = 0;
    for (size_t i = 0; i < result->finding_count; i++) {
        const Finding *finding = &result->findings[i];

        if (finding->design == NULL || strcmp(finding->design, design->name) != 0 ||
            finding->repeat != design->repeat)
            result->findings[kept++] = *finding;
    }
    result->finding_count = kept;
}

/* Whether the trial that just ended is to be measured again; then its place in the result is empty.
 */
static bool
wants_retry(Worker *worker, uint64_t tries)
{
    Run *run = worker->run;
    DesignResult *design = worker->design;
    bool tainted;

    pthread_mutex_lock(&run->lock);
    tainted = result_is_tainted(run->result, design->name, design->repeat, NULL);
    if (tainted && tries <= run->options->retries) {
        notice(run, "design \"%s\" was contaminated; measuring it again (%llu of %llu)",
               design->name, (unsigned long long)tries, (unsigned long long)run->options->retries);
        forget_trial(run, design);
    } else {
        tainted = false;
    }
    pthread_mutex_unlock(&run->lock);
    return tainted;
}

static Status
run_trials(Worker *worker, Diag *diag)
{
    const RunOptions *options = worker->run->options;
    const Recorder recorder = {record_begin,     record_begin_phase, record_batch,   record_finding,
                               record_end_phase, record_key_bytes,   record_stopped, worker};
    Status status = STATUS_OK;

    while (status == STATUS_OK && (worker->design = take_trial(worker->run)) != NULL) {
        uint64_t tries = 0;

        do {
            status = trial_run(worker->conn, &worker->facts, options->scenario,
                               scenario_find_design(options->scenario, worker->design->name),
                               options->seed, &recorder, diag);
            tries++;
        } while (status == STATUS_OK && wants_retry(worker, tries));
    }
    return status;
}

static void *
work(void *context)
{
    Worker *worker = context;
    Status status = open_server(worker, &worker->diag);

    if (status == STATUS_OK)
        status = run_trials(worker, &worker->diag);
    if (status == STATUS_SERVER && worker->cluster != NULL && worker->diag.detail[0] == '\0') {
        Text log = {0};

        cluster_log_tail(worker->cluster, 5, &log);
        diag_detail(&worker->diag, "the throwaway server's log ends: %s", text_data(&log));
        text_release(&log);
    }
    if (status != STATUS_OK)
        fail(worker->run, status, &worker->diag);
    close_server(worker);
    return NULL;
}

static void
run_workers(Run *run)
{
    size_t count = (size_t)run->options->jobs;
    Worker *workers = mem_new(count, sizeof(*workers));
    pthread_t *threads = mem_new(count, sizeof(*threads));
    size_t started = 0;

    for (size_t i = 0; i < count; i++)
        workers[i].run = run;
    for (size_t i = 1; i < count; i++)
        if (pthread_create(&threads[started], NULL, work, &workers[i]) == 0)
            started++; /* fewer workers do the same trials */
    work(&workers[0]);
    for (size_t i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    free(threads);
    free(workers);
}

static void
finish_result(Run *run)
{
    Result *result = run->result;

    if (run->status == STATUS_OK) {
        result->status = RESULT_COMPLETE;
        return;
    }
    result->status = run->status == STATUS_INTERRUPTED ? RESULT_INTERRUPTED : RESULT_FAILED;
    result->error = arena_printf(result->arena, "%s%s%s", run->diag->context,
                                 run->diag->context[0] != '\0' ? ": " : "", run->diag->message);
}

Status
run_scenario(const RunOptions *options, Result **result, Diag *diag)
{
    Run run = {.options = options, .lock = PTHREAD_MUTEX_INITIALIZER, .diag = diag};
    Diag save_diag = {0};
    Status saved;

    start_result(&run);
    make_order(&run);
    run_workers(&run);
    finish_result(&run);
    saved = save(&run, &save_diag);
    if (saved != STATUS_OK && run.status == STATUS_OK) {
        run.status = saved;
        *diag = save_diag;
    }
    free(run.order);
    *result = run.result;
    return run.status;
}
