/*
 * How fast ids are minted, as a ratio to libuuid on the same core in the same run: medians of
 * processor time over rounds that measure all of them in turn. Exits 1 when one is below its floor.
 */
#include "keys/format.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <uuid/uuid.h>

enum {
    ROUNDS = 15,
    LIBUUID_IDS = 5000,
    BLOCK_IDS = 1024, /* stays in the first-level cache */
    BLOCKS = 100,
};

/* What is measured: native ids, or ids with their text. */
typedef struct Subject {
    const char *format;
    bool text;
    double floor_ratio; /* at least this many times libuuid; 0: shown only */
} Subject;

static const Subject SUBJECTS[] = {
    {"uuidv4", false, 20},
    {"uuidv7", false, 20},
    {"ulid", false, 20},
    {"ksuid", false, 20},
    {"snowflake", false, 20},
    {"typeid", true, 5},
    {"nanoid", true, 5},
    {"bigint", false, 0},
    {"nanoid", false, 0},
    {"typeid", false, 0},
    {"uuidv7-counter", false, 0},
    {"uuidv7-ms", false, 0},
    {"ulid-monotonic", false, 0},
    {"uuidv1", false, 0},
    {"uuidv1-swapped", false, 0},
    {"uuidv6", false, 0},
    {"uuidv3", false, 0},
    {"uuidv5", false, 0},
    {"uuidv8", false, 0},
    {"comb", false, 0},
    {"uuidv4", true, 0},
    {"uuidv7", true, 0},
    {"ulid", true, 0},
    {"ksuid", true, 0},
    {"snowflake", true, 0},
    {"sqids", true, 0},
};

/* Nanoseconds an id, a round each. */
typedef struct Samples {
    double ns[ROUNDS];
} Samples;

static volatile uint8_t sink; /* keeps the compiler from dropping the work */

/* Processor time, so that what else runs on the machine does not count. */
static double
processor_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static double
time_libuuid(bool text)
{
    double start_ns = processor_ns();
    char unparsed[37];
    uuid_t id;

    for (int i = 0; i < LIBUUID_IDS; i++) {
        uuid_generate_random(id);
        if (text)
            uuid_unparse(id, unparsed);
        sink ^= text ? (uint8_t)unparsed[0] : id[0];
    }
    return (processor_ns() - start_ns) / LIBUUID_IDS;
}

static double
time_memset(uint8_t *ids, size_t bytes)
{
    double start_ns = processor_ns();

    for (int block = 0; block < BLOCKS; block++) {
        memset(ids, block, bytes);
        sink ^= ((volatile uint8_t *)ids)[bytes / 2];
    }
    return (processor_ns() - start_ns) / (BLOCKS * BLOCK_IDS);
}

static double
time_minter(KeyMinter *minter, bool text, uint8_t *ids)
{
    size_t width = key_width_bytes(minter);
    char out[KEY_TEXT_MAX];
    double start_ns = processor_ns();

    for (int block = 0; block < BLOCKS; block++) {
        key_mint(minter, ids, BLOCK_IDS);
        for (size_t i = 0; text && i < BLOCK_IDS; i++) {
            key_text(minter, ids + i * width, out);
            sink ^= (uint8_t)out[0];
        }
        sink ^= ids[block];
    }
    return (processor_ns() - start_ns) / (BLOCKS * BLOCK_IDS);
}

static KeyMinter *
open_minter(const Subject *subject)
{
    KeyParams params = KEY_PARAMS_DEFAULT;
    KeyMinter *minter = NULL;
    Diag diag = {0};

    params.seeded = true;
    params.seed = 1;
    params.prefix = strcmp(subject->format, "typeid") == 0 ? "prj" : NULL;
    if (key_minter_new(key_format_find(subject->format), &params, &minter, &diag) != STATUS_OK)
        BUG("%s: %s", subject->format, diag.message);
    return minter;
}

static int
compare_doubles(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;

    return (left > right) - (left < right);
}

static double
median(Samples *samples)
{
    qsort(samples->ns, ROUNDS, sizeof(samples->ns[0]), compare_doubles);
    return samples->ns[ROUNDS / 2];
}

/* All that is measured; [0] without text, [1] with. */
typedef struct Run {
    Samples libuuid[2];
    Samples minted[ARRAY_LEN(SUBJECTS)];
    Samples written[ARRAY_LEN(SUBJECTS)];
} Run;

static void
measure_round(Run *run, KeyMinter **minters, uint8_t *ids, int round)
{
    for (int text = 0; text < 2; text++)
        run->libuuid[text].ns[round] = time_libuuid(text == 1);
    for (size_t i = 0; i < ARRAY_LEN(SUBJECTS); i++) {
        size_t bytes = BLOCK_IDS * key_width_bytes(minters[i]);

        run->minted[i].ns[round] = time_minter(minters[i], SUBJECTS[i].text, ids);
        run->written[i].ns[round] = time_memset(ids, bytes);
    }
}

/* Print all rows; returns how many are below their floor. */
static int
report(Run *run)
{
    double libuuid_ns[2] = {median(&run->libuuid[0]), median(&run->libuuid[1])};
    int misses = 0;

    printf("libuuid: uuid_generate_random %.1f ns an id, with uuid_unparse %.1f ns\n",
           libuuid_ns[0], libuuid_ns[1]);
    for (size_t i = 0; i < ARRAY_LEN(SUBJECTS); i++) {
        const Subject *subject = &SUBJECTS[i];
        double ns = median(&run->minted[i]);
        double ratio = libuuid_ns[subject->text] / ns;
        bool missed = ratio < subject->floor_ratio;

        printf("%-15s %-5s %7.2f ns an id %8.1fx libuuid", subject->format,
               subject->text ? "text" : "mint", ns, ratio);
        printf(" %7.1fx the time of memset", ns / median(&run->written[i]));
        if (subject->floor_ratio > 0)
            printf("  at least %gx: %s", subject->floor_ratio, missed ? "FAIL" : "ok");
        putchar('\n');
        misses += missed;
    }
    return misses;
}

static void
stay_on_this_core(void)
{
    cpu_set_t cores;

    CPU_ZERO(&cores);
    CPU_SET((size_t)sched_getcpu(), &cores);
    if (sched_setaffinity(0, sizeof(cores), &cores) != 0)
        fputs("note: the process may move between cores\n", stderr);
}

int
main(void)
{
    static uint8_t ids[BLOCK_IDS * KEY_WIDTH_MAX];
    static Run run;
    KeyMinter *minters[ARRAY_LEN(SUBJECTS)];
    int misses;

    stay_on_this_core();
    for (size_t i = 0; i < ARRAY_LEN(SUBJECTS); i++)
        minters[i] = open_minter(&SUBJECTS[i]);
    for (int round = 0; round < ROUNDS; round++)
        measure_round(&run, minters, ids, round);
    misses = report(&run);
    for (size_t i = 0; i < ARRAY_LEN(SUBJECTS); i++)
        key_minter_free(minters[i]);
    return misses > 0;
}
