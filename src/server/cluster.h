/*
 * Throwaway PostgreSQL servers: made with initdb (or copied from a cached template), started on a
 * private Unix socket, and gone without a trace however keybench ends. A guard process owns each
 * server: it sees keybench's end, even after kill -9, stops the server and removes its folder.
 */
#ifndef KB_SERVER_CLUSTER_H
#define KB_SERVER_CLUSTER_H

#include "base/diag.h"
#include "base/text.h"
#include "db/conn.h"
#include "server/find.h"
#include "server/profile.h"

#include <stdint.h>

typedef struct ClusterOptions {
    const char *bindir;        /* NULL: search */
    const char *parent_folder; /* NULL: $TMPDIR, or /tmp when that makes the socket path too long */
    const ClusterSetting *settings; /* over the throwaway profile, see cluster_profile */
    size_t setting_count;
    int data_checksums; /* -1: initdb's default, 0 off, 1 on */
    bool keep;          /* stays after keybench ends, until `keybench cluster stop` */
} ClusterOptions;

typedef struct Cluster Cluster;

/*
 * Made, started and accepting connections. Caller ends it with cluster_stop, which is also safe
 * after a crash of the server. May be called from several threads at once. Nothing is left when it
 * fails.
 * Returns   STATUS_USAGE for a bad folder or setting name; STATUS_SERVER when no server is found or
 * it does not start, with the end of its log as detail; STATUS_IO; STATUS_INTERRUPTED
 */
Status cluster_start(const ClusterOptions *options, Cluster **cluster, Diag *diag) MUST_USE;
void cluster_stop(Cluster *cluster); /* stops the server, removes the folder, frees; accepts NULL */

/* Frees, and leaves a cluster started with `keep` as it is; any other is stopped. Accepts NULL. */
void cluster_leave(Cluster *cluster);

/* How to connect: borrowed, lives as long as the cluster. */
const DbTarget *cluster_target(const Cluster *cluster);
const ServerPrograms *cluster_programs(const Cluster *cluster);
const char *cluster_folder(const Cluster *cluster);

/* Append the last lines of the server's log, for an error's detail. */
void cluster_log_tail(const Cluster *cluster, size_t line_count, Text *text);

/* kill -9 of the postmaster and its processes, as a crash, for crash claims and tests;
 * cluster_restart then starts again on the same data folder (recovery runs). */
Status cluster_crash(Cluster *cluster, Diag *diag) MUST_USE;

/* An orderly end of the server, after which cluster_restart starts it with an empty cache. */
Status cluster_shut_down(Cluster *cluster, Diag *diag) MUST_USE;
Status cluster_restart(Cluster *cluster, Diag *diag) MUST_USE;

/* One cluster folder on this machine, as `keybench cluster list` shows it. */
typedef struct ClusterEntry {
    char folder[4096];
    char version[64];
    long server_pid, owner_pid; /* 0 when gone */
    bool kept;
    bool running;
    char started_utc[32];
} ClusterEntry;

/* All clusters of ours under $TMPDIR and /tmp, kept, running or left by a crash, in the order of
 * their folders. Caller frees *entries with free(). */
Status cluster_list(ClusterEntry **entries, size_t *count, Diag *diag) MUST_USE;

/*
 * Stop and remove one by its folder, whoever uses it.
 * Returns   STATUS_USAGE when the folder is not a cluster that keybench made as this user;
 * STATUS_IO when it cannot be removed
 */
Status cluster_remove(const char *folder, Diag *diag) MUST_USE;

#endif
