/*
 * How formats are made, for the files of this room only. The minter draws times and random words
 * for a batch of ids and calls the format once for all of them: a format is a plain loop from time
 * and random words to bytes, and what it remembers between ids is in its node.
 */
#ifndef KB_KEYS_FORMAT_IMPL_H
#define KB_KEYS_FORMAT_IMPL_H

#include "keys/entropy.h"
#include "keys/format.h"

enum {
    KEY_BATCH_MAX = 256, /* ids of one batch */
    KEY_WORDS_MAX = 2,   /* random words of one id that the minter draws */
};

/* One generator's memory. A minter has one, or several that take turns. */
typedef struct KeyNode {
    Entropy entropy;
    unsigned number;    /* 0, 1, ... among the minter's nodes */
    uint64_t skew_ns;   /* its clock runs this far ahead */
    uint64_t next_time; /* from here on a moment is a new one, in the unit that the format counts
                           in: the newest that it used + 1, or 0 before the first id */
    uint64_t counter;   /* sequence within the newest moment, or clock sequence */
    uint64_t tail;      /* ULID: low 64 bits of the last random part */
    uint64_t machine;   /* machine id, or MAC address */
} KeyNode;

struct KeyMinter {
    const KeyFormat *format;
    KeyParams params;
    size_t width_bytes;
    size_t prefix_length; /* with its "_"; 0 without a prefix */
    uint64_t next_index;  /* ids minted so far */
    Rng moments;          /* KEY_CLOCK_WINDOW */
    KeyNode *nodes;       /* params.node_count of them */
    void *own;            /* what the format made in `open` */
};

/* What the minter has ready for `count` ids of one node. */
typedef struct KeyBatch {
    size_t count;
    const uint64_t *times_ns; /* one an id, when the format takes time */
    const uint64_t *words;    /* maker->word_count an id */
    uint64_t first_index;     /* place of the first id among all of the minter's, from 0 */
    uint64_t index_step;      /* and from each id to the next one of this node */
    bool independent;         /* KEY_CLOCK_WINDOW: forget the ids before */
} KeyBatch;

/* How well a text fits a format. */
typedef enum KeyFit {
    KEY_FIT_NONE,
    KEY_FIT_POSSIBLE, /* it has the shape, but more telling formats win */
    KEY_FIT_LIKELY,
} KeyFit;

struct KeyMaker {
    unsigned word_count; /* random words an id that the batch brings */
    /* NULL where there is nothing to check: the parameters that this format knows. */
    Status (*check)(const KeyParams *params, Diag *diag);
    /* NULL where the parameters do: make minter->own and minter->width_bytes. */
    Status (*open)(KeyMinter *minter, Diag *diag);
    void (*close)(void *own);
    /* NULL where zeros do: a node before its first id. */
    void (*start)(KeyMinter *minter, KeyNode *node);
    void (*mint)(KeyMinter *minter, KeyNode *node, const KeyBatch *batch, uint8_t *ids);
    /* Without prefix and zero; returns the length. */
    size_t (*text)(const KeyMinter *minter, const uint8_t *id, char *text);
    /* Facts of the native bytes, added to what is there; NULL where they are read elsewhere. */
    void (*tell)(const uint8_t *id, KeyFacts *facts);
    /* NULL where another format speaks for it: fill fresh facts, all but `format`. They count only
     * when it fits. */
    KeyFit (*explain)(const char *text, KeyFacts *facts);
};

/*
 * Refuse a clock that leaves [epoch_ms, epoch_ms + span_ms) at its first id.
 *
 * title    of the format, for the message
 */
Status key_check_clock(const KeyParams *params, int64_t epoch_ms, uint64_t span_ms,
                       const char *title, Diag *diag) MUST_USE;

/* Refuse an alphabet of fewer than `least` characters, with doubles, blanks, or bytes that are not
 * printable ASCII. */
Status key_check_alphabet(const char *alphabet, size_t least, const char *title,
                          Diag *diag) MUST_USE;

/* Whether `prefix` keeps TypeID's rules; the offset of the first bad byte when not. */
bool key_prefix_fits(const char *prefix, size_t length, size_t *bad);

static inline uint64_t
key_first_number(const KeyParams *params)
{
    return params->first_number != 0 ? params->first_number : 1;
}

/* The number of id `i` of the batch, for formats that count. */
static inline uint64_t
key_number(const KeyMinter *minter, const KeyBatch *batch, size_t i)
{
    uint64_t step = minter->params.number_step != 0 ? minter->params.number_step : 1;

    return key_first_number(&minter->params) + (batch->first_index + i * batch->index_step) * step;
}

extern const KeyFormat KEY_BIGINT, KEY_UUIDV4, KEY_UUIDV7, KEY_ULID, KEY_KSUID, KEY_SNOWFLAKE,
    KEY_NANOID, KEY_TYPEID, KEY_SQIDS, KEY_UUIDV7_COUNTER, KEY_UUIDV7_MS, KEY_ULID_MONOTONIC,
    KEY_UUIDV1, KEY_UUIDV1_SWAPPED, KEY_UUIDV3, KEY_UUIDV5, KEY_UUIDV6, KEY_UUIDV8, KEY_COMB;

/* For facts only, not in the registry: nil, max, version 2 and reserved variants. */
extern const KeyFormat KEY_UUID_OTHER;

#endif
