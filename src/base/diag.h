/*
 * What went wrong, and what to do about it. A function that can fail returns a Status and fills the
 * Diag that its caller owns; nothing is printed here but by diag_print, which only main and the
 * warning path call.
 */
#ifndef KB_BASE_DIAG_H
#define KB_BASE_DIAG_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#define MUST_USE __attribute__((warn_unused_result))
#define PRINTF_LIKE(at, first) __attribute__((format(printf, at, first)))
#define ARRAY_LEN(array) (sizeof(array) / sizeof((array)[0]))

/* Stop the program for a broken invariant or exhausted memory: never for bad input. */
#define BUG(...) diag_bug(__FILE__, __LINE__, __VA_ARGS__)

typedef enum Status {
    STATUS_OK,
    STATUS_CHECK_FAILED, /* a bound, claim or baseline does not hold */
    STATUS_USAGE,        /* wrong option, argument or identifier */
    STATUS_SCENARIO,     /* a file that keybench reads is not as it should be */
    STATUS_IO,           /* a file, folder or child process of this machine */
    STATUS_SERVER,       /* no server, or one that is not fit */
    STATUS_UNSUPPORTED,  /* a server whose build does not have what a setting asks for */
    STATUS_DB_QUERY,     /* the server refused or failed a statement */
    STATUS_CONTAMINATED, /* --strict and a measurement that is not clean */
    STATUS_INTERRUPTED,  /* SIGINT or SIGTERM */
} Status;

/* One error. Every text is cut at its size, never overrun; all empty means no error. */
typedef struct Diag {
    Status status;
    char message[1024]; /* what failed, on what: lower case, no full stop */
    char context[512];  /* outer layers: which scenario, design, file */
    char detail[1024];  /* the server's DETAIL, or the end of its log */
    char hint[512];     /* a sentence about what to do */
    char sqlstate[6];   /* the server's five letters, or empty */
} Diag;

enum { DIAG_LINE_SIZE = 2048 };

/* Context, message and SQLSTATE in one line, as diag_print begins; cut at `size`. */
void diag_line(const Diag *diag, char *line, size_t size);

/* Set the cause and return `status`, so that a caller can write: return diag_set(...). Clears all
 * other texts. */
Status diag_set(Diag *diag, Status status, const char *format, ...) PRINTF_LIKE(3, 4);

/* Add what to do about it; the last hint stands. */
void diag_hint(Diag *diag, const char *format, ...) PRINTF_LIKE(2, 3);

/* Add longer material under the message; the last detail stands. */
void diag_detail(Diag *diag, const char *format, ...) PRINTF_LIKE(2, 3);

/* Add where it happened, in front of what is there: "scenario \"x\": design \"y\"". */
void diag_context(Diag *diag, const char *format, ...) PRINTF_LIKE(2, 3);

/* Print "keybench: error: ..." with detail and hint on lines of their own. */
void diag_print(const Diag *diag, FILE *stream);

/* The exit code that docs/keybench.1 promises for a status. */
int status_exit_code(Status status);

_Noreturn void diag_bug(const char *file, int line, const char *format, ...) PRINTF_LIKE(3, 4);

#endif
