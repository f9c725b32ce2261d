#include "base/units.h"

#include "support/tap.h"

static void
test_read_u64(void)
{
    static const struct {
        const char *text;
        bool good;
        uint64_t value;
        const char *label;
    } cases[] = {
        {"0", true, 0, "zero"},
        {"500", true, 500, "digits"},
        {"18446744073709551615", true, UINT64_MAX, "the largest"},
        {"18446744073709551616", false, 0, "one beyond the largest"},
        {"99999999999999999999999", false, 0, "far beyond"},
        {"", false, 0, "empty"},
        {"-1", false, 0, "a sign"},
        {"+1", false, 0, "a plus"},
        {" 1", false, 0, "a blank in front"},
        {"1 ", false, 0, "a blank behind"},
        {"007", false, 0, "leading zeros"},
        {"1e3", false, 0, "an exponent"},
        {"0x10", false, 0, "hexadecimal"},
        {"1.0", false, 0, "a fraction"},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        uint64_t value = 77;

        tap_u64(units_read_u64(cases[i].text, &value), cases[i].good, cases[i].label);
        tap_u64(value, cases[i].good ? cases[i].value : 77, "  its value");
    }
}

static void
test_read_scaled(void)
{
    static const struct {
        bool (*read)(const char *text, uint64_t *value);
        const char *text;
        bool good;
        uint64_t value;
        const char *label;
    } cases[] = {
        {units_read_bytes, "64MB", true, UINT64_C(64) << 20, "MB is 2^20"},
        {units_read_bytes, "8kB", true, 8192, "kB is 2^10"},
        {units_read_bytes, "1 GB", true, UINT64_C(1) << 30, "a blank before the unit"},
        {units_read_bytes, "2TB", true, UINT64_C(2) << 40, "TB"},
        {units_read_bytes, "17B", true, 17, "B"},
        {units_read_bytes, "17bytes", true, 17, "bytes"},
        {units_read_bytes, "1.5kB", true, 1536, "a fraction"},
        {units_read_bytes, "0.000001MB", true, 1, "a fraction is rounded"},
        {units_read_bytes, "0.000001kB", true, 0, "also down"},
        {units_read_bytes, "0.999999TB", true, UINT64_C(1099510528264), "six decimals of a TB"},
        {units_read_bytes, "16777215TB", true, UINT64_C(16777215) << 40, "the most TB"},
        {units_read_bytes, "16777216TB", false, 0, "more than 64 bits"},
        {units_read_bytes, "16777215.9999999TB", false, 0, "seven decimals"},
        {units_read_bytes, "64", false, 0, "no unit"},
        {units_read_bytes, "64mb", false, 0, "units in the wrong case"},
        {units_read_bytes, "64MiB", false, 0, "an unknown unit"},
        {units_read_bytes, "MB", false, 0, "no number"},
        {units_read_bytes, "1.MB", false, 0, "a point without decimals"},
        {units_read_bytes, ".5MB", false, 0, "a point without a whole part"},
        {units_read_bytes, "-1MB", false, 0, "a sign"},
        {units_read_bytes, "1  MB", false, 0, "two blanks"},
        {units_read_bytes, "1MB ", false, 0, "a blank behind"},
        {units_read_bytes, "", false, 0, "empty"},
        {units_read_bytes, "1s", false, 0, "a time is no size"},
        {units_read_time_ns, "30s", true, UINT64_C(30000000000), "seconds"},
        {units_read_time_ns, "500ms", true, 500000000, "milliseconds"},
        {units_read_time_ns, "7us", true, 7000, "microseconds"},
        {units_read_time_ns, "7ns", true, 7, "nanoseconds"},
        {units_read_time_ns, "2min", true, UINT64_C(120000000000), "minutes"},
        {units_read_time_ns, "1.5h", true, UINT64_C(5400000000000), "hours"},
        {units_read_time_ns, "1d", true, UINT64_C(86400000000000), "days"},
        {units_read_time_ns, "0.000001d", true, 86400000, "a fraction of a day"},
        {units_read_time_ns, "213503d", true, UINT64_C(213503) * 86400 * 1000000000,
         "the most days"},
        {units_read_time_ns, "213503.99d", false, 0, "more than 64 bits by its fraction"},
        {units_read_time_ns, "213504d", false, 0, "more than 64 bits"},
        {units_read_time_ns, "30", false, 0, "no unit"},
        {units_read_time_ns, "1m", false, 0, "m could be a month"},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        uint64_t value = 77;

        tap_u64(cases[i].read(cases[i].text, &value), cases[i].good, cases[i].label);
        tap_u64(value, cases[i].good ? cases[i].value : 77, "  its value");
    }
}

static void
test_find_bytes(void)
{
    uint64_t bytes = 77;

    tap_ok(units_find_bytes("MB", &bytes), "MB is a unit");
    tap_u64(bytes, 1 << 20, "of 2^20 bytes");
    tap_ok(!units_find_bytes("pages", &bytes), "pages are no bytes");
    tap_u64(bytes, 1 << 20, "and the out parameter is untouched");
}

static void
test_print_bytes(void)
{
    static const struct {
        double bytes;
        int decimals;
        const char *text, *label;
    } cases[] = {
        {136232865, 1, "129.9 MB", "the book's WAL"},
        {44941312, 0, "43 MB", "the book's index size"},
        {9961472, 0, "9728 kB", "without decimals a unit goes to 10,240, as in pg_size_pretty"},
        {10239.0 * 1024, 0, "10239 kB", "the last kB"},
        {10240.0 * 1024, 0, "10 MB", "the first MB"},
        {10239.5 * 1024, 0, "10 MB", "what rounds up to the next unit is printed in it"},
        {1024, 1, "1.0 kB", "with decimals kB begin at 1,024 bytes"},
        {1023.96 * 1024, 1, "1.0 MB", "what rounds up to the next unit, with decimals"},
        {1023, 1, "1023 bytes", "bytes have no decimals"},
        {0, 1, "0 bytes", "nothing"},
        {-0.2, 1, "0 bytes", "no minus in front of 0"},
        {-136232865, 1, "-129.9 MB", "a difference may be negative"},
        {2.5 * (1 << 20), 2, "2.50 MB", "two decimals"},
        {0.05 * (1 << 30), 1, "51.2 MB", "tenths"},
        {1032.4 * (1 << 20), 1, "1032.4 MB", "what a column of MB holds stays in MB"},
        {15.5 * ((uint64_t)1 << 40), 1, "15.5 TB", "TB"},
        {5000.0 * ((uint64_t)1 << 40), 1, "5000.0 TB", "there is nothing above TB"},
        {NAN, 1, "-", "not a number"},
        {INFINITY, 0, "inf TB", "infinite"},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        char text[UNITS_TEXT_SIZE];

        units_print_bytes(cases[i].bytes, cases[i].decimals, text, sizeof(text));
        tap_text(text, cases[i].text, cases[i].label);
    }
}

static void
test_print_separated(void)
{
    char text[UNITS_TEXT_SIZE], cut[4];

    units_print_count(72642, text, sizeof(text));
    tap_text(text, "72,642", "thousands are separated");
    units_print_whole(UINT64_MAX, text, sizeof(text));
    tap_text(text, "18,446,744,073,709,551,615", "all digits of 64 bits");
    units_print_count(999, text, sizeof(text));
    tap_text(text, "999", "three digits need no separator");
    units_print_count(1000000, text, sizeof(text));
    tap_text(text, "1,000,000", "two separators");
    units_print_count(-1234567, text, sizeof(text));
    tap_text(text, "-1,234,567", "a sign is no digit");
    units_print_count(-100, text, sizeof(text));
    tap_text(text, "-100", "no separator behind a sign");
    units_print_count(999.5, text, sizeof(text));
    tap_text(text, "1,000", "counts are rounded first");
    units_print_count(-0.4, text, sizeof(text));
    tap_text(text, "0", "no minus in front of 0");
    units_print_count(NAN, text, sizeof(text));
    tap_text(text, "-", "not a number");
    units_print_count(INFINITY, text, sizeof(text));
    tap_text(text, "inf", "infinite");
    units_print_count(-1e300, text, sizeof(text));
    tap_u64(strlen(text), sizeof(text) - 1, "a huge number is cut at the size");
    units_print_count(72642, cut, sizeof(cut));
    tap_text(cut, "72,", "so is any other");
    units_print_pct(90.03, 1, text, sizeof(text));
    tap_text(text, "90.0%", "percent");
    units_print_pct(0.05, 1, text, sizeof(text));
    tap_text(text, "0.1%", "halves are rounded up");
    units_print_ms(1234.56, 1, text, sizeof(text));
    tap_text(text, "1,234.6 ms", "milliseconds");
}

static void
test_print_duration(void)
{
    static const struct {
        uint64_t duration_ns;
        const char *text, *label;
    } cases[] = {
        {0, "0 ns", "nothing"},
        {850, "850 ns", "nanoseconds are whole"},
        {1000, "1.0 us", "microseconds"},
        {12300000, "12.3 ms", "milliseconds"},
        {999949999, "999.9 ms", "the last that rounds to 999.9"},
        {999960000, "1.0 s", "what rounds up to a second is a second"},
        {4700000000, "4.7 s", "seconds"},
        {59940000000, "59.9 s", "the last that rounds to 59.9"},
        {59960000000, "1 min 00 s", "what rounds up to a minute is a minute"},
        {125400000000, "2 min 05 s", "minutes and seconds"},
        {3596000000000, "59 min 56 s", "nearly an hour"},
        {3599600000000, "1 h 00 min", "what rounds up to an hour is an hour"},
        {3720000000000, "1 h 02 min", "hours and minutes"},
        {UINT64_C(86380000000000), "1 d 00 h", "what rounds up to a day is a day"},
        {UINT64_C(273600000000000), "3 d 04 h", "days and hours"},
        {UINT64_MAX, "213504 d 00 h", "the longest does not overflow"},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        char text[UNITS_TEXT_SIZE];

        units_print_duration(cases[i].duration_ns, text, sizeof(text));
        tap_text(text, cases[i].text, cases[i].label);
    }
}

int
main(void)
{
    test_read_u64();
    test_read_scaled();
    test_find_bytes();
    test_print_bytes();
    test_print_separated();
    test_print_duration();
    return tap_done();
}
