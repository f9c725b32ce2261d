/*
 * Every quantity that keybench measures is one row here: its name (the JSON key, the CSV column and
 * the word in a scenario), unit, title for tables, and which direction is better. All readers and
 * writers loop over these rows.
 */
#ifndef KB_RESULTS_METRIC_H
#define KB_RESULTS_METRIC_H

#include <stdbool.h>
#include <stddef.h>

/* What one figure belongs to. */
typedef enum MetricScope {
    METRIC_SCOPE_BATCH, /* of one batch; a phase's figure is the sum of its batches, unless derived
                         */
    METRIC_SCOPE_INDEX, /* of one index after a phase */
    METRIC_SCOPE_TABLE, /* of the table after a phase */
} MetricScope;

typedef enum MetricUnit {
    METRIC_UNIT_COUNT,
    METRIC_UNIT_ROWS,
    METRIC_UNIT_BYTES,
    METRIC_UNIT_PAGES, /* of 8 KiB */
    METRIC_UNIT_PCT,
    METRIC_UNIT_MS,
    METRIC_UNIT_US,
    METRIC_UNIT_PER_S,
} MetricUnit;

typedef enum MetricId {
    METRIC_ROWS,
    METRIC_WAL_BYTES,
    METRIC_WAL_RECORD_COUNT,
    METRIC_FPI_COUNT,
    METRIC_FPI_BYTES,
    METRIC_LSN_BYTES,
    METRIC_WAL_BUFFERS_FULL_COUNT,
    METRIC_HIT_PAGES,
    METRIC_READ_PAGES,
    METRIC_DIRTIED_PAGES,
    METRIC_WRITTEN_PAGES,
    METRIC_ELAPSED_MS,
    METRIC_ROWS_PER_S,
    METRIC_TRANSACTION_COUNT,
    METRIC_TRANSACTIONS_PER_S,
    METRIC_LATENCY_P50_US,
    METRIC_LATENCY_P95_US,
    METRIC_LATENCY_P99_US,
    METRIC_LATENCY_MAX_US,
    METRIC_FAILED_TRANSACTION_COUNT,
    METRIC_FAILED_PCT,
    METRIC_RETRY_COUNT,
    METRIC_TOUCHED_LEAF_PAGES,
    METRIC_TOUCHED_HEAP_PAGES,
    METRIC_INDEX_BYTES,
    METRIC_LEAF_PAGES,
    METRIC_INTERNAL_PAGES,
    METRIC_EMPTY_PAGES,
    METRIC_DELETED_PAGES,
    METRIC_LEAF_DENSITY_PCT,
    METRIC_LEAF_FRAGMENTATION_PCT,
    METRIC_TREE_LEVEL,
    METRIC_HEAP_BYTES,
    METRIC_KEY_BYTES,
    METRIC_MILLION_ROWS_BYTES,
    METRIC_TOUCHED_INDEX_PCT,
    METRIC_KEY_CORRELATION_PCT,
    METRIC_DEAD_ROWS,
    METRIC_COUNT,
} MetricId;

typedef enum MetricFlag {
    METRIC_OPTIONAL = 1, /* some server versions do not give it */
    METRIC_TIMING = 2,   /* comparable only side by side in one run */
    METRIC_DERIVED = 4,  /* no sum: worked out for each batch, and anew for the phase */
} MetricFlag;

typedef struct Metric {
    const char *name;
    const char *title; /* for tables, lower case: "full-page images" */
    MetricScope scope;
    MetricUnit unit;
    unsigned flags;     /* MetricFlag, or'ed */
    const char *source; /* where the server says it */
} Metric;

extern const Metric METRICS[METRIC_COUNT];

/* Figures by MetricId; NAN where nothing was measured. Counts are whole numbers below 2^53, hence
 * exact. */
typedef struct Figures {
    double value[METRIC_COUNT];
} Figures;

void figures_init(Figures *figures); /* all NAN */

/* Add one batch to a phase's sum: only batch metrics that are sums; what one of them does not know
 * the sum does not know. */
void figures_add_batch(Figures *sum, const Figures *batch, bool first);

/* Work out rates and shares from what they are made of, of a batch or a phase: NAN where that is
 * not known. */
void figures_derive(Figures *figures);

/* METRIC_COUNT when there is none of that name. */
MetricId metric_find(const char *name);

/* How a figure of this metric reads in a table: "129.9 MB", "72,642", "90.0%". `text` has
 * METRIC_TEXT_SIZE bytes. */
enum { METRIC_TEXT_SIZE = 48 };
void metric_print(const Metric *metric, double value, char *text);

#endif
