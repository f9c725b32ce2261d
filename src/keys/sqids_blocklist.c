#include "keys/sqids_blocklist.h"

#include "base/mem.h"
#include "base/text.h"
#include "keys/sqids_code.h"

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
    BUCKET_COUNT = 1024,
    SHORT_LENGTH = 3,
};

typedef struct BlockedWord {
    struct BlockedWord *next; /* of the same bucket */
    const char *text;         /* lower case, not terminated */
    size_t length;
    bool has_digit;
} BlockedWord;

/* Words by their first two characters. */
struct SqidsBlocklist {
    char *text; /* of all words */
    BlockedWord *words;
    size_t word_count;
    BlockedWord *buckets[BUCKET_COUNT];
};

static size_t
find_bucket(const char *text)
{
    unsigned first = (unsigned)tolower((unsigned char)text[0]);
    unsigned second = (unsigned)tolower((unsigned char)text[1]);

    return (first * 37 + second) % BUCKET_COUNT;
}

static bool
holds_letter(const char *alphabet, char letter)
{
    return strchr(alphabet, letter) != NULL ||
           strchr(alphabet, toupper((unsigned char)letter)) != NULL;
}

static bool
can_show(const char *word, size_t length, const char *alphabet)
{
    for (size_t i = 0; i < length; i++)
        if (!holds_letter(alphabet, word[i]))
            return false;
    return length >= SHORT_LENGTH;
}

static bool
has_digit(const char *word, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (isdigit((unsigned char)word[i]))
            return true;
    return false;
}

static void
add_word(SqidsBlocklist *list, const char *text, size_t length)
{
    BlockedWord *word = &list->words[list->word_count++];
    size_t bucket = find_bucket(text);

    word->text = text;
    word->length = length;
    word->has_digit = has_digit(text, length);
    word->next = list->buckets[bucket];
    list->buckets[bucket] = word;
}

/* One line of all words, in lower case; caller frees with free(). */
static char *
join_lines(const char *const *lines, size_t count)
{
    Text all = {0};

    for (size_t i = 0; i < count; i++) {
        text_add(&all, lines[i]);
        text_add(&all, " ");
    }
    for (size_t i = 0; i < all.length; i++)
        all.data[i] = (char)tolower((unsigned char)all.data[i]);
    return all.data;
}

SqidsBlocklist *
sqids_blocklist_new(const char *words, const char *alphabet)
{
    static const char BLANKS[] = " \t\r\n";
    SqidsBlocklist *list = mem_new(1, sizeof(*list));
    size_t length;

    list->text = words != NULL ? join_lines(&words, 1) : join_lines(SQIDS_WORDS, SQIDS_WORD_LINES);
    list->words = mem_new(strlen(list->text) / SHORT_LENGTH + 1, sizeof(*list->words));
    for (const char *word = list->text; *word != '\0'; word += length) {
        word += strspn(word, BLANKS);
        length = strcspn(word, BLANKS);
        if (can_show(word, length, alphabet))
            add_word(list, word, length);
    }
    return list;
}

void
sqids_blocklist_free(SqidsBlocklist *list)
{
    if (list == NULL)
        return;
    free(list->text);
    free(list->words);
    free(list);
}

static bool
shows_at(const BlockedWord *word, const char *text, size_t length, size_t at)
{
    bool at_end = at + word->length == length;

    if (at + word->length > length || strncasecmp(text + at, word->text, word->length) != 0)
        return false;
    if (length <= SHORT_LENGTH || word->length <= SHORT_LENGTH)
        return at == 0 && at_end;
    return !word->has_digit || at == 0 || at_end;
}

bool
sqids_blocklist_hits(const SqidsBlocklist *list, const char *text, size_t length)
{
    for (size_t at = 0; at + SHORT_LENGTH <= length; at++)
        for (const BlockedWord *word = list->buckets[find_bucket(text + at)]; word != NULL;
             word = word->next)
            if (shows_at(word, text, length, at))
                return true;
    return false;
}
