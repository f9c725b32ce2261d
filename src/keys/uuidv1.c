#include "keys/facts.h"
#include "keys/gregorian.h"
#include "keys/uuid.h"

/* time_low, time_mid, version and time_high: the fast part in front, so ids sort by nothing. */
static void
mint(KeyMinter *minter, KeyNode *node, const KeyBatch *batch, uint8_t *ids)
{
    (void)minter;
    for (size_t i = 0; i < batch->count; i++) {
        GregorianStamp stamp = gregorian_next(node, batch, i);
        uint64_t high = stamp.ticks << 32 | (stamp.ticks >> 32 & 0xffff) << 16 | stamp.ticks >> 48;

        uuid_store(ids + i * UUID_BYTES, 1, high, stamp.tail);
    }
}

static void
tell(const uint8_t *id, KeyFacts *facts)
{
    uint64_t high = load_u64(id);
    uint64_t ticks = (high & 0xfff) << 48 | (high >> 16 & 0xffff) << 32 | high >> 32;

    gregorian_facts(ticks, load_u64(id + 8), facts);
}

static KeyFit
explain(const char *text, KeyFacts *facts)
{
    return uuid_explain_version(text, 1, facts);
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

const KeyFormat KEY_UUIDV1 = {
    .name = "uuidv1",
    .title = "UUIDv1",
    .bits = 128,
    .order = KEY_ORDER_SCRAMBLED,
    .text_order = KEY_ORDER_SCRAMBLED,
    .native = KEY_NATIVE_UUID,
    .width_bytes = UUID_BYTES,
    .takes = KEY_TAKES_TIME | KEY_TAKES_MAC,
    .leaks = "creation time to 100 ns, node (MAC address)",
    .text_form = "36 hexadecimal",
    .source = "RFC 9562, section 5.1",
    .forms = UUID_FORMS,
    .form_count = UUID_FORM_COUNT,
    .maker = &MAKER,
};
