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
    DELETE_RECORD_BYTES = 60,
    IMAGE_BYTES = 5700, /* a mean leaf's image: the hole is left out */
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

/* The scenario's phases up to the one that is looked at. */
typedef struct Moment {
    const Phase *phases;
    size_t number;
} Moment;

/* Whether the values that come at a moment have no order. */
static bool
is_random(const Design *table, const Column *column, Moment now)
{
    KeyOrder order;

    if (column->source == COLUMN_PARENT)
        return column->pick == PICK_RANDOM ||
               is_random(table->parent, &table->parent->columns[table->parent->key_column], now);
    if (column->source == COLUMN_SERVER)
        return strcmp(column->generator->name, "uuidv7") != 0;
    if (column->source != COLUMN_KEYBENCH)
        return false;
    order = column_minting(column, now.phases, now.number).format->order;
    return order == KEY_ORDER_NONE || order == KEY_ORDER_SCRAMBLED;
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
    bool random; /* what comes now */
} Tree;

/* Its leaf pages at `rows`. */
static double
leaf_pages(const Tree *tree, double rows)
{
    double row_bytes = rounded_up(column_bytes(tree->column)) + INDEX_ROW_OVERHEAD_BYTES;

    return rows * row_bytes / (PAGE_BYTES * (tree->random ? FILL_RANDOM : FILL_ORDERED));
}

/* Pages that get an image when `rows` random keys go into `pages` pages after a checkpoint. */
static double
touched_pages(double pages, double rows)
{
    return pages < 1 ? 0 : pages * (1 - pow(1 - 1 / pages, rows));
}

/* How many rows with random values the phases before put into the tree: among those new ones fall.
 */
static double
random_rows(const Tree *tree, Moment now)
{
    const char *table = now.phases[now.number].table;
    double rows = 0;

    for (size_t i = 0; i < now.number; i++)
        if (phase_is_about(&now.phases[i], table) &&
            is_random(tree->table, tree->column, (Moment){now.phases, i}))
            rows += (double)phase_inserted_rows(&now.phases[i]);
    return rows;
}

static double
image_bytes(const Tree *tree, Moment now)
{
    const Phase *phase = &now.phases[now.number];
    double rows_before = random_rows(tree, now);
    uint64_t cycle_rows = phase_rows_per_checkpoint(phase);
    double bytes = 0;

    if (!tree->random || cycle_rows == 0)
        return 0;
    for (uint64_t rows = 0; rows < phase->rows; rows += cycle_rows)
        bytes +=
            IMAGE_BYTES * touched_pages(leaf_pages(tree, rows_before + (double)rows),
                                        fmin((double)cycle_rows, (double)(phase->rows - rows)));
    return bytes;
}

static size_t
list_trees(const Design *table, Moment now, Tree *trees)
{
    size_t count = 0;

    if (table->key_column != NO_COLUMN)
        trees[count++] = (Tree){.table = table, .column = &table->columns[table->key_column]};
    for (size_t i = 0; i < table->index_count; i++)
        trees[count++] = (Tree){.table = table,
                                .column = design_find_column(table, table->indexes[i].columns[0])};
    for (size_t i = 0; i < count; i++)
        trees[i].random = is_random(table, trees[i].column, now);
    return count;
}

/* WAL of rows that come, or come again as they are changed. */
static double
rows_wal_bytes(const Design *table, Moment now)
{
    const Phase *phase = &now.phases[now.number];
    Tree *trees = mem_new(table->index_count + 1, sizeof(*trees));
    size_t count = list_trees(table, now, trees);
    double row_bytes = RECORDS_OVERHEAD_BYTES, bytes = 0;

    for (size_t i = 0; i < table->column_count; i++)
        row_bytes += column_bytes(&table->columns[i]);
    for (size_t i = 0; i < count; i++) {
        row_bytes += column_bytes(trees[i].column) + (i > 0 ? LEAF_RECORD_BYTES : 0);
        bytes += image_bytes(&trees[i], now);
    }
    free(trees);
    return bytes + (double)phase->rows * row_bytes;
}

static double
heap_bytes(const Design *table, double rows)
{
    double width = 0;

    for (size_t i = 0; i < table->column_count; i++)
        width += column_bytes(&table->columns[i]);
    return rows * (HEAP_ROW_OVERHEAD_BYTES + rounded_up(width));
}

/* Images of the heap where rows are picked all over it, of one checkpoint each. */
static double
heap_image_bytes(const Design *table, const Phase *phase, double rows_before)
{
    double pages = heap_bytes(table, rows_before) / PAGE_BYTES;
    double cycle_rows = (double)phase_rows_per_checkpoint(phase);

    if (cycle_rows < 1)
        return 0;
    if (phase->choice != CHOOSE_RANDOM) /* neighbours: each page once */
        return pages * (double)phase->rows / rows_before * PAGE_BYTES;
    return (double)phase->rows / cycle_rows * touched_pages(pages, cycle_rows) * PAGE_BYTES;
}

/* Which part of the rows was changed since the last vacuum; 1 where that was all over the heap. */
static double
changed_part(Moment now, double rows)
{
    const char *table = now.phases[now.number].table;
    double changed_rows = 0;

    for (size_t i = now.number; i > 0; i--) {
        const Phase *phase = &now.phases[i - 1];

        if (!phase_is_about(phase, table))
            continue;
        if (phase->action == ACTION_VACUUM)
            break;
        if (phase->action != ACTION_UPDATE && phase->action != ACTION_DELETE)
            continue;
        if (phase->choice == CHOOSE_RANDOM)
            return 1;
        changed_rows += (double)phase->rows;
    }
    return changed_rows / (rows + changed_rows);
}

static double
indexes_bytes(const Design *table, Moment now, double rows)
{
    Tree *trees = mem_new(table->index_count + 1, sizeof(*trees));
    size_t count = list_trees(table, now, trees);
    double bytes = 0;

    for (size_t i = 0; i < count; i++)
        bytes += leaf_pages(&trees[i], rows) * PAGE_BYTES;
    free(trees);
    return bytes;
}

/* What a phase writes into the log. */
static double
phase_wal_bytes(const Design *table, Moment now, double rows)
{
    const Phase *phase = &now.phases[now.number];

    switch (phase->action) {
    case ACTION_INSERT:
        return rows_wal_bytes(table, now);
    case ACTION_UPDATE:
        return rows_wal_bytes(table, now) + heap_image_bytes(table, phase, rows);
    case ACTION_DELETE:
        return (double)phase->rows * DELETE_RECORD_BYTES + heap_image_bytes(table, phase, rows);
    case ACTION_VACUUM:
        return changed_part(now, rows) *
               (heap_bytes(table, rows) + indexes_bytes(table, now, rows));
    case ACTION_REINDEX:
        return indexes_bytes(table, now, rows);
    case ACTION_READ:
    case ACTION_CHECKPOINT:
    case ACTION_WAIT:
    case ACTION_NONE:
        break;
    }
    return 0;
}

static double
table_bytes(const Design *table, Moment now, double rows)
{
    return heap_bytes(table, rows) + indexes_bytes(table, now, rows);
}

/* Without checkpoints WAL piles up from the beginning. */
static double
cycle_wal_bytes(const Volume *before, const Phase *phase, double phase_bytes)
{
    double cycle_rows = (double)phase_rows_per_checkpoint(phase);

    if (phase->rows == 0 && phase->batches_per_checkpoint > 0) /* one command */
        return phase_bytes;
    if (cycle_rows < 1)
        return before->wal_bytes + phase_bytes;
    return phase_bytes * fmin(1, cycle_rows / (double)phase->rows);
}

static void
add_phase(const Scenario *scenario, size_t number, const Design *table, Volume *volume)
{
    const Phase *phase = &scenario->phases[number];
    double rows_before = (double)phases_left_rows(scenario->phases, number, phase->table);
    double inserted_rows = (double)phase_inserted_rows(phase);
    double bytes = phase_wal_bytes(table, (Moment){scenario->phases, number}, rows_before);

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
    Moment end = {scenario->phases, phases - 1};
    double bytes = table_bytes(design, end, (double)phases_rows(scenario->phases, phases, NULL));

    for (size_t i = 0; i < design->child_count; i++)
        bytes +=
            table_bytes(&design->children[i], end,
                        (double)phases_rows(scenario->phases, phases, design->children[i].name));
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
volume_key_pages(const Scenario *scenario, const Design *design, double rows)
{
    const Tree tree = {design, design_key(design), volume_key_is_random(scenario, design)};

    return tree.column != NULL ? leaf_pages(&tree, rows) : 0;
}

bool
volume_key_is_random(const Scenario *scenario, const Design *design)
{
    const Column *key = design_key(design);

    for (size_t i = 0; key != NULL && i < scenario->phase_count; i++)
        if (is_random(design, key, (Moment){scenario->phases, i}))
            return true;
    return false;
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
