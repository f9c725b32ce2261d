/*
 * About how much a plan will write, said before it starts: from the widths of columns and keys
 * and from how many index pages a batch touches. An estimate for people and for disk checks, good
 * to a third; never a result.
 */
#ifndef KB_RUN_VOLUME_H
#define KB_RUN_VOLUME_H

#include "scenario/plan.h"

typedef struct Volume {
    double rows;
    double table_bytes;     /* of the largest moment: one design's heap and indexes */
    double wal_bytes;       /* of all trials */
    double batch_wal_bytes; /* of the largest batch */
} Volume;

Volume volume_of_trial(const PlannedTrial *trial);
Volume volume_of_plan(const Plan *plan);

#endif
