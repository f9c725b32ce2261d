/*
 * Helpers to fill KeyFacts: times as text, and the sentence about what an id tells.
 */
#ifndef KB_KEYS_FACTS_H
#define KB_KEYS_FACTS_H

#include "keys/format_impl.h"

/* Set the time and its text; `precision_ns` is the step of the format's clock. */
void facts_set_time(KeyFacts *facts, int64_t time_s, uint32_t rest_ns, uint64_t precision_ns);

/* The same from milliseconds since 1970. */
void facts_set_time_ms(KeyFacts *facts, int64_t time_ms);

/* Add to the sentence, cut at its size. */
void facts_say(KeyFacts *facts, const char *format, ...) PRINTF_LIKE(2, 3);

/* Add "made 2024-05-01 12:00:00.123 UTC to the millisecond". */
void facts_say_time(KeyFacts *facts);

/* Whether the time is one when ids were made: 2000 to 2099. For telling formats apart. */
bool facts_time_plausible(const KeyFacts *facts);

/* Set the 128 bits in their three texts. */
void facts_set_uuid(KeyFacts *facts, const uint8_t *id);

#endif
