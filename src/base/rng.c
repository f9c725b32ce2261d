#include "base/rng.h"

#include <string.h>

static uint64_t
splitmix(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15;

    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}

void
rng_init(Rng *rng, uint64_t seed, uint64_t stream)
{
    uint64_t mixed = seed;
    uint64_t state = splitmix(&mixed) ^ (stream * 0xd1342543de82ef95);

    for (int i = 0; i < 4; i++)
        rng->state[i] = splitmix(&state);
}

uint64_t
rng_below(Rng *rng, uint64_t bound)
{
    __extension__ typedef unsigned __int128 Wide;
    Wide product = (Wide)rng_next(rng) * bound;

    if ((uint64_t)product < bound) {
        uint64_t threshold = -bound % bound;

        while ((uint64_t)product < threshold)
            product = (Wide)rng_next(rng) * bound;
    }
    return (uint64_t)(product >> 64);
}

void
rng_fill(Rng *rng, void *bytes, size_t length)
{
    unsigned char *out = bytes;
    uint64_t word;

    for (; length >= sizeof(word); length -= sizeof(word), out += sizeof(word)) {
        word = rng_next(rng);
        memcpy(out, &word, sizeof(word));
    }
    if (length > 0) {
        word = rng_next(rng);
        memcpy(out, &word, length);
    }
}

void
rng_words(Rng *rng, uint64_t *words, size_t count)
{
    Rng local = *rng; /* stays in registers, since `words` cannot alias it */

    for (size_t i = 0; i < count; i++)
        words[i] = rng_next(&local);
    *rng = local;
}
