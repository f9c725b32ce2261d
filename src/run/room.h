/*
 * Whether what a run is about to write fits on the disk of its server, by the estimate of volume.h:
 * said before it starts, since a full disk ends more than the run.
 */
#ifndef KB_RUN_ROOM_H
#define KB_RUN_ROOM_H

#include "run/volume.h"

/* What is needed at once, and what is there. */
typedef struct Room {
    double table_bytes; /* with what is staged */
    double wal_bytes;   /* that the server keeps */
    double free_bytes;
} Room;

/* The most that one trial of the plan needs, times `jobs` side by side. */
Room room_of_plan(const Plan *plan, uint64_t jobs, double max_wal_bytes);

bool room_suffices(const Room *room);

/* "needs about 3 GB (tables 1 GB, WAL kept 2 GB), and 512 MB are free". */
void room_print(const Room *room, char *text, size_t size);

/*
 * For throwaway servers, which stand below $TMPDIR or /tmp.
 * Returns   STATUS_SERVER with both figures when it cannot fit
 */
Status room_require_throwaway(const Plan *plan, uint64_t jobs, Diag *diag) MUST_USE;

#endif
