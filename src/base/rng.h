/*
 * Seeded random numbers: xoshiro256++ (Blackman and Vigna, 2019), seeded through splitmix64. For
 * reproducible measurements, not for secrets. Streams of one seed are independent: worker 3 gets
 * the same numbers whatever worker 2 does.
 */
#ifndef KB_BASE_RNG_H
#define KB_BASE_RNG_H

#include <stddef.h>
#include <stdint.h>

typedef struct Rng {
    uint64_t state[4];
} Rng;

/* Any seed and stream will do, 0 included. */
void rng_init(Rng *rng, uint64_t seed, uint64_t stream);

/* A uniform number below `bound` (1 or more) without bias (Lemire, 2019). */
uint64_t rng_below(Rng *rng, uint64_t bound);

/* Write `length` bytes; the last word is cut, so two calls differ from one of both lengths. */
void rng_fill(Rng *rng, void *bytes, size_t length);

/* Write the next `count` numbers of rng_next: the fast way to many. */
void rng_words(Rng *rng, uint64_t *words, size_t count);

static inline uint64_t
rng_rotate_left(uint64_t value, int bits)
{
    return (value << bits) | (value >> (64 - bits));
}

static inline uint64_t
rng_next(Rng *rng)
{
    uint64_t *s = rng->state;
    uint64_t result = rng_rotate_left(s[0] + s[3], 23) + s[0];
    uint64_t shifted = s[1] << 17;

    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= shifted;
    s[3] = rng_rotate_left(s[3], 45);
    return result;
}

#endif
