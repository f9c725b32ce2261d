/*
 * What phases do other than insert: read, update and delete rows under the one measuring function,
 * and commands that have no plan (vacuum, reindex, checkpoint, a wait), whose WAL others count.
 */
#ifndef KB_RUN_ACTION_H
#define KB_RUN_ACTION_H

#include "run/loader.h"
#include "run/server_facts.h"

typedef struct Actor Actor;

/* Beside its table: the trial that it is part of. */
typedef struct ActorPlan {
    const Scenario *scenario;
    uint64_t seed;
    Loader *const *loaders; /* of all tables, NULL before they are made: their sessions end when the
                               server is started again */
    size_t loader_count;
} ActorPlan;

/* Everything but the plan itself is borrowed until actor_free, which the caller owes. */
Actor *actor_new(const TrialTable *table, DbConn *conn, const ServerFacts *facts,
                 const ActorPlan *plan);
void actor_free(Actor *actor); /* accepts NULL */

/* Begin a phase that does not insert. */
Status actor_begin_phase(Actor *actor, const Phase *phase, WalSource wal_source,
                         Diag *diag) MUST_USE;

/* What comes before a batch, and before its checkpoint: rows are chosen, the cache is warmed, or
 * the server is started again. `batch` 1.. */
Status actor_prepare_batch(Actor *actor, uint64_t batch, Diag *diag) MUST_USE;

/* The measured part. Figures that nobody counts stay NAN, and those of WAL_SOURCE_WALINSPECT are
 * left to the caller. */
Status actor_run_batch(Actor *actor, uint64_t batch, Measurement *measurement, Diag *diag) MUST_USE;

/* After the phase's last batch: what it needed goes, and its own table figures are added to what
 * was measured, where the primary key's index is the first. */
Status actor_end_phase(Actor *actor, PhaseResult *measured, Diag *diag) MUST_USE;

#endif
