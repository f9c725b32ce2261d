#include "keys/sqids_code.h"

#include "base/mem.h"
#include "keys/format_impl.h"
#include "keys/sqids_blocklist.h"

#include <stdlib.h>
#include <string.h>

enum {
    ALPHABET_MAX = 128, /* printable ASCII without doubles is fewer */
    DIGITS_MAX = 64,    /* of a number in the smallest base, 2 */
};

static const char DEFAULT_ALPHABET[] =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

struct SqidsCode {
    char alphabet[ALPHABET_MAX]; /* shuffled */
    size_t size;
    unsigned min_length;
    SqidsBlocklist *blocklist;
};

/* A text that grows up to a limit. */
typedef struct Writer {
    char *text;
    size_t length, room; /* room without the zero */
    bool full;
} Writer;

static void
put(Writer *writer, char letter)
{
    if (writer->length < writer->room)
        writer->text[writer->length++] = letter;
    else
        writer->full = true;
}

/* The specification's shuffle: always the same for the same input. */
static void
shuffle(char *alphabet, size_t size)
{
    for (size_t i = 0, j = size - 1; j > 0; i++, j--) {
        size_t k = (i * j + (unsigned char)alphabet[i] + (unsigned char)alphabet[j]) % size;
        char letter = alphabet[i];

        alphabet[i] = alphabet[k];
        alphabet[k] = letter;
    }
}

/* The alphabet turned so that `offset` comes first, then reversed. */
static void
turn(const SqidsCode *code, size_t offset, char *turned)
{
    for (size_t i = 0; i < code->size; i++)
        turned[code->size - 1 - i] = code->alphabet[(offset + i) % code->size];
}

Status
sqids_code_new(const char *alphabet, unsigned min_length, const char *blocklist, SqidsCode **code,
               Diag *diag)
{
    const char *letters = alphabet != NULL ? alphabet : DEFAULT_ALPHABET;
    Status status = key_check_alphabet(letters, SQIDS_ALPHABET_MIN, "Sqids", diag);
    SqidsCode *made;

    if (status != STATUS_OK)
        return status;
    if (min_length > SQIDS_LENGTH_MAX) {
        diag_set(diag, STATUS_USAGE, "Sqids minimum length %u is too long", min_length);
        diag_hint(diag, "The minimum length is 0 to %d.", SQIDS_LENGTH_MAX);
        return diag->status;
    }
    made = mem_new(1, sizeof(*made));
    made->size = strlen(letters);
    made->min_length = min_length;
    memcpy(made->alphabet, letters, made->size);
    made->blocklist = sqids_blocklist_new(blocklist, letters);
    shuffle(made->alphabet, made->size);
    *code = made;
    return STATUS_OK;
}

void
sqids_code_free(SqidsCode *code)
{
    if (code == NULL)
        return;
    sqids_blocklist_free(code->blocklist);
    free(code);
}

static size_t
find_offset(const SqidsCode *code, const uint64_t *numbers, size_t count)
{
    size_t offset = count;

    for (size_t i = 0; i < count; i++)
        offset += (unsigned char)code->alphabet[numbers[i] % code->size] + i;
    return offset % code->size;
}

/* A number in the letters after the separator. */
static void
put_number(Writer *writer, uint64_t number, const char *letters, size_t base)
{
    char digits[DIGITS_MAX];
    size_t at = sizeof(digits);

    do {
        digits[--at] = letters[number % base];
        number /= base;
    } while (number > 0);
    while (at < sizeof(digits))
        put(writer, digits[at++]);
}

/* Fill up to the minimum length: a separator, then letters that mean nothing. */
static void
put_padding(Writer *writer, const SqidsCode *code, char *turned)
{
    if (writer->length >= code->min_length)
        return;
    put(writer, turned[0]);
    while (writer->length < code->min_length && !writer->full) {
        shuffle(turned, code->size);
        for (size_t i = 0; i < code->size && writer->length < code->min_length; i++)
            put(writer, turned[i]);
    }
}

static void
put_all(Writer *writer, const SqidsCode *code, const uint64_t *numbers, size_t count, size_t offset)
{
    char turned[ALPHABET_MAX];

    turn(code, offset, turned);
    writer->length = 0;
    put(writer, code->alphabet[offset]);
    for (size_t i = 0; i < count; i++) {
        put_number(writer, numbers[i], turned + 1, code->size - 1);
        if (i + 1 < count) {
            put(writer, turned[0]);
            shuffle(turned, code->size);
        }
    }
    put_padding(writer, code, turned);
}

size_t
sqids_encode(const SqidsCode *code, const uint64_t *numbers, size_t count, char *text, size_t room)
{
    Writer writer = {.text = text, .room = room - 1};
    size_t offset = find_offset(code, numbers, count);

    if (count == 0)
        return 0;
    for (size_t attempt = 0; attempt <= code->size; attempt++) {
        put_all(&writer, code, numbers, count, (offset + attempt) % code->size);
        if (writer.full)
            return 0;
        if (!sqids_blocklist_hits(code->blocklist, text, writer.length)) {
            text[writer.length] = '\0';
            return writer.length;
        }
    }
    return 0;
}

/* Read one number's digits up to the separator; false when it outgrows 64 bits. */
static bool
take_number(const char **text, const char *turned, size_t size, uint64_t *number)
{
    uint64_t value = 0;

    for (; **text != '\0' && **text != turned[0]; (*text)++) {
        const char *letter = memchr(turned + 1, **text, size - 1);

        if (letter == NULL || __builtin_mul_overflow(value, size - 1, &value) ||
            __builtin_add_overflow(value, (uint64_t)(letter - turned - 1), &value))
            return false;
    }
    *number = value;
    return true;
}

size_t
sqids_decode(const SqidsCode *code, const char *text, uint64_t *numbers, size_t room)
{
    const char *first = *text != '\0' ? memchr(code->alphabet, *text, code->size) : NULL;
    char turned[ALPHABET_MAX];
    size_t count = 0;

    for (const char *letter = text; *letter != '\0'; letter++)
        if (memchr(code->alphabet, *letter, code->size) == NULL)
            return 0;
    if (first == NULL)
        return 0;
    turn(code, (size_t)(first - code->alphabet), turned);
    for (text++; *text != '\0' && *text != turned[0]; shuffle(turned, code->size)) {
        if (count == room || !take_number(&text, turned, code->size, &numbers[count]))
            return 0;
        count++;
        if (*text != '\0')
            text++;
    }
    return count;
}
