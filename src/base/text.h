/*
 * A growing string, and small helpers on C strings.
 */
#ifndef KB_BASE_TEXT_H
#define KB_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* Zero-initialize ({0}); `data` is always terminated once something was added. Release with
 * text_release. */
typedef struct Text {
    char *data; /* NULL while empty */
    size_t length, capacity;
} Text;

void text_add(Text *text, const char *addition);
void text_add_bytes(Text *text, const char *bytes, size_t length);
void text_printf(Text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Append what may be no UTF-8, as a file's name: bytes that are not become "?". */
void text_add_utf8(Text *text, const char *addition);
void text_release(Text *text);

/* The content as a C string, "" while empty; borrowed. */
const char *text_data(const Text *text);

/* Turn each run of line breaks and blanks into one space, in place: a server's message on one line.
 */
void text_fold(char *text);

/* Find the first byte that is not UTF-8 (RFC 3629: no surrogates, no overlong forms). True and
 * *offset when there is one. */
bool text_find_bad_utf8(const char *bytes, size_t length, size_t *offset);

/* How many columns a UTF-8 text takes in a terminal with one column a character. */
size_t text_width(const char *text);

#endif
