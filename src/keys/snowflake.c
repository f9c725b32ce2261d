/*
 * Snowflake: 41 bits of milliseconds since an epoch, 10 of machine, 12 of sequence. A sequence that
 * runs over within its millisecond goes on in the next one, as a generator that waits would. The
 * epoch is Twitter's unless given: ids of another one show wrong times. Source: Twitter's Snowflake
 * (2010), IdWorker.
 */
#include "base/clock.h"
#include "keys/encode.h"
#include "keys/facts.h"

#include <inttypes.h>

enum { MACHINE_MAX = 1023, SEQUENCE_MAX = 4095 };

#define TWITTER_EPOCH_MS INT64_C(1288834974657)
#define SPAN_MS (UINT64_C(1) << 41)

/* Above this a double loses the number, and its time is more than 24 days after the epoch. */
#define LIKELY_MIN (UINT64_C(1) << 53)
/* Below this it would be within four minutes of the epoch. */
#define POSSIBLE_MIN (UINT64_C(1) << 40)

static const KeyForm FORMS[] = {
    {"bigint", "bigint", NULL, KEY_FORM_NATIVE},
    {"text-c", "text", "C", KEY_FORM_TEXT},
    {"numeric", "numeric", NULL, KEY_FORM_NUMERIC},
};

static int64_t
epoch(const KeyParams *params)
{
    return params->epoch_given || params->epoch_ms != 0 ? params->epoch_ms : TWITTER_EPOCH_MS;
}

static Status
check(const KeyParams *params, Diag *diag)
{
    if (params->machine > MACHINE_MAX) {
        diag_set(diag, STATUS_USAGE, "Snowflake machine %u has more than 10 bits", params->machine);
        diag_hint(diag, "A machine id is 0 to %d.", MACHINE_MAX);
        return diag->status;
    }
    return key_check_clock(params, epoch(params), SPAN_MS, "Snowflake", diag);
}

static void
start(KeyMinter *minter, KeyNode *node)
{
    node->machine = (minter->params.machine + node->number) & MACHINE_MAX;
}

/* Put the next id's millisecond (since 1970) and sequence in the node. */
static void
advance(KeyNode *node, uint64_t time_ms)
{
    if (time_ms >= node->next_time) {
        node->next_time = time_ms + 1;
        node->counter = 0;
    } else if (++node->counter > SEQUENCE_MAX) {
        node->next_time++;
        node->counter = 0;
    }
}

static void
mint(KeyMinter *minter, KeyNode *node, const KeyBatch *batch, uint8_t *ids)
{
    uint64_t epoch_ms = (uint64_t)epoch(&minter->params);

    for (size_t i = 0; i < batch->count; i++) {
        uint64_t time_ms = batch->times_ns[i] / NS_PER_MS;

        if (batch->independent) { /* late arrivals differ in sequence, lest two of one moment clash
                                   */
            node->next_time = time_ms + 1;
            node->counter = (node->counter + 1) & SEQUENCE_MAX;
        } else {
            advance(node, time_ms);
        }
        store_u64(ids + 8 * i, ((node->next_time - 1 - epoch_ms) & (SPAN_MS - 1)) << 22 |
                                   node->machine << 12 | node->counter);
    }
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
    uint64_t value = load_u64(id);

    facts_set_time_ms(facts, (int64_t)(value >> 22) + TWITTER_EPOCH_MS);
    snprintf(facts->machine, sizeof(facts->machine), "%" PRIu64, value >> 12 & MACHINE_MAX);
    facts->has_sequence = true;
    facts->sequence = value & SEQUENCE_MAX;
    facts_say_time(facts);
    facts_say(facts,
              " by machine %s, number %" PRIu64 " of that millisecond (if its epoch is "
              "Twitter's)",
              facts->machine, facts->sequence);
}

static KeyFit
explain(const char *given, KeyFacts *facts)
{
    uint8_t id[8];
    uint64_t value;
    DecodeFault fault;

    if (!decode_decimal(given, &value, &fault) || value < POSSIBLE_MIN)
        return KEY_FIT_NONE;
    store_u64(id, value);
    tell(id, facts);
    facts->canonical[encode_decimal(value, facts->canonical)] = '\0';
    return value >= LIKELY_MIN ? KEY_FIT_LIKELY : KEY_FIT_POSSIBLE;
}

static const KeyMaker MAKER = {
    .check = check,
    .start = start,
    .mint = mint,
    .text = text,
    .tell = tell,
    .explain = explain,
};

const KeyFormat KEY_SNOWFLAKE = {
    .name = "snowflake",
    .title = "Snowflake",
    .bits = 64,
    .order = KEY_ORDER_STRICT,
    .text_order = KEY_ORDER_STRICT,
    .native = KEY_NATIVE_INT64,
    .width_bytes = 8,
    .takes = KEY_TAKES_TIME | KEY_TAKES_MACHINE,
    .leaks = "creation time to the millisecond, machine, sequence",
    .text_form = "decimal",
    .source = "Twitter Snowflake, IdWorker",
    .forms = FORMS,
    .form_count = ARRAY_LEN(FORMS),
    .maker = &MAKER,
};
