/* Texts against the vectors of their specifications, both ways. */
#include "keys/encode.h"

#include "keys/typeid.h"
#include "support/tap.h"

#define NIL_TEXT "00000000-0000-0000-0000-000000000000"
#define MAX_TEXT "ffffffff-ffff-ffff-ffff-ffffffffffff"

static void
uuid_bytes(const char *text, uint8_t *id)
{
    DecodeFault fault;

    if (!decode_uuid(text, id, &fault))
        tap_ok(false, text);
}

static void
test_base32(void)
{
    static const struct {
        const char *uuid, *lower, *label;
    } cases[] = {
        {NIL_TEXT, "00000000000000000000000000", "nil"},
        {"00000000-0000-0000-0000-000000000001", "00000000000000000000000001", "one"},
        {"00000000-0000-0000-0000-00000000000a", "0000000000000000000000000a", "ten"},
        {"00000000-0000-0000-0000-000000000010", "0000000000000000000000000g", "sixteen"},
        {"00000000-0000-0000-0000-000000000020", "00000000000000000000000010", "thirty-two"},
        {MAX_TEXT, "7zzzzzzzzzzzzzzzzzzzzzzzzz", "the largest"},
        {"0110c853-1d09-52d8-d73e-1194e95b5f19", "0123456789abcdefghjkmnpqrs", "the alphabet"},
        {"01890a5d-ac96-774b-bcce-b302099a8057", "01h455vb4pex5vsknk084sn02q", "a UUIDv7"},
        /* from the tests of ULID's reference implementation */
        {"01563df3-6481-d676-4c61-efb99302bd5b", "01aryz6s41tsv4rrffq69g5fav", "a ULID"},
        {"0195c9a1-0e22-1027-43f4-0b1ec21025b7", "01jq4t23h220km7x0b3v1109dq", "a ULID"},
        {"0195c9a4-2e32-c014-5f4f-a7cef5be83d5", "01jq4t8bhjr0a5ykx7svtvx0yn", "a ULID"},
        {"0195c9a4-74cc-5149-bcc4-0a556a0cf19d", "01jq4t8x6ca54vsh0aann0swcx", "a ULID"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char text[BASE32_LENGTH + 1] = {0}, uuid[UUID_TEXT_LENGTH + 1] = {0};
        uint8_t id[UUID_BYTES], back[UUID_BYTES];
        DecodeFault fault;

        uuid_bytes(cases[i].uuid, id);
        encode_base32(id, BASE32_LOWER, text);
        tap_text(text, cases[i].lower, cases[i].label);
        tap_ok(decode_base32(text, BASE32_STRICT, back, &fault), cases[i].label);
        encode_uuid(back, uuid);
        tap_text(uuid, cases[i].uuid, cases[i].label);
        encode_base32(id, BASE32_UPPER, text);
        tap_ok(!decode_base32(text, BASE32_STRICT, back, &fault) ||
                   strpbrk(text, "ABCDEFGHJKMNPQRSTVWXYZ") == NULL,
               "upper case is not TypeID's");
        tap_ok(decode_base32(text, BASE32_LAX, back, &fault) && memcmp(back, id, UUID_BYTES) == 0,
               "upper case is Crockford's");
    }
}

static void
test_base32_lax(void)
{
    static const struct {
        const char *given, *same, *label;
    } cases[] = {
        {"01arz3ndektsv4rrffq69g5fav", "01ARZ3NDEKTSV4RRFFQ69G5FAV", "lower case"},
        {"O1ARZ3NDEKTSV4RRFFQ69G5FAV", "01ARZ3NDEKTSV4RRFFQ69G5FAV", "O is 0"},
        {"o1arz3ndektsv4rrffq69g5fav", "01ARZ3NDEKTSV4RRFFQ69G5FAV", "o is 0"},
        {"0IARZ3NDEKTSV4RRFFQ69G5FAV", "01ARZ3NDEKTSV4RRFFQ69G5FAV", "I is 1"},
        {"0lARZ3NDEKTSV4RRFFQ69G5FAV", "01ARZ3NDEKTSV4RRFFQ69G5FAV", "l is 1"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char text[BASE32_LENGTH + 1] = {0};
        uint8_t id[UUID_BYTES];
        DecodeFault fault;

        tap_ok(decode_base32(cases[i].given, BASE32_LAX, id, &fault), cases[i].label);
        encode_base32(id, BASE32_UPPER, text);
        tap_text(text, cases[i].same, cases[i].label);
    }
}

/* The KSUID reference implementation's examples and test cases. */
static void
test_base62(void)
{
    static const struct {
        const char *text;
        uint8_t id[KSUID_BYTES];
        const char *label;
    } cases[] = {
        {"000000000000000000000000000", {0}, "nil"},
        {"aWgEPTl1tmebfsQzFP4bxwgy80V",
         {255, 255, 255, 255, 255, 255, 255, 255, 255, 255,
          255, 255, 255, 255, 255, 255, 255, 255, 255, 255},
         "the largest"},
        {"0ujtsYcgvSTl8PAuAdqWYSMnLOv",
         {0x06, 0x69, 0xf7, 0xef, 0xb5, 0xa1, 0xcd, 0x34, 0xb5, 0xf9,
          0x9d, 0x11, 0x54, 0xfb, 0x68, 0x53, 0x34, 0x5c, 0x97, 0x35},
         "its first example"},
        {"0ujzPyRiIAffKhBux4PvQdDqMHY",
         {0x06, 0x6a, 0x02, 0x9c, 0x73, 0xfc, 0x1a, 0xa3, 0xb2, 0x44,
          0x62, 0x46, 0xd6, 0xe8, 0x9f, 0xcd, 0x90, 0x9e, 0x8f, 0xe8},
         "its second example"},
        {"0uk1Ha7hGJ1Q9Xbnkt0yZgNwg3g",
         {0x06, 0x6a, 0x06, 0x34, 0x67, 0x51, 0x7b, 0xa3, 0x09, 0xea,
          0x62, 0xae, 0x79, 0x91, 0xb2, 0x7b, 0xb6, 0xf2, 0xfc, 0xac},
         "its example of a template"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char text[KSUID_TEXT_LENGTH + 1] = {0};
        uint8_t back[KSUID_BYTES];
        DecodeFault fault;

        encode_base62(cases[i].id, text);
        tap_text(text, cases[i].text, cases[i].label);
        tap_ok(decode_base62(text, back, &fault) && memcmp(back, cases[i].id, KSUID_BYTES) == 0,
               cases[i].label);
    }
}

static void
test_uuid_input(void)
{
    static const struct {
        const char *given;
        bool good;
        const char *label;
    } cases[] = {
        {"a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11", true, "canonical"},
        {"A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11", true, "upper case"},
        {"{a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11}", true, "braces"},
        {"a0eebc999c0b4ef8bb6d6bb9bd380a11", true, "no dashes"},
        {"a0ee-bc99-9c0b-4ef8-bb6d-6bb9-bd38-0a11", true, "a dash after every four digits"},
        {"{a0eebc99-9c0b4ef8-bb6d6bb9-bd380a11}", true, "every second dash"},
        {"a0e-ebc99-9c0b-4ef8-bb6d-6bb9bd380a11", false, "a dash inside four digits"},
        {"a0eebc99--9c0b-4ef8-bb6d-6bb9bd380a11", false, "two dashes"},
        {"a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11-", false, "a dash at the end"},
        {"{a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11", false, "an open brace"},
        {"a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11}", false, "a closing brace alone"},
        {"a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a1", false, "31 digits"},
        {"a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a111", false, "33 digits"},
        {" a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11", false, "a blank in front"},
        {"", false, "nothing"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char text[UUID_TEXT_LENGTH + 1] = {0};
        uint8_t id[UUID_BYTES];
        DecodeFault fault;

        tap_ok(decode_uuid(cases[i].given, id, &fault) == cases[i].good, cases[i].label);
        if (cases[i].good) {
            encode_uuid(id, text);
            tap_text(text, cases[0].given, cases[i].label);
        }
    }
}

static void
test_decimal(void)
{
    static const struct {
        uint64_t value;
        const char *text;
    } cases[] = {
        {0, "0"},
        {9, "9"},
        {10, "10"},
        {4294967296, "4294967296"},
        {INT64_MAX, "9223372036854775807"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char text[DECIMAL_MAX_LENGTH + 1] = {0};
        uint64_t value = 1;
        DecodeFault fault;

        tap_u64(encode_decimal(cases[i].value, text), strlen(cases[i].text), cases[i].text);
        tap_text(text, cases[i].text, "decimal digits");
        tap_ok(decode_decimal(text, &value, &fault), cases[i].text);
        tap_u64(value, cases[i].value, "and back");
    }
}

/* What stops fitting, where: the TypeID specification's invalid cases and others. */
static void
test_faults(void)
{
    static const struct {
        const char *given;
        size_t at;
        const char *label;
    } cases[] = {
        {"PREFIX_00000000000000000000000000", 0, "upper-case prefix"},
        {"12345_00000000000000000000000000", 0, "digits in the prefix"},
        {"pre.fix_00000000000000000000000000", 3, "symbol in the prefix"},
        {"pr\xc3\xa9"
         "fix_00000000000000000000000000",
         2, "prefix beyond ASCII"},
        {"  prefix_00000000000000000000000000", 0, "blanks in front"},
        {"abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijkl_"
         "00000000000000000000000000",
         63, "prefix of 64 characters"},
        {"_00000000000000000000000000", 0, "separator without prefix"},
        {"_", 0, "separator alone"},
        {"prefix_1234567890123456789012345", 32, "suffix of 25 characters"},
        {"prefix_123456789012345678901234567", 33, "suffix of 27 characters"},
        {"prefix_1234567890123456789012345 ", 32, "blank in the suffix"},
        {"prefix_0123456789ABCDEFGHJKMNPQRS", 17, "upper-case suffix"},
        {"prefix_123456789-123456789-123456", 16, "dash in the suffix"},
        {"prefix_ooooooiiiiiiuuuuuuulllllll", 7, "letters that base32 leaves out"},
        {"prefix_i23456789ol23456789oi23456", 7, "Crockford's aliases"},
        {"prefix_123456789-0123456789-0123456", 16, "Crockford's dashes"},
        {"prefix_8zzzzzzzzzzzzzzzzzzzzzzzzz", 7, "more than 128 bits"},
        {"_prefix_00000000000000000000000000", 0, "prefix starts with the separator"},
        {"prefix__00000000000000000000000000", 6, "prefix ends with the separator"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        uint8_t id[UUID_BYTES];
        size_t prefix_length;
        DecodeFault fault = {0};

        tap_ok(!typeid_decode(cases[i].given, id, &prefix_length, &fault), cases[i].label);
        tap_u64(fault.at, cases[i].at, cases[i].label);
        tap_ok((fault.wanted == NULL) != (fault.outgrown == NULL), "one reason is given");
    }
}

static void
test_typeid(void)
{
    static const struct {
        const char *given;
        size_t prefix_length;
        const char *uuid;
    } cases[] = {
        {"00000000000000000000000000", 0, NIL_TEXT},
        {"prefix_0123456789abcdefghjkmnpqrs", 6, "0110c853-1d09-52d8-d73e-1194e95b5f19"},
        {"prefix_01h455vb4pex5vsknk084sn02q", 6, "01890a5d-ac96-774b-bcce-b302099a8057"},
        {"pre_fix_00000000000000000000000000", 7, NIL_TEXT},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char text[UUID_TEXT_LENGTH + 1] = {0};
        uint8_t id[UUID_BYTES];
        size_t prefix_length = 99;
        DecodeFault fault;

        tap_ok(typeid_decode(cases[i].given, id, &prefix_length, &fault), cases[i].given);
        tap_u64(prefix_length, cases[i].prefix_length, "length of the prefix");
        encode_uuid(id, text);
        tap_text(text, cases[i].uuid, cases[i].given);
    }
}

int
main(void)
{
    test_base32();
    test_base32_lax();
    test_base62();
    test_uuid_input();
    test_decimal();
    test_typeid();
    test_faults();
    return tap_done();
}
