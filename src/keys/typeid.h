/*
 * Reading TypeIDs, for the format and for saying what is wrong with one.
 */
#ifndef KB_KEYS_TYPEID_H
#define KB_KEYS_TYPEID_H

#include "keys/encode.h"

/*
 * Split at the last "_" and decode what follows.
 *
 * id             out: 16 bytes, undefined on failure
 * prefix_length  out: 0 without a prefix
 * fault          out: set on failure only
 * Source         TypeID specification 0.3.0
 */
bool typeid_decode(const char *text, uint8_t *id, size_t *prefix_length, DecodeFault *fault);

#endif
