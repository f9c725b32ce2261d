#include "cli/moment.h"

#include "base/clock.h"

#include <ctype.h>
#include <string.h>
#include <time.h>

#define LATEST_S (INT64_MAX / (int64_t)NS_PER_S)

/* A moment in parts; `zone_s` is how far its clock runs ahead of UTC. */
typedef struct Moment {
    struct tm date;
    int64_t seconds; /* of "@" */
    uint64_t rest_ns;
    int64_t zone_s;
} Moment;

/* Read just `count` digits into a number up to `max`, and go past them. */
static bool
take_number(const char **text, int count, int max, int *number)
{
    int value = 0;

    for (int i = 0; i < count; i++, (*text)++) {
        if (!isdigit((unsigned char)**text))
            return false;
        value = value * 10 + (**text - '0');
    }
    *number = value;
    return value <= max;
}

/* Go past one of `letters`; false when none is next. */
static bool
take_letter(const char **text, const char *letters)
{
    if (**text == '\0' || strchr(letters, **text) == NULL)
        return false;
    (*text)++;
    return true;
}

/* ".123" after the second, nine digits at most. */
static bool
take_fraction(const char **text, uint64_t *rest_ns)
{
    uint64_t unit_ns = NS_PER_S;

    if (!take_letter(text, "."))
        return true;
    while (isdigit((unsigned char)**text) && unit_ns > 1) {
        unit_ns /= 10;
        *rest_ns += (uint64_t)(**text - '0') * unit_ns;
        (*text)++;
    }
    return unit_ns < NS_PER_S;
}

static bool
take_date(const char **text, struct tm *date)
{
    bool good = take_number(text, 4, 2262, &date->tm_year) && take_letter(text, "-") &&
                take_number(text, 2, 12, &date->tm_mon) && take_letter(text, "-") &&
                take_number(text, 2, 31, &date->tm_mday);
    struct tm normal;

    date->tm_year -= 1900;
    date->tm_mon -= 1;
    normal = *date;
    return good && timegm(&normal) >= 0 && normal.tm_mday == date->tm_mday &&
           normal.tm_mon == date->tm_mon; /* 30 February becomes another day */
}

static bool
take_time(const char **text, Moment *moment)
{
    if (!take_number(text, 2, 23, &moment->date.tm_hour) || !take_letter(text, ":") ||
        !take_number(text, 2, 59, &moment->date.tm_min))
        return false;
    if (!take_letter(text, ":"))
        return true;
    return take_number(text, 2, 59, &moment->date.tm_sec) && take_fraction(text, &moment->rest_ns);
}

static bool
take_zone(const char **text, int64_t *zone_s)
{
    int sign = **text == '-' ? -1 : 1, hours, minutes = 0;

    if (take_letter(text, "Zz"))
        return true;
    if (!take_letter(text, "+-"))
        return true;
    if (!take_number(text, 2, 15, &hours))
        return false;
    if (take_letter(text, ":") || **text != '\0')
        if (!take_number(text, 2, 59, &minutes))
            return false;
    *zone_s = sign * (hours * INT64_C(3600) + minutes * INT64_C(60));
    return true;
}

static bool
take_calendar(const char **text, Moment *moment)
{
    if (!take_date(text, &moment->date))
        return false;
    if (take_letter(text, "Tt "))
        if (!take_time(text, moment) || !take_zone(text, &moment->zone_s))
            return false;
    moment->seconds = timegm(&moment->date) - moment->zone_s;
    return true;
}

static bool
take_seconds(const char **text, Moment *moment)
{
    const char *start = *text;

    while (isdigit((unsigned char)**text) && moment->seconds <= LATEST_S) {
        moment->seconds = moment->seconds * 10 + (**text - '0');
        (*text)++;
    }
    return *text > start && take_fraction(text, &moment->rest_ns);
}

Status
moment_read(const char *text, uint64_t *time_ns, Diag *diag)
{
    const char *at = text;
    Moment moment = {0};
    bool good = take_letter(&at, "@") ? take_seconds(&at, &moment) : take_calendar(&at, &moment);

    if (good && *at == '\0' && moment.seconds >= 0 && moment.seconds < LATEST_S) {
        *time_ns = (uint64_t)moment.seconds * NS_PER_S + moment.rest_ns;
        return STATUS_OK;
    }
    diag_set(diag, STATUS_USAGE, "\"%s\" is no moment from 1970 to 2262", text);
    diag_hint(diag, "Write it as 2024-05-01T12:00:00.123Z, 2024-05-01, or @1714564800 for seconds "
                    "since 1970.");
    return diag->status;
}
