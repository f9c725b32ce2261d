#include "server/cluster.h"

#include "base/clock.h"
#include "base/interrupt.h"
#include "base/mem.h"
#include "server/complaint.h"
#include "server/datadir.h"
#include "server/guard.h"
#include "server/place.h"
#include "server/postmaster.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const uint64_t START_DEADLINE_NS = 60 * NS_PER_S;
static const uint64_t RECOVERY_DEADLINE_NS = 600 * NS_PER_S;

enum {
    READY_POLL_MS = 2,
    FAILURE_LINES = 6, /* of the log, in an error's detail */
};

struct Cluster {
    ServerPrograms programs;
    Account account;
    Place place; /* folder empty: none yet */
    Guard guard; /* zero: none */
    DbTarget target;
    pid_t server_pid;
};

void
cluster_log_tail(const Cluster *cluster, size_t line_count, Text *text)
{
    place_log_tail(&cluster->place, line_count, text);
}

static Status
server_failed(const Cluster *cluster, const char *what, Diag *diag)
{
    Text tail = {0};
    Diag cause = {0};
    char setting[200];
    Status status = diag_set(diag, STATUS_SERVER, "the PostgreSQL %s server %s",
                             cluster->programs.version, what);

    cluster_log_tail(cluster, FAILURE_LINES, &tail);
    if (complaint_find_setting(text_data(&tail), setting, sizeof(setting), &cause)) {
        status = diag_set(diag, STATUS_UNSUPPORTED, "this build of PostgreSQL %s does not take %s",
                          cluster->programs.version, setting);
        diag_detail(diag, "%s", cause.detail);
    } else {
        complaint_set(&tail, diag);
    }
    text_release(&tail);
    return status;
}

/* Source: pg_ctl, which waits for the same line of postmaster.pid; 10 and later write it. */
static bool
is_ready(const Cluster *cluster)
{
    PostmasterFile file;

    return postmaster_file_load(cluster->place.data, &file) && file.pid == cluster->server_pid &&
           file.ready;
}

static Status
await_ready(const Cluster *cluster, uint64_t deadline_ns, Diag *diag)
{
    Instant start = instant_now();

    while (!is_ready(cluster)) {
        if (interrupt_requested())
            return interrupt_status(diag);
        if (guard_wait_end(&cluster->guard, READY_POLL_MS))
            return server_failed(cluster, "ended while it started", diag);
        if (instant_elapsed_ns(start) > deadline_ns)
            return server_failed(cluster, "did not start in time", diag);
    }
    return STATUS_OK;
}

static Status
start_server(Cluster *cluster, uint64_t deadline_ns, Diag *diag)
{
    Status status = guard_start_server(&cluster->guard, &cluster->server_pid, diag);

    if (status == STATUS_OK)
        status = await_ready(cluster, deadline_ns, diag);
    return status;
}

static Status
append_to_file(const char *path, const Text *text, Diag *diag)
{
    int fd = open(path, O_WRONLY | O_APPEND | O_NOFOLLOW | O_CLOEXEC);
    bool good = fd >= 0 && write(fd, text->data, text->length) == (ssize_t)text->length;
    int error = errno;

    if (fd >= 0 && close(fd) != 0 && good) {
        good = false;
        error = errno;
    }
    return good ? STATUS_OK
                : diag_set(diag, STATUS_IO, "cannot write \"%s\": %s", path, strerror(error));
}

/* In the file and not as arguments of the server: ALTER SYSTEM shall win over them. */
static Status
configure(const Cluster *cluster, const Text *conf, Diag *diag)
{
    Text path = {0};
    Status status;

    text_printf(&path, "%s/postgresql.conf", cluster->place.data);
    status = append_to_file(path.data, conf, diag);
    text_release(&path);
    return status;
}

static Status
open_guard(Cluster *cluster, bool keep, Diag *diag)
{
    Arena *arena = arena_new();
    const char *argv[] = {arena_printf(arena, "%s/postgres", cluster->programs.bindir), "-D",
                          cluster->place.data, NULL};
    ProcSpec server = {
        .argv = argv,
        .env = server_environment(arena),
        .folder = "/",
        .user = &cluster->account.user,
        .parent_death_signal = keep ? 0 : SIGQUIT,
    };
    GuardPlan plan = {
        .folder = cluster->place.folder,
        .data = cluster->place.data,
        .log = cluster->place.log,
        .server = &server,
    };
    Status status = guard_open(&plan, &cluster->guard, diag);

    arena_free(arena); /* the guard has its copy of this process */
    return status;
}

static Status
make_place(Cluster *cluster, const ClusterOptions *options, Diag *diag)
{
    PlaceMark mark = place_mark_now(cluster->programs.version, options->keep);
    Status status = place_make(options->parent_folder, &cluster->account, &cluster->place, diag);

    if (status == STATUS_OK)
        status = open_guard(cluster, options->keep, diag);
    if (status == STATUS_OK)
        status = place_mark_save(&cluster->place, &mark, diag);
    cluster->target = (DbTarget){
        .host = cluster->place.folder,
        .port = PLACE_PORT,
        .user = "postgres",
        .dbname = "postgres",
    };
    return status;
}

static Status
make_data(Cluster *cluster, const ClusterOptions *options, Diag *diag)
{
    Text conf = {0};
    Status status = profile_write(cluster->place.folder, options->settings, options->setting_count,
                                  &conf, diag);

    if (status == STATUS_OK)
        status = datadir_make(&cluster->programs, &cluster->account, options->data_checksums,
                              cluster->place.data, diag);
    if (status == STATUS_OK)
        status = configure(cluster, &conf, diag);
    text_release(&conf);
    return status;
}

static Status
bring_up(Cluster *cluster, const ClusterOptions *options, Diag *diag)
{
    Status status = server_find(options->bindir, SERVER_MAJOR_MIN, &cluster->programs, diag);

    if (status == STATUS_OK)
        status = account_find(&cluster->account, diag);
    if (status == STATUS_OK)
        status = make_place(cluster, options, diag);
    if (status == STATUS_OK)
        status = make_data(cluster, options, diag);
    if (status == STATUS_OK)
        status = start_server(cluster, START_DEADLINE_NS, diag);
    if (status == STATUS_OK && options->keep)
        guard_keep(&cluster->guard, true);
    return status;
}

Status
cluster_start(const ClusterOptions *options, Cluster **cluster, Diag *diag)
{
    Cluster *started = mem_new(1, sizeof(*started));
    Status status = bring_up(started, options, diag);

    if (status == STATUS_OK) {
        *cluster = started;
        return STATUS_OK;
    }
    if (started->place.folder[0] != '\0' && (status == STATUS_SERVER || status == STATUS_IO))
        complaint_check_disk(started->place.folder, diag);
    cluster_stop(started);
    return status;
}

void
cluster_stop(Cluster *cluster)
{
    Diag diag = {0};

    if (cluster == NULL)
        return;
    if (cluster->guard.pid > 0)
        guard_keep(&cluster->guard, false);
    guard_close(&cluster->guard);
    /* Mostly done by now, but the guard may have been killed, or never come up. */
    if (cluster->place.folder[0] != '\0' && place_clear(&cluster->place, &diag) != STATUS_OK)
        diag_print(&diag, stderr);
    free(cluster);
}

void
cluster_leave(Cluster *cluster)
{
    if (cluster != NULL)
        guard_close(&cluster->guard);
    free(cluster);
}

const DbTarget *
cluster_target(const Cluster *cluster)
{
    return &cluster->target;
}

const ServerPrograms *
cluster_programs(const Cluster *cluster)
{
    return &cluster->programs;
}

const char *
cluster_folder(const Cluster *cluster)
{
    return cluster->place.folder;
}

Status
cluster_crash(Cluster *cluster, Diag *diag)
{
    return guard_crash_server(&cluster->guard, diag);
}

/* Fast shutdown is SIGINT to the postmaster. Source: manual, "Shutting Down the Server". */
Status
cluster_shut_down(Cluster *cluster, Diag *diag)
{
    Instant start = instant_now();

    if (postmaster_running(cluster->place.data) != cluster->server_pid ||
        kill(cluster->server_pid, SIGINT) != 0)
        return server_failed(cluster, "cannot be shut down", diag);
    while (!guard_wait_end(&cluster->guard, READY_POLL_MS)) {
        if (interrupt_requested())
            return interrupt_status(diag);
        if (instant_elapsed_ns(start) > RECOVERY_DEADLINE_NS)
            return server_failed(cluster, "did not shut down in time", diag);
    }
    return STATUS_OK;
}

Status
cluster_restart(Cluster *cluster, Diag *diag)
{
    return start_server(cluster, RECOVERY_DEADLINE_NS, diag);
}
