/*
 * The sentence over a chart: what it shows, computed from the figures.
 */
#ifndef KB_REPORT_PLOT_TITLE_H
#define KB_REPORT_PLOT_TITLE_H

#include "base/mem.h"
#include "report/figure.h"

/* One design of a chart: what its title needs. */
typedef struct TitleEntry {
    const char *title; /* the design's */
    double value;      /* what is compared; never NAN */
    double first;      /* of batches: where the line begins, `value` being where it ends */
    double low, high;  /* of batches: the least and the most of any */
} TitleEntry;

typedef struct TitleEntries {
    TitleEntry *items;
    size_t count;  /* 1.. */
    bool no_ratio; /* some of it is contaminated */
} TitleEntries;

/* "UUIDv4 writes 3.8x the WAL of UUIDv7"; of percentages "Leaves are 72% full with UUIDv4, 90% with
 * bigint and UUIDv7". In the arena, as all here. */
const char *plot_title_bars(Arena *arena, MetricId metric, const TitleEntries *entries);

/* "; leaf fragmentation reaches 50% with UUIDv4": of the second metric of a chart. */
const char *plot_title_second(Arena *arena, MetricId metric, const TitleEntries *entries);

/* "UUIDv4: full-page images climb from 4,799 to 9,278 a batch; bigint and UUIDv7 stay at 4" */
const char *plot_title_batches(Arena *arena, MetricId metric, const TitleEntries *entries);

/* "Full-page images are 76% of UUIDv4's WAL, 0.2% of bigint's": values are percentages. */
const char *plot_title_wal(Arena *arena, const TitleEntries *entries);

#endif
