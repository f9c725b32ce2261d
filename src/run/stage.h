/*
 * The staging table of one session: rows minted here wait in it for the measured INSERT ... SELECT,
 * which EXPLAIN counts to the byte. It is temporary, so filling it writes no WAL.
 */
#ifndef KB_RUN_STAGE_H
#define KB_RUN_STAGE_H

#include "run/rows.h"

Status stage_create(const TrialTable *table, DbConn *conn, Diag *diag) MUST_USE;
Status stage_drop(const TrialTable *table, DbConn *conn, Diag *diag) MUST_USE;

/* Empty it and send the source's next `row_count` rows; the server looks up what it alone knows. */
Status stage_fill(const TrialTable *table, DbConn *conn, RowSource *source, uint64_t row_count,
                  Diag *diag) MUST_USE;

#endif
