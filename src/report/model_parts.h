/*
 * The builders of a report's parts; model.c puts them in order. Private to the report room.
 */
#ifndef KB_REPORT_MODEL_PARTS_H
#define KB_REPORT_MODEL_PARTS_H

#include "report/figure.h"
#include "report/model.h"

/* What every builder reads, and where it puts what it makes. */
typedef struct ReportBuilder {
    ReportModel *model;
    Arena *arena; /* the model's */
    const ResultPoints *points;
    const Result *result;     /* the whole, or of the one point that is being shown */
    const Scenario *scenario; /* of the first point, or of that one */
    const char *label;        /* of that one; "" for the whole */
    uint64_t repeat_count;
} ReportBuilder;

/* What the cells of one table need notes about. */
typedef struct TableFacts {
    bool rounded; /* a deviation is marked */
    bool timing;  /* times are shown */
    Text sources; /* of the published figures, each once; caller releases */
} TableFacts;

/* What a table shows before it is known whether its designs are columns or rows. */
typedef struct ReportGrid {
    const char *head[2];  /* what its rows are, what its columns are: "figure", "design" */
    const char **rows;    /* titles */
    const char **columns; /* titles */
    ReportCell **cells;   /* [row][column] */
    size_t row_count, column_count;
    const char *part[REPORT_PARTS_MAX]; /* headings of a cell's parts */
} ReportGrid;

/* Build a text in the arena; control characters become blanks. */
const char *report_text(const ReportBuilder *builder, const char *format, ...) PRINTF_LIKE(2, 3);

/* Whether the result is of a sweep; the same builder for one of its points. */
bool report_is_sweep(const ReportBuilder *builder);
ReportBuilder report_at(const ReportBuilder *builder, size_t point);

/* A new section, zeroed, with room for its columns, rows and cells. */
ReportSection *report_add_section(ReportBuilder *builder, size_t column_count, size_t row_count);

/* Append a note to a section; `text` lives as long as the arena. */
void report_add_note(const ReportBuilder *builder, ReportSection *section, ReportTone tone,
                     const char *text);

/* Room for a grid's titles and cells, the cells without figures. */
void report_grid_init(const ReportBuilder *builder, ReportGrid *grid, size_t row_count,
                      size_t column_count);

/* Make a section of a grid: as it is when that fits the width of a line, else turned round. */
ReportSection *report_add_grid(ReportBuilder *builder, const ReportGrid *grid);

/* The spread of the repeats: "identical in 5 of 5", "549.1..551.0 MB"; NULL when there is one
 * repeat or nothing was measured. */
const char *report_print_spread(const ReportBuilder *builder, MetricId metric,
                                const Measured *measured);

/* model_phase.c: "1,000,000 rows in 10 statements of 100,000; 100,000 rows between checkpoints",
 * and its last clause. */
const char *report_describe_phase(const ReportBuilder *builder, const Phase *phase);
const char *report_describe_cadence(const ReportBuilder *builder, const Phase *phase);

/* model_load.c: "; COPY of 1,000 rows, by 3 writers"; "" for what is usual. */
const char *report_describe_load(const ReportBuilder *builder, const Phase *phase);

/* Who counted a table's WAL, where it was not the plan. */
void report_note_wal_source(const ReportBuilder *builder, ReportSection *section,
                            const TableSpec *spec);

/* model_head.c: server, settings, run, units; then the designs and who mints their keys. */
void report_build_facts(ReportBuilder *builder);
void report_build_designs(ReportBuilder *builder);

/* model_table.c: a table of the scenario with its notes and findings. */
void report_build_table(ReportBuilder *builder, const TableSpec *spec);

/* The same for its parts: headings of a cell's parts; a figure, what was published about it and the
 * deviation; notes about the cells; notes about the phase. */
void report_set_headings(ReportGrid *grid);
ReportCell report_build_cell(const ReportBuilder *builder, const Figure *figure, TableFacts *facts);
void report_note_cells(const ReportBuilder *builder, ReportSection *section,
                       const TableFacts *facts);
void report_note_phase(const ReportBuilder *builder, ReportSection *section, const TableSpec *spec);

/* model_sweep.c: the table of a swept result: for each metric the points as rows, then the ratios.
 */
void report_build_sweep(ReportBuilder *builder, const TableSpec *spec);

/* A grid with a row a point; its columns are the caller's. */
void report_points_grid(const ReportBuilder *builder, ReportGrid *grid, size_t column_count);

/* model_ratio.c: the table's figures of one design over another's; only of a complete run. */
void report_build_ratios(ReportBuilder *builder, const TableSpec *spec);

/* The same at each point of a sweep, of one metric, of what was measured whole. */
void report_build_sweep_ratios(ReportBuilder *builder, const TableSpec *spec, MetricId metric);

/* model_wal.c: what the WAL of a phase was; nothing when no design knows. */
void report_build_wal(ReportBuilder *builder, const Phase *phase);

/* model_waits.c: where the writers' sessions spent a phase; nothing when nobody looked. */
void report_build_waits(ReportBuilder *builder, const Phase *phase);

/* model_waits.c: what the server refused in a phase, as notes under its table. */
void report_add_failures(const ReportBuilder *builder, ReportSection *section, const char *phase);

/* model_verdict.c: checks, and findings that stand under no table. */
void report_build_checks(ReportBuilder *builder);
void report_build_findings(ReportBuilder *builder);

/* model_verdict.c: the findings of one phase as notes under its table. */
void report_add_findings(const ReportBuilder *builder, ReportSection *section, const char *phase);

#endif
