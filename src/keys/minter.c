#include "base/clock.h"
#include "base/mem.h"
#include "keys/format_impl.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static Status
check_clock(const KeyParams *params, Diag *diag)
{
    const KeyClock *clock = &params->clock;
    uint64_t span_ns = clock->mode == KEY_CLOCK_WINDOW ? clock->span_ns : 1;

    if (clock->mode == KEY_CLOCK_REAL)
        return STATUS_OK;
    if (span_ns == 0)
        return diag_set(diag, STATUS_USAGE, "the window of creation times is empty");
    if (clock->start_ns <= INT64_MAX && span_ns <= INT64_MAX - clock->start_ns)
        return STATUS_OK;
    diag_set(diag, STATUS_USAGE, "creation time %" PRIu64 " ns is too late", clock->start_ns);
    diag_hint(diag, "Times go up to the year 2262.");
    return diag->status;
}

static Status
check_nodes(const KeyParams *params, Diag *diag)
{
    const uint64_t year_ns = 366 * UINT64_C(86400) * NS_PER_S;

    if (params->node_count < 1 || params->node_count > KEY_NODES_MAX) {
        diag_set(diag, STATUS_USAGE, "node count %u is out of range", params->node_count);
        diag_hint(diag, "There are 1 to %d interleaved generators.", KEY_NODES_MAX);
        return diag->status;
    }
    if (params->node_skew_ns <= year_ns)
        return STATUS_OK;
    diag_set(diag, STATUS_USAGE, "clock skew %" PRIu64 " ns is out of range", params->node_skew_ns);
    diag_hint(diag, "Clocks differ by a year at most.");
    return diag->status;
}

static Status
check_prefix(const char *prefix, Diag *diag)
{
    size_t bad;

    if (prefix == NULL || key_prefix_fits(prefix, strlen(prefix), &bad))
        return STATUS_OK;
    diag_set(diag, STATUS_USAGE, "prefix \"%.80s\": character %zu does not fit", prefix, bad + 1);
    diag_hint(diag,
              "A prefix has 1 to %d characters a to z, with \"_\" inside only (TypeID's rules).",
              KEY_PREFIX_MAX);
    return diag->status;
}

static Status
check_number(uint64_t number, Diag *diag)
{
    if (number <= INT64_MAX)
        return STATUS_OK;
    diag_set(diag, STATUS_USAGE, "number %" PRIu64 " is over the largest bigint", number);
    diag_hint(diag, "Numbers go up to %" PRId64 ".", INT64_MAX);
    return diag->status;
}

static Status
check_params(const KeyFormat *format, const KeyParams *params, Diag *diag)
{
    Status status = check_nodes(params, diag);

    if (status == STATUS_OK && (format->takes & KEY_TAKES_TIME) != 0)
        status = check_clock(params, diag);
    if (status == STATUS_OK)
        status = check_prefix(params->prefix, diag);
    if (status == STATUS_OK)
        status = check_number(params->first_number, diag);
    if (status == STATUS_OK && format->maker->check != NULL)
        status = format->maker->check(params, diag);
    return status;
}

/* a + b * c, or UINT64_MAX where that is more. */
static uint64_t
add_steps(uint64_t a, uint64_t b, uint64_t c)
{
    uint64_t product, sum;

    if (__builtin_mul_overflow(b, c, &product) || __builtin_add_overflow(a, product, &sum))
        return UINT64_MAX;
    return sum;
}

Status
key_check_count(const KeyFormat *format, const KeyParams *params, uint64_t count, Diag *diag)
{
    KeyParams last = *params; /* a minter that starts with the last id */

    if ((format->takes & KEY_TAKES_NUMBER) != 0)
        last.first_number = add_steps(key_first_number(params), count - 1,
                                      params->number_step != 0 ? params->number_step : 1);
    if (params->clock.mode == KEY_CLOCK_STEP)
        last.clock.start_ns = add_steps(params->clock.start_ns, count - 1, params->clock.step_ns);
    return check_params(format, &last, diag);
}

/* Seed all streams from one: each node's, and that of the window's moments. */
static void
seed_streams(KeyMinter *minter)
{
    const KeyParams *params = &minter->params;
    Entropy kernel = {0};
    uint64_t root;
    Rng rng;

    if (params->seeded) {
        rng_init(&rng, params->seed, params->stream);
        root = rng_next(&rng);
    } else {
        entropy_words(&kernel, &root, 1);
    }
    for (unsigned i = 0; i < params->node_count && params->seeded; i++)
        entropy_seed(&minter->nodes[i].entropy, root, i);
    rng_init(&minter->moments, root, KEY_NODES_MAX);
}

static void
start_nodes(KeyMinter *minter)
{
    const KeyParams *params = &minter->params;

    for (unsigned i = 0; i < params->node_count; i++) {
        KeyNode *node = &minter->nodes[i];

        node->number = i;
        if (params->node_count > 1) /* up to a year times 64 fits 64 bits */
            node->skew_ns = params->node_skew_ns * i / (params->node_count - 1);
        if (minter->format->maker->start != NULL)
            minter->format->maker->start(minter, node);
    }
}

Status
key_minter_new(const KeyFormat *format, const KeyParams *params, KeyMinter **minter, Diag *diag)
{
    Status status = check_params(format, params, diag);
    KeyMinter *made;

    if (status != STATUS_OK)
        return status;
    made = mem_new(1, sizeof(*made));
    made->format = format;
    made->params = *params;
    made->width_bytes = format->width_bytes;
    if (params->prefix != NULL && params->prefix[0] != '\0')
        made->prefix_length = strlen(params->prefix) + 1;
    if (format->maker->open != NULL)
        status = format->maker->open(made, diag);
    if (status != STATUS_OK) {
        key_minter_free(made);
        return status;
    }
    made->nodes = mem_new(params->node_count, sizeof(*made->nodes));
    seed_streams(made);
    start_nodes(made);
    *minter = made;
    return STATUS_OK;
}

void
key_minter_free(KeyMinter *minter)
{
    if (minter == NULL)
        return;
    if (minter->format->maker->close != NULL)
        minter->format->maker->close(minter->own);
    free(minter->nodes);
    free(minter);
}

size_t
key_width_bytes(const KeyMinter *minter)
{
    return minter->width_bytes;
}

/* The clock's moment for each of the next `count` ids. */
static void
read_clock(KeyMinter *minter, uint64_t *times_ns, size_t count)
{
    const KeyClock *clock = &minter->params.clock;
    uint64_t start_ns = clock->start_ns, step_ns = clock->step_ns;

    if (clock->mode == KEY_CLOCK_WINDOW) {
        for (size_t i = 0; i < count; i++)
            times_ns[i] = start_ns + rng_below(&minter->moments, clock->span_ns);
        return;
    }
    if (clock->mode == KEY_CLOCK_REAL) {
        start_ns = clock_wall_ns();
        step_ns = 0;
    }
    for (size_t i = 0; i < count; i++)
        times_ns[i] = start_ns + (minter->next_index + i) * step_ns;
}

static void
mint_node(KeyMinter *minter, KeyNode *node, KeyBatch *batch, uint8_t *ids)
{
    uint64_t words[KEY_BATCH_MAX * KEY_WORDS_MAX];

    entropy_words(&node->entropy, words, batch->count * minter->format->maker->word_count);
    batch->words = words;
    batch->independent = minter->params.clock.mode == KEY_CLOCK_WINDOW;
    minter->format->maker->mint(minter, node, batch, ids);
}

/* Mint one node's ids of a batch and lay them at its turns: `first`, `first` + node_count, ... */
static void
mint_turns(KeyMinter *minter, size_t first, const uint64_t *times_ns, size_t count, uint8_t *ids)
{
    size_t turn = minter->params.node_count, width = minter->width_bytes;
    KeyNode *node = &minter->nodes[(minter->next_index + first) % turn];
    uint64_t own_times_ns[KEY_BATCH_MAX];
    uint8_t own_ids[KEY_BATCH_MAX * KEY_WIDTH_MAX];
    KeyBatch batch = {
        .times_ns = own_times_ns,
        .first_index = minter->next_index + first,
        .index_step = turn,
    };

    for (size_t at = first; at < count; at += turn)
        own_times_ns[batch.count++] = times_ns[at] + node->skew_ns;
    mint_node(minter, node, &batch, own_ids);
    for (size_t i = 0; i < batch.count; i++)
        memcpy(ids + (first + i * turn) * width, own_ids + i * width, width);
}

static void
mint_interleaved(KeyMinter *minter, const uint64_t *times_ns, size_t count, uint8_t *ids)
{
    size_t nodes = minter->params.node_count;

    for (size_t first = 0; first < nodes && first < count; first++)
        mint_turns(minter, first, times_ns, count, ids);
}

static void
mint_batch(KeyMinter *minter, uint8_t *ids, size_t count)
{
    uint64_t times_ns[KEY_BATCH_MAX];
    KeyBatch batch = {
        .count = count,
        .times_ns = times_ns,
        .first_index = minter->next_index,
        .index_step = 1,
    };

    if ((minter->format->takes & KEY_TAKES_TIME) != 0)
        read_clock(minter, times_ns, count);
    else
        memset(times_ns, 0, count * sizeof(times_ns[0]));
    if (minter->params.node_count == 1)
        mint_node(minter, &minter->nodes[0], &batch, ids);
    else
        mint_interleaved(minter, times_ns, count, ids);
    minter->next_index += count;
}

void
key_mint(KeyMinter *minter, uint8_t *ids, size_t count)
{
    while (count > 0) {
        size_t step = count < KEY_BATCH_MAX ? count : KEY_BATCH_MAX;

        mint_batch(minter, ids, step);
        ids += step * minter->width_bytes;
        count -= step;
    }
}

size_t
key_text(const KeyMinter *minter, const uint8_t *id, char *text)
{
    size_t length = minter->prefix_length;

    if (length > 0) {
        memcpy(text, minter->params.prefix, length - 1);
        text[length - 1] = '_';
    }
    length += minter->format->maker->text(minter, id, text + length);
    text[length] = '\0';
    return length;
}
