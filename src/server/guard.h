/*
 * The guard of a throwaway server: a process of its own that starts the server and, once keybench
 * is gone, ends it and removes its folder. It sees keybench's end through a socket, which the
 * kernel closes whatever keybench died of; should the guard itself be killed, the kernel sends the
 * server SIGQUIT.
 *
 * The guard is forked and does not exec: it works from any program that links this library, and
 * nothing has to be found on the disk at the moment of need. Since a forked child of a threaded
 * program may only do what is async-signal-safe, all that it needs is prepared before the fork.
 */
#ifndef KB_SERVER_GUARD_H
#define KB_SERVER_GUARD_H

#include "base/proc.h"

/* keybench's side of a guard. All zero: none. */
typedef struct Guard {
    pid_t pid;
    int fd;
} Guard;

/* What the guard watches over. Borrowed for the call of guard_open. */
typedef struct GuardPlan {
    const char *folder;     /* removed at the end */
    const char *data;       /* the server's data folder */
    const char *log;        /* the server's output is appended here */
    const ProcSpec *server; /* the server's program; its descriptors are not read */
} GuardPlan;

/* Caller ends it with guard_close. STATUS_IO. */
Status guard_open(const GuardPlan *plan, Guard *guard, Diag *diag) MUST_USE;

/* End keybench's side and wait for the guard: unless told to keep it, the server is ended and the
 * folder removed. Accepts one that is all zero, and makes it so. */
void guard_close(Guard *guard);

/* Start the server, which is not up yet when this returns. STATUS_SERVER when it cannot be run. */
Status guard_start_server(const Guard *guard, pid_t *server_pid, Diag *diag) MUST_USE;

/* Kill the server without a warning, its processes included, and leave all else. */
Status guard_crash_server(const Guard *guard, Diag *diag) MUST_USE;

/* Whether guard_close shall leave server and folder as they are. */
void guard_keep(const Guard *guard, bool keep);

/* Wait until the server or the guard has ended: true; or for `timeout_ms`, or for an interrupt. */
bool guard_wait_end(const Guard *guard, int timeout_ms);

#endif
