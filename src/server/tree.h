/*
 * A folder with all that is in it: removed, or summed up.
 */
#ifndef KB_SERVER_TREE_H
#define KB_SERVER_TREE_H

#include <stdbool.h>
#include <stdint.h>

/* Remove `path`, async-signal-safe, because the guard of a server, forked from a threaded program,
 * does it; never through a symbolic link: links themselves are removed. True when it is gone, also
 * when it was not there; else errno says what stood in the way. */
bool tree_remove(const char *path);

/* What a tree holds. */
typedef struct TreeSum {
    uint64_t file_count, bytes; /* regular files, by their lengths */
} TreeSum;

/* Sum up the files below `path`; not async-signal-safe. False when a folder cannot be read. */
bool tree_sum(const char *path, TreeSum *sum);

#endif
