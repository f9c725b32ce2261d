#include "lab/target.h"

#include <string.h>

/* What --dbname may hold is a name or a whole conninfo; in one the last word on the database wins.
 * Source: manual, libpq, "Connection Strings". */
const char *
target_dbname(Arena *arena, const char *given, const char *name)
{
    if (given == NULL)
        return name;
    if (strncmp(given, "postgresql://", 13) == 0 || strncmp(given, "postgres://", 11) == 0)
        return arena_printf(arena, "%s%cdbname=%s", given, strchr(given, '?') != NULL ? '&' : '?',
                            name);
    if (strchr(given, '=') != NULL)
        return arena_printf(arena, "%s dbname=%s", given, name);
    return name;
}
