#include "report/axis.h"

#include "base/units.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* As PostgreSQL writes sizes of memory. */
static const struct {
    const char *suffix;
    double scale;
} SCALES[] = {{"", 1},
              {"B", 1},
              {"kB", 1024.0},
              {"MB", 1048576.0},
              {"GB", 1073741824.0},
              {"TB", 1099511627776.0}};

bool
axis_read_number(const char *value, double *number)
{
    char *end = NULL;
    double read = strtod(value, &end);

    if (end == value || !isfinite(read) || strchr("0123456789.-", value[0]) == NULL)
        return false;
    for (size_t i = 0; i < sizeof(SCALES) / sizeof(SCALES[0]); i++)
        if (strcmp(end, SCALES[i].suffix) == 0) {
            *number = read * SCALES[i].scale;
            return true;
        }
    return false;
}

const char *
axis_print_value(Arena *arena, const char *value)
{
    char text[UNITS_TEXT_SIZE];

    if (strspn(value, "0123456789") != strlen(value))
        return arena_text(arena, value);
    units_print_count(strtod(value, NULL), text, sizeof(text));
    return arena_text(arena, text);
}

/* Whether a title such as "rows between checkpoints" can be counted: a word of it is a plural. */
static bool
names_things(const char *title)
{
    for (const char *at = strchr(title, 's'); at != NULL; at = strchr(at + 1, 's'))
        if (at > title && at[-1] != 's' && (at[1] == ' ' || at[1] == '\0'))
            return strchr(title, '_') == NULL;
    return false;
}

const char *
axis_print_place(Arena *arena, const char *name, const char *title, const char *value)
{
    const char *printed = axis_print_value(arena, value);
    double number;

    if (!axis_read_number(value, &number))
        return arena_printf(arena, "%s=%s", name, value);
    if (strspn(value, "0123456789.") == strlen(value) && names_things(title))
        return arena_printf(arena, "%s %s", printed, title);
    return arena_printf(arena, "%s %s", title, printed);
}
