/*
 * Reads a moment as a user types it.
 */
#ifndef KB_CLI_MOMENT_H
#define KB_CLI_MOMENT_H

#include "base/diag.h"

#include <stdint.h>

/*
 * "2024-05-01", "2024-05-01 12:00", "2024-05-01T12:00:00.123Z", with "+02:00" for another zone than
 * UTC, or "@1714564800.5" for seconds since 1970. Up to nine digits after the second; 1970 to 2262.
 *
 * time_ns  out: nanoseconds since 1970-01-01 UTC, untouched on failure
 */
Status moment_read(const char *text, uint64_t *time_ns, Diag *diag) MUST_USE;

#endif
