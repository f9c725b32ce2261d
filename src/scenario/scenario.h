/*
 * What to run: the struct of a scenario file (docs/scenario.md is its manual,
 * scenarios/keybench-scenario.schema.json its schema). Everything here is checked by scenario_load;
 * later code never meets a value out of range.
 */
#ifndef KB_SCENARIO_SCENARIO_H
#define KB_SCENARIO_SCENARIO_H

#include "base/mem.h"
#include "keys/format.h"
#include "results/metric.h"

#include <stdint.h>

#define SCENARIO_FORMAT "keybench-scenario/1"

enum {
    SCENARIO_FILE_MAX_BYTES = 1 << 20,
    SCENARIO_NESTING_MAX = 16,
    SCENARIO_NAME_MAX = 63, /* bytes: a name becomes an SQL identifier */
};

/* Where a column's values come from. */
typedef enum ColumnSource {
    COLUMN_IDENTITY,   /* generated always as identity */
    COLUMN_SERVER,     /* a column default: one of the generators that keybench knows */
    COLUMN_KEYBENCH,   /* minted here from the seed, sent to the server */
    COLUMN_ROW_NUMBER, /* 1, 2, 3 ... over all phases */
    COLUMN_FILLER,     /* `filler_bytes` bytes that do not compress */
    COLUMN_PARENT,     /* of a child table: the key of a row of its parent */
} ColumnSource;

/* Which parent row a child row belongs to. */
typedef enum ParentPick {
    PICK_IN_ORDER, /* the first `per_parent` rows to the first parent, and so on */
    PICK_RANDOM,   /* each to any parent that is there when the phase begins */
} ParentPick;

/* A server-side generator: a name in scenarios, an expression in SQL, and the first major version
 * that has it. */
typedef struct Generator {
    const char *name; /* "uuidv7" */
    const char *sql;  /* "pg_catalog.uuidv7()" */
    int min_major;
    const char *type;      /* of its values: "uuid" */
    const char *functions; /* below the data folder, the SQL that it calls; NULL: none. A prefix may
                              stand before what functions of ours write */
} Generator;

extern const Generator GENERATORS[];
extern const size_t GENERATOR_COUNT;

/* When the ids of one phase are made, as seconds after the run's clock began. */
typedef enum ClockSpread {
    CLOCK_EVEN,   /* one after the other, evenly over the window */
    CLOCK_RANDOM, /* each at a random moment of the window: late arrivals */
} ClockSpread;

typedef struct ColumnClock {
    const char *phase;
    ClockSpread spread;
    uint64_t start_s, span_s; /* the window; span_s 1 or more */
} ColumnClock;

/* From a phase on a column's ids are of another format. */
typedef struct ColumnSwitch {
    const char *phase;
    const KeyFormat *format;
    const KeyForm *form; /* of the column's type */
} ColumnSwitch;

typedef struct Column {
    const char *name;
    const char *type;      /* SQL type, one of those that keybench knows */
    const char *collation; /* NULL: the database's */
    ColumnSource source;
    const Generator *generator; /* COLUMN_SERVER */
    bool fallback; /* COLUMN_SERVER: mint with `format` where the server lacks the generator */
    const KeyFormat *format; /* COLUMN_KEYBENCH, and fallback */
    const KeyForm *form;     /* how it is stored */
    KeyParams params;        /* all but seed, stream and clock */
    uint64_t ids_per_ms;     /* the pace of its clock, default 1 */
    ColumnClock *clocks;     /* phases whose ids are made at other times */
    size_t clock_count;
    ColumnSwitch *switches; /* in the order of the phases */
    size_t switch_count;
    uint64_t filler_bytes;
    bool foreign_key; /* COLUMN_PARENT: it references the parent */
    ParentPick pick;
    uint64_t per_parent; /* PICK_IN_ORDER: child rows of one parent row */
    bool joined; /* its values are known to the server alone, so they are looked up there by row
                    number */
} Column;

typedef struct Index {
    const char *name;
    const char **columns;
    size_t column_count;
    bool unique;
    int fillfactor;  /* 0: the server's default */
    uint64_t copies; /* how many equal ones the file asks for; each is in Design.indexes */
} Index;

/* A table; with `children` a design, which may have more than one. */
typedef struct Design {
    const char *name;
    const char *title; /* for tables and charts */
    Column *columns;
    size_t column_count;
    size_t key_column;                    /* index into columns: the primary key; or NO_COLUMN */
    int table_fillfactor, key_fillfactor; /* 0: the server's default */
    Index *indexes;                       /* beside the primary key's */
    size_t index_count;
    const Index
        *featured_index; /* whose figures are shown; NULL: the primary key's, or there is none */
    double tolerance_pct[METRIC_COUNT]; /* how far a result may be off a baseline; NAN: not said */
    const struct Design *parent;        /* NULL: the design's own table */
    struct Design *children;            /* tables beside it, which have no children */
    size_t child_count;
} Design;

#define NO_COLUMN SIZE_MAX

/* What a phase does. */
typedef enum Action {
    ACTION_INSERT,
    ACTION_READ,
    ACTION_UPDATE,
    ACTION_DELETE,
    ACTION_VACUUM,
    ACTION_REINDEX,
    ACTION_CHECKPOINT,
    ACTION_WAIT,
    ACTION_NONE, /* nothing: for a sweep with and without another */
} Action;

/* Which rows a phase deletes or updates, by their row numbers. */
typedef enum RowChoice {
    CHOOSE_OLDEST,
    CHOOSE_NEWEST,
    CHOOSE_RANDOM, /* drawn from the seed */
} RowChoice;

/* Which rows a phase reads. */
typedef enum ReadWhat {
    READ_NEWEST, /* those inserted last */
    READ_POINTS, /* drawn from the seed, one by one */
    READ_RANGE,  /* inserted one after the other, in the order of their keys */
    READ_PAGES,  /* the lowest keys, READ_PAGE_ROWS at a time from the last key on */
} ReadWhat;

enum { READ_PAGE_ROWS = 100 };

/* How rows get into the table. */
typedef enum LoadMethod {
    LOAD_INSERT_SELECT, /* staged by COPY, then one measured INSERT ... SELECT a batch and writer */
    LOAD_COPY,          /* binary COPY into the table */
    LOAD_INSERT,        /* prepared INSERT ... VALUES */
} LoadMethod;

/* What a writer does about a transaction that the server refuses. */
typedef enum OnError {
    ON_ERROR_STOP,  /* the trial fails */
    ON_ERROR_COUNT, /* it is counted, and the writer goes on with the next */
    ON_ERROR_RETRY, /* it is tried again where that may help, then counted */
} OnError;

/* Of one that may have to be tried again: its rows are kept. */
enum { TRANSACTION_ROWS_MAX = 1000 };

typedef struct Load {
    LoadMethod method;
    uint64_t rows_per_statement;   /* 0: all of a writer's rows of a batch */
    uint64_t rows_per_transaction; /* a multiple of rows_per_statement; 0: likewise */
    bool pipeline;                 /* LOAD_INSERT: statements do not wait for each other */
    uint64_t rate_per_s;           /* transactions of all writers together; 0: as fast as it goes */
    OnError on_error;              /* LOAD_INSERT without a pipeline; elsewhere ON_ERROR_STOP */
    uint64_t retries_max;          /* ON_ERROR_RETRY: of one transaction */
    const char *isolation;         /* "serializable"; NULL: the server's default */
    bool check; /* LOAD_INSERT: each row's key is looked up before the row is inserted */
} Load;

enum { WRITERS_MAX = 64 };

typedef struct Phase {
    const char *name;
    const char *title;
    const char *table; /* the child that each design has by this name; NULL: its own table */
    Action action;
    uint64_t rows;        /* inserted, read, updated or deleted; 0 for other actions */
    uint64_t batch_count; /* divides rows */
    uint64_t
        batches_per_checkpoint; /* one comes before the first of so many; 0: none is asked for */
    Load load;
    uint64_t writer_count; /* 1 to WRITERS_MAX connections that insert at once; at most the rows of
                              a batch */
    uint64_t sample_waits_per_s; /* how often the writers' sessions are looked at; 0: never */
    RowChoice choice;            /* ACTION_UPDATE, ACTION_DELETE */
    ReadWhat what;               /* ACTION_READ */
    bool cold;                   /* ACTION_READ: each batch on a server started anew */
    uint64_t wait_s;             /* ACTION_WAIT */
} Phase;

/* A published figure to show beside the measured one. */
typedef struct Reference {
    const char *design, *phase;
    MetricId metric;
    uint64_t batch; /* 1..: of this batch alone; 0: of the phase */
    double value;   /* in the metric's base unit: bytes, pages, pct */
    const char *source;
    bool here; /* always, once the file is read */
} Reference;

typedef enum BoundScope {
    BOUND_TOTAL,      /* the phase's figure */
    BOUND_EACH_BATCH, /* every batch for itself */
} BoundScope;

/* figure [/ the same figure of `over_design`] must lie in [min, max]; or within `within_pct`
 * percent of the reference. */
typedef struct Bound {
    const char *name;
    const char *design, *phase;
    const char *over_design, *over_phase; /* NULL: no ratio */
    MetricId metric;
    BoundScope scope;
    double min, max;   /* -INFINITY, INFINITY when open */
    double within_pct; /* NAN: not against a reference */
    bool here;         /* about this point of a sweep */
} Bound;

/* One printed table: designs as columns, metrics as rows. */
typedef struct TableSpec {
    const char *title;
    const char *phase;
    MetricId *metrics;
    size_t metric_count;
} TableSpec;

typedef enum ChartKind {
    CHART_BARS,    /* one metric of one phase, a bar a design */
    CHART_BATCHES, /* one metric over the batches of a phase, a line a design */
    CHART_WAL,     /* WAL by record type, stacked, a bar a design */
    CHART_AXIS,    /* one metric of one phase over the values of a sweep's axis, a line a design */
    CHART_PHASES,  /* one metric over phases, a line a design */
} ChartKind;

/* More lines than this of several points cannot be told apart. */
enum { CHART_LINES_MAX = 8 };

typedef struct ChartSpec {
    const char *name; /* part of the file's name */
    ChartKind kind;
    const char *phase;   /* NULL: several */
    MetricId metrics[2]; /* BARS may show two side by side; METRIC_COUNT: none */
    const char *axis;    /* AXIS: its name */
    const char **phases; /* PHASES, and AXIS of several: their names, two or more */
    size_t phase_count;
    const char *over_design; /* AXIS and PHASES: what the figures are divided by; NULL: nothing */
    bool here;               /* whether the chart is about this point of a sweep */
} ChartSpec;

/* Looks like a setting and is decided by initdb: "on" or "off". */
#define SETTING_DATA_CHECKSUMS "data_checksums"

typedef struct ScenarioSetting {
    const char *name, *value;
} ScenarioSetting;

typedef struct Scenario {
    Arena *arena; /* owns all below */
    const char *name, *title, *description;
    uint64_t seed;
    uint64_t repeats;
    ScenarioSetting *settings; /* for the throwaway server */
    size_t setting_count;
    Design *designs;
    size_t design_count;
    Phase *phases;
    size_t phase_count;
    Reference *references;
    size_t reference_count;
    Bound *bounds;
    size_t bound_count;
    size_t bound_total; /* with those of other points of a sweep, which stand behind the others */
    TableSpec *tables;
    size_t table_count;
    ChartSpec *charts;
    size_t chart_count;
    char sha256[65];  /* of the file's bytes */
    const char *text; /* the file's JSON, compact */
} Scenario;

void scenario_free(Scenario *scenario); /* accepts NULL */

/* The column that the shown figures are about: the featured index's first, or the primary key.
 * Borrowed; NULL for a table without. */
const Column *design_key(const Design *design);

/* Borrowed; NULL when there is none. */
const Column *design_find_column(const Design *design, const char *name);
const Design *scenario_find_design(const Scenario *scenario, const char *name);
const Phase *scenario_find_phase(const Scenario *scenario, const char *name);
const Reference *scenario_find_reference(const Scenario *scenario, const char *design,
                                         const char *phase, MetricId metric);
const Generator *generator_find(const char *name);

/* NULL when its clock goes on in this phase; borrowed. */
const ColumnClock *column_find_clock(const Column *column, const char *phase);

/*
 * The parameters to mint a column's ids with in a phase, but for their stream and first number:
 * from `seed`, by a clock that begins at 2025-01-01 00:00 UTC, so that a seed makes the same ids at
 * any time. It makes ids_per_ms, over all phases of the table one after the other, but where the
 * column has a clock for a phase; after that it goes on from the latest moment used. Writers take
 * turns at the clock, and each is a machine of its own.
 *
 * writer   0 .. phases[phase].writer_count - 1
 */
KeyParams column_key_params(const Column *column, const Phase *phases, size_t phase,
                            uint64_t writer, uint64_t seed);

/* Whether its values travel with a row that is not staged: made here, not by the server. */
bool column_travels(const Column *column);

/* The table of a design that a phase is about. Borrowed; NULL when the design has no such child. */
const Design *design_table(const Design *design, const Phase *phase);

/* Whether inserting into a table fires checks of foreign keys, which no plan counts. */
bool table_has_foreign_key(const Design *table);

/* The column that numbers a table's rows; NULL when there is none. */
const Column *table_row_number(const Design *table);

/* Whether a phase is about the child of this name, or the design's own table when it is NULL. */
bool phase_is_about(const Phase *phase, const char *table);

/* How many rows a phase adds to its table. */
uint64_t phase_inserted_rows(const Phase *phase);

/* How many rows the phases before the `count`th put into a table, and how many of them they leave
 * there; `table` as for phase_is_about. */
uint64_t phases_rows(const Phase *phases, size_t count, const char *table);
uint64_t phases_left_rows(const Phase *phases, size_t count, const char *table);

/* In what a column's ids are minted in a phase, and in which form they are stored. */
typedef struct Minting {
    const KeyFormat *format;
    const KeyForm *form;
} Minting;
Minting column_minting(const Column *column, const Phase *phases, size_t phase);

/* The column that updates change: the first filler that no index holds. Borrowed; NULL when there
 * is none. */
const Column *table_updated_column(const Design *table);

/* "insert", "read", ... */
const char *action_name(Action action);

/* Whether an action is about rows that are there already: it reads, updates or deletes them. */
bool action_finds_rows(Action action);

/* How many rows of each batch of a phase a writer inserts. */
uint64_t phase_writer_rows(const Phase *phase, uint64_t writer);

/* Rows of each batch of a phase. */
uint64_t phase_batch_rows(const Phase *phase);

/* Rows between two checkpoints in a phase; 0 when none is asked for. */
uint64_t phase_rows_per_checkpoint(const Phase *phase);

#endif
