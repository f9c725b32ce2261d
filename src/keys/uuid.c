#include "keys/uuid.h"

#include "keys/facts.h"

const KeyForm UUID_FORMS[UUID_FORM_COUNT] = {
    {"uuid", "uuid", NULL, KEY_FORM_NATIVE},        {"bytea", "bytea", NULL, KEY_FORM_NATIVE},
    {"text-c", "text", "C", KEY_FORM_TEXT},         {"text-icu", "text", "en-x-icu", KEY_FORM_TEXT},
    {"varchar", "varchar(36)", "C", KEY_FORM_TEXT}, {"char", "char(36)", "C", KEY_FORM_TEXT},
    {"numeric", "numeric", NULL, KEY_FORM_NUMERIC},
};

/* The format that reads each version; RFC 9562, section 4.2. */
static const KeyFormat *const VERSIONS[16] = {
    [1] = &KEY_UUIDV1, [3] = &KEY_UUIDV3, [4] = &KEY_UUIDV4, [5] = &KEY_UUIDV5,
    [6] = &KEY_UUIDV6, [7] = &KEY_UUIDV7, [8] = &KEY_UUIDV8,
};

static const uint8_t NIL[UUID_BYTES] = {0};
static const uint8_t MAX[UUID_BYTES] = {255, 255, 255, 255, 255, 255, 255, 255,
                                        255, 255, 255, 255, 255, 255, 255, 255};

size_t
uuid_text(const KeyMinter *minter, const uint8_t *id, char *text)
{
    (void)minter;
    encode_uuid(id, text);
    return UUID_TEXT_LENGTH;
}

static const KeyFormat *
find_version(const uint8_t *id)
{
    return uuid_variant(id) == 1 ? VERSIONS[uuid_version(id)] : NULL;
}

static void
set_common(const uint8_t *id, KeyFacts *facts)
{
    facts->version = (int)uuid_version(id);
    facts->variant = uuid_variant(id);
    facts_set_uuid(facts, id);
    memcpy(facts->canonical, facts->uuid, sizeof(facts->uuid));
}

static void
say_other(const uint8_t *id, KeyFacts *facts)
{
    if (memcmp(id, NIL, UUID_BYTES) == 0)
        facts_say(facts, "nothing: it is the nil UUID");
    else if (memcmp(id, MAX, UUID_BYTES) == 0)
        facts_say(facts, "nothing: it is the max UUID");
    else if (uuid_variant(id) == 1 && uuid_version(id) == 2)
        facts_say(facts, "time, node and a user or group number (DCE security, not read here)");
    else
        facts_say(facts, "nothing that RFC 9562 defines");
}

void
uuid_tell(const uint8_t *id, KeyFacts *facts)
{
    const KeyFormat *format = find_version(id);

    set_common(id, facts);
    if (format != NULL)
        format->maker->tell(id, facts);
    else
        say_other(id, facts);
}

bool
uuid_open_text(const char *text, uint8_t *id, KeyFacts *facts)
{
    DecodeFault fault;

    if (!decode_uuid(text, id, &fault))
        return false;
    set_common(id, facts);
    return true;
}

KeyFit
uuid_explain_version(const char *text, unsigned version, KeyFacts *facts)
{
    uint8_t id[UUID_BYTES];

    if (!uuid_open_text(text, id, facts) || find_version(id) != VERSIONS[version])
        return KEY_FIT_NONE;
    VERSIONS[version]->maker->tell(id, facts);
    return KEY_FIT_LIKELY;
}

static KeyFit
explain_other(const char *text, KeyFacts *facts)
{
    uint8_t id[UUID_BYTES];
    bool named;

    if (!uuid_open_text(text, id, facts) || find_version(id) != NULL)
        return KEY_FIT_NONE;
    say_other(id, facts);
    named = memcmp(id, NIL, UUID_BYTES) == 0 || memcmp(id, MAX, UUID_BYTES) == 0;
    return named || facts->version == 2 ? KEY_FIT_LIKELY : KEY_FIT_POSSIBLE;
}

static const KeyMaker MAKER = {
    .text = uuid_text,
    .tell = uuid_tell,
    .explain = explain_other,
};

const KeyFormat KEY_UUID_OTHER = {
    .name = "uuid",
    .title = "UUID",
    .bits = 128,
    .order = KEY_ORDER_NONE,
    .text_order = KEY_ORDER_NONE,
    .native = KEY_NATIVE_UUID,
    .width_bytes = UUID_BYTES,
    .leaks = "nothing that RFC 9562 defines",
    .text_form = "36 hexadecimal",
    .source = "RFC 9562, section 4",
    .forms = UUID_FORMS,
    .form_count = UUID_FORM_COUNT,
    .maker = &MAKER,
};
