/* Parts of a sweep joined to one result: which fit together, and what is made of their trials. */
#include "report/merge.h"

#include "support/sample_sweep.h"
#include "support/tap.h"

/* Four trials, in the plan's order: a off, b off, a on, b on. */
static const char DOCUMENT[] =
    "{`format`: `keybench-scenario/1`, `name`: `s`, `seed`: 7, "
    "`settings`: {`wal_compression`: [`off`, `on`]}, `designs`: ["
    "{`name`: `a`, `primary_key`: `id`, `columns`: [{`name`: `id`, `source`: `identity`, `type`: "
    "`bigint`}]}, {`name`: `b`, `primary_key`: `id`, `columns`: [{`name`: `id`, `source`: "
    "`keybench`, `format`: `uuidv7`}]}], `phases`: [{`name`: `p`, `rows`: 100}, {`name`: `q`, "
    "`rows`: 100, `batches`: 2}], `bounds`: [{`name`: `rows`, `design`: `a`, `phase`: `q`, "
    "`metric`: `rows`, `min`: 1}]}";

/* As DOCUMENT, with keys that nobody can mint again. */
static const char RANDOM[] =
    "{`format`: `keybench-scenario/1`, `name`: `s`, `seed`: 7, `designs`: ["
    "{`name`: `b`, `primary_key`: `id`, `columns`: [{`name`: `id`, `source`: `server`, `type`: "
    "`uuid`, `generator`: `gen_random_uuid`}]}], `phases`: [{`name`: `p`, `rows`: 100}, {`name`: "
    "`q`, `rows`: 100}]}";

enum { A_OFF = 1, B_OFF = 2, A_ON = 4, B_ON = 8, ALL = 15 };

/* A result with these trials of the sweep; caller frees. */
static Result *
new_part(unsigned trials)
{
    Result *part = sample_sweep_of(DOCUMENT);
    size_t kept = 0;

    part->seed = 7;
    for (size_t i = 0; i < part->design_count; i++)
        if ((trials >> i & 1) != 0)
            part->designs[kept++] = part->designs[i];
    part->design_count = kept;
    return part;
}

/* Merge two parts; NULL when that is refused. The merged result borrows from them. */
static Result *
merge_two(const Result *one, const Result *other, Diag *diag)
{
    const MergePart parts[] = {{"one.json", one}, {"other.json", other}};
    Result *merged = NULL;
    Status status = merge_parts(parts, ARRAY_LEN(parts), &merged, diag);

    if ((status == STATUS_OK) != (merged != NULL))
        BUG("a status without its result");
    return merged;
}

static Result *
merge_good(const Result *one, const Result *other)
{
    Diag diag = {0};
    Result *merged = merge_two(one, other, &diag);

    if (merged == NULL)
        BUG("%s", diag.message);
    return merged;
}

static PhaseResult *
second_phase(Result *part)
{
    return &part->designs[0].phases[1];
}

/* ---- Parts that make a whole ---- */

static void
test_whole(void)
{
    static const char *const TRIALS[] = {"a wal_compression=off", "b wal_compression=off",
                                         "a wal_compression=on", "b wal_compression=on"};
    Result *one = new_part(B_OFF | A_ON), *other = new_part(A_OFF | B_ON), *merged;

    one->part = "shard 2/2";
    one->status = RESULT_INTERRUPTED;
    one->error = "a signal";
    other->jobs = 3;
    other->started_utc = "2026-01-30T00:00:00Z";
    merged = merge_good(one, other);
    tap_u64(merged->status, RESULT_COMPLETE, "parts with all trials are complete");
    tap_ok(merged->part == NULL && merged->error == NULL, "nothing is said to be missing");
    tap_u64(merged->design_count, ARRAY_LEN(TRIALS), "each trial is there once");
    for (size_t i = 0; i < merged->design_count; i++) {
        char got[64];

        snprintf(got, sizeof(got), "%s %s", merged->designs[i].name,
                 merged->designs[i].sweep_label);
        tap_text(got, TRIALS[i], "in the plan's order");
    }
    tap_u64(merged->jobs, 3, "the most jobs of a part");
    tap_text(merged->started_utc, "2026-01-30T00:00:00Z", "the earliest start");
    tap_u64(merged->seed, 7, "the seed of all");
    tap_u64(merged->check_count, 2, "the bound is checked at both points");
    tap_text(merged->checks[1].verdict, "pass", "and holds");
    tap_u64(merged->finding_count, 0, "nothing is found");
    result_free(merged);
    result_free(other);
    result_free(one);
}

/* ---- Trials that are missing ---- */

static void
test_missing(void)
{
    static const struct {
        unsigned one, other;
        const char *error, *part;
        size_t trial_count;
    } CASES[] = {
        {A_OFF, B_OFF, "2 of 4 trials are missing or not complete", "2 of 4 trials", 2},
        {A_OFF, A_OFF, "3 of 4 trials are missing or not complete", "1 of 4 trials", 1},
        {ALL - B_ON, B_OFF, "1 of 4 trials are missing or not complete", "3 of 4 trials", 3},
    };

    for (size_t i = 0; i < ARRAY_LEN(CASES); i++) {
        Result *one = new_part(CASES[i].one), *other = new_part(CASES[i].other);
        Result *merged = merge_good(one, other);

        tap_u64(merged->status, RESULT_INTERRUPTED, "trials are missing");
        tap_text(merged->error, CASES[i].error, "how many");
        tap_text(merged->part, CASES[i].part, "which part it is");
        tap_u64(merged->design_count, CASES[i].trial_count, "the others are there");
        result_free(merged);
        result_free(other);
        result_free(one);
    }
}

static void
test_missing_repeat(void)
{
    Result *one = new_part(ALL), *other = new_part(B_ON), *merged;

    other->designs[0].repeat = 2;
    merged = merge_good(one, other);
    tap_text(merged->error, "3 of 8 trials are missing or not complete",
             "a second repeat of one trial misses that of the others");
    tap_u64(merged->designs[4].repeat, 2, "the repeat stands behind the first ones");
    result_free(merged);
    result_free(other);
    result_free(one);
}

/* A trial cut short in one part: the other's is taken when it is complete or came further. */
static void
test_cut_short(void)
{
    Result *cut = new_part(ALL), *begun = new_part(A_OFF), *whole = new_part(A_OFF), *merged;

    second_phase(cut)->complete = false;
    begun->designs[0].phase_count = 1;
    for (int first = 0; first < 2; first++) {
        merged = first ? merge_good(begun, cut) : merge_good(cut, begun);
        tap_text(merged->error, "1 of 4 trials are missing or not complete", "a trial cut short");
        tap_ok(merged->part == NULL, "is there all the same");
        tap_u64(merged->designs[0].phase_count, 2, "as far as any part came");
        result_free(merged);
        merged = first ? merge_good(whole, cut) : merge_good(cut, whole);
        tap_u64(merged->status, RESULT_COMPLETE, "one that is complete elsewhere");
        tap_ok(merged->designs[0].phases[1].complete, "is taken from there");
        result_free(merged);
    }
    result_free(whole);
    result_free(begun);
    result_free(cut);
}

/* ---- Parts that do not belong together ---- */

/* The sample's server is one for all results: give this one its own. */
static void
set_server(Result *part, const char *name, const char *value)
{
    NamedValue *server = arena_alloc(part->arena, part->server_count + 1, sizeof(*server));
    size_t at = 0;

    memcpy(server, part->server, part->server_count * sizeof(*server));
    while (at < part->server_count && strcmp(server[at].name, name) != 0)
        at++;
    part->server_count += at == part->server_count;
    server[at] = (NamedValue){name, value};
    part->server = server;
}

static void
test_refused(void)
{
    static const struct {
        uint64_t seed;
        const char *sha256, *program, *setting, *value; /* NULL: as in the first */
        const char *message;
    } CASES[] = {
        {8, NULL, NULL, NULL, NULL, "\"other.json\" has seed 8, but \"one.json\" has 7"},
        {7, "fedc", NULL, NULL, NULL,
         "\"other.json\" has the scenario with SHA-256 fedc, but \"one.json\" has "
         "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"},
        {7, NULL, "0.2.0", NULL, NULL,
         "\"other.json\" has keybench 0.2.0, but \"one.json\" has 0.1.0"},
        {7, NULL, NULL, "version", "17.7",
         "\"other.json\" has version 17.7, but \"one.json\" has 18.1"},
        {7, NULL, NULL, "throwaway", "false",
         "\"other.json\" has throwaway false, but \"one.json\" has true"},
    };

    for (size_t i = 0; i < ARRAY_LEN(CASES); i++) {
        Result *one = new_part(A_OFF), *other = new_part(ALL - A_OFF), *merged;
        Diag diag = {0};

        other->seed = CASES[i].seed;
        if (CASES[i].sha256 != NULL)
            other->scenario_sha256 = CASES[i].sha256;
        if (CASES[i].program != NULL)
            other->keybench_version = CASES[i].program;
        if (CASES[i].setting != NULL)
            set_server(other, CASES[i].setting, CASES[i].value);
        merged = merge_two(one, other, &diag);
        tap_ok(merged == NULL, "parts that do not belong together");
        tap_u64(diag.status, STATUS_USAGE, "are a fault of usage");
        tap_text(diag.message, CASES[i].message, "that says which and why");
        result_free(merged);
        result_free(other);
        result_free(one);
    }
}

static void
test_setting_that_may_differ(void)
{
    Result *one = new_part(A_OFF | B_OFF), *other = new_part(A_ON | B_ON), *merged;

    set_server(one, "found_by", "cache");
    set_server(other, "found_by", "path");
    set_server(other, "wal_compression", "pglz");
    merged = merge_good(one, other);
    tap_u64(merged->status, RESULT_COMPLETE,
            "a swept setting may differ, and where the programs were found");
    result_free(merged);
    result_free(other);
    result_free(one);
}

/* ---- One trial in two parts ---- */

/* A figure of the first trial; of a batch when `batch` is not 0, of the index when it is one's. */
typedef struct Change {
    const char *phase;
    MetricId metric;
    size_t batch;
    double value;
} Change;

static void
change_figure(Result *part, const Change *change)
{
    PhaseResult *phase = &part->designs[0].phases[strcmp(change->phase, "q") == 0];
    Figures *figures = &phase->figures;

    if (METRICS[change->metric].scope == METRIC_SCOPE_INDEX)
        figures = &phase->indexes[0].figures;
    else if (change->batch > 0)
        figures = &phase->batches[change->batch - 1].figures;
    figures->value[change->metric] = change->value;
}

#define TWICE "design \"a\" at wal_compression=off, phase \"q\""

static void
test_twice(void)
{
    static const struct {
        Change change;
        const char *message; /* "": merged */
        const char *label;
    } CASES[] = {
        {{"q", METRIC_ROWS, 0, 100}, "", "a trial that is the same twice"},
        {{"q", METRIC_ELAPSED_MS, 0, 5}, "", "a time may differ"},
        {{"p", METRIC_WAL_BYTES, 0, 5}, "", "the first phase's WAL may"},
        {{"q", METRIC_WAL_BYTES, 0, 5},
         TWICE " was measured twice: wal_bytes 46000 and 5",
         "later WAL may not"},
        {{"q", METRIC_FPI_COUNT, 2, 5},
         TWICE ", batch 2 was measured twice: fpi_count 3 and 5",
         "nor that of a batch"},
        {{"q", METRIC_LEAF_DENSITY_PCT, 0, 5},
         TWICE " was measured twice: leaf_density_pct 90 and 5",
         "nor an index"},
        {{"q", METRIC_LEAF_DENSITY_PCT, 0, NAN},
         TWICE " was measured twice: leaf_density_pct 90 and nan",
         "nor what one of them does not know"},
    };

    for (size_t i = 0; i < ARRAY_LEN(CASES); i++) {
        Result *one = new_part(ALL), *other = new_part(A_OFF), *merged;
        Diag diag = {0};

        change_figure(other, &CASES[i].change);
        merged = merge_two(one, other, &diag);
        tap_text(diag.message, CASES[i].message, CASES[i].label);
        tap_ok((merged != NULL) == (CASES[i].message[0] == '\0'), "  merged only then");
        if (merged == NULL)
            tap_contains(diag.hint, "Leave one of the files out", "  what to do");
        else
            tap_u64(merged->design_count, 4, "  it is there once");
        result_free(merged);
        result_free(other);
        result_free(one);
    }
}

/* Keys that the server makes at random: only what no key changes must be the same. */
static void
test_random_twice(void)
{
    Result *one = sample_sweep_of(RANDOM), *other = sample_sweep_of(RANDOM), *merged;
    Diag diag = {0};

    change_figure(other, &(Change){"q", METRIC_WAL_BYTES, 0, 5});
    change_figure(other, &(Change){"q", METRIC_LEAF_DENSITY_PCT, 0, 5});
    merged = merge_good(one, other);
    tap_near(merged->designs[0].phases[1].figures.value[METRIC_WAL_BYTES],
             second_phase(one)->figures.value[METRIC_WAL_BYTES], 0,
             "random keys cost what they cost: the first is taken");
    result_free(merged);
    second_phase(other)->figures.value[METRIC_ROWS] = 99;
    merged = merge_two(one, other, &diag);
    tap_text(diag.message, "design \"b\", phase \"q\" was measured twice: rows 100 and 99",
             "but as many rows");
    result_free(merged);
    result_free(other);
    result_free(one);
}

/* ---- Trials with an error ---- */

/* A run that had nothing to complain of skips what a server cannot do. */
static void
test_skipped(void)
{
    Result *one = new_part(A_OFF | B_OFF), *other = new_part(A_ON | B_ON), *merged;

    one->designs[1].error = "this server has no such thing";
    one->designs[1].phase_count = 0;
    merged = merge_good(one, other);
    tap_u64(merged->status, RESULT_COMPLETE, "a trial that a complete run skipped is done");
    tap_text(merged->designs[1].error, "this server has no such thing", "and says why");
    result_free(merged);
    one->status = RESULT_FAILED;
    merged = merge_good(one, other);
    tap_u64(merged->status, RESULT_FAILED, "one that a run failed at is not");
    tap_text(merged->error, "1 of 4 trials are missing or not complete", "it is missing");
    tap_text(merged->designs[1].error, "this server has no such thing", "but says why");
    result_free(merged);
    result_free(other);
    result_free(one);
}

static void
test_measured_elsewhere(void)
{
    Result *skipped = new_part(ALL), *measured = new_part(A_OFF), *merged;

    skipped->designs[0].error = "this server has no such thing";
    skipped->designs[0].phase_count = 0;
    for (int first = 0; first < 2; first++) {
        merged = first ? merge_good(measured, skipped) : merge_good(skipped, measured);
        tap_ok(merged->designs[0].error == NULL, "a measured trial is taken before a skipped one");
        tap_u64(merged->designs[0].phase_count, 2, "with its phases");
        result_free(merged);
    }
    result_free(measured);
    result_free(skipped);
}

/* ---- Findings ---- */

static void
add_finding(Result *part, const char *design, const char *sweep, const char *detail)
{
    result_add_finding(part, &(Finding){.kind = "checkpoint",
                                        .design = design,
                                        .repeat = design != NULL,
                                        .sweep = sweep,
                                        .phase = design != NULL ? "q" : NULL,
                                        .batch = design != NULL ? 2 : 0,
                                        .detail = detail});
}

static void
test_findings(void)
{
    Result *one = new_part(ALL), *other = new_part(A_OFF | B_ON), *merged;

    add_finding(one, "b", "wal_compression=on", "of the trial that is taken");
    add_finding(other, "b", "wal_compression=on", "of its copy");
    add_finding(other, NULL, NULL, "of a whole part");
    merged = merge_good(one, other);
    tap_u64(merged->finding_count, 2, "what was found of trials that are taken, and of parts");
    tap_text(merged->findings[0].detail, "of the trial that is taken", "a trial's finding");
    tap_text(merged->findings[0].kind, "checkpoint", "with its kind");
    tap_text(merged->findings[0].design, "b", "its design");
    tap_text(merged->findings[0].sweep, "wal_compression=on", "its point");
    tap_u64(merged->findings[0].repeat, 1, "its repeat");
    tap_text(merged->findings[0].phase, "q", "its phase");
    tap_u64(merged->findings[0].batch, 2, "and its batch");
    tap_text(merged->findings[1].detail, "of a whole part", "a part's finding");
    result_free(merged);
    result_free(other);
    result_free(one);
}

static void
test_machines(void)
{
    static NamedValue here[] = {{"cpu", "A"}, {"core_count", "2"}, {"memory_bytes", "100"}};
    static NamedValue there[] = {{"cpu", "B"}, {"core_count", "4"}, {"memory_bytes", "200"}};
    Result *one = new_part(A_OFF | B_OFF), *other = new_part(A_ON | B_ON), *merged, *again;

    one->machine = other->machine = here;
    one->machine_count = other->machine_count = ARRAY_LEN(here);
    merged = merge_good(one, other);
    tap_u64(merged->finding_count, 0, "parts of one machine");
    result_free(merged);
    other->machine = there;
    merged = merge_good(one, other);
    tap_u64(merged->finding_count, 1, "parts of two machines are one finding");
    tap_text(merged->findings[0].kind, FINDING_MACHINES, "of its kind");
    tap_text(merged->findings[0].detail,
             "measured on \"A, 2 cores, 100 bytes of memory\" and \"B, 4 cores, 200 bytes of "
             "memory\": counts hold, times are of two machines",
             "that names both");
    again = merge_good(merged, merged);
    tap_u64(again->finding_count, 1, "a file twice does not say it twice");
    result_free(again);
    again = merge_good(merged, other);
    tap_u64(again->finding_count, 1, "nor does a part with what it is in already");
    result_free(again);
    result_free(merged);
    result_free(other);
    result_free(one);
}

int
main(void)
{
    test_whole();
    test_missing();
    test_missing_repeat();
    test_cut_short();
    test_refused();
    test_setting_that_may_differ();
    test_twice();
    test_random_twice();
    test_skipped();
    test_measured_elsewhere();
    test_findings();
    test_machines();
    return tap_done();
}
