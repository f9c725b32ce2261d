/*
 * What one run measured: the struct behind results/<name>.json. A result is self-contained: tables,
 * charts and checks are made from it alone, also years later and without a server.
 */
#ifndef KB_RESULTS_RESULT_H
#define KB_RESULTS_RESULT_H

#include "base/mem.h"
#include "results/metric.h"

#include <stdbool.h>
#include <stdint.h>

#define RESULT_FORMAT "keybench-result/1"

typedef enum ResultStatus {
    RESULT_COMPLETE,
    RESULT_INTERRUPTED,
    RESULT_FAILED,
} ResultStatus;

typedef struct NamedValue {
    const char *name, *value;
} NamedValue;

/* One measured statement. */
typedef struct BatchResult {
    Figures figures; /* batch metrics */
} BatchResult;

typedef struct IndexResult {
    const char *name;
    Figures figures; /* index metrics */
} IndexResult;

/* WAL of one kind of record in a phase, from pg_walinspect. */
typedef struct WalKind {
    const char *resource_manager; /* "Heap", "Btree", "XLOG" */
    const char *record_type;      /* "INSERT", "INSERT_LEAF", "SPLIT_R", "FPI" */
    double record_count;
    double record_bytes; /* without the images */
    double fpi_bytes;    /* of the full-page images in such records */
} WalKind;

/* How often the server refused an attempt at a transaction. */
typedef struct FailureCount {
    const char *sqlstate; /* "40001" */
    double count;
} FailureCount;

/* Where the writers' sessions were seen, of all samples of all of them. */
typedef struct WaitShare {
    const char *event; /* "LWLock:WALInsert", or "running": waiting for nothing */
    double sample_count;
    double share_pct;
} WaitShare;

typedef struct PhaseResult {
    const char *name;
    uint64_t rows_per_checkpoint; /* rows between two checkpoints; 0: none was asked for */
    const char *wal_source;       /* who counted its WAL: "plan", "backend", "walinspect", or "log
                                     position" when wal_bytes is unknown and lsn_bytes all there is;
                                     NULL: not begun */
    BatchResult *batches;
    size_t batch_count;
    bool complete;        /* all batches measured */
    Figures figures;      /* sum of the batches, what is derived of it, and table metrics */
    IndexResult *indexes; /* the shown one first: the primary key's, or the featured one */
    size_t index_count;
    WalKind *wal_kinds; /* by bytes, largest first; empty where the server cannot tell */
    size_t wal_kind_count;
    FailureCount *failures; /* by SQLSTATE, in the order of their first; empty: none */
    size_t failure_count;
    WaitShare *waits; /* most frequent first; empty: nobody looked */
    size_t wait_count;
} PhaseResult;

/* One design measured once: a trial. */
typedef struct DesignResult {
    const char *name;
    const NamedValue *sweep; /* the values of the swept parameters that concern it */
    size_t sweep_count;
    const char *sweep_label; /* the same in words: "writers=8, bytes=100"; "": none */
    const char *error;       /* why it failed; NULL: it did not */
    const char *key_type;    /* SQL type of the key column: "uuid" */
    const char *minted_by;   /* "server" or "keybench" */
    uint64_t repeat;         /* 1.. */
    double predicted_table_bytes, predicted_wal_bytes; /* before it began; 0: not predicted */
    PhaseResult *phases;
    size_t phase_count;
} DesignResult;

typedef struct CheckResult {
    const char *name;
    double value;        /* NAN when not comparable */
    const char *bound;   /* "at least 3" */
    const char *verdict; /* "pass", "fail", "not comparable" */
} CheckResult;

/* Something about a number that its reader must know. */
typedef struct Finding {
    const char *kind;   /* "checkpoint", "other WAL", ... */
    const char *design; /* NULL: the whole run */
    uint64_t repeat;    /* 1..; 0: all */
    const char *sweep;  /* the design's sweep_label; NULL: all */
    const char *phase;  /* NULL: all */
    uint64_t batch;     /* 1..; 0: all */
    const char *detail; /* one sentence with the figures */
} Finding;

typedef struct Result {
    Arena *arena; /* owns every text and array below */
    ResultStatus status;
    const char *error; /* why it failed; NULL when complete */
    const char *part;  /* which trials it is about: "shard 2/8", "only writers=8"; NULL: all */
    const char *keybench_version;
    const char *started_utc;
    uint64_t seed;
    uint64_t repeats; /* planned for each trial; 0 in a file that does not say */
    uint64_t jobs;    /* designs measured side by side; above 1 times are not comparable */
    const char *scenario_name;
    const char *scenario_sha256; /* of the file's bytes, hex */
    const char *scenario_text;   /* the file's JSON, compact */
    NamedValue
        *server; /* version, version_number, throwaway, found_by, and each setting that matters */
    size_t server_count;
    NamedValue *machine;
    size_t machine_count;
    DesignResult *designs;
    size_t design_count;
    CheckResult *checks;
    size_t check_count;
    Finding *findings;
    size_t finding_count;
} Result;

Result *result_new(void);
void result_free(Result *result); /* accepts NULL */

/* Borrowed; NULL when there is none. `repeat` 1.. */
const DesignResult *result_find_design(const Result *result, const char *name, uint64_t repeat);
const DesignResult *result_find_trial(const Result *result, const char *name,
                                      const char *sweep_label, uint64_t repeat);
const PhaseResult *design_find_phase(const DesignResult *design, const char *name);

/* Whether a trial is measured whole. `phase_count` is that of its scenario. */
bool design_is_complete(const DesignResult *design, size_t phase_count);

/* A phase's figure of any scope: index metrics are those of the first index. NAN when
 * unknown or incomplete. */
double phase_figure(const PhaseResult *phase, MetricId metric);

/* Whether any design's first phase has begun. */
bool result_has_begun(const Result *result);

/* "" for a name that the server did not record. */
const char *result_server_value(const Result *result, const char *name);

/* Append a finding; texts are copied. */
void result_add_finding(Result *result, const Finding *finding);

/* Append a finding about the whole run, unless it is there. */
void result_add_remark(Result *result, const Finding *remark);

#define FINDING_MACHINES "machines"

/* Add a finding that times of this result are of two machines, when the other one is not like the
 * result's own; once. */
void result_note_machines(Result *result, const NamedValue *other, size_t count);

/* Whether findings of this kind make counts unfit for a ratio: a checkpoint that nobody here asked
 * for, WAL of other processes, a vacuum of the table, a changed setting. */
bool finding_taints(const Finding *finding);

/* Whether a finding is about this trial. */
bool finding_is_about(const Finding *finding, const DesignResult *design);

/* Whether a finding taints one phase of one trial. NULL for `phase`: any of its phases. */
bool result_is_tainted(const Result *result, const DesignResult *design, const char *phase);

/* "writers=8, bytes=100", in the arena; "" for none. */
const char *sweep_label(Arena *arena, const NamedValue *values, size_t count);

#endif
