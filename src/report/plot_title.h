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

/* "UUIDv4: full-page images climb from 4,799 to 9,278 a batch; bigint and UUIDv7 stay at 4"; `per`
 * is " a batch", or another end of the first clause. */
const char *plot_title_course(Arena *arena, MetricId metric, const char *per,
                              const TitleEntries *entries);

/* "UUIDv4 writes 3.8x the WAL of UUIDv7" */
const char *plot_title_ratio(Arena *arena, MetricId metric, const char *larger, double ratio,
                             const char *smaller);

/* Lines over places of which each has a name. */
typedef struct TitleLines {
    const char **titles;   /* by line */
    double **values;       /* [line][place]; NAN: none */
    size_t *designs;       /* whose each line is */
    const char **variants; /* "writers=8": which of a design's lines it is; "": the only one */
    size_t count, place_count;
    const char **places;     /* "1,000 rows between checkpoints" */
    const char **marks;      /* "1,000" */
    const char *preposition; /* before a place: "at" */
    const char *what;        /* all places: "rows between checkpoints" */
    const char *over;        /* the values are ratios to this design; NULL: figures */
    bool no_ratio;           /* some of it is contaminated */
} TitleLines;

/* "UUIDv4 writes 6.2x the WAL of UUIDv7 at 1,000 rows between checkpoints, 1.3x at 20,000" */
const char *plot_title_lines(Arena *arena, MetricId metric, const TitleLines *lines);

/* "Full-page images are 76% of UUIDv4's WAL, 0.2% of bigint's": values are percentages. */
const char *plot_title_wal(Arena *arena, const TitleEntries *entries);

#endif
