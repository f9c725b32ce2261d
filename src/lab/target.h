/*
 * Where to connect, with another database than the user named.
 */
#ifndef KB_LAB_TARGET_H
#define KB_LAB_TARGET_H

#include "base/mem.h"

/*
 * The dbname for a database beside the one that `given` leads to.
 *
 * given     what the user gave: a name, a whole conninfo or URI, or NULL
 * name      of the database: a-z, 0-9 and "_"
 * Returns   a text in `arena`, or `name` itself
 */
const char *target_dbname(Arena *arena, const char *given, const char *name);

#endif
