/* What minters make: the fields of each format, and that seed, stream, calls and nodes do as said.
 */
#include "keys/encode.h"
#include "keys/name_uuid.h"
#include "unit/test_keys_help.h"

#include <time.h>

static void
test_registry(void)
{
    static const char *const names[] = {
        "bigint",    "uuidv4",         "uuidv7", "ulid",           "ksuid",
        "snowflake", "nanoid",         "typeid", "sqids",          "uuidv7-counter",
        "uuidv7-ms", "ulid-monotonic", "uuidv1", "uuidv1-swapped", "uuidv6",
        "uuidv3",    "uuidv5",         "uuidv8", "comb",
    };

    tap_u64(KEY_FORMAT_COUNT, ARRAY_LEN(names), "number of formats");
    for (size_t i = 0; i < KEY_FORMAT_COUNT; i++) {
        const KeyFormat *format = KEY_FORMATS[i];

        tap_text(key_format_name(format), names[i], "in the order of the table");
        tap_ok(key_format_find(names[i]) == format, "found by its name");
        tap_ok(key_format_title(format)[0] != '\0' && format->leaks[0] != '\0' &&
                   format->text_form[0] != '\0' && format->source[0] != '\0',
               "says what it is, leaks and comes from");
        tap_ok(format->form_count >= 2 && format->width_bytes <= KEY_WIDTH_MAX, "has its forms");
        for (size_t form = 0; form < format->form_count; form++)
            tap_ok(key_form_find(format, format->forms[form].name) == &format->forms[form],
                   "forms have names of their own");
    }
    tap_ok(key_format_find("uuidv9") == NULL, "no such format");
    tap_ok(key_form_find(key_format_find("ulid"), "numeric") == NULL, "no such form");
}

/* The first id at the RFC's moment: `fixed` has "x" where bits are random. */
static void
test_layouts(void)
{
    static const struct {
        const char *format, *fixed, *label;
    } cases[] = {
        {"bigint", "1", "counts from 1"},
        {"uuidv4", "xxxxxxxx-xxxx-4xxx-yxxx-xxxxxxxxxxxx", "version and variant"},
        {"uuidv7", "017f22e2-79b0-7000-yxxx-xxxxxxxxxxxx", "RFC 9562, appendix A.6"},
        {"uuidv7-counter", "017f22e2-79b0-7xxx-yxxx-xxxxxxxxxxxx", "RFC 9562, appendix A.6"},
        {"uuidv7-ms", "017f22e2-79b0-7xxx-yxxx-xxxxxxxxxxxx", "RFC 9562, appendix A.6"},
        {"comb", "017f22e2-79b0-4xxx-yxxx-xxxxxxxxxxxx", "milliseconds in front of a version 4"},
        {"uuidv1", "c232ab00-9414-11ec-yxxx-xxxxxxxxxxxx", "RFC 9562, appendix A.1"},
        {"uuidv6", "1ec9414c-232a-6b00-yxxx-xxxxxxxxxxxx", "RFC 9562, appendix A.5"},
        {"uuidv1-swapped", "11ec9414-c232-ab00-yxxx-xxxxxxxxxxxx",
         "A.1 with its time turned round"},
        {"uuidv8", "xxxxxxxx-xxxx-8xxx-yxxx-xxxxxxxxxxxx", "version and variant"},
        {"uuidv3", "21eaa0f5-36ba-338d-9b05-5f6fb8b4f9c0", "MD5 of keybench1 in the DNS namespace"},
        {"uuidv5", "daaf9ca6-f8d7-5fb3-a7d1-bc68c39bf9a3", "SHA-1 of keybench1"},
        {"ulid", "01FWHE4YDGxxxxxxxxxxxxxxxx", "the same milliseconds in base32"},
        {"ulid-monotonic", "01FWHE4YDGxxxxxxxxxxxxxxxx", "the same milliseconds in base32"},
        {"typeid", "01fwhe4ydge00xxxxxxxxxxxxx", "a UUIDv7 in base32"},
        {"ksuid", "25Tizxxxxxxxxxxxxxxxxxxxxxx", "245557742 s after its epoch"},
        {"snowflake", "1496203729957814272", "(1645557742000 - 1288834974657) * 2^22"},
        {"sqids", "Uk", "the Sqid of 1"},
        {"nanoid", "xxxxxxxxxxxxxxxxxxxxx", "21 characters"},
    };
    KeyParams params = help_params(0);

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        KeyMinter *minter = help_minter(cases[i].format, &params);
        char text[KEY_TEXT_MAX];
        uint8_t id[KEY_WIDTH_MAX];
        size_t length;

        key_mint(minter, id, 1);
        length = key_text(minter, id, text);
        for (size_t at = 0; at < length && at < strlen(cases[i].fixed); at++) {
            if (cases[i].fixed[at] == 'y' && strchr("89ab", text[at]) != NULL)
                text[at] = 'y';
            if (cases[i].fixed[at] == 'x')
                text[at] = 'x';
        }
        tap_text(text, cases[i].fixed, cases[i].label);
        key_minter_free(minter);
    }
}

/* The start of 1970 is a moment like any other. */
static void
test_moment_zero(void)
{
    static const struct {
        const char *format, *start;
    } cases[] = {
        {"uuidv7", "00000000-0000-7000-"},
        {"uuidv1", "13814000-1dd2-11b2-"},
        {"uuidv6", "1b21dd21-3814-6000-"},
        {"typeid", "0000000000e00"},
        {"snowflake", "0"},
    };
    KeyParams params = KEY_PARAMS_DEFAULT, other;
    uint8_t *ids, *others;

    params.clock = (KeyClock){.mode = KEY_CLOCK_STEP};
    params.epoch_given = params.seeded = true;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        KeyMinter *minter = help_minter(cases[i].format, &params);
        char text[KEY_TEXT_MAX];
        uint8_t id[KEY_WIDTH_MAX];

        key_mint(minter, id, 1);
        key_text(minter, id, text);
        text[strlen(cases[i].start)] = '\0';
        tap_text(text, cases[i].start, cases[i].format);
        key_minter_free(minter);
    }
    other = params;
    other.seed++;
    ids = help_ids("ulid-monotonic", &params, 1, NULL);
    others = help_ids("ulid-monotonic", &other, 1, NULL);
    tap_ok(memcmp(ids, others, 16) != 0, "the first ULID of 1970 is random");
    free(ids);
    free(others);
}

/* Each call on `calls` ids; the rest in a last one. */
static void
mint_in_calls(const char *format, const KeyParams *params, size_t calls, uint8_t *ids, size_t count)
{
    KeyMinter *minter = help_minter(format, params);
    size_t width = key_width_bytes(minter);

    for (size_t done = 0; done < count; done += calls) {
        size_t step = count - done < calls ? count - done : calls;

        key_mint(minter, ids + done * width, step);
    }
    key_minter_free(minter);
}

static void
check_reproducible(const char *format, const KeyParams *params)
{
    enum { COUNT = 1500 };
    static const size_t calls[] = {1, 7, 256, 1000};
    size_t width;
    uint8_t *whole = help_ids(format, params, COUNT, &width);
    uint8_t *parts = calloc(COUNT, width);

    for (size_t i = 0; i < ARRAY_LEN(calls); i++) {
        mint_in_calls(format, params, calls[i], parts, COUNT);
        if (!tap_ok(memcmp(whole, parts, COUNT * width) == 0, format))
            printf("# in calls of %zu, %u nodes\n", calls[i], params->node_count);
    }
    free(whole);
    free(parts);
}

static void
test_reproducible(void)
{
    KeyParams plain = help_params(1000), nodes = help_params(1000), window = help_params(0),
              custom = help_params(1000);

    nodes.node_count = 5;
    nodes.node_skew_ns = 10 * HELP_NS_PER_MS;
    window.clock.mode = KEY_CLOCK_WINDOW;
    window.clock.span_ns = 7 * 86400 * UINT64_C(1000000000);
    custom.alphabet = "abcdefghij";
    custom.length = 33;
    for (size_t i = 0; i < KEY_FORMAT_COUNT; i++) {
        check_reproducible(key_format_name(KEY_FORMATS[i]), &plain);
        check_reproducible(key_format_name(KEY_FORMATS[i]), &nodes);
        check_reproducible(key_format_name(KEY_FORMATS[i]), &window);
        check_reproducible(key_format_name(KEY_FORMATS[i]), &custom);
    }
}

static bool
is_deterministic(const KeyFormat *format)
{
    static const char *const counted[] = {"bigint", "sqids", "uuidv3", "uuidv5", "snowflake"};

    for (size_t i = 0; i < ARRAY_LEN(counted); i++)
        if (strcmp(format->name, counted[i]) == 0)
            return true;
    return false;
}

/* Equal ids at the same places of two lists. */
static size_t
count_equal(const uint8_t *a, const uint8_t *b, size_t count, size_t width)
{
    size_t equal = 0;

    for (size_t i = 0; i < count; i++)
        equal += memcmp(a + i * width, b + i * width, width) == 0;
    return equal;
}

static void
test_streams(void)
{
    enum { COUNT = 1000 };
    KeyParams first = help_params(1000), stream = first, seed = first;

    stream.stream = 1;
    seed.seed = 2;
    for (size_t i = 0; i < KEY_FORMAT_COUNT; i++) {
        const char *name = key_format_name(KEY_FORMATS[i]);
        size_t width, wanted = is_deterministic(KEY_FORMATS[i]) ? COUNT : 0;
        uint8_t *a = help_ids(name, &first, COUNT, &width);
        uint8_t *b = help_ids(name, &stream, COUNT, &width);
        uint8_t *c = help_ids(name, &seed, COUNT, &width);

        tap_u64(count_equal(a, b, COUNT, width), wanted, "streams share nothing but counters");
        tap_u64(count_equal(a, c, COUNT, width), wanted, "nor do seeds");
        free(a);
        free(b);
        free(c);
    }
}

static void
test_unseeded(void)
{
    enum { COUNT = 3000 };
    KeyParams params = KEY_PARAMS_DEFAULT;

    for (size_t i = 0; i < KEY_FORMAT_COUNT; i++) {
        const char *name = key_format_name(KEY_FORMATS[i]);
        size_t width;
        uint8_t *a = help_ids(name, &params, COUNT, &width);
        uint8_t *b = help_ids(name, &params, COUNT, &width);

        if (!is_deterministic(KEY_FORMATS[i]))
            tap_u64(count_equal(a, b, COUNT, width), 0, "without a seed no two runs are alike");
        free(a);
        free(b);
    }
}

static uint64_t
time_ms_of(const uint8_t *id)
{
    return load_u64(id) >> 16;
}

static void
test_real_clock(void)
{
    KeyParams params = KEY_PARAMS_DEFAULT;
    uint64_t before_ms = (uint64_t)time(NULL) * 1000, after_ms;
    uint8_t *ids = help_ids("uuidv7", &params, 1000, NULL);

    after_ms = ((uint64_t)time(NULL) + 2) * 1000;
    tap_ok(time_ms_of(ids) >= before_ms && time_ms_of(ids + 999 * 16) <= after_ms,
           "the machine's clock is in the ids");
    free(ids);
}

static void
test_window(void)
{
    enum { COUNT = 20000 };
    const uint64_t week_ns = 7 * 86400 * UINT64_C(1000000000);
    KeyParams params = help_params(0);
    uint64_t first_ms = HELP_RFC_TIME_NS / HELP_NS_PER_MS, earlier = 0, in_first_half = 0;
    bool inside = true;
    uint8_t *ids;

    params.clock.mode = KEY_CLOCK_WINDOW;
    params.clock.span_ns = week_ns;
    ids = help_ids("uuidv7", &params, COUNT, NULL);
    for (size_t i = 0; i < COUNT; i++) {
        uint64_t time_ms = time_ms_of(ids + 16 * i);

        inside = inside && time_ms >= first_ms && time_ms < first_ms + week_ns / HELP_NS_PER_MS;
        in_first_half += time_ms < first_ms + week_ns / HELP_NS_PER_MS / 2;
        earlier += i > 0 && memcmp(ids + 16 * i, ids + 16 * (i - 1), 16) < 0;
    }
    tap_ok(inside, "late arrivals lie in the window");
    tap_near((double)in_first_half, COUNT / 2.0, 400, "evenly");
    tap_near((double)earlier, COUNT / 2.0, 400, "in no order, though the format is strict");
    free(ids);
}

/* Node i of the RFC's moment + i/(n-1) of the skew, in turns. */
static void
test_nodes(void)
{
    enum { COUNT = 4000, NODES = 4 };
    KeyParams params = help_params(HELP_NS_PER_MS);
    uint64_t first_ms = HELP_RFC_TIME_NS / HELP_NS_PER_MS;
    bool skewed = true, strict = true;
    uint8_t *ids, *snowflakes;

    params.node_count = NODES;
    params.node_skew_ns = 30 * HELP_NS_PER_MS;
    ids = help_ids("uuidv7", &params, COUNT, NULL);
    for (size_t i = 0; i < COUNT; i++) {
        skewed = skewed && time_ms_of(ids + 16 * i) == first_ms + i + i % NODES * 10;
        strict = strict && (i < NODES || memcmp(ids + 16 * i, ids + 16 * (i - NODES), 16) > 0);
    }
    tap_ok(skewed, "generators take turns, each with its own clock");
    tap_ok(strict, "each generator is strict for itself");
    free(ids);

    snowflakes = help_ids("snowflake", &params, NODES, NULL);
    for (size_t i = 0; i < NODES; i++)
        tap_u64(load_u64(snowflakes + 8 * i) >> 12 & 1023, i, "each has a machine id of its own");
    free(snowflakes);
}

static void
test_node_counters(void)
{
    KeyParams params = help_params(0);
    bool counted = true;
    uint8_t *ids;

    params.node_count = 3;
    params.first_number = 1000;
    ids = help_ids("bigint", &params, 1000, NULL);
    for (size_t i = 0; i < 1000; i++)
        counted = counted && load_u64(ids + 8 * i) == 1000 + i;
    tap_ok(counted, "generators of a counter share it; it starts where told");
    free(ids);
}

static void
test_snowflake(void)
{
    enum { COUNT = 10000 };
    KeyParams params = help_params(0);
    uint8_t *ids;
    uint64_t id;

    params.machine = 5;
    params.epoch_ms = 1420070400000; /* Discord's */
    ids = help_ids("snowflake", &params, COUNT, NULL);
    id = load_u64(ids);
    tap_u64(id >> 22, HELP_RFC_TIME_NS / HELP_NS_PER_MS - 1420070400000, "time since its epoch");
    tap_u64(id >> 12 & 1023, 5, "machine");
    tap_u64(id & 4095, 0, "sequence starts at 0");
    id = load_u64(ids + 8 * 4095);
    tap_u64(id & 4095, 4095, "and ends at 4095");
    id = load_u64(ids + 8 * 4096);
    tap_u64(id >> 22, HELP_RFC_TIME_NS / HELP_NS_PER_MS - 1420070400000 + 1,
            "the next id waits for the next millisecond");
    tap_u64(id & 4095, 0, "with a sequence of 0");
    free(ids);
}

static void
test_mac(void)
{
    KeyParams params = help_params(0);
    uint8_t *ids;

    ids = help_ids("uuidv1", &params, 2, NULL);
    tap_u64(ids[10] & 1, 1, "a node that was not given has the multicast bit");
    tap_ok(memcmp(ids + 8, ids + 24, 8) == 0, "clock sequence and node stay");
    free(ids);
    params.mac = 0x9f6bdeced846;
    ids = help_ids("uuidv6", &params, 1, NULL);
    tap_u64(load_u64(ids + 8) & 0xffffffffffff, 0x9f6bdeced846, "a node that was given");
    free(ids);
}

static void
test_hashes(void)
{
    static const struct {
        NameHash *hash;
        const char *uuid, *label;
    } cases[] = {
        {uuidv3_hash, "5df41881-3aed-3515-88a7-2f4a814cf09e", "RFC 9562, appendix A.2"},
        {uuidv5_hash, "2ed6657d-e927-568b-95e1-2665a8aea6a2", "RFC 9562, appendix A.4"},
    };
    static const char name[] = "www.example.com";
    uint8_t input[NAMESPACE_BYTES + sizeof(name)];

    memcpy(input, NAMESPACE_DNS, NAMESPACE_BYTES);
    memcpy(input + NAMESPACE_BYTES, name, sizeof(name));
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        char text[UUID_TEXT_LENGTH + 1] = {0};
        uint8_t id[UUID_BYTES];

        cases[i].hash(input, sizeof(input) - 1, id);
        encode_uuid(id, text);
        tap_text(text, cases[i].uuid, cases[i].label);
    }
}

static void
test_prefix(void)
{
    static const struct {
        const char *format, *prefix, *text;
    } cases[] = {
        {"bigint", "cus", "cus_1"},
        {"sqids", "a_b", "a_b_Uk"},
        {"bigint", "", "1"},
        {"snowflake", "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijk",
         "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijk_1496203729957814272"},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        KeyParams params = help_params(0);
        char text[KEY_TEXT_MAX];
        uint8_t id[KEY_WIDTH_MAX];
        KeyMinter *minter;

        params.prefix = cases[i].prefix;
        minter = help_minter(cases[i].format, &params);
        key_mint(minter, id, 1);
        tap_u64(key_text(minter, id, text), strlen(cases[i].text), "length with its prefix");
        tap_text(text, cases[i].text, "prefixed text");
        key_minter_free(minter);
    }
}

int
main(void)
{
    test_registry();
    test_layouts();
    test_moment_zero();
    test_reproducible();
    test_streams();
    test_unseeded();
    test_real_clock();
    test_window();
    test_nodes();
    test_node_counters();
    test_snowflake();
    test_mac();
    test_hashes();
    test_prefix();
    key_minter_free(NULL);
    return tap_done();
}
