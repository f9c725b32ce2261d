/* Ways to load on real servers: the same rows whatever the way, several writers, who counts the
 * WAL, and failures that leave the connection usable. */
#include "support/loading.h"
#include "support/servers.h"
#include "support/tap.h"

#include "base/interrupt.h"
#include "db/schema.h"
#include "keys/format.h"
#include "run/server_facts.h"

enum { ROWS = LOADING_ROWS, BATCHES = LOADING_BATCHES, COMMIT_BYTES = 34 };

/* What one way of loading left. */
typedef struct Loaded {
    Measurement last; /* batch */
    WalSource wal_source;
    uint64_t row_count, lowest, highest, distinct_ids;
    char digest[64]; /* of all rows, in the order of n */
} Loaded;

static const char DESIGN[] =
    "{`name`: `d`, `primary_key`: `id`, `columns`: ["
    "{`name`: `id`, `source`: `keybench`, `format`: `uuidv4`}, "
    "{`name`: `wide`, `source`: `row_number`, `type`: `bigint`}, "
    "{`name`: `n`, `source`: `row_number`, `type`: `integer`}, "
    "{`name`: `t`, `source`: `keybench`, `format`: `typeid`, `form`: `text-c`, `prefix`: `prj`}, "
    "{`name`: `m`, `source`: `keybench`, `format`: `snowflake`, `form`: `numeric`}, "
    "{`name`: `c`, `source`: `keybench`, `format`: `nanoid`, `form`: `char`}, "
    "{`name`: `f`, `source`: `filler`, `type`: `text`, `bytes`: 30}, "
    "{`name`: `b`, `source`: `filler`, `type`: `bytea`, `bytes`: 7}]}";

static void
look(Bench *bench, Loaded *loaded)
{
    DbRows *rows = NULL;
    Diag diag = {0};

    must(db_query(
             bench->conn,
             "SELECT count(*) AS rows, min(n) AS low, max(n) AS high, count(DISTINCT id) AS ids,"
             " md5(string_agg(d::text, '' ORDER BY n)) AS digest FROM keybench.d",
             DB_NO_PARAMS, DB_ONE_ROW, &rows, &diag),
         &diag, "look");
    must(db_cell_u64(rows, 0, "rows", &loaded->row_count, &diag), &diag, "rows");
    must(db_cell_u64(rows, 0, "low", &loaded->lowest, &diag), &diag, "low");
    must(db_cell_u64(rows, 0, "high", &loaded->highest, &diag), &diag, "high");
    must(db_cell_u64(rows, 0, "ids", &loaded->distinct_ids, &diag), &diag, "ids");
    snprintf(loaded->digest, sizeof(loaded->digest), "%s", db_cell(rows, 0, "digest"));
    db_rows_free(rows);
}

static Loaded
load(DbConn *conn, const char *phase)
{
    Loaded loaded = {0};
    Bench bench;
    Diag diag = {0};

    open_bench(&bench, conn, DESIGN, phase);
    must(run_batches(&bench, &loaded.last, &diag), &diag, phase);
    loaded.wal_source = bench.wal_source;
    look(&bench, &loaded);
    close_bench(&bench);
    return loaded;
}

/* ---- The same rows ---- */

static void
test_same_rows(DbConn *conn)
{
    static const char *const WAYS[] = {
        ", `load`: {`method`: `copy`}",
        ", `load`: {`method`: `copy`, `rows_per_statement`: 300, `rows_per_transaction`: 900}",
        ", `load`: {`method`: `insert`, `rows_per_transaction`: 100}",
        ", `load`: {`method`: `insert`, `rows_per_statement`: 70, `rows_per_transaction`: 210}",
        ", `load`: {`method`: `insert`, `pipeline`: true}",
        ", `load`: {`method`: `insert`, `pipeline`: true, `rows_per_transaction`: 2000}",
        ", `load`: {`method`: `insert`, `pipeline`: true, `rows_per_statement`: 9}",
    };
    Loaded staged = load(conn, "");

    tap_u64(staged.row_count, ROWS, "staged and inserted: all rows");
    tap_u64(staged.distinct_ids, ROWS, "  with ids of their own");
    for (size_t i = 0; i < ARRAY_LEN(WAYS); i++) {
        Loaded other = load(conn, WAYS[i]);

        if (!tap_text(other.digest, staged.digest, "the same rows by another way"))
            printf("# %s\n", WAYS[i]);
        tap_u64((uint64_t)other.last.figures.value[METRIC_ROWS], ROWS / BATCHES,
                "  counted by the server");
    }
}

static void
test_writers(DbConn *conn)
{
    static const char *const WAYS[] = {
        ", `writers`: 3",
        ", `writers`: 3, `load`: {`method`: `copy`, `rows_per_transaction`: 100}",
        ", `writers`: 7, `load`: {`method`: `insert`, `rows_per_statement`: 10}",
        ", `writers`: 3, `load`: {`method`: `insert`, `pipeline`: true}",
    };

    for (size_t i = 0; i < ARRAY_LEN(WAYS); i++) {
        Loaded once = load(conn, WAYS[i]), again = load(conn, WAYS[i]);

        printf("# %s\n", WAYS[i]);
        tap_u64(once.row_count, ROWS, "all rows of all writers");
        tap_u64(once.lowest, 1, "  numbered from 1");
        tap_u64(once.highest, ROWS, "  to the last");
        tap_u64(once.distinct_ids, ROWS, "  no id twice");
        tap_text(again.digest, once.digest, "  and the same in a second run");
        tap_ok(once.last.figures.value[METRIC_ELAPSED_MS] > 0, "  in some time");
    }
}

/* ---- Who counts ---- */

static void
test_wal(DbConn *conn, int version_number)
{
    static const char DESIGN_V7[] =
        "{`name`: `d`, `primary_key`: `id`, `columns`: [{`name`: `id`, `source`: `keybench`, "
        "`format`: `uuidv7`}, {`name`: `n`, `source`: `row_number`, `type`: `integer`}]}";
    Measurement plan, insert;
    Bench bench;
    Diag diag = {0};
    double commits = ROWS / BATCHES;

    open_bench(&bench, conn, DESIGN_V7, "");
    must(run_batches(&bench, &plan, &diag), &diag, "plan");
    tap_text(wal_source_name(bench.wal_source), "plan", "the plan counts what it can");
    tap_ok(plan.figures.value[METRIC_DIRTIED_PAGES] > 0, "  buffers too");
    close_bench(&bench);

    open_bench(&bench, conn, DESIGN_V7, ", `load`: {`method`: `insert`}");
    must(run_batches(&bench, &insert, &diag), &diag, "insert");
    tap_text(wal_source_name(bench.wal_source), version_number >= 180000 ? "backend" : "walinspect",
             "who counts prepared inserts");
    tap_ok(isnan(insert.figures.value[METRIC_DIRTIED_PAGES]), "  nobody their buffers");
    tap_ok(insert.figures.value[METRIC_LSN_BYTES] > plan.figures.value[METRIC_WAL_BYTES],
           "  the log's position moved");
    if (version_number >= 180000) {
        tap_near(insert.figures.value[METRIC_WAL_RECORD_COUNT],
                 plan.figures.value[METRIC_WAL_RECORD_COUNT] + commits, 2,
                 "the backend's records are the plan's and the commits");
        tap_near(insert.figures.value[METRIC_WAL_BYTES],
                 plan.figures.value[METRIC_WAL_BYTES] + commits * COMMIT_BYTES, 16384,
                 "and so are the bytes, but for an image or two");
    }
    close_bench(&bench);
}

/* ---- Failures ---- */

static void
test_duplicate(DbConn *conn, const char *phase)
{
    static const char COUNTED[] =
        "{`name`: `d`, `primary_key`: `id`, `columns`: [{`name`: `id`, `source`: `keybench`, "
        "`format`: `bigint`}]}";
    Bench bench;
    Measurement last;
    Diag diag = {0};

    printf("# %s\n", phase);
    open_bench(&bench, conn, COUNTED, phase);
    must(db_exec(conn, "INSERT INTO keybench.d VALUES (1234)", DB_NO_PARAMS, &diag), &diag, "row");
    tap_u64(run_batches(&bench, &last, &diag), STATUS_DB_QUERY, "a duplicate key");
    tap_text(diag.sqlstate, "23505", "  its SQLSTATE");
    tap_u64(db_exec(conn, "SELECT 1", DB_NO_PARAMS, &diag), STATUS_OK,
            "  the trial's connection is usable");
    close_bench(&bench);
}

static void
test_duplicates(DbConn *conn)
{
    static const char *const WAYS[] = {
        "",
        ", `writers`: 2",
        ", `load`: {`method`: `copy`}",
        ", `load`: {`method`: `copy`, `rows_per_statement`: 100, `rows_per_transaction`: 500}",
        ", `load`: {`method`: `insert`}",
        ", `load`: {`method`: `insert`, `rows_per_transaction`: 500}",
        ", `load`: {`method`: `insert`, `pipeline`: true}",
        ", `load`: {`method`: `insert`, `pipeline`: true, `rows_per_transaction`: 500}",
        ", `writers`: 3, `load`: {`method`: `insert`, `rows_per_statement`: 3}",
        ", `writers`: 3, `load`: {`method`: `insert`, `pipeline`: true}",
    };

    for (size_t i = 0; i < ARRAY_LEN(WAYS); i++)
        test_duplicate(conn, WAYS[i]);
}

/* The third writer's session ends under it. */
static void
test_lost(DbConn *conn)
{
    Bench bench;
    Measurement last;
    Diag diag = {0};

    open_bench(&bench, conn, DESIGN, ", `writers`: 3, `load`: {`method`: `insert`}");
    must(db_exec(conn,
                 "CREATE FUNCTION keybench.die() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
                 " PERFORM pg_terminate_backend(pg_backend_pid()); RETURN new; END $$",
                 DB_NO_PARAMS, &diag),
         &diag, "function");
    must(db_exec(conn,
                 "CREATE TRIGGER die BEFORE INSERT ON keybench.d FOR EACH ROW WHEN (new.n = 5000)"
                 " EXECUTE FUNCTION keybench.die()",
                 DB_NO_PARAMS, &diag),
         &diag, "trigger");
    tap_u64(run_batches(&bench, &last, &diag), STATUS_SERVER, "a writer that loses its connection");
    tap_contains(diag.message, "lost the connection", "  says so");
    tap_contains(diag.context, "writer 3", "  and which");
    close_bench(&bench);
    must(db_exec(conn, "DROP FUNCTION keybench.die()", DB_NO_PARAMS, &diag), &diag, "drop");
}

/* ---- Helpers on the server ---- */

static void
check_base32(DbConn *conn, const KeyMinter *minter, const uint8_t *id, uint64_t *wrong)
{
    char text[KEY_TEXT_MAX], uuid[37];
    DbRows *rows = NULL;
    Diag diag = {0};

    key_text(minter, id, text);
    for (int i = 0, at = 0; i < 16; i++)
        at += snprintf(uuid + at, sizeof(uuid) - (size_t)at, "%02x", id[i]);
    must(db_query(conn, "SELECT keybench.base32_encode($1::uuid) AS text", DB_PARAMS(uuid),
                  DB_ONE_ROW, &rows, &diag),
         &diag, "base32");
    *wrong += strcmp(db_cell(rows, 0, "text"), text) != 0;
    db_rows_free(rows);
}

/* The server's TypeIDs are those of the C code, which the specification's vectors test. */
static void
test_typeid(DbConn *conn, int version_number)
{
    static const char TYPEID[] =
        "{`name`: `d`, `primary_key`: `id`, `columns`: [{`name`: `id`, `source`: `server`, "
        "`type`: `text`, `generator`: `typeid`, `prefix`: `prj`, `fallback`: `typeid`}, "
        "{`name`: `n`, `source`: `row_number`, `type`: `integer`}]}";
    KeyParams params = KEY_PARAMS_DEFAULT;
    KeyMinter *minter = NULL;
    Measurement last;
    Bench bench;
    Diag diag = {0};
    uint8_t ids[500 * 16];
    uint64_t wrong = 0;

    open_bench(&bench, conn, TYPEID, "");
    must(run_batches(&bench, &last, &diag), &diag, "TypeIDs");
    tap_u64((uint64_t)last.figures.value[METRIC_ROWS], ROWS / BATCHES,
            "TypeIDs by the server, or minted where it cannot");
    tap_u64(db_exec(conn,
                    "SELECT 1 / (count(*) = 6000)::int FROM keybench.d WHERE id COLLATE \"C\" ~"
                    " '^prj_[0-7][0-9a-hjkmnp-tv-z]{25}$'",
                    DB_NO_PARAMS, &diag),
            STATUS_OK, "  all well formed");
    if (version_number >= 180000) {
        params.seeded = true;
        must(key_minter_new(key_format_find("typeid"), &params, &minter, &diag), &diag, "minter");
        key_mint(minter, ids, 499);
        memset(ids + 499 * 16, 0xff, 16);
        for (int i = 0; i < 500; i++)
            check_base32(conn, minter, ids + i * 16, &wrong);
        tap_u64(wrong, 0, "  base32_encode() writes what the C code writes");
        key_minter_free(minter);
        close_bench(&bench);
        open_bench(&bench, conn, TYPEID, "");
        tap_ok(true, "a second trial finds the functions there");
    }
    close_bench(&bench);
}

static void
test_no_key(DbConn *conn)
{
    static const char HEAP[] =
        "{`name`: `d`, `primary_key`: null, `columns`: [{`name`: `id`, `source`: `keybench`, "
        "`format`: `uuidv4`}, {`name`: `n`, `source`: `row_number`, `type`: `smallint`}]}";
    Bench bench;
    Measurement last;
    Diag diag = {0};

    open_bench(&bench, conn, HEAP, ", `load`: {`method`: `copy`}");
    tap_u64(run_batches(&bench, &last, &diag), STATUS_OK, "a table without any index");
    tap_u64(db_exec(conn,
                    "SELECT 1 / (count(*) = 0)::int FROM pg_index WHERE indrelid ="
                    " 'keybench.d'::regclass",
                    DB_NO_PARAMS, &diag),
            STATUS_OK, "  has none");
    close_bench(&bench);
}

/* The last test: a request cannot be taken back. */
static void
test_interrupt(DbConn *conn)
{
    Bench bench;
    Measurement last;
    Diag diag = {0};

    open_bench(&bench, conn, DESIGN, ", `writers`: 3, `load`: {`method`: `insert`}");
    must(loader_begin_phase(bench.loader, 0, bench.wal_source, &diag), &diag, "phase");
    interrupt_request();
    tap_u64(loader_run_batch(bench.loader, &last, &diag), STATUS_INTERRUPTED, "interrupted");
    db_set_uninterruptible(conn, true);
    close_bench(&bench);
    tap_u64(schema_release(conn, &diag), STATUS_OK, "  and cleaned up");
}

static void
test_server(const ServerPrograms *programs, bool last)
{
    Cluster *cluster = test_cluster_start(programs->bindir);
    DbConn *conn = test_connect(cluster);
    Diag diag = {0};

    printf("# PostgreSQL %s\n", programs->version);
    must(schema_claim(conn, &diag), &diag, "schema");
    test_same_rows(conn);
    test_writers(conn);
    test_wal(conn, programs->version_number);
    test_duplicates(conn);
    test_lost(conn);
    test_typeid(conn, programs->version_number);
    test_no_key(conn);
    if (last)
        test_interrupt(conn);
    else
        tap_u64(schema_release(conn, &diag), STATUS_OK, "the schema goes, functions and all");
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
        test_server(&servers.programs[i], i + 1 == servers.count);
    return tap_done();
}
