/* run/cleanliness: what of the log's movement is somebody else's. */
#include "run/cleanliness.h"

#include "support/tap.h"

#include <math.h>
#include <string.h>

/* A batch of `wal_bytes` in 1,000 records; all counters start at 0. */
static Measurement
make(double wal_bytes, double moved_bytes, uint64_t own_bytes, uint64_t server_bytes,
     uint64_t commits)
{
    Measurement made = {.commit_count = commits};

    figures_init(&made.figures);
    made.figures.value[METRIC_WAL_BYTES] = wal_bytes;
    made.figures.value[METRIC_WAL_RECORD_COUNT] = 1000;
    made.figures.value[METRIC_LSN_BYTES] = moved_bytes;
    made.after.own = (WalCount){own_bytes, own_bytes, own_bytes};
    made.after.server = (WalCount){server_bytes, server_bytes, server_bytes};
    return made;
}

static void
count_finding(void *context, const Finding *finding)
{
    *(int *)context += strcmp(finding->kind, "other wal") == 0;
}

/* The background writer logs what transactions run, every 15 seconds. */
static void
test_allowance(void)
{
    static const struct {
        double elapsed_ms;
        uint64_t foreign_bytes;
        int wanted;
        const char *label;
    } CASES[] = {
        {1000, 54, 0, "one of its records in a second"},
        {1000, 324, 1, "six of them cannot be"},
        {79600, 324, 0, "but in 80 seconds"},
        {178700, 648, 0, "twelve in three minutes"},
        {178700, 1100, 1, "not twenty"},
        {NAN, 256, 0, "a batch whose time nobody knows"},
        {NAN, 257, 1, "is taken for a short one"},
    };

    for (size_t i = 0; i < ARRAY_LEN(CASES); i++) {
        Measurement measurement = make(100000, 104000, 100034, 100034 + CASES[i].foreign_bytes, 1);
        ActivityPoint point = {.active_session_count = 0};
        Finding where = {0};
        int found = 0;

        measurement.figures.value[METRIC_ELAPSED_MS] = CASES[i].elapsed_ms;
        cleanliness_judge(&measurement, &point, &point, where, count_finding, &found);
        tap_u64((uint64_t)found, (uint64_t)CASES[i].wanted, CASES[i].label);
    }
}

int
main(void)
{
    const struct {
        Measurement measurement;
        uint64_t wanted;
        const char *label;
    } CASES[] = {
        {make(100000, 104000, 100034, 100034, 1), 0, "alone, by counters"},
        {make(100000, 204000, 100034, 200034, 1), 100000, "not alone, by counters"},
        {make(100000, 104000, WAL_UNKNOWN, 100034, 1), 0, "alone, without counters of its own"},
        {make(100000, 104000, WAL_UNKNOWN, 100000 + 64 * 34, 64), 0,
         "64 writers with a commit each"},
        {make(100000, 106000, WAL_UNKNOWN, WAL_UNKNOWN, 1), 0, "alone, by the position"},
        {make(NAN, 999999, WAL_UNKNOWN, WAL_UNKNOWN, 0), 0, "nobody counted: nothing is known"},
        {make(NAN, 999999, WAL_UNKNOWN, 999999, 0), 0, "the same with the server's counters"},
    };

    for (size_t i = 0; i < sizeof(CASES) / sizeof(CASES[0]); i++) {
        bool by_counters = false;

        tap_u64(foreign_wal_bytes(&CASES[i].measurement, &by_counters), CASES[i].wanted,
                CASES[i].label);
    }
    test_allowance();
    return tap_done();
}
