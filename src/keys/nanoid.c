/*
 * NanoID: random characters of an alphabet, 21 of 64 unless told otherwise. Bits that would make
 * one character likelier than another are thrown away, so every alphabet is drawn from evenly.
 * Source: github.com/ai/nanoid (default alphabet and length, and the rejection).
 */
#include "keys/facts.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

enum { DEFAULT_LENGTH = 21, ALPHABET_MIN = 2, WORDS_MAX = KEY_WIDTH_MAX };

static const char DEFAULT_ALPHABET[] =
    "useandom-26T198340PX75pxJACKVERYMINDBUSHWOLF_GQZbfghjklqvwyzrict";

static const KeyForm FORMS[] = {
    {"text-c", "text", "C", KEY_FORM_TEXT},
    {"text-icu", "text", "en-x-icu", KEY_FORM_TEXT},
    {"varchar", "varchar(21)", "C", KEY_FORM_TEXT},
    {"char", "char(21)", "C", KEY_FORM_TEXT},
};

/* How the alphabet is drawn from. */
typedef struct NanoidDraw {
    char alphabet[128];
    unsigned size;
    unsigned bits;     /* of one draw: 2^bits >= size */
    unsigned per_word; /* draws of one random word */
    unsigned words;    /* random words that an id needs when nothing is thrown away */
} NanoidDraw;

static const char *
alphabet_of(const KeyParams *params)
{
    return params->alphabet != NULL ? params->alphabet : DEFAULT_ALPHABET;
}

static Status
check(const KeyParams *params, Diag *diag)
{
    if (params->length > KEY_WIDTH_MAX) {
        diag_set(diag, STATUS_USAGE, "NanoID length %u is too long", params->length);
        diag_hint(diag, "The length is 1 to %d.", KEY_WIDTH_MAX);
        return diag->status;
    }
    return key_check_alphabet(alphabet_of(params), ALPHABET_MIN, "NanoID", diag);
}

static Status
open_draw(KeyMinter *minter, Diag *diag)
{
    const char *alphabet = alphabet_of(&minter->params);
    NanoidDraw *draw = mem_new(1, sizeof(*draw));

    (void)diag;
    if (minter->params.length != 0)
        minter->width_bytes = minter->params.length;
    draw->size = (unsigned)strlen(alphabet);
    memcpy(draw->alphabet, alphabet, draw->size);
    while (1u << draw->bits < draw->size)
        draw->bits++;
    draw->per_word = 64 / draw->bits;
    draw->words = ((unsigned)minter->width_bytes + draw->per_word - 1) / draw->per_word;
    minter->own = draw;
    return STATUS_OK;
}

static void
mint_one(const NanoidDraw *draw, Entropy *entropy, uint8_t *id, size_t length)
{
    uint64_t words[WORDS_MAX];
    uint64_t mask = (UINT64_C(1) << draw->bits) - 1;
    size_t done = 0;

    while (done < length) {
        size_t count = done == 0 ? draw->words : 1;

        entropy_words(entropy, words, count);
        for (size_t at = 0; at < count; at++) {
            for (unsigned i = 0; i < draw->per_word && done < length; i++) {
                uint64_t index = words[at] & mask;

                words[at] >>= draw->bits;
                if (index < draw->size)
                    id[done++] = (uint8_t)draw->alphabet[index];
            }
        }
    }
}

static void
mint(KeyMinter *minter, KeyNode *node, const KeyBatch *batch, uint8_t *ids)
{
    size_t length = minter->width_bytes;

    for (size_t i = 0; i < batch->count; i++)
        mint_one(minter->own, &node->entropy, ids + i * length, length);
}

static size_t
text(const KeyMinter *minter, const uint8_t *id, char *out)
{
    memcpy(out, id, minter->width_bytes);
    return minter->width_bytes;
}

static KeyFit
explain(const char *given, KeyFacts *facts)
{
    size_t letters = 0;

    if (strspn(given, DEFAULT_ALPHABET) != DEFAULT_LENGTH || given[DEFAULT_LENGTH] != '\0')
        return KEY_FIT_NONE;
    for (size_t i = 0; i < DEFAULT_LENGTH; i++)
        letters += isalpha((unsigned char)given[i]) != 0;
    memcpy(facts->canonical, given, DEFAULT_LENGTH);
    facts_say(facts, "nothing: 126 random bits");
    return letters > 0 ? KEY_FIT_LIKELY : KEY_FIT_POSSIBLE;
}

static const KeyMaker MAKER = {
    .check = check,
    .open = open_draw,
    .close = free,
    .mint = mint,
    .text = text,
    .explain = explain,
};

const KeyFormat KEY_NANOID = {
    .name = "nanoid",
    .title = "NanoID",
    .bits = 0,
    .order = KEY_ORDER_NONE,
    .text_order = KEY_ORDER_NONE,
    .native = KEY_NATIVE_TEXT,
    .width_bytes = DEFAULT_LENGTH,
    .takes = KEY_TAKES_ALPHABET,
    .leaks = "nothing",
    .text_form = "21 of a 64-letter alphabet",
    .source = "NanoID reference implementation",
    .forms = FORMS,
    .form_count = ARRAY_LEN(FORMS),
    .maker = &MAKER,
};
