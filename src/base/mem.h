/*
 * Memory that is either there or the program ends: callers never test for NULL. An Arena holds many
 * allocations with one owner and one free, as for all that is parsed from one file.
 */
#ifndef KB_BASE_MEM_H
#define KB_BASE_MEM_H

#include <stddef.h>

/* Zeroed storage for `count` items of `size_bytes`; caller frees with free(). */
void *mem_new(size_t count, size_t size_bytes);

/* Grow or shrink; the new part is not zeroed. Caller frees with free(). */
void *mem_resize(void *old, size_t count, size_t size_bytes);

/* A copy of a text; caller frees with free(). */
char *mem_text(const char *text);

typedef struct Arena Arena;

Arena *arena_new(void);
void arena_free(Arena *arena); /* accepts NULL */

/* Zeroed and aligned storage that lives as long as the arena. */
void *arena_alloc(Arena *arena, size_t count, size_t size_bytes);
char *arena_text(Arena *arena, const char *text);
char *arena_printf(Arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
