#include "base/interrupt.h"
#include "run/measure.h"
#include "run/writer.h"

#include <inttypes.h>
#include <string.h>

/* How far a batch is. */
typedef struct Progress {
    Writer *writer;
    Instant start;
    DbPipeline *pipeline; /* NULL: each statement is waited for */
    const uint8_t *rows;  /* of the transaction, when they are kept: encoded, those to be sent */
    uint64_t transaction_count; /* begun */
    uint64_t rows_taken;        /* by the server's word */
    uint64_t rows_failed;       /* of transactions that it refused in the end */
    Diag *diag;
} Progress;

static Status
run_insert_select(Progress *progress)
{
    Writer *writer = progress->writer;
    char first[24], last[24];
    Status status;

    snprintf(first, sizeof(first), "%" PRIu64, writer->next_row);
    snprintf(last, sizeof(last), "%" PRIu64, writer->next_row + writer->batch_rows - 1);
    status = measure_explain(writer->conn, writer->table->insert_sql,
                             writer->table->any_staged ? DB_NO_PARAMS : DB_PARAMS(first, last),
                             &writer->figures, progress->diag);
    if (status == STATUS_OK)
        progress->rows_taken = (uint64_t)writer->figures.value[METRIC_ROWS];
    return status;
}

static Status
copy_rows(Progress *progress, uint64_t row_count, uint64_t *taken)
{
    Writer *writer = progress->writer;
    Status status = row_source_copy(writer->source, writer->conn, writer->table->copy_sql,
                                    row_count, progress->diag);

    if (status == STATUS_OK)
        *taken += row_count;
    return status;
}

/* The statement's parameters, and the check's; returns where the next row begins. */
static const uint8_t *
bind_rows(Writer *writer, DbStmt *stmt, const uint8_t *at, uint64_t row_count)
{
    size_t param = 0;

    for (uint64_t row = 0; row < row_count; row++) {
        at = row_enter(at);
        for (size_t i = 0; i < writer->table->sent_count; i++) {
            const uint8_t *bytes;
            size_t length;

            at = row_take_field(at, &bytes, &length);
            stmt_bind(stmt, param++, bytes, length);
            if (writer->check != NULL && i == writer->key_field)
                stmt_bind(writer->check, 0, bytes, length);
        }
    }
    return at;
}

static Status
insert_rows(Progress *progress, uint64_t row_count, uint64_t *taken)
{
    Writer *writer = progress->writer;
    DbStmt *stmt = stmt_param_count(writer->insert) == row_count * writer->table->sent_count
                       ? writer->insert
                       : writer->insert_rest;
    uint64_t found = 0, inserted = 0;
    Status status = STATUS_OK;

    if (!writer->keeps_rows)
        progress->rows = row_source_next(writer->source, row_count).bytes;
    progress->rows = bind_rows(writer, stmt, progress->rows, row_count);
    if (progress->pipeline != NULL)
        return stmt_pipeline_send(progress->pipeline, stmt, progress->diag);
    if (writer->check != NULL)
        status = stmt_run(writer->check, &found, progress->diag);
    if (status == STATUS_OK && found == 0)
        status = stmt_run(stmt, &inserted, progress->diag);
    *taken += inserted;
    return status;
}

static Status
run_statement(Progress *progress, uint64_t row_count, uint64_t *taken)
{
    if (atomic_load_explicit(progress->writer->stop, memory_order_relaxed))
        return interrupt_status(progress->diag);
    return progress->writer->phase->load.method == LOAD_COPY
               ? copy_rows(progress, row_count, taken)
               : insert_rows(progress, row_count, taken);
}

static void
roll_back(DbConn *conn)
{
    Diag ignored;

    db_set_uninterruptible(conn, true);
    if (db_exec(conn, "ROLLBACK", DB_NO_PARAMS, &ignored) != STATUS_OK)
        db_cancel(conn); /* the connection is lost; whoever uses it next will say so */
    db_set_uninterruptible(conn, false);
}

/* Its statements; a single one is a transaction by itself, and so is what lies between two syncs of
 * a pipeline. */
static Status
attempt(Progress *progress, uint64_t row_count)
{
    Writer *writer = progress->writer;
    bool block =
        progress->pipeline == NULL && (row_count > writer->statement_rows || writer->check != NULL);
    uint64_t taken = 0;
    Status status = STATUS_OK;

    if (block)
        status = stmt_run(writer->begin, NULL, progress->diag);
    for (uint64_t left = row_count; status == STATUS_OK && left > 0;) {
        uint64_t rows = left < writer->statement_rows ? left : writer->statement_rows;

        status = run_statement(progress, rows, &taken);
        left -= rows;
    }
    if (status == STATUS_OK && block)
        status = stmt_run(writer->commit, NULL, progress->diag);
    if (status != STATUS_OK && block)
        roll_back(writer->conn);
    if (status == STATUS_OK && progress->pipeline != NULL)
        status = stmt_pipeline_sync(progress->pipeline, progress->diag);
    if (status == STATUS_OK)
        progress->rows_taken += taken;
    return status;
}

/* Class 40 of SQLSTATE, transaction rollback: what failed may succeed when it is tried again.
 * Source: PostgreSQL manual, section 13.5. */
static bool
may_succeed(const Diag *diag)
{
    return strncmp(diag->sqlstate, "40", 2) == 0;
}

/* Whether an attempt that failed is only counted; otherwise it ends the batch. */
static bool
goes_on(const Progress *progress, Status status)
{
    const Writer *writer = progress->writer;

    return status == STATUS_DB_QUERY && writer->phase->load.on_error != ON_ERROR_STOP &&
           db_is_usable(writer->conn);
}

static Status
try_transaction(Progress *progress, uint64_t row_count)
{
    Writer *writer = progress->writer;
    const Load *load = &writer->phase->load;
    const uint8_t *rows = progress->rows;

    for (uint64_t retries = 0;; retries++) {
        Status status = attempt(progress, row_count);

        if (status == STATUS_OK) {
            writer->tally.committed_count++;
            return STATUS_OK;
        }
        if (!goes_on(progress, status))
            return status;
        tally_add_failures(&writer->tally, progress->diag->sqlstate, 1);
        if (retries == load->retries_max || !may_succeed(progress->diag))
            break;
        writer->tally.retry_count++;
        progress->rows = rows;
    }
    writer->tally.failed_count++;
    progress->rows_failed += row_count;
    return STATUS_OK;
}

/* ---- When ---- */

/* The writers take turns at the schedule. */
static Instant
scheduled(const Progress *progress)
{
    const Writer *writer = progress->writer;
    uint64_t turn = progress->transaction_count * writer->phase->writer_count + writer->number;
    uint64_t rate = writer->phase->load.rate_per_s;

    return (Instant){progress->start.ns + turn / rate * NS_PER_S + turn % rate * NS_PER_S / rate};
}

/* In naps, so that it ends when others do. */
static Status
sleep_until(const Progress *progress, Instant due)
{
    const uint64_t nap_ns = 50 * NS_PER_MS;

    for (Instant now = instant_now(); now.ns < due.ns; now = instant_now()) {
        if (interrupt_requested() || atomic_load(progress->writer->stop))
            return interrupt_status(progress->diag);
        instant_sleep_until((Instant){due.ns - now.ns > nap_ns ? now.ns + nap_ns : due.ns});
    }
    return STATUS_OK;
}

/* With a rate its time runs from when it should have begun, so that waiting for the writer counts.
 */
static Status
time_transaction(Progress *progress, uint64_t row_count)
{
    Writer *writer = progress->writer;
    uint64_t committed = writer->tally.committed_count;
    Instant start;
    Status status = STATUS_OK;

    if (writer->keeps_rows)
        progress->rows = row_source_next(writer->source, row_count).bytes;
    if (writer->phase->load.rate_per_s > 0) {
        start = scheduled(progress);
        status = sleep_until(progress, start);
    } else {
        start = instant_now();
    }
    progress->transaction_count++;
    if (status == STATUS_OK)
        status = try_transaction(progress, row_count);
    if (status == STATUS_OK && writer->tally.committed_count > committed &&
        progress->pipeline == NULL)
        hist_record(&writer->tally.latency, instant_elapsed_ns(start));
    return status;
}

static Status
run_transactions(Progress *progress)
{
    Writer *writer = progress->writer;
    Status status = STATUS_OK;

    for (uint64_t left = writer->batch_rows; status == STATUS_OK && left > 0;) {
        uint64_t rows = left < writer->transaction_rows ? left : writer->transaction_rows;

        status = time_transaction(progress, rows);
        left -= rows;
    }
    if (status == STATUS_OK && progress->pipeline != NULL)
        status = stmt_pipeline_finish(progress->pipeline, &progress->rows_taken, progress->diag);
    return status;
}

static Status
run_rows(Progress *progress)
{
    Writer *writer = progress->writer;
    const Load *load = &writer->phase->load;

    if (load->method == LOAD_INSERT_SELECT)
        return run_insert_select(progress);
    if (load->pipeline)
        progress->pipeline = stmt_pipeline_open(writer->conn);
    return run_transactions(progress);
}

/* Every row is in the table or of a transaction that failed. */
static Status
check_rows(const Progress *progress)
{
    uint64_t wanted = progress->writer->batch_rows - progress->rows_failed;

    if (progress->rows_taken == wanted)
        return STATUS_OK;
    return diag_set(progress->diag, STATUS_DB_QUERY,
                    "the server inserted %" PRIu64 " rows, not %" PRIu64, progress->rows_taken,
                    wanted);
}

void
writer_run_batch(Writer *writer, const Instant *start)
{
    Progress progress = {.writer = writer, .start = *start, .diag = &writer->diag};
    Status status;

    figures_init(&writer->figures);
    writer->diag = (Diag){0};
    status = run_rows(&progress);
    writer->elapsed_ns = instant_elapsed_ns(*start);
    stmt_pipeline_close(progress.pipeline);
    writer->figures.value[METRIC_ROWS] = (double)progress.rows_taken;
    if (status == STATUS_OK)
        status = check_rows(&progress);
    writer->next_row += writer->batch_rows;
    writer->status = status;
}
