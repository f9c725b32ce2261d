#include "keys/encode.h"

static bool
fail(DecodeFault *fault, size_t at, const char *wanted)
{
    *fault = (DecodeFault){.at = at, .wanted = wanted};
    return false;
}

static bool
fail_outgrown(DecodeFault *fault, size_t at, const char *outgrown)
{
    *fault = (DecodeFault){.at = at, .outgrown = outgrown};
    return false;
}

/* The value of a digit in any base up to 36, letters of any case; 255 for others. */
static unsigned
digit_value(char digit)
{
    if (digit >= '0' && digit <= '9')
        return (unsigned)(digit - '0');
    if (digit >= 'a' && digit <= 'z')
        return (unsigned)(digit - 'a') + 10;
    if (digit >= 'A' && digit <= 'Z')
        return (unsigned)(digit - 'A') + 10;
    return 255;
}

bool
decode_uuid(const char *text, uint8_t *id, DecodeFault *fault)
{
    bool braces = text[0] == '{';
    size_t at = braces;

    for (size_t digit = 0; digit < UUID_DIGITS; digit++) {
        unsigned value = digit_value(text[at]);

        if (value > 15)
            return fail(fault, at, "a hexadecimal digit");
        id[digit / 2] = (uint8_t)((unsigned)id[digit / 2] << 4 | value);
        at++;
        if (text[at] == '-' && digit % 4 == 3 && digit < UUID_DIGITS - 1)
            at++;
    }
    if (braces && text[at++] != '}')
        return fail(fault, at - 1, "\"}\"");
    return text[at] == '\0' || fail(fault, at, "the end");
}

static unsigned
base32_value(char letter, Base32Case strictness)
{
    /* of the letters a to z; 255 for those that the alphabet leaves out */
    static const uint8_t LETTERS[] = {10, 11,  12, 13, 14, 15, 16, 17,  255, 18, 19, 255, 20,
                                      21, 255, 22, 23, 24, 25, 26, 255, 27,  28, 29, 30,  31};
    bool upper = letter >= 'A' && letter <= 'Z';
    char lower = (char)(upper ? letter - 'A' + 'a' : letter);

    if (lower >= '0' && lower <= '9')
        return (unsigned)(lower - '0');
    if (lower < 'a' || lower > 'z' || (upper && strictness == BASE32_STRICT))
        return 255;
    if (strictness == BASE32_LAX && (lower == 'i' || lower == 'l'))
        return 1;
    if (strictness == BASE32_LAX && lower == 'o')
        return 0;
    return LETTERS[lower - 'a'];
}

bool
decode_base32(const char *text, Base32Case strictness, uint8_t *id, DecodeFault *fault)
{
    uint64_t high = 0, low = 0;

    for (size_t i = 0; i < BASE32_LENGTH; i++) {
        unsigned value = base32_value(text[i], strictness);

        if (value > 31)
            return fail(fault, i,
                        strictness == BASE32_LAX ? "a Crockford base32 character (no U)"
                                                 : "a base32 character (0-9, a-z without i, l, o, "
                                                   "u)");
        if (i == 0 && value > 7)
            return fail_outgrown(fault, i, "128 bits (its first character is 0 to 7)");
        high = high << 5 | low >> 59;
        low = low << 5 | value;
    }
    store_u64(id, high);
    store_u64(id + 8, low);
    return text[BASE32_LENGTH] == '\0' || fail(fault, BASE32_LENGTH, "the end");
}

/* In ASCII order, so digits, upper case, lower case. */
static unsigned
base62_value(char letter)
{
    unsigned value = digit_value(letter);

    return letter >= 'a' && letter <= 'z' ? value + 26 : value;
}

/* Multiply by 62 and add; false when the number outgrows 160 bits. */
static bool
shift_in(uint32_t *words, unsigned value)
{
    uint64_t carry = value;

    for (size_t i = KSUID_BYTES / 4; i-- > 0;) {
        carry += (uint64_t)words[i] * 62;
        words[i] = (uint32_t)carry;
        carry >>= 32;
    }
    return carry == 0;
}

bool
decode_base62(const char *text, uint8_t *id, DecodeFault *fault)
{
    uint32_t words[KSUID_BYTES / 4] = {0};

    for (size_t i = 0; i < KSUID_TEXT_LENGTH; i++) {
        unsigned value = base62_value(text[i]);

        if (value > 61)
            return fail(fault, i, "a letter or digit");
        if (!shift_in(words, value))
            return fail_outgrown(fault, i, "160 bits");
    }
    for (size_t i = 0; i < KSUID_BYTES / 4; i++)
        store_u32(id + 4 * i, words[i]);
    return text[KSUID_TEXT_LENGTH] == '\0' || fail(fault, KSUID_TEXT_LENGTH, "the end");
}

bool
decode_decimal(const char *text, uint64_t *value, DecodeFault *fault)
{
    uint64_t number = 0;
    size_t at = 0;

    do {
        unsigned digit = digit_value(text[at]);

        if (digit > 9)
            return fail(fault, at, "a decimal digit");
        if (number > ((uint64_t)INT64_MAX - digit) / 10)
            return fail_outgrown(fault, at, "the largest bigint, 9223372036854775807");
        number = number * 10 + digit;
    } while (text[++at] != '\0');
    *value = number;
    return true;
}
