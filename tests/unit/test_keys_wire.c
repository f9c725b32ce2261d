/* Storage forms: what goes over the wire, and the SQL type that takes it. */
#include "base/rng.h"
#include "keys/encode.h"
#include "unit/test_keys_help.h"

#include <stdio.h>

__extension__ typedef unsigned __int128 Wide;

static unsigned
load_u16(const uint8_t *bytes)
{
    return (unsigned)bytes[0] << 8 | bytes[1];
}

/* Read numeric's wire format as an unsigned integer; false when the server would not print it so.
 */
static bool
read_numeric(const uint8_t *wire, size_t length, Wide *value)
{
    size_t count = load_u16(wire), weight = load_u16(wire + 2);

    *value = 0;
    if (length != 8 + 2 * count || load_u16(wire + 4) != 0 || load_u16(wire + 6) != 0)
        return false;
    for (size_t i = 0; i < count; i++) {
        unsigned digit = load_u16(wire + 8 + 2 * i);

        if (digit > 9999)
            return false;
        *value = *value * 10000 + digit;
    }
    if (count > 0 && (load_u16(wire + 8) == 0 || load_u16(wire + 6 + 2 * count) == 0))
        return false; /* zeros at an end are not stored */
    for (size_t i = count; count > 0 && i <= weight; i++)
        *value *= 10000;
    return true;
}

static void
check_numeric(const KeyMinter *minter, const uint8_t *id, size_t width, const char *label)
{
    const KeyForm form = {"numeric", "numeric", NULL, KEY_FORM_NUMERIC};
    Wide wanted = width == 8 ? load_u64(id) : (Wide)load_u64(id) << 64 | load_u64(id + 8);
    Wide value = ~wanted;
    uint8_t wire[KEY_TEXT_MAX];
    size_t length = key_wire(minter, &form, id, wire);

    tap_ok(read_numeric(wire, length, &value) && value == wanted, label);
}

static void
test_numeric_values(void)
{
    static const struct {
        uint64_t high, low;
        const char *label;
    } cases[] = {
        {0, 0, "zero has no digits"},
        {0, 1, "one"},
        {0, 9999, "one digit"},
        {0, 10000, "a digit and a zero that is not sent"},
        {0, 100000001, "a zero inside"},
        {0, UINT64_C(10000000000000000), "10000 to the fourth"},
        {0, UINT64_C(10000000000000001), "and one"},
        {0, UINT64_MAX, "64 bits"},
        {1, 0, "2^64"},
        {UINT64_C(0x0785ee10d5da46d9), UINT64_C(0x00f436a000000000), "10^37"},
        {UINT64_MAX, UINT64_MAX, "128 bits"},
    };
    KeyParams params = help_params(0);
    KeyMinter *minter = help_minter("uuidv4", &params);
    Rng rng;

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        uint8_t id[16];

        store_u64(id, cases[i].high);
        store_u64(id + 8, cases[i].low);
        check_numeric(minter, id, 16, cases[i].label);
    }
    rng_init(&rng, 3, 0);
    for (int i = 0; i < 200; i++) {
        uint8_t id[16];

        store_u64(id, rng_next(&rng) >> (i % 64));
        store_u64(id + 8, rng_next(&rng));
        check_numeric(minter, id, 16, "random number");
    }
    key_minter_free(minter);
}

static void
test_numeric_bytes(void)
{
    static const uint8_t wanted[] = {0, 2, 0, 1, 0, 0, 0, 0, 0, 12, 0x0d, 0x80}; /* 12 3456 */
    const uint8_t id[8] = {0, 0, 0, 0, 0, 0x01, 0xe2, 0x40};
    KeyParams params = help_params(0);
    KeyMinter *minter = help_minter("snowflake", &params);
    uint8_t wire[KEY_TEXT_MAX];

    tap_u64(key_wire(minter, key_form_find(key_format_find("snowflake"), "numeric"), id, wire),
            sizeof(wanted), "123456 takes two digits");
    tap_ok(memcmp(wire, wanted, sizeof(wanted)) == 0, "count, weight, sign, scale, 12, 3456");
    key_minter_free(minter);
}

/* One form of one format: kind and wire length by its SQL type. */
static void
check_form(const KeyMinter *minter, const KeyForm *form, const uint8_t *id)
{
    char text[KEY_TEXT_MAX], label[80];
    uint8_t wire[KEY_TEXT_MAX];
    size_t length = key_wire(minter, form, id, wire), text_length = key_text(minter, id, text);

    snprintf(label, sizeof(label), "%.40s in %s", text, form->name);
    if (strcmp(form->sql_type, "uuid") == 0)
        tap_ok(length == 16 && memcmp(wire, id, 16) == 0, label);
    else if (strcmp(form->sql_type, "bigint") == 0)
        tap_ok(length == 8 && memcmp(wire, id, 8) == 0, label);
    else if (strcmp(form->sql_type, "bytea") == 0)
        tap_ok(length == key_width_bytes(minter) && memcmp(wire, id, length) == 0, label);
    else if (strcmp(form->sql_type, "numeric") == 0)
        check_numeric(minter, id, key_width_bytes(minter), label);
    else
        tap_ok(length == text_length && memcmp(wire, text, length) == 0, label);
    tap_ok((form->collation != NULL) == (form->kind == KEY_FORM_TEXT), "only text has a collation");
}

static void
test_forms(void)
{
    for (size_t i = 0; i < KEY_FORMAT_COUNT; i++) {
        KeyParams params = help_params(0);
        KeyMinter *minter = help_minter(KEY_FORMATS[i]->name, &params);
        uint8_t id[KEY_WIDTH_MAX];

        key_mint(minter, id, 1);
        for (size_t form = 0; form < KEY_FORMATS[i]->form_count; form++)
            check_form(minter, &KEY_FORMATS[i]->forms[form], id);
        key_minter_free(minter);
    }
}

static void
test_sql_types(void)
{
    static const struct {
        const char *format, *form, *prefix;
        unsigned length;
        const char *sql_type;
    } cases[] = {
        {"uuidv7", "uuid", NULL, 0, "uuid"},
        {"uuidv7", "char", NULL, 0, "char(36)"},
        {"uuidv7", "varchar", "prj", 0, "varchar(40)"},
        {"ulid", "char", NULL, 0, "char(26)"},
        {"ksuid", "char", NULL, 0, "char(27)"},
        {"nanoid", "varchar", NULL, 0, "varchar(21)"},
        {"nanoid", "char", NULL, 8, "char(8)"},
        {"nanoid", "char", "a_b", 64, "char(68)"},
        {"nanoid", "text-icu", "a_b", 64, "text"},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        const KeyFormat *format = key_format_find(cases[i].format);
        KeyParams params = help_params(0);
        char sql_type[KEY_SQL_TYPE_MAX];
        KeyMinter *minter;

        params.prefix = cases[i].prefix;
        params.length = cases[i].length;
        minter = help_minter(cases[i].format, &params);
        key_form_sql_type(minter, key_form_find(format, cases[i].form), sql_type);
        tap_text(sql_type, cases[i].sql_type, cases[i].format);
        key_minter_free(minter);
    }
}

int
main(void)
{
    test_numeric_values();
    test_numeric_bytes();
    test_forms();
    test_sql_types();
    return tap_done();
}
