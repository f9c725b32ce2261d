/* Order within a generator, whatever its clock does, and no id twice. */
#include "keys/encode.h"
#include "keys/format_impl.h"
#include "unit/test_keys_help.h"

enum {
    ORDER_COUNT = 100000,
    CHUNK = 1024,
    SLOT_BITS_MAX = 24, /* of the table of ids seen: 2^24 slots for 10^7 ids */
    MANY = 10000000,
    SEVERAL = 300000,
};

/* Valgrind is too slow for all of it. */
static bool
is_slow_machine(void)
{
    const char *preloaded = getenv("LD_PRELOAD");

    return preloaded != NULL && strstr(preloaded, "vgpreload") != NULL;
}

/* Pairs of neighbours that do not ascend. */
static uint64_t
count_falls(const char *format, const KeyParams *params, size_t count)
{
    KeyMinter *minter = help_minter(format, params);
    size_t width = key_width_bytes(minter);
    uint8_t *ids = calloc(CHUNK + 1, width); /* the last one of the chunk before in front */
    uint64_t falls = 0;

    for (size_t done = 0; done < count; done += CHUNK) {
        size_t step = count - done < CHUNK ? count - done : CHUNK;

        key_mint(minter, ids + width, step);
        for (size_t i = done == 0; i < step; i++)
            falls += memcmp(ids + (i + 1) * width, ids + i * width, width) <= 0;
        memcpy(ids, ids + step * width, width);
    }
    free(ids);
    key_minter_free(minter);
    return falls;
}

static void
test_strict(void)
{
    static const struct {
        uint64_t step_ns;
        const char *label;
    } clocks[] = {
        {0, "clock stands still"},
        {1, "a nanosecond an id"},
        {100, "a tick of UUIDv1 an id"},
        {200, "less than UUIDv7's least step an id"},
        {500, "2,000 ids a millisecond"},
        {HELP_NS_PER_MS, "a millisecond an id"},
        {1000 * HELP_NS_PER_MS, "a second an id"},
        {-UINT64_C(1000), "clock steps back a microsecond an id"},
        {-HELP_NS_PER_MS, "clock steps back a millisecond an id"},
    };

    for (size_t i = 0; i < KEY_FORMAT_COUNT; i++) {
        for (size_t clock = 0; clock < ARRAY_LEN(clocks); clock++) {
            KeyParams params = help_params(clocks[clock].step_ns);

            if (KEY_FORMATS[i]->order != KEY_ORDER_STRICT)
                continue;
            if (tap_u64(count_falls(KEY_FORMATS[i]->name, &params, ORDER_COUNT), 0,
                        clocks[clock].label))
                continue;
            printf("# %s\n", KEY_FORMATS[i]->name);
        }
    }
}

/* Whatever is ordered by time ascends when its clock moves on by its unit. */
static void
test_time_order(void)
{
    for (size_t i = 0; i < KEY_FORMAT_COUNT; i++) {
        KeyParams params = help_params(1000 * HELP_NS_PER_MS);
        uint64_t falls = count_falls(KEY_FORMATS[i]->name, &params, ORDER_COUNT);

        if (KEY_FORMATS[i]->order == KEY_ORDER_TIME)
            tap_u64(falls, 0, KEY_FORMATS[i]->name);
        if (KEY_FORMATS[i]->order == KEY_ORDER_NONE)
            tap_near((double)falls, ORDER_COUNT / 2.0, 1000, KEY_FORMATS[i]->name);
    }
}

/* As text under the C collation too, where the format says so. */
static void
test_text_order(void)
{
    for (size_t i = 0; i < KEY_FORMAT_COUNT; i++) {
        KeyParams params = help_params(1000 * HELP_NS_PER_MS);
        KeyMinter *minter = help_minter(KEY_FORMATS[i]->name, &params);
        char text[KEY_TEXT_MAX], last[KEY_TEXT_MAX] = "";
        uint64_t falls = 0;

        for (size_t row = 0; row < 2000; row++) {
            uint8_t id[KEY_WIDTH_MAX];

            key_mint(minter, id, 1);
            key_text(minter, id, text);
            falls += strcmp(text, last) <= 0;
            memcpy(last, text, sizeof(last));
        }
        if (KEY_FORMATS[i]->text_order == KEY_ORDER_STRICT ||
            KEY_FORMATS[i]->text_order == KEY_ORDER_TIME)
            tap_u64(falls, 0, KEY_FORMATS[i]->name);
        else
            tap_ok(falls > 0, KEY_FORMATS[i]->name);
        key_minter_free(minter);
    }
}

/* 2^32 ticks of 100 ns are 429 s: then the first field of UUIDv1 starts over. */
static void
test_uuidv1_wraps(void)
{
    KeyParams params = help_params(60 * 1000 * HELP_NS_PER_MS);
    uint64_t falls = count_falls("uuidv1", &params, 1000);

    tap_near((double)falls, 1000 * 60 / 429.5, 2, "UUIDv1 falls back every 429 seconds");
}

/* PostgreSQL 18: the saved time goes 245 ns on when the clock does not. */
static void
test_uuidv7_steps(void)
{
    KeyParams params = help_params(0);
    uint8_t *ids = help_ids("uuidv7", &params, 5000, NULL);
    bool stepped = true;

    for (uint64_t i = 0; i < 5000; i++) {
        uint64_t rest_ns = i * 245 % HELP_NS_PER_MS;
        uint64_t time_ms = HELP_RFC_TIME_NS / HELP_NS_PER_MS + i * 245 / HELP_NS_PER_MS;
        uint64_t wanted = time_ms << 16 | 0x7000 | rest_ns * 4096 / HELP_NS_PER_MS;

        stepped = stepped && load_u64(ids + 16 * i) == wanted;
    }
    tap_ok(stepped, "steps of 245 ns, in 4096 parts of a millisecond");
    free(ids);
}

/* The counter of method 1 runs over into the next millisecond, never back. */
static void
test_counter_runs_over(void)
{
    KeyParams params = help_params(0);
    uint8_t *ids = help_ids("uuidv7-counter", &params, ORDER_COUNT, NULL);
    uint64_t first_ms = HELP_RFC_TIME_NS / HELP_NS_PER_MS;
    uint64_t last_ms = load_u64(ids + 16 * (ORDER_COUNT - 1)) >> 16;

    tap_ok((load_u64(ids) & 0xfff) < 0x800, "a seed leaves the top bit for counting");
    tap_ok(last_ms - first_ms >= ORDER_COUNT / 4096 && last_ms - first_ms <= ORDER_COUNT / 2048 + 1,
           "each millisecond takes 2048 to 4096 ids");
    free(ids);
}

static void
test_ulid_monotonic(void)
{
    KeyParams params = help_params(0);
    KeyMinter *minter = help_minter("ulid-monotonic", &params);
    uint64_t time_ms = HELP_RFC_TIME_NS / HELP_NS_PER_MS;
    uint8_t ids[3 * 16];

    key_mint(minter, ids, 2);
    tap_u64(load_u64(ids + 24), load_u64(ids + 8) + 1, "the last random part + 1");
    minter->nodes[0].counter = 0x1234;
    minter->nodes[0].tail = UINT64_MAX;
    key_mint(minter, ids, 1);
    tap_u64(load_u64(ids), time_ms << 16 | 0x1235, "with carry over 64 bits");
    tap_u64(load_u64(ids + 8), 0, "and zeros after it");
    minter->nodes[0].counter = 0xffff;
    minter->nodes[0].tail = UINT64_MAX - 1;
    key_mint(minter, ids, 3);
    tap_u64(load_u64(ids), time_ms << 16 | 0xffff, "the last of this millisecond");
    tap_u64(load_u64(ids + 8), UINT64_MAX, "is all ones");
    tap_u64(load_u64(ids + 16) >> 16, time_ms + 1, "80 bits run over into the next one");
    tap_ok(memcmp(ids + 32, ids + 16, 16) > 0, "and go on ascending there");
    key_minter_free(minter);
}

/* 64 bits of an id's bytes: a good hash, so equal ones mean equal ids. */
static uint64_t
hash_id(const uint8_t *id, size_t width)
{
    uint64_t hash = 0x9e3779b97f4a7c15;

    for (size_t at = 0; at < width; at += 8) {
        uint64_t word = 0;

        memcpy(&word, id + at, width - at < 8 ? width - at : 8);
        hash = (hash ^ word) * 0xff51afd7ed558ccd;
        hash ^= hash >> 32;
        hash *= 0xc4ceb9fe1a85ec53;
        hash ^= hash >> 29;
    }
    return hash != 0 ? hash : 1;
}

/* Ids seen, by their hashes. */
typedef struct Seen {
    uint64_t *slots;
    unsigned bits;
} Seen;

/* Put the hash in the table; false when it is there. */
static bool
see(Seen *seen, uint64_t hash)
{
    size_t mask = ((size_t)1 << seen->bits) - 1;
    size_t slot = hash >> (64 - seen->bits);

    for (; seen->slots[slot] != 0; slot = (slot + 1) & mask)
        if (seen->slots[slot] == hash)
            return false;
    seen->slots[slot] = hash;
    return true;
}

static uint64_t
see_chunk(Seen *seen, const uint8_t *ids, size_t width)
{
    uint64_t hashes[CHUNK], doubles = 0;

    for (size_t i = 0; i < CHUNK; i++) {
        hashes[i] = hash_id(ids + i * width, width);
        __builtin_prefetch(&seen->slots[hashes[i] >> (64 - seen->bits)]);
    }
    for (size_t i = 0; i < CHUNK; i++)
        doubles += !see(seen, hashes[i]);
    return doubles;
}

static uint64_t
count_doubles(const char *format, const KeyParams *params, size_t count)
{
    KeyMinter *minter = help_minter(format, params);
    size_t width = key_width_bytes(minter);
    uint8_t *ids = calloc(CHUNK, width);
    Seen seen = {.bits = count > SEVERAL ? SLOT_BITS_MAX : 20};
    uint64_t doubles = 0;

    seen.slots = calloc((size_t)1 << seen.bits, sizeof(*seen.slots));
    for (size_t done = 0; done < count; done += CHUNK) {
        key_mint(minter, ids, CHUNK);
        doubles += see_chunk(&seen, ids, width);
    }
    free(seen.slots);
    free(ids);
    key_minter_free(minter);
    return doubles;
}

/* Ten million ids of one second: what is not strictly ascending does not repeat either. */
static void
test_unique(void)
{
    size_t count = is_slow_machine() ? SEVERAL : MANY;

    for (size_t i = 0; i < KEY_FORMAT_COUNT; i++) {
        KeyParams params = help_params(1000 * HELP_NS_PER_MS / MANY);

        if (KEY_FORMATS[i]->order != KEY_ORDER_STRICT)
            tap_u64(count_doubles(KEY_FORMATS[i]->name, &params, count), 0, KEY_FORMATS[i]->name);
    }
}

/* Every format, with several generators whose clocks stand still together. */
static void
test_unique_nodes(void)
{
    for (size_t i = 0; i < KEY_FORMAT_COUNT; i++) {
        KeyParams params = help_params(0);

        params.node_count = 4;
        tap_u64(count_doubles(KEY_FORMATS[i]->name, &params, SEVERAL), 0, KEY_FORMATS[i]->name);
    }
}

/* Strict formats cannot repeat while they ascend. */
static void
test_many_strict(void)
{
    size_t count = is_slow_machine() ? SEVERAL : MANY;

    for (size_t i = 0; i < KEY_FORMAT_COUNT; i++) {
        KeyParams params = help_params(100);

        if (KEY_FORMATS[i]->order == KEY_ORDER_STRICT)
            tap_u64(count_falls(KEY_FORMATS[i]->name, &params, count), 0, KEY_FORMATS[i]->name);
    }
}

int
main(void)
{
    test_strict();
    test_time_order();
    test_text_order();
    test_uuidv1_wraps();
    test_uuidv7_steps();
    test_counter_runs_over();
    test_ulid_monotonic();
    test_unique();
    test_unique_nodes();
    test_many_strict();
    return tap_done();
}
