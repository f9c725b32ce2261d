#include "keys/ulid.h"

#include "base/clock.h"
#include "keys/encode.h"
#include "keys/facts.h"
#include "keys/uuid.h"

#include <ctype.h>

const KeyForm ULID_FORMS[ULID_FORM_COUNT] = {
    {"uuid", "uuid", NULL, KEY_FORM_NATIVE},  {"bytea", "bytea", NULL, KEY_FORM_NATIVE},
    {"text-c", "text", "C", KEY_FORM_TEXT},   {"text-icu", "text", "en-x-icu", KEY_FORM_TEXT},
    {"char", "char(26)", "C", KEY_FORM_TEXT},
};

static void
mint(KeyMinter *minter, KeyNode *node, const KeyBatch *batch, uint8_t *ids)
{
    (void)minter;
    (void)node;
    for (size_t i = 0; i < batch->count; i++) {
        uint8_t *id = ids + i * UUID_BYTES;
        uint64_t time_ms = batch->times_ns[i] / NS_PER_MS;

        store_u64(id, time_ms << 16 | (batch->words[2 * i] & 0xffff));
        store_u64(id + 8, batch->words[2 * i + 1]);
    }
}

size_t
ulid_text(const KeyMinter *minter, const uint8_t *id, char *text)
{
    (void)minter;
    encode_base32(id, BASE32_UPPER, text);
    return BASE32_LENGTH;
}

static void
tell(const uint8_t *id, KeyFacts *facts)
{
    facts_set_time_ms(facts, (int64_t)(load_u64(id) >> 16));
    facts_say_time(facts);
}

/* A ULID that a uuid column printed: by its time, when no version of a UUID explains it. */
static KeyFit
explain_uuid(const char *text, KeyFacts *facts)
{
    uint8_t id[UUID_BYTES];
    bool versioned;

    if (!uuid_open_text(text, id, facts))
        return KEY_FIT_NONE;
    versioned = facts->variant == 1 && facts->version >= 1 && facts->version <= 8;
    facts_set_time_ms(facts, (int64_t)(load_u64(id) >> 16));
    if (versioned || !facts_time_plausible(facts))
        return KEY_FIT_NONE;
    facts_say_time(facts);
    facts->version = facts->variant = -1;
    memcpy(facts->canonical, facts->ulid, sizeof(facts->ulid));
    return KEY_FIT_POSSIBLE;
}

static bool
has_letter(const char *text, int (*kind)(int))
{
    for (; *text != '\0'; text++)
        if (kind((unsigned char)*text))
            return true;
    return false;
}

static KeyFit
explain(const char *text, KeyFacts *facts)
{
    uint8_t id[UUID_BYTES];
    DecodeFault fault;

    if (!decode_base32(text, BASE32_LAX, id, &fault))
        return explain_uuid(text, facts);
    facts_set_uuid(facts, id);
    memcpy(facts->canonical, facts->ulid, sizeof(facts->ulid));
    tell(id, facts);
    /* all lower case is how TypeID writes the same 128 bits */
    return has_letter(text, islower) && !has_letter(text, isupper) ? KEY_FIT_POSSIBLE
                                                                   : KEY_FIT_LIKELY;
}

static const KeyMaker MAKER = {
    .word_count = 2,
    .mint = mint,
    .text = ulid_text,
    .tell = tell,
    .explain = explain,
};

const KeyFormat KEY_ULID = {
    .name = "ulid",
    .title = "ULID",
    .bits = 128,
    .order = KEY_ORDER_TIME,
    .text_order = KEY_ORDER_TIME,
    .native = KEY_NATIVE_UUID,
    .width_bytes = UUID_BYTES,
    .takes = KEY_TAKES_TIME,
    .leaks = "creation time to the millisecond",
    .text_form = "26 Crockford base32, upper case",
    .source = "ULID specification",
    .forms = ULID_FORMS,
    .form_count = ULID_FORM_COUNT,
    .maker = &MAKER,
};
