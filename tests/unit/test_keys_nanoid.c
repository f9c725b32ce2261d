/* NanoID draws evenly from any alphabet, at any length. */
#include "unit/test_keys_help.h"

#define DEFAULT_ALPHABET "useandom-26T198340PX75pxJACKVERYMINDBUSHWOLF_GQZbfghjklqvwyzrict"

enum { DRAWS = 2000000 };

/* An upper bound that chi-square with `degrees` stays under but once in ten thousand times: Wilson
 * and Hilferty's approximation. */
static double
chi_square_limit(double degrees)
{
    double part = 2 / (9 * degrees);
    double root = 1 - part + 3.719 * sqrt(part);

    return degrees * root * root * root;
}

static double
chi_square(const KeyParams *params, const char *alphabet, bool *only_alphabet)
{
    size_t size = strlen(alphabet), width;
    size_t length = params->length != 0 ? params->length : 21;
    size_t count = DRAWS / length;
    uint8_t *ids = help_ids("nanoid", params, count, &width);
    double counts[256] = {0}, expected = (double)(count * width) / (double)size, sum = 0;

    *only_alphabet = width == length;
    for (size_t i = 0; i < count * width; i++) {
        counts[ids[i]]++;
        *only_alphabet = *only_alphabet && ids[i] != 0 && strchr(alphabet, ids[i]) != NULL;
    }
    for (size_t i = 0; i < size; i++) {
        double off = counts[(unsigned char)alphabet[i]] - expected;

        sum += off * off / expected;
    }
    free(ids);
    return sum;
}

static void
test_even(void)
{
    static const struct {
        const char *alphabet; /* NULL: the default */
        unsigned length;
        const char *label;
    } cases[] = {
        {NULL, 0, "default"},
        {"01", 64, "two letters: one bit each"},
        {"abc", 21, "three letters: one draw in four is thrown away"},
        {"0123456789", 10, "ten digits"},
        {"0123456789abcdef", 32, "sixteen"},
        {"0123456789abcdefg", 21, "seventeen: nearly half is thrown away"},
        {"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", 11, "base62"},
        {DEFAULT_ALPHABET "!", 1, "65, one at a time"},
        {DEFAULT_ALPHABET "!\"#$%&'()*+,./:;<=>?@[\\]^`{|}~", 21, "all of printable ASCII"},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        const char *alphabet = cases[i].alphabet != NULL ? cases[i].alphabet : DEFAULT_ALPHABET;
        KeyParams params = help_params(0);
        bool only_alphabet;
        double sum;

        params.alphabet = cases[i].alphabet;
        params.length = cases[i].length;
        sum = chi_square(&params, alphabet, &only_alphabet);
        if (!tap_ok(sum < chi_square_limit((double)strlen(alphabet) - 1), cases[i].label))
            printf("# chi-square %g\n", sum);
        tap_ok(only_alphabet, "nothing but its letters, at its length");
    }
}

/* Each place of the id for itself. */
static void
test_places(void)
{
    enum { COUNT = 100000, LENGTH = 21, SIZE = 64 };
    KeyParams params = help_params(0);
    uint8_t *ids = help_ids("nanoid", &params, COUNT, NULL);

    for (size_t place = 0; place < LENGTH; place++) {
        double counts[256] = {0}, sum = 0;

        for (size_t i = 0; i < COUNT; i++)
            counts[ids[i * LENGTH + place]]++;
        for (size_t i = 0; i < SIZE; i++) {
            double off = counts[(unsigned char)DEFAULT_ALPHABET[i]] - (double)COUNT / SIZE;

            sum += off * off / ((double)COUNT / SIZE);
        }
        tap_ok(sum < chi_square_limit(SIZE - 1), "every place is even");
    }
    free(ids);
}

int
main(void)
{
    test_even();
    test_places();
    return tap_done();
}
