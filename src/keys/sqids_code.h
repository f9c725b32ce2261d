/*
 * Sqids: numbers as short texts that look random, in an alphabet that is shuffled for each number,
 * with words kept out. It hides nothing: whoever knows the alphabet decodes it. Source:
 * specification of sqids.org as released in 2023 (github.com/sqids/sqids-spec).
 */
#ifndef KB_KEYS_SQIDS_CODE_H
#define KB_KEYS_SQIDS_CODE_H

#include "base/diag.h"

#include <stddef.h>
#include <stdint.h>

enum {
    SQIDS_ALPHABET_MIN = 3,
    SQIDS_LENGTH_MAX = 255, /* of the minimum length */
};

/* Lines of words with blanks between. */
extern const char *const SQIDS_WORDS[];
extern const size_t SQIDS_WORD_LINES;

typedef struct SqidsCode SqidsCode;

/*
 * An encoder and decoder.
 *
 * alphabet    NULL for the specification's 62 letters and digits
 * min_length  0..SQIDS_LENGTH_MAX characters
 * blocklist   words with blanks between; NULL for the specification's, "" for none
 * Returns     STATUS_USAGE when alphabet or length are out of the specification's range; caller
 *             frees with sqids_code_free
 */
Status sqids_code_new(const char *alphabet, unsigned min_length, const char *blocklist,
                      SqidsCode **code, Diag *diag) MUST_USE;
void sqids_code_free(SqidsCode *code);

/*
 * Write the text of `count` numbers with its zero.
 *
 * text      out: `room` bytes
 * Returns   its length; 0 when there are no numbers, it does not fit, or each of its possible texts
 *           holds a blocked word
 */
size_t sqids_encode(const SqidsCode *code, const uint64_t *numbers, size_t count, char *text,
                    size_t room);

/*
 * Read a text's numbers; blocked words decode as well.
 *
 * numbers   out: up to `room` numbers
 * Returns   how many; 0 when a character is not of the alphabet, a number outgrows 64 bits, or
 * there are more than `room`. Texts that no encoder makes may decode too: encode again to see.
 */
size_t sqids_decode(const SqidsCode *code, const char *text, uint64_t *numbers, size_t room);

/*
 * Of a text that decodes but is not what its numbers encode to: what they do encode to, with the
 * specification's alphabet and blocklist. In sqids.c.
 *
 * nearest   out: SQIDS_LENGTH_MAX + 1 bytes
 * Returns   false when it does not decode
 */
bool sqids_nearest(const char *given, char *nearest);

#endif
