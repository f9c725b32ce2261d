/*
 * What all UUID-shaped formats share: version and variant bits, the storage forms, and reading one.
 */
#ifndef KB_KEYS_UUID_H
#define KB_KEYS_UUID_H

#include "keys/encode.h"
#include "keys/format_impl.h"

enum { UUID_FORM_COUNT = 7 };

extern const KeyForm UUID_FORMS[UUID_FORM_COUNT];

/* RFC 9562, sections 4.1 and 4.2: 128 bits with version and variant put over theirs. */
static inline void
uuid_store(uint8_t *id, unsigned version, uint64_t high, uint64_t low)
{
    store_u64(id, (high & ~UINT64_C(0xf000)) | (uint64_t)version << 12);
    store_u64(id + 8, (low & ~(UINT64_C(3) << 62)) | UINT64_C(2) << 62);
}

static inline unsigned
uuid_version(const uint8_t *id)
{
    return id[6] >> 4;
}

/* 0 NCS, 1 RFC 9562, 2 Microsoft, 3 reserved. */
static inline int
uuid_variant(const uint8_t *id)
{
    return id[8] < 0x80 ? 0 : id[8] < 0xc0 ? 1 : id[8] < 0xe0 ? 2 : 3;
}

/* A KeyMaker's `text`. */
size_t uuid_text(const KeyMinter *minter, const uint8_t *id, char *text);

/* A KeyMaker's `tell` for the 16 bytes, whatever version they are. */
void uuid_tell(const uint8_t *id, KeyFacts *facts);

/* A KeyMaker's `explain` for one version of RFC 9562. */
KeyFit uuid_explain_version(const char *text, unsigned version, KeyFacts *facts);

/* Read a uuid's text into its bytes and, when it is one, the facts that need no version. */
bool uuid_open_text(const char *text, uint8_t *id, KeyFacts *facts);

#endif
