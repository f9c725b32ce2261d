/* Trials of a sweep: which are planned, in which order, and which --only and --shard leave. */
#include "scenario/plan.h"

#include "unit/test_scenario_help.h"

/* Six points; design a, which has no filler, is measured at three of them, and b at all. */
static const char DOCUMENT[] =
    "{`format`: `keybench-scenario/1`, `name`: `s`, `seed`: 7, `designs`: ["
    "{`name`: `a`, `primary_key`: `id`, `columns`: [{`name`: `id`, `source`: `identity`, `type`: "
    "`bigint`}]}, {`name`: `b`, `primary_key`: `id`, `columns`: [{`name`: `id`, `source`: "
    "`identity`, `type`: `bigint`}, {`name`: `f`, `source`: `filler`, `type`: `text`, `bytes`: [0, "
    "50]}]}], `phases`: [{`name`: `p`, `rows`: 100, `checkpoint`: [`none`, `phase`, 100]}]}";

static Sweep *
parse_document(const char *document)
{
    Text text = {0};
    Sweep *sweep = NULL;
    Diag diag = {0};

    text_add(&text, document);
    set_quotes(text.data);
    if (sweep_parse("f.json", text.data, text.length, &sweep, &diag) != STATUS_OK)
        BUG("%s", diag.message);
    text_release(&text);
    return sweep;
}

static Plan *
make_plan(const Sweep *sweep, PlanRequest request)
{
    Plan *plan = NULL;
    Diag diag = {0};

    if (plan_make(sweep, &request, &plan, &diag) != STATUS_OK)
        BUG("%s", diag.message);
    return plan;
}

/* "a none", "b none 50": design and values, with the repeat when there are several. */
static void
add_trial(Text *text, const Plan *plan, const PlannedTrial *trial)
{
    text_printf(text, "%s%s", text->length > 0 ? ", " : "", trial->design->name);
    for (size_t i = 0; i < trial->sweep_count; i++)
        text_printf(text, " %s", trial->sweep[i].value);
    if (plan->repeats > 1)
        text_printf(text, " #%" PRIu64, trial->repeat);
}

static void
check_trials(const Sweep *sweep, PlanRequest request, const char *wanted, const char *label)
{
    Plan *plan = make_plan(sweep, request);
    Text text = {0};

    for (size_t i = 0; i < plan->trial_count; i++)
        add_trial(&text, plan, &plan->trials[i]);
    tap_text(text_data(&text), wanted, label);
    text_release(&text);
    plan_free(plan);
}

/* ---- Trials ---- */

static void
test_trials(const Sweep *sweep)
{
    check_trials(sweep, (PlanRequest){0},
                 "a none, b none 0, b none 50, a phase, b phase 0, b phase 50, a 100, b 100 0, b "
                 "100 50",
                 "all trials, each with the values of the axes that concern it");
    check_trials(sweep, (PlanRequest){.repeats = 2, .only = "design=a"},
                 "a none #1, a phase #1, a 100 #1, a none #2, a phase #2, a 100 #2",
                 "repeats after one another");
}

static void
test_seeds(void)
{
    Text text = {0};
    Sweep *sweep;
    Plan *plan;
    uint64_t seed = 5;

    change_text(DOCUMENT, "`seed`: 7", "`seed`: [7, 8]", &text);
    sweep = parse_document(text.data);
    plan = make_plan(sweep, (PlanRequest){.only = "design=a,checkpoint=none"});
    tap_u64(plan->trial_count, 2, "a swept seed makes trials");
    tap_u64(plan->trials[0].seed, 7, "one with the first seed");
    tap_u64(plan->trials[1].seed, 8, "and one with the second");
    tap_u64(plan->seed, 7, "the first shuffles them");
    plan_free(plan);
    sweep_free(sweep);
    sweep = parse_document(DOCUMENT);
    plan = make_plan(sweep, (PlanRequest){.seed = &seed});
    tap_u64(plan->trials[8].seed, 5, "a seed that is asked for is that of all trials");
    plan_free(plan);
    sweep_free(sweep);
    text_release(&text);
}

/* ---- --only ---- */

static void
test_only(const Sweep *sweep)
{
    static const struct {
        const char *only, *trials, *label;
    } CASES[] = {
        {"design=a", "a none, a phase, a 100", "a design"},
        {"checkpoint=100", "a 100, b 100 0, b 100 50", "a value"},
        {"bytes=50", "a none, b none 50, a phase, b phase 50, a 100, b 100 50",
         "a value of an axis that does not concern a"},
        {"design=b,bytes=50,checkpoint=none", "b none 50", "conditions that all hold"},
        {"design=a;checkpoint=none", "a none, b none 0, b none 50, a phase, a 100",
         "alternatives, each trial once"},
        {"design=b,bytes=0;design=a,checkpoint=phase", "b none 0, a phase, b phase 0, b 100 0",
         "alternatives of several conditions"},
        {"design=a,design=a;", "a none, a phase, a 100", "one said twice, and an empty end"},
    };

    for (size_t i = 0; i < ARRAY_LEN(CASES); i++)
        check_trials(sweep, (PlanRequest){.only = CASES[i].only}, CASES[i].trials, CASES[i].label);
}

static void
test_only_refused(const Sweep *sweep)
{
    static const struct {
        const char *only, *message, *hint, *label;
    } CASES[] = {
        {"", "`--only` says nothing", "", "nothing"},
        {";,", "`--only` says nothing", "", "marks alone"},
        {"checkpoint", "`--only`: `checkpoint` is not NAME=VALUE", "", "no value"},
        {"checkpoint=", "`--only`: `checkpoint=` is not NAME=VALUE", "", "an empty value"},
        {"=none", "`--only`: `=none` is not NAME=VALUE", "", "no name"},
        {"design=c", "`--only`: the scenario has no design `c`", "It has: a, b.",
         "an unknown design"},
        {"checkpoint=200", "`--only`: `200` is no value of `checkpoint`",
         "Its values are: none, phase, 100.", "an unknown value"},
        {"design=a;rows=100", "`--only`: `rows` is not swept by this scenario",
         "It has: design, checkpoint, bytes.", "what is not swept"},
        {"design=a,design=b", "no trial is left to measure", "", "what no trial can be"},
    };

    for (size_t i = 0; i < ARRAY_LEN(CASES); i++) {
        PlanRequest request = {.only = CASES[i].only};
        Text message = {0};
        Plan *plan = NULL;
        Diag diag = {0};

        text_add(&message, CASES[i].message);
        set_quotes(message.data);
        tap_u64(plan_make(sweep, &request, &plan, &diag), STATUS_USAGE, CASES[i].label);
        tap_text(diag.message, message.data, "  its message");
        tap_text(diag.hint, CASES[i].hint, "  its hint");
        tap_ok(plan == NULL, "  no plan");
        text_release(&message);
    }
}

static void
test_only_long(const Sweep *sweep)
{
    PlanRequest request = {0};
    Text only = {0};
    Plan *plan = NULL;
    Diag diag = {0};

    for (int i = 0; i < 64; i++)
        text_add(&only, i > 0 ? ",design=a" : "design=a");
    check_trials(sweep, (PlanRequest){.only = only.data}, "a none, a phase, a 100",
                 "64 conditions");
    text_add(&only, ";design=b");
    request.only = only.data;
    tap_u64(plan_make(sweep, &request, &plan, &diag), STATUS_USAGE, "65 are too many");
    tap_text(diag.message, "\"--only\" has more than 64 conditions", "  its message");
    text_release(&only);
}

/* ---- --shard ---- */

/* Which of the whole plan's trials a shard has; counts each in `times`. */
static void
count_shard(const Sweep *sweep, PlanRequest request, const Plan *whole, unsigned *times)
{
    Plan *plan = make_plan(sweep, request);

    for (size_t i = 0; i < plan->trial_count; i++)
        for (size_t k = 0; k < whole->trial_count; k++)
            times[k] += plan->trials[i].point == whole->trials[k].point &&
                        plan->trials[i].design == whole->trials[k].design &&
                        plan->trials[i].repeat == whole->trials[k].repeat;
    plan_free(plan);
}

static void
test_shards(const Sweep *sweep, const char *only)
{
    Plan *whole = make_plan(sweep, (PlanRequest){.repeats = 2, .only = only});
    size_t trial_count = whole->trial_count;

    for (uint64_t count = 1; count <= trial_count; count++) {
        unsigned times[18] = {0};
        size_t once = 0;

        for (uint64_t shard = 1; shard <= count; shard++)
            count_shard(sweep, (PlanRequest){2, NULL, only, shard, count}, whole, times);
        for (size_t i = 0; i < trial_count; i++)
            once += times[i] == 1;
        if (!tap_u64(once, trial_count, "shards have every trial once"))
            printf("#   of %" PRIu64 "\n", count);
    }
    plan_free(whole);
}

static void
test_empty_shard(const Sweep *sweep)
{
    PlanRequest request = {.shard = 10, .shard_count = 10};
    Plan *plan = NULL;
    Diag diag = {0};

    tap_u64(plan_make(sweep, &request, &plan, &diag), STATUS_USAGE, "the tenth of nine trials");
    tap_text(diag.message, "no trial is left to measure", "  its message");
}

static void
test_part(const Sweep *sweep)
{
    static const struct {
        PlanRequest request;
        const char *part; /* NULL: all */
    } CASES[] = {
        {{0}, NULL},
        {{.repeats = 3}, NULL},
        {{.only = "design=b,bytes=50;design=a"}, "only design=b,bytes=50;design=a"},
        {{.shard = 2, .shard_count = 8}, "shard 2/8"},
        {{.only = "design=b", .shard = 1, .shard_count = 3}, "only design=b, shard 1/3"},
    };

    for (size_t i = 0; i < ARRAY_LEN(CASES); i++) {
        Plan *plan = make_plan(sweep, CASES[i].request);

        if (CASES[i].part != NULL)
            tap_text(plan->part, CASES[i].part, "which part a plan is");
        else
            tap_ok(plan->part == NULL, "the whole plan is no part");
        plan_free(plan);
    }
}

/* ---- The order ---- */

static bool
is_same_order(const Plan *a, const Plan *b)
{
    return a->trial_count == b->trial_count &&
           memcmp(a->order, b->order, a->trial_count * sizeof(*a->order)) == 0;
}

static bool
is_file_order(const Plan *plan)
{
    for (size_t i = 0; i < plan->trial_count; i++)
        if (plan->order[i] != i)
            return false;
    return true;
}

static void
test_shuffled(const Sweep *sweep)
{
    const uint64_t seeds[] = {7, 8};
    Plan *plain = make_plan(sweep, (PlanRequest){0});
    Plan *seven = make_plan(sweep, (PlanRequest){.seed = &seeds[0]});
    Plan *eight = make_plan(sweep, (PlanRequest){.seed = &seeds[1]});
    bool seen[9] = {false};
    size_t count = 0;

    for (size_t i = 0; i < plain->trial_count; i++)
        seen[plain->order[i]] = true;
    for (size_t i = 0; i < ARRAY_LEN(seen); i++)
        count += seen[i];
    tap_u64(count, 9, "each trial has its place");
    tap_ok(!is_file_order(plain), "another than in the file");
    tap_ok(is_same_order(plain, seven), "the scenario's seed gives one order");
    tap_ok(!is_same_order(plain, eight), "another seed gives another");
    plan_free(eight);
    plan_free(seven);
    plan_free(plain);
}

static void
test_not_shuffled(void)
{
    Sweep *sweep = parse_document(BASE);
    Plan *once = make_plan(sweep, (PlanRequest){0});
    Plan *often = make_plan(sweep, (PlanRequest){.repeats = 5});

    tap_u64(once->trial_count, 3, "designs of no sweep");
    tap_ok(is_file_order(once), "are measured as they stand in the file");
    tap_u64(often->trial_count, 15, "their repeats");
    tap_ok(!is_file_order(often), "are shuffled");
    plan_free(often);
    plan_free(once);
    sweep_free(sweep);
}

int
main(void)
{
    Sweep *sweep = parse_document(DOCUMENT);

    test_trials(sweep);
    test_seeds();
    test_only(sweep);
    test_only_refused(sweep);
    test_only_long(sweep);
    test_shards(sweep, NULL);
    test_shards(sweep, "design=b,bytes=50;checkpoint=none");
    test_empty_shard(sweep);
    test_part(sweep);
    test_shuffled(sweep);
    test_not_shuffled();
    sweep_free(sweep);
    return tap_done();
}
