/* Parameters that a format cannot have are refused, with the range in the hint. */
#include "unit/test_keys_help.h"

#define SECOND_NS UINT64_C(1000000000)
#define AT_63 "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijk"

typedef struct Case {
    const char *format;
    KeyParams params; /* node_count 0 stands for 1 here, 99 for 0 */
    const char *part; /* of the message; NULL when it is good */
    const char *label;
} Case;

static void
check_case(const Case *wanted)
{
    KeyParams params = wanted->params;
    KeyMinter *minter = NULL;
    Diag diag = {0};
    Status status;

    params.node_count = params.node_count == 0 ? 1 : params.node_count % 99;
    status = key_minter_new(key_format_find(wanted->format), &params, &minter, &diag);
    tap_u64(status, wanted->part == NULL ? STATUS_OK : STATUS_USAGE, wanted->label);
    tap_ok((minter != NULL) == (wanted->part == NULL), "a minter only when all is good");
    if (wanted->part != NULL)
        tap_contains(diag.message, wanted->part, wanted->label);
    key_minter_free(minter);
}

static KeyClock
at(uint64_t start_ns)
{
    return (KeyClock){.mode = KEY_CLOCK_STEP, .start_ns = start_ns};
}

static KeyClock
window(uint64_t start_ns, uint64_t span_ns)
{
    return (KeyClock){.mode = KEY_CLOCK_WINDOW, .start_ns = start_ns, .span_ns = span_ns};
}

static void
test_common(void)
{
    const Case cases[] = {
        {"uuidv7", {.node_count = 64}, NULL, "64 generators"},
        {"uuidv7", {.node_count = 65}, "65", "too many generators"},
        {"uuidv7", {.node_count = 99}, "node count 0", "no generator"},
        {"uuidv7", {.node_skew_ns = 1000 * 86400 * SECOND_NS}, "skew", "clocks years apart"},
        {"uuidv7", {.prefix = "prj"}, NULL, "a prefix"},
        {"uuidv7", {.prefix = AT_63}, NULL, "a prefix of 63"},
        {"uuidv7", {.prefix = AT_63 "l"}, "character 64", "a prefix of 64"},
        {"uuidv7", {.prefix = "Prj"}, "character 1", "upper case"},
        {"uuidv7", {.prefix = "prj_"}, "character 4", "an underscore at the end"},
        {"uuidv7", {.prefix = "_prj"}, "character 1", "an underscore at the start"},
        {"typeid", {.prefix = "p2j"}, "character 2", "a digit"},
        {"bigint", {.first_number = INT64_MAX}, NULL, "the last number"},
        {"bigint", {.first_number = UINT64_C(1) << 63}, "over the largest bigint", "one more"},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        check_case(&cases[i]);
}

static void
test_clocks(void)
{
    const uint64_t max_ns = INT64_MAX;
    const Case cases[] = {
        {"uuidv7", {.clock = at(0)}, NULL, "1970"},
        {"uuidv7", {.clock = at(max_ns - 1)}, NULL, "2262"},
        {"uuidv7", {.clock = at(max_ns + 1)}, "too late", "after 2262"},
        {"uuidv7", {.clock = window(5, 0)}, "empty", "a window without a moment"},
        {"uuidv7", {.clock = window(max_ns - 5, 6)}, "too late", "a window that ends after 2262"},
        {"uuidv4", {.clock = window(5, 0)}, NULL, "a clock that the format does not read"},
        {"ksuid", {.clock = at(UINT64_C(1400000000) * SECOND_NS)}, NULL, "KSUID's epoch"},
        {"ksuid", {.clock = at(UINT64_C(1400000000) * SECOND_NS - 1)}, "cannot hold", "before it"},
        {"ksuid", {.clock = at(UINT64_C(5694967296) * SECOND_NS)}, "cannot hold", "2^32 s later"},
        {"ksuid",
         {.clock = window(UINT64_C(5694967290) * SECOND_NS, 60 * SECOND_NS)},
         "5694967349",
         "a window over its end"},
        {"snowflake", {.clock = at(HELP_RFC_TIME_NS)}, NULL, "2022"},
        {"snowflake", {.clock = at(SECOND_NS)}, "cannot hold", "before Twitter's epoch"},
        {"snowflake", {.clock = at(SECOND_NS), .epoch_ms = 1}, NULL, "with an epoch of 1970"},
        {"snowflake", {.clock = at(SECOND_NS), .epoch_given = true}, NULL, "or the start of 1970"},
        {"snowflake", {.epoch_ms = 4102444800000}, "cannot hold", "an epoch after now"},
        {"snowflake",
         {.clock = at(UINT64_C(3487858230209) * HELP_NS_PER_MS)},
         "cannot hold",
         "2^41 ms after the epoch"},
        {"snowflake", {.epoch_ms = INT64_MIN}, "cannot hold", "an epoch in the far past"},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        check_case(&cases[i]);
}

/* The last of several ids, as the first. */
static void
test_counts(void)
{
    static const struct {
        const char *format;
        uint64_t first_number, start_s, step_s, count;
        const char *part, *label;
    } cases[] = {
        {"bigint", INT64_MAX, 0, 0, 1, NULL, "the last number"},
        {"bigint", INT64_MAX, 0, 0, 2, "number 9223372036854775808", "and one more"},
        {"sqids", INT64_MAX - 9, 0, 0, 11, "largest bigint", "Sqids are of bigints"},
        {"uuidv5", 0, 0, 0, INT64_MAX, NULL, "as many as there are"},
        {"uuidv5", 0, 0, 0, UINT64_MAX, "largest bigint", "more than that"},
        {"uuidv4", INT64_MAX, 0, 0, 2, NULL, "a format that does not count"},
        {"uuidv7", 0, 9223372035, 1, 3, "too late", "a clock that leaves its years"},
        {"uuidv7", 0, 1, 1, UINT64_MAX, "too late", "a clock that overflows"},
        {"uuidv7", 0, 1, 0, UINT64_MAX, NULL, "a clock that stands still"},
        {"ksuid", 0, 5694967295, 1, 2, "cannot hold", "the last second of KSUID"},
        {"snowflake", 0, 3487858229, 1, 3, "cannot hold", "the last one of Snowflake"},
        {"uuidv4", 0, 9223372035, 1, 3, NULL, "a clock that the format does not read"},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        KeyParams params = KEY_PARAMS_DEFAULT;
        Diag diag = {0};

        params.first_number = cases[i].first_number;
        params.clock = at(cases[i].start_s * SECOND_NS);
        params.clock.step_ns = cases[i].step_s * SECOND_NS;
        tap_u64(key_check_count(key_format_find(cases[i].format), &params, cases[i].count, &diag),
                cases[i].part == NULL ? STATUS_OK : STATUS_USAGE, cases[i].label);
        if (cases[i].part != NULL)
            tap_contains(diag.message, cases[i].part, cases[i].label);
    }
}

static void
test_own(void)
{
    static char long_name[257];
    const Case cases[] = {
        {"snowflake", {.machine = 1023}, NULL, "the last machine"},
        {"snowflake", {.machine = 1024}, "1024", "one more"},
        {"uuidv7", {.machine = 1024}, NULL, "a parameter that the format does not know"},
        {"uuidv1", {.mac = 0xffffffffffff}, NULL, "48 bits"},
        {"uuidv6", {.mac = 0x1000000000000}, "1000000000000", "49 bits"},
        {"nanoid", {.length = 64}, NULL, "the longest NanoID"},
        {"nanoid", {.length = 65}, "65", "one more"},
        {"nanoid", {.alphabet = "a"}, "fewer than 2", "one letter"},
        {"nanoid", {.alphabet = "abca"}, "byte 4 repeats", "a letter twice"},
        {"nanoid", {.alphabet = "ab\xc3\xa9"}, "byte 3", "a letter beyond ASCII"},
        {"sqids", {.length = 255}, NULL, "the longest minimum length"},
        {"sqids", {.length = 256}, "256", "one more"},
        {"sqids", {.alphabet = "ab"}, "fewer than 3", "two letters"},
        {"sqids", {.alphabet = "abc", .blocklist = "a b"}, NULL, "words too short to block"},
        {"uuidv3", {.name = long_name}, "256 bytes", "a long name"},
        {"uuidv5", {.name = long_name + 1}, NULL, "the longest name"},
    };

    memset(long_name, 'x', sizeof(long_name) - 1);
    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        check_case(&cases[i]);
}

/* A Sqid of an alphabet of three can have all its texts blocked; it is then written all the same.
 */
static void
test_blocked_sqid(void)
{
    KeyParams params = help_params(0);
    char text[KEY_TEXT_MAX];
    uint8_t id[8] = {0};
    KeyMinter *minter;

    params.alphabet = "abc";
    params.length = 3;
    params.blocklist = "cab abc bca";
    params.prefix = AT_63;
    minter = help_minter("sqids", &params);
    tap_u64(key_text(minter, id, text), 67, "prefix and three letters");
    key_minter_free(minter);
}

int
main(void)
{
    test_common();
    test_clocks();
    test_counts();
    test_own();
    test_blocked_sqid();
    return tap_done();
}
