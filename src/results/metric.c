#include "results/metric.h"

#include "base/units.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define EXPLAIN "EXPLAIN (ANALYZE, WAL, BUFFERS) of the statement, top plan node"
#define LATENCY "keybench's clock, each transaction of the writers, in a histogram"

const Metric METRICS[METRIC_COUNT] = {
    [METRIC_ROWS] = {"rows", "rows", METRIC_SCOPE_BATCH, METRIC_UNIT_ROWS, 0, EXPLAIN},
    [METRIC_WAL_BYTES] = {"wal_bytes", "WAL", METRIC_SCOPE_BATCH, METRIC_UNIT_BYTES, 0, EXPLAIN},
    [METRIC_WAL_RECORD_COUNT] = {"wal_record_count", "WAL records", METRIC_SCOPE_BATCH,
                                 METRIC_UNIT_COUNT, 0, EXPLAIN},
    [METRIC_FPI_COUNT] = {"fpi_count", "full-page images", METRIC_SCOPE_BATCH, METRIC_UNIT_COUNT, 0,
                          EXPLAIN},
    [METRIC_FPI_BYTES] = {"fpi_bytes", "bytes in full-page images", METRIC_SCOPE_BATCH,
                          METRIC_UNIT_BYTES, METRIC_OPTIONAL, EXPLAIN ", from 19"},
    [METRIC_LSN_BYTES] = {"lsn_bytes", "log position moved", METRIC_SCOPE_BATCH, METRIC_UNIT_BYTES,
                          0, "pg_current_wal_insert_lsn() before and after the statement"},
    [METRIC_WAL_BUFFERS_FULL_COUNT] = {"wal_buffers_full_count", "WAL buffers full",
                                       METRIC_SCOPE_BATCH, METRIC_UNIT_COUNT, METRIC_OPTIONAL,
                                       EXPLAIN ", from 18"},
    [METRIC_HIT_PAGES] = {"hit_pages", "buffers hit", METRIC_SCOPE_BATCH, METRIC_UNIT_PAGES, 0,
                          EXPLAIN},
    [METRIC_READ_PAGES] = {"read_pages", "buffers read", METRIC_SCOPE_BATCH, METRIC_UNIT_PAGES, 0,
                           EXPLAIN},
    [METRIC_DIRTIED_PAGES] = {"dirtied_pages", "dirtied buffers", METRIC_SCOPE_BATCH,
                              METRIC_UNIT_PAGES, 0, EXPLAIN},
    [METRIC_WRITTEN_PAGES] = {"written_pages", "buffers written", METRIC_SCOPE_BATCH,
                              METRIC_UNIT_PAGES, 0, EXPLAIN},
    [METRIC_ELAPSED_MS] =
        {"elapsed_ms", "time", METRIC_SCOPE_BATCH, METRIC_UNIT_MS, METRIC_TIMING,
         "EXPLAIN (ANALYZE, SUMMARY): Execution Time; without a plan, keybench's clock"},
    [METRIC_ROWS_PER_S] = {"rows_per_s", "rows per second", METRIC_SCOPE_BATCH, METRIC_UNIT_PER_S,
                           METRIC_OPTIONAL | METRIC_TIMING | METRIC_DERIVED, "rows by elapsed_ms"},
    [METRIC_TRANSACTION_COUNT] = {"transaction_count", "transactions", METRIC_SCOPE_BATCH,
                                  METRIC_UNIT_COUNT, METRIC_OPTIONAL,
                                  "those that the server committed"},
    [METRIC_TRANSACTIONS_PER_S] = {"transactions_per_s", "transactions per second",
                                   METRIC_SCOPE_BATCH, METRIC_UNIT_PER_S,
                                   METRIC_OPTIONAL | METRIC_TIMING | METRIC_DERIVED,
                                   "transaction_count by elapsed_ms"},
    [METRIC_LATENCY_P50_US] = {"latency_p50_us", "latency, half below", METRIC_SCOPE_BATCH,
                               METRIC_UNIT_US, METRIC_OPTIONAL | METRIC_TIMING | METRIC_DERIVED,
                               LATENCY ": 50% are not above"},
    [METRIC_LATENCY_P95_US] = {"latency_p95_us", "latency, 95% below", METRIC_SCOPE_BATCH,
                               METRIC_UNIT_US, METRIC_OPTIONAL | METRIC_TIMING | METRIC_DERIVED,
                               LATENCY ": 95% are not above"},
    [METRIC_LATENCY_P99_US] = {"latency_p99_us", "latency, 99% below", METRIC_SCOPE_BATCH,
                               METRIC_UNIT_US, METRIC_OPTIONAL | METRIC_TIMING | METRIC_DERIVED,
                               LATENCY ": 99% are not above"},
    [METRIC_LATENCY_MAX_US] = {"latency_max_us", "latency, longest", METRIC_SCOPE_BATCH,
                               METRIC_UNIT_US, METRIC_OPTIONAL | METRIC_TIMING | METRIC_DERIVED,
                               LATENCY ": the longest"},
    [METRIC_FAILED_TRANSACTION_COUNT] = {"failed_transaction_count", "failed transactions",
                                         METRIC_SCOPE_BATCH, METRIC_UNIT_COUNT, METRIC_OPTIONAL,
                                         "those that the server refused in the end"},
    [METRIC_FAILED_PCT] = {"failed_pct", "transactions that failed", METRIC_SCOPE_BATCH,
                           METRIC_UNIT_PCT, METRIC_OPTIONAL | METRIC_DERIVED,
                           "failed_transaction_count by all transactions"},
    [METRIC_RETRY_COUNT] = {"retry_count", "transactions tried again", METRIC_SCOPE_BATCH,
                            METRIC_UNIT_COUNT, METRIC_OPTIONAL, "after a failure of class 40"},
    [METRIC_TOUCHED_LEAF_PAGES] = {"touched_leaf_pages", "index leaves read", METRIC_SCOPE_BATCH,
                                   METRIC_UNIT_PAGES, METRIC_OPTIONAL,
                                   "pg_buffercache after a cold read, with pageinspect"},
    [METRIC_TOUCHED_HEAP_PAGES] = {"touched_heap_pages", "heap pages read", METRIC_SCOPE_BATCH,
                                   METRIC_UNIT_PAGES, METRIC_OPTIONAL,
                                   "pg_buffercache after a cold read"},
    [METRIC_INDEX_BYTES] = {"index_bytes", "primary-key index", METRIC_SCOPE_INDEX,
                            METRIC_UNIT_BYTES, 0, "pg_relation_size()"},
    [METRIC_LEAF_PAGES] = {"leaf_pages", "leaf pages", METRIC_SCOPE_INDEX, METRIC_UNIT_PAGES, 0,
                           "pgstatindex()"},
    [METRIC_INTERNAL_PAGES] = {"internal_pages", "internal pages", METRIC_SCOPE_INDEX,
                               METRIC_UNIT_PAGES, 0, "pgstatindex()"},
    [METRIC_EMPTY_PAGES] = {"empty_pages", "empty pages", METRIC_SCOPE_INDEX, METRIC_UNIT_PAGES, 0,
                            "pgstatindex()"},
    [METRIC_DELETED_PAGES] = {"deleted_pages", "deleted pages", METRIC_SCOPE_INDEX,
                              METRIC_UNIT_PAGES, 0, "pgstatindex()"},
    [METRIC_LEAF_DENSITY_PCT] = {"leaf_density_pct", "average leaf density", METRIC_SCOPE_INDEX,
                                 METRIC_UNIT_PCT, 0, "pgstatindex()"},
    [METRIC_LEAF_FRAGMENTATION_PCT] = {"leaf_fragmentation_pct", "leaf fragmentation",
                                       METRIC_SCOPE_INDEX, METRIC_UNIT_PCT, 0, "pgstatindex()"},
    [METRIC_TREE_LEVEL] = {"tree_level", "levels above the leaves", METRIC_SCOPE_INDEX,
                           METRIC_UNIT_COUNT, 0, "pgstatindex()"},
    [METRIC_HEAP_BYTES] = {"heap_bytes", "heap", METRIC_SCOPE_TABLE, METRIC_UNIT_BYTES, 0,
                           "pg_relation_size()"},
    [METRIC_KEY_BYTES] = {"key_bytes", "bytes of one key", METRIC_SCOPE_TABLE, METRIC_UNIT_BYTES,
                          METRIC_OPTIONAL, "avg(pg_column_size()) of the first 1,000 rows"},
    [METRIC_MILLION_ROWS_BYTES] = {"million_rows_bytes", "a million rows", METRIC_SCOPE_TABLE,
                                   METRIC_UNIT_BYTES, METRIC_OPTIONAL,
                                   "pg_relation_size() of heap and indexes, by rows"},
    [METRIC_TOUCHED_INDEX_PCT] = {"touched_index_pct", "share of the index read",
                                  METRIC_SCOPE_TABLE, METRIC_UNIT_PCT, METRIC_OPTIONAL,
                                  "leaves of a cold read by pgstatindex()'s leaf pages"},
    [METRIC_KEY_CORRELATION_PCT] = {"key_correlation_pct", "order of keys in the heap",
                                    METRIC_SCOPE_TABLE, METRIC_UNIT_PCT, METRIC_OPTIONAL,
                                    "corr() of every row's rank by key and by ctid"},
    [METRIC_DEAD_ROWS] = {"dead_rows", "dead rows", METRIC_SCOPE_TABLE, METRIC_UNIT_ROWS,
                          METRIC_OPTIONAL, "pg_stat_get_dead_tuples(), from 15"},
};

void
figures_init(Figures *figures)
{
    for (int id = 0; id < METRIC_COUNT; id++)
        figures->value[id] = NAN;
}

void
figures_add_batch(Figures *sum, const Figures *batch, bool first)
{
    for (int id = 0; id < METRIC_COUNT; id++)
        if (METRICS[id].scope == METRIC_SCOPE_BATCH && !(METRICS[id].flags & METRIC_DERIVED))
            sum->value[id] = (first ? 0 : sum->value[id]) + batch->value[id];
}

static double
per_s(double count, double elapsed_ms)
{
    return elapsed_ms > 0 ? count * 1000 / elapsed_ms : NAN;
}

void
figures_derive(Figures *figures)
{
    double *value = figures->value, elapsed_ms = value[METRIC_ELAPSED_MS];
    double failed = value[METRIC_FAILED_TRANSACTION_COUNT];

    value[METRIC_ROWS_PER_S] = per_s(value[METRIC_ROWS], elapsed_ms);
    value[METRIC_TRANSACTIONS_PER_S] = per_s(value[METRIC_TRANSACTION_COUNT], elapsed_ms);
    value[METRIC_FAILED_PCT] = 100 * failed / (failed + value[METRIC_TRANSACTION_COUNT]);
}

MetricId
metric_find(const char *name)
{
    int id = 0;

    while (id < METRIC_COUNT && strcmp(METRICS[id].name, name) != 0)
        id++;
    return (MetricId)id;
}

void
metric_print(const Metric *metric, double value, char *text)
{
    switch (metric->unit) {
    case METRIC_UNIT_BYTES:
        units_print_bytes(value, 1, text, METRIC_TEXT_SIZE);
        break;
    case METRIC_UNIT_PCT:
        units_print_pct(value, 1, text, METRIC_TEXT_SIZE);
        break;
    case METRIC_UNIT_MS:
        units_print_ms(value, 0, text, METRIC_TEXT_SIZE);
        break;
    case METRIC_UNIT_US:
        units_print_us(value, text, METRIC_TEXT_SIZE);
        break;
    case METRIC_UNIT_COUNT:
    case METRIC_UNIT_ROWS:
    case METRIC_UNIT_PAGES:
    case METRIC_UNIT_PER_S:
        units_print_count(value, text, METRIC_TEXT_SIZE);
        break;
    }
}
