/*
 * Child processes, never through a shell: start one as another user, collect what it writes, end it
 * and all its children at a deadline or an interrupt. proc_spawn is the part that a process forked
 * from a threaded program may use; the rest is built on it.
 */
#ifndef KB_BASE_PROC_H
#define KB_BASE_PROC_H

#include "base/diag.h"
#include "base/mem.h"
#include "base/text.h"

#include <stdint.h>
#include <sys/types.h>

/* Whom a child runs as. */
typedef struct ProcUser {
    uid_t uid;
    gid_t gid;
    bool change; /* false: as this process, and the ids are its own */
} ProcUser;

typedef struct ProcSpec {
    const char *const *argv; /* NULL at the end; argv[0] is a path */
    const char *const *env;  /* "NAME=value" with NULL at the end; NULL: as this process */
    const char *folder;      /* working folder; NULL: as this process */
    const ProcUser *user;    /* NULL: as this process */
    int output_fd, error_fd; /* standard output and error; standard input is /dev/null */
    int parent_death_signal; /* sent to the child when the calling thread ends; 0: none */
    bool same_session;       /* false: a session of its own, out of the terminal's reach */
} ProcSpec;

/* fork, with every signal blocked in the child, so that no handler of ours ever runs there.
 * Async-signal-safe. */
pid_t proc_fork(void);

/* Close the descriptors from `first` to `last`, both included. Async-signal-safe. */
void proc_close_between(int first, int last);

/*
 * Start a child with default signals and no descriptor of ours but the three standard ones.
 * Async-signal-safe. Returns its pid, or -1 with errno of what failed, up to the exec itself
 */
pid_t proc_spawn(const ProcSpec *spec);

/*
 * Run a child to its end. spec->argv[0] without a slash is looked up in PATH; the two descriptors
 * of `spec` are not read.
 *
 * deadline_ns  how long it may take; then it is killed with its children
 * output       out: what it wrote on standard output, appended; NULL drops it
 * errors       out: what it wrote on standard error, appended; NULL drops it; may be `output`
 * exit_code    out: 0..255, or 128 + the signal that ended it
 * Returns      STATUS_IO when it cannot be started or the deadline passed; STATUS_INTERRUPTED
 */
Status proc_run(const ProcSpec *spec, uint64_t deadline_ns, Text *output, Text *errors,
                int *exit_code, Diag *diag) MUST_USE;

/* Whether `user` may do `mode` (X_OK, W_OK, ...) with `path`, all folders above it included. */
bool proc_user_can(const ProcUser *user, const char *path, int mode);

/* The path of a program in PATH; caller frees with free(). NULL when there is none. */
char *proc_find_program(const char *name);

/* The environment of this process without the names that start with one of `prefixes` (NULL at the
 * end), and with `additions` ("NAME=value", NULL at the end). Lives in `arena`. */
const char *const *proc_environment(Arena *arena, const char *const *prefixes,
                                    const char *const *additions);

#endif
