/* The generator against its published numbers, and that bounds and streams keep their promises. */
#include "base/rng.h"

#include "support/tap.h"

/* xoshiro256++ from the state {1, 2, 3, 4}: the vectors that its implementations share. */
static void
test_vectors(void)
{
    static const uint64_t wanted[] = {
        41943041,
        58720359,
        3588806011781223,
        3591011842654386,
        UINT64_C(9228616714210784205),
        UINT64_C(9973669472204895162),
        UINT64_C(14011001112246962877),
        UINT64_C(12406186145184390807),
        UINT64_C(15849039046786891736),
        UINT64_C(10450023813501588000),
    };
    Rng rng = {{1, 2, 3, 4}};

    for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++)
        tap_u64(rng_next(&rng), wanted[i], "reference number");
}

static void
test_below(void)
{
    static const struct {
        uint64_t bound;
        const char *label;
    } cases[] = {
        {1, "1 leaves only 0"},
        {6, "a die"},
        {1000003, "a prime"},
        {(UINT64_C(1) << 63) + 1, "a bound that throws away nearly half of all numbers"},
        {UINT64_MAX, "the largest bound"},
    };
    Rng rng;

    rng_init(&rng, 7, 0);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        bool below = true;

        for (int draw = 0; draw < 10000; draw++)
            below = below && rng_below(&rng, cases[i].bound) < cases[i].bound;
        tap_ok(below, cases[i].label);
    }
}

static void
test_even(void)
{
    enum { SIDES = 6, DRAWS = 600000 };
    unsigned counts[SIDES] = {0};
    double chi_square = 0;
    Rng rng;

    rng_init(&rng, 1, 1);
    for (int i = 0; i < DRAWS; i++)
        counts[rng_below(&rng, SIDES)]++;
    for (int side = 0; side < SIDES; side++) {
        double off = counts[side] - (double)DRAWS / SIDES;

        chi_square += off * off / ((double)DRAWS / SIDES);
    }
    tap_ok(chi_square < 20.5, "six sides are equally likely (chi-square, 5 degrees, p = 0.001)");
}

static void
test_bulk(void)
{
    uint64_t words[100];
    unsigned char bytes[21];
    bool same = true;
    Rng one, many;
    uint64_t next;

    rng_init(&one, 5, 9);
    many = one;
    rng_words(&many, words, 100);
    for (int i = 0; i < 100; i++)
        same = same && words[i] == rng_next(&one);
    tap_ok(same, "words are the numbers of rng_next");
    tap_u64(rng_next(&one), rng_next(&many), "and leave the generator at the same place");

    one = many;
    rng_fill(&many, bytes, sizeof(bytes));
    for (size_t at = 0; at < sizeof(bytes); at += 8) {
        next = rng_next(&one);
        tap_ok(memcmp(bytes + at, &next, at + 8 <= sizeof(bytes) ? 8 : 5) == 0,
               "bytes are the numbers, the last one cut");
    }
    rng_fill(&many, bytes, 0);
    tap_u64(rng_next(&many), rng_next(&one), "no bytes take no number");
}

static void
test_streams(void)
{
    static const struct {
        uint64_t seed_a, stream_a, seed_b, stream_b;
        const char *label;
    } cases[] = {
        {1, 0, 1, 1, "streams of one seed differ"},
        {1, 0, 2, 0, "seeds differ"},
        {0, 1, 1, 0, "seed and stream are not interchangeable"},
        {0, 0, 0, UINT64_MAX, "the last stream differs from the first"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        int equal = 0;
        Rng a, b;

        rng_init(&a, cases[i].seed_a, cases[i].stream_a);
        rng_init(&b, cases[i].seed_b, cases[i].stream_b);
        for (int draw = 0; draw < 1000; draw++)
            equal += rng_next(&a) == rng_next(&b);
        tap_u64((uint64_t)equal, 0, cases[i].label);
    }
}

static void
test_zero_seed(void)
{
    Rng rng;

    rng_init(&rng, 0, 0);
    tap_ok(rng_next(&rng) != rng_next(&rng), "seed 0 and stream 0 are as good as others");
}

int
main(void)
{
    test_vectors();
    test_below();
    test_even();
    test_bulk();
    test_streams();
    test_zero_seed();
    return tap_done();
}
