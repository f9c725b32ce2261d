/*
 * UUIDv7 with sub-millisecond order, as PostgreSQL 18's uuidv7() makes it: the 12 bits after the
 * millisecond hold 1/4096 parts of it (RFC 9562, section 6.2, method 3), and an id that the clock
 * would not put after the last one goes the least step further. TypeID is the same under another
 * text.
 */
#ifndef KB_KEYS_UUIDV7_H
#define KB_KEYS_UUIDV7_H

#include "keys/format_impl.h"

void uuidv7_mint(KeyMinter *minter, KeyNode *node, const KeyBatch *batch, uint8_t *ids);

#endif
