#include "results/metric.h"

#include "base/units.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define EXPLAIN "EXPLAIN (ANALYZE, WAL, BUFFERS) of the statement, top plan node"

const Metric METRICS[METRIC_COUNT] = {
    [METRIC_ROWS] = {"rows", "rows", METRIC_SCOPE_BATCH, METRIC_UNIT_ROWS, false, false, EXPLAIN},
    [METRIC_WAL_BYTES] = {"wal_bytes", "WAL", METRIC_SCOPE_BATCH, METRIC_UNIT_BYTES, false, false,
                          EXPLAIN},
    [METRIC_WAL_RECORD_COUNT] = {"wal_record_count", "WAL records", METRIC_SCOPE_BATCH,
                                 METRIC_UNIT_COUNT, false, false, EXPLAIN},
    [METRIC_FPI_COUNT] = {"fpi_count", "full-page images", METRIC_SCOPE_BATCH, METRIC_UNIT_COUNT,
                          false, false, EXPLAIN},
    [METRIC_FPI_BYTES] = {"fpi_bytes", "bytes in full-page images", METRIC_SCOPE_BATCH,
                          METRIC_UNIT_BYTES, true, false, EXPLAIN ", from 19"},
    [METRIC_LSN_BYTES] = {"lsn_bytes", "log position moved", METRIC_SCOPE_BATCH, METRIC_UNIT_BYTES,
                          false, false,
                          "pg_current_wal_insert_lsn() before and after the statement"},
    [METRIC_WAL_BUFFERS_FULL_COUNT] = {"wal_buffers_full_count", "WAL buffers full",
                                       METRIC_SCOPE_BATCH, METRIC_UNIT_COUNT, true, false,
                                       EXPLAIN ", from 18"},
    [METRIC_HIT_PAGES] = {"hit_pages", "buffers hit", METRIC_SCOPE_BATCH, METRIC_UNIT_PAGES, false,
                          false, EXPLAIN},
    [METRIC_READ_PAGES] = {"read_pages", "buffers read", METRIC_SCOPE_BATCH, METRIC_UNIT_PAGES,
                           false, false, EXPLAIN},
    [METRIC_DIRTIED_PAGES] = {"dirtied_pages", "dirtied buffers", METRIC_SCOPE_BATCH,
                              METRIC_UNIT_PAGES, false, false, EXPLAIN},
    [METRIC_WRITTEN_PAGES] = {"written_pages", "buffers written", METRIC_SCOPE_BATCH,
                              METRIC_UNIT_PAGES, false, false, EXPLAIN},
    [METRIC_ELAPSED_MS] =
        {"elapsed_ms", "time", METRIC_SCOPE_BATCH, METRIC_UNIT_MS, false, true,
         "EXPLAIN (ANALYZE, SUMMARY): Execution Time; without a plan, keybench's clock"},
    [METRIC_INDEX_BYTES] = {"index_bytes", "primary-key index", METRIC_SCOPE_INDEX,
                            METRIC_UNIT_BYTES, false, false, "pg_relation_size()"},
    [METRIC_LEAF_PAGES] = {"leaf_pages", "leaf pages", METRIC_SCOPE_INDEX, METRIC_UNIT_PAGES, false,
                           false, "pgstatindex()"},
    [METRIC_INTERNAL_PAGES] = {"internal_pages", "internal pages", METRIC_SCOPE_INDEX,
                               METRIC_UNIT_PAGES, false, false, "pgstatindex()"},
    [METRIC_EMPTY_PAGES] = {"empty_pages", "empty pages", METRIC_SCOPE_INDEX, METRIC_UNIT_PAGES,
                            false, false, "pgstatindex()"},
    [METRIC_DELETED_PAGES] = {"deleted_pages", "deleted pages", METRIC_SCOPE_INDEX,
                              METRIC_UNIT_PAGES, false, false, "pgstatindex()"},
    [METRIC_LEAF_DENSITY_PCT] = {"leaf_density_pct", "average leaf density", METRIC_SCOPE_INDEX,
                                 METRIC_UNIT_PCT, false, false, "pgstatindex()"},
    [METRIC_LEAF_FRAGMENTATION_PCT] = {"leaf_fragmentation_pct", "leaf fragmentation",
                                       METRIC_SCOPE_INDEX, METRIC_UNIT_PCT, false, false,
                                       "pgstatindex()"},
    [METRIC_TREE_LEVEL] = {"tree_level", "levels above the leaves", METRIC_SCOPE_INDEX,
                           METRIC_UNIT_COUNT, false, false, "pgstatindex()"},
    [METRIC_HEAP_BYTES] = {"heap_bytes", "heap", METRIC_SCOPE_TABLE, METRIC_UNIT_BYTES, false,
                           false, "pg_relation_size()"},
    [METRIC_KEY_BYTES] = {"key_bytes", "bytes of one key", METRIC_SCOPE_TABLE, METRIC_UNIT_BYTES,
                          true, false, "avg(pg_column_size()) of the first 1,000 rows"},
    [METRIC_MILLION_ROWS_BYTES] = {"million_rows_bytes", "a million rows", METRIC_SCOPE_TABLE,
                                   METRIC_UNIT_BYTES, true, false,
                                   "pg_relation_size() of heap and indexes, by rows"},
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
        if (METRICS[id].scope == METRIC_SCOPE_BATCH)
            sum->value[id] = (first ? 0 : sum->value[id]) + batch->value[id];
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
    case METRIC_UNIT_COUNT:
    case METRIC_UNIT_ROWS:
    case METRIC_UNIT_PAGES:
        units_print_count(value, text, METRIC_TEXT_SIZE);
        break;
    }
}
