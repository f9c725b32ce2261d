#include "lab/reader.h"

#include "base/units.h"

#include <string.h>

static bool
read_version(const char *word, int *version)
{
    uint64_t number;

    if (!units_read_u64(word, &number) || number == 0 || number > CHAPTER_VERSION_LAST)
        return false;
    *version = (int)number;
    return true;
}

/* "N" or "N to M". */
static Status
read_versions(const Reader *reader, const char *rest, Need *need, Diag *diag)
{
    const char *first = reader_cut_word(reader, rest, &rest);
    const char *to = reader_cut_word(reader, rest, &rest);
    bool good = read_version(first, &need->version_min);

    need->version_max = CHAPTER_VERSION_LAST;
    if (good && to[0] != '\0')
        good = strcmp(to, "to") == 0 && read_version(rest, &need->version_max) &&
               need->version_max >= need->version_min;
    if (!good)
        return reader_error(reader, reader->line, diag,
                            "expected \"needs version N\" or \"needs version N to M\"");
    return STATUS_OK;
}

typedef struct NeedWord {
    const char *word;
    NeedKind kind;
    bool named;
} NeedWord;

static const NeedWord NEED_WORDS[] = {
    {"version", NEED_VERSION, false},
    {"superuser", NEED_SUPERUSER, false},
    {"role", NEED_ROLE, true},
    {"extension", NEED_EXTENSION, true},
    {"throwaway", NEED_THROWAWAY, false},
};

static const NeedWord *
find_need(const char *word)
{
    for (size_t i = 0; i < ARRAY_LEN(NEED_WORDS); i++)
        if (strcmp(NEED_WORDS[i].word, word) == 0)
            return &NEED_WORDS[i];
    return NULL;
}

static Status
read_need(const Reader *reader, const char *rest, Need *need, Diag *diag)
{
    const NeedWord *found = find_need(reader_cut_word(reader, rest, &rest));

    if (found == NULL)
        return reader_error(reader, reader->line, diag,
                            "a claim can need version, superuser, role, extension or throwaway");
    need->kind = found->kind;
    if (found->kind == NEED_VERSION)
        return read_versions(reader, rest, need, diag);
    if (!found->named)
        return reader_no_text(reader, rest, diag);
    need->name = reader_copy(reader, rest);
    return reader_some_text(reader, rest, "its name", diag);
}

Status
directive_read_needs(Reader *reader, const char *rest, Diag *diag)
{
    Claim *claim = &reader->claim;
    Need need = {0};
    Status status = read_need(reader, rest, &need, diag);

    if (status != STATUS_OK)
        return status;
    if (reader->part == PART_CLAIM) {
        claim->needs = reader_grow(reader, claim->needs, claim->need_count, sizeof(need));
        claim->needs[claim->need_count++] = need;
    } else {
        reader->common_needs =
            reader_grow(reader, reader->common_needs, reader->common_need_count, sizeof(need));
        reader->common_needs[reader->common_need_count++] = need;
    }
    return STATUS_OK;
}
