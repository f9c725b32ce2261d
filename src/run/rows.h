/*
 * Rows minted here on their way to the server: made in blocks, each encoded as a tuple of binary
 * COPY, whose fields are the binary parameters of a prepared statement as well. Memory does not
 * grow with the number of rows.
 */
#ifndef KB_RUN_ROWS_H
#define KB_RUN_ROWS_H

#include "db/conn.h"
#include "run/trial_table.h"

/* One writer's rows through all phases of a trial. */
typedef struct RowSource RowSource;

/* What a row is made of. */
typedef enum RowShape {
    ROWS_STAGED, /* the row number, then the staged columns: for the staging table */
    ROWS_WHOLE,  /* the columns that the server does not make: for the table itself */
} RowShape;

/* A writer's part of a phase. */
typedef struct RowSpan {
    const Phase *phases; /* the scenario's */
    size_t phase;
    RowShape shape;
    uint64_t first_row;      /* number of its first row, from 1 over all phases and writers */
    uint64_t row_count;      /* in all batches together */
    uint64_t together_count; /* rows that must be in one block; 1 or more */
} RowSpan;

/* Encoded rows, one after the other; borrowed until the next call. */
typedef struct RowBlock {
    const uint8_t *bytes;
    size_t length_bytes;
    uint64_t row_count;
} RowBlock;

/*
 * Caller frees with row_source_free.
 *
 * writer   from 0; each has random streams of its own
 * seed     makes the ids and the filler: each design and column has its own stream, so adding a
 *          design leaves the ids of the others as they are
 */
RowSource *row_source_new(const TrialTable *table, uint64_t writer, uint64_t seed);
void row_source_free(RowSource *source); /* accepts NULL */

/* Begin a phase. Minters go on where their clock does, so that a column of one writer is minted in
 * one go over all phases. */
Status row_source_begin(RowSource *source, const RowSpan *span, Diag *diag) MUST_USE;

/* The next rows: at most `rows_max` of those that are left, as many as fit a block, and
 * `together_count` at least while there are so many. */
RowBlock row_source_next(RowSource *source, uint64_t rows_max);

/* Send the next `row_count` rows by `copy_sql`, COPY ... FROM STDIN (FORMAT binary): the server
 * stores a block while the next is made. */
Status row_source_copy(RowSource *source, DbConn *conn, const char *copy_sql, uint64_t row_count,
                       Diag *diag) MUST_USE;

/* How many fields a row of this shape has. */
size_t row_field_count(const TrialTable *table, RowShape shape);

/* Walk the fields of encoded rows: enter each row, then take its fields. */
static inline const uint8_t *
row_enter(const uint8_t *row)
{
    return row + sizeof(int16_t); /* their count */
}

static inline const uint8_t *
row_take_field(const uint8_t *field, const uint8_t **bytes, size_t *length_bytes)
{
    *length_bytes =
        (size_t)field[0] << 24 | (size_t)field[1] << 16 | (size_t)field[2] << 8 | field[3];
    *bytes = field + sizeof(int32_t);
    return *bytes + *length_bytes;
}

#endif
