/*
 * One claim shown on a server: its steps in order, on its sessions, and the verdict. What is wrong
 * with the claim is a verdict; what is wrong with the server or the machine is an error.
 */
#ifndef KB_LAB_PROVE_H
#define KB_LAB_PROVE_H

#include "lab/chapter.h"
#include "lab/measured.h"
#include "lab/needs.h"
#include "server/cluster.h"

#include <stdint.h>

typedef enum Verdict {
    VERDICT_NONE, /* not reached, or not to its end */
    VERDICT_OK,
    VERDICT_FAIL,
    VERDICT_SKIP,
} Verdict;

typedef enum FailureKind {
    FAILURE_NONE,
    FAILURE_EXPECT,    /* another value than expected */
    FAILURE_ERROR,     /* not the error expected */
    FAILURE_BLOCKS,    /* does not wait where it should, or waits where it should not */
    FAILURE_STATEMENT, /* a statement failed that should not */
} FailureKind;

/* A value that a claim showed. */
typedef struct SeenValue {
    const char *label; /* maybe "" */
    const char *value;
} SeenValue;

typedef struct Outcome {
    Verdict verdict;
    FailureKind failure;
    const char *reason; /* why it is skipped, or what failed; else "" */
    size_t line;        /* of the step that failed */
    SeenValue *values;
    size_t value_count;
    const char **remarks; /* what a measurement's reader must know */
    size_t remark_count;
    uint64_t elapsed_ns;
} Outcome;

/* Something that happens while a claim is shown, for people who want to follow. */
typedef enum ProveEventKind {
    PROVE_STEP,   /* a statement is sent, or another step begins */
    PROVE_ANSWER, /* what came back */
} ProveEventKind;

typedef struct ProveEvent {
    ProveEventKind kind;
    const Chapter *chapter;
    const Claim *claim;
    const Step *step;
    const char *session; /* NULL for a step that no session runs */
    const char *text;    /* borrowed for the call */
} ProveEvent;

typedef struct ProveOptions {
    const Chapter *chapter;
    const DbTarget *target;
    Cluster *cluster; /* that it is; NULL: the user's server */
    const char *bindir;
    const LabServerFacts *facts;
    MeasuredCache *measured;
    unsigned scale;
    bool insist; /* also on a server that looks like production */
    void (*event)(void *context, const ProveEvent *event); /* NULL: none */
    void (*notice)(void *context, const char *text);       /* NULL: none */
    void *context;
} ProveOptions;

/*
 * Show one claim of the chapter.
 *
 * arena     owns the texts and lists of `outcome`
 * Returns   STATUS_OK with any verdict but VERDICT_NONE; STATUS_INTERRUPTED, STATUS_SERVER,
 * STATUS_IO, STATUS_SCENARIO, STATUS_DB_QUERY (the lab's own statements) when there is none
 */
Status prove_claim(const ProveOptions *options, const Claim *claim, Arena *arena, Outcome *outcome,
                   Diag *diag) MUST_USE;

#endif
