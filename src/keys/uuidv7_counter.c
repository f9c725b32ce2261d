/*
 * UUIDv7 with a 12-bit counter after the millisecond (RFC 9562, section 6.2, method 1): seeded each
 * millisecond with 11 random bits, the top bit left free for counting. When it runs over, the id
 * goes to the next millisecond ahead of the clock.
 */
#include "base/clock.h"
#include "keys/uuid.h"

enum { COUNTER_MAX = 0xfff, COUNTER_SEED_MASK = 0x7ff };

static void
mint(KeyMinter *minter, KeyNode *node, const KeyBatch *batch, uint8_t *ids)
{
    uint64_t next_ms = node->next_time, counter = node->counter;

    (void)minter;
    for (size_t i = 0; i < batch->count; i++) {
        uint64_t time_ms = batch->times_ns[i] / NS_PER_MS;

        if (batch->independent || time_ms >= next_ms) {
            next_ms = time_ms + 1;
            counter = batch->words[2 * i] & COUNTER_SEED_MASK;
        } else if (++counter > COUNTER_MAX) {
            next_ms++;
            counter = batch->words[2 * i] & COUNTER_SEED_MASK;
        }
        uuid_store(ids + i * UUID_BYTES, 7, (next_ms - 1) << 16 | counter, batch->words[2 * i + 1]);
    }
    node->next_time = next_ms;
    node->counter = counter;
}

static const KeyMaker MAKER = {
    .word_count = 2,
    .mint = mint,
    .text = uuid_text,
};

const KeyFormat KEY_UUIDV7_COUNTER = {
    .name = "uuidv7-counter",
    .title = "UUIDv7 (counter)",
    .bits = 128,
    .order = KEY_ORDER_STRICT,
    .text_order = KEY_ORDER_STRICT,
    .native = KEY_NATIVE_UUID,
    .width_bytes = UUID_BYTES,
    .takes = KEY_TAKES_TIME,
    .leaks = "creation time to the millisecond",
    .text_form = "36 hexadecimal",
    .source = "RFC 9562, sections 5.7 and 6.2 (method 1)",
    .forms = UUID_FORMS,
    .form_count = UUID_FORM_COUNT,
    .maker = &MAKER,
};
