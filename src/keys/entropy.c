#include "keys/entropy.h"

#include "base/diag.h"

#include <errno.h>
#include <string.h>
#include <sys/random.h>

void
entropy_seed(Entropy *entropy, uint64_t seed, uint64_t stream)
{
    entropy->seeded = true;
    rng_init(&entropy->rng, seed, stream);
}

static void
read_kernel(uint64_t *words, size_t count)
{
    uint8_t *bytes = (uint8_t *)words;
    size_t left = count * sizeof(*words);

    while (left > 0) {
        ssize_t got = getrandom(bytes, left, 0);

        if (got < 0 && errno != EINTR)
            BUG("getrandom: %s", strerror(errno));
        if (got > 0) {
            bytes += got;
            left -= (size_t)got;
        }
    }
}

static void
take_pool(Entropy *entropy, uint64_t *words, size_t count)
{
    while (count > 0) {
        size_t step;

        if (entropy->pool_left == 0) {
            read_kernel(entropy->pool, ENTROPY_POOL_WORDS);
            entropy->pool_left = ENTROPY_POOL_WORDS;
        }
        step = count < entropy->pool_left ? count : entropy->pool_left;
        memcpy(words, entropy->pool + ENTROPY_POOL_WORDS - entropy->pool_left,
               step * sizeof(*words));
        entropy->pool_left -= step;
        words += step;
        count -= step;
    }
}

void
entropy_words(Entropy *entropy, uint64_t *words, size_t count)
{
    if (entropy->seeded)
        rng_words(&entropy->rng, words, count);
    else
        take_pool(entropy, words, count);
}
