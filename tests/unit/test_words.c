#include "base/words.h"

#include "support/tap.h"

int
main(void)
{
    static const char *const WORDS[] = {
        "batches", "checkpoint", "rows",
        "min",     "max",        "a-word-that-is-longer-than-any-that-is-compared",
    };
    static const struct {
        const char *word, *nearest, *label;
    } cases[] = {
        {"batches", "batches", "the word itself"},
        {"bathces", "batches", "two letters swapped"},
        {"batchs", "batches", "a letter left out"},
        {"checkpoints", "checkpoint", "a letter too many"},
        {"chekcpiont", "checkpoint", "two slips in a long word"},
        {"rosw", "rows", "a short word with a swap"},
        {"mn", NULL, "a third of two letters is none"},
        {"mix", "min", "the first of two that are equally near"},
        {"mid", "min", "one letter of three"},
        {"colour", NULL, "nothing near"},
        {"", NULL, "nothing"},
        {"a-word-that-is-longer-than-any-that-is-compared", NULL, "too long to compare"},
    };
    Diag diag = {0};

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        const char *nearest = word_nearest(cases[i].word, WORDS, ARRAY_LEN(WORDS));

        tap_text(nearest != NULL ? nearest : "", cases[i].nearest != NULL ? cases[i].nearest : "",
                 cases[i].label);
    }
    word_hint("rwos", WORDS, 3, &diag);
    tap_text(diag.hint, "Did you mean \"rows\"?", "a hint at the nearest");
    word_hint("colour", WORDS, 3, &diag);
    tap_text(diag.hint, "Allowed here: \"batches\", \"checkpoint\", \"rows\".", "a hint at all");
    return tap_done();
}
