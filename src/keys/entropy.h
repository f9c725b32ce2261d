/*
 * Where a minter's random bits come from: a seeded stream, or the kernel's getrandom in blocks of 4
 * kB.
 */
#ifndef KB_KEYS_ENTROPY_H
#define KB_KEYS_ENTROPY_H

#include "base/rng.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ENTROPY_POOL_WORDS = 512 };

/* Zero-initialized it is the kernel's; no release is needed. */
typedef struct Entropy {
    bool seeded;
    Rng rng;
    size_t pool_left; /* words of `pool` not given out yet: the last ones */
    uint64_t pool[ENTROPY_POOL_WORDS];
} Entropy;

/* Make it reproducible: the same numbers for the same seed and stream. */
void entropy_seed(Entropy *entropy, uint64_t seed, uint64_t stream);

/* Write the next `count` random words. Cannot fail. */
void entropy_words(Entropy *entropy, uint64_t *words, size_t count);

#endif
