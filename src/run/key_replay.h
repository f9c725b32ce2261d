/*
 * The keys of a table that keybench minted, once more and in the order of its rows, for the rows
 * that reference them: nothing needs to be kept or asked for.
 */
#ifndef KB_RUN_KEY_REPLAY_H
#define KB_RUN_KEY_REPLAY_H

#include "scenario/scenario.h"

typedef struct KeyReplay KeyReplay;

/*
 * Caller frees with key_replay_free; the rest is borrowed until then.
 *
 * table   a design's own table, whose primary key keybench mints
 * seed    the trial's
 */
KeyReplay *key_replay_new(const Design *table, uint64_t seed);
void key_replay_free(KeyReplay *replay); /* accepts NULL */

/*
 * Write the key of a row as binary COPY has it; returns its length in bytes.
 *
 * phases   the scenario's, with those that inserted the row
 * row      from 1; never before the last one asked for
 */
size_t key_replay_write(KeyReplay *replay, const Phase *phases, uint64_t row, uint8_t *bytes);

#endif
