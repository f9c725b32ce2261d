#include "run/key_replay.h"

#include "base/mem.h"
#include "keys/encode.h"
#include "run/column_minter.h"

#include <stdlib.h>

enum { MINT_ROWS = 512 };

struct KeyReplay {
    const Column *key;
    uint64_t seed;
    ColumnMinter minter;
    size_t next_phase, phase; /* the one that the minter stands in */
    uint64_t next_writer;     /* of it */
    uint64_t left_count;      /* rows of the writer that are still to be minted */
    uint64_t last_row;        /* minted */
    uint64_t id_count;        /* in ids, the last of them is the last row's */
    uint8_t *ids;
    size_t width_bytes, room_bytes;
};

KeyReplay *
key_replay_new(const Design *table, uint64_t seed)
{
    KeyReplay *replay = mem_new(1, sizeof(*replay));

    replay->key = &table->columns[table->key_column];
    replay->seed = seed;
    replay->minter.column = replay->key;
    replay->minter.stream = column_stream(table, replay->key);
    return replay;
}

void
key_replay_free(KeyReplay *replay)
{
    if (replay == NULL)
        return;
    column_minter_release(&replay->minter);
    free(replay->ids);
    free(replay);
}

/* The writers of a phase have its rows one after the other. */
static void
open_next(KeyReplay *replay, const Phase *phases)
{
    MintPlace place = {.phases = phases, .first_row = replay->last_row + 1, .seed = replay->seed};
    Diag diag = {0};

    if (replay->next_writer == 0 || replay->next_writer == phases[replay->phase].writer_count) {
        while (!phase_is_about(&phases[replay->next_phase], NULL) ||
               phases[replay->next_phase].action != ACTION_INSERT)
            replay->next_phase++;
        replay->phase = replay->next_phase++;
        replay->next_writer = 0;
    }
    place.phase = replay->phase;
    place.writer = replay->next_writer++;
    if (column_minter_open(&replay->minter, &place, &diag) != STATUS_OK)
        BUG("%s", diag.message); /* the same minter made the row */
    replay->left_count =
        phase_writer_rows(&phases[place.phase], place.writer) * phases[place.phase].batch_count;
    replay->width_bytes = key_width_bytes(replay->minter.minter);
    if (replay->width_bytes * MINT_ROWS > replay->room_bytes) {
        free(replay->ids);
        replay->room_bytes = replay->width_bytes * MINT_ROWS;
        replay->ids = mem_new(replay->room_bytes, 1);
    }
}

static void
mint(KeyReplay *replay, const Phase *phases)
{
    while (replay->left_count == 0)
        open_next(replay, phases);
    replay->id_count = replay->left_count < MINT_ROWS ? replay->left_count : MINT_ROWS;
    key_mint(replay->minter.minter, replay->ids, replay->id_count);
    replay->left_count -= replay->id_count;
    replay->last_row += replay->id_count;
}

size_t
key_replay_write(KeyReplay *replay, const Phase *phases, uint64_t row, uint8_t *bytes)
{
    while (replay->last_row < row)
        mint(replay, phases);
    return key_wire(replay->minter.minter, replay->minter.minting.form,
                    replay->ids +
                        (replay->id_count - 1 - (replay->last_row - row)) * replay->width_bytes,
                    bytes);
}
