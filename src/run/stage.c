#include "run/stage.h"

Status
stage_create(const TrialTable *table, DbConn *conn, Diag *diag)
{
    return db_exec(conn, table->stage_sql, DB_NO_PARAMS, diag);
}

Status
stage_drop(DbConn *conn, Diag *diag)
{
    return db_exec(conn, "DROP TABLE pg_temp.keybench_stage", DB_NO_PARAMS, diag);
}

Status
stage_fill(const TrialTable *table, DbConn *conn, RowSource *source, uint64_t row_count, Diag *diag)
{
    Status status = db_exec(conn, "TRUNCATE pg_temp.keybench_stage", DB_NO_PARAMS, diag);

    if (status == STATUS_OK)
        status = row_source_copy(source, conn, table->stage_copy_sql, row_count, diag);
    if (status != STATUS_OK)
        diag_context(diag, "cannot stage rows");
    return status;
}
