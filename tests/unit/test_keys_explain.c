/* What texts are told to be: format, facts, who else fits, and what is wrong with bad ones. */
#include "unit/test_keys_help.h"

#define NIL "00000000-0000-0000-0000-000000000000"

enum { ROOM = 32 };

/* The names of the formats that fit as well, with blanks between. */
static void
join_names(const KeyFormat *const *formats, size_t count, char *names, size_t room)
{
    size_t used = 0;

    names[0] = '\0';
    for (size_t i = 0; i < count && used < room; i++)
        used +=
            (size_t)snprintf(names + used, room - used, "%s%s", i > 0 ? " " : "", formats[i]->name);
}

static void
test_formats(void)
{
    static const struct {
        const char *text, *format, *others, *label;
    } cases[] = {
        {"C232AB00-9414-11EC-B3C8-9F6BDECED846", "uuidv1", "", "RFC 9562, appendix A.1"},
        {"5df41881-3aed-3515-88a7-2f4a814cf09e", "uuidv3", "", "A.2"},
        {"919108f7-52d1-4320-9bac-f847db4148a8", "uuidv4", "", "A.3"},
        {"2ed6657d-e927-568b-95e1-2665a8aea6a2", "uuidv5", "", "A.4"},
        {"1EC9414C-232A-6B00-B3C8-9F6BDECED846", "uuidv6", "", "A.5"},
        {"017F22E2-79B0-7CC3-98C4-DC0C0C07398F", "uuidv7", "", "A.6"},
        {"2489E9AD-2EE2-8E00-8EC9-32D5F69181C0", "uuidv8", "", "B.1"},
        {"5c146b14-3c52-8afd-938a-375d0df1fbf6", "uuidv8", "", "B.2"},
        {"919108f752d143209bacf847db4148a8", "uuidv4", "", "no dashes"},
        {"{919108F7-52d14320-9bac-f847db4148a8}", "uuidv4", "", "as PostgreSQL takes it"},
        {NIL, "uuid", "", "nil"},
        {"ffffffff-ffff-ffff-ffff-ffffffffffff", "uuid", "", "max"},
        {"000003e8-c3d4-21f1-8200-9f6bdeced846", "uuid", "", "version 2"},
        {"919108f7-52d1-4320-cbac-f847db4148a8", "uuid", "", "Microsoft's variant"},
        {"017f22e2-79b0-434b-a00b-f25c6451e283", "uuidv4", "comb", "a time in front of a v4"},
        {"01563DF3-6481-D676-4C61-EFB99302BD5B", "ulid", "uuid", "a ULID printed by a uuid column"},
        {"11ec9414-c232-ab00-b3c8-9f6bdeced846", "uuidv1-swapped", "uuid", "MySQL's swapped v1"},
        {"11ec9414-c232-4b00-b3c8-9f6bdeced846", "uuidv4", "uuidv1-swapped", "or a v4 by chance"},
        {"01ARZ3NDEKTSV4RRFFQ69G5FAV", "ulid", "", "ULID's example"},
        {"01ARZ3NDEKTSV4RRFFQ69G5FAl", "ulid", "", "with an l for a 1"},
        {"7ZZZZZZZZZZZZZZZZZZZZZZZZZ", "ulid", "", "the largest ULID"},
        {"01arz3ndektsv4rrffq69g5fav", "typeid", "ulid", "in lower case it is TypeID's as well"},
        {"00000000000000000000000000", "ulid", "bigint typeid", "nothing but zeros"},
        {"prefix_01h455vb4pex5vsknk084sn02q", "typeid", "", "TypeID's example"},
        {"pre_fix_00000000000000000000000000", "typeid", "", "underscore in the prefix"},
        {"0ujtsYcgvSTl8PAuAdqWYSMnLOv", "ksuid", "", "KSUID's example"},
        {"V1StGXR8_Z5jdHi6B-myT", "nanoid", "", "NanoID's example"},
        {"42", "bigint", "", "a small number"},
        {"1541815603606036480", "snowflake", "bigint", "a Snowflake"},
        {"9007199254740991", "bigint", "snowflake", "below 2^53"},
        {"9007199254740992", "snowflake", "bigint", "2^53: a double would lose it"},
        {"9223372036854775807", "snowflake", "bigint", "the largest"},
        {"0", "bigint", "", "zero"},
        {"86Rf07", "sqids", "", "three numbers"},
        {"JExTR", "sqids", "", "a Sqid that went round a word"},
        {"aho1e", "sqids", "", "and the word that it went round"},
        {"86Rf07xd4z", "sqids", "", "a Sqid with padding"},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        const KeyFormat *others[ROOM];
        char names[200];
        size_t count = 0;
        KeyFacts facts = {0};
        Diag diag = {0};

        tap_u64(key_explain(cases[i].text, &facts, others, ROOM, &count, &diag), STATUS_OK,
                cases[i].text);
        tap_text(facts.format != NULL ? facts.format->name : NULL, cases[i].format, cases[i].label);
        join_names(others, count, names, sizeof(names));
        tap_text(names, cases[i].others, "others that fit");
        tap_ok(facts.leaks[0] != '\0' && facts.canonical[0] != '\0', "with a sentence and a text");
    }
}

/* What key_explain says of a good text. */
static KeyFacts
explain(const char *text)
{
    KeyFacts facts = {0};
    Diag diag = {0};

    tap_u64(key_explain(text, &facts, NULL, 0, NULL, &diag), STATUS_OK, text);
    return facts;
}

static void
test_times(void)
{
    static const struct {
        const char *text;
        int64_t time_s;
        uint32_t rest_ns;
        uint64_t precision_ns;
        const char *time_utc;
    } cases[] = {
        {"C232AB00-9414-11EC-B3C8-9F6BDECED846", 1645557742, 0, 100,
         "2022-02-22 19:22:22.0000000 UTC"},
        {"1EC9414C-232A-6B00-B3C8-9F6BDECED846", 1645557742, 0, 100,
         "2022-02-22 19:22:22.0000000 UTC"},
        {"017F22E2-79B0-7CC3-98C4-DC0C0C07398F", 1645557742, 0, 1000000,
         "2022-02-22 19:22:22.000 UTC"},
        {"01ARZ3NDEKTSV4RRFFQ69G5FAV", 1469922850, 259000000, 1000000,
         "2016-07-30 23:54:10.259 UTC"},
        {"7ZZZZZZZZZZZZZZZZZZZZZZZZZ", 281474976710, 655000000, 1000000,
         "10889-08-02 05:31:50.655 UTC"},
        {"0ujtsYcgvSTl8PAuAdqWYSMnLOv", 1507608047, 0, 1000000000, "2017-10-10 04:00:47 UTC"},
        {"1541815603606036480", 1656432460, 105000000, 1000000, "2022-06-28 16:07:40.105 UTC"},
        {"00000000-0000-1000-8000-000000000000", -12219292800, 0, 100,
         "1582-10-15 00:00:00.0000000 UTC"},
        {"00000001-0000-1000-8000-000000000000", -12219292800, 100, 100,
         "1582-10-15 00:00:00.0000001 UTC"},
        {"ffffffff-ffff-1fff-bfff-ffffffffffff", 103072857660, 684697500, 100,
         "5236-03-31 21:21:00.6846975 UTC"},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        KeyFacts facts = explain(cases[i].text);

        tap_ok(facts.has_time && facts.time_s == cases[i].time_s &&
                   facts.time_rest_ns == cases[i].rest_ns,
               cases[i].text);
        tap_u64(facts.precision_ns, cases[i].precision_ns, "precision");
        tap_text(facts.time_utc, cases[i].time_utc, "as text");
        tap_contains(facts.leaks, cases[i].time_utc, "and in the sentence");
    }
}

static void
test_uuid_facts(void)
{
    KeyFacts v1 = explain("C232AB00-9414-11EC-B3C8-9F6BDECED846");
    KeyFacts v4 = explain("{919108F752d143209bacf847db4148a8}");
    KeyFacts nil = explain(NIL);
    KeyFacts real_mac = explain("C232AB00-9414-11EC-B3C8-001B44113AB7");

    tap_u64((uint64_t)v1.version, 1, "version");
    tap_u64((uint64_t)v1.variant, 1, "variant of RFC 9562");
    tap_text(v1.machine, "9f:6b:de:ce:d8:46", "MAC address");
    tap_contains(v1.leaks, "random", "a multicast one was made up");
    tap_contains(real_mac.leaks, "network card", "another one is a card's");
    tap_ok(v1.has_sequence && v1.sequence == 0x33c8, "clock sequence");
    tap_text(v1.canonical, "c232ab00-9414-11ec-b3c8-9f6bdeced846", "in lower case");
    tap_ok(!v4.has_time && !v4.has_sequence && !v4.has_counter && v4.machine[0] == '\0',
           "a UUIDv4 has no time, machine or number");
    tap_text(v4.uuid, "919108f7-52d1-4320-9bac-f847db4148a8", "with its dashes");
    tap_text(v4.ulid, "4HJ44FEMPH8CG9QB7R8ZDM2J58", "as a ULID");
    tap_text(v4.typeid, "4hj44femph8cg9qb7r8zdm2j58", "as a TypeID");
    tap_contains(nil.leaks, "nil", "nil is named");
    tap_u64((uint64_t)nil.version, 0, "and has version 0");
}

static void
test_other_facts(void)
{
    KeyFacts typeid = explain("prefix_01h455vb4pex5vsknk084sn02q");
    KeyFacts ulid = explain("01arz3ndektsv4rrffq69g5faV");
    KeyFacts as_uuid = explain("01563DF3-6481-D676-4C61-EFB99302BD5B");
    KeyFacts swapped = explain("11ec9414-c232-ab00-b3c8-9f6bdeced846");
    KeyFacts snowflake = explain("1541815603606036480");
    KeyFacts sqid = explain("aho1e"), several = explain("86Rf07");
    KeyFacts number = explain("0042");

    tap_text(typeid.prefix, "prefix", "a TypeID's prefix");
    tap_text(typeid.uuid, "01890a5d-ac96-774b-bcce-b302099a8057", "the uuid behind it");
    tap_u64((uint64_t) typeid.version, 7, "and its version");
    tap_contains(typeid.leaks, "the type \"prefix\"; made 2023-06-30", "type and time are told");
    tap_text(ulid.canonical, "01ARZ3NDEKTSV4RRFFQ69G5FAV", "a ULID in upper case");
    tap_text(ulid.uuid, "01563e3a-b5d3-d676-4c61-efb99302bd5b", "and as a uuid");
    tap_u64((uint64_t)ulid.version, (uint64_t)-1, "whose version means nothing");
    tap_text(as_uuid.canonical, "01ARYZ6S41TSV4RRFFQ69G5FAV", "a uuid that is a ULID");
    tap_text(swapped.uuid, "c232ab00-9414-11ec-b3c8-9f6bdeced846", "the UUIDv1 behind a swapped");
    tap_text(swapped.canonical, "11ec9414-c232-ab00-b3c8-9f6bdeced846", "which prints as it is");
    tap_text(snowflake.machine, "378", "a Snowflake's machine");
    tap_ok(snowflake.has_sequence && snowflake.sequence == 0, "and sequence");
    tap_ok(sqid.has_counter && sqid.counter == 4572721, "a Sqid's number");
    tap_ok(!several.has_counter, "several numbers are no counter");
    tap_contains(several.leaks, "1, 2, 3", "but are told");
    tap_ok(number.has_counter && number.counter == 42, "a counter");
    tap_text(number.canonical, "42", "without zeros in front");
}

/* Every format explains its own ids, and says the same text again. */
static void
test_own_ids(void)
{
    for (size_t i = 0; i < KEY_FORMAT_COUNT; i++) {
        KeyParams params = help_params(1000);
        KeyMinter *minter = help_minter(KEY_FORMATS[i]->name, &params);
        char text[KEY_TEXT_MAX];
        uint8_t id[KEY_WIDTH_MAX];
        KeyFacts facts;

        key_mint(minter, id, 1);
        key_text(minter, id, text);
        facts = explain(text);
        tap_text(facts.canonical, text, KEY_FORMATS[i]->name);
        key_minter_free(minter);
    }
}

static void
test_errors(void)
{
    static const struct {
        const char *text, *part, *label;
    } cases[] = {
        {"", "empty text", "nothing"},
        {"5df41881-3aed-3515-88a7-2f4a814cf09", "ends after 35 characters", "a digit short"},
        {"5df41881-3aed-3515-88a7-2f4a81gcf09e", "character 31 is \"g\", not a hexadecimal digit",
         "a letter that is no digit"},
        {"5df41881-3aed-3515-88a7-2f4a814cf09e0", "character 37 is \"0\", not the end", "too long"},
        {"{5df41881-3aed-3515-88a7-2f4a814cf09e", "ends after 37 characters", "an open brace"},
        {"5df4188-13aed-3515-88a7-2f4a814cf09e", "character 8 is \"-\"", "a dash out of place"},
        {"8ZZZZZZZZZZZZZZZZZZZZZZZZZ", "ULID: at character 1 it outgrows 128 bits",
         "ULID overflow"},
        {"01ARZ3NDEKTSV4RRFFQ69G5FAU", "character 26 is \"U\"", "U is not Crockford's"},
        {"01ARZ3NDEKTSV4RRFFQ69G5FA", "ends after 25 characters", "a ULID cut short"},
        {"aWgEPTl1tmebfsQzFP4bxwgy80!", "KSUID: character 27 is \"!\"", "KSUID's bad character"},
        {"aWgEPTl1tmebfsQzFP4bxwgy80W", "at character 27 it outgrows 160 bits", "KSUID overflow"},
        {"pr\xc3\xa9"
         "fix_00000000000000000000000000",
         "character 3 is \"\xc3\xa9\"", "characters are counted, not bytes"},
        {"\xc3\xa9pr_fix_0000000000000000000000000u", "character 1 is \"\xc3\xa9\"",
         "at the start"},
        {"pre_0000000000000000000000000u", "character 30 is \"u\"", "after the prefix"},
        {"_00000000000000000000000000", "the prefix before", "TypeID without its prefix"},
        {"99999999999999999999", "at character 19 it outgrows", "over 64 bits"},
        {"9223372036854775808", "at character 19 it outgrows", "one over"},
        {"-5", "character 1 is \"-\"", "a negative number"},
        {"12 34", "character 3 is \" \"", "a blank"},
        {"tab\there", "character 4 is \"\\x09\"", "a control character is escaped"},
        {"bad\xff", "character 4 is \"\\xff\"", "so is a byte that is not UTF-8"},
        {"hello", "as a Sqid it would be \"pqEEY\", which differs at character 1", "a word"},
        {"86Rf0", "differs at character", "a Sqid cut short"},
        {"aho1eaho1e!", "character 11 is \"!\"", "a Sqid with a character of no format"},
        {"99999999999999zzzzzzzzz", "no id of a known format", "of more than 64 bits"},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        KeyFacts facts = {.version = 77};
        Diag diag = {0};

        tap_u64(key_explain(cases[i].text, &facts, NULL, 0, NULL, &diag), STATUS_USAGE,
                cases[i].label);
        tap_contains(diag.message, cases[i].part, cases[i].label);
        tap_ok(facts.version == 77 && strchr(diag.message, '\t') == NULL,
               "facts are untouched, the message is clean");
    }
}

static void
test_long_text(void)
{
    char *text = calloc(100001, 1);
    KeyFacts facts;
    Diag diag = {0};

    memset(text, 'x', 100000);
    tap_u64(key_explain(text, &facts, NULL, 0, NULL, &diag), STATUS_USAGE, "a very long text");
    tap_ok(strlen(diag.message) < 200, "is cut in the message");
    free(text);
}

static void
test_room(void)
{
    const KeyFormat *one[1] = {NULL};
    size_t count = 99;
    KeyFacts facts;
    Diag diag;

    tap_u64(key_explain("00000000000000000000000000", &facts, one, 1, &count, &diag), STATUS_OK,
            "two others fit");
    tap_u64(count, 1, "room for one");
    tap_text(one[0] != NULL ? one[0]->name : NULL, "bigint", "the first of them");
}

int
main(void)
{
    test_formats();
    test_times();
    test_uuid_facts();
    test_other_facts();
    test_own_ids();
    test_errors();
    test_long_text();
    test_room();
    return tap_done();
}
