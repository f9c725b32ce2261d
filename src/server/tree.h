/*
 * Removal of a folder with all that is in it. Async-signal-safe, because the guard of a server,
 * forked from a threaded program, does it.
 */
#ifndef KB_SERVER_TREE_H
#define KB_SERVER_TREE_H

#include <stdbool.h>

/* Remove `path`, never through a symbolic link: links themselves are removed. True when it is gone,
 * also when it was not there; else errno says what stood in the way. */
bool tree_remove(const char *path);

#endif
