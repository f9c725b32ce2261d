#include "run/volume.h"

#include "base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* PostgreSQL manual, sections 66.6 and 64.1.4: page, tuple and item headers, and what a record
 * carries beside its data. */
enum {
    PAGE_BYTES = 8192,
    HEAP_ROW_OVERHEAD_BYTES = 28,
    INDEX_ROW_OVERHEAD_BYTES = 12,
    RECORDS_OVERHEAD_BYTES = 110, /* one heap insert and one leaf insert */
    LEAF_RECORD_BYTES = 50,       /* one more */
    IMAGE_BYTES = 5700,           /* a mean leaf's image: the hole is left out */
};
static const double FILL_ORDERED = 0.9, FILL_RANDOM = 0.7;

static double
text_bytes(const Column *column)
{
    static const struct {
        KeyNative native;
        double bytes;
    } TEXTS[] = {{KEY_NATIVE_UUID, 36}, {KEY_NATIVE_INT64, 19}, {KEY_NATIVE_BYTES, 27}};

    for (size_t i = 0; column->format != NULL && i < sizeof(TEXTS) / sizeof(TEXTS[0]); i++)
        if (column->format->native == TEXTS[i].native)
            return TEXTS[i].bytes;
    return 24;
}

static double
column_bytes(const Column *column)
{
    if (column->source == COLUMN_FILLER)
        return (double)column->filler_bytes;
    if (strcmp(column->type, "uuid") == 0)
        return 16;
    if (strcmp(column->type, "bigint") == 0)
        return 8;
    if (strcmp(column->type, "integer") == 0 || strcmp(column->type, "smallint") == 0)
        return 4;
    return text_bytes(column);
}

static bool
is_random(const Design *table, const Column *column)
{
    if (column->source == COLUMN_PARENT)
        return column->pick == PICK_RANDOM ||
               is_random(table->parent, &table->parent->columns[table->parent->key_column]);
    if (column->source == COLUMN_SERVER)
        return strcmp(column->generator->name, "uuidv7") != 0;
    return column->source == COLUMN_KEYBENCH && (column->format->order == KEY_ORDER_NONE ||
                                                 column->format->order == KEY_ORDER_SCRAMBLED);
}

static double
rounded_up(double bytes)
{
    return ceil(bytes / 8) * 8;
}

/* A table and the first column of one of its indexes. */
typedef struct Tree {
    const Design *table;
    const Column *column;
} Tree;

/* Its leaf pages at `rows`. */
static double
leaf_pages(const Tree *tree, double rows)
{
    double row_bytes = rounded_up(column_bytes(tree->column)) + INDEX_ROW_OVERHEAD_BYTES;

    return rows * row_bytes /
           (PAGE_BYTES * (is_random(tree->table, tree->column) ? FILL_RANDOM : FILL_ORDERED));
}

/* Pages that get an image when `rows` random keys go into `pages` pages after a checkpoint. */
static double
touched_pages(double pages, double rows)
{
    return pages < 1 ? 0 : pages * (1 - pow(1 - 1 / pages, rows));
}

static double
image_bytes(const Tree *tree, const Phase *phase, double rows_before)
{
    double cycle_rows = (double)phase_rows_per_checkpoint(phase), bytes = 0;

    if (!is_random(tree->table, tree->column) || cycle_rows < 1)
        return 0;
    for (double rows = 0; rows < (double)phase->rows; rows += cycle_rows)
        bytes += IMAGE_BYTES * touched_pages(leaf_pages(tree, rows_before + rows),
                                             fmin(cycle_rows, (double)phase->rows - rows));
    return bytes;
}

static size_t
list_trees(const Design *table, Tree *trees)
{
    size_t count = 0;

    if (table->key_column != NO_COLUMN)
        trees[count++] = (Tree){table, &table->columns[table->key_column]};
    for (size_t i = 0; i < table->index_count; i++)
        trees[count++] = (Tree){table, design_find_column(table, table->indexes[i].columns[0])};
    return count;
}

/* WAL of rows that come, change or go: about the same. */
static double
rows_wal_bytes(const Design *table, const Phase *phase, double rows_before)
{
    Tree *trees = mem_new(table->index_count + 1, sizeof(*trees));
    size_t count = list_trees(table, trees);
    double row_bytes = RECORDS_OVERHEAD_BYTES, bytes = 0;

    for (size_t i = 0; i < table->column_count; i++)
        row_bytes += column_bytes(&table->columns[i]);
    for (size_t i = 0; i < count; i++) {
        row_bytes += column_bytes(trees[i].column) + (i > 0 ? LEAF_RECORD_BYTES : 0);
        bytes += image_bytes(&trees[i], phase, rows_before);
    }
    free(trees);
    return bytes + (double)phase->rows * row_bytes;
}

/* What a phase writes into the log. */
static double
phase_wal_bytes(const Design *table, const Phase *phase, double rows_before)
{
    Tree key = {table, NULL};

    switch (phase->action) {
    case ACTION_INSERT:
    case ACTION_UPDATE:
    case ACTION_DELETE:
        return rows_wal_bytes(table, phase, rows_before);
    case ACTION_VACUUM:
    case ACTION_REINDEX:
        if (table->key_column != NO_COLUMN)
            key.column = &table->columns[table->key_column];
        return leaf_pages(&key, rows_before) * PAGE_BYTES;
    case ACTION_READ:
    case ACTION_CHECKPOINT:
    case ACTION_WAIT:
    case ACTION_NONE:
        break;
    }
    return 0;
}

static double
heap_bytes(const Design *table, double rows)
{
    double width = 0;

    for (size_t i = 0; i < table->column_count; i++)
        width += column_bytes(&table->columns[i]);
    return rows * (HEAP_ROW_OVERHEAD_BYTES + rounded_up(width));
}

static double
table_bytes(const Design *table, double rows)
{
    Tree *trees = mem_new(table->index_count + 1, sizeof(*trees));
    size_t count = list_trees(table, trees);
    double bytes = heap_bytes(table, rows);

    for (size_t i = 0; i < count; i++)
        bytes += leaf_pages(&trees[i], rows) * PAGE_BYTES;
    free(trees);
    return bytes;
}

/* Without checkpoints WAL piles up from the beginning. */
static double
cycle_wal_bytes(const Volume *before, const Phase *phase, double phase_bytes)
{
    double cycle_rows = (double)phase_rows_per_checkpoint(phase);

    if (cycle_rows < 1)
        return before->wal_bytes + phase_bytes;
    return phase_bytes * fmin(1, cycle_rows / (double)phase->rows);
}

static void
add_phase(const Scenario *scenario, size_t number, const Design *table, Volume *volume)
{
    const Phase *phase = &scenario->phases[number];
    double rows_before = (double)phases_rows(scenario->phases, number, phase->table);
    double inserted_rows = (double)phase_inserted_rows(phase);
    double bytes = phase_wal_bytes(table, phase, rows_before);

    volume->cycle_wal_bytes = fmax(volume->cycle_wal_bytes, cycle_wal_bytes(volume, phase, bytes));
    volume->stage_bytes =
        fmax(volume->stage_bytes, heap_bytes(table, inserted_rows / (double)phase->batch_count));
    volume->rows += inserted_rows;
    volume->wal_bytes += bytes;
    volume->batch_wal_bytes = fmax(volume->batch_wal_bytes, bytes / (double)phase->batch_count);
}

static void
add_design(const Scenario *scenario, const Design *design, Volume *volume)
{
    size_t phases = scenario->phase_count;
    double bytes = table_bytes(design, (double)phases_rows(scenario->phases, phases, NULL));

    for (size_t i = 0; i < design->child_count; i++)
        bytes += table_bytes(&design->children[i], (double)phases_rows(scenario->phases, phases,
                                                                       design->children[i].name));
    volume->table_bytes = fmax(volume->table_bytes, bytes);
    for (size_t i = 0; i < phases; i++)
        add_phase(scenario, i, design_table(design, &scenario->phases[i]), volume);
}

Volume
volume_of_trial(const PlannedTrial *trial)
{
    Volume volume = {0};

    add_design(trial->point->scenario, trial->design, &volume);
    return volume;
}

Volume
volume_of_plan(const Plan *plan)
{
    Volume volume = {0};

    for (size_t i = 0; i < plan->trial_count; i++)
        add_design(plan->trials[i].point->scenario, plan->trials[i].design, &volume);
    return volume;
}

double
volume_key_pages(const Design *table, double rows)
{
    const Tree tree = {table, design_key(table)};

    return tree.column != NULL ? leaf_pages(&tree, rows) : 0;
}

bool
volume_key_is_random(const Design *table)
{
    const Column *key = design_key(table);

    return key != NULL && is_random(table, key);
}

double
volume_disk_bytes(const Volume *volume, double max_wal_bytes)
{
    double kept_bytes = fmin(volume->wal_bytes, 2 * volume->cycle_wal_bytes);

    return volume->table_bytes + volume->stage_bytes + fmin(kept_bytes, max_wal_bytes);
}

/* Whether a later phase says how large the same table became. */
static bool
is_surpassed(const Scenario *scenario, size_t number)
{
    const char *table = scenario->phases[number].table;

    for (size_t i = number + 1; i < scenario->phase_count; i++) {
        const char *later = scenario->phases[i].table;

        if (later == table || (later != NULL && table != NULL && strcmp(later, table) == 0))
            return true;
    }
    return false;
}

Volume
volume_written(const PlannedTrial *trial, const DesignResult *measured)
{
    const Scenario *scenario = trial->point->scenario;
    Volume written = {0};

    if (measured->phase_count != scenario->phase_count)
        return (Volume){.table_bytes = NAN, .wal_bytes = NAN};
    for (size_t i = 0; i < measured->phase_count; i++) {
        const PhaseResult *phase = &measured->phases[i];

        written.wal_bytes += phase->complete ? phase->figures.value[METRIC_LSN_BYTES] : NAN;
        if (is_surpassed(scenario, i))
            continue;
        written.table_bytes += phase->figures.value[METRIC_HEAP_BYTES];
        for (size_t index = 0; index < phase->index_count; index++)
            written.table_bytes += phase->indexes[index].figures.value[METRIC_INDEX_BYTES];
    }
    return written;
}

bool
volume_is_off(double predicted_bytes, double written_bytes)
{
    static const double LEAST_BYTES = 16 << 20;

    return written_bytes >= LEAST_BYTES &&
           (predicted_bytes > written_bytes * 4 / 3 || predicted_bytes < written_bytes * 2 / 3);
}
