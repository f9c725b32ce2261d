/*
 * Test Anything Protocol for C tests: each check prints one line that prove reads; tap_done prints
 * the plan and gives the exit code. A failed check prints what was got and what was wanted, and the
 * test goes on.
 */
#ifndef KB_TESTS_TAP_H
#define KB_TESTS_TAP_H

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int tap_count, tap_failures;

static inline bool
tap_ok(bool good, const char *label)
{
    printf("%s %d - %s\n", good ? "ok" : "not ok", ++tap_count, label);
    tap_failures += !good;
    return good;
}

static inline bool
tap_u64(uint64_t got, uint64_t wanted, const char *label)
{
    if (!tap_ok(got == wanted, label))
        printf("#      got %" PRIu64 "\n#   wanted %" PRIu64 "\n", got, wanted);
    return got == wanted;
}

static inline bool
tap_near(double got, double wanted, double tolerance, const char *label)
{
    bool good = fabs(got - wanted) <= tolerance;

    if (!tap_ok(good, label))
        printf("#      got %.17g\n#   wanted %.17g within %g\n", got, wanted, tolerance);
    return good;
}

static inline bool
tap_text(const char *got, const char *wanted, const char *label)
{
    bool good = got != NULL && strcmp(got, wanted) == 0;

    if (!tap_ok(good, label))
        printf("#      got \"%s\"\n#   wanted \"%s\"\n", got != NULL ? got : "(null)", wanted);
    return good;
}

/* Whether `text` holds `part`: for messages whose start or end varies. */
static inline bool
tap_contains(const char *text, const char *part, const char *label)
{
    bool good = text != NULL && strstr(text, part) != NULL;

    if (!tap_ok(good, label))
        printf("#      got \"%s\"\n#   wanted it to hold \"%s\"\n", text != NULL ? text : "(null)",
               part);
    return good;
}

static inline void
tap_skip(const char *label, const char *reason)
{
    printf("ok %d - %s # SKIP %s\n", ++tap_count, label, reason);
}

static inline int
tap_done(void)
{
    printf("1..%d\n", tap_count);
    fflush(stdout);
    return tap_failures > 0;
}

#endif
