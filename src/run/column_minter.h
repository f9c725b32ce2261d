/*
 * How a column's ids are minted through the phases of a trial: which stream of random numbers,
 * which clock, and when a minter goes on or a new one begins. Whoever mints the same rows in the
 * same order gets the same ids.
 */
#ifndef KB_RUN_COLUMN_MINTER_H
#define KB_RUN_COLUMN_MINTER_H

#include "scenario/scenario.h"

/* Begins zeroed, but for column and stream; release with column_minter_release. */
typedef struct ColumnMinter {
    const Column *column;
    uint64_t stream;   /* column_stream() */
    KeyMinter *minter; /* NULL: not open */
    bool one_go;       /* its clock never jumped: it may go on */
    Minting minting;   /* what the minter makes */
} ColumnMinter;

/* Where a writer's rows of a phase begin. */
typedef struct MintPlace {
    const Phase *phases; /* the scenario's */
    size_t phase;
    uint64_t first_row; /* number of the writer's first row in the phase */
    uint64_t writer, seed;
} MintPlace;

/* The column's own stream: adding a design leaves the ids of the others as they are. */
uint64_t column_stream(const Design *table, const Column *column);

/* A stream of its own for a writer, and for a phase whose clock stands elsewhere. */
uint64_t column_stream_at(uint64_t stream, const char *phase, uint64_t writer);

/* A minter for the rows from there on, unless the one that is there just goes on. */
Status column_minter_open(ColumnMinter *minter, const MintPlace *place, Diag *diag) MUST_USE;
void column_minter_release(ColumnMinter *minter);

#endif
