/*
 * Sqids as keys: the database holds the counter, the reader sees its Sqid. Stored as text it sorts
 * by nothing.
 */
#include "base/mem.h"
#include "keys/encode.h"
#include "keys/facts.h"
#include "keys/sqids_code.h"

#include <inttypes.h>
#include <stdlib.h>

enum { NUMBERS_MAX = 16 };

static const KeyForm FORMS[] = {
    {"bigint", "bigint", NULL, KEY_FORM_NATIVE},
    {"text-c", "text", "C", KEY_FORM_TEXT},
};

/* The code, and one without blocklist for the numbers whose every text holds a blocked word. */
typedef struct SqidsPair {
    SqidsCode *code, *unblocked;
} SqidsPair;

static void
close_pair(void *own)
{
    SqidsPair *pair = own;

    if (pair == NULL)
        return;
    sqids_code_free(pair->code);
    sqids_code_free(pair->unblocked);
    free(pair);
}

static Status
open_pair(KeyMinter *minter, Diag *diag)
{
    const KeyParams *params = &minter->params;
    SqidsPair *pair = mem_new(1, sizeof(*pair));
    Status status;

    minter->own = pair;
    status = sqids_code_new(params->alphabet, params->length, params->blocklist, &pair->code, diag);
    if (status == STATUS_OK)
        status = sqids_code_new(params->alphabet, params->length, "", &pair->unblocked, diag);
    return status;
}

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
    const SqidsPair *pair = minter->own;
    uint64_t number = load_u64(id);
    size_t room = KEY_TEXT_MAX - minter->prefix_length;
    size_t length = sqids_encode(pair->code, &number, 1, out, room);

    return length > 0 ? length : sqids_encode(pair->unblocked, &number, 1, out, room);
}

/* Write what an encoder with this blocklist makes of the numbers; "" when it makes nothing. */
static void
encode_again(const uint64_t *numbers, size_t count, size_t length, const char *blocklist,
             char *again)
{
    SqidsCode *code = NULL;
    Diag diag;

    again[0] = '\0';
    if (length <= SQIDS_LENGTH_MAX &&
        sqids_code_new(NULL, (unsigned)length, blocklist, &code, &diag) == STATUS_OK &&
        sqids_encode(code, numbers, count, again, SQIDS_LENGTH_MAX + 1) == 0)
        again[0] = '\0';
    sqids_code_free(code);
}

static bool
encodes_back(const char *given, const uint64_t *numbers, size_t count, const char *blocklist)
{
    char again[SQIDS_LENGTH_MAX + 1];

    encode_again(numbers, count, strlen(given), blocklist, again);
    return strcmp(again, given) == 0;
}

static size_t
decode(const char *given, uint64_t *numbers)
{
    SqidsCode *code = NULL;
    size_t count = 0;
    Diag diag;

    if (sqids_code_new(NULL, 0, "", &code, &diag) == STATUS_OK)
        count = sqids_decode(code, given, numbers, NUMBERS_MAX);
    sqids_code_free(code);
    return count;
}

bool
sqids_nearest(const char *given, char *nearest)
{
    uint64_t numbers[NUMBERS_MAX];
    size_t count = decode(given, numbers);

    nearest[0] = '\0';
    if (count > 0)
        encode_again(numbers, count, 0, NULL, nearest);
    return nearest[0] != '\0';
}

static void
say_numbers(KeyFacts *facts, const uint64_t *numbers, size_t count)
{
    facts_say(facts, "the number%s ", count > 1 ? "s" : "");
    for (size_t i = 0; i < count; i++)
        facts_say(facts, "%s%" PRIu64, i > 0 ? ", " : "", numbers[i]);
    facts_say(facts, " behind it: of a counter, how many rows there are and how fast they come");
}

/* Of the default alphabet; other ones cannot be told from noise. */
static KeyFit
explain(const char *given, KeyFacts *facts)
{
    uint64_t numbers[NUMBERS_MAX];
    size_t count = decode(given, numbers);

    if (count == 0 ||
        (!encodes_back(given, numbers, count, NULL) && !encodes_back(given, numbers, count, "")))
        return KEY_FIT_NONE;
    memcpy(facts->canonical, given, strlen(given));
    facts->has_counter = count == 1;
    facts->counter = count == 1 ? numbers[0] : 0;
    say_numbers(facts, numbers, count);
    return KEY_FIT_POSSIBLE;
}

static const KeyMaker MAKER = {
    .open = open_pair,
    .close = close_pair,
    .mint = mint,
    .text = text,
    .explain = explain,
};

const KeyFormat KEY_SQIDS = {
    .name = "sqids",
    .title = "Sqids",
    .bits = 64,
    .order = KEY_ORDER_STRICT,
    .text_order = KEY_ORDER_NONE,
    .native = KEY_NATIVE_INT64,
    .width_bytes = 8,
    .takes = KEY_TAKES_ALPHABET | KEY_TAKES_BLOCKLIST | KEY_TAKES_NUMBER,
    .leaks = "count and rate, once decoded",
    .text_form = "short, alphabet of its own",
    .source = "Sqids specification",
    .forms = FORMS,
    .form_count = ARRAY_LEN(FORMS),
    .maker = &MAKER,
};
