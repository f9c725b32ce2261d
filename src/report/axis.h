/*
 * The values of a sweep's axis as numbers and as texts, for tables and charts.
 */
#ifndef KB_REPORT_AXIS_H
#define KB_REPORT_AXIS_H

#include "base/mem.h"

#include <stdbool.h>

/* Read a value such as "1000", "0.5" or "64MB"; false for a word such as "none". */
bool axis_read_number(const char *value, double *number);

/* "20,000" for "20000"; other values as they are. In the arena. */
const char *axis_print_value(Arena *arena, const char *value);

/* A value in a sentence: "8 writers" where the axis's title names things, else "fillfactor 70";
 * words as "wal_compression=pglz". In the arena. */
const char *axis_print_place(Arena *arena, const char *name, const char *title, const char *value);

#endif
