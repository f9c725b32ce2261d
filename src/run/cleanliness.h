/*
 * Whether a batch measured itself alone, decided from the server's own evidence before and after
 * it. Each doubt is a finding with its figures; some taint the batch's counts, others are only to
 * be known.
 */
#ifndef KB_RUN_CLEANLINESS_H
#define KB_RUN_CLEANLINESS_H

#include "db/activity.h"
#include "results/result.h"
#include "run/measure.h"

/* A COMMIT record without subtransactions, invalidations and relations: 34 bytes on 13 to 19. */
enum { COMMIT_RECORD_BYTES = 34 };

/*
 * Tell `report` every finding of one batch. Kinds that taint counts: "checkpoint" (one that
 * keybench did not ask for), "other wal" (other processes wrote WAL), "vacuum" (somebody vacuumed
 * the table), "settings" (a setting changed). Kinds that do not: "session" (others were at work),
 * "eviction" (the statement wrote pages out itself: the cache is small, so dirtied buffers count
 * some pages twice).
 *
 * where  design, phase and batch of the findings; kind and detail are filled here
 */
void cleanliness_judge(const Measurement *measurement, const ActivityPoint *before,
                       const ActivityPoint *after, Finding where,
                       void (*report)(void *context, const Finding *finding), void *context);

/*
 * The same for what the next checkpoint shows: fewer pages written than the batch dirtied means
 * that some went out before.
 *
 * dirtied_pages  of the batch
 * written_pages  by the checkpoint after it
 */
void cleanliness_judge_eviction(double dirtied_pages, double written_pages, Finding where,
                                void (*report)(void *context, const Finding *finding),
                                void *context);

/*
 * WAL bytes that other processes wrote during a batch, at least. The larger of two looks: the
 * server's counters less the statement's own (other sessions publish theirs up to a second late),
 * and what the log position moved beyond the most that the statement's records can take with
 * alignment and page headers.
 *
 * by_counters  out: which of the two it is
 */
uint64_t foreign_wal_bytes(const Measurement *measurement, bool *by_counters);

#endif
