#include "run/column_minter.h"

#include <inttypes.h>
#include <stdio.h>

/* FNV-1a. */
static uint64_t
hash_text(uint64_t hash, const char *text)
{
    for (; *text != '\0'; text++)
        hash = (hash ^ (uint8_t)*text) * UINT64_C(0x100000001b3);
    return hash;
}

uint64_t
column_stream(const Design *table, const Column *column)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);

    if (table->parent != NULL)
        hash = hash_text(hash_text(hash, table->parent->name), "/");
    hash = hash_text(hash, table->name);
    return hash_text(hash_text(hash, "/"), column->name);
}

uint64_t
column_stream_at(uint64_t stream, const char *phase, uint64_t writer)
{
    char text[24];

    snprintf(text, sizeof(text), "/%" PRIu64, writer);
    return hash_text(hash_text(hash_text(stream, "/"), phase), text);
}

/* Writers with equal shares take turns at one counter, as at a sequence; others count on in ranges
 * of their own. */
static void
count_on(const MintPlace *place, KeyParams *params)
{
    const Phase *phase = &place->phases[place->phase];
    uint64_t writers = phase->writer_count, before = place->first_row - 1;

    if (writers > 1 && phase->rows / phase->batch_count % writers == 0) {
        before -= place->writer * phase_writer_rows(phase, place->writer) * phase->batch_count;
        before += place->writer;
        params->number_step = writers;
    }
    if (before > 0)
        params->first_number = (params->first_number > 0 ? params->first_number : 1) + before;
}

Status
column_minter_open(ColumnMinter *minter, const MintPlace *place, Diag *diag)
{
    const Phase *phase = &place->phases[place->phase];
    bool one_go =
        phase->writer_count == 1 && column_find_clock(minter->column, phase->name) == NULL;
    KeyParams params =
        column_key_params(minter->column, place->phases, place->phase, place->writer, place->seed);
    Minting minting = column_minting(minter->column, place->phases, place->phase);
    KeyMinter *opened = NULL;
    Status status;

    if (minter->minter != NULL && minter->one_go && one_go &&
        minter->minting.format == minting.format)
        return STATUS_OK;
    one_go = one_go && place->first_row == 1;
    params.stream =
        one_go ? minter->stream : column_stream_at(minter->stream, phase->name, place->writer);
    count_on(place, &params);
    status = key_minter_new(minting.format, &params, &opened, diag);
    if (status != STATUS_OK)
        return status;
    key_minter_free(minter->minter);
    minter->minter = opened;
    minter->one_go = one_go;
    minter->minting = minting;
    return STATUS_OK;
}

void
column_minter_release(ColumnMinter *minter)
{
    key_minter_free(minter->minter);
    minter->minter = NULL;
}
