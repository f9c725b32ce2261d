/*
 * One place that turns SIGINT, SIGTERM and SIGHUP into a request to stop. Nothing is cut off:
 * whoever waits sees the request through interrupt_fd (it becomes readable and stays so) or
 * interrupt_requested, cleans up, and returns STATUS_INTERRUPTED.
 */
#ifndef KB_BASE_INTERRUPT_H
#define KB_BASE_INTERRUPT_H

#include "base/diag.h"

/* Install the handlers, once, before any thread is started. SIGPIPE is ignored: writes report
 * EPIPE. */
void interrupt_install(void);

bool interrupt_requested(void);

/* A descriptor that polls readable from the first request on; -1 before interrupt_install. Never
 * read from it. */
int interrupt_fd(void);

/* As if the signal had come: for a worker that must stop the others, and for tests.
 * Async-signal-safe. */
void interrupt_request(void);

/* Set `diag` to "interrupted" and return STATUS_INTERRUPTED. */
Status interrupt_status(Diag *diag);

#endif
