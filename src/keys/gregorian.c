#include "keys/gregorian.h"

#include "keys/facts.h"

#include <inttypes.h>

#define TICKS_PER_S UINT64_C(10000000)
#define TICKS_1582_TO_1970 UINT64_C(0x01b21dd213814000)
#define MAC_MAX UINT64_C(0xffffffffffff)
#define MULTICAST_BIT (UINT64_C(1) << 40)

Status
gregorian_check(const KeyParams *params, Diag *diag)
{
    if (params->mac <= MAC_MAX)
        return STATUS_OK;
    diag_set(diag, STATUS_USAGE, "node %" PRIx64 " has more than 48 bits", params->mac);
    diag_hint(diag, "A MAC address has 12 hexadecimal digits.");
    return diag->status;
}

void
gregorian_start(KeyMinter *minter, KeyNode *node)
{
    uint64_t words[2];

    entropy_words(&node->entropy, words, 2);
    node->counter = words[0] & 0x3fff;
    if (minter->params.mac != 0)
        node->machine = (minter->params.mac + node->number) & MAC_MAX;
    else
        node->machine = (words[1] & MAC_MAX) | MULTICAST_BIT;
}

GregorianStamp
gregorian_next(KeyNode *node, const KeyBatch *batch, size_t i)
{
    uint64_t ticks = batch->times_ns[i] / 100 + TICKS_1582_TO_1970;

    if (batch->independent)
        node->counter = batch->words[i] & 0x3fff;
    else if (ticks < node->next_time)
        ticks = node->next_time;
    node->next_time = ticks + 1;
    return (GregorianStamp){ticks, node->counter << 48 | node->machine};
}

void
gregorian_facts(uint64_t ticks, uint64_t tail, KeyFacts *facts)
{
    const int64_t offset_s = (int64_t)(TICKS_1582_TO_1970 / TICKS_PER_S);
    uint64_t mac = tail & MAC_MAX;

    facts_set_time(facts, (int64_t)(ticks / TICKS_PER_S) - offset_s,
                   (uint32_t)(ticks % TICKS_PER_S) * 100, 100);
    facts->has_sequence = true;
    facts->sequence = tail >> 48 & 0x3fff;
    snprintf(facts->machine, sizeof(facts->machine), "%02x:%02x:%02x:%02x:%02x:%02x",
             (unsigned)(mac >> 40), (unsigned)(mac >> 32 & 255), (unsigned)(mac >> 24 & 255),
             (unsigned)(mac >> 16 & 255), (unsigned)(mac >> 8 & 255), (unsigned)(mac & 255));
    facts_say_time(facts);
    facts_say(facts, ", on node %s (%s)", facts->machine,
              mac & MULTICAST_BIT ? "random, kept by one generator"
                                  : "the MAC address of a network card");
}
