#include "keys/facts.h"
#include "keys/uuid.h"

static void
mint(KeyMinter *minter, KeyNode *node, const KeyBatch *batch, uint8_t *ids)
{
    (void)minter;
    (void)node;
    for (size_t i = 0; i < batch->count; i++)
        uuid_store(ids + i * UUID_BYTES, 4, batch->words[2 * i], batch->words[2 * i + 1]);
}

static void
tell(const uint8_t *id, KeyFacts *facts)
{
    (void)id;
    facts_say(facts, "nothing: 122 random bits");
}

static KeyFit
explain(const char *text, KeyFacts *facts)
{
    return uuid_explain_version(text, 4, facts);
}

static const KeyMaker MAKER = {
    .word_count = 2,
    .mint = mint,
    .text = uuid_text,
    .tell = tell,
    .explain = explain,
};

const KeyFormat KEY_UUIDV4 = {
    .name = "uuidv4",
    .title = "UUIDv4",
    .bits = 128,
    .order = KEY_ORDER_NONE,
    .text_order = KEY_ORDER_NONE,
    .native = KEY_NATIVE_UUID,
    .width_bytes = UUID_BYTES,
    .leaks = "nothing",
    .text_form = "36 hexadecimal",
    .source = "RFC 9562, section 5.4",
    .forms = UUID_FORMS,
    .form_count = UUID_FORM_COUNT,
    .maker = &MAKER,
};
