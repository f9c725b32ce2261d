#include "run/volume.h"

#include <math.h>
#include <string.h>

/* PostgreSQL manual, sections 66.6 and 64.1.4: page, tuple and item headers, and what a record
 * carries beside its data. */
enum {
    PAGE_BYTES = 8192,
    HEAP_ROW_OVERHEAD_BYTES = 28,
    INDEX_ROW_OVERHEAD_BYTES = 12,
    RECORDS_OVERHEAD_BYTES = 110, /* one heap insert and one leaf insert */
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
    if (column == NULL) /* the key of a table without one */
        return 0;
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
is_random(const Column *column)
{
    if (column == NULL)
        return false;
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

/* Leaf pages of the key's index at `rows`. */
static double
leaf_pages(const Column *key, double rows)
{
    double row_bytes = rounded_up(column_bytes(key)) + INDEX_ROW_OVERHEAD_BYTES;

    if (key == NULL)
        return 0;
    return rows * row_bytes / (PAGE_BYTES * (is_random(key) ? FILL_RANDOM : FILL_ORDERED));
}

/* Pages that get an image when `rows` random keys go into `pages` pages after a checkpoint. */
static double
touched_pages(double pages, double rows)
{
    return pages < 1 ? 0 : pages * (1 - pow(1 - 1 / pages, rows));
}

static double
image_bytes(const Column *key, const Phase *phase, double rows_before)
{
    double cycle_rows = (double)phase_rows_per_checkpoint(phase), bytes = 0;

    if (!is_random(key) || cycle_rows < 1)
        return 0;
    for (double rows = 0; rows < (double)phase->rows; rows += cycle_rows)
        bytes += IMAGE_BYTES * touched_pages(leaf_pages(key, rows_before + rows),
                                             fmin(cycle_rows, (double)phase->rows - rows));
    return bytes;
}

static void
add_design(const Scenario *scenario, const Design *design, Volume *volume)
{
    const Column *key = design_key(design);
    double row_bytes = 0, rows = 0, row_wal_bytes, table_bytes;

    for (size_t i = 0; i < design->column_count; i++)
        row_bytes += column_bytes(&design->columns[i]);
    row_wal_bytes = row_bytes + column_bytes(key) + RECORDS_OVERHEAD_BYTES;
    for (size_t i = 0; i < scenario->phase_count; i++) {
        const Phase *phase = &scenario->phases[i];
        double phase_bytes = image_bytes(key, phase, rows) + (double)phase->rows * row_wal_bytes;

        volume->wal_bytes += phase_bytes;
        if (phase_bytes / (double)phase->batch_count > volume->batch_wal_bytes)
            volume->batch_wal_bytes = phase_bytes / (double)phase->batch_count;
        rows += (double)phase->rows;
    }
    volume->rows += rows;
    table_bytes = rows * (rounded_up(row_bytes) + HEAP_ROW_OVERHEAD_BYTES) +
                  leaf_pages(key, rows) * PAGE_BYTES * (double)(1 + design->index_count);
    if (table_bytes > volume->table_bytes)
        volume->table_bytes = table_bytes;
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
