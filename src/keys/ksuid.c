/*
 * KSUID: 32 bits of seconds since 1400000000 (13 May 2014) and 128 random bits, 160 in all, written
 * as 27 characters of base62. Its text sorts like its bytes only where upper case comes before
 * lower case, as under the C collation. Source: github.com/segmentio/ksuid.
 */
#include "base/clock.h"
#include "keys/encode.h"
#include "keys/facts.h"

#define EPOCH_S UINT64_C(1400000000)
#define SPAN_S (UINT64_C(1) << 32)

static const KeyForm FORMS[] = {
    {"bytea", "bytea", NULL, KEY_FORM_NATIVE},
    {"text-c", "text", "C", KEY_FORM_TEXT},
    {"text-icu", "text", "en-x-icu", KEY_FORM_TEXT},
    {"char", "char(27)", "C", KEY_FORM_TEXT},
};

static Status
check(const KeyParams *params, Diag *diag)
{
    return key_check_clock(params, (int64_t)EPOCH_S * 1000, SPAN_S * 1000, "KSUID", diag);
}

static void
mint(KeyMinter *minter, KeyNode *node, const KeyBatch *batch, uint8_t *ids)
{
    (void)minter;
    (void)node;
    for (size_t i = 0; i < batch->count; i++) {
        uint8_t *id = ids + i * KSUID_BYTES;

        store_u32(id, (uint32_t)(batch->times_ns[i] / NS_PER_S - EPOCH_S));
        store_u64(id + 4, batch->words[2 * i]);
        store_u64(id + 12, batch->words[2 * i + 1]);
    }
}

static size_t
text(const KeyMinter *minter, const uint8_t *id, char *out)
{
    (void)minter;
    encode_base62(id, out);
    return KSUID_TEXT_LENGTH;
}

static void
tell(const uint8_t *id, KeyFacts *facts)
{
    facts_set_time(facts, (int64_t)(load_u32(id) + EPOCH_S), 0, NS_PER_S);
    facts_say_time(facts);
}

static KeyFit
explain(const char *given, KeyFacts *facts)
{
    uint8_t id[KSUID_BYTES];
    DecodeFault fault;

    if (!decode_base62(given, id, &fault))
        return KEY_FIT_NONE;
    memcpy(facts->canonical, given, KSUID_TEXT_LENGTH);
    tell(id, facts);
    return KEY_FIT_LIKELY;
}

static const KeyMaker MAKER = {
    .word_count = 2,
    .check = check,
    .mint = mint,
    .text = text,
    .tell = tell,
    .explain = explain,
};

const KeyFormat KEY_KSUID = {
    .name = "ksuid",
    .title = "KSUID",
    .bits = 160,
    .order = KEY_ORDER_TIME,
    .text_order = KEY_ORDER_TIME,
    .native = KEY_NATIVE_BYTES,
    .width_bytes = KSUID_BYTES,
    .takes = KEY_TAKES_TIME,
    .leaks = "creation time to the second",
    .text_form = "27 base62",
    .source = "KSUID reference implementation",
    .forms = FORMS,
    .form_count = ARRAY_LEN(FORMS),
    .maker = &MAKER,
};
