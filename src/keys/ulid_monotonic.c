/*
 * ULID, monotonic: within a millisecond, and when the clock steps back, the last random part + 1.
 * Where the specification lets generation fail (80 bits run over), the id goes to the next
 * millisecond with a fresh random part.
 */
#include "base/clock.h"
#include "keys/encode.h"
#include "keys/ulid.h"

/* Put the next id's time and random part (`counter`: its high 16 bits, `tail`: the rest) in the
 * node. */
static void
advance(KeyNode *node, uint64_t time_ms, bool independent, const uint64_t *words)
{
    bool fresh = independent || time_ms >= node->next_time;

    if (!fresh && ++node->tail == 0 && ++node->counter > 0xffff) {
        time_ms = node->next_time;
        fresh = true;
    }
    if (fresh) {
        node->next_time = time_ms + 1;
        node->counter = words[0] & 0xffff;
        node->tail = words[1];
    }
}

static void
mint(KeyMinter *minter, KeyNode *node, const KeyBatch *batch, uint8_t *ids)
{
    (void)minter;
    for (size_t i = 0; i < batch->count; i++) {
        uint8_t *id = ids + i * UUID_BYTES;

        advance(node, batch->times_ns[i] / NS_PER_MS, batch->independent, batch->words + 2 * i);
        store_u64(id, (node->next_time - 1) << 16 | node->counter);
        store_u64(id + 8, node->tail);
    }
}

static const KeyMaker MAKER = {
    .word_count = 2,
    .mint = mint,
    .text = ulid_text,
};

const KeyFormat KEY_ULID_MONOTONIC = {
    .name = "ulid-monotonic",
    .title = "ULID (monotonic)",
    .bits = 128,
    .order = KEY_ORDER_STRICT,
    .text_order = KEY_ORDER_STRICT,
    .native = KEY_NATIVE_UUID,
    .width_bytes = UUID_BYTES,
    .takes = KEY_TAKES_TIME,
    .leaks = "creation time to the millisecond",
    .text_form = "26 Crockford base32, upper case",
    .source = "ULID specification, Monotonicity",
    .forms = ULID_FORMS,
    .form_count = ULID_FORM_COUNT,
    .maker = &MAKER,
};
