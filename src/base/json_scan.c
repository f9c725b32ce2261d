#include "base/json_scan.h"

#include <stdarg.h>
#include <string.h>

/* Doubles hold every whole number up to here. */
static const char EXACT_MAX[] = "9007199254740992";

static bool fail(JsonScan *scan, const char *format, ...) PRINTF_LIKE(2, 3);

static bool
fail(JsonScan *scan, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(scan->problem, sizeof(scan->problem), format, args);
    va_end(args);
    return false;
}

/* The next byte; 0 at the end. */
static char
peek(const JsonScan *scan)
{
    return scan->at < scan->length ? scan->text[scan->at] : '\0';
}

static bool
fail_expected(JsonScan *scan, const char *wanted)
{
    size_t length = 1;

    if (scan->at == scan->length)
        return fail(scan, "the file ends where %s should be", wanted);
    while (((unsigned char)scan->text[scan->at + length] & 0xc0) == 0x80)
        length++;
    return fail(scan, "expected %s, not \"%.*s\"", wanted, (int)length, scan->text + scan->at);
}

void
json_scan_blanks(JsonScan *scan)
{
    while (peek(scan) != '\0' && strchr(" \t\r\n", peek(scan)) != NULL)
        scan->at++;
}

/* Move behind the four digits of \uXXXX. */
static bool
scan_hex(JsonScan *scan, unsigned *code)
{
    static const char DIGITS[] = "0123456789abcdef0123456789ABCDEF";

    *code = 0;
    for (int i = 0; i < 4; i++) {
        const char *digit = peek(scan) != '\0' ? strchr(DIGITS, peek(scan)) : NULL;

        if (digit == NULL)
            return fail_expected(scan, "four hexadecimal digits");
        *code = *code * 16 + (unsigned)(digit - DIGITS) % 16;
        scan->at++;
    }
    return true;
}

/* Move behind \uXXXX, or two of them that make one character (RFC 8259, section 7). */
static bool
scan_unicode(JsonScan *scan)
{
    size_t start = scan->at;
    unsigned high, low = 0;

    scan->at += 2;
    if (!scan_hex(scan, &high))
        return false;
    if (high >= 0xd800 && high <= 0xdbff && strncmp(scan->text + scan->at, "\\u", 2) == 0) {
        scan->at += 2;
        if (!scan_hex(scan, &low))
            return false;
        if (low >= 0xdc00 && low <= 0xdfff)
            return true;
    }
    if (high != 0 && (high < 0xd800 || high > 0xdfff))
        return true;
    scan->at = start;
    if (high == 0)
        return fail(scan, "\\u0000 cannot be part of a string");
    return fail(scan, "half a surrogate pair");
}

bool
json_scan_string(JsonScan *scan)
{
    if (peek(scan) != '"')
        return fail_expected(scan, "a string in double quotes");
    for (scan->at++; peek(scan) != '"';) {
        const char *at = scan->text + scan->at;

        if (scan->at == scan->length)
            return fail(scan, "the file ends inside a string");
        if ((unsigned char)*at < ' ')
            return fail(scan, "a control character inside a string; write it as \\u%04x", *at);
        if (*at != '\\')
            scan->at++;
        else if (at[1] != '\0' && strchr("\"\\/bfnrt", at[1]) != NULL)
            scan->at += 2;
        else if (at[1] != 'u')
            return fail(scan, "an unknown escape; a backslash itself is written \\\\");
        else if (!scan_unicode(scan))
            return false;
    }
    scan->at++;
    return true;
}

/* Move behind digits; false when there are none. */
static bool
scan_digits(JsonScan *scan)
{
    size_t start = scan->at;

    while (peek(scan) >= '0' && peek(scan) <= '9')
        scan->at++;
    return scan->at > start || fail_expected(scan, "a digit");
}

/* Whole numbers that a double cannot hold would change in silence. */
static bool
is_exact(const char *digits, size_t length)
{
    size_t exact = sizeof(EXACT_MAX) - 1;

    return length < exact || (length == exact && strncmp(digits, EXACT_MAX, exact) <= 0);
}

static bool
scan_number(JsonScan *scan)
{
    size_t start, end;

    scan->at += peek(scan) == '-';
    start = scan->at;
    if (!scan_digits(scan))
        return false;
    end = scan->at;
    if (scan->text[start] == '0' && end > start + 1) {
        scan->at = start;
        return fail(scan, "a number with a leading zero");
    }
    if (peek(scan) == '.') {
        scan->at++;
        if (!scan_digits(scan))
            return false;
    }
    if (peek(scan) == 'e' || peek(scan) == 'E') {
        scan->at++;
        scan->at += peek(scan) == '+' || peek(scan) == '-';
        if (!scan_digits(scan))
            return false;
    }
    if (scan->at == end && !is_exact(scan->text + start, end - start)) {
        scan->at = start;
        return fail(scan, "a whole number beyond %s, which doubles do not hold", EXACT_MAX);
    }
    return true;
}

/* Move behind one member of an object, or one item of an array. */
static bool
scan_member(JsonScan *scan, bool in_object)
{
    json_scan_blanks(scan);
    if (in_object) {
        if (peek(scan) != '"')
            return fail_expected(scan, "a key in double quotes");
        if (!json_scan_string(scan))
            return false;
        json_scan_blanks(scan);
        if (peek(scan) != ':')
            return fail_expected(scan, "\":\"");
        scan->at++;
    }
    return json_scan_value(scan);
}

static bool
scan_members(JsonScan *scan, char close)
{
    json_scan_blanks(scan);
    while (peek(scan) != close) {
        size_t comma;

        if (!scan_member(scan, close == '}'))
            return false;
        json_scan_blanks(scan);
        if (peek(scan) == close)
            break;
        if (peek(scan) != ',')
            return fail_expected(scan, close == '}' ? "\",\" or \"}\"" : "\",\" or \"]\"");
        comma = scan->at++;
        json_scan_blanks(scan);
        if (peek(scan) == close) {
            scan->at = comma;
            return fail(scan, "a comma with nothing behind it");
        }
    }
    scan->at++;
    return true;
}

static bool
scan_container(JsonScan *scan)
{
    char close = peek(scan) == '{' ? '}' : ']';

    if (scan->nesting == scan->nesting_max)
        return fail(scan, "nested deeper than %u levels", scan->nesting_max);
    scan->nesting++;
    scan->at++;
    if (!scan_members(scan, close))
        return false;
    scan->nesting--;
    return true;
}

static bool
scan_literal(JsonScan *scan)
{
    static const char *const LITERALS[] = {"true", "false", "null"};

    for (size_t i = 0; i < ARRAY_LEN(LITERALS); i++) {
        size_t length = strlen(LITERALS[i]);

        if (strncmp(scan->text + scan->at, LITERALS[i], length) == 0) {
            scan->at += length;
            return true;
        }
    }
    return fail_expected(scan, "a value");
}

bool
json_scan_value(JsonScan *scan)
{
    char first;

    json_scan_blanks(scan);
    first = peek(scan);
    if (first == '{' || first == '[')
        return scan_container(scan);
    if (first == '"')
        return json_scan_string(scan);
    if (first == '-' || (first >= '0' && first <= '9'))
        return scan_number(scan);
    return scan_literal(scan);
}

bool
json_scan_all(JsonScan *scan)
{
    if (!json_scan_value(scan))
        return false;
    json_scan_blanks(scan);
    return scan->at == scan->length || fail(scan, "text behind the end of the value");
}
