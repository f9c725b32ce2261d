#include "support/sample_result.h"

#include "base/text.h"

#include <inttypes.h>
#include <string.h>

/* What distinguishes the designs; further ones are made from these by a factor. */
typedef struct SampleDesign {
    const char *name, *title, *column;
    double wal_bytes[2], fpi_count[2], dirtied_pages[2]; /* first and second phase */
    double index_bytes[2], leaf_density_pct[2], leaf_fragmentation_pct;
    double fpi_first, fpi_last; /* of the batches */
} SampleDesign;

static const SampleDesign DESIGNS[] = {
    {"bigint",
     "bigint",
     "{\"name\":\"id\",\"source\":\"identity\",\"type\":\"bigint\"}",
     {136105165, 136210022},
     {3, 39},
     {7180, 8195},
     {22487040, 44941312},
     {90.01, 90.03},
     0,
     4,
     3},
    {"uuidv4",
     "UUIDv4",
     "{\"name\":\"id\",\"source\":\"server\",\"type\":\"uuid\",\"generator\":\"gen_random_uuid\"}",
     {164521574, 577241088},
     {3, 72642},
     {11300, 84001},
     {39444480, 79110144},
     {72.28, 71.76},
     49.87,
     4799,
     9278},
    {"uuidv7",
     "UUIDv7",
     "{\"name\":\"id\",\"source\":\"server\",\"type\":\"uuid\",\"generator\":\"uuidv7\"}",
     {150261000, 150365798},
     {3, 40},
     {9220, 10259},
     {31547392, 63062016},
     {89.98, 89.99},
     0,
     4,
     4},
};
enum { KNOWN_DESIGNS = sizeof(DESIGNS) / sizeof(DESIGNS[0]) };

static const char PHASES[] =
    "{\"name\":\"first\",\"title\":\"first 1,000,000 rows\",\"rows\":1000000,\"batches\":1,"
    "\"checkpoint\":\"phase\"},"
    "{\"name\":\"second\",\"title\":\"second 1,000,000 rows\",\"rows\":1000000,";

static const char REFERENCES[] =
    "{\"design\":\"bigint\",\"phase\":\"second\",\"metric\":\"wal_bytes\",\"value\":130,"
    "\"unit\":\"MB\",\"source\":\"Table 13-1\"},"
    "{\"design\":\"uuidv4\",\"phase\":\"second\",\"metric\":\"wal_bytes\",\"value\":551,"
    "\"unit\":\"MB\",\"source\":\"Table 13-1\"},"
    "{\"design\":\"uuidv7\",\"phase\":\"second\",\"metric\":\"wal_bytes\",\"value\":143,"
    "\"unit\":\"MB\",\"source\":\"Table 13-1\"},"
    "{\"design\":\"bigint\",\"phase\":\"second\",\"metric\":\"fpi_count\",\"value\":43,"
    "\"unit\":\"count\",\"source\":\"Table 13-1\"},"
    "{\"design\":\"uuidv4\",\"phase\":\"second\",\"metric\":\"fpi_count\",\"value\":72753,"
    "\"unit\":\"count\",\"source\":\"Table 13-1\"},"
    "{\"design\":\"uuidv7\",\"phase\":\"second\",\"metric\":\"fpi_count\",\"value\":40,"
    "\"unit\":\"count\",\"source\":\"Table 13-1\"},"
    "{\"design\":\"bigint\",\"phase\":\"first\",\"metric\":\"index_bytes\",\"value\":21,"
    "\"unit\":\"MB\",\"source\":\"Table 13-2\"},"
    "{\"design\":\"uuidv4\",\"phase\":\"first\",\"metric\":\"index_bytes\",\"value\":38,"
    "\"unit\":\"MB\",\"source\":\"Table 13-2\"},"
    "{\"design\":\"uuidv4\",\"phase\":\"first\",\"metric\":\"leaf_density_pct\",\"value\":72,"
    "\"unit\":\"pct\",\"source\":\"Table 13-2\"}";

/* These need ten batches. */
static const char BATCH_REFERENCES[] =
    ",{\"design\":\"uuidv4\",\"phase\":\"second\",\"metric\":\"fpi_count\",\"batch\":1,"
    "\"value\":4818,\"unit\":\"count\",\"source\":\"the text\"},"
    "{\"design\":\"uuidv4\",\"phase\":\"second\",\"metric\":\"fpi_count\",\"batch\":10,"
    "\"value\":9443,\"unit\":\"count\",\"source\":\"the text\"}";

static const char VIEWS[] =
    "\"tables\":["
    "{\"title\":\"Table 13-1: the second million\",\"phase\":\"second\","
    "\"metrics\":[\"wal_bytes\",\"fpi_count\",\"dirtied_pages\"]},"
    "{\"title\":\"Table 13-2: the first million\",\"phase\":\"first\","
    "\"metrics\":[\"index_bytes\",\"leaf_density_pct\",\"wal_bytes\",\"fpi_bytes\","
    "\"elapsed_ms\"]}],"
    "\"charts\":["
    "{\"name\":\"wal\",\"kind\":\"bars\",\"phase\":\"second\",\"metrics\":[\"wal_bytes\"]},"
    "{\"name\":\"images\",\"kind\":\"batches\",\"phase\":\"second\",\"metrics\":[\"fpi_count\"]},"
    "{\"name\":\"leaves\",\"kind\":\"bars\",\"phase\":\"second\","
    "\"metrics\":[\"leaf_density_pct\",\"leaf_fragmentation_pct\"]},"
    "{\"name\":\"size\",\"kind\":\"bars\",\"phase\":\"second\",\"metrics\":[\"index_bytes\"]},"
    "{\"name\":\"kinds\",\"kind\":\"wal_kinds\",\"phase\":\"second\"}],"
    "\"bounds\":["
    "{\"name\":\"v4-over-v7\",\"design\":\"uuidv4\",\"phase\":\"second\",\"metric\":\"wal_bytes\","
    "\"over_design\":\"uuidv7\",\"min\":3},"
    "{\"name\":\"bigint-images\",\"design\":\"bigint\",\"phase\":\"second\","
    "\"metric\":\"fpi_count\",\"min\":36,\"max\":48},"
    "{\"name\":\"v4-wal\",\"design\":\"uuidv4\",\"phase\":\"second\",\"metric\":\"wal_bytes\","
    "\"within_pct\":1},"
    "{\"name\":\"bigint-size\",\"design\":\"bigint\",\"phase\":\"first\","
    "\"metric\":\"index_bytes\",\"within_pct\":1},"
    "{\"name\":\"v7-flat\",\"design\":\"uuidv7\",\"phase\":\"second\",\"metric\":\"fpi_count\","
    "\"scope\":\"each_batch\",\"max\":8}]";

static const struct {
    const char *resource_manager, *record_type;
    double bytes_per_row, fpi_share; /* of the design's images */
} KINDS[] = {
    {"Btree", "INSERT_LEAF", 64, 0.97}, {"Heap", "INSERT", 65, 0.02},
    {"Btree", "SPLIT_R", 5, 0.01},      {"Btree", "INSERT_UPPER", 0.1, 0},
    {"Transaction", "COMMIT", 0.01, 0}, {"XLOG", "FPI_FOR_HINT", 0.001, 0},
};
enum { KIND_COUNT = sizeof(KINDS) / sizeof(KINDS[0]) };

static const SampleDesign *
known_design(size_t i)
{
    return &DESIGNS[i % KNOWN_DESIGNS];
}

/* Made-up designs are a little dearer than the known one that they repeat. */
static double
factor(size_t i)
{
    size_t round = i / KNOWN_DESIGNS;

    return 1 + 0.1 * (double)round;
}

static void
add_designs(Text *json, const SampleSpec *spec, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const SampleDesign *design = known_design(i);

        text_printf(json, "%s{\"name\":\"%s", i > 0 ? "," : "", design->name);
        if (i >= KNOWN_DESIGNS)
            text_printf(json, "-%zu", i);
        text_printf(json, "\",\"title\":\"%s", design->title);
        if (i >= KNOWN_DESIGNS)
            text_printf(json, " no. %zu", i);
        text_printf(json, "%s\",\"primary_key\":\"id\",\"columns\":[%s]}",
                    spec->title_suffix != NULL ? spec->title_suffix : "", design->column);
    }
}

static const char *
print_scenario(Arena *arena, const SampleSpec *spec, size_t design_count, size_t batch_count)
{
    Text json = {0};
    const char *text;

    text_printf(&json,
                "{\"format\":\"keybench-scenario/1\",\"name\":\"sample\",\"title\":\"%s\","
                "\"seed\":42,\"designs\":[",
                spec->result_title != NULL ? spec->result_title
                                           : "What a primary key costs: a sample");
    add_designs(&json, spec, design_count);
    text_printf(&json, "],\"phases\":[%s\"batches\":%zu}],", PHASES, batch_count);
    if (!spec->no_references && design_count >= KNOWN_DESIGNS)
        text_printf(&json, "\"references\":[%s%s],", REFERENCES,
                    batch_count == 10 ? BATCH_REFERENCES : "");
    if (design_count >= KNOWN_DESIGNS && !spec->no_references) {
        text_printf(&json, "%s}", VIEWS);
    } else { /* bounds name designs and references that are not there */
        text_add_bytes(&json, VIEWS, (size_t)(strstr(VIEWS, ",\"bounds\"") - VIEWS));
        text_add(&json, "}");
    }
    text = arena_text(arena, json.data);
    text_release(&json);
    return text;
}

static void
fill_batches(Arena *arena, const SampleDesign *design, double scale, int which, size_t count,
             PhaseResult *phase)
{
    phase->batches = arena_alloc(arena, count, sizeof(*phase->batches));
    phase->batch_count = count;
    for (size_t i = 0; i < count; i++) {
        double *value = phase->batches[i].figures.value;
        double position = count > 1 ? (double)i / (double)(count - 1) : 0;
        double images = design->fpi_first + (design->fpi_last - design->fpi_first) * position;

        figures_init(&phase->batches[i].figures);
        value[METRIC_ROWS] = 1000000 / (double)count;
        value[METRIC_WAL_BYTES] =
            (double)(uint64_t)(scale * design->wal_bytes[which] / (double)count);
        value[METRIC_WAL_RECORD_COUNT] = 2000500 / (double)count;
        value[METRIC_FPI_COUNT] = (double)(uint64_t)(scale * images);
        value[METRIC_LSN_BYTES] = value[METRIC_WAL_BYTES] + 9000;
        value[METRIC_HIT_PAGES] = 3000000 / (double)count;
        value[METRIC_READ_PAGES] = 0;
        value[METRIC_DIRTIED_PAGES] = design->dirtied_pages[which] / (double)count;
        value[METRIC_WRITTEN_PAGES] = 0;
        value[METRIC_ELAPSED_MS] = 1500 + 200 * position;
    }
}

static void
fill_indexes(Arena *arena, const SampleDesign *design, double scale, int which, PhaseResult *phase)
{
    double *value;

    phase->indexes = arena_alloc(arena, 1, sizeof(*phase->indexes));
    phase->index_count = 1;
    phase->indexes[0].name = arena_printf(arena, "%s_pkey", design->name);
    figures_init(&phase->indexes[0].figures);
    value = phase->indexes[0].figures.value;
    value[METRIC_INDEX_BYTES] = (double)(uint64_t)(scale * design->index_bytes[which]);
    value[METRIC_LEAF_PAGES] = (double)(uint64_t)(value[METRIC_INDEX_BYTES] / 8192) - 10;
    value[METRIC_LEAF_DENSITY_PCT] = design->leaf_density_pct[which];
    value[METRIC_LEAF_FRAGMENTATION_PCT] = design->leaf_fragmentation_pct;
    value[METRIC_TREE_LEVEL] = 2;
    value[METRIC_INTERNAL_PAGES] = 9;
    value[METRIC_EMPTY_PAGES] = value[METRIC_DELETED_PAGES] = 0;
}

static void
fill_kinds(Arena *arena, PhaseResult *phase)
{
    double fpi_bytes = phase->figures.value[METRIC_FPI_COUNT] * 6000;

    phase->wal_kinds = arena_alloc(arena, KIND_COUNT, sizeof(*phase->wal_kinds));
    phase->wal_kind_count = KIND_COUNT;
    for (size_t i = 0; i < KIND_COUNT; i++)
        phase->wal_kinds[i] = (WalKind){
            .resource_manager = KINDS[i].resource_manager,
            .record_type = KINDS[i].record_type,
            .record_count = 1000,
            .record_bytes = KINDS[i].bytes_per_row * 1000000,
            .fpi_bytes = KINDS[i].fpi_share * fpi_bytes,
        };
}

static void
fill_phase(Arena *arena, size_t at, double scale, int which, size_t batch_count, PhaseResult *phase)
{
    const SampleDesign *design = known_design(at);

    phase->name = which == 0 ? "first" : "second";
    phase->rows_per_checkpoint = 1000000 / batch_count;
    phase->complete = true;
    fill_batches(arena, design, scale, which, batch_count, phase);
    figures_init(&phase->figures);
    for (size_t i = 0; i < batch_count; i++)
        figures_add_batch(&phase->figures, &phase->batches[i].figures, i == 0);
    phase->figures.value[METRIC_FPI_COUNT] = (double)(uint64_t)(scale * design->fpi_count[which]);
    phase->figures.value[METRIC_HEAP_BYTES] = 44285952;
    fill_indexes(arena, design, scale, which, phase);
    fill_kinds(arena, phase);
}

static void
fill_design(Arena *arena, size_t at, uint64_t repeat, size_t batch_count, DesignResult *design)
{
    const SampleDesign *known = known_design(at);
    double scale = factor(at);

    if (strcmp(known->name, "uuidv4") == 0)
        scale *= 1 + 0.001 * (double)(repeat - 1);
    design->name =
        at < KNOWN_DESIGNS ? known->name : arena_printf(arena, "%s-%zu", known->name, at);
    design->key_type = at % KNOWN_DESIGNS == 0 ? "bigint" : "uuid";
    design->minted_by = "server";
    design->repeat = repeat;
    design->phases = arena_alloc(arena, 2, sizeof(*design->phases));
    design->phase_count = 2;
    fill_phase(arena, at, scale, 0, 1, &design->phases[0]);
    fill_phase(arena, at, scale, 1, batch_count, &design->phases[1]);
}

static void
fill_head(Result *result)
{
    static NamedValue server[] = {
        {"version", "18.1"},         {"version_number", "180001"}, {"throwaway", "true"},
        {"shared_buffers", "128MB"}, {"wal_compression", "off"},   {"full_page_writes", "on"},
        {"data_checksums", "on"},    {"max_wal_size", "32GB"},     {"fsync", "off"},
    };
    static NamedValue machine[] = {{"cpu", "made up"}};

    result->keybench_version = "0.1.0";
    result->started_utc = "2026-01-31T23:59:59Z";
    result->seed = 42;
    result->jobs = 1;
    result->scenario_name = "sample";
    result->scenario_sha256 = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
    result->server = server;
    result->server_count = sizeof(server) / sizeof(server[0]);
    result->machine = machine;
    result->machine_count = 1;
}

Result *
sample_result_new(const SampleSpec *spec)
{
    static const SampleSpec USUAL;
    Result *result = result_new();
    size_t designs, batches, at = 0;
    uint64_t repeats;

    if (spec == NULL)
        spec = &USUAL;
    designs = spec->design_count > 0 ? spec->design_count : KNOWN_DESIGNS;
    batches = spec->batch_count > 0 ? spec->batch_count : 10;
    repeats = spec->repeats > 0 ? spec->repeats : 1;
    fill_head(result);
    result->scenario_text = print_scenario(result->arena, spec, designs, batches);
    result->design_count = designs * repeats;
    result->designs = arena_alloc(result->arena, result->design_count, sizeof(DesignResult));
    for (uint64_t repeat = 1; repeat <= repeats; repeat++)
        for (size_t i = 0; i < designs; i++)
            fill_design(result->arena, i, repeat, batches, &result->designs[at++]);
    return result;
}

PhaseResult *
sample_phase(Result *result, const char *design, const char *phase, uint64_t repeat)
{
    for (size_t i = 0; i < result->design_count; i++) {
        DesignResult *it = &result->designs[i];

        for (size_t k = 0; k < it->phase_count; k++)
            if (it->repeat == repeat && strcmp(it->name, design) == 0 &&
                strcmp(it->phases[k].name, phase) == 0)
                return &it->phases[k];
    }
    return NULL;
}
