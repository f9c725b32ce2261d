#include "lab/reader.h"

#include <string.h>

Status
reader_error(const Reader *reader, size_t line, Diag *diag, const char *format, ...)
{
    char problem[512];
    va_list args;

    va_start(args, format);
    vsnprintf(problem, sizeof(problem), format, args);
    va_end(args);
    return diag_set(diag, STATUS_SCENARIO, "%s:%zu: %s", reader->file, line, problem);
}

void *
reader_grow(Reader *reader, void *items, size_t count, size_t item_bytes)
{
    void *grown;

    if (count > 0 && (count & (count - 1)) != 0) /* the room is the next power of two */
        return items;
    grown = arena_alloc(reader->chapter->arena, count > 0 ? 2 * count : 1, item_bytes);
    if (count > 0)
        memcpy(grown, items, count * item_bytes);
    return grown;
}

Status
reader_check_name(const Reader *reader, const char *what, const char *name, Diag *diag)
{
    static const char ALLOWED[] = "abcdefghijklmnopqrstuvwxyz0123456789_";

    if (name[0] == '\0')
        return reader_error(reader, reader->line, diag, "the %s needs a name", what);
    if (name[strspn(name, ALLOWED)] != '\0' || strlen(name) > PART_NAME_MAX)
        return reader_error(reader, reader->line, diag,
                            "\"%s\" cannot name a %s: a-z, 0-9 and \"_\", at most %d of them", name,
                            what, PART_NAME_MAX);
    return STATUS_OK;
}

char *
reader_copy(const Reader *reader, const char *text)
{
    return arena_text(reader->chapter->arena, text);
}

const char *
reader_cut_word(const Reader *reader, const char *text, const char **rest)
{
    size_t length = strcspn(text, " \t");

    *rest = text + length + strspn(text + length, " \t");
    return arena_printf(reader->chapter->arena, "%.*s", (int)length, text);
}

Status
reader_no_text(const Reader *reader, const char *rest, Diag *diag)
{
    if (rest[0] == '\0')
        return STATUS_OK;
    return reader_error(reader, reader->line, diag, "nothing can stand behind it, not \"%s\"",
                        rest);
}

Status
reader_some_text(const Reader *reader, const char *rest, const char *what, Diag *diag)
{
    if (rest[0] != '\0')
        return STATUS_OK;
    return reader_error(reader, reader->line, diag, "%s is missing", what);
}
