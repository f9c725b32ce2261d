/*
 * Bytes to text (encode.c) and back (decode.c), for the text forms of all formats; nothing here
 * knows what the bytes mean. Encoders write no terminating zero. Decoders take a whole C string and
 * say at which byte it stops being one.
 */
#ifndef KB_KEYS_ENCODE_H
#define KB_KEYS_ENCODE_H

#include <endian.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum {
    UUID_BYTES = 16,
    UUID_DIGITS = 32,
    UUID_TEXT_LENGTH = 36,
    BASE32_LENGTH = 26, /* characters for 128 bits */
    KSUID_BYTES = 20,
    KSUID_TEXT_LENGTH = 27,
    DECIMAL_MAX_LENGTH = 20, /* digits of a 64-bit number */
};

/* Where a text stops fitting: the byte's offset, and what should stand there ("a hexadecimal
 * digit") or, when the number is too large, what it outgrows ("128 bits"). */
typedef struct DecodeFault {
    size_t at;
    const char *wanted, *outgrown; /* one of them is NULL */
} DecodeFault;

typedef enum Base32Case {
    BASE32_STRICT, /* TypeID: lower case, no aliases */
    BASE32_LAX,    /* Crockford's decoder: any case, I and L are 1, O is 0 */
} Base32Case;

extern const char BASE32_LOWER[]; /* TypeID's alphabet */
extern const char BASE32_UPPER[]; /* ULID's */
extern const char BASE62[];       /* KSUID's */

static inline void
store_u64(uint8_t *bytes, uint64_t value)
{
    uint64_t big_endian = htobe64(value);

    memcpy(bytes, &big_endian, sizeof(big_endian));
}

static inline void
store_u32(uint8_t *bytes, uint32_t value)
{
    uint32_t big_endian = htobe32(value);

    memcpy(bytes, &big_endian, sizeof(big_endian));
}

static inline uint64_t
load_u64(const uint8_t *bytes)
{
    uint64_t big_endian;

    memcpy(&big_endian, bytes, sizeof(big_endian));
    return be64toh(big_endian);
}

static inline uint32_t
load_u32(const uint8_t *bytes)
{
    uint32_t big_endian;

    memcpy(&big_endian, bytes, sizeof(big_endian));
    return be32toh(big_endian);
}

/* 16 bytes to UUID_TEXT_LENGTH characters, lower case with dashes. */
void encode_uuid(const uint8_t *id, char *text);

/* 16 bytes to BASE32_LENGTH characters: two zero bits in front, then five bits each. */
void encode_base32(const uint8_t *id, const char *alphabet, char *text);

/* KSUID_BYTES to KSUID_TEXT_LENGTH characters. */
void encode_base62(const uint8_t *id, char *text);

/* Up to DECIMAL_MAX_LENGTH characters; returns how many. */
size_t encode_decimal(uint64_t value, char *text);

/*
 * All that PostgreSQL's uuid input takes: 32 hexadecimal digits of any case, an optional dash after
 * each group of four, optional braces around.
 *
 * id        out: 16 bytes, undefined on failure
 * fault     out: set on failure only
 * Source    PostgreSQL manual, section 8.12
 */
bool decode_uuid(const char *text, uint8_t *id, DecodeFault *fault);

/* Exactly BASE32_LENGTH characters of at most 128 bits. */
bool decode_base32(const char *text, Base32Case strictness, uint8_t *id, DecodeFault *fault);

/* Exactly KSUID_TEXT_LENGTH characters of at most 160 bits. */
bool decode_base62(const char *text, uint8_t *id, DecodeFault *fault);

/* Digits only, up to INT64_MAX: what a bigint counter can be. */
bool decode_decimal(const char *text, uint64_t *value, DecodeFault *fault);

#endif
