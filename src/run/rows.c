#include "run/rows.h"

#include "base/mem.h"
#include "base/rng.h"
#include "db/copy.h"
#include "keys/encode.h"
#include "run/column_minter.h"
#include "run/key_replay.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    MINT_ROWS = 512,         /* minted at once */
    BLOCK_BYTES = 64 * 1024, /* of one block, but for rows that must stay together */
    FILLER_STREAM = 0x66696c6c,
};

/* PostgreSQL manual, COPY, binary format: signature, flags, extension length; a count of -1 ends.
 */
static const uint8_t COPY_HEADER[19] = "PGCOPY\n\377\r\n\0\0\0\0\0\0\0\0\0";
static const uint8_t COPY_TRAILER[2] = {0xff, 0xff};

/* Where one field's values come from. */
typedef struct Field {
    const Column *column; /* NULL: the row number of the staging table */
    size_t integer_bytes; /* a row number as wide as its column, the row's own or its parent's; 0:
                             not a number */
    ColumnMinter minting; /* not open: not minted */
    uint8_t *ids;         /* MINT_ROWS of them */
    size_t width_bytes;
    KeyReplay *parent_keys; /* NULL: not minted once more */
    Rng rng;                /* filler, or picks of parents */
} Field;

struct RowSource {
    const TrialTable *table;
    uint64_t writer, seed;
    Field *fields; /* the staging table's row number, then one a column of the design */
    size_t field_count;
    RowSpan span;
    Field **sent; /* of the span: what its rows are made of */
    size_t sent_count;
    uint64_t parent_count;               /* of a child: rows that its parent has by now */
    uint64_t done_count;                 /* rows of the span */
    uint64_t minted_count, minted_taken; /* in the fields' ids */
    uint8_t *block;
    size_t used_bytes, room_bytes;
};

static size_t
integer_bytes(const char *type)
{
    static const struct {
        const char *type;
        size_t bytes;
    } TYPES[] = {{"bigint", 8}, {"integer", 4}, {"smallint", 2}};

    for (size_t i = 0; i < ARRAY_LEN(TYPES); i++)
        if (strcmp(type, TYPES[i].type) == 0)
            return TYPES[i].bytes;
    BUG("\"%s\" does not count rows", type);
}

/* The parent's number where its key is a number or is looked up by it; else its key, minted once
 * more. */
static void
init_parent(Field *field, const RowSource *source)
{
    const Design *parent = source->table->design->parent;
    const Column *key = &parent->columns[parent->key_column];

    if (field->column->joined)
        field->integer_bytes = sizeof(int64_t);
    else if (key->source == COLUMN_KEYBENCH)
        field->parent_keys = key_replay_new(parent, source->seed);
    else
        field->integer_bytes = integer_bytes(key->type);
}

static void
init_field(Field *field, const RowSource *source, const Column *column)
{
    uint64_t stream = column_stream(source->table->design, column);

    field->column = column;
    field->minting = (ColumnMinter){.column = column, .stream = stream};
    if (column->source == COLUMN_ROW_NUMBER)
        field->integer_bytes = integer_bytes(column->type);
    else if (column->source == COLUMN_PARENT)
        init_parent(field, source);
    rng_init(&field->rng, source->seed,
             (source->writer == 0 ? stream : column_stream_at(stream, "", source->writer)) ^
                 FILLER_STREAM);
}

RowSource *
row_source_new(const TrialTable *table, uint64_t writer, uint64_t seed)
{
    const Design *design = table->design;
    RowSource *source = mem_new(1, sizeof(*source));

    *source = (RowSource){.table = table, .writer = writer, .seed = seed};
    source->field_count = design->column_count + 1;
    source->fields = mem_new(source->field_count, sizeof(*source->fields));
    source->sent = mem_new(source->field_count, sizeof(*source->sent));
    source->fields[0].integer_bytes = sizeof(int64_t);
    for (size_t i = 0; i < design->column_count; i++)
        init_field(&source->fields[i + 1], source, &design->columns[i]);
    return source;
}

void
row_source_free(RowSource *source)
{
    if (source == NULL)
        return;
    for (size_t i = 0; i < source->field_count; i++) {
        column_minter_release(&source->fields[i].minting);
        key_replay_free(source->fields[i].parent_keys);
        free(source->fields[i].ids);
    }
    free(source->fields);
    free(source->sent);
    free(source->block);
    free(source);
}

static bool
is_minted(const Field *field)
{
    return field->integer_bytes == 0 && field->parent_keys == NULL &&
           field->column->source != COLUMN_FILLER;
}

/* Whether field `i` is part of a row. */
static bool
is_sent(const TrialTable *table, size_t i, RowShape shape)
{
    if (i == 0)
        return shape == ROWS_STAGED;
    return table->staged[i - 1] ||
           (shape == ROWS_WHOLE && table->design->columns[i - 1].source == COLUMN_ROW_NUMBER);
}

size_t
row_field_count(const TrialTable *table, RowShape shape)
{
    size_t count = 0;

    for (size_t i = 0; i <= table->design->column_count; i++)
        count += is_sent(table, i, shape);
    return count;
}

static Status
open_minter(const RowSource *source, Field *field, Diag *diag)
{
    const RowSpan *span = &source->span;
    const MintPlace place = {.phases = span->phases,
                             .phase = span->phase,
                             .first_row = span->first_row,
                             .writer = source->writer,
                             .seed = source->seed};
    Status status = column_minter_open(&field->minting, &place, diag);

    if (status != STATUS_OK)
        return status;
    free(field->ids);
    field->width_bytes = key_width_bytes(field->minting.minter);
    field->ids = mem_new(MINT_ROWS, field->width_bytes);
    return STATUS_OK;
}

/* The most bytes that one row takes. */
static size_t
row_bytes_max(const RowSource *source)
{
    size_t bytes = sizeof(int16_t);

    for (size_t i = 0; i < source->sent_count; i++) {
        const Field *field = source->sent[i];

        bytes += sizeof(int32_t);
        if (field->integer_bytes > 0)
            bytes += field->integer_bytes;
        else
            bytes +=
                field->column->source == COLUMN_FILLER ? field->column->filler_bytes : KEY_TEXT_MAX;
    }
    return bytes;
}

static void
make_block(RowSource *source)
{
    size_t room_bytes = BLOCK_BYTES + source->span.together_count * row_bytes_max(source);

    if (room_bytes <= source->room_bytes)
        return;
    free(source->block);
    source->block = mem_new(room_bytes, 1);
    source->room_bytes = room_bytes;
}

Status
row_source_begin(RowSource *source, const RowSpan *span, Diag *diag)
{
    Status status = STATUS_OK;

    source->span = *span;
    source->done_count = source->minted_count = source->minted_taken = 0;
    source->sent_count = 0;
    source->parent_count = phases_rows(span->phases, span->phase, NULL);
    for (size_t i = 0; i < source->field_count; i++)
        if (is_sent(source->table, i, span->shape))
            source->sent[source->sent_count++] = &source->fields[i];
    for (size_t i = 0; status == STATUS_OK && i < source->sent_count; i++)
        if (is_minted(source->sent[i]))
            status = open_minter(source, source->sent[i], diag);
    if (status == STATUS_OK)
        make_block(source);
    return status;
}

static size_t
write_filler(Field *field, uint8_t *bytes)
{
    static const char ALPHABET[] = "0123456789abcdef";
    size_t length = field->column->filler_bytes;

    rng_fill(&field->rng, bytes, length);
    if (strcmp(field->column->type, "text") == 0)
        for (size_t i = 0; i < length; i++)
            bytes[i] = (uint8_t)ALPHABET[bytes[i] & 15];
    return length;
}

static inline void
store_u16(uint8_t *bytes, uint64_t value)
{
    bytes[0] = (uint8_t)(value >> 8);
    bytes[1] = (uint8_t)value;
}

/* A row number as wide as its column, whose type holds it. */
static inline size_t
write_number(const Field *field, uint64_t number, uint8_t *bytes)
{
    if (field->integer_bytes == sizeof(int64_t))
        store_u64(bytes, number);
    else if (field->integer_bytes == sizeof(int32_t))
        store_u32(bytes, (uint32_t)number);
    else
        store_u16(bytes, number);
    return field->integer_bytes;
}

/* The number of a row's parent. */
static uint64_t
pick_parent(const RowSource *source, Field *field, uint64_t row)
{
    const Column *column = field->column;

    if (column->pick == PICK_RANDOM)
        return 1 + rng_below(&field->rng, source->parent_count);
    return (row - 1) / column->per_parent + 1;
}

static size_t
write_parent(const RowSource *source, Field *field, uint64_t row, uint8_t *bytes)
{
    uint64_t parent = pick_parent(source, field, row);

    if (field->parent_keys != NULL)
        return key_replay_write(field->parent_keys, source->span.phases, parent, bytes);
    return write_number(field, parent, bytes);
}

/* Its length and its value; returns where the next field begins. */
static inline uint8_t *
write_field(const RowSource *source, Field *field, uint8_t *at)
{
    uint64_t row = source->span.first_row + source->done_count;
    uint8_t *bytes = at + sizeof(int32_t);
    size_t length;

    if (field->column == NULL)
        length = write_number(field, row, bytes);
    else if (field->column->source == COLUMN_PARENT)
        length = write_parent(source, field, row, bytes);
    else if (field->integer_bytes > 0)
        length = write_number(field, row, bytes);
    else if (field->minting.minter != NULL)
        length = key_wire(field->minting.minter, field->minting.minting.form,
                          field->ids + source->minted_taken * field->width_bytes, bytes);
    else
        length = write_filler(field, bytes);
    store_u32(at, (uint32_t)length);
    return bytes + length;
}

static void
put_row(RowSource *source)
{
    uint8_t *at = source->block + source->used_bytes;

    store_u16(at, source->sent_count);
    at += sizeof(int16_t);
    for (size_t i = 0; i < source->sent_count; i++)
        at = write_field(source, source->sent[i], at);
    source->used_bytes = (size_t)(at - source->block);
    source->done_count++;
    source->minted_taken++;
}

/* Never more than the span has, so that a minter that goes on stands at the next row. */
static void
mint(RowSource *source)
{
    uint64_t left = source->span.row_count - source->done_count;

    source->minted_count = left < MINT_ROWS ? left : MINT_ROWS;
    source->minted_taken = 0;
    for (size_t i = 0; i < source->sent_count; i++)
        if (is_minted(source->sent[i]))
            key_mint(source->sent[i]->minting.minter, source->sent[i]->ids, source->minted_count);
}

RowBlock
row_source_next(RowSource *source, uint64_t rows_max)
{
    uint64_t left = source->span.row_count - source->done_count, rows = 0;

    if (rows_max > left)
        BUG("%" PRIu64 " rows asked for where %" PRIu64 " are left", rows_max, left);
    source->used_bytes = 0;
    while (rows < rows_max) {
        if (source->used_bytes >= BLOCK_BYTES && rows % source->span.together_count == 0)
            break;
        if (source->minted_taken == source->minted_count)
            mint(source);
        put_row(source);
        rows++;
    }
    return (RowBlock){source->block, source->used_bytes, rows};
}

static Status
check_count(uint64_t taken, uint64_t sent, Diag *diag)
{
    if (taken == sent)
        return STATUS_OK;
    return diag_set(diag, STATUS_DB_QUERY, "the server took %" PRIu64 " rows of %" PRIu64, taken,
                    sent);
}

Status
row_source_copy(RowSource *source, DbConn *conn, const char *copy_sql, uint64_t row_count,
                Diag *diag)
{
    uint64_t first_row = source->span.first_row + source->done_count, taken = 0;
    Status status = db_copy_begin(conn, copy_sql, diag);

    if (status == STATUS_OK)
        status = db_copy_put(conn, COPY_HEADER, sizeof(COPY_HEADER), diag);
    for (uint64_t left = row_count; status == STATUS_OK && left > 0;) {
        RowBlock block = row_source_next(source, left);

        status = db_copy_put(conn, block.bytes, block.length_bytes, diag);
        left -= block.row_count;
    }
    if (status == STATUS_OK)
        status = db_copy_put(conn, COPY_TRAILER, sizeof(COPY_TRAILER), diag);
    if (status == STATUS_OK)
        status = db_copy_end(conn, &taken, diag);
    if (status == STATUS_OK)
        status = check_count(taken, row_count, diag);
    if (status != STATUS_OK)
        diag_context(diag, "rows %" PRIu64 " to %" PRIu64, first_row, first_row + row_count - 1);
    return status;
}
