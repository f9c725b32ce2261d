/*
 * What can be said about a trial without looking at the server: before it, whether its size can
 * show anything at all; after it, whether the estimate of what it would write was right. Findings
 * of this kind do not taint counts.
 */
#ifndef KB_RUN_OUTLOOK_H
#define KB_RUN_OUTLOOK_H

#include "run/volume.h"

/*
 * Kind "scale". The key's index ends with fewer than 20 leaf pages, so one page more or less is
 * over 5%. Or the key is random, WAL or images are asked for, and no phase puts fewer rows between
 * two checkpoints than were there before: then each page gets one image for many rows, however
 * random the keys are.
 */
void outlook_judge_scale(const PlannedTrial *trial,
                         void (*report)(void *context, const Finding *finding), void *context);

/* Kind "volume": WAL or tables were off the estimate by more than a third; see volume_is_off. */
void outlook_judge_volume(const PlannedTrial *trial, const DesignResult *measured,
                          void (*report)(void *context, const Finding *finding), void *context);

#endif
