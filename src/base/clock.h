/*
 * Time: Instant is the monotonic clock, for elapsed time; dates are UTC texts.
 */
#ifndef KB_BASE_CLOCK_H
#define KB_BASE_CLOCK_H

#include <stdint.h>

#define NS_PER_US UINT64_C(1000)
#define NS_PER_MS UINT64_C(1000000)
#define NS_PER_S UINT64_C(1000000000)

/* A point of the monotonic clock; only differences mean something. */
typedef struct Instant {
    uint64_t ns;
} Instant;

Instant instant_now(void);
uint64_t instant_elapsed_ns(Instant since);

/* Sleep until then; at once when it has passed. May wake early for a signal. */
void instant_sleep_until(Instant until);

/* Nanoseconds since 1970-01-01 UTC by the machine's clock. */
uint64_t clock_wall_ns(void);

enum { UTC_STAMP_SIZE = sizeof("2026-01-31T23:59:59Z") };

/* "2026-01-31T23:59:59Z" of `wall_ns`; `stamp` has UTC_STAMP_SIZE bytes. */
void clock_utc_stamp(uint64_t wall_ns, char *stamp);

#endif
