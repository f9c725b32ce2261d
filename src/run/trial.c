#include "run/trial.h"

#include "base/interrupt.h"
#include "base/mem.h"
#include "base/text.h"
#include "db/relstats.h"
#include "db/schema.h"
#include "db/wal.h"
#include "run/action.h"
#include "run/cleanliness.h"
#include "run/loader.h"
#include "run/server_facts.h"
#include "run/wal_kinds.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* One trial under way. */
typedef struct Trial {
    DbConn *conn;
    const ServerFacts *facts;
    const Scenario *scenario;
    const Design *design;
    const Recorder *recorder;
    TrialTable *tables; /* the design's own, then its children */
    Loader **loaders;   /* one a table */
    Actor **actors;     /* likewise */
    size_t table_count;
    const TrialTable *table; /* of the current phase */
    Loader *loader;
    Actor *actor;
    Finding last_batch;        /* where a finding about the last batch belongs */
    double last_dirtied_pages; /* of it; 0 when its checkpoint has been */
    WalSource wal_source;      /* of the current phase */
    bool rows_failed;          /* a transaction did: the tables lack rows of the scenario */
    WalKinds kinds;
} Trial;

/* Kinds of record, and where nobody else counts the batch's WAL, their sum. */
static Status
inspect_wal(Trial *trial, Measurement *measurement, Diag *diag)
{
    const char *schema = trial->facts->walinspect_schema;
    uint64_t start_lsn = measurement->before.insert_lsn, end_lsn;
    Figures *figures = &measurement->figures;
    WalKind sum = {0};
    Status status;

    if (schema == NULL)
        return STATUS_OK;
    status = wal_await_flush(trial->conn, &measurement->after, diag);
    end_lsn = measurement->after.flush_lsn;
    if (status == STATUS_OK && start_lsn < end_lsn) /* an empty stretch of the log is refused */
        status = wal_kinds_add(&trial->kinds, trial->conn, schema, start_lsn, end_lsn, &sum, diag);
    if (status != STATUS_OK || trial->wal_source != WAL_SOURCE_WALINSPECT)
        return status;
    figures->value[METRIC_WAL_BYTES] = sum.record_bytes + sum.fpi_bytes;
    figures->value[METRIC_WAL_RECORD_COUNT] = sum.record_count;
    figures->value[METRIC_FPI_BYTES] = sum.fpi_bytes;
    if (start_lsn >= end_lsn) {
        figures->value[METRIC_FPI_COUNT] = 0;
        return STATUS_OK;
    }
    return wal_images_read(trial->conn, schema, start_lsn, end_lsn,
                           &figures->value[METRIC_FPI_COUNT], diag);
}

/* Where a finding belongs; the recorder knows the repeat. */
static Finding
finding_at(const Trial *trial, const Phase *phase, uint64_t batch)
{
    return (Finding){.design = trial->design->name, .phase = phase->name, .batch = batch};
}

/* CHECKPOINT; what it finds to write tells whether the batch before it was evicted in part. */
static Status
checkpoint(Trial *trial, Diag *diag)
{
    uint64_t written_pages = 0;
    Status status = wal_checkpoint(trial->conn, &written_pages, diag);

    if (status == STATUS_OK && trial->last_dirtied_pages > 0 && written_pages != WAL_UNKNOWN)
        cleanliness_judge_eviction(trial->last_dirtied_pages, (double)written_pages,
                                   trial->last_batch, trial->recorder->finding,
                                   trial->recorder->context);
    trial->last_dirtied_pages = 0;
    return status;
}

static Status
prepare_rows(Trial *trial, const Phase *phase, uint64_t batch, Diag *diag)
{
    if (phase->action == ACTION_INSERT)
        return loader_prepare_batch(trial->loader, diag);
    return actor_prepare_batch(trial->actor, batch, diag);
}

/* What comes before a batch and its checkpoint. A server that was restarted has forgotten what the
 * batch before dirtied, and its cache stays cold. */
static Status
prepare_batch(Trial *trial, const Phase *phase, uint64_t batch, Diag *diag)
{
    Status status = prepare_rows(trial, phase, batch, diag);

    if (phase->cold)
        trial->last_dirtied_pages = 0;
    else if (status == STATUS_OK && batch == 1 && trial->facts->cluster != NULL)
        status = catalogue_settle(trial->conn, diag);
    return status;
}

static Status
load_batch(Trial *trial, Measurement *measurement, Diag *diag)
{
    Status status = loader_run_batch(trial->loader, measurement, diag);

    if (status == STATUS_OK && measurement->figures.value[METRIC_FAILED_TRANSACTION_COUNT] > 0)
        trial->rows_failed = true;
    return status;
}

static Status
measure_batch(Trial *trial, const Phase *phase, uint64_t batch, Measurement *measurement,
              Diag *diag)
{
    if (phase->action == ACTION_INSERT)
        return load_batch(trial, measurement, diag);
    return actor_run_batch(trial->actor, batch, measurement, diag);
}

static Status
run_batch(Trial *trial, const Phase *phase, size_t phase_number, uint64_t batch, Diag *diag)
{
    Measurement measurement;
    Status status = prepare_batch(trial, phase, batch, diag);
    ActivityPoint activity_before, activity_after;
    bool with_checkpoint =
        phase->batches_per_checkpoint > 0 && (batch - 1) % phase->batches_per_checkpoint == 0;

    if (status == STATUS_OK && with_checkpoint)
        status = checkpoint(trial, diag);
    if (status == STATUS_OK)
        status = activity_point_read(trial->conn, trial->table->name, &activity_before, diag);
    if (status == STATUS_OK)
        status = measure_batch(trial, phase, batch, &measurement, diag);
    if (status == STATUS_OK && phase->action == ACTION_VACUUM)
        activity_before.vacuum_count++; /* our own */
    if (status == STATUS_OK)
        status = activity_await_vacuums(trial->conn, trial->table->name,
                                        activity_before.vacuum_count, &activity_after, diag);
    if (status == STATUS_OK)
        status = inspect_wal(trial, &measurement, diag);
    if (status != STATUS_OK) {
        diag_context(diag, "batch %" PRIu64, batch);
        return status;
    }
    trial->recorder->batch(trial->recorder->context, phase_number, &measurement.figures);
    trial->last_batch = finding_at(trial, phase, batch);
    trial->last_dirtied_pages = measurement.figures.value[METRIC_DIRTIED_PAGES];
    cleanliness_judge(&measurement, &activity_before, &activity_after, trial->last_batch,
                      trial->recorder->finding, trial->recorder->context);
    return STATUS_OK;
}

/* A figure that is null for an empty index stays NAN. */
static Status
read_index_figure(const DbRows *rows, size_t row, MetricId metric, Figures *figures, Diag *diag)
{
    const char *column = METRICS[metric].name;

    if (db_cell(rows, row, column) == NULL)
        return STATUS_OK;
    return db_cell_double(rows, row, column, &figures->value[metric], diag);
}

static Status
read_indexes(const DbRows *rows, IndexResult *indexes, Diag *diag)
{
    Status status = STATUS_OK;

    for (size_t row = 0; row < db_rows_count(rows); row++) {
        indexes[row].name = db_cell(rows, row, "name");
        figures_init(&indexes[row].figures);
        for (int id = 0; status == STATUS_OK && id < METRIC_COUNT; id++)
            if (METRICS[id].scope == METRIC_SCOPE_INDEX)
                status = read_index_figure(rows, row, (MetricId)id, &indexes[row].figures, diag);
    }
    return status;
}

/* The first index is the one whose figures are shown. */
static void
put_first(PhaseResult *measured, const Index *featured)
{
    for (size_t i = 1; featured != NULL && i < measured->index_count; i++) {
        IndexResult found = measured->indexes[i];

        if (strcmp(found.name, featured->name) != 0)
            continue;
        memmove(&measured->indexes[1], &measured->indexes[0], i * sizeof(found));
        measured->indexes[0] = found;
    }
}

/* What the table and its indexes would take with a million rows like these. */
static double
million_rows_bytes(const Trial *trial, size_t phase_number, const PhaseResult *measured)
{
    const Phase *phases = trial->scenario->phases;
    double bytes = measured->figures.value[METRIC_HEAP_BYTES];
    uint64_t rows = phases_left_rows(phases, phase_number + 1, phases[phase_number].table);

    for (size_t i = 0; i < measured->index_count; i++)
        bytes += measured->indexes[i].figures.value[METRIC_INDEX_BYTES];
    return rows > 0 && !trial->rows_failed ? bytes / (double)rows * 1e6 : NAN;
}

/* What the phase left behind: sizes and the state of every index. */
static Status
probe(Trial *trial, size_t phase_number, Diag *diag)
{
    PhaseResult measured = {.wal_kinds = trial->kinds.kinds, .wal_kind_count = trial->kinds.count};
    DbRows *rows = NULL;
    uint64_t heap_bytes = 0;
    Status status = heap_bytes_read(trial->conn, trial->table->name, &heap_bytes, diag);

    figures_init(&measured.figures);
    if (status == STATUS_OK)
        status = dead_rows_read(trial->conn, trial->table->name,
                                &measured.figures.value[METRIC_DEAD_ROWS], diag);
    if (status == STATUS_OK)
        status = indexes_read(trial->conn, trial->table->name, trial->facts->pgstattuple_schema,
                              &rows, diag);
    if (status == STATUS_OK) {
        measured.figures.value[METRIC_HEAP_BYTES] = (double)heap_bytes;
        measured.index_count = db_rows_count(rows);
        measured.indexes = mem_new(measured.index_count, sizeof(*measured.indexes));
        status = read_indexes(rows, measured.indexes, diag);
    }
    if (status == STATUS_OK)
        measured.figures.value[METRIC_MILLION_ROWS_BYTES] =
            million_rows_bytes(trial, phase_number, &measured);
    if (status == STATUS_OK && trial->scenario->phases[phase_number].action != ACTION_INSERT)
        status = actor_end_phase(trial->actor, &measured, diag);
    if (status == STATUS_OK)
        put_first(&measured, trial->table->design->featured_index);
    wal_kinds_sort(&trial->kinds);
    loader_end_phase(trial->loader, &measured);
    if (status == STATUS_OK)
        status =
            trial->recorder->end_phase(trial->recorder->context, phase_number, &measured, diag);
    free(measured.indexes);
    db_rows_free(rows);
    return status;
}

/* Which of the tables a phase is about: children are in the order of their design's. */
static void
enter_table(Trial *trial, const Phase *phase)
{
    const Design *table = design_table(trial->design, phase);
    size_t number = table == trial->design ? 0 : (size_t)(table - trial->design->children) + 1;

    trial->table = &trial->tables[number];
    trial->loader = trial->loaders[number];
    trial->actor = trial->actors[number];
}

static Status
run_phase(Trial *trial, size_t phase_number, Diag *diag)
{
    const Phase *phase = &trial->scenario->phases[phase_number];
    const Recorder *recorder = trial->recorder;
    Status status;

    enter_table(trial, phase);
    trial->wal_source = wal_source_choose(phase, trial->table->design, trial->facts);
    recorder->begin_phase(recorder->context, phase_number, wal_source_name(trial->wal_source));
    status = phase->action == ACTION_INSERT
                 ? loader_begin_phase(trial->loader, phase_number, trial->wal_source, diag)
                 : actor_begin_phase(trial->actor, phase, trial->wal_source, diag);
    for (uint64_t batch = 1; status == STATUS_OK && batch <= phase->batch_count; batch++) {
        if (interrupt_requested() || recorder->stopped(recorder->context))
            status = interrupt_status(diag);
        else
            status = run_batch(trial, phase, phase_number, batch, diag);
    }
    if (status == STATUS_OK)
        status = probe(trial, phase_number, diag);
    wal_kinds_release(&trial->kinds);
    if (status != STATUS_OK)
        diag_context(diag, "phase \"%s\"", phase->name);
    return status;
}

/* Last of all, since reading rows of the heap may write WAL on a server with checksums. */
static Status
read_key_bytes(Trial *trial, Diag *diag)
{
    const Column *key = design_key(trial->design);
    double bytes = NAN;
    Status status = STATUS_OK;

    if (key != NULL)
        status = column_bytes_read(trial->conn, trial->tables[0].name, key->name, &bytes, diag);
    if (status == STATUS_OK)
        trial->recorder->key_bytes(trial->recorder->context, trial->scenario->phase_count - 1,
                                   bytes);
    return status;
}

/* ---- Tables: a child comes after its parent and goes before it ---- */

static Status
make_tables(Trial *trial, uint64_t seed, Diag *diag)
{
    const Design *design = trial->design;
    size_t count = design->child_count + 1;
    Status status = STATUS_OK;

    trial->tables = mem_new(count, sizeof(*trial->tables));
    trial->loaders = mem_new(count, sizeof(*trial->loaders));
    trial->actors = mem_new(count, sizeof(*trial->actors));
    while (status == STATUS_OK && trial->table_count < count) {
        size_t i = trial->table_count;
        TrialTable *table = &trial->tables[i];

        status =
            trial_table_init(table, trial->conn, i == 0 ? design : &design->children[i - 1], diag);
        if (status != STATUS_OK)
            break;
        trial->loaders[i] = loader_new(table, trial->conn, trial->scenario, seed);
        trial->actors[i] = actor_new(table, trial->conn, trial->facts,
                                     &(ActorPlan){trial->scenario, seed, trial->loaders, count});
        trial->table_count++;
    }
    return status;
}

static void
free_tables(Trial *trial)
{
    for (size_t i = 0; i < trial->table_count; i++) {
        actor_free(trial->actors[i]);
        loader_free(trial->loaders[i]);
        trial_table_release(&trial->tables[i]);
    }
    free(trial->actors);
    free(trial->loaders);
    free(trial->tables);
}

static Status
create_tables(Trial *trial, Diag *diag)
{
    Status status = STATUS_OK;

    for (size_t i = 0; status == STATUS_OK && i < trial->table_count; i++)
        status = trial_table_create(&trial->tables[i], trial->conn, diag);
    return status;
}

static Status
drop_tables(Trial *trial, Diag *diag)
{
    Status status = STATUS_OK;

    for (size_t i = trial->table_count; status == STATUS_OK && i > 0; i--) {
        status = loader_end(trial->loaders[i - 1], diag);
        if (status == STATUS_OK)
            status = trial_table_drop(&trial->tables[i - 1], trial->conn, diag);
    }
    return status;
}

static Status
run_phases(Trial *trial, Diag *diag)
{
    const Column *key = design_key(trial->design);
    Status status = create_tables(trial, diag);

    if (status == STATUS_OK)
        trial->recorder->begin(trial->recorder->context, key != NULL ? key->type : "",
                               trial_table_minted_by(&trial->tables[0]));
    for (size_t phase = 0; status == STATUS_OK && phase < trial->scenario->phase_count; phase++)
        status = run_phase(trial, phase, diag);
    if (status == STATUS_OK)
        status = read_key_bytes(trial, diag);
    if (status == STATUS_OK)
        status = drop_tables(trial, diag);
    return status;
}

Status
trial_run(DbConn *conn, const ServerFacts *facts, const Scenario *scenario, const Design *design,
          uint64_t seed, const Recorder *recorder, Diag *diag)
{
    Trial trial = {
        .conn = conn, .facts = facts, .scenario = scenario, .design = design, .recorder = recorder};
    Status status = make_tables(&trial, seed, diag);

    if (status == STATUS_OK)
        status = run_phases(&trial, diag);
    if (status != STATUS_OK)
        diag_context(diag, "design \"%s\"", design->name);
    free_tables(&trial);
    return status;
}
