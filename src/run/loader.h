/*
 * How the rows of a trial get into its table: by one writer or several at once, batch by batch, and
 * what the server says that a batch cost.
 */
#ifndef KB_RUN_LOADER_H
#define KB_RUN_LOADER_H

#include "run/measure.h"
#include "run/trial.h"
#include "run/trial_table.h"

/* Who counted a phase's WAL. The last one is another unit than the others: it fills lsn_bytes and
 * leaves wal_bytes unknown. */
typedef enum WalSource {
    WAL_SOURCE_PLAN,       /* EXPLAIN: the statement alone, without its commit */
    WAL_SOURCE_BACKEND,    /* pg_stat_get_backend_wal(): the sessions at work, commits included */
    WAL_SOURCE_WALINSPECT, /* pg_get_wal_stats(): all records in between, of a server of our own */
    WAL_SOURCE_POSITION,   /* nobody: only how far the log's position moved */
} WalSource;

/* "plan", "backend", "walinspect", "log position". */
const char *wal_source_name(WalSource source);

/* What counts a phase on this server. A plan does not see the checks of foreign keys, which run
 * after the statement. `table` is the one that the phase is about. */
WalSource wal_source_choose(const Phase *phase, const Design *table, const ServerFacts *facts);

typedef struct Loader Loader;

/* One for each table of a trial. Everything is borrowed until loader_free, which the caller owes.
 */
Loader *loader_new(const TrialTable *table, DbConn *conn, const Scenario *scenario, uint64_t seed);
void loader_free(Loader *loader); /* accepts NULL */

/* Begin the scenario's phase of this number, which is about the loader's table: writers that are
 * missing connect. */
Status loader_begin_phase(Loader *loader, size_t number, WalSource wal_source, Diag *diag) MUST_USE;

/* After the server was started again between two phases: the writers' own connections follow the
 * trial's. */
Status loader_reconnect(Loader *loader, Diag *diag) MUST_USE;

/* What comes before a batch, and before its checkpoint: rows are staged. */
Status loader_prepare_batch(Loader *loader, Diag *diag) MUST_USE;

/*
 * The measured part of a batch: all writers start at once. Figures that nobody counts stay NAN, and
 * those of WAL_SOURCE_WALINSPECT are left to the caller. The points' `own` counts are the sum of
 * the writers'.
 */
Status loader_run_batch(Loader *loader, Measurement *measurement, Diag *diag) MUST_USE;

/*
 * After a phase's last batch: its latency, which is of all batches together, goes into the figures
 * of `measured`; failures and waits too, borrowed until the next phase begins.
 */
void loader_end_phase(Loader *loader, PhaseResult *measured);

/* After the last phase: what the trial's own connection still has of it goes. */
Status loader_end(Loader *loader, Diag *diag) MUST_USE;

#endif
