/*
 * Numbers with units, read from options and printed for people: the only home of scale factors.
 * Inside keybench bytes and nanoseconds have no prefix; MB is 2^20 bytes, as in pg_size_pretty.
 * Readers accept one number with one unit and nothing around it; printers cut at `size`, never
 * overrun, and print "-" for a value that is not a number.
 */
#ifndef KB_BASE_UNITS_H
#define KB_BASE_UNITS_H

#include "base/diag.h"

#include <stdint.h>

/* Enough for every text that a printer makes of a value below 1e18. */
enum { UNITS_TEXT_SIZE = 48 };

/* "500", digits only, without leading zeros or sign. False and *value untouched otherwise. */
bool units_read_u64(const char *text, uint64_t *value) MUST_USE;

/*
 * "64MB", "8 kB", "1.5GB": a number with up to six decimals and one of bytes, B, kB, MB, GB, TB,
 * rounded to whole bytes. False and *bytes untouched otherwise, also for a number without a unit.
 */
bool units_read_bytes(const char *text, uint64_t *bytes) MUST_USE;

/* "30s", "500ms", "1.5h": the same with ns, us, ms, s, min, h, d. */
bool units_read_time_ns(const char *text, uint64_t *time_ns) MUST_USE;

/* How many bytes "bytes", "kB", "MB" ... is. False and *bytes untouched for another word. */
bool units_find_bytes(const char *unit, uint64_t *bytes) MUST_USE;

/*
 * "129.9 MB" with one decimal, "43 MB" with none. The next unit begins at 10,240, as in
 * pg_size_pretty, so that "9728 kB" keeps its digits; with decimals MB begin at 1,024 kB. Whole
 * bytes never have decimals.
 */
void units_print_bytes(double bytes, int decimals, char *text, size_t size);

/* "72,642": rounded, with separators. */
void units_print_count(double count, char *text, size_t size);

/* The same with all digits of a number that a double cannot hold. */
void units_print_whole(uint64_t count, char *text, size_t size);

/* "90.0%" */
void units_print_pct(double pct, int decimals, char *text, size_t size);

/* "1,234.5 ms" */
void units_print_ms(double ms, int decimals, char *text, size_t size);

/* "1,234 us" */
void units_print_us(double us, char *text, size_t size);

/* For people: "850 ns", "12.3 ms", "4.7 s", "2 min 05 s", "1 h 02 min", "3 d 04 h". */
void units_print_duration(uint64_t duration_ns, char *text, size_t size);

#endif
