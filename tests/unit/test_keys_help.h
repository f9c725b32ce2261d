/*
 * What the tests of the keys room share: a minter with a clock that the test sets.
 */
#ifndef KB_TESTS_TEST_KEYS_HELP_H
#define KB_TESTS_TEST_KEYS_HELP_H

#include "keys/format.h"

#include "support/tap.h"

#define HELP_NS_PER_MS UINT64_C(1000000)

/* 2022-02-22 14:22:22 -05:00: the moment of the test vectors in RFC 9562, appendix A. */
#define HELP_RFC_TIME_NS UINT64_C(1645557742000000000)

/* Seed 1, at the RFC's moment, with a clock that steps `step_ns` an id. */
static inline KeyParams
help_params(uint64_t step_ns)
{
    KeyParams params = KEY_PARAMS_DEFAULT;

    params.seeded = true;
    params.seed = 1;
    params.clock = (KeyClock){
        .mode = KEY_CLOCK_STEP,
        .start_ns = HELP_RFC_TIME_NS,
        .step_ns = step_ns,
    };
    return params;
}

/* A minter that must come to be; the test ends when it does not. */
static inline KeyMinter *
help_minter(const char *format, const KeyParams *params)
{
    KeyMinter *minter = NULL;
    Diag diag = {0};

    if (key_minter_new(key_format_find(format), params, &minter, &diag) != STATUS_OK) {
        printf("Bail out! %s: %s\n", format, diag.message);
        exit(1);
    }
    return minter;
}

/* `count` ids of a fresh minter; caller frees. */
static inline uint8_t *
help_ids(const char *format, const KeyParams *params, size_t count, size_t *width)
{
    KeyMinter *minter = help_minter(format, params);
    uint8_t *ids = calloc(count, key_width_bytes(minter));

    if (width != NULL)
        *width = key_width_bytes(minter);
    key_mint(minter, ids, count);
    key_minter_free(minter);
    return ids;
}

#endif
