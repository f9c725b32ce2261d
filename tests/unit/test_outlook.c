/* run/outlook, run/volume, run/room: what is said of a plan before it runs, and of what it wrote
 * after. */
#include "base/text.h"
#include "run/outlook.h"
#include "run/room.h"
#include "scenario/sweep.h"
#include "support/tap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Two designs, an ordered key and a random one; `phases` and `metric` are the case's. */
static Plan *
plan_of(const char *phases, const char *metric, Sweep **sweep)
{
    const PlanRequest request = {0};
    Text text = {0};
    Plan *plan = NULL;
    Diag diag = {0};

    text_printf(&text,
                "{\"format\": \"keybench-scenario/1\", \"name\": \"s\", \"seed\": 1, \"designs\": ["
                "{\"name\": \"ordered\", \"primary_key\": \"id\", \"columns\": [{\"name\": \"id\","
                " \"source\": \"keybench\", \"format\": \"uuidv7\"}]},"
                "{\"name\": \"random\", \"primary_key\": \"id\", \"columns\": [{\"name\": \"id\","
                " \"source\": \"keybench\", \"format\": \"uuidv4\"}]}],"
                " \"tables\": [{\"phase\": \"p\", \"metrics\": [\"%s\"]}], \"phases\": [%s]}",
                metric, phases);
    if (sweep_parse("s", text.data, text.length, sweep, &diag) != STATUS_OK ||
        plan_make(*sweep, &request, &plan, &diag) != STATUS_OK)
        BUG("%s", diag.message);
    text_release(&text);
    return plan;
}

/* What was reported, as "kind design; ". */
static void
note_finding(void *context, const Finding *finding)
{
    text_printf(context, "%s %s; ", finding->kind, finding->design);
}

static void
test_scale(void)
{
    static const struct {
        const char *phases, *metric, *findings, *label;
    } CASES[] = {
        {"{\"name\": \"p\", \"rows\": 100000}", "wal_bytes", "scale random; ",
         "one load: images do not show"},
        {"{\"name\": \"p\", \"rows\": 100000}", "index_bytes", "", "nobody asks for the log"},
        {"{\"name\": \"p\", \"rows\": 20000}, {\"name\": \"q\", \"rows\": 20000}", "wal_bytes", "",
         "as many rows as were there"},
        {"{\"name\": \"p\", \"rows\": 20000}, {\"name\": \"q\", \"rows\": 20001}", "wal_bytes",
         "scale random; ", "one row more"},
        {"{\"name\": \"p\", \"rows\": 20000}, {\"name\": \"q\", \"rows\": 40000, \"batches\": 2}",
         "wal_bytes", "", "in two batches with a checkpoint each"},
        {"{\"name\": \"p\", \"rows\": 20000}, {\"name\": \"q\", \"rows\": 10000, \"checkpoint\": "
         "\"none\"}",
         "fpi_count", "scale random; ", "without checkpoints"},
        {"{\"name\": \"p\", \"rows\": 2000}", "index_bytes", "scale ordered; scale random; ",
         "a table of a few pages"},
    };

    for (size_t i = 0; i < ARRAY_LEN(CASES); i++) {
        Sweep *sweep = NULL;
        Plan *plan = plan_of(CASES[i].phases, CASES[i].metric, &sweep);
        Text found = {0};

        for (size_t trial = 0; trial < plan->trial_count; trial++)
            outlook_judge_scale(&plan->trials[trial], note_finding, &found);
        tap_text(text_data(&found), CASES[i].findings, CASES[i].label);
        text_release(&found);
        plan_free(plan);
        sweep_free(sweep);
    }
}

static void
test_volume(void)
{
    static const double MB = 1 << 20;
    Sweep *sweep = NULL;
    Plan *plan = plan_of("{\"name\": \"p\", \"rows\": 1000000}", "wal_bytes", &sweep);
    IndexResult index = {.name = "i"};
    PhaseResult phase = {.name = "p", .complete = true, .indexes = &index, .index_count = 1};
    DesignResult design = {.name = "random",
                           .phases = &phase,
                           .phase_count = 1,
                           .predicted_wal_bytes = 90 * MB,
                           .predicted_table_bytes = 90 * MB};
    Text found = {0};

    phase.figures.value[METRIC_LSN_BYTES] = 100 * MB;
    phase.figures.value[METRIC_HEAP_BYTES] = 60 * MB;
    index.figures.value[METRIC_INDEX_BYTES] = 40 * MB;
    tap_near(volume_written(&plan->trials[1], &design).table_bytes, 100 * MB, 0,
             "heap and index are summed up");
    outlook_judge_volume(&plan->trials[1], &design, note_finding, &found);
    tap_text(text_data(&found), "", "a tenth off is what an estimate may be");
    phase.figures.value[METRIC_LSN_BYTES] = 136 * MB;
    outlook_judge_volume(&plan->trials[1], &design, note_finding, &found);
    tap_text(text_data(&found), "volume random; ", "more than a third is said");
    phase.complete = false;
    tap_ok(isnan(volume_written(&plan->trials[1], &design).wal_bytes),
           "a trial cut short has not written it all");
    tap_ok(!volume_is_off(100 * MB, 10 * MB) && volume_is_off(100 * MB, 20 * MB),
           "little is not judged");
    text_release(&found);
    plan_free(plan);
    sweep_free(sweep);
}

static void
test_room(void)
{
    const Volume volume = {
        .wal_bytes = 1000, .cycle_wal_bytes = 100, .table_bytes = 50, .stage_bytes = 7};
    Sweep *sweep = NULL;
    Plan *plan = plan_of("{\"name\": \"p\", \"rows\": 1000000}", "wal_bytes", &sweep);
    Room one = room_of_plan(plan, 1, INFINITY), two = room_of_plan(plan, 2, INFINITY);
    Room many = room_of_plan(plan, 64, INFINITY), little = room_of_plan(plan, 1, 1000);

    tap_near(volume_disk_bytes(&volume, INFINITY), 257, 0, "two cycles of WAL are kept");
    tap_near(volume_disk_bytes(&volume, 150), 207, 0, "not more than max_wal_size");
    tap_near(two.wal_bytes, 2 * one.wal_bytes, 0, "two jobs need twice as much");
    tap_near(many.table_bytes, two.table_bytes, 0, "there are but two trials");
    tap_near(little.wal_bytes, 1000, 0, "max_wal_size limits what is kept");
    one.free_bytes = one.table_bytes + one.wal_bytes;
    tap_ok(room_suffices(&one), "what just fits fits");
    one.free_bytes--;
    tap_ok(!room_suffices(&one), "a byte less does not");
    plan_free(plan);
    sweep_free(sweep);
}

int
main(void)
{
    test_scale();
    test_volume();
    test_room();
    return tap_done();
}
