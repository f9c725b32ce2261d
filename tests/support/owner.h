/*
 * An owner: a process of its own that starts a cluster and ends in one way or another, so that a
 * test can look at what it leaves.
 */
#ifndef KB_TESTS_OWNER_H
#define KB_TESTS_OWNER_H

#include "base/interrupt.h"
#include "support/cluster_support.h"

#include <sys/shm.h>

/* What an owner process tells this test through a pipe once its server runs, or fails to. */
typedef struct Report {
    pid_t server, guard;
    char folder[4096];
} Report;

/* A process of its own that starts a cluster, reports it, and ends as `finish` does. */
typedef struct Owner {
    pid_t pid;
    int report_fd;
} Owner;

typedef struct OwnerPlan {
    const char *bindir;
    bool keep;
    int (*finish)(Cluster *cluster); /* its exit status */
} OwnerPlan;

/* The parent of the server's process; 0 when there is none. */
static inline pid_t
parent_of(pid_t pid)
{
    char path[64];
    Text content = {0};
    Diag ignored = {0};
    const char *at;
    pid_t parent = 0;

    snprintf(path, sizeof(path), "/proc/%ld/stat", (long)pid);
    if (file_read(path, 4096, &content, &ignored) == STATUS_OK &&
        (at = strrchr(text_data(&content), ')')) != NULL && strlen(at) > 4)
        parent = (pid_t)strtol(at + 4, NULL, 10);
    text_release(&content);
    return parent;
}

static inline _Noreturn void
run_owner(const OwnerPlan *plan, int report_fd)
{
    ClusterOptions options = {.bindir = plan->bindir, .keep = plan->keep, .data_checksums = -1};
    Cluster *cluster = NULL;
    Diag diag = {0};
    Report report = {0};
    Status status;

    signal(SIGHUP, SIG_DFL); /* the tests may run under nohup */
    interrupt_install(); /* here, not in the test: a fork would share the pipe of its requests */
    status = cluster_start(&options, &cluster, &diag);

    if (status == STATUS_OK) {
        snprintf(report.folder, sizeof(report.folder), "%s", cluster_folder(cluster));
        report.server = server_pid(report.folder);
        report.guard = parent_of(report.server);
    }
    if (status != STATUS_OK)
        printf("# %s %s\n", diag.message, diag.detail);
    if (write(report_fd, &report, sizeof(report)) < 0)
        _exit(99);
    _exit(status == STATUS_OK ? plan->finish(cluster) : (int)status);
}

/* In a process group of its own, as a shell would put it. */
static inline Owner
start_owner(const OwnerPlan *plan)
{
    int ends[2];
    Owner owner;

    if (pipe(ends) != 0)
        BUG("no pipe");
    owner.pid = fork();
    if (owner.pid == 0) {
        setpgid(0, 0);
        close(ends[0]);
        run_owner(plan, ends[1]);
    }
    setpgid(owner.pid, owner.pid);
    close(ends[1]);
    owner.report_fd = ends[0];
    return owner;
}

/* All zero when the owner died before. */
static inline Report
read_report(const Owner *owner)
{
    Report report = {0};

    if (read(owner->report_fd, &report, sizeof(report)) < 0)
        BUG("no report");
    close(owner->report_fd);
    return report;
}

static inline int
wait_for_signal(Cluster *cluster)
{
    while (cluster != NULL)
        pause();
    return 98;
}

static inline bool
is_segment_gone(int id)
{
    struct shmid_ds segment;

    return shmctl(id, IPC_STAT, &segment) != 0;
}

static inline PostmasterFile
load_postmaster_file(const char *folder)
{
    PostmasterFile file = {0};
    Text data = {0};

    text_printf(&data, "%s/data", folder);
    tap_ok(postmaster_file_load(data.data, &file), "the server's own file");
    text_release(&data);
    return file;
}

#endif
