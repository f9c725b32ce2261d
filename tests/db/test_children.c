/* Child tables on real servers: every row holds the key of its own parent, however the key is made;
 * the checks of foreign keys are counted; and rows are the same on every run and server. */
#include "support/servers.h"
#include "support/tap.h"

#include "base/text.h"
#include "db/schema.h"
#include "run/loader.h"
#include "run/server_facts.h"
#include "scenario/load.h"

#include <math.h>

enum { PARENTS = 1200, PER_PARENT = 3 };

/* One way to make a parent's key and to pick it. */
typedef struct Way {
    const char *key;                /* the parent's key column */
    const char *refers;             /* what else the child's column says */
    const char *parents, *children; /* what else the phases say */
    bool in_order, repeats;         /* the same keys in every run */
    const char *label;
} Way;

#define IDENTITY "{`name`: `id`, `source`: `identity`, `type`: `bigint`}"
#define V4 "{`name`: `id`, `source`: `keybench`, `format`: `uuidv4`}"
#define TEXT_V7                                                                                    \
    "{`name`: `id`, `source`: `keybench`, `format`: `typeid`, `form`: `text-c`, `prefix`: `ord`}"
#define SERVER "{`name`: `id`, `source`: `server`, `type`: `uuid`, `generator`: `gen_random_uuid`}"
#define THREE ", `per_parent`: 3"
#define RANDOM ", `pick`: `random`"

static const Way WAYS[] = {
    {IDENTITY, THREE, "", "", true, true, "numbers of the server"},
    {V4, THREE, "", "", true, true, "ids minted by keybench"},
    {TEXT_V7, THREE, "", "", true, true, "ids minted as text"},
    {SERVER, THREE, "", "", true, false, "ids of the server"},
    {V4, THREE, ", `writers`: 3", "", true, true, "ids that three writers minted"},
    {V4, THREE, "", ", `writers`: 4", true, true, "ids minted for four writers"},
    {V4, THREE, "", ", `load`: {`method`: `copy`}", true, true, "ids minted into COPY"},
    {V4, THREE, "", ", `load`: {`method`: `insert`, `rows_per_statement`: 7}", true, true,
     "ids minted into INSERT"},
    {IDENTITY, RANDOM, "", "", false, true, "any number"},
    {V4, RANDOM, "", "", false, true, "any minted id"},
    {SERVER, RANDOM, "", "", false, false, "any id of the server"},
};

/* A run under way: both tables of one design. */
typedef struct Bench {
    DbConn *conn;
    ServerFacts facts;
    Scenario *scenario;
    TrialTable tables[2]; /* the parent, the child */
    Loader *loaders[2];
    Measurement last; /* batch of the child */
} Bench;

static void
must(Status status, const Diag *diag, const char *what)
{
    if (status != STATUS_OK)
        BUG("%s: %s%s%s", what, diag->context, diag->context[0] != '\0' ? ": " : "", diag->message);
}

/* Orders and their lines come twice, so that keys go on from phase to phase. */
static Scenario *
make_scenario(const Way *way, bool foreign_key)
{
    Text text = {0};
    Scenario *scenario = NULL;
    Diag diag = {0};

    text_printf(&text,
                "{`format`: `keybench-scenario/1`, `name`: `s`, `seed`: 5, `designs`: [{`name`: "
                "`d`, `primary_key`: `id`, `columns`: [%s, {`name`: `n`, `source`: `row_number`, "
                "`type`: `integer`}], `children`: [{`name`: `lines`, `primary_key`: null, "
                "`columns`: [{`name`: `n`, `source`: `row_number`, `type`: `integer`}, {`name`: "
                "`d_id`, `source`: `parent`, `foreign_key`: %s%s}], `indexes`: [{`name`: `by_d`, "
                "`columns`: [`d_id`]}]}]}], `phases`: [",
                way->key, foreign_key ? "true" : "false", way->refers);
    for (int i = 0; i < 2; i++)
        text_printf(&text,
                    "%s{`name`: `p%d`, `rows`: %d, `batches`: 2%s}, {`name`: `q%d`, `table`: "
                    "`lines`, `rows`: %d, `batches`: 3%s}",
                    i > 0 ? ", " : "", i, PARENTS, way->parents, i, PARENTS * PER_PARENT,
                    way->children);
    text_add(&text, "]}");
    for (char *c = text.data; *c != '\0'; c++)
        if (*c == '`')
            *c = '"';
    if (scenario_parse("s.json", text.data, text.length, &scenario, &diag) != STATUS_OK)
        BUG("%s: %s", way->label, diag.message);
    text_release(&text);
    return scenario;
}

static void
run_phase(Bench *bench, size_t number)
{
    const Phase *phase = &bench->scenario->phases[number];
    size_t i = phase->table != NULL;
    Diag diag = {0};
    WalSource source = wal_source_choose(phase, bench->tables[i].design, &bench->facts);

    must(loader_begin_phase(bench->loaders[i], number, source, &diag), &diag, phase->name);
    for (uint64_t batch = 0; batch < phase->batch_count; batch++) {
        must(loader_prepare_batch(bench->loaders[i], &diag), &diag, phase->name);
        must(loader_run_batch(bench->loaders[i], &bench->last, &diag), &diag, phase->name);
    }
}

static void
open_bench(Bench *bench, DbConn *conn, const Way *way, bool foreign_key)
{
    const Design *design;
    Diag diag = {0};

    *bench = (Bench){.conn = conn, .scenario = make_scenario(way, foreign_key)};
    design = &bench->scenario->designs[0];
    must(server_facts_read(conn, true, &bench->facts, &diag), &diag, "facts");
    for (size_t i = 0; i < 2; i++) {
        TrialTable *table = &bench->tables[i];

        must(trial_table_init(table, conn, i == 0 ? design : &design->children[0], &diag), &diag,
             "SQL");
        must(trial_table_create(table, conn, &diag), &diag, "table");
        bench->loaders[i] = loader_new(table, conn, bench->scenario, 5);
    }
    for (size_t number = 0; number < bench->scenario->phase_count; number++)
        run_phase(bench, number);
}

static void
close_bench(Bench *bench)
{
    Diag diag = {0};

    for (size_t i = 2; i > 0; i--) {
        must(loader_end(bench->loaders[i - 1], &diag), &diag, "loader's end");
        loader_free(bench->loaders[i - 1]);
        must(trial_table_drop(&bench->tables[i - 1], bench->conn, &diag), &diag, "drop");
        trial_table_release(&bench->tables[i - 1]);
    }
    scenario_free(bench->scenario);
    server_facts_release(&bench->facts);
}

static uint64_t
ask(DbConn *conn, const char *sql)
{
    DbRows *rows = NULL;
    uint64_t count = 0;
    Diag diag = {0};

    must(db_query(conn, sql, DB_NO_PARAMS, DB_ONE_ROW, &rows, &diag), &diag, sql);
    must(db_cell_u64(rows, 0, "count", &count, &diag), &diag, sql);
    db_rows_free(rows);
    return count;
}

static void
read_digest(DbConn *conn, char digest[64])
{
    DbRows *rows = NULL;
    Diag diag = {0};

    must(db_query(conn,
                  "SELECT md5(string_agg(l::text, '' ORDER BY n)) AS digest FROM keybench.lines l",
                  DB_NO_PARAMS, DB_ONE_ROW, &rows, &diag),
         &diag, "digest");
    snprintf(digest, 64, "%s", db_cell(rows, 0, "digest"));
    db_rows_free(rows);
}

/* ---- The right parents ---- */

static void
check_parents(DbConn *conn, const Way *way)
{
    enum { CHILDREN = 2 * PARENTS * PER_PARENT };

    tap_u64(ask(conn, "SELECT count(*) FROM keybench.lines"), CHILDREN, way->label);
    tap_u64(ask(conn, "SELECT count(*) FROM pg_constraint WHERE contype = 'f' AND convalidated AND "
                      "conrelid = 'keybench.lines'::regclass AND "
                      "confrelid = 'keybench.d'::regclass"),
            1, "  a foreign key");
    tap_u64(ask(conn, "SELECT count(*) FROM keybench.lines l JOIN keybench.d ON d.id = l.d_id"),
            CHILDREN, "  that every row meets");
    if (way->in_order) {
        tap_u64(ask(conn, "SELECT count(*) FROM keybench.lines l JOIN keybench.d ON d.id = l.d_id "
                          "WHERE d.n = (l.n + 2) / 3"),
                CHILDREN, "  each with its own parent");
        return;
    }
    tap_ok(ask(conn, "SELECT count(DISTINCT d_id) FROM keybench.lines") > PARENTS,
           "  many have some");
    tap_u64(ask(conn, "SELECT count(*) FROM keybench.lines l JOIN keybench.d ON d.id = l.d_id "
                      "WHERE l.n <= 3600 AND d.n > 1200"),
            0, "  none has one that was not there yet");
}

/* `digests` holds what the server before this one had. */
static void
test_parents(DbConn *conn, char digests[][64])
{
    for (size_t i = 0; i < ARRAY_LEN(WAYS); i++) {
        char first[64], again[64];
        Bench bench;

        open_bench(&bench, conn, &WAYS[i], true);
        check_parents(conn, &WAYS[i]);
        read_digest(conn, first);
        close_bench(&bench);
        if (!WAYS[i].repeats)
            continue;
        open_bench(&bench, conn, &WAYS[i], true);
        read_digest(conn, again);
        close_bench(&bench);
        tap_text(again, first, "  the same in a second run");
        if (digests[i][0] != '\0')
            tap_text(first, digests[i], "  and on the other server");
        snprintf(digests[i], sizeof(digests[i]), "%s", first);
    }
}

/* ---- Who counts ---- */

static void
test_wal(DbConn *conn, int version_number)
{
    double planned, counted;
    Bench bench;

    open_bench(&bench, conn, &WAYS[1], false);
    planned = bench.last.figures.value[METRIC_WAL_BYTES];
    tap_u64(wal_source_choose(&bench.scenario->phases[3], bench.tables[1].design, &bench.facts),
            WAL_SOURCE_PLAN, "without a foreign key the plan counts");
    close_bench(&bench);
    open_bench(&bench, conn, &WAYS[1], true);
    counted = bench.last.figures.value[METRIC_WAL_BYTES];
    tap_u64(wal_source_choose(&bench.scenario->phases[3], bench.tables[1].design, &bench.facts),
            version_number >= 180000 ? WAL_SOURCE_BACKEND : WAL_SOURCE_WALINSPECT,
            "with one the session, or pg_walinspect");
    tap_u64(wal_source_choose(&bench.scenario->phases[2], bench.tables[0].design, &bench.facts),
            WAL_SOURCE_PLAN, "  but for the parent");
    if (version_number >= 180000) /* a lock of 54 bytes for each parent row */
        tap_ok(counted > planned + PARENTS / 3 * 50, "  and that is more: parents are locked");
    else
        tap_ok(isnan(counted), "  which is read after the batch, not taken from the plan");
    tap_ok(bench.last.figures.value[METRIC_DIRTIED_PAGES] > 0, "  buffers are the plan's");
    close_bench(&bench);
}

int
main(void)
{
    static char digests[ARRAY_LEN(WAYS)][64];
    TestServers servers;

    test_servers_find(&servers);
    for (size_t i = 0; i < servers.count; i++) {
        Cluster *cluster = test_cluster_start(servers.programs[i].bindir);
        DbConn *conn = test_connect(cluster);
        Diag diag = {0};

        printf("# PostgreSQL %s\n", servers.programs[i].version);
        must(schema_claim(conn, &diag), &diag, "schema");
        test_parents(conn, digests);
        test_wal(conn, servers.programs[i].version_number);
        db_close(conn);
        cluster_stop(cluster);
    }
    return tap_done();
}
