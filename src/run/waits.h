/*
 * Where writers' sessions spend their time: a thread with a connection of its own looks at a fixed
 * rate at what each of them waits for, and counts what it sees.
 */
#ifndef KB_RUN_WAITS_H
#define KB_RUN_WAITS_H

#include "base/clock.h"
#include "db/conn.h"

#include <stdatomic.h>

enum { WAIT_EVENTS_MAX = 64, WAIT_EVENT_TEXT = 64 };

/* A session was seen so often in a wait; "running" where it waits for nothing. */
typedef struct WaitCount {
    char event[WAIT_EVENT_TEXT]; /* "LWLock:WALInsert" */
    uint64_t sample_count;
} WaitCount;

typedef struct WaitCounts {
    WaitCount events[WAIT_EVENTS_MAX]; /* the last place also holds those that have none left */
    size_t count;
} WaitCounts;

typedef struct WaitSampler WaitSampler;

/* Connect like `conn`. Caller closes with waits_close. */
Status waits_open(const DbConn *conn, WaitSampler **sampler, Diag *diag) MUST_USE;
void waits_close(WaitSampler *sampler); /* accepts NULL */

/* Look at the sessions of these processes from now on; what was counted is forgotten. */
Status waits_watch(WaitSampler *sampler, const int *pids, size_t pid_count, Diag *diag) MUST_USE;

/* Count once what each of them waits for. */
Status waits_sample(WaitSampler *sampler, Diag *diag) MUST_USE;

/* Sample `rate_per_s` times a second until `done`. */
Status waits_run(WaitSampler *sampler, uint64_t rate_per_s, const atomic_bool *done,
                 Diag *diag) MUST_USE;

/* All that was counted since waits_watch, most frequent first; borrowed. */
const WaitCounts *waits_counts(WaitSampler *sampler);

#endif
