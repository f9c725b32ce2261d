#include "base/mem.h"

#include "base/diag.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* One allocation each: an arena holds hundreds of small things at most, and sanitizers see every
 * overrun. */
typedef struct ArenaBlock {
    struct ArenaBlock *next;
    max_align_t data[];
} ArenaBlock;

struct Arena {
    ArenaBlock *blocks;
};

void *
mem_new(size_t count, size_t size_bytes)
{
    void *memory = calloc(count > 0 ? count : 1, size_bytes);

    if (memory == NULL)
        BUG("out of memory: %zu items of %zu bytes", count, size_bytes);
    return memory;
}

void *
mem_resize(void *old, size_t count, size_t size_bytes)
{
    void *memory = NULL;

    if (size_bytes > 0 && count <= SIZE_MAX / size_bytes)
        memory = realloc(old, count * size_bytes);
    if (memory == NULL)
        BUG("out of memory: %zu items of %zu bytes", count, size_bytes);
    return memory;
}

char *
mem_text(const char *text)
{
    size_t size = strlen(text) + 1;

    return memcpy(mem_new(size, 1), text, size);
}

Arena *
arena_new(void)
{
    return mem_new(1, sizeof(Arena));
}

void
arena_free(Arena *arena)
{
    if (arena == NULL)
        return;
    while (arena->blocks != NULL) {
        ArenaBlock *block = arena->blocks;

        arena->blocks = block->next;
        free(block);
    }
    free(arena);
}

void *
arena_alloc(Arena *arena, size_t count, size_t size_bytes)
{
    ArenaBlock *block;

    if (size_bytes > 0 && count > (SIZE_MAX - sizeof(ArenaBlock)) / size_bytes)
        BUG("out of memory: %zu items of %zu bytes", count, size_bytes);
    block = mem_new(1, sizeof(ArenaBlock) + count * size_bytes);
    block->next = arena->blocks;
    arena->blocks = block;
    return block->data;
}

char *
arena_text(Arena *arena, const char *text)
{
    size_t size = strlen(text) + 1;

    return memcpy(arena_alloc(arena, size, 1), text, size);
}

char *
arena_printf(Arena *arena, const char *format, ...)
{
    va_list args, again;
    char *text;
    int length;

    va_start(args, format);
    va_copy(again, args);
    length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (length < 0)
        BUG("bad format \"%s\"", format);
    text = arena_alloc(arena, (size_t)length + 1, 1);
    vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    return text;
}
