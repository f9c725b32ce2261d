/*
 * TypeID: a UUIDv7 written as a type prefix, "_" and 26 characters of lower-case base32. Source:
 * TypeID specification 0.3.0, github.com/jetify-com/typeid.
 */
#include "keys/typeid.h"

#include "keys/facts.h"
#include "keys/uuid.h"
#include "keys/uuidv7.h"

static const KeyForm FORMS[] = {
    {"uuid", "uuid", NULL, KEY_FORM_NATIVE},
    {"text-c", "text", "C", KEY_FORM_TEXT},
    {"text-icu", "text", "en-x-icu", KEY_FORM_TEXT},
};

static size_t
text(const KeyMinter *minter, const uint8_t *id, char *out)
{
    (void)minter;
    encode_base32(id, BASE32_LOWER, out);
    return BASE32_LENGTH;
}

bool
typeid_decode(const char *given, uint8_t *id, size_t *prefix_length, DecodeFault *fault)
{
    const char *separator = strrchr(given, '_');
    const char *suffix = separator != NULL ? separator + 1 : given;

    *prefix_length = separator != NULL ? (size_t)(separator - given) : 0;
    if (!key_prefix_fits(given, *prefix_length, &fault->at)) {
        fault->outgrown = NULL;
        fault->wanted = fault->at == KEY_PREFIX_MAX
                            ? "the \"_\" after a prefix of at most 63 characters"
                            : "a to z, or \"_\" inside the prefix";
        return false;
    }
    if (separator == given) {
        *fault = (DecodeFault){.at = 0, .wanted = "the prefix before \"_\""};
        return false;
    }
    if (decode_base32(suffix, BASE32_STRICT, id, fault))
        return true;
    fault->at += (size_t)(suffix - given);
    return false;
}

static bool
has_letter(const char *given)
{
    return given[strspn(given, "0123456789")] != '\0';
}

static KeyFit
explain(const char *given, KeyFacts *facts)
{
    uint8_t id[UUID_BYTES];
    size_t prefix_length;
    DecodeFault fault;

    if (!typeid_decode(given, id, &prefix_length, &fault))
        return KEY_FIT_NONE;
    if (prefix_length > 0)
        facts_say(facts, "the type \"%.*s\"; ", (int)prefix_length, given);
    uuid_tell(id, facts);
    memcpy(facts->prefix, given, prefix_length);
    memcpy(facts->canonical, given, strlen(given) + 1);
    memcpy(facts->typeid, given, strlen(given) + 1);
    return prefix_length > 0 || has_letter(given) ? KEY_FIT_LIKELY : KEY_FIT_POSSIBLE;
}

static const KeyMaker MAKER = {
    .word_count = 1,
    .mint = uuidv7_mint,
    .text = text,
    .tell = uuid_tell,
    .explain = explain,
};

const KeyFormat KEY_TYPEID = {
    .name = "typeid",
    .title = "TypeID",
    .bits = 128,
    .order = KEY_ORDER_STRICT,
    .text_order = KEY_ORDER_STRICT,
    .native = KEY_NATIVE_UUID,
    .width_bytes = UUID_BYTES,
    .takes = KEY_TAKES_TIME,
    .leaks = "type, creation time to the millisecond",
    .text_form = "prefix + \"_\" + 26 base32, lower case",
    .source = "TypeID specification 0.3.0",
    .forms = FORMS,
    .form_count = ARRAY_LEN(FORMS),
    .maker = &MAKER,
};
