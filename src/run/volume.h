/*
 * About how much a plan will write, said before it starts: from the widths of columns and keys
 * and from how many index pages a batch touches. An estimate for people and for disk checks, good
 * to a third; never a result.
 */
#ifndef KB_RUN_VOLUME_H
#define KB_RUN_VOLUME_H

#include "results/result.h"
#include "scenario/plan.h"

typedef struct Volume {
    double rows;
    double table_bytes;     /* of the largest moment: one design's heap and indexes */
    double wal_bytes;       /* of all trials */
    double batch_wal_bytes; /* of the largest batch */
    double cycle_wal_bytes; /* the most between two checkpoints */
    double stage_bytes;     /* of the temporary table that a batch is staged in */
} Volume;

Volume volume_of_trial(const PlannedTrial *trial);
Volume volume_of_plan(const Plan *plan);

/* Of the primary key's index: about how many leaf pages it has at `rows`, 0 without a key; and
 * whether its keys come in no order. */
double volume_key_pages(const Scenario *scenario, const Design *design, double rows);
bool volume_key_is_random(const Scenario *scenario, const Design *design);

/*
 * What of it is on the disk at once: the tables, the staged rows, and the WAL that the server
 * keeps. It keeps what was written since the last checkpoint and, to use the files again, about as
 * much once more, but not much more than max_wal_size. Source: manual, "WAL Configuration";
 * XLOGfileslop().
 */
double volume_disk_bytes(const Volume *volume, double max_wal_bytes);

/* What a trial has written, by the same parts: table_bytes of all its tables after the last phase
 * (heaps and indexes), wal_bytes by the log position. NAN when it is not complete. */
Volume volume_written(const PlannedTrial *trial, const DesignResult *measured);

/* Whether an estimate was off by more than the third that it promises. Below 16 MB it promises
 * nothing: there whole pages and the catalogue's share count. */
bool volume_is_off(double predicted_bytes, double written_bytes);

#endif
