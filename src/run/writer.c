#include "run/writer.h"

#include "base/interrupt.h"
#include "run/measure.h"
#include "run/stage.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

Status
writer_open(Writer *writer, const TrialTable *table, uint64_t number, DbConn *conn, uint64_t seed,
            Diag *diag)
{
    *writer = (Writer){.table = table, .number = number, .conn = conn};
    if (table->sent_count > 0)
        writer->source = row_source_new(table, number, seed);
    if (number == 0)
        return STATUS_OK;
    writer->conn = NULL;
    writer->owns_conn = true;
    return db_open_like(conn, &writer->conn, diag);
}

static void
free_statements(Writer *writer)
{
    stmt_free(writer->insert);
    stmt_free(writer->insert_rest);
    writer->insert = writer->insert_rest = NULL;
}

void
writer_close(Writer *writer)
{
    free_statements(writer);
    row_source_free(writer->source);
    if (writer->owns_conn)
        db_close(writer->conn);
    *writer = (Writer){0};
}

/* ---- Before a phase and before a batch ---- */

static uint64_t
or_all(uint64_t rows, uint64_t all)
{
    return rows > 0 && rows < all ? rows : all;
}

static Status
prepare_insert(Writer *writer, size_t phase, uint64_t row_count, DbStmt **stmt, Diag *diag)
{
    char *sql = trial_table_values_sql(writer->table, row_count);
    char name[64];
    Status status;

    snprintf(name, sizeof(name), "keybench_%zu_%" PRIu64, phase, row_count);
    status =
        stmt_prepare(writer->conn, name, sql, row_count * writer->table->sent_count, stmt, diag);
    free(sql);
    return status;
}

static Status
prepare_inserts(Writer *writer, size_t phase, uint64_t statement_rows, Diag *diag)
{
    uint64_t rest = writer->batch_rows % statement_rows;
    Status status = prepare_insert(writer, phase, statement_rows, &writer->insert, diag);

    if (status == STATUS_OK && rest > 0)
        status = prepare_insert(writer, phase, rest, &writer->insert_rest, diag);
    return status;
}

Status
writer_begin_phase(Writer *writer, const Phase *phases, size_t phase, uint64_t first_row,
                   Diag *diag)
{
    const Load *load = &phases[phase].load;
    RowSpan span = {.phases = phases, .phase = phase, .first_row = first_row, .together_count = 1};
    uint64_t statement_rows;
    bool staged = load->method == LOAD_INSERT_SELECT;
    Status status = STATUS_OK;

    writer->phase = &phases[phase];
    writer->next_row = first_row;
    writer->batch_rows = phase_writer_rows(writer->phase, writer->number);
    statement_rows = or_all(load->rows_per_statement, writer->batch_rows);
    free_statements(writer);
    span.row_count = writer->batch_rows * writer->phase->batch_count;
    span.shape = staged ? ROWS_STAGED : ROWS_WHOLE;
    if (load->method == LOAD_INSERT)
        span.together_count = statement_rows;
    if (writer->source != NULL && (!staged || writer->table->any_staged))
        status = row_source_begin(writer->source, &span, diag);
    if (status == STATUS_OK && staged && writer->table->any_staged && !writer->has_stage) {
        status = stage_create(writer->table, writer->conn, diag);
        writer->has_stage = status == STATUS_OK;
    }
    if (status == STATUS_OK && load->method == LOAD_INSERT)
        status = prepare_inserts(writer, phase, statement_rows, diag);
    return status;
}

Status
writer_prepare_batch(Writer *writer, Diag *diag)
{
    if (writer->phase->load.method != LOAD_INSERT_SELECT || !writer->table->any_staged)
        return STATUS_OK;
    return stage_fill(writer->table, writer->conn, writer->source, writer->batch_rows, diag);
}

/* ---- The measured part ---- */

/* How far a batch is. */
typedef struct Progress {
    Writer *writer;
    DbPipeline *pipeline; /* NULL: each statement is waited for */
    uint64_t rows_taken;  /* by the server's word */
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
copy_rows(Progress *progress, uint64_t row_count)
{
    Writer *writer = progress->writer;
    Status status = row_source_copy(writer->source, writer->conn, writer->table->copy_sql,
                                    row_count, progress->diag);

    if (status == STATUS_OK)
        progress->rows_taken += row_count;
    return status;
}

static void
bind_block(DbStmt *stmt, const RowBlock *block, size_t sent_count)
{
    const uint8_t *at = block->bytes;
    size_t param = 0;

    for (uint64_t row = 0; row < block->row_count; row++) {
        at = row_enter(at);
        for (size_t i = 0; i < sent_count; i++) {
            const uint8_t *bytes;
            size_t length;

            at = row_take_field(at, &bytes, &length);
            stmt_bind(stmt, param++, bytes, length);
        }
    }
}

static Status
insert_rows(Progress *progress, uint64_t row_count)
{
    Writer *writer = progress->writer;
    RowBlock block = row_source_next(writer->source, row_count);
    DbStmt *stmt = stmt_param_count(writer->insert) == row_count * writer->table->sent_count
                       ? writer->insert
                       : writer->insert_rest;
    uint64_t taken = 0;
    Status status;

    bind_block(stmt, &block, writer->table->sent_count);
    if (progress->pipeline != NULL)
        return stmt_pipeline_send(progress->pipeline, stmt, progress->diag);
    status = stmt_run(stmt, &taken, progress->diag);
    progress->rows_taken += taken;
    return status;
}

static Status
run_statement(Progress *progress, uint64_t row_count)
{
    return progress->writer->phase->load.method == LOAD_COPY ? copy_rows(progress, row_count)
                                                             : insert_rows(progress, row_count);
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

/* One transaction; a single statement is one by itself, and so is what lies between two syncs. */
static Status
run_transaction(Progress *progress, uint64_t row_count, uint64_t statement_rows)
{
    Writer *writer = progress->writer;
    bool block = progress->pipeline == NULL && row_count > statement_rows;
    Status status = STATUS_OK;

    if (block)
        status = db_exec(writer->conn, "BEGIN", DB_NO_PARAMS, progress->diag);
    for (uint64_t left = row_count; status == STATUS_OK && left > 0;) {
        uint64_t rows = or_all(statement_rows, left);

        if (atomic_load_explicit(writer->stop, memory_order_relaxed))
            status = interrupt_status(progress->diag);
        else
            status = run_statement(progress, rows);
        left -= rows;
    }
    if (status == STATUS_OK && block)
        status = db_exec(writer->conn, "COMMIT", DB_NO_PARAMS, progress->diag);
    if (status != STATUS_OK && block)
        roll_back(writer->conn);
    if (status == STATUS_OK && progress->pipeline != NULL)
        status = stmt_pipeline_sync(progress->pipeline, progress->diag);
    return status;
}

static Status
run_transactions(Progress *progress)
{
    Writer *writer = progress->writer;
    const Load *load = &writer->phase->load;
    uint64_t statement_rows = or_all(load->rows_per_statement, writer->batch_rows);
    Status status = STATUS_OK;

    for (uint64_t left = writer->batch_rows; status == STATUS_OK && left > 0;) {
        uint64_t rows = or_all(load->rows_per_transaction, left);

        status = run_transaction(progress, rows, statement_rows);
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

    if (writer->phase->load.method == LOAD_INSERT_SELECT)
        return run_insert_select(progress);
    if (writer->phase->load.pipeline)
        progress->pipeline = stmt_pipeline_open(writer->conn);
    return run_transactions(progress);
}

void
writer_run_batch(Writer *writer, const Instant *start)
{
    Progress progress = {.writer = writer, .diag = &writer->diag};
    Status status;

    figures_init(&writer->figures);
    writer->diag = (Diag){0};
    status = run_rows(&progress);
    writer->elapsed_ns = instant_elapsed_ns(*start);
    stmt_pipeline_close(progress.pipeline);
    writer->figures.value[METRIC_ROWS] = (double)progress.rows_taken;
    if (status == STATUS_OK && progress.rows_taken != writer->batch_rows)
        status = diag_set(&writer->diag, STATUS_DB_QUERY,
                          "the server inserted %" PRIu64 " rows, not %" PRIu64, progress.rows_taken,
                          writer->batch_rows);
    writer->next_row += writer->batch_rows;
    writer->status = status;
}

Status
writer_end(Writer *writer, Diag *diag)
{
    Status status = db_exec(writer->conn, "DEALLOCATE ALL", DB_NO_PARAMS, diag);

    if (status == STATUS_OK && writer->has_stage)
        status = stage_drop(writer->table, writer->conn, diag);
    writer->has_stage = false;
    return status;
}
