/*
 * What the tests of throwaway servers share: a temporary folder of their own in which nothing may
 * be left, fake server programs, and waits with a deadline.
 */
#ifndef KB_TESTS_CLUSTER_SUPPORT_H
#define KB_TESTS_CLUSTER_SUPPORT_H

#include "base/clock.h"
#include "base/file.h"
#include "base/mem.h"
#include "server/account.h"
#include "server/cluster.h"
#include "server/postmaster.h"
#include "server/tree.h"
#include "support/tap.h"

#include <dirent.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const uint64_t WAIT_DEADLINE_NS = 60 * NS_PER_S;

static char temporary_folder[] = "/tmp/kbtest-XXXXXX";

/* TMPDIR and the cache are in a folder of this test, which every user may enter. */
static inline void
support_begin(void)
{
    Text path = {0};

    setlinebuf(stdout); /* some sanitizers write it out in forked children, too */
    if (mkdtemp(temporary_folder) == NULL || chmod(temporary_folder, 0755) != 0)
        BUG("no temporary folder");
    text_printf(&path, "%s/tmp", temporary_folder);
    if (mkdir(path.data, 0755) != 0 || chmod(path.data, 01777) != 0)
        BUG("no folder in it");
    setenv("TMPDIR", path.data, 1);
    text_release(&path);
    text_printf(&path, "%s/cache", temporary_folder);
    setenv("KEYBENCH_CACHE", path.data, 1);
    text_release(&path);
}

static inline void
support_end(void)
{
    tap_ok(tree_remove(temporary_folder), "the test's own folder can be removed");
}

static inline size_t
count_entries(const char *path)
{
    DIR *folder = opendir(path);
    size_t count = 0;

    while (folder != NULL && readdir(folder) != NULL)
        count++;
    if (folder != NULL)
        closedir(folder);
    return count > 2 ? count - 2 : 0;
}

static inline void
tap_nothing_left(const char *label)
{
    tap_u64(count_entries(getenv("TMPDIR")), 0, label);
}

/* Poll until `done` says so; false after a minute. */
static inline bool
wait_until(bool (*done)(const void *context), const void *context)
{
    Instant start = instant_now();
    bool is_done = done(context);

    while (!is_done && instant_elapsed_ns(start) < WAIT_DEADLINE_NS) {
        usleep(5000);
        is_done = done(context);
    }
    return is_done;
}

static inline bool
is_path_gone(const void *path)
{
    return !file_exists(path);
}

static inline bool
is_process_gone(const void *pid)
{
    return kill(*(const pid_t *)pid, 0) != 0;
}

/* A program of a fake server: a shell script. */
static inline void
write_script(const char *folder, const char *name, const char *body)
{
    Text path = {0}, script = {0};
    Diag diag = {0};

    text_printf(&path, "%s/%s", folder, name);
    text_printf(&script, "#!/bin/sh\n%s\n", body);
    if (file_write_atomic(path.data, script.data, script.length, &diag) != STATUS_OK ||
        chmod(path.data, 0755) != 0)
        BUG("no script %s", path.data);
    text_release(&path);
    text_release(&script);
}

/* A folder with a `postgres` that says its version and with this `initdb`; caller frees. */
static inline char *
make_fake_server(const char *name, const char *version, const char *initdb)
{
    Text folder = {0}, answer = {0};

    text_printf(&folder, "%s/%s", temporary_folder, name);
    if (mkdir(folder.data, 0755) != 0)
        BUG("no folder %s", folder.data);
    text_printf(&answer, "echo 'postgres (PostgreSQL) %s'", version);
    write_script(folder.data, "postgres", answer.data);
    write_script(folder.data, "initdb", initdb);
    text_release(&answer);
    return folder.data;
}

/* One text cell; "" on failure, which is printed. */
static inline const char *
ask_server(const Cluster *cluster, const char *sql, Text *answer)
{
    DbConn *conn = NULL;
    DbRows *rows = NULL;
    Diag diag = {0};
    Status status = db_open(cluster_target(cluster), &conn, &diag);

    if (status == STATUS_OK)
        status = db_query(conn, sql, DB_NO_PARAMS, DB_ONE_ROW, &rows, &diag);
    text_release(answer);
    if (status == STATUS_OK)
        text_printf(answer, "%s", db_cell(rows, 0, "answer"));
    else
        printf("# %s %s\n", diag.message, diag.detail);
    db_rows_free(rows);
    db_close(conn);
    return text_data(answer);
}

static inline void
run_sql(const Cluster *cluster, const char *sql)
{
    DbConn *conn = NULL;
    Diag diag = {0};
    Status status = db_open(cluster_target(cluster), &conn, &diag);

    if (status == STATUS_OK)
        status = db_exec(conn, sql, DB_NO_PARAMS, &diag);
    if (!tap_ok(status == STATUS_OK, sql))
        printf("# %s\n", diag.message);
    db_close(conn);
}

static inline pid_t
server_pid(const char *cluster_folder_path)
{
    Text data = {0};
    pid_t pid;

    text_printf(&data, "%s/data", cluster_folder_path);
    pid = postmaster_running(data.data);
    text_release(&data);
    return pid;
}

#endif
