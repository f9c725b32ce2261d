#include "keys/facts.h"

#include "base/clock.h"
#include "keys/encode.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

/* One row a precision that a format has. */
static const struct {
    uint64_t precision_ns;
    int digits; /* after the second */
    const char *words;
} PRECISIONS[] = {
    {NS_PER_S, 0, "to the second"},
    {NS_PER_MS, 3, "to the millisecond"},
    {100, 7, "to 100 nanoseconds"},
};

static size_t
find_precision(uint64_t precision_ns)
{
    for (size_t i = 0; i < ARRAY_LEN(PRECISIONS); i++)
        if (PRECISIONS[i].precision_ns == precision_ns)
            return i;
    BUG("no words for a precision of %llu ns", (unsigned long long)precision_ns);
}

static void
write_time(KeyFacts *facts)
{
    int digits = PRECISIONS[find_precision(facts->precision_ns)].digits;
    time_t seconds = (time_t)facts->time_s;
    char date[24], fraction[10];
    struct tm parts;

    if (gmtime_r(&seconds, &parts) == NULL)
        BUG("no date for %lld s", (long long)facts->time_s);
    strftime(date, sizeof(date), "%Y-%m-%d %H:%M:%S", &parts);
    snprintf(fraction, sizeof(fraction), "%09u", (unsigned)(facts->time_rest_ns % NS_PER_S));
    snprintf(facts->time_utc, sizeof(facts->time_utc), "%s%s%.*s UTC", date, digits > 0 ? "." : "",
             digits, fraction);
}

void
facts_set_time(KeyFacts *facts, int64_t time_s, uint32_t rest_ns, uint64_t precision_ns)
{
    facts->has_time = true;
    facts->time_s = time_s;
    facts->time_rest_ns = rest_ns;
    facts->precision_ns = precision_ns;
    write_time(facts);
}

void
facts_set_time_ms(KeyFacts *facts, int64_t time_ms)
{
    int64_t rest_ms = time_ms % 1000;

    if (rest_ms < 0)
        rest_ms += 1000;
    facts_set_time(facts, (time_ms - rest_ms) / 1000, (uint32_t)rest_ms * (uint32_t)NS_PER_MS,
                   NS_PER_MS);
}

void
facts_say(KeyFacts *facts, const char *format, ...)
{
    size_t used = strlen(facts->leaks);
    va_list args;

    va_start(args, format);
    vsnprintf(facts->leaks + used, sizeof(facts->leaks) - used, format, args);
    va_end(args);
}

void
facts_say_time(KeyFacts *facts)
{
    facts_say(facts, "made %s %s", facts->time_utc,
              PRECISIONS[find_precision(facts->precision_ns)].words);
}

bool
facts_time_plausible(const KeyFacts *facts)
{
    const int64_t year_2000_s = 946684800, year_2100_s = 4102444800;

    return facts->has_time && facts->time_s >= year_2000_s && facts->time_s < year_2100_s;
}

void
facts_set_uuid(KeyFacts *facts, const uint8_t *id)
{
    encode_uuid(id, facts->uuid);
    facts->uuid[UUID_TEXT_LENGTH] = '\0';
    encode_base32(id, BASE32_UPPER, facts->ulid);
    facts->ulid[BASE32_LENGTH] = '\0';
    encode_base32(id, BASE32_LOWER, facts->typeid);
    facts->typeid[BASE32_LENGTH] = '\0';
}
