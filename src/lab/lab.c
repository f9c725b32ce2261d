#include "lab/lab.h"

#include "base/clock.h"
#include "base/mem.h"
#include "lab/property.h"
#include "run/readiness.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* One lab under way; all that workers share stands behind the lock. */
typedef struct LabRun {
    const LabOptions *options;
    pthread_mutex_t lock;
    Lab *lab;
    size_t next_chapter;
    bool **done; /* by chapter and claim: its outcome is known and not told yet, or told */
    size_t told_chapter, told_claim; /* where telling goes on */
    Status status;                   /* the first failure */
    Diag *diag;                      /* and its cause */
} LabRun;

/* One chapter on its server. */
typedef struct Worker {
    LabRun *run;
    size_t chapter;
    Cluster *cluster; /* NULL on the user's server */
    const DbTarget *target;
    LabServerFacts facts;
    Arena *arena; /* of its claims' outcomes; the lab's */
    MeasuredCache *measured;
} Worker;

/* ---- Telling ---- */

static void
tell_event(void *context, const ProveEvent *event)
{
    LabRun *run = context;

    pthread_mutex_lock(&run->lock);
    if (run->options->event != NULL)
        run->options->event(run->options->context, event);
    pthread_mutex_unlock(&run->lock);
}

static void
tell_notice(void *context, const char *text)
{
    LabRun *run = context;

    pthread_mutex_lock(&run->lock);
    if (run->options->notice != NULL)
        run->options->notice(run->options->context, text);
    pthread_mutex_unlock(&run->lock);
}

/* Tell what is known of the chapter in front, and go on to the next once it is complete. `all` also
 * passes over what will not be known any more. Called with the lock held. */
static void
tell_outcomes(LabRun *run, bool all)
{
    const Library *library = run->options->library;

    for (; run->told_chapter < library->chapter_count; run->told_chapter++, run->told_claim = 0) {
        size_t chapter = run->told_chapter;

        for (; run->told_claim < library->chapters[chapter]->claim_count; run->told_claim++) {
            size_t claim = run->told_claim;

            if (run->done[chapter][claim])
                run->options->proved(run->options->context, chapter, claim,
                                     &run->lab->outcomes[chapter][claim]);
            else if (library->chosen[chapter][claim] && !all)
                return;
        }
    }
}

static void
count_outcome(Lab *lab, const Outcome *outcome)
{
    lab->ok_count += outcome->verdict == VERDICT_OK;
    lab->fail_count += outcome->verdict == VERDICT_FAIL;
    lab->skip_count += outcome->verdict == VERDICT_SKIP;
}

static void
record_outcome(Worker *worker, size_t claim, const Outcome *outcome)
{
    LabRun *run = worker->run;

    pthread_mutex_lock(&run->lock);
    run->lab->outcomes[worker->chapter][claim] = *outcome;
    run->done[worker->chapter][claim] = true;
    count_outcome(run->lab, outcome);
    tell_outcomes(run, false);
    pthread_mutex_unlock(&run->lock);
}

static void
fail(LabRun *run, Status status, const Diag *diag)
{
    pthread_mutex_lock(&run->lock);
    if (run->status == STATUS_OK || (run->status == STATUS_INTERRUPTED && status != run->status)) {
        run->status = status;
        *run->diag = *diag;
    }
    pthread_mutex_unlock(&run->lock);
}

static bool
is_over(LabRun *run)
{
    bool over;

    pthread_mutex_lock(&run->lock);
    over = run->status != STATUS_OK;
    pthread_mutex_unlock(&run->lock);
    return over;
}

/* ---- Servers ---- */

static Status
start_cluster(Worker *worker, Diag *diag)
{
    const ClusterOptions options = {.bindir = worker->run->options->bindir, .data_checksums = -1};
    Status status = cluster_start(&options, &worker->cluster, diag);

    if (status == STATUS_OK)
        worker->target = cluster_target(worker->cluster);
    return status;
}

static void
record_server(Worker *worker)
{
    Lab *lab = worker->run->lab;

    pthread_mutex_lock(&worker->run->lock);
    memcpy(lab->server_version, worker->facts.version, sizeof(lab->server_version));
    pthread_mutex_unlock(&worker->run->lock);
}

/* Rights and extensions that are missing are reasons to skip, claim by claim. What others depend
 * on, and a server that cannot be written to, are reasons not to begin. */
static bool
forbids(const ReadyItem *item, bool insist)
{
    if (item->level == READY_PRODUCTION)
        return !insist;
    return item->level == READY_REFUSED &&
           (strcmp(item->subject, "connection") == 0 || strcmp(item->subject, "standby") == 0);
}

static Status
check_readiness(const Worker *worker, DbConn *conn, Diag *diag)
{
    Readiness readiness;
    Status status = readiness_read(conn, NULL, &readiness, diag);

    for (size_t i = 0; status == STATUS_OK && i < readiness.count; i++) {
        const ReadyItem *item = &readiness.items[i];

        if (!forbids(item, worker->run->options->insist))
            continue;
        status = diag_set(diag, STATUS_SERVER, "the server is not fit for the lab: %s: %s",
                          item->subject, item->found);
        diag_hint(diag, "%s", item->remedy);
    }
    return status;
}

static Status
open_server(Worker *worker, Diag *diag)
{
    DbConn *conn = NULL;
    Status status = STATUS_OK;

    worker->target = worker->run->options->target;
    if (worker->target == NULL)
        status = start_cluster(worker, diag);
    if (status == STATUS_OK)
        status = db_open(worker->target, &conn, diag);
    if (status == STATUS_OK)
        status = lab_facts_read(conn, worker->cluster != NULL, &worker->facts, diag);
    if (status == STATUS_OK && worker->cluster == NULL)
        status = check_readiness(worker, conn, diag);
    if (status == STATUS_OK && worker->cluster == NULL)
        status = leftovers_drop(conn, diag);
    if (status == STATUS_OK)
        record_server(worker);
    db_close(conn);
    return status;
}

/* ---- Workers ---- */

static Status
prove_claims(Worker *worker, Diag *diag)
{
    LabRun *run = worker->run;
    const Library *library = run->options->library;
    const Chapter *chapter = library->chapters[worker->chapter];
    const ProveOptions options = {
        .chapter = chapter,
        .target = worker->target,
        .cluster = worker->cluster,
        .bindir = run->options->bindir,
        .facts = &worker->facts,
        .measured = worker->measured,
        .scale = run->options->scale,
        .insist = run->options->insist,
        .event = run->options->event != NULL ? tell_event : NULL,
        .notice = tell_notice,
        .context = run,
    };
    Status status = STATUS_OK;

    for (size_t claim = 0; status == STATUS_OK && claim < chapter->claim_count; claim++) {
        Outcome outcome;

        if (!library->chosen[worker->chapter][claim])
            continue;
        if (is_over(run))
            break;
        status = prove_claim(&options, &chapter->claims[claim], worker->arena, &outcome, diag);
        if (status == STATUS_OK)
            record_outcome(worker, claim, &outcome);
    }
    return status;
}

static void
prove_chapter(LabRun *run, size_t chapter, Arena *arena)
{
    Worker worker = {.run = run, .chapter = chapter, .arena = arena};
    Diag diag = {0};
    Status status = open_server(&worker, &diag);

    worker.measured = measured_cache_new();
    if (status == STATUS_OK)
        status = prove_claims(&worker, &diag);
    if (status != STATUS_OK)
        fail(run, status, &diag);
    measured_cache_free(worker.measured);
    cluster_stop(worker.cluster);
}

/* The next chapter with a chosen claim; false when there is none or the lab is over. */
static bool
take_chapter(LabRun *run, size_t *chapter)
{
    const Library *library = run->options->library;
    bool taken = false;

    pthread_mutex_lock(&run->lock);
    while (run->status == STATUS_OK && !taken && run->next_chapter < library->chapter_count) {
        *chapter = run->next_chapter++;
        taken = library_chapter_chosen(library, *chapter);
    }
    pthread_mutex_unlock(&run->lock);
    return taken;
}

typedef struct WorkerThread {
    LabRun *run;
    Arena *arena;
} WorkerThread;

static void *
work(void *context)
{
    WorkerThread *thread = context;
    size_t chapter = 0;

    while (take_chapter(thread->run, &chapter))
        prove_chapter(thread->run, chapter, thread->arena);
    return NULL;
}

static void
run_workers(LabRun *run)
{
    size_t count = run->lab->arena_count;
    WorkerThread *workers = mem_new(count, sizeof(*workers));
    pthread_t *threads = mem_new(count, sizeof(*threads));
    size_t started = 0;

    for (size_t i = 0; i < count; i++)
        workers[i] = (WorkerThread){run, run->lab->arenas[i]};
    for (size_t i = 1; i < count; i++)
        if (pthread_create(&threads[started], NULL, work, &workers[i]) == 0)
            started++; /* fewer workers do the same chapters */
    work(&workers[0]);
    for (size_t i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    free(threads);
    free(workers);
}

/* ---- The lab ---- */

static Lab *
lab_new(const LabOptions *options)
{
    const Library *library = options->library;
    Lab *lab = mem_new(1, sizeof(*lab));

    lab->library = library;
    lab->throwaway = options->target == NULL;
    lab->arena_count = (size_t)options->jobs;
    lab->arenas = mem_new(lab->arena_count, sizeof(Arena *));
    for (size_t i = 0; i < lab->arena_count; i++)
        lab->arenas[i] = arena_new();
    lab->outcomes = mem_new(library->chapter_count, sizeof(Outcome *));
    for (size_t i = 0; i < library->chapter_count; i++) {
        lab->outcomes[i] = mem_new(library->chapters[i]->claim_count, sizeof(Outcome));
        for (size_t claim = 0; claim < library->chapters[i]->claim_count; claim++)
            lab->outcomes[i][claim].reason = "";
    }
    return lab;
}

void
lab_free(Lab *lab)
{
    if (lab == NULL)
        return;
    for (size_t i = 0; i < lab->library->chapter_count; i++)
        free(lab->outcomes[i]);
    for (size_t i = 0; i < lab->arena_count; i++)
        arena_free(lab->arenas[i]);
    free(lab->outcomes);
    free(lab->arenas);
    free(lab);
}

static bool **
make_flags(const Library *library)
{
    bool **flags = mem_new(library->chapter_count, sizeof(*flags));

    for (size_t i = 0; i < library->chapter_count; i++)
        flags[i] = mem_new(library->chapters[i]->claim_count, sizeof(**flags));
    return flags;
}

Status
lab_run(const LabOptions *options, Lab **lab, Diag *diag)
{
    const Library *library = options->library;
    LabRun run = {.options = options, .lock = PTHREAD_MUTEX_INITIALIZER, .diag = diag};
    Instant start = instant_now();

    run.lab = lab_new(options);
    run.done = make_flags(library);
    run_workers(&run);
    tell_outcomes(&run, true);
    run.lab->missing_count = library_chosen_count(library) - run.lab->ok_count -
                             run.lab->fail_count - run.lab->skip_count;
    run.lab->elapsed_ns = instant_elapsed_ns(start);
    for (size_t i = 0; i < library->chapter_count; i++)
        free(run.done[i]);
    free(run.done);
    *lab = run.lab;
    return run.status;
}
