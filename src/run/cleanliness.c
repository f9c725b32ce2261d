#include "run/cleanliness.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* src/include/access/xlogrecord.h, xlog_internal.h: records are aligned to 8 bytes, pages have
 * headers of 24 or 40 bytes. */
enum {
    ALIGNMENT_MAX_BYTES = 7,
    WAL_PAGE_BYTES = 8192,
    PAGE_HEADER_BYTES = 24,
    LONG_HEADER_EXTRA_BYTES = 16,
    WAL_SEGMENT_MIN_BYTES = 1 << 20,
    SNAPSHOT_BYTES = 256, /* running-xacts records that the background writer logs on its own: four
                             a minute, of 54 bytes each where few transactions run */
    CATALOGUE_BYTES = 4 * 8192, /* catalogue pages that a session prunes outside its plan */
};

static uint64_t
minus(uint64_t whole, uint64_t part)
{
    return whole > part ? whole - part : 0;
}

/* The batch's WAL by its plans, and the commits that plans leave out. */
static uint64_t
planned_bytes(const Measurement *measurement)
{
    return (uint64_t)measurement->figures.value[METRIC_WAL_BYTES] +
           measurement->commit_count * COMMIT_RECORD_BYTES;
}

/*
 * The most that the log position can move for this session's records. From 18 the server counts
 * them all, also those that planning writes when it prunes or marks a catalogue page.
 */
static uint64_t
position_max_bytes(const Measurement *measurement)
{
    WalCount own = wal_count_between(measurement->before.own, measurement->after.own);
    bool counted = own.bytes != WAL_UNKNOWN;
    uint64_t bytes = counted ? own.bytes : planned_bytes(measurement);
    uint64_t records = counted ? own.record_count
                               : (uint64_t)measurement->figures.value[METRIC_WAL_RECORD_COUNT] +
                                     measurement->commit_count;
    uint64_t aligned = bytes + records * ALIGNMENT_MAX_BYTES;
    uint64_t pages = aligned / (WAL_PAGE_BYTES - PAGE_HEADER_BYTES) + 2;
    uint64_t segments = aligned / WAL_SEGMENT_MIN_BYTES + 1;

    return aligned + pages * PAGE_HEADER_BYTES + segments * LONG_HEADER_EXTRA_BYTES;
}

/*
 * By the counters. Other sessions publish theirs up to a second late, so some may be missing, and
 * some may be of WAL from before the batch: the log did not move further than it did.
 */
static uint64_t
foreign_by_counters(const Measurement *measurement)
{
    WalCount server = wal_count_between(measurement->before.server, measurement->after.server);
    WalCount own = wal_count_between(measurement->before.own, measurement->after.own);
    uint64_t mine = own.bytes, counted, moved;

    if (server.bytes == WAL_UNKNOWN)
        return 0;
    if (mine == WAL_UNKNOWN)
        mine = planned_bytes(measurement);
    counted = minus(server.bytes, mine);
    moved = minus((uint64_t)measurement->figures.value[METRIC_LSN_BYTES], mine);
    return counted < moved ? counted : moved;
}

uint64_t
foreign_wal_bytes(const Measurement *measurement, bool *by_counters)
{
    uint64_t counted, moved;

    *by_counters = false;
    if (isnan(measurement->figures.value[METRIC_WAL_BYTES]))
        return 0; /* nobody counted the batch itself */
    counted = foreign_by_counters(measurement);
    moved = minus((uint64_t)measurement->figures.value[METRIC_LSN_BYTES],
                  position_max_bytes(measurement));
    *by_counters = counted >= moved;
    return counted >= moved ? counted : moved;
}

/* What one judgement carries: where the findings go. */
typedef struct Judge {
    Finding where;
    void (*report)(void *context, const Finding *finding);
    void *context;
} Judge;

static void
tell(const Judge *judge, const char *kind, const char *detail)
{
    Finding finding = judge->where;

    finding.kind = kind;
    finding.detail = detail;
    judge->report(judge->context, &finding);
}

static void
judge_checkpoint(const Judge *judge, const Measurement *measurement)
{
    uint64_t before = measurement->before.redo_lsn, after = measurement->after.redo_lsn;
    char detail[256];

    if (before == after)
        return;
    snprintf(detail, sizeof(detail),
             "a checkpoint that keybench did not ask for fell inside the batch (redo moved by "
             "%" PRIu64 " bytes), so pages got more images than one",
             after - before);
    tell(judge, "checkpoint", detail);
}

/* From 18 the server counts a session's own WAL; before, its catalogue work looks like another's.
 */
static bool
own_is_counted(const Measurement *measurement)
{
    return measurement->after.own.bytes != WAL_UNKNOWN;
}

/* How much of it may be nobody's. */
static double
allowed_bytes(const Measurement *measurement)
{
    double elapsed_ms = measurement->figures.value[METRIC_ELAPSED_MS];

    return (own_is_counted(measurement) ? SNAPSHOT_BYTES : CATALOGUE_BYTES) +
           (isnan(elapsed_ms) ? 0 : SNAPSHOT_BYTES * elapsed_ms / 60000);
}

static void
judge_wal(const Judge *judge, const Measurement *measurement)
{
    bool by_counters = false;
    uint64_t bytes = foreign_wal_bytes(measurement, &by_counters);
    char detail[256];

    if ((double)bytes <= allowed_bytes(measurement))
        return;
    snprintf(detail, sizeof(detail),
             "other processes wrote at least %" PRIu64 " bytes of WAL meanwhile (%s)", bytes,
             by_counters ? "pg_stat_wal less the statement's own" : "by the log position");
    tell(judge, "other wal", detail);
}

static void
judge_activity(const Judge *judge, const ActivityPoint *before, const ActivityPoint *after)
{
    char detail[256];
    uint64_t sessions = before->active_session_count > after->active_session_count
                            ? before->active_session_count
                            : after->active_session_count;

    if (before->vacuum_count != after->vacuum_count)
        tell(judge, "vacuum", "somebody vacuumed the table during the batch");
    if (strcmp(before->settings_hash, after->settings_hash) != 0)
        tell(judge, "settings", "a setting that counts depend on changed during the batch");
    if (sessions > 0) {
        snprintf(detail, sizeof(detail), "%" PRIu64 " other sessions were at work", sessions);
        tell(judge, "session", detail);
    }
}

void
cleanliness_judge(const Measurement *measurement, const ActivityPoint *before,
                  const ActivityPoint *after, Finding where,
                  void (*report)(void *context, const Finding *finding), void *context)
{
    const Judge judge = {where, report, context};

    judge_checkpoint(&judge, measurement);
    judge_wal(&judge, measurement);
    judge_activity(&judge, before, after);
}

void
cleanliness_judge_eviction(double dirtied_pages, double written_pages, Finding where,
                           void (*report)(void *context, const Finding *finding), void *context)
{
    const Judge judge = {where, report, context};
    char detail[256];

    if (written_pages >= dirtied_pages)
        return;
    snprintf(detail, sizeof(detail),
             "of %.0f buffers dirtied the next checkpoint found %.0f: others were written out "
             "before, and count again when they come back",
             dirtied_pages, written_pages);
    tell(&judge, "eviction", detail);
}
