/*
 * What an identifier format is, and the registry of all of them. A format is a constant in its own
 * file; a minter is a format with its parameters, its random stream and its clock, and makes ids in
 * blocks. Nothing here knows of a database: a storage form only names the SQL type and says how a
 * value looks on the wire.
 */
#ifndef KB_KEYS_FORMAT_H
#define KB_KEYS_FORMAT_H

#include "base/diag.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    KEY_WIDTH_MAX = 64, /* bytes of one id in native form: NanoID's length is its width */
    KEY_TEXT_MAX = 320, /* bytes of one id as text, with its terminating zero: prefix (63) + "_" +
                           the longest form (a Sqid of 255) */
    KEY_PREFIX_MAX = 63,
    KEY_NODES_MAX = 64,
    KEY_NAME_MAX = 255,
    KEY_SQL_TYPE_MAX = 32, /* bytes of an SQL type's name with its zero */
};

/* How ids of one generator follow each other. */
typedef enum KeyOrder {
    KEY_ORDER_NONE,     /* random */
    KEY_ORDER_TIME,     /* by creation time, as coarse as the format's clock */
    KEY_ORDER_STRICT,   /* each greater than the last one of the same generator */
    KEY_ORDER_SCRAMBLED /* holds a time or count, but not where it sorts: UUIDv1 in RFC byte order,
                           decimal digits */
} KeyOrder;

/* The native form of an id: what `key_mint` writes. */
typedef enum KeyNative {
    KEY_NATIVE_UUID,  /* 16 bytes in network order */
    KEY_NATIVE_INT64, /* 8 bytes, big-endian: bigint */
    KEY_NATIVE_BYTES, /* fixed number of bytes: KSUID */
    KEY_NATIVE_TEXT,  /* fixed number of characters: NanoID */
} KeyNative;

/* Where a minter's timestamps come from. Inside, time is nanoseconds since 1970-01-01 UTC. */
typedef enum KeyClockMode {
    KEY_CLOCK_REAL,   /* the machine's clock, read once for each 256 ids or call */
    KEY_CLOCK_STEP,   /* start_ns, then step_ns further for each id: reproducible */
    KEY_CLOCK_WINDOW, /* a random moment of [start_ns, start_ns + span_ns) for each id: late
                         arrivals, so each id is made as if by a generator of its own and even a
                         strict format keeps no order */
} KeyClockMode;

typedef struct KeyClock {
    KeyClockMode mode;
    uint64_t start_ns; /* up to INT64_MAX: the year 2262 */
    uint64_t step_ns;  /* 0: the clock stands still; it wraps, so -1000 steps back 1000 */
    uint64_t span_ns;  /* 1 or more */
} KeyClock;

/* Which parameters change what a format makes. Seed and prefix change all. */
typedef enum KeyTakes {
    KEY_TAKES_TIME = 1,      /* clock */
    KEY_TAKES_ALPHABET = 2,  /* alphabet and length */
    KEY_TAKES_BLOCKLIST = 4, /* blocklist */
    KEY_TAKES_MACHINE = 8,   /* epoch and machine */
    KEY_TAKES_MAC = 16,      /* mac */
    KEY_TAKES_NAME = 32,     /* name */
    KEY_TAKES_NUMBER = 64,   /* first_number */
} KeyTakes;

/* Parameters of a minter; a format reads those that it takes. Start from KEY_PARAMS_DEFAULT. Texts
 * are borrowed until the minter is freed. */
typedef struct KeyParams {
    bool seeded; /* false: getrandom; true: reproducible from seed and stream */
    uint64_t seed;
    uint64_t stream; /* independent streams of one seed: one per design, phase and writer */
    KeyClock clock;
    const char *prefix;    /* TypeID and prefixed text: TypeID's rules; NULL for none */
    const char *alphabet;  /* NanoID, Sqids; NULL for the format's own */
    unsigned length;       /* NanoID's length (1..KEY_WIDTH_MAX), Sqids' minimum length (0..255);
                              0 for the format's own */
    const char *blocklist; /* Sqids: words with blanks between; NULL for the specification's, "" for
                              none */
    int64_t epoch_ms;      /* Snowflake; 0 for the format's own unless epoch_given */
    bool epoch_given;      /* epoch_ms counts although it is 0: 1970 */
    unsigned machine;      /* Snowflake, 0..1023; generator i of several has machine + i */
    uint64_t mac;          /* UUIDv1 and v6, 48 bits; 0 for a random multicast one */
    unsigned node_count;   /* interleaved generators, 1..KEY_NODES_MAX */
    uint64_t node_skew_ns; /* clock of node i runs i/(node_count-1) of this ahead */
    const char *name;      /* UUIDv3 and v5: ids are hashes of name + number in the DNS namespace;
                              NULL for "keybench" */
    uint64_t first_number; /* bigint, Sqids, UUIDv3 and v5 count from here; 0 for 1. Streams share
                              the numbers, so writers need ranges of their own, or turns */
    uint64_t number_step;  /* from each number to the next; 0 for 1 */
} KeyParams;

extern const KeyParams KEY_PARAMS_DEFAULT;

/* One way people store a format: the column that holds it. */
typedef enum KeyFormKind {
    KEY_FORM_NATIVE,  /* uuid, bigint, bytea: native bytes */
    KEY_FORM_TEXT,    /* the text form in text, varchar or char(n) */
    KEY_FORM_NUMERIC, /* the native bytes as one unsigned integer in numeric */
} KeyFormKind;

typedef struct KeyForm {
    const char
        *name; /* "uuid", "text-c", "text-icu", "varchar", "char", "numeric", "bytea", "bigint" */
    const char *sql_type;  /* "uuid", "text", "varchar(36)": for default parameters, see
                              key_form_sql_type */
    const char *collation; /* NULL, "C", or "en-x-icu" */
    KeyFormKind kind;
} KeyForm;

typedef struct KeyMaker KeyMaker;   /* how ids are made and read: private to this room */
typedef struct KeyMinter KeyMinter; /* opaque: made by key_minter_new */

typedef struct KeyFormat {
    const char *name;    /* "uuidv7": in scenarios and on the command line */
    const char *title;   /* "UUIDv7": in tables */
    unsigned bits;       /* of the native form; 0: as its alphabet and length make it */
    KeyOrder order;      /* in native form */
    KeyOrder text_order; /* as text under the C collation */
    KeyNative native;
    size_t width_bytes;    /* of the native form, with default parameters */
    unsigned takes;        /* KeyTakes, added up */
    const char *leaks;     /* what a stranger learns: "creation time to the millisecond" */
    const char *text_form; /* "26 Crockford base32, upper case" */
    const char *source;    /* "RFC 9562, section 5.7" */
    const KeyForm *forms;  /* the first is the one the sources recommend */
    size_t form_count;
    const KeyMaker *maker;
} KeyFormat;

/* What one id says to a stranger. Texts are UTF-8 and owned by the struct; empty means none. */
typedef struct KeyFacts {
    const KeyFormat *format;
    int version, variant; /* of a UUID; -1 for others. Variant 0 NCS, 1 RFC 9562, 2 Microsoft, 3
                             reserved */
    bool has_time;
    int64_t time_s;        /* since 1970 UTC */
    uint32_t time_rest_ns; /* to be added to time_s */
    uint64_t precision_ns;
    char time_utc[40]; /* "2024-05-01 12:00:00.123 UTC" */
    char machine[32];  /* MAC or machine id */
    bool has_sequence;
    uint64_t sequence; /* clock sequence, Snowflake's sequence */
    bool has_counter;
    uint64_t counter; /* identity, Sqids */
    char prefix[KEY_PREFIX_MAX + 1];
    char uuid[37];                    /* the uuid behind it, when the id is one */
    char ulid[27];                    /* the same 128 bits as a ULID */
    char typeid[KEY_PREFIX_MAX + 28]; /* and as a TypeID */
    char canonical[KEY_TEXT_MAX];     /* the format's own text form */
    char leaks[256];                  /* one sentence: what a stranger learns */
} KeyFacts;

/* Registry, in the order of the book's Table 13-3 then the further ones. */
extern const KeyFormat *const KEY_FORMATS[];
extern const size_t KEY_FORMAT_COUNT;

/* NULL when there is none of that name; borrowed. */
const KeyFormat *key_format_find(const char *name);

/* NULL when the format has no such form; borrowed. */
const KeyForm *key_form_find(const KeyFormat *format, const char *name);

const char *key_format_name(const KeyFormat *format);
const char *key_format_title(const KeyFormat *format); /* for tables: "UUIDv7" */

/* STATUS_USAGE when a parameter is out of the format's range (a hint says the range). Caller frees
 * with key_minter_free. */
Status key_minter_new(const KeyFormat *format, const KeyParams *params, KeyMinter **minter,
                      Diag *diag) MUST_USE;
void key_minter_free(KeyMinter *minter);

/* STATUS_USAGE when the last of `count` ids (1 or more) would leave the format's range: its number
 * over the largest bigint, or a time of KEY_CLOCK_STEP that the format cannot hold. */
Status key_check_count(const KeyFormat *format, const KeyParams *params, uint64_t count,
                       Diag *diag) MUST_USE;

/* Bytes of one id in native form: 16, 8, 20, or NanoID's length. */
size_t key_width_bytes(const KeyMinter *minter);

/* Write `count` ids, one after the other, key_width_bytes each. Cannot fail; no allocation, no
 * lock. Which ids come does not depend on how they are split into calls, but with the real clock.
 */
void key_mint(KeyMinter *minter, uint8_t *ids, size_t count);

/* Write one id's text form with its zero; returns its length. `text` has KEY_TEXT_MAX bytes. */
size_t key_text(const KeyMinter *minter, const uint8_t *id, char *text);

/* Write the form's SQL type for the minter's length and prefix: "char(10)" for a NanoID of 10.
 * `sql_type` has KEY_SQL_TYPE_MAX bytes. */
void key_form_sql_type(const KeyMinter *minter, const KeyForm *form, char *sql_type);

/*
 * Write one id as PostgreSQL's binary wire format of the storage form (what COPY BINARY and binary
 * parameters carry, without the length word). Returns its length; `wire` has KEY_TEXT_MAX bytes.
 */
size_t key_wire(const KeyMinter *minter, const KeyForm *form, const uint8_t *id, uint8_t *wire);

/*
 * Explain one text. The likeliest format is taken, the first in registry order among equals;
 * `ambiguous` (NULL or a list of up to `room` formats) gets the others that fit as well, in
 * registry order. STATUS_USAGE says what is wrong and at which character, counted from 1.
 */
Status key_explain(const char *text, KeyFacts *facts, const KeyFormat **ambiguous, size_t room,
                   size_t *ambiguous_count, Diag *diag) MUST_USE;

#endif
