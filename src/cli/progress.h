/*
 * Where a run stands, on standard error: one line that rewrites itself on a terminal, plain lines
 * elsewhere.
 */
#ifndef KB_CLI_PROGRESS_H
#define KB_CLI_PROGRESS_H

#include "base/clock.h"
#include "run/runner.h"

typedef enum Verbosity {
    VERBOSITY_QUIET,  /* errors only */
    VERBOSITY_NORMAL, /* a line a phase, or the rewriting line */
    VERBOSITY_ALL,    /* a line a batch */
} Verbosity;

typedef struct Progress {
    Verbosity verbosity;
    bool terminal;
    size_t shown_width; /* of the rewriting line now on the screen */
    Instant start;
} Progress;

void progress_init(Progress *progress, Verbosity verbosity);

/* Listener and notice for RunOptions; `context` is the Progress. */
void progress_event(void *context, const RunEvent *event);
void progress_notice(void *context, const char *text);

/* Take the rewriting line off the screen. */
void progress_end(Progress *progress);

#endif
