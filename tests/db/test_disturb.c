/*
 * Disturbances on a real server: another session writes, asks for checkpoints or vacuums the table
 * while a run measures. Each must be found, and runs that nobody disturbs must have no finding.
 */
#include "support/servers.h"
#include "support/tap.h"

#include "run/runner.h"

#include <pthread.h>
#include <stdatomic.h>

enum { RUNS = 50 };

static const char SCENARIO[] =
    "{\"format\": \"keybench-scenario/1\", \"name\": \"small\", \"title\": \"Small\", \"seed\": 1,"
    " \"designs\": [{\"name\": \"v4\", \"title\": \"UUIDv4\", \"primary_key\": \"id\", "
    "\"columns\": ["
    "  {\"name\": \"id\", \"source\": \"keybench\", \"format\": \"uuidv4\"}]}],"
    " \"phases\": [{\"name\": \"load\", \"title\": \"load\", \"rows\": 24000, \"batches\": 3,"
    "  \"checkpoint\": \"each_batch\"}]}";

/* What a disturber does, again and again until it is told to stop. */
typedef struct Disturber {
    const Cluster *cluster;
    const char *sql;
    atomic_bool stop;
    uint64_t done_count;
} Disturber;

static void *
disturb(void *context)
{
    Disturber *disturber = context;
    DbConn *conn = test_connect(disturber->cluster);
    Diag diag = {0};

    while (!atomic_load(&disturber->stop))
        if (db_exec(conn, disturber->sql, DB_NO_PARAMS, &diag) == STATUS_OK)
            disturber->done_count++; /* a table that is not there yet is tried again */
    db_close(conn);
    return NULL;
}

static Result *
run_once(const Cluster *cluster, const Sweep *sweep, uint64_t seed)
{
    const PlanRequest request = {.repeats = 1, .seed = &seed};
    RunOptions options = {.target = cluster_target(cluster), .jobs = 1};
    Plan *plan = NULL;
    Result *result = NULL;
    Diag diag = {0};

    if (plan_make(sweep, &request, &plan, &diag) != STATUS_OK)
        BUG("%s", diag.message);
    options.plan = plan;
    if (run_plan(&options, &result, &diag) != STATUS_OK)
        diag_print(&diag, stdout);
    plan_free(plan);
    return result;
}

static size_t
count_kind(const Result *result, const char *kind)
{
    size_t count = 0;

    for (size_t i = 0; i < result->finding_count; i++)
        count += strcmp(result->findings[i].kind, kind) == 0;
    return count;
}

/* What has to do with the server; that the scenario is a small one is known. */
static size_t
count_disturbed(const Result *result)
{
    return result->finding_count - count_kind(result, "scale");
}

static void
print_findings(const Result *result)
{
    for (size_t i = 0; i < result->finding_count; i++)
        printf("# %s, batch %llu: %s\n", result->findings[i].kind,
               (unsigned long long)result->findings[i].batch, result->findings[i].detail);
}

static void
test_quiet(const Cluster *cluster, const Sweep *sweep)
{
    size_t clean = 0;

    for (uint64_t seed = 0; seed < RUNS; seed++) {
        Result *result = run_once(cluster, sweep, seed);

        clean += result->status == RESULT_COMPLETE && count_disturbed(result) == 0;
        print_findings(result);
        result_free(result);
    }
    tap_u64(clean, RUNS, "runs that nobody disturbs have no finding");
}

static void
test_disturbed(const Cluster *cluster, const Sweep *sweep, const char *sql, const char *kind)
{
    size_t found = 0, tainted = 0;

    for (uint64_t seed = 0; seed < RUNS; seed++) {
        Disturber disturber = {.cluster = cluster, .sql = sql};
        pthread_t thread;
        Result *result;

        if (pthread_create(&thread, NULL, disturb, &disturber) != 0)
            continue;
        result = run_once(cluster, sweep, seed);
        atomic_store(&disturber.stop, true);
        pthread_join(thread, NULL);
        found += count_kind(result, kind) > 0;
        tainted += result_is_tainted(result, result_find_design(result, "v4", 1), "load");
        if (count_kind(result, kind) == 0)
            printf("# seed %llu: not found, though done %llu times\n", (unsigned long long)seed,
                   (unsigned long long)disturber.done_count);
        result_free(result);
    }
    printf("# %s\n", sql);
    tap_u64(found, RUNS, "every run with this disturbance has its finding");
    tap_u64(tainted, RUNS, "and is tainted");
}

int
main(void)
{
    TestServers servers;
    Sweep *sweep = NULL;
    Diag diag = {0};

    test_servers_find(&servers);
    if (sweep_parse("small", SCENARIO, strlen(SCENARIO), &sweep, &diag) != STATUS_OK)
        diag_print(&diag, stdout);
    for (size_t i = 0; i < servers.count; i++) {
        Cluster *cluster = test_cluster_start(servers.programs[i].bindir);
        DbConn *conn = test_connect(cluster);

        printf("# PostgreSQL %s\n", servers.programs[i].version);
        tap_u64(db_exec(conn, "CREATE EXTENSION pgstattuple", DB_NO_PARAMS, &diag), STATUS_OK,
                "a user's server");
        tap_u64(db_exec(conn, "CREATE TABLE public.theirs (n int, t text)", DB_NO_PARAMS, &diag),
                STATUS_OK, "with a table of somebody else");
        tap_u64(db_exec(conn,
                        db_server_version(conn) >= 150000 ? "SELECT pg_stat_force_next_flush()"
                                                          : "SELECT 1",
                        DB_NO_PARAMS, &diag),
                STATUS_OK, "whose statistics have arrived");
        test_quiet(cluster, sweep);
        test_disturbed(cluster, sweep,
                       "INSERT INTO public.theirs SELECT g, repeat('x', 90)"
                       " FROM generate_series(1, 500) g",
                       "other wal");
        test_disturbed(cluster, sweep, "CHECKPOINT", "checkpoint");
        test_disturbed(cluster, sweep, "VACUUM keybench.v4", "vacuum");
        db_close(conn);
        cluster_stop(cluster);
    }
    sweep_free(sweep);
    return tap_done();
}
