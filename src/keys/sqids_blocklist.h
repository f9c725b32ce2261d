/*
 * Which words may not show in a Sqid, and the quick search for them.
 */
#ifndef KB_KEYS_SQIDS_BLOCKLIST_H
#define KB_KEYS_SQIDS_BLOCKLIST_H

#include <stdbool.h>
#include <stddef.h>

typedef struct SqidsBlocklist SqidsBlocklist;

/*
 * The words of a list that can show at all: 3 characters or more, all of them in the alphabet,
 * whatever the case.
 *
 * words     blanks between; NULL for the specification's
 * Returns   caller frees with sqids_blocklist_free
 */
SqidsBlocklist *sqids_blocklist_new(const char *words, const char *alphabet);
void sqids_blocklist_free(SqidsBlocklist *list);

/*
 * Whether a text shows a word, by the specification's rule: a text or word of 3 must be equal, a
 * word with a digit stands at an end, any other anywhere.
 */
bool sqids_blocklist_hits(const SqidsBlocklist *list, const char *text, size_t length);

#endif
