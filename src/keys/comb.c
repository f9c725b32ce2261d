/*
 * COMB: a UUIDv4 whose first 48 bits are replaced by milliseconds since 1970, the variant made for
 * PostgreSQL's byte order (SQL Server's has them at the end). It still says version 4. Source: J.
 * Nilsson, "The Cost of GUIDs as Primary Keys" (2002); RT.Comb's PostgreSqlCombProvider with the
 * Unix time strategy.
 */
#include "base/clock.h"
#include "keys/facts.h"
#include "keys/uuid.h"

static void
mint(KeyMinter *minter, KeyNode *node, const KeyBatch *batch, uint8_t *ids)
{
    (void)minter;
    (void)node;
    for (size_t i = 0; i < batch->count; i++) {
        uint64_t time_ms = batch->times_ns[i] / NS_PER_MS;

        uuid_store(ids + i * UUID_BYTES, 4, time_ms << 16 | (batch->words[2 * i] & 0xfff),
                   batch->words[2 * i + 1]);
    }
}

static void
tell(const uint8_t *id, KeyFacts *facts)
{
    facts_set_time_ms(facts, (int64_t)(load_u64(id) >> 16));
    facts_say_time(facts);
}

/* A random UUIDv4 has a plausible time in about one of 90 cases. */
static KeyFit
explain(const char *text, KeyFacts *facts)
{
    uint8_t id[UUID_BYTES];

    if (!uuid_open_text(text, id, facts) || facts->variant != 1 || facts->version != 4)
        return KEY_FIT_NONE;
    tell(id, facts);
    return facts_time_plausible(facts) ? KEY_FIT_POSSIBLE : KEY_FIT_NONE;
}

static const KeyMaker MAKER = {
    .word_count = 2,
    .mint = mint,
    .text = uuid_text,
    .tell = tell,
    .explain = explain,
};

const KeyFormat KEY_COMB = {
    .name = "comb",
    .title = "COMB",
    .bits = 128,
    .order = KEY_ORDER_TIME,
    .text_order = KEY_ORDER_TIME,
    .native = KEY_NATIVE_UUID,
    .width_bytes = UUID_BYTES,
    .takes = KEY_TAKES_TIME,
    .leaks = "creation time to the millisecond",
    .text_form = "36 hexadecimal",
    .source = "J. Nilsson 2002; RT.Comb, PostgreSQL order",
    .forms = UUID_FORMS,
    .form_count = UUID_FORM_COUNT,
    .maker = &MAKER,
};
