/*
 * Whether a server is fit for a run, said before anything is written: every condition with what was
 * found and the exact remedy. `run` stops at the first that refuses; `doctor` prints them all.
 */
#ifndef KB_RUN_READINESS_H
#define KB_RUN_READINESS_H

#include "db/conn.h"
#include "run/room.h"

typedef enum ReadyLevel {
    READY_OK,
    READY_NOTE,       /* counts may differ from a reference; the run goes on */
    READY_PRODUCTION, /* looks like a server that others depend on: refused unless the user insists
                       */
    READY_REFUSED,
} ReadyLevel;

typedef struct ReadyItem {
    ReadyLevel level;
    const char *subject; /* "extension pgstattuple" */
    char found[256];
    char remedy[256]; /* empty when there is nothing to do */
} ReadyItem;

enum { READY_ITEMS_MAX = 24 };

typedef struct Readiness {
    ReadyItem items[READY_ITEMS_MAX];
    size_t count;
} Readiness;

/*
 * Look without writing. What is expected to be written decides whether max_wal_size would force a
 * checkpoint inside a batch, and whether the disk holds it.
 *
 * plan  NULL: not known
 */
Status readiness_read(DbConn *conn, const Plan *plan, Readiness *readiness, Diag *diag) MUST_USE;

/* STATUS_SERVER for the first item that refuses, with its remedy as hint. `insist`: not for looking
 * like production. */
Status readiness_require(const Readiness *readiness, bool insist, Diag *diag) MUST_USE;

#endif
