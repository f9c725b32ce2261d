#include "run/stage.h"

Status
stage_create(const TrialTable *table, DbConn *conn, Diag *diag)
{
    Status status = db_exec(conn, table->stage_sql, DB_NO_PARAMS, diag);

    if (status == STATUS_OK && table->raw_sql != NULL)
        status = db_exec(conn, table->raw_sql, DB_NO_PARAMS, diag);
    return status;
}

Status
stage_drop(const TrialTable *table, DbConn *conn, Diag *diag)
{
    return db_exec(conn, table->stage_drop_sql, DB_NO_PARAMS, diag);
}

Status
stage_fill(const TrialTable *table, DbConn *conn, RowSource *source, uint64_t row_count, Diag *diag)
{
    Status status = db_exec(conn, table->stage_empty_sql, DB_NO_PARAMS, diag);

    if (status == STATUS_OK)
        status = row_source_copy(source, conn, table->stage_copy_sql, row_count, diag);
    if (status == STATUS_OK && table->join_sql != NULL)
        status = db_exec(conn, table->join_sql, DB_NO_PARAMS, diag);
    if (status != STATUS_OK)
        diag_context(diag, "cannot stage rows");
    return status;
}
