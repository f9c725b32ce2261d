/*
 * ULID: 48 bits of milliseconds and 80 random bits, written as 26 characters of Crockford's base32.
 * Shared by the plain and the monotonic format. Source: github.com/ulid/spec.
 */
#ifndef KB_KEYS_ULID_H
#define KB_KEYS_ULID_H

#include "keys/format_impl.h"

enum { ULID_FORM_COUNT = 5 };

extern const KeyForm ULID_FORMS[ULID_FORM_COUNT];

/* A KeyMaker's `text`. */
size_t ulid_text(const KeyMinter *minter, const uint8_t *id, char *text);

#endif
