/*
 * Help with a word that is none of those it could be: the nearest one, or all of them.
 */
#ifndef KB_BASE_WORDS_H
#define KB_BASE_WORDS_H

#include "base/diag.h"

/*
 * The item of `words` that `word` is most likely a slip of the pen for, by edit distance with
 * swapped neighbours counted once; NULL when none is near: a third of the word may differ.
 */
const char *word_nearest(const char *word, const char *const *words, size_t count);

/* Add a hint to an error about `word`: 'Did you mean "rows"?', or all words when none is near. */
void word_hint(const char *word, const char *const *words, size_t count, Diag *diag);

#endif
