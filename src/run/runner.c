#include "run/runner.h"

#include "base/clock.h"
#include "base/interrupt.h"
#include "base/mem.h"
#include "base/text.h"
#include "db/schema.h"
#include "db/settings.h"
#include "run/outlook.h"
#include "run/readiness.h"
#include "run/room.h"
#include "run/run_state.h"
#include "scenario/reference.h"

#include <stdlib.h>
#include <string.h>

static const uint64_t CLEANING_DEADLINE_NS = 60 * NS_PER_S; /* of each statement */

enum { OUTLOOK_NOTICES_MAX = 3 };

/* ---- Servers ---- */

/* What initdb decides is named like a setting in a scenario. */
static Status
start_cluster(Worker *worker, const Scenario *scenario, Diag *diag)
{
    ClusterSetting *settings = mem_new(scenario->setting_count, sizeof(*settings));
    ClusterOptions cluster = {
        .bindir = worker->run->options->bindir, .settings = settings, .data_checksums = -1};
    Status status;

    for (size_t i = 0; i < scenario->setting_count; i++) {
        const ScenarioSetting *setting = &scenario->settings[i];

        if (strcmp(setting->name, SETTING_DATA_CHECKSUMS) == 0)
            cluster.data_checksums = strcmp(setting->value, "on") == 0;
        else
            settings[cluster.setting_count++] = (ClusterSetting){setting->name, setting->value};
    }
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

/* Settings that make counts other than the published ones; those of the scenario are meant. On the
 * user's server readiness has said those that images depend on. */
static void
tell_reference(const Worker *worker)
{
    const Scenario *scenario = worker->trial->point->scenario;

    for (size_t i = 0; scenario->reference_count > 0 && i < REFERENCE_SETTING_COUNT; i++) {
        const ReferenceSetting *setting = &REFERENCE_SETTINGS[i];
        const char *found = result_server_value(worker->run->result, setting->name);
        const char *wanted = reference_differs(scenario, setting, found);

        if (wanted != NULL && (worker->cluster != NULL || !setting->of_images))
            notice(worker->run, "note: %s is %s, and was %s for the published figures: %s",
                   setting->name, found, wanted, setting->effect);
    }
}

/* The same for a baseline; what cannot be compared its checks say. */
static void
tell_baseline(const Worker *worker)
{
    const Result *baseline = worker->run->options->baseline;

    for (size_t i = 0; baseline != NULL && i < REFERENCE_SETTING_COUNT; i++) {
        const ReferenceSetting *setting = &REFERENCE_SETTINGS[i];
        const char *found = result_server_value(worker->run->result, setting->name);
        const char *before = result_server_value(baseline, setting->name);

        if (found[0] != '\0' && before[0] != '\0' && strcmp(found, before) != 0)
            notice(worker->run, "note: %s is %s, and was %s for the baseline: %s", setting->name,
                   found, before, setting->effect);
    }
}

/* What is measured already must have been measured by the same server's code. */
static Status
check_resumed_server(const Worker *worker, const DbRows *rows, Diag *diag)
{
    const Result *resumed = worker->run->options->resume;
    const char *before, *now = "";

    if (resumed == NULL)
        return STATUS_OK;
    before = result_server_value(resumed, "version");
    for (size_t row = 0; row < db_rows_count(rows); row++)
        if (strcmp(db_cell(rows, row, "name"), "version") == 0)
            now = db_cell(rows, row, "value");
    if (strcmp(before, now) == 0)
        return STATUS_OK;
    diag_set(diag, STATUS_USAGE, "the result was begun on PostgreSQL %s, and this is %s", before,
             now);
    diag_hint(diag, "Go on with the server of that version, or begin a new result.");
    return diag->status;
}

/* Once a run: with several workers their servers are made alike. */
static Status
record_server(Worker *worker, Diag *diag)
{
    Run *run = worker->run;
    DbRows *rows = NULL;
    Status status = settings_read(worker->conn, &rows, diag);

    if (status == STATUS_OK)
        status = check_resumed_server(worker, rows, diag);
    if (status != STATUS_OK) {
        db_rows_free(rows);
        return status;
    }
    pthread_mutex_lock(&run->lock);
    if (!run->server_recorded) {
        Result *result = run->result;

        result->server_count = 0; /* what a resumed result said is the same */
        result->server =
            arena_alloc(result->arena, db_rows_count(rows) + 2, sizeof(*result->server));
        add_server_value(result, "throwaway", worker->cluster != NULL ? "true" : "false");
        if (worker->cluster != NULL)
            add_server_value(result, "found_by", cluster_programs(worker->cluster)->found_by);
        for (size_t row = 0; row < db_rows_count(rows); row++)
            add_server_value(result, db_cell(rows, row, "name"), db_cell(rows, row, "value"));
        run->server_recorded = true;
        tell_server(worker);
        tell_reference(worker);
        tell_baseline(worker);
    }
    pthread_mutex_unlock(&run->lock);
    db_rows_free(rows);
    return STATUS_OK;
}

/* A cold read needs a server that may be stopped. */
static Status
refuse_restart(const Scenario *scenario, Diag *diag)
{
    for (size_t i = 0; i < scenario->phase_count; i++) {
        if (!scenario->phases[i].cold)
            continue;
        diag_set(diag, STATUS_USAGE,
                 "phase \"%s\" reads from a cold cache, which restarts the server",
                 scenario->phases[i].name);
        diag_hint(diag, "keybench restarts only servers of its own: run it without a connection.");
        return diag->status;
    }
    return STATUS_OK;
}

/* On the user's server: nothing is written before it is known to be fit. */
static Status
check_readiness(Worker *worker, Diag *diag)
{
    const RunOptions *options = worker->run->options;
    Readiness readiness;
    Status status = refuse_restart(worker->trial->point->scenario, diag);

    if (status != STATUS_OK)
        return status;
    status = readiness_read(worker->conn, options->plan, &readiness, diag);

    for (size_t i = 0; status == STATUS_OK && i < readiness.count; i++) {
        const ReadyItem *item = &readiness.items[i];

        if (item->level == READY_NOTE && !worker->run->server_recorded)
            notice(worker->run, "note: %s: %s", item->subject, item->found);
    }
    if (status == STATUS_OK)
        status = readiness_require(&readiness, options->insist, diag);
    return status;
}

static Status
open_server(Worker *worker, const Scenario *scenario, Diag *diag)
{
    const DbTarget *target = worker->run->options->target;
    Status status = STATUS_OK;

    worker->settings = scenario;
    if (target == NULL) {
        status = start_cluster(worker, scenario, diag);
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
    worker->facts.cluster = worker->cluster;
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
    worker->conn = NULL;
    worker->cluster = NULL;
    worker->settings = NULL;
    worker->claimed = false;
}

static bool
has_same_settings(const Scenario *a, const Scenario *b)
{
    if (a->setting_count != b->setting_count)
        return false;
    for (size_t i = 0; i < a->setting_count; i++)
        if (strcmp(a->settings[i].name, b->settings[i].name) != 0 ||
            strcmp(a->settings[i].value, b->settings[i].value) != 0)
            return false;
    return true;
}

/* A server with the settings of the trial: the one that is there, or a new one. */
static Status
need_server(Worker *worker, const Scenario *scenario, Diag *diag)
{
    if (worker->settings != NULL && has_same_settings(worker->settings, scenario))
        return STATUS_OK;
    if (worker->settings != NULL)
        close_server(worker);
    return open_server(worker, scenario, diag);
}

/* ---- Workers ---- */

/* The next trial that is still to be measured; false when there is none or the run is over. */
static bool
take_trial(Worker *worker)
{
    Run *run = worker->run;
    const Plan *plan = run->options->plan;
    bool taken = false;

    pthread_mutex_lock(&run->lock);
    while (!taken && !run->over && run->next < plan->trial_count) {
        size_t number = plan->order[run->next++];

        worker->trial = &plan->trials[number];
        worker->design = &run->result->designs[number];
        taken = worker->design->phase_count == 0;
    }
    pthread_mutex_unlock(&run->lock);
    return taken;
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
    tainted = result_is_tainted(run->result, design, NULL);
    if (tainted && tries <= run->options->retries) {
        notice(run, "design \"%s\" was contaminated; measuring it again (%llu of %llu)",
               design->name, (unsigned long long)tries, (unsigned long long)run->options->retries);
        run_result_forget(worker);
    } else {
        tainted = false;
    }
    pthread_mutex_unlock(&run->lock);
    return tainted;
}

static Status
run_trial(Worker *worker, Diag *diag)
{
    const PlannedTrial *trial = worker->trial;
    const Recorder recorder = run_result_recorder(worker);
    uint64_t tries = 0;
    Status status;

    do {
        status = trial_run(worker->conn, &worker->facts, trial->point->scenario, trial->design,
                           trial->seed, &recorder, diag);
        tries++;
    } while (status == STATUS_OK && wants_retry(worker, tries));
    if (status == STATUS_OK)
        outlook_judge_volume(trial, worker->design, recorder.finding, recorder.context);
    return status;
}

static void
add_log(const Worker *worker, Diag *diag)
{
    Text log = {0};

    if (diag->status != STATUS_SERVER || worker->cluster == NULL || diag->detail[0] != '\0')
        return;
    cluster_log_tail(worker->cluster, 5, &log);
    diag_detail(diag, "the throwaway server's log ends: %s", text_data(&log));
    text_release(&log);
}

/* Whether trials differ by the settings of the throwaway server, so that it may start for some. */
static bool
sweeps_settings(const RunOptions *options)
{
    const Sweep *sweep = options->plan->sweep;
    const Scenario *first = sweep_first(sweep);

    for (size_t i = 0; options->target == NULL && i < first->setting_count; i++)
        if (sweep_find_axis(sweep, first->settings[i].name) != NULL)
            return true;
    return false;
}

/* The detail is the server's log where it did not start. */
static void
print_cause(const Diag *diag, bool had_server, char *line, size_t size)
{
    size_t length;

    diag_line(diag, line, size);
    length = strlen(line);
    if (!had_server && diag->detail[0] != '\0')
        snprintf(line + length, size - length, ": %s", diag->detail);
}

/* In a sweep a failed trial is a hole, and the next begins on a server made anew. Settings that the
 * server's build does not have leave a hole too, but the run does not fail for them. */
static void
fail_trial(Worker *worker, bool had_server, Status status, const Diag *diag)
{
    Run *run = worker->run;
    bool swept = run->options->plan->sweep->axis_count > 0;
    bool skips = swept && status == STATUS_UNSUPPORTED;
    bool of_trial = had_server || sweeps_settings(run->options);
    bool ends =
        !skips && (status == STATUS_INTERRUPTED || !of_trial || status == STATUS_IO || !swept);
    const char *label = worker->design->sweep_label;
    char line[DIAG_LINE_SIZE];

    pthread_mutex_lock(&run->lock);
    if (!skips && (run->status == STATUS_OK ||
                   (run->status == STATUS_INTERRUPTED && status != run->status))) {
        run->status = status;
        *run->diag = *diag;
        if (of_trial && label[0] != '\0')
            diag_context(run->diag, "at %s", label);
    }
    run->over = run->over || ends;
    if (!ends) {
        print_cause(diag, had_server, line, sizeof(line));
        worker->design->error = arena_text(run->result->arena, line);
        notice(run, "%s: %s%s%s", skips ? "skipped" : "failed", label, label[0] != '\0' ? ": " : "",
               line);
    }
    pthread_mutex_unlock(&run->lock);
    close_server(worker);
}

static void *
work(void *context)
{
    Worker *worker = context;

    while (take_trial(worker)) {
        Status status;
        bool had_server;

        worker->diag = (Diag){0};
        status = need_server(worker, worker->trial->point->scenario, &worker->diag);
        had_server = status == STATUS_OK;
        if (status == STATUS_OK)
            status = run_trial(worker, &worker->diag);
        if (status != STATUS_OK) {
            add_log(worker, &worker->diag);
            fail_trial(worker, had_server, status, &worker->diag);
        }
    }
    if (worker->settings != NULL)
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

/* How many different doubts there are, of which the first few are said. */
typedef struct Outlook {
    const Run *run;
    size_t count;
    Text told; /* a line each */
} Outlook;

static void
tell_outlook(void *context, const Finding *finding)
{
    Outlook *outlook = context;
    Text line = {0};

    text_printf(&line, "note: design \"%s\": %s\n", finding->design, finding->detail);
    if (strstr(text_data(&outlook->told), line.data) == NULL) {
        text_add(&outlook->told, line.data);
        if (outlook->count++ < OUTLOOK_NOTICES_MAX)
            notice(outlook->run, "%.*s", (int)line.length - 1, line.data);
    }
    text_release(&line);
}

/* Said before it starts; each stands in the result as a finding too. */
static void
tell_outlooks(const Run *run)
{
    const Plan *plan = run->options->plan;
    Outlook outlook = {.run = run};

    for (size_t i = 0; i < plan->trial_count; i++)
        if (plan->trials[i].repeat == 1 && run->result->designs[i].phase_count == 0)
            outlook_judge_scale(&plan->trials[i], tell_outlook, &outlook);
    if (outlook.count > OUTLOOK_NOTICES_MAX)
        notice(run, "note: %zu more of this kind: see the findings",
               outlook.count - OUTLOOK_NOTICES_MAX);
    text_release(&outlook.told);
}

Status
run_plan(const RunOptions *options, Result **result, Diag *diag)
{
    Run run = {.options = options, .lock = PTHREAD_MUTEX_INITIALIZER, .diag = diag};
    Diag save_diag = {0};
    Status saved;

    run_result_start(&run);
    if (options->target == NULL)
        run.status = room_require_throwaway(options->plan, options->jobs, diag);
    if (run.status == STATUS_OK) {
        tell_outlooks(&run);
        run_workers(&run);
    }
    run_result_finish(&run);
    saved = run_result_save(&run, &save_diag);
    if (saved != STATUS_OK && run.status == STATUS_OK) {
        run.status = saved;
        *diag = save_diag;
    }
    *result = run.result;
    return run.status;
}
