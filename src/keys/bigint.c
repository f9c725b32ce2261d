/*
 * bigint identity: 1, 2, 3 ... whatever the seed. As text without padding it sorts by digits, not
 * by number. Source: PostgreSQL manual, section 5.3 (identity columns).
 */
#include "keys/encode.h"
#include "keys/facts.h"

#include <inttypes.h>

/* A larger number was hardly counted to: Snowflake fits better. */
#define COUNT_PLAUSIBLE_MAX (UINT64_C(1) << 53)

static const KeyForm FORMS[] = {
    {"bigint", "bigint", NULL, KEY_FORM_NATIVE},
    {"text-c", "text", "C", KEY_FORM_TEXT},
    {"numeric", "numeric", NULL, KEY_FORM_NUMERIC},
};

static void
mint(KeyMinter *minter, KeyNode *node, const KeyBatch *batch, uint8_t *ids)
{
    (void)node;
    for (size_t i = 0; i < batch->count; i++)
        store_u64(ids + 8 * i, key_number(minter, batch, i));
}

static size_t
text(const KeyMinter *minter, const uint8_t *id, char *out)
{
    (void)minter;
    return encode_decimal(load_u64(id), out);
}

static void
tell(const uint8_t *id, KeyFacts *facts)
{
    facts->has_counter = true;
    facts->counter = load_u64(id);
    facts_say(facts,
              "number %" PRIu64
              " of its counter: how many rows there are, and with a second id how "
              "fast they come",
              facts->counter);
}

static KeyFit
explain(const char *given, KeyFacts *facts)
{
    uint8_t id[8];
    uint64_t value;
    DecodeFault fault;

    if (!decode_decimal(given, &value, &fault))
        return KEY_FIT_NONE;
    store_u64(id, value);
    tell(id, facts);
    facts->canonical[encode_decimal(value, facts->canonical)] = '\0';
    /* zeros in front are not how a counter prints */
    return value < COUNT_PLAUSIBLE_MAX && (given[0] != '0' || given[1] == '\0') ? KEY_FIT_LIKELY
                                                                                : KEY_FIT_POSSIBLE;
}

static const KeyMaker MAKER = {
    .mint = mint,
    .text = text,
    .tell = tell,
    .explain = explain,
};

const KeyFormat KEY_BIGINT = {
    .name = "bigint",
    .title = "bigint",
    .bits = 64,
    .order = KEY_ORDER_STRICT,
    .text_order = KEY_ORDER_SCRAMBLED,
    .native = KEY_NATIVE_INT64,
    .width_bytes = 8,
    .takes = KEY_TAKES_NUMBER,
    .leaks = "count and rate",
    .text_form = "decimal",
    .source = "PostgreSQL manual, section 5.3",
    .forms = FORMS,
    .form_count = ARRAY_LEN(FORMS),
    .maker = &MAKER,
};
