/* Moments as users type them. */
#include "cli/moment.h"

#include "support/tap.h"

#define NS UINT64_C(1000000000)

static void
test_good(void)
{
    static const struct {
        const char *text;
        uint64_t time_ns;
    } cases[] = {
        {"1970-01-01", 0},
        {"2024-05-01", UINT64_C(1714521600) * NS},
        {"2024-02-29", UINT64_C(1709164800) * NS},
        {"2024-05-01T12:00:00Z", UINT64_C(1714564800) * NS},
        {"2024-05-01 12:00", UINT64_C(1714564800) * NS},
        {"2024-05-01t12:00:00.123z", UINT64_C(1714564800) * NS + 123000000},
        {"2024-05-01T12:00:00.123456789Z", UINT64_C(1714564800) * NS + 123456789},
        {"2024-05-01T14:00:00+02:00", UINT64_C(1714564800) * NS},
        {"2024-05-01T14:00:00+02", UINT64_C(1714564800) * NS},
        {"2024-05-01T06:30:00-0530", UINT64_C(1714564800) * NS},
        {"2022-02-22T14:22:22-05:00", UINT64_C(1645557742) * NS},
        {"@0", 0},
        {"@1714564800", UINT64_C(1714564800) * NS},
        {"@1288834974.657", UINT64_C(1288834974657) * 1000000},
        {"2262-01-01", UINT64_C(9214646400) * NS},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        uint64_t time_ns = 1;
        Diag diag = {0};

        tap_u64(moment_read(cases[i].text, &time_ns, &diag), STATUS_OK, cases[i].text);
        tap_u64(time_ns, cases[i].time_ns, cases[i].text);
    }
}

static void
test_bad(void)
{
    static const char *const cases[] = {
        "",
        "now",
        "2024",
        "2024-5-1",
        "2024-13-01",
        "2024-00-01",
        "2024-02-30",
        "2023-02-29",
        "1969-12-31",
        "2263-01-01",
        "2024-05-01T",
        "2024-05-01T12",
        "2024-05-01T24:00",
        "2024-05-01T12:60",
        "2024-05-01T12:00:60",
        "2024-05-01T12:00:00.",
        "2024-05-01T12:00:00.1234567890",
        "2024-05-01T12:00:00+2",
        "2024-05-01T12:00:00+16:00",
        "2024-05-01T12:00:00Z ",
        " 2024-05-01",
        "1970-01-01T00:00:00+01:00",
        "@",
        "@-5",
        "@12.",
        "@99999999999999999999",
        "1714564800",
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        uint64_t time_ns = 7;
        Diag diag = {0};

        tap_u64(moment_read(cases[i], &time_ns, &diag), STATUS_USAGE, cases[i]);
        tap_ok(time_ns == 7 && diag.hint[0] != '\0', "untouched, with a hint");
    }
}

int
main(void)
{
    test_good();
    test_bad();
    return tap_done();
}
