#include "test_lab_help.h"

#include "base/text.h"
#include "db/schema.h"
#include "lab/property.h"

#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>

/* Uses all that a claim can make on a user's server. */
static const char CHAPTER[] = "--@ setup\n"
                              "create function f() returns int language sql as $$ select 1 $$;\n"
                              "--@ claim plain: sessions that wait\n"
                              "create table t (id int primary key);\n"
                              "begin;\n"
                              "insert into t values (1);\n"
                              "--@ session b\n"
                              "begin;\n"
                              "--@ blocks\n"
                              "insert into t values (1);\n"
                              "--@ session main\n"
                              "commit;\n"
                              "--@ resumes b error 23505\n"
                              "--@ claim objects: a publication, another database\n"
                              "create table t (id int primary key);\n"
                              "create publication :\"schema\" for table t;\n"
                              "--@ set slot select :'schema' || '_slot'\n"
                              "select pg_create_physical_replication_slot(:'slot');\n"
                              "--@ database other\n"
                              "create table t (id int);\n"
                              "--@ session c\n"
                              "select count(*) from t;\n"
                              "--@ expect 0\n"
                              "--@ claim measured: a statement and a scenario\n"
                              "create table t (id int);\n"
                              "--@ measure a\n"
                              "insert into t select generate_series(1, 10);\n"
                              "select count(*) from t;\n"
                              "--@ expect 10\n"
                              "--@ claim scenario: a scenario\n"
                              "--@ run small.json\n"
                              "select count(*) > 0 from figure;\n"
                              "--@ expect true\n";

static void
print_failures(const Run *run)
{
    for (size_t i = 0; run->lab != NULL && i < run->library.chapters[0]->claim_count; i++) {
        const Outcome *outcome = &run->lab->outcomes[0][i];

        if (outcome->verdict == VERDICT_FAIL || outcome->verdict == VERDICT_SKIP)
            printf("# %s, line %zu: %s\n", run->library.chapters[0]->claims[i].id, outcome->line,
                   outcome->reason);
    }
}

/* A lab in a process of its own, since an interrupt stays requested. */
static pid_t
start_lab(const DbTarget *target, uint64_t interrupt_at)
{
    pid_t pid;

    fflush(stdout);
    pid = fork();
    if (pid == 0) {
        Run run = {.text = CHAPTER, .target = target, .interrupt_at = interrupt_at};

        interrupt_install();
        run_lab(&run);
        print_failures(&run);
        fflush(stdout);
        _exit(run.status == STATUS_INTERRUPTED                    ? 130
              : run.status != STATUS_OK || run.lab->ok_count != 4 ? 1
                                                                  : 0);
    }
    return pid;
}

static int
exit_code_of(pid_t pid)
{
    int status = 0;

    waitpid(pid, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static uint64_t
count_events(const DbTarget *target)
{
    Run run = {.text = CHAPTER, .target = target};
    uint64_t count;

    run_lab(&run);
    tap_u64(run.status == STATUS_OK ? run.lab->ok_count : 0, 4, "the chapter itself holds");
    count = run.event_count;
    release(&run);
    return count;
}

static void
test_interrupts(const DbTarget *target)
{
    uint64_t count = count_events(target);
    uint64_t wrong = 0, left = 0;

    for (uint64_t at = 1; at <= count; at++) {
        int code = exit_code_of(start_lab(target, at));
        uint64_t left_here = count_left(target);

        /* With the last answer and its check there is nothing left to interrupt. */
        if (code != 130 && !(at + 1 >= count && code == 0)) {
            printf("# interrupted at event %d of %d: exit %d\n", (int)at, (int)count, code);
            wrong++;
        }
        if (left_here > 0)
            printf("# interrupted at event %d of %d: %d things left\n", (int)at, (int)count,
                   (int)left_here);
        left += left_here;
    }
    tap_ok(count > 30, "there are many moments to interrupt the lab at");
    tap_u64(wrong, 0, "it ends as interrupted at each of them");
    tap_u64(left, 0, "and leaves nothing");
}

/* Two labs, three times, on one server. */
static void
test_side_by_side(const DbTarget *target)
{
    for (int round = 0; round < 3; round++) {
        pid_t first = start_lab(target, 0), second = start_lab(target, 0);

        tap_u64((uint64_t)exit_code_of(first), 0, "one of two labs at once holds");
        tap_u64((uint64_t)exit_code_of(second), 0, "and so does the other");
    }
    tap_u64(count_left(target), 0, "nothing is left of them");
}

/* ---- What a killed lab leaves ---- */

static bool
exists(const Cluster *cluster, const char *query)
{
    DbConn *conn = test_connect(cluster);
    DbRows *rows = NULL;
    Diag diag = {0};
    bool found = db_query(conn, query, DB_NO_PARAMS, DB_ANY_ROWS, &rows, &diag) == STATUS_OK &&
                 db_rows_count(rows) > 0;

    db_rows_free(rows);
    db_close(conn);
    return found;
}

static void
drop_leftovers(const Cluster *cluster)
{
    DbConn *conn = test_connect(cluster);
    Diag diag = {0};

    tap_u64(leftovers_drop(conn, &diag), STATUS_OK, "leftovers are dropped");
    db_close(conn);
}

static void
test_leftovers(const Cluster *cluster)
{
    static const char SCHEMA[] = "SELECT FROM pg_namespace WHERE nspname = 'keybench_lab_00000001'";
    static const char DATABASE[] =
        "SELECT FROM pg_database WHERE datname = 'keybench_lab_00000002'";
    static const char ALIEN[] = "SELECT FROM pg_namespace WHERE nspname = 'keybench_lab_alien'";
    DbConn *owner = test_connect(cluster);
    Diag diag = {0};

    must_exec(cluster, "CREATE SCHEMA keybench_lab_alien");
    if (schema_make(owner, "keybench_lab_00000001", &diag) != STATUS_OK ||
        database_make(owner, "keybench_lab_00000002", &diag) != STATUS_OK)
        diag_print(&diag, stdout);
    must_exec(cluster, "CREATE TABLE keybench_lab_00000001.t (id int)");
    drop_leftovers(cluster);
    tap_ok(exists(cluster, SCHEMA) && exists(cluster, DATABASE),
           "what a lab that lives has made stays");
    db_close(owner); /* as the kernel closes it for a killed lab */
    while (exists(cluster, "SELECT FROM pg_locks WHERE locktype = 'advisory'"))
        usleep(1000);
    drop_leftovers(cluster);
    tap_ok(!exists(cluster, SCHEMA), "the schema of one that is gone goes");
    tap_ok(!exists(cluster, DATABASE), "and its database");
    tap_ok(exists(cluster, ALIEN), "what carries no mark stays");
    must_exec(cluster, "DROP SCHEMA keybench_lab_alien");
}

/* A lab that is killed, and the one after it. */
static void
test_killed(const Cluster *cluster)
{
    pid_t pid;

    fflush(stdout);
    pid = fork();
    if (pid == 0) {
        Run run = {.text = "--@ claim one: a\n--@ database d\nselect pg_sleep(60);\n--@ expect 1\n",
                   .target = cluster_target(cluster)};

        run_lab(&run);
        _exit(0);
    }
    while (!exists(cluster, "SELECT FROM pg_stat_activity WHERE query LIKE 'select pg_sleep%'"))
        usleep(1000);
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
    must_exec(cluster, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                       " WHERE query LIKE 'select pg_sleep%'");
    tap_ok(count_left_now(cluster_target(cluster)) > 0, "a killed lab leaves things");
    tap_u64((uint64_t)exit_code_of(start_lab(cluster_target(cluster), 0)), 0, "the next one holds");
    tap_u64(count_left(cluster_target(cluster)), 0, "and has dropped them");
}

/* ---- Taking turns ---- */

static DbConn *holder;

static void
give_turn_back(void)
{
    db_close(holder);
    holder = NULL;
}

static void
test_turns(const Cluster *cluster)
{
    Run run = {.text = CHAPTER, .target = cluster_target(cluster), .first_notice = give_turn_back};
    Diag diag = {0};

    holder = test_connect(cluster);
    tap_u64(measuring_turn_take(holder, 0, &diag), STATUS_OK, "another keybench measures");
    run_lab(&run);
    tap_ok(run.first_notice == NULL, "a measured claim says that it waits");
    tap_u64(run.status == STATUS_OK ? run.lab->ok_count : 0, 4, "and holds when its turn comes");
    release(&run);
}

/* A slot is what a replica or a backup holds. */
static void
test_production(const Cluster *cluster)
{
    Run run = {.text = CHAPTER, .target = cluster_target(cluster), .careful = true};

    must_exec(cluster, "SELECT pg_create_physical_replication_slot('of_a_replica')");
    run_lab(&run);
    tap_u64(run.status, STATUS_SERVER, "a server that looks like production is refused");
    tap_contains(run.diag.hint, "--yes-really", "and how to insist is said");
    release(&run);
    must_exec(cluster, "SELECT pg_drop_replication_slot('of_a_replica')");
}

static void *
close_soon(void *conn)
{
    usleep(300000);
    db_close(conn);
    return NULL;
}

/* The waiting variant of the claim that `keybench run` makes. */
static void
test_waiting_claim(const Cluster *cluster)
{
    DbConn *first = test_connect(cluster), *second = test_connect(cluster);
    pthread_t thread;
    Diag diag = {0};

    tap_u64(schema_claim(first, &diag), STATUS_OK, "a run has claimed its schema");
    tap_u64(schema_claim(second, &diag), STATUS_SERVER, "another is refused");
    tap_u64(schema_claim_wait(second, 50000000, &diag), STATUS_SERVER,
            "it is refused after its deadline");
    pthread_create(&thread, NULL, close_soon, first);
    tap_u64(schema_claim_wait(second, 60000000000, &diag), STATUS_OK, "it waits for its turn");
    pthread_join(thread, NULL);
    tap_u64(schema_release(second, &diag), STATUS_OK, "and releases it");
    db_close(second);
}

int
main(void)
{
    TestServers servers;
    Cluster *cluster;

    folder_begin();
    test_servers_find(&servers);
    cluster = test_cluster_start(servers.programs[0].bindir);
    must_exec(cluster, "CREATE EXTENSION pgstattuple");
    test_interrupts(cluster_target(cluster));
    test_side_by_side(cluster_target(cluster));
    test_leftovers(cluster);
    test_killed(cluster);
    test_turns(cluster);
    test_production(cluster);
    test_waiting_claim(cluster);
    tap_u64(count_left(cluster_target(cluster)), 0, "nothing is left at the end");
    cluster_stop(cluster);
    folder_end();
    return tap_done();
}
