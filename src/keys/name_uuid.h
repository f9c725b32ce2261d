/*
 * UUIDv3 and v5: the hash of a namespace and a name. A minter hashes its name with a number that
 * counts up: "keybench1", "keybench2" ... Source: RFC 9562, sections 5.3, 5.5 and 6.5.
 */
#ifndef KB_KEYS_NAME_UUID_H
#define KB_KEYS_NAME_UUID_H

#include "keys/format_impl.h"

enum {
    NAMESPACE_BYTES = 16,
    /* namespace, name and number */
    NAME_INPUT_MAX = NAMESPACE_BYTES + KEY_NAME_MAX + 20,
};

/* RFC 9562, section 6.6. */
extern const uint8_t NAMESPACE_DNS[NAMESPACE_BYTES];

/* The hash of `length` bytes, namespace first, as a uuid. */
typedef void NameHash(const void *input, size_t length, uint8_t *id);
NameHash uuidv3_hash, uuidv5_hash;

/* A KeyMaker's `check`, and its `mint` with a hash. */
Status name_uuid_check(const KeyParams *params, Diag *diag) MUST_USE;
void name_uuid_mint(const KeyMinter *minter, const KeyBatch *batch, NameHash *hash, uint8_t *ids);

#endif
