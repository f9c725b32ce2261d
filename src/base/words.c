#include "base/words.h"

#include "base/text.h"

#include <string.h>

enum { WORD_MAX = 40 };

static size_t
least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Optimal string alignment distance (Damerau 1964, Levenshtein 1966) of two words up to WORD_MAX.
 */
static size_t
edit_distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
    size_t rows[WORD_MAX + 1][WORD_MAX + 1];

    for (size_t i = 0; i <= a_length; i++)
        rows[i][0] = i;
    for (size_t j = 0; j <= b_length; j++)
        rows[0][j] = j;
    for (size_t i = 1; i <= a_length; i++) {
        for (size_t j = 1; j <= b_length; j++) {
            size_t step = least(rows[i - 1][j], rows[i][j - 1]) + 1;
            size_t change = rows[i - 1][j - 1] + (a[i - 1] != b[j - 1]);

            rows[i][j] = least(step, change);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                rows[i][j] = least(rows[i][j], rows[i - 2][j - 2] + 1);
        }
    }
    return rows[a_length][b_length];
}

const char *
word_nearest(const char *word, const char *const *words, size_t count)
{
    const char *nearest = NULL;
    size_t length = strlen(word);
    size_t best = length / 3 + 1;

    if (length > WORD_MAX)
        return NULL;
    for (size_t i = 0; i < count; i++) {
        size_t other = strlen(words[i]);
        size_t distance = other > WORD_MAX ? best : edit_distance(word, length, words[i], other);

        if (distance < best) {
            best = distance;
            nearest = words[i];
        }
    }
    return nearest;
}

void
word_hint(const char *word, const char *const *words, size_t count, Diag *diag)
{
    const char *nearest = word_nearest(word, words, count);
    Text list = {0};

    for (size_t i = 0; i < count; i++)
        text_printf(&list, "%s\"%s\"", i > 0 ? ", " : "", words[i]);
    if (nearest != NULL)
        diag_hint(diag, "Did you mean \"%s\"?", nearest);
    else
        diag_hint(diag, "Allowed here: %s.", text_data(&list));
    text_release(&list);
}
