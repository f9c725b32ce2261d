#include "base/units.h"

#include "base/clock.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { DECIMALS_MAX = 6 };

typedef struct Unit {
    const char *name;
    uint64_t scale;
} Unit;

/* The first names of each size are what is printed. */
static const Unit BYTE_UNITS[] = {
    {"bytes", 1},
    {"kB", UINT64_C(1) << 10},
    {"MB", UINT64_C(1) << 20},
    {"GB", UINT64_C(1) << 30},
    {"TB", UINT64_C(1) << 40},
    {"B", 1},
};
enum { PRINTED_BYTE_UNITS = 5 };

static const Unit TIME_UNITS[] = {
    {"ns", 1},
    {"us", NS_PER_US},
    {"ms", NS_PER_MS},
    {"s", NS_PER_S},
    {"min", 60 * NS_PER_S},
    {"h", 3600 * NS_PER_S},
    {"d", 86400 * NS_PER_S},
};

static const uint64_t MB = UINT64_C(1) << 20;

static bool
is_digit(char character)
{
    return character >= '0' && character <= '9';
}

/* Read digits from *text on and move behind them. False when there are none or too many. */
static bool
read_digits(const char **text, uint64_t *value)
{
    const char *at = *text;
    uint64_t sum = 0;

    if (!is_digit(*at))
        return false;
    for (; is_digit(*at); at++)
        if (__builtin_mul_overflow(sum, 10, &sum) ||
            __builtin_add_overflow(sum, (uint64_t)(*at - '0'), &sum))
            return false;
    *text = at;
    *value = sum;
    return true;
}

/* Read ".5" as 500,000 millionths; nothing there is 0. */
static bool
read_millionths(const char **text, uint64_t *millionths)
{
    const char *first = *text + 1;
    size_t count;

    *millionths = 0;
    if (**text != '.')
        return true;
    *text = first;
    if (!read_digits(text, millionths))
        return false;
    count = (size_t)(*text - first);
    for (size_t i = count; i < DECIMALS_MAX; i++)
        *millionths *= 10;
    return count <= DECIMALS_MAX;
}

static const Unit *
find_unit(const Unit *units, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(units[i].name, name) == 0)
            return &units[i];
    return NULL;
}

static bool
read_scaled(const char *text, const Unit *units, size_t count, uint64_t *value)
{
    const Unit *unit;
    uint64_t whole, millionths, rest;

    if (!read_digits(&text, &whole) || !read_millionths(&text, &millionths))
        return false;
    if (*text == ' ')
        text++;
    unit = find_unit(units, count, text);
    if (unit == NULL)
        return false;
    /* in two parts, because a day or a TB in nanoseconds or bytes times a million overflows */
    rest = unit->scale / 1000000 * millionths +
           (unit->scale % 1000000 * millionths + 500000) / 1000000;
    if (__builtin_mul_overflow(whole, unit->scale, &whole) ||
        __builtin_add_overflow(whole, rest, &whole))
        return false;
    *value = whole;
    return true;
}

bool
units_read_u64(const char *text, uint64_t *value)
{
    const char *at = text;
    uint64_t number;

    if (!read_digits(&at, &number) || *at != '\0' || (text[0] == '0' && text[1] != '\0'))
        return false;
    *value = number;
    return true;
}

bool
units_read_bytes(const char *text, uint64_t *bytes)
{
    return read_scaled(text, BYTE_UNITS, ARRAY_LEN(BYTE_UNITS), bytes);
}

bool
units_read_time_ns(const char *text, uint64_t *time_ns)
{
    return read_scaled(text, TIME_UNITS, ARRAY_LEN(TIME_UNITS), time_ns);
}

bool
units_find_bytes(const char *unit, uint64_t *bytes)
{
    const Unit *found = find_unit(BYTE_UNITS, ARRAY_LEN(BYTE_UNITS), unit);

    if (found == NULL)
        return false;
    *bytes = found->scale;
    return true;
}

/* Half away from zero, as pg_size_pretty does; printf alone would round halves to even. The sum
 * makes -0 a plain 0. */
static double
round_to(double value, int decimals)
{
    double power = pow(10, decimals);

    return round(value * power) / power + 0.0;
}

/* Where the next unit begins. */
static double
unit_limit(size_t unit, int decimals)
{
    return decimals > 0 && BYTE_UNITS[unit].scale < MB ? 1024 : 10240;
}

void
units_print_bytes(double bytes, int decimals, char *text, size_t size)
{
    double value = round_to(bytes, 0);
    size_t i = 0;

    if (isnan(bytes)) {
        snprintf(text, size, "-");
        return;
    }
    while (fabs(value) >= unit_limit(i, decimals) && i + 1 < PRINTED_BYTE_UNITS)
        value = round_to(bytes / (double)BYTE_UNITS[++i].scale, decimals);
    snprintf(text, size, "%.*f %s", i == 0 ? 0 : decimals, value, BYTE_UNITS[i].name);
}

/* Print with a comma between thousands: digits are copied, a comma goes in front of each third
 * from the point. */
static void
separate(const char *digits, const char *unit, char *text, size_t size)
{
    char separated[600];
    size_t whole, at = 0;
    const char *from = digits;

    if (*from == '-')
        separated[at++] = *from++;
    whole = strspn(from, "0123456789");
    for (size_t i = 0; i < whole; i++) {
        if (i > 0 && (whole - i) % 3 == 0)
            separated[at++] = ',';
        separated[at++] = from[i];
    }
    separated[at] = '\0';
    snprintf(text, size, "%s%s%s", separated, from + whole, unit);
}

static void
print_separated(double value, int decimals, const char *unit, char *text, size_t size)
{
    char digits[400]; /* the largest double has 309 before the point */

    if (isnan(value)) {
        snprintf(text, size, "-");
        return;
    }
    snprintf(digits, sizeof(digits), "%.*f", decimals, round_to(value, decimals));
    separate(digits, unit, text, size);
}

void
units_print_whole(uint64_t count, char *text, size_t size)
{
    char digits[24];

    snprintf(digits, sizeof(digits), "%" PRIu64, count);
    separate(digits, "", text, size);
}

void
units_print_count(double count, char *text, size_t size)
{
    print_separated(count, 0, "", text, size);
}

void
units_print_pct(double pct, int decimals, char *text, size_t size)
{
    print_separated(pct, decimals, "%", text, size);
}

void
units_print_ms(double ms, int decimals, char *text, size_t size)
{
    print_separated(ms, decimals, " ms", text, size);
}

void
units_print_us(double us, char *text, size_t size)
{
    print_separated(us, 0, " us", text, size);
}

/* "2 min 05 s": the whole part in `unit`, the rest in `lower`, rounded to it. */
static void
print_pair(uint64_t duration_ns, const Unit *unit, const Unit *lower, char *text, size_t size)
{
    uint64_t half_up = duration_ns % lower->scale >= lower->scale / 2;
    uint64_t count = duration_ns / lower->scale + half_up;
    uint64_t ratio = unit->scale / lower->scale;

    snprintf(text, size, "%" PRIu64 " %s %02" PRIu64 " %s", count / ratio, unit->name,
             count % ratio, lower->name);
}

void
units_print_duration(uint64_t duration_ns, char *text, size_t size)
{
    size_t i = ARRAY_LEN(TIME_UNITS) - 1;

    /* 999.96 ms would print as "1000.0 ms": a unit begins where the one below rounds up to it */
    while (i > 0 && duration_ns < TIME_UNITS[i].scale - TIME_UNITS[i - 1].scale / 20)
        i--;
    if (TIME_UNITS[i].scale > NS_PER_S)
        print_pair(duration_ns, &TIME_UNITS[i], &TIME_UNITS[i - 1], text, size);
    else
        snprintf(text, size, "%.*f %s", i == 0 ? 0 : 1,
                 (double)duration_ns / (double)TIME_UNITS[i].scale, TIME_UNITS[i].name);
}
