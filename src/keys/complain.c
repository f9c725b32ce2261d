#include "keys/complain.h"

#include "base/text.h"
#include "keys/encode.h"
#include "keys/sqids_code.h"
#include "keys/typeid.h"

#include <string.h>

enum { SHOWN_MAX = 64 }; /* bytes of the text in a message */

/* One way a text can look; the first row that fits is complained about. */
typedef struct Shape {
    const char *title; /* with its article */
    bool (*resembles)(const char *text, size_t length);
    bool (*decode)(const char *text, DecodeFault *fault);
} Shape;

static size_t
count_letter(const char *text, char letter)
{
    size_t count = 0;

    for (; *text != '\0'; text++)
        count += *text == letter;
    return count;
}

static bool
resembles_number(const char *text, size_t length)
{
    size_t sign = text[0] == '-' || text[0] == '+';

    return length > sign && text[sign + strspn(text + sign, "0123456789")] == '\0' &&
           length != BASE32_LENGTH;
}

static bool
resembles_uuid(const char *text, size_t length)
{
    return text[0] == '{' || count_letter(text, '-') >= 3 ||
           (length >= 30 && length <= 38 && strchr(text, '_') == NULL);
}

static bool
resembles_typeid(const char *text, size_t length)
{
    return strchr(text, '_') != NULL && length != 21;
}

static bool
resembles_ulid(const char *text, size_t length)
{
    (void)text;
    return length >= BASE32_LENGTH - 2 && length <= BASE32_LENGTH;
}

static bool
resembles_ksuid(const char *text, size_t length)
{
    (void)text;
    return length >= KSUID_TEXT_LENGTH && length <= KSUID_TEXT_LENGTH + 2;
}

static bool
try_number(const char *text, DecodeFault *fault)
{
    uint64_t value;

    return decode_decimal(text, &value, fault);
}

static bool
try_uuid(const char *text, DecodeFault *fault)
{
    uint8_t id[UUID_BYTES];

    return decode_uuid(text, id, fault);
}

static bool
try_typeid(const char *text, DecodeFault *fault)
{
    uint8_t id[UUID_BYTES];
    size_t prefix_length;

    return typeid_decode(text, id, &prefix_length, fault);
}

static bool
try_ulid(const char *text, DecodeFault *fault)
{
    uint8_t id[UUID_BYTES];

    return decode_base32(text, BASE32_LAX, id, fault);
}

static bool
try_ksuid(const char *text, DecodeFault *fault)
{
    uint8_t id[KSUID_BYTES];

    return decode_base62(text, id, fault);
}

static const Shape SHAPES[] = {
    {"a bigint", resembles_number, try_number}, {"a UUID", resembles_uuid, try_uuid},
    {"a TypeID", resembles_typeid, try_typeid}, {"a ULID", resembles_ulid, try_ulid},
    {"a KSUID", resembles_ksuid, try_ksuid},
};

/* The bytes of the UTF-8 character at `text`; 1 for what is none. */
static size_t
character_length(const char *text)
{
    size_t left = strlen(text), bad;

    for (size_t length = 1; length <= 4 && length <= left; length++)
        if (!text_find_bad_utf8(text, length, &bad))
            return length;
    return 1;
}

static void
add_character(Text *out, const char *text, size_t length)
{
    unsigned char first = (unsigned char)text[0];

    if (length > 1 || (first >= ' ' && first <= '~'))
        text_add_bytes(out, text, length);
    else
        text_printf(out, "\\x%02x", first);
}

static void
add_shown(Text *out, const char *text)
{
    size_t at = 0;

    while (at < SHOWN_MAX && text[at] != '\0') {
        size_t length = character_length(text + at);

        add_character(out, text + at, length);
        at += length;
    }
    if (text[at] != '\0')
        text_add(out, "...");
}

/* Characters in front of byte `at`. */
static size_t
count_characters(const char *text, size_t at)
{
    size_t count = 0;

    for (size_t byte = 0; byte < at; byte += character_length(text + byte))
        count++;
    return count;
}

static void
add_fault(Text *out, const char *text, const DecodeFault *fault)
{
    size_t before = count_characters(text, fault->at);

    if (fault->outgrown != NULL) {
        text_printf(out, "at character %zu it outgrows %s", before + 1, fault->outgrown);
        return;
    }
    if (text[fault->at] == '\0') {
        text_printf(out, "it ends after %zu character%s, where there should be %s", before,
                    before == 1 ? "" : "s", fault->wanted);
        return;
    }
    text_printf(out, "character %zu is \"", before + 1);
    add_character(out, text + fault->at, character_length(text + fault->at));
    text_printf(out, "\", not %s", fault->wanted);
}

static const Shape *
find_shape(const char *text, DecodeFault *fault)
{
    for (size_t i = 0; i < ARRAY_LEN(SHAPES); i++)
        if (SHAPES[i].resembles(text, strlen(text)) && !SHAPES[i].decode(text, fault))
            return &SHAPES[i];
    return NULL;
}

/* Most words decode to some number, but are not what the number encodes to. */
static void
add_nearest_sqid(Text *out, const char *text)
{
    char nearest[SQIDS_LENGTH_MAX + 1];
    size_t same = 0;

    if (!sqids_nearest(text, nearest))
        return;
    while (text[same] == nearest[same])
        same++;
    text_printf(out, ": as a Sqid it would be \"%s\", which differs at character %zu", nearest,
                same + 1);
}

/* No shape to go by: a character that no format has, or just a text that is no id. */
static void
add_shapeless(Text *out, const char *text)
{
    DecodeFault fault = {
        .at = strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"),
        .wanted = "a letter, digit, \"-\" or \"_\"",
    };

    text_add(out, "\" is no id of a known format");
    if (text[fault.at] == '\0') {
        add_nearest_sqid(out, text);
        return;
    }
    text_add(out, ": ");
    add_fault(out, text, &fault);
}

Status
key_complain(const char *text, Diag *diag)
{
    DecodeFault fault;
    const Shape *shape;
    Text message = {0};

    if (text[0] == '\0')
        return diag_set(diag, STATUS_USAGE, "an empty text is no id");
    shape = find_shape(text, &fault);
    text_add(&message, "\"");
    add_shown(&message, text);
    if (shape == NULL) {
        add_shapeless(&message, text);
    } else {
        text_printf(&message, "\" is not %s: ", shape->title);
        add_fault(&message, text, &fault);
    }
    diag_set(diag, STATUS_USAGE, "%s", text_data(&message));
    text_release(&message);
    diag_hint(diag, "Known are UUIDs (32 hexadecimal digits), ULIDs (26 characters), KSUIDs (27), "
                    "TypeIDs, NanoIDs (21), Snowflakes and counters (decimal), and Sqids.");
    return diag->status;
}
