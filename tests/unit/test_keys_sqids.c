/* Sqids against the cases of its specification's tests. */
#include "keys/sqids_code.h"

#include "support/tap.h"

#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
#define MAX_SAFE UINT64_C(9007199254740991) /* 2^53 - 1 */

enum { TEXT_ROOM = 2000, NUMBERS_ROOM = 128 };

/* One encoding with its parameters, and back. */
typedef struct Case {
    const char *alphabet; /* NULL: the default */
    unsigned min_length;
    const char *blocklist; /* NULL: the default */
    size_t count;
    uint64_t numbers[3];
    const char *text;
    const char *label;
} Case;

static SqidsCode *
open_code(const char *alphabet, unsigned min_length, const char *blocklist)
{
    SqidsCode *code = NULL;
    Diag diag;

    if (sqids_code_new(alphabet, min_length, blocklist, &code, &diag) != STATUS_OK)
        tap_ok(false, diag.message);
    return code;
}

static void
check_numbers(const SqidsCode *code, const char *text, const uint64_t *numbers, size_t count,
              const char *label)
{
    uint64_t back[NUMBERS_ROOM];
    size_t found = sqids_decode(code, text, back, NUMBERS_ROOM);

    tap_ok(found == count && memcmp(back, numbers, count * sizeof(*numbers)) == 0, label);
}

static void
check_case(const Case *wanted)
{
    SqidsCode *code = open_code(wanted->alphabet, wanted->min_length, wanted->blocklist);
    char text[TEXT_ROOM] = "";

    tap_u64(sqids_encode(code, wanted->numbers, wanted->count, text, sizeof(text)),
            strlen(wanted->text), wanted->label);
    tap_text(text, wanted->text, wanted->label);
    check_numbers(code, text, wanted->numbers, wanted->count, wanted->label);
    sqids_code_free(code);
}

static void
test_encoding(void)
{
    static const Case cases[] = {
        {NULL, 0, NULL, 3, {1, 2, 3}, "86Rf07", "simple"},
        {NULL, 0, NULL, 1, {0}, "bM", "one number"},
        {NULL, 0, NULL, 1, {1}, "Uk", "one number"},
        {NULL, 0, NULL, 1, {2}, "gb", "one number"},
        {NULL, 0, NULL, 1, {3}, "Ef", "one number"},
        {NULL, 0, NULL, 1, {4}, "Vq", "one number"},
        {NULL, 0, NULL, 1, {5}, "uw", "one number"},
        {NULL, 0, NULL, 1, {6}, "OI", "one number"},
        {NULL, 0, NULL, 1, {7}, "AX", "one number"},
        {NULL, 0, NULL, 1, {8}, "p6", "one number"},
        {NULL, 0, NULL, 1, {9}, "nJ", "one number"},
        {NULL, 0, NULL, 2, {0, 0}, "SvIz", "second number counts"},
        {NULL, 0, NULL, 2, {0, 1}, "n3qa", "second number counts"},
        {NULL, 0, NULL, 2, {0, 2}, "tryF", "second number counts"},
        {NULL, 0, NULL, 2, {0, 9}, "moxr", "second number counts"},
        {NULL, 0, NULL, 2, {1, 0}, "nWqP", "first number counts"},
        {NULL, 0, NULL, 2, {2, 0}, "tSyw", "first number counts"},
        {NULL, 0, NULL, 2, {9, 0}, "m2xn", "first number counts"},
        {"0123456789abcdef", 0, NULL, 3, {1, 2, 3}, "489158", "alphabet of 16"},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        check_case(&cases[i]);
}

static void
test_min_length(void)
{
    static const Case cases[] = {
        {NULL, 6, NULL, 3, {1, 2, 3}, "86Rf07", "long enough"},
        {NULL, 7, NULL, 3, {1, 2, 3}, "86Rf07x", "one more"},
        {NULL, 8, NULL, 3, {1, 2, 3}, "86Rf07xd", "two more"},
        {NULL, 13, NULL, 3, {1, 2, 3}, "86Rf07xd4zBmi", "seven more"},
        {NULL,
         62,
         NULL,
         3,
         {1, 2, 3},
         "86Rf07xd4zBmiJXQG6otHEbew02c3PWsUOLZxADhCpKj7aVFv9I8RquYrNlSTM",
         "alphabet's length"},
        {NULL,
         65,
         NULL,
         3,
         {1, 2, 3},
         "86Rf07xd4zBmiJXQG6otHEbew02c3PWsUOLZxADhCpKj7aVFv9I8RquYrNlSTMyf1",
         "over it"},
        {NULL,
         62,
         NULL,
         2,
         {0, 0},
         "SvIzsqYMyQwI3GWgJAe17URxX8V924Co0DaTZLtFjHriEn5bPhcSkfmvOslpBu",
         "two zeros"},
        {NULL,
         62,
         NULL,
         2,
         {0, 5},
         "sR8xjC8WQkOwo74PnglH1YFdTI0eaf56RGVSitzbjuZ3shNUXBrqLxEJyAmKv2",
         "zero and five"},
        {NULL,
         62,
         NULL,
         2,
         {0, 9},
         "moxr3HqLAK0GsTND6jowfZz3SUx7cQ8aC54Pl1RbIvFXmEJuBMYVeW9yrdOtin",
         "zero and nine"},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        check_case(&cases[i]);
}

static void
test_blocklist(void)
{
    static const Case cases[] = {
        {NULL, 0, NULL, 1, {4572721}, "JExTR", "default list keeps aho1e out"},
        {NULL, 0, "", 1, {4572721}, "aho1e", "an empty list blocks nothing"},
        {NULL, 0, "ArUO", 1, {4572721}, "aho1e", "a list replaces the default one"},
        {NULL, 0, "ArUO", 1, {100000}, "QyG4", "and blocks its own word"},
        {NULL,
         0,
         "JSwXFaosAN OCjV9JK64o rBHf 79SM 7tE6",
         2,
         {1000000, 2000000},
         "1aYeB7bRUt",
         "whole words, a part, an end and a start"},
        {"ABCDEFGHIJKLMNOPQRSTUVWXYZ",
         0,
         "sxnzkl",
         3,
         {1, 2, 3},
         "IBSHOZ",
         "case of the list does not matter"},
        {"ABCDEFGHIJKLMNOPQRSTUVWXYZ", 0, "", 3, {1, 2, 3}, "SXNZKL", "without that list"},
    };
    static const char *const blocked[] = {"86Rf07", "se8ojk", "ARsz1p", "Q8AI49", "5sQRZO"};
    const uint64_t numbers[] = {1, 2, 3};
    SqidsCode *code = open_code(NULL, 0, "86Rf07 se8ojk ARsz1p Q8AI49 5sQRZO");

    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        check_case(&cases[i]);
    for (size_t i = 0; i < ARRAY_LEN(blocked); i++)
        check_numbers(code, blocked[i], numbers, 3, "blocked words still decode");
    sqids_code_free(code);
}

static void
test_all_blocked(void)
{
    const uint64_t zero = 0;
    SqidsCode *code = open_code("abc", 3, "cab abc bca");
    char text[TEXT_ROOM];

    tap_u64(sqids_encode(code, &zero, 1, text, sizeof(text)), 0, "every attempt is blocked");
    sqids_code_free(code);
}

static void
check_round_trip(const SqidsCode *code, const uint64_t *numbers, size_t count, unsigned min_length)
{
    char text[TEXT_ROOM] = "";
    size_t length = sqids_encode(code, numbers, count, text, sizeof(text));

    tap_ok(length >= min_length, "at least the minimum length");
    check_numbers(code, text, numbers, count, "round trip");
}

static void
test_round_trips(void)
{
    static const struct {
        const char *letters, *blocklist;
    } alphabets[] = {
        {NULL, NULL},
        {"abc", ""}, /* with a list, some numbers have no unblocked text */
        {LETTERS "!@#$%^&*()-_+|{}[];:'\"/?.>,<`~", NULL},
    };
    static const unsigned lengths[] = {0, 1, 5, 10, 62, 255};
    const uint64_t one[] = {1000000}, safe[] = {MAX_SAFE}, most[] = {UINT64_MAX},
                   zeros[] = {0, 0, 0, 0, 0},
                   mixed[] = {0, 0, 0, 1, 2, 3, 100, 1000, 100000, 1000000, MAX_SAFE};
    uint64_t hundred[100];

    for (size_t i = 0; i < ARRAY_LEN(hundred); i++)
        hundred[i] = i;
    for (size_t a = 0; a < ARRAY_LEN(alphabets); a++) {
        for (size_t l = 0; l < ARRAY_LEN(lengths); l++) {
            SqidsCode *code = open_code(alphabets[a].letters, lengths[l], alphabets[a].blocklist);

            check_round_trip(code, one, 1, lengths[l]);
            check_round_trip(code, safe, 1, lengths[l]);
            check_round_trip(code, most, 1, lengths[l]);
            check_round_trip(code, zeros, 5, lengths[l]);
            check_round_trip(code, mixed, ARRAY_LEN(mixed), lengths[l]);
            check_round_trip(code, hundred, ARRAY_LEN(hundred), lengths[l]);
            sqids_code_free(code);
        }
    }
}

static uint64_t
decode_one(const SqidsCode *code, const char *text)
{
    uint64_t number = UINT64_MAX;

    return sqids_decode(code, text, &number, 1) == 1 ? number : UINT64_MAX;
}

/* A million numbers without a blocklist, a tenth of them with: all different, all come back. */
static void
test_uniques(void)
{
    static const struct {
        const char *blocklist;
        uint64_t count;
        const char *label;
    } cases[] = {
        {"", 1000000, "a million numbers come back, so their texts differ"},
        {NULL, 100000, "with the blocklist too"},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        SqidsCode *code = open_code(NULL, 0, cases[i].blocklist);
        char text[TEXT_ROOM];
        uint64_t bad = 0;

        for (uint64_t number = 0; number < cases[i].count; number++) {
            sqids_encode(code, &number, 1, text, sizeof(text));
            bad += decode_one(code, text) != number;
        }
        tap_u64(bad, 0, cases[i].label);
        sqids_code_free(code);
    }
}

static void
test_decoding_garbage(void)
{
    static const struct {
        const char *text, *label;
    } cases[] = {
        {"", "nothing"},
        {"*", "a character of no alphabet"},
        {"86Rf0*", "such a character at the end"},
        {"b", "a prefix without number"},
        {"ZZZZZZZZZZZZZZZZZZZZZZZZZ", "a number over 64 bits"},
    };
    SqidsCode *code = open_code(NULL, 0, NULL);
    uint64_t numbers[2];

    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        tap_u64(sqids_decode(code, cases[i].text, numbers, 2), 0, cases[i].label);
    tap_u64(sqids_decode(code, "86Rf07", numbers, 2), 0, "more numbers than there is room for");
    sqids_code_free(code);
}

static void
test_limits(void)
{
    const uint64_t number = 123456;
    SqidsCode *code = open_code(NULL, 0, NULL);
    char text[TEXT_ROOM];
    size_t length = sqids_encode(code, &number, 1, text, sizeof(text));

    tap_u64(sqids_encode(code, &number, 0, text, sizeof(text)), 0, "no numbers, no text");
    tap_u64(sqids_encode(code, &number, 1, text, length), 0, "no room for the zero");
    tap_u64(sqids_encode(code, &number, 1, text, length + 1), length, "just enough room");
    sqids_code_free(code);
    sqids_code_free(NULL);
}

static void
test_refusals(void)
{
    static const struct {
        const char *alphabet;
        unsigned min_length;
        const char *part, *label;
    } cases[] = {
        {"\xc3\xab"
         "1092",
         0, "printable ASCII", "multibyte characters"},
        {"aabcdefg", 0, "repeats", "a character twice"},
        {"ab", 0, "fewer than 3", "too short an alphabet"},
        {"", 0, "fewer than 3", "no alphabet"},
        {"abc d", 0, "printable ASCII", "a blank"},
        {NULL, 256, "256", "minimum length over 255"},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        SqidsCode *code = NULL;
        Diag diag = {0};

        tap_u64(sqids_code_new(cases[i].alphabet, cases[i].min_length, NULL, &code, &diag),
                STATUS_USAGE, cases[i].label);
        tap_contains(diag.message, cases[i].part, cases[i].label);
        tap_ok(diag.hint[0] != '\0' && code == NULL, "with a hint, and nothing made");
    }
}

int
main(void)
{
    test_encoding();
    test_min_length();
    test_blocklist();
    test_all_blocked();
    test_round_trips();
    test_uniques();
    test_decoding_garbage();
    test_limits();
    test_refusals();
    return tap_done();
}
