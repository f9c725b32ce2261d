/*
 * UUIDv7 with nothing but random bits after the millisecond: what the simplest libraries make. Ids
 * of one millisecond come in no order.
 */
#include "base/clock.h"
#include "keys/uuid.h"

static void
mint(KeyMinter *minter, KeyNode *node, const KeyBatch *batch, uint8_t *ids)
{
    (void)minter;
    (void)node;
    for (size_t i = 0; i < batch->count; i++) {
        uint64_t time_ms = batch->times_ns[i] / NS_PER_MS;

        uuid_store(ids + i * UUID_BYTES, 7, time_ms << 16 | (batch->words[2 * i] & 0xfff),
                   batch->words[2 * i + 1]);
    }
}

static const KeyMaker MAKER = {
    .word_count = 2,
    .mint = mint,
    .text = uuid_text,
};

const KeyFormat KEY_UUIDV7_MS = {
    .name = "uuidv7-ms",
    .title = "UUIDv7 (ms only)",
    .bits = 128,
    .order = KEY_ORDER_TIME,
    .text_order = KEY_ORDER_TIME,
    .native = KEY_NATIVE_UUID,
    .width_bytes = UUID_BYTES,
    .takes = KEY_TAKES_TIME,
    .leaks = "creation time to the millisecond",
    .text_form = "36 hexadecimal",
    .source = "RFC 9562, section 5.7",
    .forms = UUID_FORMS,
    .form_count = UUID_FORM_COUNT,
    .maker = &MAKER,
};
