/* Storage forms: their SQL type, and a value on the wire. */
#include "keys/encode.h"
#include "keys/format_impl.h"

#include <stdlib.h>

enum {
    NUMERIC_BASE = 10000,
    NUMERIC_DIGITS_MAX = 10, /* of 128 bits: 39 decimal digits */
    NUMERIC_HEADER_BYTES = 8,
};

__extension__ typedef unsigned __int128 Wide;

static void
store_u16(uint8_t *bytes, unsigned value)
{
    bytes[0] = (uint8_t)(value >> 8);
    bytes[1] = (uint8_t)value;
}

/* Split into base-10000 digits, the highest first, without zeros in front; returns how many. */
static size_t
split_digits(Wide value, unsigned *digits)
{
    const uint64_t four_digits = UINT64_C(10000000000000000); /* 10000^4 */
    unsigned reversed[NUMERIC_DIGITS_MAX + 2];
    size_t count = 0, used;

    while (value > 0) {
        uint64_t rest = (uint64_t)(value % four_digits);

        value /= four_digits;
        for (size_t i = 0; i < 4 && (value > 0 || rest > 0); i++, rest /= NUMERIC_BASE)
            reversed[count++] = (unsigned)(rest % NUMERIC_BASE);
    }
    used = count;
    for (size_t i = 0; i < used; i++)
        digits[i] = reversed[used - 1 - i];
    return used;
}

/*
 * Digit count, weight of the first digit, sign, scale, digits, all of 16 bits; no zero digits at
 * either end. Source: PostgreSQL, numeric_send in src/backend/utils/adt/numeric.c.
 */
static size_t
write_numeric(const uint8_t *id, size_t width, uint8_t *wire)
{
    unsigned digits[NUMERIC_DIGITS_MAX + 2];
    Wide value = width == 8 ? load_u64(id) : (Wide)load_u64(id) << 64 | load_u64(id + 8);
    size_t count = split_digits(value, digits);
    size_t kept = count;

    while (kept > 0 && digits[kept - 1] == 0)
        kept--;
    store_u16(wire, (unsigned)kept);
    store_u16(wire + 2, count > 0 ? (unsigned)count - 1 : 0);
    store_u16(wire + 4, 0);
    store_u16(wire + 6, 0);
    for (size_t i = 0; i < kept; i++)
        store_u16(wire + NUMERIC_HEADER_BYTES + 2 * i, digits[i]);
    return NUMERIC_HEADER_BYTES + 2 * kept;
}

size_t
key_wire(const KeyMinter *minter, const KeyForm *form, const uint8_t *id, uint8_t *wire)
{
    if (form->kind == KEY_FORM_TEXT)
        return key_text(minter, id, (char *)wire);
    if (form->kind == KEY_FORM_NUMERIC)
        return write_numeric(id, minter->width_bytes, wire);
    memcpy(wire, id, minter->width_bytes);
    return minter->width_bytes;
}

void
key_form_sql_type(const KeyMinter *minter, const KeyForm *form, char *sql_type)
{
    const char *sized = strchr(form->sql_type, '(');
    size_t length;

    if (sized == NULL) {
        memcpy(sql_type, form->sql_type, strlen(form->sql_type) + 1);
        return;
    }
    length = minter->format->native == KEY_NATIVE_TEXT ? minter->width_bytes
                                                       : strtoul(sized + 1, NULL, 10);
    snprintf(sql_type, KEY_SQL_TYPE_MAX, "%.*s(%zu)", (int)(sized - form->sql_type), form->sql_type,
             length + minter->prefix_length);
}
