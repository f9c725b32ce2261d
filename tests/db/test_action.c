/* Phases that do more than insert, on real servers: exactly the rows that were asked for, the same
 * by the same seed, counted by who says so, from a cache that is cold when it is called cold. */
#include "support/servers.h"
#include "support/tap.h"

#include "base/interrupt.h"
#include "base/text.h"
#include "db/schema.h"
#include "db/wal.h"
#include "run/server_facts.h"
#include "run/trial.h"
#include "scenario/load.h"

#include <math.h>

enum { ROWS = 6000, FOREIGN_BYTES = 256 }; /* what a server logs on its own now and then */

static const char SCENARIO[] =
    "{`format`: `keybench-scenario/1`, `name`: `s`, `seed`: 5, `settings`: {}, `designs`: ["
    "{`name`: `d`, `primary_key`: `id`, `columns`: ["
    "{`name`: `id`, `source`: `keybench`, `format`: `%s`%s}, "
    "{`name`: `n`, `source`: `row_number`, `type`: `integer`}, "
    "{`name`: `key`, `source`: `filler`, `type`: `text`, `bytes`: 30}]}], "
    "`phases`: [{`name`: `load`, `rows`: 6000, `batches`: 3}, %s]}";

static const char PHASES[] =
    "{`name`: `update`, `action`: `update`, `rows`: 100, `choose`: `random`}, "
    "{`name`: `oldest`, `action`: `delete`, `rows`: 600, `choose`: `oldest`, `batches`: 3}, "
    "{`name`: `random`, `action`: `delete`, `rows`: 600, `choose`: `random`, `batches`: 2}, "
    "{`name`: `newest`, `action`: `delete`, `rows`: 100, `choose`: `newest`}, "
    "{`name`: `vacuum`, `action`: `vacuum`}, "
    "{`name`: `range`, `action`: `read`, `what`: `range`, `rows`: 500, `cache`: `cold`}, "
    "{`name`: `last`, `action`: `read`, `what`: `newest`, `rows`: 500, `cache`: `cold`}, "
    "{`name`: `points`, `action`: `read`, `what`: `points`, `rows`: 50, `times`: 3}, "
    "{`name`: `pages`, `action`: `read`, `what`: `pages`, `rows`: 300, `cache`: `cold`}, "
    "{`name`: `again`, `rows`: 600, `batches`: 2}, "
    "{`name`: `reindex`, `action`: `reindex`}, "
    "{`name`: `checkpoint`, `action`: `checkpoint`}, "
    "{`name`: `wait`, `action`: `wait`, `seconds`: 1}, "
    "{`name`: `none`, `action`: `none`}";

enum {
    LOAD,
    UPDATE,
    OLDEST,
    RANDOM,
    NEWEST,
    VACUUM,
    RANGE,
    LAST,
    POINTS,
    PAGES,
    AGAIN,
    REINDEX,
    CHECKPOINT,
    WAIT,
    NONE,
    PHASE_COUNT
};

/* What a trial told, and what the table held after each phase. */
typedef struct Told {
    DbConn *conn;
    Figures sums[PHASE_COUNT], tables[PHASE_COUNT];
    const char *wal_sources[PHASE_COUNT];
    size_t batches[PHASE_COUNT], finding_count;
    double kind_bytes[PHASE_COUNT], density_pct[PHASE_COUNT], leaf_pages[PHASE_COUNT];
    double rows[PHASE_COUNT], lowest[PHASE_COUNT], highest[PHASE_COUNT];
    double youngest[PHASE_COUNT];    /* rows of the youngest transaction */
    double heap_pages[PHASE_COUNT];  /* that hold the 500 rows of a range, or the newest */
    char digest[PHASE_COUNT][64];    /* of the row numbers that are there */
    char versions[PHASE_COUNT][128]; /* of the UUIDs: "4: 1 to 6000" */
} Told;

static void
must(Status status, const Diag *diag, const char *what)
{
    if (status != STATUS_OK)
        BUG("%s: %s%s%s", what, diag->context, diag->context[0] != '\0' ? ": " : "", diag->message);
}

/* ---- A recorder that looks ---- */

static void
tell_begin(void *context, const char *key_type, const char *minted_by)
{
    (void)context;
    (void)key_type;
    (void)minted_by;
}

static void
tell_begin_phase(void *context, size_t phase, const char *wal_source)
{
    ((Told *)context)->wal_sources[phase] = wal_source;
}

static void
tell_finding(void *context, const Finding *finding)
{
    printf("# finding: %s, %s: %s\n", finding->kind, finding->phase, finding->detail);
    ((Told *)context)->finding_count++;
}

static void
look(Told *told, size_t phase)
{
    static const char SQL[] =
        "SELECT count(*) AS rows, min(n) AS low, max(n) AS high, count(*) FILTER (WHERE"
        " xmin::text::bigint = (SELECT max(xmin::text::bigint) FROM keybench.d)) AS youngest,"
        " (SELECT count(DISTINCT (ctid::text::point)[0]) FROM (SELECT ctid FROM keybench.d"
        "   ORDER BY n OFFSET CASE $1 WHEN 'range' THEN 2100 ELSE 4200 END LIMIT 500) AS a_few)"
        "   AS pages,"
        " md5(string_agg(n::text, ',' ORDER BY n)) AS digest,"
        " (SELECT string_agg(format('%s: %s to %s', v, low, high), ', ' ORDER BY v) FROM"
        "   (SELECT substr(id::text, 15, 1) AS v, min(n) AS low, max(n) AS high FROM keybench.d"
        "   GROUP BY 1) AS version) AS versions FROM keybench.d";
    DbRows *rows = NULL;
    Diag diag = {0};

    must(db_query(told->conn, SQL, DB_PARAMS(phase == RANGE ? "range" : "last"), DB_ONE_ROW, &rows,
                  &diag),
         &diag, "look");
    must(db_cell_double(rows, 0, "rows", &told->rows[phase], &diag), &diag, "rows");
    must(db_cell_double(rows, 0, "low", &told->lowest[phase], &diag), &diag, "low");
    must(db_cell_double(rows, 0, "high", &told->highest[phase], &diag), &diag, "high");
    must(db_cell_double(rows, 0, "youngest", &told->youngest[phase], &diag), &diag, "youngest");
    must(db_cell_double(rows, 0, "pages", &told->heap_pages[phase], &diag), &diag, "pages");
    snprintf(told->digest[phase], sizeof(told->digest[phase]), "%s", db_cell(rows, 0, "digest"));
    snprintf(told->versions[phase], sizeof(told->versions[phase]), "%s",
             db_cell(rows, 0, "versions"));
    db_rows_free(rows);
}

static void
tell_batch(void *context, size_t phase, const Figures *figures)
{
    Told *told = context;

    figures_add_batch(&told->sums[phase], figures, told->batches[phase]++ == 0);
}

static Status
tell_end_phase(void *context, size_t phase, const PhaseResult *measured, Diag *diag)
{
    Told *told = context;

    (void)diag;
    told->tables[phase] = measured->figures;
    told->density_pct[phase] = measured->indexes[0].figures.value[METRIC_LEAF_DENSITY_PCT];
    told->leaf_pages[phase] = measured->indexes[0].figures.value[METRIC_LEAF_PAGES];
    for (size_t i = 0; i < measured->wal_kind_count; i++)
        told->kind_bytes[phase] +=
            measured->wal_kinds[i].record_bytes + measured->wal_kinds[i].fpi_bytes;
    look(told, phase);
    return STATUS_OK;
}

static void
tell_key_bytes(void *context, size_t phase, double bytes)
{
    (void)context;
    (void)phase;
    (void)bytes;
}

static bool
tell_stopped(void *context)
{
    (void)context;
    return false;
}

/* ---- Trials ---- */

static Scenario *
make_scenario(const char *format, const char *switches, const char *phases)
{
    Text text = {0};
    Scenario *scenario = NULL;
    Diag diag = {0};

    text_printf(&text, SCENARIO, format, switches, phases);
    for (char *c = text.data; *c != '\0'; c++)
        if (*c == '`')
            *c = '"';
    must(scenario_parse("s.json", text.data, text.length, &scenario, &diag), &diag, phases);
    text_release(&text);
    return scenario;
}

/* One trial on a server of our own; `cluster` NULL: as if it were a user's. */
static Status
run(DbConn *conn, Cluster *cluster, const Scenario *scenario, uint64_t seed, Told *told, Diag *diag)
{
    const Recorder recorder = {.begin = tell_begin,
                               .begin_phase = tell_begin_phase,
                               .batch = tell_batch,
                               .finding = tell_finding,
                               .end_phase = tell_end_phase,
                               .key_bytes = tell_key_bytes,
                               .stopped = tell_stopped,
                               .context = told};
    ServerFacts facts;
    Status status;

    *told = (Told){.conn = conn};
    must(server_facts_read(conn, true, &facts, diag), diag, "facts");
    facts.cluster = cluster;
    status = trial_run(conn, &facts, scenario, &scenario->designs[0], seed, &recorder, diag);
    server_facts_release(&facts);
    return status;
}

static double
sum(const Told *told, size_t phase, MetricId metric)
{
    return told->sums[phase].value[metric];
}

/* ---- What is right ---- */

static void
test_rows(const Told *told, int version_number)
{
    tap_u64((uint64_t)told->youngest[UPDATE], 100, "an update changes exactly its rows");
    tap_u64((uint64_t)told->rows[UPDATE], ROWS, "  and leaves all");
    tap_u64((uint64_t)sum(told, UPDATE, METRIC_ROWS), 100, "  which the server counts");
    tap_u64((uint64_t)told->rows[OLDEST], ROWS - 600, "a delete of the oldest: exactly its rows");
    tap_u64((uint64_t)told->lowest[OLDEST], 601, "  and the oldest");
    tap_u64(told->batches[OLDEST], 3, "  in batches");
    tap_u64((uint64_t)told->rows[RANDOM], ROWS - 1200, "a delete at random: exactly its rows");
    tap_ok(told->lowest[RANDOM] < 660 && told->highest[RANDOM] > ROWS - 60, "  from everywhere");
    tap_u64((uint64_t)told->rows[NEWEST], ROWS - 1300, "a delete of the newest: exactly its rows");
    tap_ok(told->highest[NEWEST] <= ROWS - 100, "  and the newest");
    tap_u64((uint64_t)told->highest[AGAIN], ROWS + 600, "row numbers go on after deletes");
    tap_u64((uint64_t)told->rows[AGAIN], ROWS - 700, "  with as many rows as were asked for");
    if (version_number >= 150000) {
        tap_u64((uint64_t)told->tables[NEWEST].value[METRIC_DEAD_ROWS], 1400, "dead rows");
        tap_u64((uint64_t)told->tables[VACUUM].value[METRIC_DEAD_ROWS], 0, "  none after vacuum");
    } else {
        tap_ok(isnan(told->tables[NEWEST].value[METRIC_DEAD_ROWS]), "dead rows are unknown");
    }
    tap_ok(fabs(told->tables[NEWEST].value[METRIC_MILLION_ROWS_BYTES] * (ROWS - 1300) / 1e6 -
                told->tables[NEWEST].value[METRIC_HEAP_BYTES]) >
               told->leaf_pages[NEWEST] * 8192 - 1,
           "a million rows are those that are there");
}

static void
test_reads(const Told *told)
{
    const MetricId heap = METRIC_TOUCHED_HEAP_PAGES, leaves = METRIC_TOUCHED_LEAF_PAGES;

    tap_u64((uint64_t)sum(told, RANGE, heap), (uint64_t)told->heap_pages[RANGE],
            "a cold read touches the heap pages of its rows");
    tap_u64((uint64_t)sum(told, RANGE, METRIC_READ_PAGES),
            (uint64_t)(sum(told, RANGE, heap) + sum(told, RANGE, leaves) + 1),
            "  reading them, its leaves and the root");
    tap_u64((uint64_t)sum(told, LAST, heap), (uint64_t)told->heap_pages[LAST],
            "the newest rows: their heap pages");
    tap_ok(sum(told, LAST, leaves) <= 4, "  and few leaves of a time-ordered key");
    tap_ok(told->tables[LAST].value[METRIC_TOUCHED_INDEX_PCT] ==
               100 * sum(told, LAST, leaves) / told->leaf_pages[LAST],
           "  their share of the index");
    tap_u64(told->batches[POINTS], 3, "a read that is repeated is a batch each time");
    tap_u64((uint64_t)sum(told, POINTS, METRIC_ROWS), 150, "  of all its rows");
    tap_u64((uint64_t)sum(told, POINTS, METRIC_READ_PAGES), 0, "  warm: all in the cache");
    tap_u64((uint64_t)sum(told, POINTS, METRIC_HIT_PAGES), 450, "  root, leaf and row for each");
    tap_ok(isnan(sum(told, POINTS, leaves)), "  distinct pages are unknown");
    tap_u64((uint64_t)sum(told, PAGES, METRIC_ROWS), 300, "pages of rows");
    tap_ok(told->tables[PAGES].value[METRIC_KEY_CORRELATION_PCT] > 90, "keys lie in order");
    for (size_t phase = RANGE; phase <= PAGES; phase++)
        tap_u64((uint64_t)sum(told, phase, METRIC_WAL_BYTES), 0, "a read writes no WAL");
}

static void
test_commands(const Told *told, int version_number)
{
    const char *source = version_number >= 180000   ? "backend"
                         : version_number >= 150000 ? "walinspect"
                                                    : "log position";
    bool counted = version_number >= 150000;
    double vacuum_bytes = sum(told, VACUUM, METRIC_WAL_BYTES);

    tap_text(told->wal_sources[UPDATE], "plan", "who counts an update");
    tap_text(told->wal_sources[VACUUM], source, "who counts a vacuum");
    tap_text(told->wal_sources[CHECKPOINT], counted ? "walinspect" : "log position",
             "who counts a checkpoint");
    tap_ok(counted ? vacuum_bytes > 0 : isnan(vacuum_bytes), "a vacuum's WAL");
    if (counted)
        tap_ok(told->kind_bytes[VACUUM] >= vacuum_bytes &&
                   told->kind_bytes[VACUUM] <= vacuum_bytes + FOREIGN_BYTES,
               "  the log holds as much");
    tap_ok(isnan(sum(told, VACUUM, METRIC_HIT_PAGES)), "  its buffers are unknown");
    printf("# %.2f%%, then %.2f%%\n", told->density_pct[AGAIN], told->density_pct[REINDEX]);
    tap_ok(told->density_pct[REINDEX] > 86, "REINDEX packs an index"); /* but for its last leaf */
    tap_ok(told->density_pct[AGAIN] < 86, "  which was not packed");
    tap_ok(sum(told, WAIT, METRIC_ELAPSED_MS) >= 1000, "a wait takes its time");
    if (counted)
        tap_u64((uint64_t)sum(told, NONE, METRIC_WAL_BYTES), 0, "nothing writes nothing");
    tap_u64(told->finding_count, 0, "nothing of that looks like a contamination");
}

static void
test_seeds(DbConn *conn, Cluster *cluster, const Scenario *scenario, const Told *first)
{
    static Told again, other;
    Diag diag = {0};

    must(run(conn, cluster, scenario, 5, &again, &diag), &diag, "again");
    must(run(conn, cluster, scenario, 6, &other, &diag), &diag, "other");
    tap_text(again.digest[RANDOM], first->digest[RANDOM], "one seed, one choice of rows");
    tap_ok(strcmp(other.digest[RANDOM], first->digest[RANDOM]) != 0, "  another seed, another");
    for (size_t phase = UPDATE; phase < AGAIN; phase++)
        tap_ok(phase == VACUUM ||
                   sum(&again, phase, METRIC_READ_PAGES) + sum(&again, phase, METRIC_HIT_PAGES) ==
                       sum(first, phase, METRIC_READ_PAGES) + sum(first, phase, METRIC_HIT_PAGES),
               "  and the same buffers");
}

/* Rows that lie in the order of their keys: each page once. */
static void
test_cold(DbConn *conn, Cluster *cluster)
{
    static Told told;
    Scenario *scenario = make_scenario(
        "uuidv7", "",
        "{`name`: `r`, `action`: `read`, `what`: `range`, `rows`: 500, `cache`: `cold`}, "
        "{`name`: `w`, `action`: `read`, `what`: `range`, `rows`: 500}");
    Diag diag = {0};

    must(run(conn, cluster, scenario, 5, &told, &diag), &diag, "cold");
    tap_u64((uint64_t)sum(&told, 1, METRIC_HIT_PAGES), 0, "nothing is in a cold cache");
    tap_u64((uint64_t)sum(&told, 2, METRIC_READ_PAGES), 0, "all is in a warm one");
    tap_u64((uint64_t)sum(&told, 2, METRIC_HIT_PAGES), (uint64_t)sum(&told, 1, METRIC_READ_PAGES),
            "  and as much");
    scenario_free(scenario);
}

/* Rows that are no neighbours by key are looked up one by one. */
static void
test_random_keys(DbConn *conn, Cluster *cluster)
{
    static Told told;
    Scenario *scenario = make_scenario(
        "uuidv4", ", `switches`: [{`phase`: `then`, `format`: `uuidv7`}]",
        "{`name`: `last`, `action`: `read`, `what`: `newest`, `rows`: 500}, "
        "{`name`: `cold`, `action`: `read`, `what`: `newest`, `rows`: 500, `cache`: `cold`}, "
        "{`name`: `then`, `rows`: 600}, {`name`: `more`, `rows`: 60}");
    Diag diag = {0};

    must(run(conn, cluster, scenario, 5, &told, &diag), &diag, "random keys");
    tap_u64((uint64_t)sum(&told, 1, METRIC_HIT_PAGES), 1500, "random keys are looked up");
    tap_ok(sum(&told, 2, METRIC_TOUCHED_LEAF_PAGES) > 0.9 * told.leaf_pages[2],
           "  in nearly all leaves");
    tap_ok(fabs(told.tables[1].value[METRIC_KEY_CORRELATION_PCT]) < 5, "  without order");
    tap_text(told.versions[4], "4: 1 to 6000, 7: 6001 to 6660", "a column that switches formats");
    scenario_free(scenario);
}

static void
test_refusals(DbConn *conn)
{
    static Told told;
    Scenario *scenario = make_scenario(
        "uuidv7", "",
        "{`name`: `r`, `action`: `read`, `what`: `newest`, `rows`: 9, `cache`: `cold`}");
    Diag diag = {0};

    tap_u64(run(conn, NULL, scenario, 5, &told, &diag), STATUS_USAGE,
            "a server that is not ours is not restarted");
    tap_ok(db_is_usable(conn), "  and goes on");
    scenario_free(scenario);
    diag = (Diag){0};
    must(db_exec(conn, "DROP TABLE keybench.d", DB_NO_PARAMS, &diag), &diag, "drop");
}

/* The WAL writer flushes whole pages only, until a commit asks for more. */
static void
test_flush(DbConn *conn)
{
    Diag diag = {0};

    for (int i = 0; i < 3; i++) {
        WalPoint point;

        must(db_exec(conn, "SELECT pg_logical_emit_message(false, 'keybench', repeat('x', 20000))",
                     DB_NO_PARAMS, &diag),
             &diag, "message");
        must(wal_point_read(conn, &point, &diag), &diag, "point");
        must(wal_await_flush(conn, &point, &diag), &diag, "flush");
        tap_ok(point.flush_lsn + 40 >= point.insert_lsn,
               "the log is flushed though nothing was committed");
    }
}

static void
test_server(const ServerPrograms *programs)
{
    static Told told;
    Cluster *cluster = test_cluster_start(programs->bindir);
    DbConn *conn = test_connect(cluster);
    Scenario *scenario = make_scenario("uuidv7", "", PHASES);
    Diag diag = {0};

    printf("# PostgreSQL %s\n", programs->version);
    must(schema_claim(conn, &diag), &diag, "schema");
    must(run(conn, cluster, scenario, 5, &told, &diag), &diag, "trial");
    test_rows(&told, programs->version_number);
    test_reads(&told);
    test_commands(&told, programs->version_number);
    test_seeds(conn, cluster, scenario, &told);
    test_cold(conn, cluster);
    test_random_keys(conn, cluster);
    test_refusals(conn);
    test_flush(conn);
    scenario_free(scenario);
    tap_u64(schema_release(conn, &diag), STATUS_OK, "the schema can go");
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
