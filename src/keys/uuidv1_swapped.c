/*
 * UUIDv1 as MySQL's UUID_TO_BIN(UUID(), 1) stores it: time_high with the version in front, then
 * time_mid and time_low, so that ids sort by time. A uuid column prints the swapped bytes; the
 * facts give the UUIDv1 behind them. Source: MySQL 8.0 manual, section 14.23.
 */
#include "keys/facts.h"
#include "keys/gregorian.h"
#include "keys/uuid.h"

static void
mint(KeyMinter *minter, KeyNode *node, const KeyBatch *batch, uint8_t *ids)
{
    (void)minter;
    for (size_t i = 0; i < batch->count; i++) {
        GregorianStamp stamp = gregorian_next(node, batch, i);
        uint8_t *id = ids + i * UUID_BYTES;

        store_u64(id, UINT64_C(1) << 60 | stamp.ticks);
        store_u64(id + 8, UINT64_C(2) << 62 | stamp.tail);
    }
}

static void
tell(const uint8_t *id, KeyFacts *facts)
{
    uint64_t ticks = load_u64(id) & (UINT64_MAX >> 4);
    uint64_t tail = load_u64(id + 8);
    uint8_t unswapped[UUID_BYTES];

    gregorian_facts(ticks, tail, facts);
    uuid_store(unswapped, 1, ticks << 32 | (ticks >> 32 & 0xffff) << 16 | ticks >> 48, tail);
    facts_set_uuid(facts, unswapped);
    facts->version = 1;
}

static KeyFit
explain(const char *text, KeyFacts *facts)
{
    uint8_t id[UUID_BYTES];

    if (!uuid_open_text(text, id, facts) || id[0] >> 4 != 1 || facts->variant != 1)
        return KEY_FIT_NONE;
    tell(id, facts);
    return facts_time_plausible(facts) ? KEY_FIT_POSSIBLE : KEY_FIT_NONE;
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

const KeyFormat KEY_UUIDV1_SWAPPED = {
    .name = "uuidv1-swapped",
    .title = "UUIDv1 (swapped)",
    .bits = 128,
    .order = KEY_ORDER_STRICT,
    .text_order = KEY_ORDER_STRICT,
    .native = KEY_NATIVE_UUID,
    .width_bytes = UUID_BYTES,
    .takes = KEY_TAKES_TIME | KEY_TAKES_MAC,
    .leaks = "creation time to 100 ns, node (MAC address)",
    .text_form = "36 hexadecimal",
    .source = "MySQL 8.0 manual, UUID_TO_BIN(uuid, 1)",
    .forms = UUID_FORMS,
    .form_count = UUID_FORM_COUNT,
    .maker = &MAKER,
};
