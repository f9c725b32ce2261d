#include "base/text.h"

#include "base/diag.h"
#include "base/mem.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void
reserve(Text *text, size_t addition)
{
    size_t need = text->length + addition + 1;

    if (need <= text->capacity)
        return;
    text->capacity = need > 2 * text->capacity ? need : 2 * text->capacity;
    text->data = mem_resize(text->data, text->capacity, 1);
}

void
text_add_bytes(Text *text, const char *bytes, size_t length)
{
    reserve(text, length);
    memcpy(text->data + text->length, bytes, length);
    text->length += length;
    text->data[text->length] = '\0';
}

void
text_add(Text *text, const char *addition)
{
    text_add_bytes(text, addition, strlen(addition));
}

void
text_printf(Text *text, const char *format, ...)
{
    va_list args, again;
    int length;

    va_start(args, format);
    va_copy(again, args);
    length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (length < 0)
        BUG("bad format \"%s\"", format);
    reserve(text, (size_t)length);
    vsnprintf(text->data + text->length, (size_t)length + 1, format, again);
    va_end(again);
    text->length += (size_t)length;
}

void
text_release(Text *text)
{
    free(text->data);
    memset(text, 0, sizeof(*text));
}

const char *
text_data(const Text *text)
{
    return text->data != NULL ? text->data : "";
}

void
text_fold(char *text)
{
    char *out = text;

    for (const char *in = text; *in != '\0'; in++) {
        bool blank = strchr(" \t\r\n", *in) != NULL;

        if (!blank)
            *out++ = *in;
        else if (out > text && out[-1] != ' ')
            *out++ = ' ';
    }
    if (out > text && out[-1] == ' ')
        out--;
    *out = '\0';
}

/* The length of the UTF-8 sequence at `byte`, 0 when it is malformed. */
static size_t
sequence_length(const unsigned char *byte, size_t left)
{
    size_t length = byte[0] < 0x80 ? 1 : byte[0] < 0xe0 ? 2 : byte[0] < 0xf0 ? 3 : 4;

    if (length == 1)
        return 1;
    if (byte[0] < 0xc2 || byte[0] > 0xf4 || left < length)
        return 0;
    for (size_t i = 1; i < length; i++)
        if ((byte[i] & 0xc0) != 0x80)
            return 0;
    if ((byte[0] == 0xe0 && byte[1] < 0xa0) || (byte[0] == 0xed && byte[1] > 0x9f) ||
        (byte[0] == 0xf0 && byte[1] < 0x90) || (byte[0] == 0xf4 && byte[1] > 0x8f))
        return 0;
    return length;
}

bool
text_find_bad_utf8(const char *bytes, size_t length, size_t *offset)
{
    size_t at = 0;

    while (at < length) {
        size_t step = sequence_length((const unsigned char *)bytes + at, length - at);

        if (step == 0) {
            *offset = at;
            return true;
        }
        at += step;
    }
    return false;
}

size_t
text_width(const char *text)
{
    size_t width = 0;

    for (; *text != '\0'; text++)
        width += ((unsigned char)*text & 0xc0) != 0x80;
    return width;
}

void
text_add_utf8(Text *text, const char *addition)
{
    size_t length = strlen(addition), offset;

    while (text_find_bad_utf8(addition, length, &offset)) {
        text_add_bytes(text, addition, offset);
        text_add(text, "?");
        addition += offset + 1;
        length -= offset + 1;
    }
    text_add_bytes(text, addition, length);
}
