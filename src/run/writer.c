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
    stmt_free(writer->begin);
    stmt_free(writer->commit);
    stmt_free(writer->check);
    writer->insert = writer->insert_rest = writer->begin = writer->commit = writer->check = NULL;
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

Status
writer_reconnect(Writer *writer, Diag *diag)
{
    free_statements(writer);
    writer->has_stage = false;
    return writer->owns_conn ? db_reconnect(writer->conn, diag) : STATUS_OK;
}

/* ---- Before a phase and before a batch ---- */

static uint64_t
or_all(uint64_t rows, uint64_t all)
{
    return rows > 0 && rows < all ? rows : all;
}

/* `what` and the phase make a name of the session's. */
static Status
prepare(Writer *writer, size_t phase, const char *what, const char *sql, size_t param_count,
        DbStmt **stmt, Diag *diag)
{
    char name[64];

    snprintf(name, sizeof(name), "keybench_%zu_%s", phase, what);
    return stmt_prepare(writer->conn, name, sql, param_count, stmt, diag);
}

static Status
prepare_insert(Writer *writer, size_t phase, uint64_t row_count, DbStmt **stmt, Diag *diag)
{
    char *sql = trial_table_values_sql(writer->table, row_count);
    char what[24];
    Status status;

    snprintf(what, sizeof(what), "%" PRIu64, row_count);
    status = prepare(writer, phase, what, sql, row_count * writer->table->sent_count, stmt, diag);
    free(sql);
    return status;
}

static Status
prepare_check(Writer *writer, size_t phase, Diag *diag)
{
    char *sql = trial_table_check_sql(writer->table, writer->conn);
    Status status = prepare(writer, phase, "check", sql, 1, &writer->check, diag);

    free(sql);
    writer->key_field = trial_table_key_field(writer->table);
    return status;
}

static Status
prepare_inserts(Writer *writer, size_t phase, Diag *diag)
{
    uint64_t rest = writer->batch_rows % writer->statement_rows;
    Status status = prepare_insert(writer, phase, writer->statement_rows, &writer->insert, diag);

    if (status == STATUS_OK && rest > 0)
        status = prepare_insert(writer, phase, rest, &writer->insert_rest, diag);
    if (status == STATUS_OK && writer->phase->load.check)
        status = prepare_check(writer, phase, diag);
    return status;
}

static Status
prepare_block(Writer *writer, size_t phase, Diag *diag)
{
    Status status = prepare(writer, phase, "begin", "BEGIN", 0, &writer->begin, diag);

    if (status == STATUS_OK)
        status = prepare(writer, phase, "commit", "COMMIT", 0, &writer->commit, diag);
    return status;
}

static bool
keeps_rows(const Load *load)
{
    return load->method == LOAD_INSERT && !load->pipeline &&
           load->rows_per_transaction <= TRANSACTION_ROWS_MAX;
}

static Status
begin_rows(Writer *writer, const Phase *phases, size_t phase, uint64_t first_row, Diag *diag)
{
    const Load *load = &writer->phase->load;
    bool staged = load->method == LOAD_INSERT_SELECT;
    RowSpan span = {.phases = phases, .phase = phase, .first_row = first_row, .together_count = 1};

    if (writer->source == NULL || (staged && !writer->table->any_staged))
        return STATUS_OK;
    span.row_count = writer->batch_rows * writer->phase->batch_count;
    span.shape = staged ? ROWS_STAGED : ROWS_WHOLE;
    if (load->method == LOAD_INSERT)
        span.together_count =
            writer->keeps_rows ? writer->transaction_rows : writer->statement_rows;
    return row_source_begin(writer->source, &span, diag);
}

static Status
prepare_stage(Writer *writer, Diag *diag)
{
    Status status;

    if (!writer->table->any_staged || writer->has_stage)
        return STATUS_OK;
    status = stage_create(writer->table, writer->conn, diag);
    writer->has_stage = status == STATUS_OK;
    return status;
}

/* The session's default, so that a single statement has it too. */
static Status
set_isolation(Writer *writer, Diag *diag)
{
    const char *level = writer->phase->load.isolation;
    Status status = STATUS_OK;

    if (level != NULL)
        status = db_exec(writer->conn,
                         "SELECT pg_catalog.set_config('default_transaction_isolation', $1, false)",
                         DB_PARAMS(level), diag);
    else if (writer->has_isolation)
        status = db_exec(writer->conn, "RESET default_transaction_isolation", DB_NO_PARAMS, diag);
    writer->has_isolation = level != NULL;
    return status;
}

Status
writer_begin_phase(Writer *writer, const Phase *phases, size_t phase, uint64_t first_row,
                   Diag *diag)
{
    const Load *load = &phases[phase].load;
    Status status;

    writer->phase = &phases[phase];
    writer->next_row = first_row;
    writer->batch_rows = phase_writer_rows(writer->phase, writer->number);
    writer->statement_rows = or_all(load->rows_per_statement, writer->batch_rows);
    writer->transaction_rows = or_all(load->rows_per_transaction, writer->batch_rows);
    writer->keeps_rows = keeps_rows(load);
    free_statements(writer);
    status = set_isolation(writer, diag);
    if (status == STATUS_OK)
        status = begin_rows(writer, phases, phase, first_row, diag);
    if (status == STATUS_OK && load->method == LOAD_INSERT_SELECT)
        return prepare_stage(writer, diag);
    if (status == STATUS_OK)
        status = prepare_block(writer, phase, diag);
    if (status == STATUS_OK && load->method == LOAD_INSERT)
        status = prepare_inserts(writer, phase, diag);
    return status;
}

Status
writer_prepare_batch(Writer *writer, Diag *diag)
{
    memset(&writer->tally, 0, sizeof(writer->tally)); /* its pages are there from now on */
    if (writer->phase->load.method != LOAD_INSERT_SELECT || !writer->table->any_staged)
        return STATUS_OK;
    return stage_fill(writer->table, writer->conn, writer->source, writer->batch_rows, diag);
}

Status
writer_end(Writer *writer, Diag *diag)
{
    Status status = db_exec(writer->conn, "DEALLOCATE ALL", DB_NO_PARAMS, diag);

    if (status == STATUS_OK && writer->has_isolation)
        status = db_exec(writer->conn, "RESET default_transaction_isolation", DB_NO_PARAMS, diag);
    writer->has_isolation = false;
    if (status == STATUS_OK && writer->has_stage)
        status = stage_drop(writer->table, writer->conn, diag);
    writer->has_stage = false;
    return status;
}
