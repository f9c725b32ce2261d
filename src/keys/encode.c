#include "keys/encode.h"

const char BASE32_LOWER[] = "0123456789abcdefghjkmnpqrstvwxyz";
const char BASE32_UPPER[] = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const char BASE62[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

enum {
    KSUID_WORDS = KSUID_BYTES / 4,
    CHUNK_DIGITS = 5,        /* base-62 digits that one pass over the words gives */
    CHUNK_VALUE = 916132832, /* 62^5, the largest power below 2^32 */
};

void
encode_uuid(const uint8_t *id, char *text)
{
    static const char HEX[] = "0123456789abcdef";

    for (size_t i = 0; i < UUID_BYTES; i++) {
        if (i == 4 || i == 6 || i == 8 || i == 10)
            *text++ = '-';
        *text++ = HEX[id[i] >> 4];
        *text++ = HEX[id[i] & 15];
    }
}

void
encode_base32(const uint8_t *id, const char *alphabet, char *text)
{
    uint64_t high = load_u64(id);
    uint64_t low = load_u64(id + 8);

    text[0] = alphabet[high >> 61];
    for (size_t i = 0; i < 12; i++) /* 60 bits */
        text[1 + i] = alphabet[high >> (56 - 5 * i) & 31];
    text[13] = alphabet[(high << 4 | low >> 60) & 31];
    for (size_t i = 0; i < 12; i++)
        text[14 + i] = alphabet[low >> (55 - 5 * i) & 31];
}

/* Divide the number by CHUNK_VALUE in place; returns the remainder. */
static uint32_t
divide_words(uint32_t *words)
{
    uint64_t rest = 0;

    for (size_t i = 0; i < KSUID_WORDS; i++) {
        uint64_t part = rest << 32 | words[i];

        words[i] = (uint32_t)(part / CHUNK_VALUE);
        rest = part % CHUNK_VALUE;
    }
    return (uint32_t)rest;
}

void
encode_base62(const uint8_t *id, char *text)
{
    uint32_t words[KSUID_WORDS];
    size_t at = KSUID_TEXT_LENGTH;

    for (size_t i = 0; i < KSUID_WORDS; i++)
        words[i] = load_u32(id + 4 * i);
    while (at > 0) {
        uint32_t chunk = divide_words(words);

        for (size_t digit = 0; digit < CHUNK_DIGITS && at > 0; digit++) {
            text[--at] = BASE62[chunk % 62];
            chunk /= 62;
        }
    }
}

size_t
encode_decimal(uint64_t value, char *text)
{
    char digits[DECIMAL_MAX_LENGTH];
    size_t at = sizeof(digits);

    do {
        digits[--at] = (char)('0' + value % 10);
        value /= 10;
    } while (value > 0);
    memcpy(text, digits + at, sizeof(digits) - at);
    return sizeof(digits) - at;
}
