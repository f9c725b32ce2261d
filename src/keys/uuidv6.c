#include "keys/facts.h"
#include "keys/gregorian.h"
#include "keys/uuid.h"

/* UUIDv1's ticks from the highest bit down, 12 of them after the version. */
static void
mint(KeyMinter *minter, KeyNode *node, const KeyBatch *batch, uint8_t *ids)
{
    (void)minter;
    for (size_t i = 0; i < batch->count; i++) {
        GregorianStamp stamp = gregorian_next(node, batch, i);

        uuid_store(ids + i * UUID_BYTES, 6, stamp.ticks >> 12 << 16 | (stamp.ticks & 0xfff),
                   stamp.tail);
    }
}

static void
tell(const uint8_t *id, KeyFacts *facts)
{
    uint64_t high = load_u64(id);

    gregorian_facts(high >> 16 << 12 | (high & 0xfff), load_u64(id + 8), facts);
}

static KeyFit
explain(const char *text, KeyFacts *facts)
{
    return uuid_explain_version(text, 6, facts);
}

static const KeyMaker MAKER = {
    .word_count = 1,
    .check = gregorian_check,
    .start = gregorian_start,
    .mint = mint,
    .text = uuid_text,
    .tell = tell,
    .explain = explain,
};

const KeyFormat KEY_UUIDV6 = {
    .name = "uuidv6",
    .title = "UUIDv6",
    .bits = 128,
    .order = KEY_ORDER_STRICT,
    .text_order = KEY_ORDER_STRICT,
    .native = KEY_NATIVE_UUID,
    .width_bytes = UUID_BYTES,
    .takes = KEY_TAKES_TIME | KEY_TAKES_MAC,
    .leaks = "creation time to 100 ns, node (MAC address)",
    .text_form = "36 hexadecimal",
    .source = "RFC 9562, section 5.6",
    .forms = UUID_FORMS,
    .form_count = UUID_FORM_COUNT,
    .maker = &MAKER,
};
