/*
 * What can be told of a server from outside, without a connection: its postmaster.pid file, its
 * processes, its shared memory. Async-signal-safe, because the guard of a server, forked from a
 * threaded program, uses it.
 */
#ifndef KB_SERVER_POSTMASTER_H
#define KB_SERVER_POSTMASTER_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* The lines of postmaster.pid that matter here. Source: the server's miscadmin.h, LOCK_FILE_LINE_*;
 * the same in 10 to 19. */
typedef struct PostmasterFile {
    pid_t pid;             /* 0: of a server without postmaster, as initdb uses it */
    bool ready;            /* it accepts connections */
    unsigned long shm_key; /* System V segment that guards the data folder; 0: none yet */
    int shm_id;
} PostmasterFile;

/* False when there is no such file, or it is not filled yet. */
bool postmaster_file_load(const char *data_folder, PostmasterFile *file);

/* The pid of the server that runs on a data folder; 0 when none does. */
pid_t postmaster_running(const char *data_folder);

/* Send a signal (0: none) to every process of the server on this data folder, also to those that
 * its postmaster left behind. Returns how many there are. */
size_t postmaster_signal_all(const char *data_folder, int number);

/* End them all: SIGQUIT, then SIGKILL after a few seconds. False when one cannot be killed. */
bool postmaster_end(const char *data_folder);

/* Remove the System V segment that a killed server leaves. Call it when no process is left. */
void postmaster_remove_memory(const char *data_folder);

#endif
