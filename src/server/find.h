/*
 * Finding the programs of a PostgreSQL server on this machine.
 */
#ifndef KB_SERVER_FIND_H
#define KB_SERVER_FIND_H

#include "base/diag.h"

enum {
    SERVER_MAJOR_PREFERRED = 18, /* the first with uuidv7() */
    SERVER_MAJOR_MIN = 14,       /* the oldest that keybench supports */
};

/* The programs of one server installation. */
typedef struct ServerPrograms {
    char bindir[4096];  /* holds initdb and postgres */
    int version_number; /* 180004 for 18.4; 190000 for 19rc1 */
    char version[64];   /* as "postgres --version" says it: "18.4" */
    char found_by[64];  /* "--pg-bindir", "KEYBENCH_PG_BINDIR", "/usr/lib/postgresql", "pg_config",
                           "PATH", "cache" */
} ServerPrograms;

/*
 * Find a server in this order: `bindir` (may be NULL), KEYBENCH_PG_BINDIR,
 * /usr/lib/postgresql/18/bin, pg_config --bindir and PATH when they are 18 or later, the cache
 * folder's servers (servers/18/bin), then any other of at least `min_major`, newest first. A server
 * that the user it would run as cannot run is none.
 * Returns   STATUS_SERVER with a hint when there is none, or a named one is too old; STATUS_USAGE
 * when a named bindir holds no server; STATUS_INTERRUPTED
 */
Status server_find(const char *bindir, int min_major, ServerPrograms *programs,
                   Diag *diag) MUST_USE;

/* Read the answer to "postgres --version", such as "postgres (PostgreSQL) 19rc1 (Debian ...)", into
 * version and version_number. False, and both untouched, when it is none. */
bool server_version_parse(const char *answer, ServerPrograms *programs);

#endif
