/*
 * What the tests of the lab share: a folder for chapters, a lab on one of them, and what is left of
 * labs on a server.
 */
#ifndef KB_TESTS_LAB_HELP_H
#define KB_TESTS_LAB_HELP_H

#include "lab/lab.h"

#include "support/servers.h"
#include "support/tap.h"

#include "base/clock.h"
#include "base/interrupt.h"
#include "server/tree.h"

#include <unistd.h>

static char folder[] = "/tmp/kbtest-XXXXXX";

/* A scenario that takes a moment: one design, 300 rows. */
static const char SMALL[] =
    "{\"format\": \"keybench-scenario/1\", \"name\": \"small\", \"seed\": 1, \"designs\": ["
    "{\"name\": \"a\", \"primary_key\": \"id\", \"columns\": [{\"name\": \"id\","
    " \"source\": \"identity\", \"type\": \"bigint\"}]}], \"phases\": ["
    "{\"name\": \"one\", \"rows\": 100}, {\"name\": \"two\", \"rows\": 200, \"batches\": 2}]}";

static inline void
write_file(const char *name, const char *text)
{
    char path[64];
    FILE *file;

    snprintf(path, sizeof(path), "%s/%s", folder, name);
    file = fopen(path, "w");
    fputs(text, file);
    fclose(file);
}

static inline void
folder_begin(void)
{
    if (mkdtemp(folder) == NULL)
        exit(1);
    write_file("small.json", SMALL);
}

static inline void
folder_end(void)
{
    tap_ok(tree_remove(folder), "the test's own folder can be removed");
}

/* ---- A lab on a chapter of the test ---- */

typedef struct Run {
    const char *text; /* of the chapter */
    const DbTarget *target;
    bool careful;          /* refuse a server that looks like production */
    uint64_t interrupt_at; /* request an interrupt at this event, from 1; 0: never */
    uint64_t event_count;
    void (*first_notice)(void); /* called once */
    Library library;
    Lab *lab;
    Diag diag;
    Status status;
} Run;

static inline void
count_event(void *context, const ProveEvent *event)
{
    Run *run = context;

    (void)event;
    if (++run->event_count == run->interrupt_at)
        interrupt_request();
}

static inline void
ignore_outcome(void *context, size_t chapter, size_t claim, const Outcome *outcome)
{
    (void)context;
    (void)chapter;
    (void)claim;
    (void)outcome;
}

static inline void
take_notice(void *context, const char *text)
{
    Run *run = context;

    if (strncmp(text, "measuring", strlen("measuring")) != 0)
        printf("# notice: %s\n", text);
    if (run->first_notice != NULL && strstr(text, "waiting") != NULL) {
        run->first_notice();
        run->first_notice = NULL;
    }
}

static inline void
run_lab(Run *run)
{
    char path[64];
    FILE *file;

    snprintf(path, sizeof(path), "%s/chapter-%d.sql", folder, (int)getpid());
    file = fopen(path, "w");
    fprintf(file, "--@ chapter test: Test\n%s", run->text);
    fclose(file);
    run->status = library_load(&(const char *){path}, 1, &run->library, &run->diag);
    if (run->status == STATUS_OK) {
        const LabOptions options = {.library = &run->library,
                                    .target = run->target,
                                    .jobs = 1,
                                    .scale = 1,
                                    .insist = !run->careful,
                                    .proved = ignore_outcome,
                                    .event = count_event,
                                    .notice = take_notice,
                                    .context = run};

        run->status = lab_run(&options, &run->lab, &run->diag);
    }
    if (run->status != STATUS_OK && run->status != STATUS_INTERRUPTED)
        diag_print(&run->diag, stdout);
    remove(path);
}

static inline void
release(Run *run)
{
    lab_free(run->lab);
    if (run->library.chapter_count > 0)
        library_release(&run->library);
}

/* ---- Servers ---- */

static inline void
must_exec(const Cluster *cluster, const char *sql)
{
    DbConn *conn = test_connect(cluster);
    Diag diag = {0};

    if (db_exec(conn, sql, DB_NO_PARAMS, &diag) != STATUS_OK) {
        printf("Bail out! %s: %s\n", sql, diag.message);
        exit(1);
    }
    db_close(conn);
}

static inline uint64_t
count_left_now(const DbTarget *target)
{
    static const char SQL[] =
        "SELECT (SELECT count(*) FROM pg_namespace WHERE nspname LIKE 'keybench%')"
        " + (SELECT count(*) FROM pg_database WHERE datname LIKE 'keybench%')"
        " + (SELECT count(*) FROM pg_publication) + (SELECT count(*) FROM pg_replication_slots)"
        " + (SELECT count(*) FROM pg_locks WHERE locktype = 'advisory') AS left_count";
    DbConn *conn = NULL;
    DbRows *rows = NULL;
    Diag diag = {0};
    uint64_t count = 99;

    if (db_open(target, &conn, &diag) == STATUS_OK) {
        db_set_uninterruptible(conn, true);
        if (db_query(conn, SQL, DB_NO_PARAMS, DB_ONE_ROW, &rows, &diag) == STATUS_OK &&
            db_cell_u64(rows, 0, "left_count", &count, &diag) != STATUS_OK)
            count = 98;
    }
    db_rows_free(rows);
    db_close(conn);
    return count;
}

/* A backend gives its locks back a moment after its client has closed the connection. */
static inline uint64_t
count_left(const DbTarget *target)
{
    Instant start = instant_now();
    uint64_t count = count_left_now(target);

    while (count > 0 && instant_elapsed_ns(start) < 5 * NS_PER_S) {
        usleep(10000);
        count = count_left_now(target);
    }
    return count;
}

#endif
