#include "base/clock.h"

#include <time.h>

static uint64_t
read_clock(clockid_t id)
{
    struct timespec now;

    clock_gettime(id, &now);
    return (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
}

Instant
instant_now(void)
{
    return (Instant){read_clock(CLOCK_MONOTONIC)};
}

uint64_t
instant_elapsed_ns(Instant since)
{
    return instant_now().ns - since.ns;
}

void
instant_sleep_until(Instant until)
{
    struct timespec when = {.tv_sec = (time_t)(until.ns / NS_PER_S),
                            .tv_nsec = (long)(until.ns % NS_PER_S)};

    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &when, NULL);
}

uint64_t
clock_wall_ns(void)
{
    return read_clock(CLOCK_REALTIME);
}

void
clock_utc_stamp(uint64_t wall_ns, char *stamp)
{
    time_t seconds = (time_t)(wall_ns / NS_PER_S);
    struct tm parts;

    gmtime_r(&seconds, &parts);
    strftime(stamp, UTC_STAMP_SIZE, "%Y-%m-%dT%H:%M:%SZ", &parts);
}
