#include "base/diag.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static void print_text(char *text, size_t size, const char *format, va_list args)
    __attribute__((format(printf, 3, 0)));

static void
print_text(char *text, size_t size, const char *format, va_list args)
{
    vsnprintf(text, size, format, args);
}

Status
diag_set(Diag *diag, Status status, const char *format, ...)
{
    va_list args;

    memset(diag, 0, sizeof(*diag));
    diag->status = status;
    va_start(args, format);
    print_text(diag->message, sizeof(diag->message), format, args);
    va_end(args);
    return status;
}

void
diag_hint(Diag *diag, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    print_text(diag->hint, sizeof(diag->hint), format, args);
    va_end(args);
}

void
diag_detail(Diag *diag, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    print_text(diag->detail, sizeof(diag->detail), format, args);
    va_end(args);
}

void
diag_context(Diag *diag, const char *format, ...)
{
    char inner[sizeof(diag->context)];
    size_t length, room;
    va_list args;

    memcpy(inner, diag->context, sizeof(inner));
    va_start(args, format);
    print_text(diag->context, sizeof(diag->context), format, args);
    va_end(args);
    length = strlen(diag->context);
    room = sizeof(diag->context) - length;
    if (inner[0] != '\0' && room > sizeof(": ")) {
        memcpy(diag->context + length, ": ", sizeof(": "));
        length += 2;
        room = sizeof(diag->context) - length - 1;
        inner[room < sizeof(inner) ? room : sizeof(inner) - 1] = '\0';
        memcpy(diag->context + length, inner, strlen(inner) + 1);
    }
}

void
diag_line(const Diag *diag, char *line, size_t size)
{
    bool has_state = diag->sqlstate[0] != '\0';

    snprintf(line, size, "%s%s%s%s%s%s", diag->context, diag->context[0] != '\0' ? ": " : "",
             diag->message, has_state ? " (SQLSTATE " : "", diag->sqlstate, has_state ? ")" : "");
}

void
diag_print(const Diag *diag, FILE *stream)
{
    char line[DIAG_LINE_SIZE];

    diag_line(diag, line, sizeof(line));
    fprintf(stream, "keybench: error: %s\n", line);
    if (diag->detail[0] != '\0')
        fprintf(stream, "keybench: detail: %s\n", diag->detail);
    if (diag->hint[0] != '\0')
        fprintf(stream, "keybench: hint: %s\n", diag->hint);
}

int
status_exit_code(Status status)
{
    static const int EXIT_CODES[] = {
        [STATUS_OK] = 0,           [STATUS_CHECK_FAILED] = 1,
        [STATUS_USAGE] = 2,        [STATUS_SCENARIO] = 2,
        [STATUS_IO] = 3,           [STATUS_SERVER] = 3,
        [STATUS_UNSUPPORTED] = 3,  [STATUS_DB_QUERY] = 3,
        [STATUS_CONTAMINATED] = 4, [STATUS_INTERRUPTED] = 130,
    };

    return EXIT_CODES[status];
}

_Noreturn void
diag_bug(const char *file, int line, const char *format, ...)
{
    va_list args;

    fprintf(stderr, "keybench: bug at %s:%d: ", file, line);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
    abort();
}
