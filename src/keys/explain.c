/* Which format a text is, and what it says; what is wrong with a text is in complain.c. */
#include "keys/complain.h"
#include "keys/format_impl.h"

#include <string.h>

enum { CANDIDATES_MAX = 32 };

/* The registry, then the uuids of no version. */
static size_t
candidate_count(void)
{
    return KEY_FORMAT_COUNT + 1;
}

static const KeyFormat *
candidate(size_t i)
{
    return i < KEY_FORMAT_COUNT ? KEY_FORMATS[i] : &KEY_UUID_OTHER;
}

static KeyFit
fit(const KeyFormat *format, const char *text, KeyFacts *facts)
{
    memset(facts, 0, sizeof(*facts));
    facts->format = format;
    facts->version = facts->variant = -1;
    return format->maker->explain != NULL ? format->maker->explain(text, facts) : KEY_FIT_NONE;
}

/* Try all; returns the place of the best, whose facts are kept, or candidate_count(). */
static size_t
find_best(const char *text, KeyFit *fits, KeyFacts *facts)
{
    KeyFit best_fit = KEY_FIT_NONE;
    size_t best = candidate_count();
    KeyFacts trial;

    for (size_t i = 0; i < candidate_count(); i++) {
        fits[i] = fit(candidate(i), text, &trial);
        if (fits[i] <= best_fit)
            continue;
        best_fit = fits[i];
        best = i;
        *facts = trial;
    }
    return best;
}

Status
key_explain(const char *text, KeyFacts *facts, const KeyFormat **ambiguous, size_t room,
            size_t *ambiguous_count, Diag *diag)
{
    KeyFit fits[CANDIDATES_MAX];
    KeyFacts found;
    size_t best, count = 0;

    if (candidate_count() > CANDIDATES_MAX)
        BUG("%zu formats are more than explain has room for", candidate_count());
    best = find_best(text, fits, &found);
    if (best == candidate_count())
        return key_complain(text, diag);
    for (size_t i = 0; i < candidate_count() && ambiguous != NULL; i++)
        if (i != best && fits[i] != KEY_FIT_NONE && count < room)
            ambiguous[count++] = candidate(i);
    if (ambiguous_count != NULL)
        *ambiguous_count = count;
    *facts = found;
    return STATUS_OK;
}
