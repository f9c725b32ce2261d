#include "support/owner.h"

#include "base/interrupt.h"

#include <stdlib.h>
#include <sys/prctl.h>

static ServerPrograms programs;

/* As keybench does on Ctrl-C: it sees the request, and its server is still there for the end of
 * what it does. */
static int
wait_for_interrupt(Cluster *cluster)
{
    bool alive;

    while (!interrupt_requested())
        usleep(1000);
    alive = server_pid(cluster_folder(cluster)) > 0;
    cluster_stop(cluster);
    return alive ? 42 : 1;
}

static int
stop_normally(Cluster *cluster)
{
    cluster_stop(cluster);
    return 0;
}

/* The end of a process without a word, as after exit() in the middle of something. */
static int
forget_it(Cluster *cluster)
{
    (void)cluster;
    return 0;
}

static void
tap_all_gone(const Report *report, const char *label)
{
    printf("# %s\n", label);
    tap_ok(report->server > 0, "... there was a server");
    tap_ok(wait_until(is_process_gone, &report->server), "... it is gone");
    tap_ok(wait_until(is_process_gone, &report->guard), "... and its guard");
    tap_ok(wait_until(is_path_gone, report->folder), "... and its folder");
    tap_nothing_left("... and all else");
}

static void
test_ends(void)
{
    static const struct {
        int (*finish)(Cluster *cluster);
        int signal; /* to the owner's process group */
        int exit_status;
        const char *label;
    } cases[] = {
        {stop_normally, 0, 0, "a normal end"},
        {forget_it, 0, 0, "an end without a stop"},
        {wait_for_signal, SIGKILL, 128 + SIGKILL, "kill -9"},
        {wait_for_signal, SIGABRT, 128 + SIGABRT, "abort"},
        {wait_for_interrupt, SIGINT, 42, "Ctrl-C"},
        {wait_for_interrupt, SIGTERM, 42, "a polite kill"},
        {wait_for_interrupt, SIGHUP, 42, "a closed terminal"},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        OwnerPlan plan = {.bindir = programs.bindir, .finish = cases[i].finish};
        Owner owner = start_owner(&plan);
        Report report = read_report(&owner);
        int wait_status = 0;

        if (cases[i].signal != 0)
            kill(-owner.pid, cases[i].signal);
        waitpid(owner.pid, &wait_status, 0);
        tap_u64((uint64_t)(WIFEXITED(wait_status) ? WEXITSTATUS(wait_status)
                                                  : 128 + WTERMSIG(wait_status)),
                (uint64_t)cases[i].exit_status, cases[i].label);
        tap_all_gone(&report, cases[i].label);
    }
}

/* A long statement does not notice that its postmaster is gone. */
static pid_t
start_long_statement(const Cluster *cluster)
{
    pid_t child = fork();

    if (child == 0) {
        DbConn *conn = NULL;
        Diag diag = {0};
        Status status = db_open(cluster_target(cluster), &conn, &diag);

        if (status == STATUS_OK)
            status = db_exec(conn,
                             "CREATE TABLE public.long AS "
                             "SELECT md5(i::text) FROM generate_series(1, 1000000000) AS i",
                             DB_NO_PARAMS, &diag);
        _exit((int)status);
    }
    return child;
}

static bool
is_statement_active(const void *cluster)
{
    Text answer = {0};
    bool active = strcmp(ask_server(cluster,
                                    "SELECT count(*) AS answer FROM pg_catalog.pg_stat_activity "
                                    "WHERE query LIKE 'CREATE TABLE%' AND state = 'active'",
                                    &answer),
                         "1") == 0;

    text_release(&answer);
    return active;
}

static void
test_killed_server(void)
{
    ClusterOptions options = {.bindir = programs.bindir, .data_checksums = -1};
    Cluster *cluster = NULL;
    Diag diag = {0};
    Text tail = {0}, data = {0};
    PostmasterFile file;
    pid_t statement;
    int wait_status = 0;

    tap_u64(cluster_start(&options, &cluster, &diag), STATUS_OK, "a server that will be killed");
    text_printf(&data, "%s/data", cluster_folder(cluster));
    file = load_postmaster_file(cluster_folder(cluster));
    statement = start_long_statement(cluster);
    tap_ok(wait_until(is_statement_active, cluster), "... in the middle of a statement");
    tap_ok(postmaster_signal_all(data.data, 0) > 3, "... with all its processes");
    kill(file.pid, SIGKILL);
    tap_ok(wait_until(is_process_gone, &file.pid), "... is dead");
    waitpid(statement, &wait_status, 0);
    tap_ok(WIFEXITED(wait_status) && WEXITSTATUS(wait_status) == STATUS_SERVER,
           "... its client notices");
    cluster_log_tail(cluster, 9, &tail);
    tap_contains(text_data(&tail), "ready to accept connections", "... its log is still there");
    tap_ok(!is_segment_gone(file.shm_id), "... and its shared memory");
    cluster_stop(cluster);
    tap_u64(postmaster_signal_all(data.data, 0), 0, "... then no process is left");
    tap_ok(is_segment_gone(file.shm_id), "... nor shared memory");
    tap_nothing_left("... nor anything else");
    text_release(&tail);
    text_release(&data);
}

static void
test_killed_guard(void)
{
    ClusterOptions options = {.bindir = programs.bindir, .data_checksums = -1};
    Cluster *cluster = NULL;
    Diag diag = {0};
    pid_t server;

    tap_u64(cluster_start(&options, &cluster, &diag), STATUS_OK, "a guard that will be killed");
    server = server_pid(cluster_folder(cluster));
    kill(parent_of(server), SIGKILL);
    tap_ok(wait_until(is_process_gone, &server), "... takes its server along");
    tap_u64(cluster_restart(cluster, &diag), STATUS_SERVER, "... which cannot be started again");
    tap_contains(diag.message, "guard", "... and why");
    cluster_stop(cluster);
    tap_nothing_left("... but be removed");
}

static bool
is_path_there(const void *path)
{
    return file_exists(path);
}

/* The fake initdb makes a file outside of its own folder, to say that it has begun. */
static void
test_ends_in_initdb(void)
{
    static const struct {
        int signal, wait_status;
        const char *label;
    } cases[] = {
        {SIGKILL, SIGKILL, "kill -9 while initdb works"},
        {SIGTERM, STATUS_INTERRUPTED << 8, "an interrupt while initdb works"},
    };
    char *bindir = make_fake_server("slow", "18.9", ": >\"$TMPDIR/begun\"; exec sleep 66");
    Text begun = {0};

    text_printf(&begun, "%s/begun", getenv("TMPDIR"));
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        OwnerPlan plan = {.bindir = bindir, .finish = stop_normally};
        Owner owner = start_owner(&plan);
        int wait_status = 0;

        tap_ok(wait_until(is_path_there, begun.data), "initdb works");
        unlink(begun.data);
        kill(owner.pid, cases[i].signal);
        waitpid(owner.pid, &wait_status, 0);
        read_report(&owner);
        tap_u64((uint64_t)wait_status, (uint64_t)cases[i].wait_status, cases[i].label);
        while (waitpid(-1, NULL, 0) > 0) /* orphans come here: the guard, initdb */
            continue;
        tap_nothing_left("... leaves nothing");
    }
    text_release(&begun);
    free(bindir);
}

int
main(void)
{
    Diag diag = {0};

    if (server_find(NULL, SERVER_MAJOR_MIN, &programs, &diag) != STATUS_OK) {
        diag_print(&diag, stdout);
        return 1;
    }
    support_begin();
    test_ends();
    test_killed_server();
    test_killed_guard();
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    test_ends_in_initdb();
    support_end();
    return tap_done();
}
