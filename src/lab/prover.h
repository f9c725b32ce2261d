/*
 * A claim under way: shared by prove.c, which goes through its steps, and statement.c, which sends
 * statements and judges what comes back.
 */
#ifndef KB_LAB_PROVER_H
#define KB_LAB_PROVER_H

#include "base/text.h"
#include "lab/prove.h"
#include "lab/scene.h"

typedef struct Variable {
    const char *name;
    const char *value; /* NULL: SQL null */
} Variable;

typedef struct Prover {
    const ProveOptions *options;
    const Claim *claim;
    Arena *arena;
    Scene *scene;
    Outcome *outcome;
    Variable *variables;
    size_t variable_count;
    Text answer;     /* of the last statement, as `show` prints it */
    bool has_answer; /* it returned rows, be it none */
} Prover;

/* Say that the claim does not hold, and return STATUS_CHECK_FAILED. */
Status prover_fail(Prover *prover, FailureKind kind, Diag *diag, const char *format, ...)
    PRINTF_LIKE(4, 5);

void prover_tell(const Prover *prover, ProveEventKind kind, const Step *step, const char *session,
                 const char *text);

/* Run a statement of the claim or the chapter's setup. STATUS_CHECK_FAILED when it does not do what
 * its directives say. */
Status statement_run(Prover *prover, const Step *step, Diag *diag) MUST_USE;

/* The same for the rest of a statement that waited. */
Status statement_resume(Prover *prover, const Step *step, Diag *diag) MUST_USE;

#endif
