/* scenario: phases that do more than insert, columns that switch formats, and what is refused. */
#include "unit/test_scenario_help.h"

#include <string.h>

static const char COLUMNS[] = "{`name`: `id`, `source`: `keybench`, `format`: `uuidv4`}, "
                              "{`name`: `n`, `source`: `row_number`, `type`: `smallint`}, "
                              "{`name`: `f`, `source`: `filler`, `type`: `text`, `bytes`: 8}";

/* One design of these columns; 30,000 rows, then `phases`. */
static Status
parse_frame(const char *columns, const char *design, const char *phases, Scenario **scenario,
            Diag *diag)
{
    Text text = {0};
    Status status;

    text_printf(&text,
                "{`format`: `keybench-scenario/1`, `name`: `s`, `seed`: 1, `designs`: [{`name`: "
                "`d`, `primary_key`: %s, `columns`: [%s]}], `phases`: [{`name`: `load`, "
                "`rows`: 30000}%s]}",
                design, columns, phases);
    set_quotes(text.data);
    status = scenario_parse("f.json", text.data, text.length, scenario, diag);
    text_release(&text);
    return status;
}

static Scenario *
parse_good(const char *columns, const char *phases)
{
    Scenario *scenario = NULL;
    Diag diag = {0};

    if (parse_frame(columns, "`id`", phases, &scenario, &diag) != STATUS_OK)
        BUG("%s: %s", phases, diag.message);
    return scenario;
}

static void
test_phases(void)
{
    Scenario *scenario = parse_good(
        COLUMNS,
        ", {`name`: `u`, `action`: `update`, `rows`: 100, `choose`: `newest`, `checkpoint`: "
        "`none`}, {`name`: `d`, `action`: `delete`, `rows`: 300, `choose`: `random`, `batches`: 3},"
        " {`name`: `r`, `action`: `read`, `what`: `pages`, `rows`: 200, `cache`: `cold`, `times`: "
        "5}, {`name`: `v`, `action`: `vacuum`}, {`name`: `w`, `action`: `wait`, `seconds`: 2}, "
        "{`name`: `x`, `action`: `none`, `rows`: 5, `choose`: `oldest`}, {`name`: `more`, `rows`: "
        "2000}, {`name`: `c`, `action`: `checkpoint`}, {`name`: `i`, `action`: `reindex`, "
        "`checkpoint`: `none`}");
    const Phase *phases = scenario->phases;

    tap_text(action_name(phases[0].action), "insert", "a phase inserts by default");
    tap_u64(phases[1].choice, CHOOSE_NEWEST, "which rows are updated");
    tap_u64(phases[1].batches_per_checkpoint, 0, "  without a checkpoint");
    tap_u64(phases[2].batch_count, 3, "deletes in batches");
    tap_u64(phases[2].batches_per_checkpoint, 1, "  behind a checkpoint each");
    tap_u64(phases[3].rows, 1000, "a read of all times");
    tap_u64(phases[3].batch_count, 5, "  as a batch each");
    tap_ok(phases[3].cold && phases[3].what == READ_PAGES, "  cold, by pages");
    tap_u64(phases[4].rows, 0, "a vacuum of no rows");
    tap_u64(phases[4].batches_per_checkpoint, 1, "  behind a checkpoint");
    tap_u64(phases[5].wait_s, 2, "a wait");
    tap_u64(phases[6].rows, 0, "nothing has no rows, whatever stands there");
    tap_u64(phases[9].batches_per_checkpoint, 0, "REINDEX without a checkpoint");
    tap_u64(phases_rows(phases, 10, NULL), 32000, "rows that are inserted");
    tap_u64(phases_left_rows(phases, 10, NULL), 31700, "  and are left");
    tap_u64(phases_left_rows(phases, 2, NULL), 30000, "  an update leaves all");
    scenario_free(scenario);
}

/* The clock stands still while nothing is inserted, and ids change where the column says so. */
static void
test_columns(void)
{
    Scenario *scenario = parse_good(
        "{`name`: `id`, `source`: `keybench`, `format`: `uuidv4`, `switches`: [{`phase`: `more`, "
        "`format`: `uuidv7`}]}, {`name`: `n`, `source`: `row_number`, `type`: `integer`}",
        ", {`name`: `r`, `action`: `read`, `what`: `points`, `rows`: 9}, {`name`: `more`, `rows`: "
        "10}, {`name`: `last`, `rows`: 10}");
    const Column *id = &scenario->designs[0].columns[0];
    const Phase *phases = scenario->phases;
    KeyParams before = column_key_params(id, phases, 0, 0, 1);
    KeyParams after = column_key_params(id, phases, 2, 0, 1);

    tap_text(column_minting(id, phases, 0).format->name, "uuidv4", "as it begins");
    tap_text(column_minting(id, phases, 2).format->name, "uuidv7", "  as it goes on");
    tap_text(column_minting(id, phases, 3).format->name, "uuidv7", "  and stays");
    tap_text(id->type, "uuid", "  in one type");
    tap_u64(after.clock.start_ns - before.clock.start_ns, UINT64_C(30000000000),
            "reads take no time of the clock");
    scenario_free(scenario);
}

static void
test_refused(void)
{
    static const char NO_NUMBER[] = "{`name`: `id`, `source`: `keybench`, `format`: `uuidv4`}";
    static const char NO_FILLER[] = "{`name`: `id`, `source`: `keybench`, `format`: `uuidv4`}, "
                                    "{`name`: `n`, `source`: `row_number`, `type`: `integer`}";
    static const char READ[] = ", {`name`: `r`, `action`: `read`, `what`: `newest`, `rows`: 10}";
    static const struct {
        const char *columns, *key, *phases;
        const char *message, *label;
    } CASES[] = {
        {COLUMNS, "`id`", ", {`name`: `x`, `action`: `truncate`}",
         "phases[1].action: unknown action `truncate`", "an unknown action"},
        {COLUMNS, "`id`", ", {`name`: `x`, `rows`: 1, `choose`: `oldest`}",
         "phases[1].choose: unknown key", "a choice of rows to insert"},
        {COLUMNS, "`id`", ", {`name`: `x`, `action`: `delete`, `rows`: 1}",
         "phases[1]: key `choose` is missing", "a delete of any rows"},
        {COLUMNS, "`id`", ", {`name`: `x`, `action`: `delete`, `rows`: 1, `choose`: `worst`}",
         "phases[1].choose: unknown choice `worst`", "a delete of other rows"},
        {COLUMNS, "`id`", ", {`name`: `x`, `action`: `delete`, `choose`: `oldest`}",
         "phases[1]: key `rows` is missing", "a delete of no rows"},
        {COLUMNS, "`id`",
         ", {`name`: `x`, `action`: `delete`, `rows`: 10, `batches`: 3, `choose`: `oldest`}",
         "phases[1].batches: 10 rows do not make 3 equal batches", "batches of a delete"},
        {COLUMNS, "`id`", ", {`name`: `x`, `action`: `delete`, `rows`: 30001, `choose`: `oldest`}",
         "phases[1]: `delete` needs 30001 rows, but the phases before leave 30000",
         "more rows than there are"},
        {COLUMNS, "`id`",
         ", {`name`: `x`, `action`: `delete`, `rows`: 30000, `choose`: `oldest`}, {`name`: `y`, "
         "`action`: `update`, `rows`: 1, `choose`: `oldest`}",
         "phases[2]: `update` needs 1 rows, but the phases before leave 0",
         "rows that were deleted"},
        {COLUMNS, "`id`", ", {`name`: `x`, `action`: `read`, `rows`: 1}",
         "phases[1]: key `what` is missing", "a read of anything"},
        {COLUMNS, "`id`", ", {`name`: `x`, `action`: `read`, `rows`: 1, `what`: `all`}",
         "phases[1].what: unknown read `all`", "a read of something else"},
        {COLUMNS, "`id`", ", {`name`: `x`, `action`: `read`, `rows`: 150, `what`: `pages`}",
         "phases[1].rows: must be a multiple of the 100 rows of a page", "half a page"},
        {COLUMNS, "`id`", ", {`name`: `x`, `action`: `read`, `rows`: 30000, `what`: `pages`}",
         "phases[1]: `read` needs 30001 rows", "pages behind a key that is not there"},
        {COLUMNS, "`id`",
         ", {`name`: `x`, `action`: `read`, `rows`: 1, `what`: `newest`, `cache`: `hot`}",
         "phases[1].cache: unknown cache `hot`", "another cache"},
        {COLUMNS, "`id`",
         ", {`name`: `x`, `action`: `read`, `rows`: 1, `what`: `newest`, `times`: 0}",
         "phases[1].times: must be a whole number from 1 to 1000", "a read of no times"},
        {COLUMNS, "`id`",
         ", {`name`: `x`, `action`: `read`, `rows`: 4, `what`: `newest`, `batches`: 2}",
         "phases[1].batches: unknown key", "batches of a read"},
        {COLUMNS, "`id`", ", {`name`: `x`, `action`: `vacuum`, `rows`: 1}",
         "phases[1].rows: unknown key", "rows to vacuum"},
        {COLUMNS, "`id`", ", {`name`: `x`, `action`: `vacuum`, `checkpoint`: 10}",
         "phases[1].checkpoint: must be a string, not a number", "rows between checkpoints"},
        {COLUMNS, "`id`", ", {`name`: `x`, `action`: `checkpoint`, `checkpoint`: `none`}",
         "phases[1].checkpoint: unknown key", "a checkpoint before a checkpoint"},
        {COLUMNS, "`id`", ", {`name`: `x`, `action`: `wait`}",
         "phases[1]: key `seconds` is missing", "a wait without end"},
        {COLUMNS, "`id`", ", {`name`: `x`, `action`: `wait`, `seconds`: 0.5}",
         "phases[1].seconds: must be a whole number from 1 to 86400", "half a second"},
        {COLUMNS, "null", READ,
         "designs[0].name: phase `r` (read) finds rows by their primary key, and here is none",
         "no key to find rows by"},
        {NO_NUMBER, "`id`", READ,
         "designs[0].name: phase `r` (read) chooses rows by a column of source `row_number`, and "
         "here is none",
         "no number to choose rows by"},
        {NO_FILLER, "`id`", ", {`name`: `x`, `action`: `update`, `rows`: 1, `choose`: `oldest`}",
         "designs[0].name: phase `x` (update) changes a column of source `filler` that no index "
         "holds, and here is none",
         "nothing to update"},
        {COLUMNS, "`id`", ", {`name`: `x`, `rows`: 2768}",
         "designs[0].columns[1].type: `smallint` counts to 32767, but the phases insert 32768 rows",
         "more rows than their numbers hold"},
    };

    for (size_t i = 0; i < ARRAY_LEN(CASES); i++) {
        Text message = {0};
        Scenario *scenario = NULL;
        Diag diag = {0};

        text_add(&message, CASES[i].message);
        set_quotes(message.data);
        tap_u64(parse_frame(CASES[i].columns, CASES[i].key, CASES[i].phases, &scenario, &diag),
                STATUS_SCENARIO, CASES[i].label);
        tap_contains(diag.message, message.data, "  its message");
        scenario_free(scenario);
        text_release(&message);
    }
}

static void
test_nothing_inserted(void)
{
    static const RefusedCase NOTHING = {
        "{`name`: `p`, `rows`: 100},\n"
        "  {`name`: `q`, `rows`: 100, `batches`: 10, `checkpoint`: `phase`}]",
        "{`name`: `p`, `action`: `vacuum`}]", "16:12: phases: no phase inserts rows", NULL,
        "a scenario that inserts nothing"};

    check_refused(&NOTHING);
}

static void
test_refused_switches(void)
{
    static const struct {
        const char *switches, *message, *label;
    } CASES[] = {
        {"{`format`: `uuidv7`}", "switches[0]: key `phase` is missing", "a switch at no time"},
        {"{`phase`: `more`}", "switches[0]: key `format` is missing", "a switch to nothing"},
        {"{`phase`: `later`, `format`: `uuidv7`}", "switches[0].phase: unknown phase `later`",
         "a switch in no phase"},
        {"{`phase`: `w`, `format`: `uuidv7`}", "switches[0].phase: phase `w` does not insert",
         "a switch where nothing is minted"},
        {"{`phase`: `more`, `format`: `uuidv9`}", "switches[0].format: unknown key format `uuidv9`",
         "a switch to an unknown format"},
        {"{`phase`: `more`, `format`: `snowflake`}",
         "switches[0].format: key format `snowflake` has no form `uuid`, which the column is "
         "stored "
         "in",
         "a switch to another type"},
        {"{`phase`: `more`, `format`: `uuidv7`}, {`phase`: `more`, `format`: `uuidv6`}",
         "switches[1].phase: phase `more` has a switch already", "two switches at once"},
    };

    for (size_t i = 0; i < ARRAY_LEN(CASES); i++) {
        Text message = {0}, columns = {0};
        Scenario *scenario = NULL;
        Diag diag = {0};

        text_printf(&columns,
                    "{`name`: `id`, `source`: `keybench`, `format`: `uuidv4`, `switches`: [%s]}",
                    CASES[i].switches);
        text_add(&message, CASES[i].message);
        set_quotes(message.data);
        tap_u64(parse_frame(columns.data, "`id`",
                            ", {`name`: `w`, `action`: `wait`, `seconds`: 1}, {`name`: `more`, "
                            "`rows`: 10}",
                            &scenario, &diag),
                STATUS_SCENARIO, CASES[i].label);
        tap_contains(diag.message, message.data, "  its message");
        scenario_free(scenario);
        text_release(&columns);
        text_release(&message);
    }
}

int
main(void)
{
    test_phases();
    test_columns();
    test_refused();
    test_nothing_inserted();
    test_refused_switches();
    return tap_done();
}
