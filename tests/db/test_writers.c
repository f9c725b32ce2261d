/* What writers do on real servers: transactions and their times, a rate, failures counted and tried
 * again, isolation, looking before inserting, and what their sessions wait for. */
#include "support/loading.h"
#include "support/servers.h"
#include "support/tap.h"

#include "base/clock.h"
#include "base/interrupt.h"
#include "base/text.h"
#include "db/schema.h"

#include <pthread.h>

enum { BATCH_ROWS = LOADING_ROWS / LOADING_BATCHES };

static const char DESIGN[] =
    "{`name`: `d`, `primary_key`: `id`, `columns`: [{`name`: `id`, `source`: `keybench`, "
    "`format`: `bigint`}, {`name`: `n`, `source`: `row_number`, `type`: `integer`}]}";

/* Have every row of d run this PL/pgSQL before it is inserted. */
static void
set_trigger(DbConn *conn, const char *body)
{
    Text sql = {0};

    text_printf(&sql,
                "CREATE OR REPLACE FUNCTION keybench.f() RETURNS trigger LANGUAGE plpgsql AS $f$ "
                "BEGIN %s RETURN new; END $f$",
                body);
    must_exec(conn, sql.data);
    must_exec(conn, "CREATE TRIGGER f BEFORE INSERT ON keybench.d FOR EACH ROW EXECUTE FUNCTION"
                    " keybench.f()");
    text_release(&sql);
}

static uint64_t
number(DbConn *conn, const char *sql)
{
    DbRows *rows = NULL;
    Diag diag = {0};
    uint64_t value = 0;

    must(db_query(conn, sql, DB_NO_PARAMS, DB_ONE_ROW, &rows, &diag), &diag, sql);
    must(db_cell_u64(rows, 0, "value", &value, &diag), &diag, sql);
    db_rows_free(rows);
    return value;
}

static uint64_t
whole(const Measurement *measurement, MetricId metric)
{
    double value = measurement->figures.value[metric];

    return isnan(value) ? UINT64_MAX : (uint64_t)value;
}

/* ---- Transactions and their times ---- */

static void
test_transactions(DbConn *conn)
{
    static const struct {
        const char *phase;
        uint64_t transactions; /* of a batch */
        bool latency;
    } CASES[] = {
        {", `load`: {`method`: `insert`}", 2000, true},
        {", `writers`: 4, `load`: {`method`: `insert`, `rows_per_transaction`: 10}", 200, true},
        {", `writers`: 3, `load`: {`method`: `insert`, `rows_per_transaction`: 5}", 402, true},
        {", `load`: {`method`: `insert`, `rows_per_transaction`: 2000}", 1, true},
        {", `writers`: 2, `load`: {`method`: `insert`, `pipeline`: true}", 2000, false},
        {", `writers`: 2, `load`: {`method`: `copy`, `rows_per_transaction`: 100}", 20, true},
    };

    for (size_t i = 0; i < ARRAY_LEN(CASES); i++) {
        PhaseResult phase = {0};
        Measurement last;
        Bench bench;
        Diag diag = {0};
        const double *value = last.figures.value;

        printf("# %s\n", CASES[i].phase);
        figures_init(&phase.figures);
        open_bench(&bench, conn, DESIGN, CASES[i].phase);
        must(run_batches(&bench, &last, &diag), &diag, CASES[i].phase);
        loader_end_phase(bench.loader, &phase);
        tap_u64(whole(&last, METRIC_TRANSACTION_COUNT), CASES[i].transactions, "transactions");
        tap_u64(whole(&last, METRIC_FAILED_TRANSACTION_COUNT), 0, "  none failed");
        tap_u64(whole(&last, METRIC_RETRY_COUNT), 0, "  none was tried again");
        tap_near(value[METRIC_ROWS_PER_S], BATCH_ROWS * 1000 / value[METRIC_ELAPSED_MS], 1e-6,
                 "  rows a second");
        tap_ok(!isnan(value[METRIC_LATENCY_P50_US]) == CASES[i].latency,
               "  latency where answers are waited for");
        tap_ok(!isnan(phase.figures.value[METRIC_LATENCY_P99_US]) == CASES[i].latency,
               "  and of the phase");
        if (CASES[i].latency)
            tap_ok(value[METRIC_LATENCY_P50_US] > 0 &&
                       value[METRIC_LATENCY_P50_US] <= value[METRIC_LATENCY_P95_US] &&
                       value[METRIC_LATENCY_P95_US] <= value[METRIC_LATENCY_P99_US] &&
                       value[METRIC_LATENCY_P99_US] <= value[METRIC_LATENCY_MAX_US] &&
                       value[METRIC_LATENCY_MAX_US] <= value[METRIC_ELAPSED_MS] * 1000,
                   "  percentiles rise, within the time of the batch");
        close_bench(&bench);
    }
}

/* The phase's percentiles are of all batches together, not of the last. */
static void
test_merged(DbConn *conn)
{
    PhaseResult phase = {0};
    Measurement last;
    Bench bench;
    Diag diag = {0};

    figures_init(&phase.figures);
    open_bench(&bench, conn, DESIGN, ", `writers`: 2, `load`: {`method`: `insert`}");
    set_trigger(conn, "IF new.n = 1 THEN PERFORM pg_sleep(0.3); END IF;");
    must(run_batches(&bench, &last, &diag), &diag, "slow first row");
    loader_end_phase(bench.loader, &phase);
    tap_ok(phase.figures.value[METRIC_LATENCY_MAX_US] >= 300000,
           "the longest of a phase is that of its first batch");
    tap_ok(phase.figures.value[METRIC_LATENCY_P99_US] < 300000, "  and one alone no percentile");
    close_bench(&bench);
}

/* ---- A rate ---- */

/* 2,000 transactions a batch at 10,000 a second: the last one is not due before 199.9 ms, and while
 * the first row sleeps the others wait. */
static void
test_rate(DbConn *conn)
{
    static const char PHASE[] = ", `writers`: 2, `load`: {`method`: `insert`, `rate_per_s`: 10000}";
    static const double DUE_MS = 199.9, ASLEEP_MS = 400;
    Measurement last;
    Bench bench;
    Diag diag = {0};

    open_bench(&bench, conn, DESIGN, PHASE);
    must(run_batches(&bench, &last, &diag), &diag, "rate");
    tap_ok(last.figures.value[METRIC_ELAPSED_MS] >= DUE_MS, "no transaction comes before its time");
    tap_u64(whole(&last, METRIC_TRANSACTION_COUNT), BATCH_ROWS, "  all come");
    close_bench(&bench);

    open_bench(&bench, conn, DESIGN, PHASE);
    set_trigger(conn, "IF new.n IN (2001, 5001) THEN PERFORM pg_sleep(0.4); END IF;");
    must(run_batches(&bench, &last, &diag), &diag, "rate");
    tap_ok(last.figures.value[METRIC_LATENCY_P50_US] >= (ASLEEP_MS - DUE_MS) * 1000,
           "who waits for a slow writer is late too");
    close_bench(&bench);
}

/* ---- Failures ---- */

/* Each hundredth row is refused. */
static void
test_counted(DbConn *conn)
{
    static const struct {
        const char *keys;
        uint64_t failed, rows; /* of a batch */
    } CASES[] = {
        {"`on_error`: `count`", 20, 1980},
        {"`on_error`: `retry`", 20, 1980},
        {"`on_error`: `count`, `rows_per_transaction`: 10", 20, 1800},
        {"`on_error`: `count`, `rows_per_statement`: 5", 20, 1900},
        {"`on_error`: `count`, `rows_per_statement`: 5, `rows_per_transaction`: 50", 20, 1000},
    };

    for (size_t i = 0; i < ARRAY_LEN(CASES); i++) {
        PhaseResult phase = {0};
        Measurement last;
        Bench bench;
        Text keys = {0};
        Diag diag = {0};

        text_printf(&keys, ", `writers`: 2, `load`: {`method`: `insert`, %s}", CASES[i].keys);
        figures_init(&phase.figures);
        open_bench(&bench, conn, DESIGN, keys.data);
        set_trigger(conn, "IF new.n % 100 = 0 THEN RAISE EXCEPTION 'no' USING ERRCODE = 'KB001';"
                          " END IF;");
        printf("# %s\n", CASES[i].keys);
        tap_u64(run_batches(&bench, &last, &diag), STATUS_OK, "refused transactions are counted");
        loader_end_phase(bench.loader, &phase);
        tap_u64(whole(&last, METRIC_FAILED_TRANSACTION_COUNT), CASES[i].failed, "  all of them");
        tap_u64(whole(&last, METRIC_ROWS), CASES[i].rows, "  the other rows are in");
        tap_u64(number(conn, "SELECT count(*) AS value FROM keybench.d"),
                CASES[i].rows * LOADING_BATCHES, "  as the table says");
        tap_u64(whole(&last, METRIC_RETRY_COUNT), 0, "  this cause is not tried again");
        tap_near(last.figures.value[METRIC_FAILED_PCT],
                 100 * 20.0 / (20 + last.figures.value[METRIC_TRANSACTION_COUNT]), 1e-9,
                 "  their share");
        tap_u64(phase.failure_count, 1, "  one SQLSTATE");
        tap_text(phase.failures[0].sqlstate, "KB001", "  by its name");
        tap_near(phase.failures[0].count, 20.0 * LOADING_BATCHES, 0, "  of the whole phase");
        close_bench(&bench);
        text_release(&keys);
    }
}

/* A sequence is not rolled back: every other attempt at these rows fails. */
static void
test_retried(DbConn *conn)
{
    PhaseResult phase = {0};
    Measurement last;
    Bench bench;
    Diag diag = {0};

    figures_init(&phase.figures);
    open_bench(&bench, conn, DESIGN,
               ", `load`: {`method`: `insert`, `rows_per_transaction`: 5, `on_error`: `retry`}");
    must_exec(conn, "CREATE SEQUENCE keybench.tries");
    set_trigger(conn, "IF new.n % 100 = 0 AND nextval('keybench.tries') % 2 = 1 THEN RAISE"
                      " EXCEPTION 'no' USING ERRCODE = '40001'; END IF;");
    must(run_batches(&bench, &last, &diag), &diag, "retry");
    loader_end_phase(bench.loader, &phase);
    tap_u64(whole(&last, METRIC_RETRY_COUNT), 20, "a serialization failure is tried again");
    tap_u64(whole(&last, METRIC_FAILED_TRANSACTION_COUNT), 0, "  with success");
    tap_u64(whole(&last, METRIC_ROWS), BATCH_ROWS, "  all rows are in");
    tap_u64(number(conn, "SELECT count(*) AS value FROM keybench.d WHERE id = n"), LOADING_ROWS,
            "  the same rows");
    tap_near(phase.failures[0].count, 20 * LOADING_BATCHES, 0, "  every refusal is a failure");
    close_bench(&bench);
    must_exec(conn, "DROP SEQUENCE keybench.tries");
}

static void
test_retries_max(DbConn *conn)
{
    PhaseResult phase = {0};
    Measurement last;
    Bench bench;
    Diag diag = {0};

    figures_init(&phase.figures);
    open_bench(&bench, conn, DESIGN,
               ", `load`: {`method`: `insert`, `on_error`: `retry`, `retries_max`: 3}");
    set_trigger(conn, "IF new.n % 100 = 0 THEN RAISE EXCEPTION 'no' USING ERRCODE = '40P01';"
                      " END IF;");
    must(run_batches(&bench, &last, &diag), &diag, "retries");
    loader_end_phase(bench.loader, &phase);
    tap_u64(whole(&last, METRIC_RETRY_COUNT), 60, "three times, and no more");
    tap_u64(whole(&last, METRIC_FAILED_TRANSACTION_COUNT), 20, "  then it has failed");
    tap_near(phase.failures[0].count, 80 * LOADING_BATCHES, 0, "  failed and tried again are all");
    close_bench(&bench);
}

/* ---- Real deadlocks ---- */

/* The first row of each of two writers takes its own lock, waits until the other has its own, and
 * asks for that. `dance` counts the steps, so that a second attempt just goes in. */
static const char DANCE[] = "IF new.n IN (1, 3001) AND nextval('keybench.dance') <= 2 THEN"
                            " PERFORM pg_advisory_xact_lock(770000 + new.n);"
                            " WHILE (SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND "
                            "objid IN (770001, 773001)"
                            "   AND granted) < 2 LOOP PERFORM pg_sleep(0.001); END LOOP;"
                            " PERFORM pg_advisory_xact_lock(773002 - new.n); END IF;";

static void
test_deadlock(DbConn *conn)
{
    Measurement last;
    Bench bench;
    Diag diag = {0};

    must_exec(conn, "CREATE SEQUENCE keybench.dance");
    open_bench(&bench, conn, DESIGN, ", `writers`: 2, `load`: {`method`: `insert`}");
    set_trigger(conn, DANCE);
    tap_u64(run_batches(&bench, &last, &diag), STATUS_DB_QUERY, "a deadlock stops the trial");
    tap_text(diag.sqlstate, "40P01", "  by its SQLSTATE");
    close_bench(&bench);

    must_exec(conn, "ALTER SEQUENCE keybench.dance RESTART");
    open_bench(&bench, conn, DESIGN,
               ", `writers`: 2, `load`: {`method`: `insert`, `on_error`: `retry`}");
    set_trigger(conn, DANCE);
    diag = (Diag){0};
    must(run_batches(&bench, &last, &diag), &diag, "deadlock");
    tap_u64(number(conn, "SELECT count(*) AS value FROM keybench.d"), LOADING_ROWS,
            "or its victim tries again, and all rows are in");
    close_bench(&bench);
    must_exec(conn, "DROP SEQUENCE keybench.dance");
}

/* ---- What always ends a trial ---- */

static void
test_lost(DbConn *conn)
{
    static const char *const WAYS[] = {"count", "retry"};

    for (size_t i = 0; i < ARRAY_LEN(WAYS); i++) {
        Measurement last;
        Bench bench;
        Text keys = {0};
        Diag diag = {0};

        text_printf(&keys, ", `writers`: 3, `load`: {`method`: `insert`, `on_error`: `%s`}",
                    WAYS[i]);
        open_bench(&bench, conn, DESIGN, keys.data);
        set_trigger(conn, "IF new.n = 5000 THEN PERFORM pg_terminate_backend(pg_backend_pid());"
                          " END IF;");
        tap_u64(run_batches(&bench, &last, &diag), STATUS_SERVER, "a lost connection is no count");
        tap_contains(diag.message, "lost the connection", "  it says so");
        tap_contains(diag.context, "writer 3", "  and which");
        close_bench(&bench);
        text_release(&keys);
    }
}

static void
test_deadline(DbConn *conn)
{
    Measurement last;
    Bench bench;
    Diag diag = {0};

    db_set_deadline(conn, 2 * NS_PER_S);
    open_bench(&bench, conn, DESIGN,
               ", `writers`: 2, `load`: {`method`: `insert`, `on_error`: `count`}");
    set_trigger(conn, "IF new.n = 3100 THEN PERFORM pg_sleep(60); END IF;");
    tap_u64(run_batches(&bench, &last, &diag), STATUS_SERVER, "a statement takes too long");
    tap_contains(diag.message, "no answer within 2 s", "  it says so");
    tap_contains(diag.context, "writer 2", "  and which");
    db_set_deadline(conn, 600 * NS_PER_S);
    close_bench(&bench);
}

/* ---- Isolation, and looking first ---- */

static void
test_isolation(DbConn *conn)
{
    static const char *const METHODS[] = {"insert_select", "copy", "insert"};

    for (size_t i = 0; i < ARRAY_LEN(METHODS); i++) {
        Measurement last;
        Bench bench;
        Text keys = {0};
        Diag diag = {0};

        text_printf(&keys,
                    ", `writers`: 2, `load`: {`method`: `%s`, `isolation`: `repeatable read`}",
                    METHODS[i]);
        open_bench(&bench, conn, DESIGN, keys.data);
        set_trigger(conn, "IF current_setting('transaction_isolation') <> 'repeatable read' THEN"
                          " RAISE EXCEPTION 'not isolated'; END IF;");
        printf("# %s\n", METHODS[i]);
        tap_u64(run_batches(&bench, &last, &diag), STATUS_OK,
                "every transaction has its isolation");
        tap_text(diag.message, "", "  without complaint");
        close_bench(&bench);
        text_release(&keys);
    }
    tap_u64(number(conn, "SELECT (current_setting('transaction_isolation') = 'read committed')::int"
                         " AS value"),
            1, "and the session has its own back");
}

static void
test_check(DbConn *conn)
{
    static const char PHASE[] = ", `load`: {`method`: `insert`, `check`: true}";
    Measurement last;
    Bench bench;
    Diag diag = {0};

    open_bench(&bench, conn, DESIGN, PHASE);
    must(run_batches(&bench, &last, &diag), &diag, "check");
    tap_u64(whole(&last, METRIC_TRANSACTION_COUNT), BATCH_ROWS, "looked for, not found, inserted");
    close_bench(&bench);

    open_bench(&bench, conn, DESIGN, PHASE);
    must_exec(conn, "INSERT INTO keybench.d VALUES (77, 0)");
    tap_u64(run_batches(&bench, &last, &diag), STATUS_DB_QUERY, "a row that is there");
    tap_text(diag.message, "the server inserted 1999 rows, not 2000", "  is not inserted");
    tap_text(diag.sqlstate, "", "  and not refused");
    close_bench(&bench);
}

/* Two that look at one page of the index and both insert there: SERIALIZABLE lets one of them fail,
 * weaker levels none. They wait for each other, so it happens on any machine. */
static const char TOGETHER[] =
    "IF new.n IN (1, 3001) AND nextval('keybench.dance') <= 2 THEN"
    " WHILE (SELECT last_value FROM keybench.dance) < 2 LOOP PERFORM pg_sleep(0.001);"
    " END LOOP; END IF;";

static void
test_serializable(DbConn *conn)
{
    static const struct {
        const char *level;
        double failures;
    } CASES[] = {{"serializable", 1}, {"repeatable read", 0}};

    for (size_t i = 0; i < ARRAY_LEN(CASES); i++) {
        PhaseResult phase = {0};
        Measurement last;
        Bench bench;
        Text keys = {0};
        Diag diag = {0};

        text_printf(&keys,
                    ", `writers`: 2, `load`: {`method`: `insert`, `check`: true, `on_error`: "
                    "`retry`, `retries_max`: 100, `isolation`: `%s`}",
                    CASES[i].level);
        figures_init(&phase.figures);
        must_exec(conn, "CREATE SEQUENCE keybench.dance");
        open_bench(&bench, conn, DESIGN, keys.data);
        must_exec(conn, "INSERT INTO keybench.d VALUES (-1, 0)"); /* an index has a page */
        set_trigger(conn, TOGETHER);
        must(run_batches(&bench, &last, &diag), &diag, CASES[i].level);
        loader_end_phase(bench.loader, &phase);
        printf("# %s\n", CASES[i].level);
        if (CASES[i].failures > 0) {
            tap_ok(phase.failure_count == 1 && phase.failures[0].count >= 1,
                   "two that look and insert on one page collide");
            tap_text(phase.failure_count > 0 ? phase.failures[0].sqlstate : "", "40001",
                     "  by SQLSTATE");
        } else {
            tap_u64(phase.failure_count, 0, "nobody collides");
        }
        tap_u64(whole(&last, METRIC_ROWS), BATCH_ROWS, "  and all rows are in");
        close_bench(&bench);
        must_exec(conn, "DROP SEQUENCE keybench.dance");
        text_release(&keys);
    }
}

/* ---- Waits ---- */

/* What a transaction sees of other sessions, it sees until its end, unless it forgets. */
static uint64_t
last_sample(DbConn *conn)
{
    must_exec(conn, "SELECT pg_stat_clear_snapshot()");
    return number(conn,
                  "SELECT coalesce(max(extract(epoch FROM query_start) * 1000000), 0)::bigint AS"
                  " value FROM pg_stat_activity WHERE query LIKE '%FROM pg_stat_get_activity%' AND"
                  " pid <> pg_backend_pid()");
}

/* Another session's lock: held until the sampler has seen two writers wait for it. */
typedef struct Holder {
    DbConn *conn;
    pthread_t thread;
} Holder;

static const char WAITING[] = "SELECT count(*) AS value FROM pg_locks WHERE relation = "
                              "'keybench.d'::regclass AND NOT granted";
static void *
hold(void *context)
{
    Holder *holder = context;
    uint64_t first;

    while (number(holder->conn, WAITING) < 2)
        continue;
    first = last_sample(holder->conn);
    while (last_sample(holder->conn) <= first) /* it began to look after both waited */
        continue;
    must_exec(holder->conn, "COMMIT");
    return NULL;
}

static const WaitShare *
find_wait(const PhaseResult *phase, const char *event)
{
    for (size_t i = 0; i < phase->wait_count; i++)
        if (strcmp(phase->waits[i].event, event) == 0)
            return &phase->waits[i];
    return NULL;
}

static void
test_waits(DbConn *conn, const Cluster *cluster)
{
    PhaseResult phase = {0};
    Holder holder = {.conn = test_connect(cluster)};
    Measurement last;
    Bench bench;
    Diag diag = {0};
    const WaitShare *lock;
    double samples = 0, share = 0;

    figures_init(&phase.figures);
    open_bench(&bench, conn, DESIGN,
               ", `writers`: 2, `sample_waits_per_s`: 200, `load`: {`method`: `insert`}");
    must(loader_begin_phase(bench.loader, 0, bench.wal_source, &diag), &diag, "phase");
    must(loader_prepare_batch(bench.loader, &diag), &diag, "batch");
    must_exec(holder.conn, "BEGIN");
    must_exec(holder.conn, "LOCK TABLE keybench.d IN SHARE MODE");
    if (pthread_create(&holder.thread, NULL, hold, &holder) != 0)
        BUG("no thread");
    must(loader_run_batch(bench.loader, &last, &diag), &diag, "locked table");
    pthread_join(holder.thread, NULL);
    loader_end_phase(bench.loader, &phase);
    lock = find_wait(&phase, "Lock:relation");
    tap_ok(lock != NULL && lock->sample_count >= 2, "both writers are seen to wait for the lock");
    for (size_t i = 0; i < phase.wait_count; i++) {
        samples += phase.waits[i].sample_count;
        share += phase.waits[i].share_pct;
    }
    tap_near(share, 100, 1e-9, "  shares are of all samples");
    tap_near(lock->share_pct, 100 * lock->sample_count / samples, 1e-9, "  this one too");
    tap_ok(fmod(samples, 2) == 0, "  every look sees both");
    close_bench(&bench);
    db_close(holder.conn);
}

static void
test_no_waits(DbConn *conn)
{
    PhaseResult phase = {0};
    Measurement last;
    Bench bench;
    Diag diag = {0};

    open_bench(&bench, conn, DESIGN, ", `load`: {`method`: `insert`}");
    must(run_batches(&bench, &last, &diag), &diag, "one writer");
    loader_end_phase(bench.loader, &phase);
    tap_u64(phase.wait_count, 0, "nobody looks at one writer unasked");
    tap_u64(number(conn, "SELECT count(*) AS value FROM pg_stat_activity WHERE application_name ="
                         " 'keybench'"),
            1, "  and nobody connects for it");
    close_bench(&bench);
}

static void
test_server(const ServerPrograms *programs)
{
    Cluster *cluster = test_cluster_start(programs->bindir);
    DbConn *conn = test_connect(cluster);
    Diag diag = {0};

    printf("# PostgreSQL %s\n", programs->version);
    must(schema_claim(conn, &diag), &diag, "schema");
    test_transactions(conn);
    test_merged(conn);
    test_rate(conn);
    test_counted(conn);
    test_retried(conn);
    test_retries_max(conn);
    test_deadlock(conn);
    test_lost(conn);
    test_deadline(conn);
    test_isolation(conn);
    test_check(conn);
    test_serializable(conn);
    test_waits(conn, cluster);
    test_no_waits(conn);
    tap_u64(schema_release(conn, &diag), STATUS_OK, "the schema goes");
    db_close(conn);
    cluster_stop(cluster);
}

int
main(void)
{
    TestServers servers;

    setenv("KEYBENCH_DATA", ".", 1); /* tests run at the root of the checkout */
    interrupt_install();
    test_servers_find(&servers);
    for (size_t i = 0; i < servers.count; i++)
        test_server(&servers.programs[i]);
    return tap_done();
}
