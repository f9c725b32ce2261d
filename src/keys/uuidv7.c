#include "keys/uuidv7.h"

#include "base/clock.h"
#include "keys/facts.h"
#include "keys/uuid.h"

/* The least step that moves the 12-bit fraction: PostgreSQL 18, src/backend/utils/adt/uuid.c. */
#define STEP_NS (NS_PER_MS / 4096 + 1)

void
uuidv7_mint(KeyMinter *minter, KeyNode *node, const KeyBatch *batch, uint8_t *ids)
{
    uint64_t next_ns = node->next_time;

    (void)minter;
    for (size_t i = 0; i < batch->count; i++) {
        uint64_t time_ns = batch->times_ns[i];
        uint64_t time_ms, fraction;

        if (!batch->independent && time_ns < next_ns)
            time_ns = next_ns;
        next_ns = time_ns + STEP_NS;
        time_ms = time_ns / NS_PER_MS;
        fraction = (time_ns - time_ms * NS_PER_MS) * 4096 / NS_PER_MS;
        uuid_store(ids + i * UUID_BYTES, 7, time_ms << 16 | fraction, batch->words[i]);
    }
    node->next_time = next_ns;
}

static void
tell(const uint8_t *id, KeyFacts *facts)
{
    facts_set_time_ms(facts, (int64_t)(load_u64(id) >> 16));
    facts_say_time(facts);
}

static KeyFit
explain(const char *text, KeyFacts *facts)
{
    return uuid_explain_version(text, 7, facts);
}

static const KeyMaker MAKER = {
    .word_count = 1,
    .mint = uuidv7_mint,
    .text = uuid_text,
    .tell = tell,
    .explain = explain,
};

const KeyFormat KEY_UUIDV7 = {
    .name = "uuidv7",
    .title = "UUIDv7",
    .bits = 128,
    .order = KEY_ORDER_STRICT,
    .text_order = KEY_ORDER_STRICT,
    .native = KEY_NATIVE_UUID,
    .width_bytes = UUID_BYTES,
    .takes = KEY_TAKES_TIME,
    .leaks = "creation time to the millisecond",
    .text_form = "36 hexadecimal",
    .source = "RFC 9562, sections 5.7 and 6.2 (method 3), as in PostgreSQL 18",
    .forms = UUID_FORMS,
    .form_count = UUID_FORM_COUNT,
    .maker = &MAKER,
};
