#include "run/loader.h"

#include "base/mem.h"
#include "run/gate.h"
#include "run/server_facts.h"
#include "run/stage.h"
#include "run/waits.h"
#include "run/writer.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>

enum { VERSION_BACKEND_WAL = 180000 };

struct Loader {
    const TrialTable *table;
    DbConn *conn;
    const Scenario *scenario;
    uint64_t seed;
    const Phase *phase; /* the current one */
    WalSource wal_source;
    Writer *writers; /* as many as some phase has had until now */
    size_t writer_count;
    atomic_bool stop;
    Gate gate;
    Instant start;        /* set before the gate opens */
    WaitSampler *sampler; /* NULL until a phase wants one */
    atomic_bool done;     /* the sampler's sign: all writers are */
    Status sampler_status;
    Diag sampler_diag;
    Tally tally; /* of the phase: all writers and batches */
    FailureCount failures[TALLY_SQLSTATES_MAX];
    WaitShare waits[WAIT_EVENTS_MAX];
};

const char *
wal_source_name(WalSource source)
{
    static const char *const NAMES[] = {
        [WAL_SOURCE_PLAN] = "plan",
        [WAL_SOURCE_BACKEND] = "backend",
        [WAL_SOURCE_WALINSPECT] = "walinspect",
        [WAL_SOURCE_POSITION] = "log position",
    };

    return NAMES[source];
}

WalSource
wal_source_choose(const Phase *phase, const Design *table, const ServerFacts *facts)
{
    bool planned = phase->action == ACTION_INSERT
                       ? phase->load.method == LOAD_INSERT_SELECT && !table_has_foreign_key(table)
                       : action_finds_rows(phase->action);

    if (planned)
        return WAL_SOURCE_PLAN;
    if (facts->version_number >= VERSION_BACKEND_WAL && phase->action != ACTION_CHECKPOINT)
        return WAL_SOURCE_BACKEND;
    return facts->walinspect_schema != NULL ? WAL_SOURCE_WALINSPECT : WAL_SOURCE_POSITION;
}

Loader *
loader_new(const TrialTable *table, DbConn *conn, const Scenario *scenario, uint64_t seed)
{
    Loader *loader = mem_new(1, sizeof(*loader));

    loader->table = table;
    loader->conn = conn;
    loader->scenario = scenario;
    loader->seed = seed;
    loader->writers = mem_new(WRITERS_MAX, sizeof(*loader->writers));
    atomic_init(&loader->stop, false);
    atomic_init(&loader->done, false);
    return loader;
}

void
loader_free(Loader *loader)
{
    if (loader == NULL)
        return;
    for (size_t i = 0; i < loader->writer_count; i++)
        writer_close(&loader->writers[i]);
    waits_close(loader->sampler);
    free(loader->writers);
    free(loader);
}

static Status
open_writers(Loader *loader, Diag *diag)
{
    Status status = STATUS_OK;

    while (status == STATUS_OK && loader->writer_count < loader->phase->writer_count) {
        Writer *writer = &loader->writers[loader->writer_count];

        status = writer_open(writer, loader->table, loader->writer_count, loader->conn,
                             loader->seed, diag);
        writer->stop = &loader->stop;
        loader->writer_count++;
    }
    return status;
}

/* Let the sampler look at the phase's writers. */
static Status
watch_writers(Loader *loader, Diag *diag)
{
    int pids[WRITERS_MAX];
    size_t count = (size_t)loader->phase->writer_count;
    Status status = STATUS_OK;

    if (loader->phase->sample_waits_per_s == 0)
        return STATUS_OK;
    for (size_t i = 0; i < count; i++)
        pids[i] = db_backend_pid(loader->writers[i].conn);
    if (loader->sampler == NULL)
        status = waits_open(loader->conn, &loader->sampler, diag);
    if (status == STATUS_OK)
        status = waits_watch(loader->sampler, pids, count, diag);
    return status;
}

Status
loader_begin_phase(Loader *loader, size_t number, WalSource wal_source, Diag *diag)
{
    const Phase *phases = loader->scenario->phases;
    uint64_t first_row = phases_rows(phases, number, phases[number].table) + 1;
    Status status;

    loader->phase = &phases[number];
    loader->wal_source = wal_source;
    loader->tally = (Tally){0};
    status = open_writers(loader, diag);
    for (uint64_t i = 0; status == STATUS_OK && i < loader->phase->writer_count; i++) {
        status = writer_begin_phase(&loader->writers[i], phases, number, first_row, diag);
        first_row += phase_writer_rows(loader->phase, i) * loader->phase->batch_count;
    }
    if (status == STATUS_OK)
        status = watch_writers(loader, diag);
    return status;
}

Status
loader_reconnect(Loader *loader, Diag *diag)
{
    Status status = STATUS_OK;

    for (size_t i = 0; status == STATUS_OK && i < loader->writer_count; i++)
        status = writer_reconnect(&loader->writers[i], diag);
    return status;
}

Status
loader_prepare_batch(Loader *loader, Diag *diag)
{
    Status status = STATUS_OK;

    for (uint64_t i = 0; status == STATUS_OK && i < loader->phase->writer_count; i++)
        status = writer_prepare_batch(&loader->writers[i], diag);
    return status;
}

/* ---- Side by side ---- */

/* A thread: a writer's, or the sampler's, which has no writer. */
typedef struct Seat {
    Loader *loader;
    Writer *writer;
    pthread_t thread;
} Seat;

static void
run_writer(Loader *loader, Writer *writer)
{
    writer_run_batch(writer, &loader->start);
    if (writer->status != STATUS_OK)
        atomic_store(&loader->stop, true);
}

static void *
sit(void *context)
{
    Seat *seat = context;
    Loader *loader = seat->loader;

    if (!gate_wait(&loader->gate))
        return NULL;
    if (seat->writer != NULL)
        run_writer(loader, seat->writer);
    else
        loader->sampler_status = waits_run(loader->sampler, loader->phase->sample_waits_per_s,
                                           &loader->done, &loader->sampler_diag);
    return NULL;
}

/* The threads beside the caller's, which is the first writer's: the sampler last. */
static size_t
start_threads(Loader *loader, Seat *seats, size_t count)
{
    bool samples = loader->phase->sample_waits_per_s > 0;
    size_t started = 0;

    while (started < count) {
        bool is_sampler = samples && started + 1 == count;

        seats[started] =
            (Seat){.loader = loader, .writer = is_sampler ? NULL : &loader->writers[started + 1]};
        if (pthread_create(&seats[started].thread, NULL, sit, &seats[started]) != 0)
            break;
        started++;
    }
    return started;
}

static Status
run_writers(Loader *loader, Diag *diag)
{
    bool samples = loader->phase->sample_waits_per_s > 0;
    size_t writers = (size_t)loader->phase->writer_count;
    size_t count = writers - 1 + samples, started;
    Seat *seats = mem_new(count, sizeof(*seats));
    bool all;

    gate_init(&loader->gate);
    atomic_store(&loader->done, false);
    loader->sampler_status = STATUS_OK;
    started = start_threads(loader, seats, count);
    all = started == count;
    gate_await(&loader->gate, started);
    loader->start = instant_now();
    gate_open(&loader->gate, !all);
    if (all)
        run_writer(loader, &loader->writers[0]);
    for (size_t i = 0; i < started; i++) {
        if (i + 1 >= writers)
            atomic_store(&loader->done, true);
        pthread_join(seats[i].thread, NULL);
    }
    gate_release(&loader->gate);
    free(seats);
    if (!all)
        return diag_set(diag, STATUS_IO, "cannot start %zu threads", count);
    return STATUS_OK;
}

/* The first failure; what came of it in other writers was only told to stop. */
static Status
find_failure(const Loader *loader, Diag *diag)
{
    const Writer *failed = NULL;

    for (uint64_t i = 0; i < loader->phase->writer_count; i++) {
        const Writer *writer = &loader->writers[i];

        if (writer->status == STATUS_OK)
            continue;
        if (failed == NULL || failed->status == STATUS_INTERRUPTED)
            failed = writer;
    }
    if (failed == NULL && loader->sampler_status != STATUS_OK)
        *diag = loader->sampler_diag;
    if (failed == NULL)
        return loader->sampler_status;
    *diag = failed->diag;
    if (loader->phase->writer_count > 1)
        diag_context(diag, "writer %llu", (unsigned long long)failed->number + 1);
    return failed->status;
}

/* ---- What it cost ---- */

/* The writers' own counters, the trial's connection last before the start and after the end. */
static Status
read_points(Loader *loader, bool after, Diag *diag)
{
    Status status = STATUS_OK;

    for (uint64_t i = loader->phase->writer_count; status == STATUS_OK && i > 0; i--) {
        Writer *writer = &loader->writers[i - 1];

        status = wal_point_read(writer->conn, after ? &writer->after : &writer->before, diag);
    }
    return status;
}

static void
add_count(uint64_t *sum, uint64_t part)
{
    *sum = *sum == WAL_UNKNOWN || part == WAL_UNKNOWN ? WAL_UNKNOWN : *sum + part;
}

static WalCount
count_own(const Loader *loader)
{
    WalCount sum = {0};

    for (uint64_t i = 0; i < loader->phase->writer_count; i++) {
        const Writer *writer = &loader->writers[i];
        WalCount own = wal_count_between(writer->before.own, writer->after.own);

        add_count(&sum.bytes, own.bytes);
        add_count(&sum.record_count, own.record_count);
        add_count(&sum.fpi_count, own.fpi_count);
    }
    return sum;
}

static double
known(uint64_t count)
{
    return count == WAL_UNKNOWN ? NAN : (double)count;
}

/* From the barrier to the last commit. */
static double
elapsed_ms(const Loader *loader)
{
    uint64_t longest_ns = 0;

    for (uint64_t i = 0; i < loader->phase->writer_count; i++)
        if (loader->writers[i].elapsed_ns > longest_ns)
            longest_ns = loader->writers[i].elapsed_ns;
    return (double)longest_ns / (double)NS_PER_MS;
}

/* A plan leaves out the checks of foreign keys; what it counted is not mixed with another's. */
static void
forget_plan_wal(Figures *figures)
{
    static const MetricId COUNTED[] = {METRIC_WAL_BYTES, METRIC_WAL_RECORD_COUNT, METRIC_FPI_COUNT,
                                       METRIC_FPI_BYTES, METRIC_WAL_BUFFERS_FULL_COUNT};

    for (size_t i = 0; i < ARRAY_LEN(COUNTED); i++)
        figures->value[COUNTED[i]] = NAN;
}

/* What becomes of the batch's transactions, and of the phase's. */
static void
add_transactions(Loader *loader, Figures *figures)
{
    Tally *batch = mem_new(1, sizeof(*batch));

    for (uint64_t i = 0; i < loader->phase->writer_count; i++)
        tally_merge(batch, &loader->writers[i].tally);
    tally_fill(batch, figures);
    tally_fill_latency(batch, figures);
    figures_derive(figures);
    tally_merge(&loader->tally, batch);
    free(batch);
}

static void
add_up(Loader *loader, Measurement *measurement)
{
    Figures *figures = &measurement->figures;
    uint64_t writers = loader->phase->writer_count;
    WalCount own = count_own(loader);

    measurement->commit_count = loader->wal_source == WAL_SOURCE_PLAN ? writers : 0;
    measurement->before = loader->writers[0].before;
    measurement->after = loader->writers[0].after;
    measurement->before.own = (WalCount){0};
    measurement->after.own = own;
    figures_init(figures);
    for (uint64_t i = 0; i < writers; i++)
        figures_add_batch(figures, &loader->writers[i].figures, i == 0);
    figures->value[METRIC_LSN_BYTES] =
        (double)(measurement->after.insert_lsn - measurement->before.insert_lsn);
    if (loader->wal_source != WAL_SOURCE_PLAN)
        forget_plan_wal(figures);
    if (loader->wal_source == WAL_SOURCE_BACKEND) {
        figures->value[METRIC_WAL_BYTES] = known(own.bytes);
        figures->value[METRIC_WAL_RECORD_COUNT] = known(own.record_count);
        figures->value[METRIC_FPI_COUNT] = known(own.fpi_count);
    }
    if (loader->wal_source != WAL_SOURCE_PLAN || writers > 1)
        figures->value[METRIC_ELAPSED_MS] = elapsed_ms(loader);
    if (loader->phase->load.method != LOAD_INSERT_SELECT)
        add_transactions(loader, figures);
}

Status
loader_run_batch(Loader *loader, Measurement *measurement, Diag *diag)
{
    Status status = read_points(loader, false, diag);

    if (status == STATUS_OK)
        status = run_writers(loader, diag);
    if (status == STATUS_OK)
        status = find_failure(loader, diag);
    if (status == STATUS_OK)
        status = read_points(loader, true, diag);
    if (status == STATUS_OK)
        add_up(loader, measurement);
    return status;
}

static void
list_failures(Loader *loader, PhaseResult *measured)
{
    for (size_t i = 0; i < loader->tally.failure_count; i++)
        loader->failures[i] = (FailureCount){loader->tally.failures[i].sqlstate,
                                             (double)loader->tally.failures[i].count};
    measured->failures = loader->failures;
    measured->failure_count = loader->tally.failure_count;
}

static void
list_waits(Loader *loader, PhaseResult *measured)
{
    const WaitCounts *counts = waits_counts(loader->sampler);
    double all = 0;

    for (size_t i = 0; i < counts->count; i++)
        all += (double)counts->events[i].sample_count;
    for (size_t i = 0; i < counts->count; i++) {
        double seen = (double)counts->events[i].sample_count;

        loader->waits[i] = (WaitShare){counts->events[i].event, seen, 100 * seen / all};
    }
    measured->waits = loader->waits;
    measured->wait_count = counts->count;
}

void
loader_end_phase(Loader *loader, PhaseResult *measured)
{
    tally_fill_latency(&loader->tally, &measured->figures);
    list_failures(loader, measured);
    if (loader->phase->sample_waits_per_s > 0)
        list_waits(loader, measured);
}

Status
loader_end(Loader *loader, Diag *diag)
{
    if (loader->writer_count == 0)
        return STATUS_OK;
    return writer_end(&loader->writers[0], diag);
}
