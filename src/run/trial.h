/*
 * One trial: one design through all phases on one connection, then its tables are dropped. What it
 * measures it hands to a recorder batch by batch, so that nothing is lost when it is cut short.
 */
#ifndef KB_RUN_TRIAL_H
#define KB_RUN_TRIAL_H

#include "db/conn.h"
#include "results/result.h"
#include "scenario/scenario.h"

/* What the server at the other end can do; see server_facts.h. */
typedef struct ServerFacts ServerFacts;

/* Where a trial's figures go. Calls come in order; each is cheap and does not fail but for saving.
 */
typedef struct Recorder {
    void (*begin)(void *context, const char *key_type, const char *minted_by);
    /* `wal_source`: who counts its WAL, as in PhaseResult; lasts as long as the program. */
    void (*begin_phase)(void *context, size_t phase, const char *wal_source);
    void (*batch)(void *context, size_t phase, const Figures *figures);
    void (*finding)(void *context, const Finding *finding);
    /* The phase's indexes and WAL kinds are borrowed for the call. */
    Status (*end_phase)(void *context, size_t phase, const PhaseResult *measured, Diag *diag);
    void (*key_bytes)(void *context, size_t phase, double bytes);
    bool (*stopped)(void *context); /* another trial failed: end between two batches */
    void *context;
} Recorder;

/* The connection's schema is claimed already. STATUS_INTERRUPTED leaves the table to the schema's
 * release. */
Status trial_run(DbConn *conn, const ServerFacts *facts, const Scenario *scenario,
                 const Design *design, uint64_t seed, const Recorder *recorder,
                 Diag *diag) MUST_USE;

#endif
