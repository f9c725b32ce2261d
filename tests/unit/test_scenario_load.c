/* Ways to load, writers, clocks of columns, tables without key and featured indexes. */
#include "unit/test_scenario_help.h"

#include "base/clock.h"

#define START_NS (UINT64_C(1735689600) * NS_PER_S)

/* One design whose rows can travel; %s: its column's further keys, and two phases'. */
static const char FRAME[] =
    "{`format`: `keybench-scenario/1`, `name`: `f`, `seed`: 1, `designs`: [{`name`: `d`, "
    "`primary_key`: `id`, `columns`: [{`name`: `id`, `source`: `keybench`, `format`: `snowflake`"
    "%s}, {`name`: `n`, `source`: `row_number`, `type`: `integer`}]}], `phases`: [{`name`: `p`, "
    "`rows`: 1000, `batches`: 2%s}, {`name`: `q`, `rows`: 300%s}]}";

static Status
parse_frame(const char *column, const char *first, const char *second, Scenario **scenario,
            Diag *diag)
{
    Text text = {0};
    Status status;

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    text_printf(&text, FRAME, column, first, second);
#pragma GCC diagnostic pop
    set_quotes(text.data);
    status = parse_text(&text, scenario, diag);
    text_release(&text);
    return status;
}

/* Aborts the test when it is refused. */
static Scenario *
parse_good(const char *column, const char *first, const char *second)
{
    Scenario *scenario = NULL;
    Diag diag = {0};

    if (parse_frame(column, first, second, &scenario, &diag) != STATUS_OK)
        BUG("%s%s%s: %s", column, first, second, diag.message);
    return scenario;
}

static void
test_loads(void)
{
    static const struct {
        const char *phase;
        LoadMethod method;
        uint64_t statement, transaction, writers;
        const char *label;
    } CASES[] = {
        {"", LOAD_INSERT_SELECT, 0, 0, 1, "nothing said"},
        {", `load`: {`method`: `insert_select`}, `writers`: 4", LOAD_INSERT_SELECT, 0, 0, 4,
         "the default, said"},
        {", `load`: {`method`: `copy`}", LOAD_COPY, 0, 0, 1, "COPY of all at once"},
        {", `load`: {`method`: `copy`, `rows_per_transaction`: 100}", LOAD_COPY, 100, 100, 1,
         "COPY of a transaction"},
        {", `load`: {`method`: `copy`, `rows_per_statement`: 50}", LOAD_COPY, 50, 50, 1,
         "COPY of a statement"},
        {", `load`: {`method`: `copy`, `rows_per_statement`: 50, `rows_per_transaction`: 100}",
         LOAD_COPY, 50, 100, 1, "two COPYs a transaction"},
        {", `load`: {`method`: `insert`}", LOAD_INSERT, 1, 1, 1, "single rows"},
        {", `load`: {`method`: `insert`, `rows_per_statement`: 9}", LOAD_INSERT, 9, 9, 1,
         "rows of a statement"},
        {", `load`: {`method`: `insert`, `rows_per_transaction`: 9}", LOAD_INSERT, 1, 9, 1,
         "single rows, some a transaction"},
    };

    for (size_t i = 0; i < ARRAY_LEN(CASES); i++) {
        Scenario *scenario = parse_good("", CASES[i].phase, "");
        const Phase *phase = &scenario->phases[0];

        tap_u64(phase->load.method, CASES[i].method, CASES[i].label);
        tap_u64(phase->load.rows_per_statement, CASES[i].statement, "  rows a statement");
        tap_u64(phase->load.rows_per_transaction, CASES[i].transaction, "  rows a transaction");
        tap_u64(phase->writer_count, CASES[i].writers, "  writers");
        tap_ok(!phase->load.pipeline, "  no pipeline");
        scenario_free(scenario);
    }
}

static void
test_pipeline(void)
{
    Scenario *scenario = parse_good("", ", `load`: {`method`: `insert`, `pipeline`: true}", "");

    tap_ok(scenario->phases[0].load.pipeline, "a pipeline");
    scenario_free(scenario);
}

static void
test_transactions(void)
{
    Scenario *scenario = parse_good(
        "",
        ", `writers`: 2, `sample_waits_per_s`: 7, `load`: {`method`: `insert`, `rate_per_s`: 50, "
        "`on_error`: `retry`, `isolation`: `serializable`, `check`: true}",
        "");
    const Load *load = &scenario->phases[0].load;

    tap_u64(load->rate_per_s, 50, "a rate");
    tap_u64(load->on_error, ON_ERROR_RETRY, "an answer to errors");
    tap_u64(load->retries_max, 10, "  with its default");
    tap_text(load->isolation, "serializable", "an isolation level");
    tap_ok(load->check, "a look before");
    tap_u64(scenario->phases[0].sample_waits_per_s, 7, "samples of waits");
    scenario_free(scenario);

    scenario = parse_good("", ", `writers`: 2, `load`: {`method`: `copy`}", "");
    load = &scenario->phases[0].load;
    tap_u64(load->rate_per_s, 0, "no rate unless asked for");
    tap_u64(load->on_error, ON_ERROR_STOP, "  and an error stops");
    tap_ok(load->isolation == NULL, "  and the server's isolation");
    tap_u64(scenario->phases[0].sample_waits_per_s, 50, "several writers are looked at");
    tap_u64(scenario->phases[1].sample_waits_per_s, 0, "  one is not");
    scenario_free(scenario);
}

static void
test_shares(void)
{
    Scenario *scenario = parse_good("", ", `writers`: 3", "");
    const Phase *phase = &scenario->phases[0];

    tap_u64(phase_writer_rows(phase, 0), 167, "500 rows for three writers: the first's");
    tap_u64(phase_writer_rows(phase, 1), 167, "the second's");
    tap_u64(phase_writer_rows(phase, 2), 166, "the last one's");
    tap_u64(phase_writer_rows(&scenario->phases[1], 0), 300, "a writer alone has all");
    scenario_free(scenario);
}

static KeyParams
params_of(const Scenario *scenario, size_t phase, uint64_t writer)
{
    return column_key_params(&scenario->designs[0].columns[0], scenario->phases, phase, writer, 1);
}

static void
test_clock_goes_on(void)
{
    Scenario *scenario = parse_good(", `ids_per_ms`: 10", "", "");
    KeyParams params = params_of(scenario, 1, 0);

    tap_u64(params.clock.start_ns, START_NS + 100 * NS_PER_MS, "a clock goes on in the next phase");
    tap_u64(params.clock.step_ns, 100000, "at its pace");
    scenario_free(scenario);
}

static void
test_clock_of_writers(void)
{
    Scenario *scenario = parse_good(", `machine`: 5, `nodes`: 2", ", `writers`: 3", "");
    KeyParams params = params_of(scenario, 0, 2);

    tap_u64(params.clock.start_ns, START_NS + 2 * NS_PER_MS, "the third writer's first turn");
    tap_u64(params.clock.step_ns, 3 * NS_PER_MS, "and the way to its next");
    tap_u64(params.machine, 9, "two machines a writer, from 5");
    params = params_of(scenario, 1, 0);
    tap_u64(params.clock.start_ns, START_NS + 1002 * NS_PER_MS,
            "the next phase begins behind the longest of them");
    scenario_free(scenario);
}

static void
test_clock_windows(void)
{
    Scenario *scenario = parse_good(
        ", `clocks`: [{`phase`: `p`, `start_s`: 5, `span_s`: 10}, {`phase`: `q`, `spread`: "
        "`random`, `start_s`: 1, `span_s`: 2}]",
        "", ", `writers`: 3");
    KeyParams params = params_of(scenario, 0, 0);

    tap_u64(params.clock.mode, KEY_CLOCK_STEP, "even by default");
    tap_u64(params.clock.start_ns, START_NS + 5 * NS_PER_S, "from where its window begins");
    tap_u64(params.clock.step_ns, 10 * NS_PER_MS, "10 s for 1,000 ids");
    params = params_of(scenario, 1, 2);
    tap_u64(params.clock.mode, KEY_CLOCK_WINDOW, "random");
    tap_u64(params.clock.start_ns, START_NS + 1 * NS_PER_S, "in a window that all writers share");
    tap_u64(params.clock.span_ns, 2 * NS_PER_S, "as long as said");
    scenario_free(scenario);

    scenario = parse_good(", `clocks`: [{`phase`: `p`, `start_s`: 5, `span_s`: 10}]", "", "");
    params = params_of(scenario, 1, 0);
    tap_u64(params.clock.start_ns, START_NS + 15 * NS_PER_S,
            "without a window the clock goes on from the latest moment");
    scenario_free(scenario);
}

static void
test_refused(void)
{
    static const struct {
        const char *column, *first;
        const char *message, *label;
    } CASES[] = {
        {"", ", `load`: {}", "phases[0].load: key `method` is missing", "no method"},
        {"", ", `load`: {`method`: `upload`}", "load.method: unknown method `upload`",
         "an unknown method"},
        {"", ", `load`: {`method`: `insert_select`, `rows_per_statement`: 2}",
         "load.rows_per_statement: unknown key", "rows of a statement where a batch is one"},
        {"", ", `load`: {`method`: `copy`, `pipeline`: true}", "load.pipeline: unknown key",
         "a pipeline of COPY"},
        {"", ", `load`: {`method`: `copy`, `rows_per_statement`: 0}",
         "load.rows_per_statement: must be a whole number from 1", "no rows a statement"},
        {"", ", `load`: {`method`: `insert`, `rows_per_statement`: 3, `rows_per_transaction`: 10}",
         "load.rows_per_transaction: must be a multiple of the 3 rows of a statement",
         "a transaction that ends inside a statement"},
        {"", ", `load`: {`method`: `insert`, `rows_per_statement`: 32768}",
         "designs[0].columns: phase `p` inserts 32768 rows a statement, but a statement takes at "
         "most 65535 values",
         "more values than a statement takes"},
        {"", ", `sample_waits_per_s`: 1001",
         "sample_waits_per_s: must be a whole number from 0 to 1000", "too many samples"},
        {"", ", `load`: {`method`: `insert_select`, `rate_per_s`: 5}",
         "load.rate_per_s: unknown key", "a rate of staged rows"},
        {"", ", `load`: {`method`: `copy`, `on_error`: `count`}", "load.on_error: unknown key",
         "a COPY that goes on"},
        {"", ", `load`: {`method`: `insert`, `rate_per_s`: 0}",
         "load.rate_per_s: must be a whole number from 1 to 1000000", "no rate"},
        {"", ", `load`: {`method`: `insert`, `rate_per_s`: 5, `pipeline`: true}",
         "load.rate_per_s: not with a pipeline, which does not wait for answers",
         "a rate of a pipeline"},
        {"", ", `load`: {`method`: `insert`, `on_error`: `retry`, `pipeline`: true}",
         "load.on_error: not with a pipeline", "a pipeline that goes on"},
        {"", ", `load`: {`method`: `insert`, `check`: true, `pipeline`: true}",
         "load.check: not with a pipeline", "a pipeline that looks first"},
        {"", ", `load`: {`method`: `insert`, `on_error`: `ignore`}",
         "load.on_error: unknown answer to errors `ignore`", "an unknown answer to errors"},
        {"", ", `load`: {`method`: `insert`, `on_error`: `count`, `rows_per_transaction`: 1001}",
         "load.on_error: a transaction of more than 1000 rows cannot go on after an error",
         "rows that are not kept"},
        {"", ", `load`: {`method`: `insert`, `on_error`: `count`, `retries_max`: 3}",
         "load.retries_max: goes with `on_error`: `retry` only", "retries of what is only counted"},
        {"", ", `load`: {`method`: `insert`, `on_error`: `retry`, `retries_max`: 0}",
         "load.retries_max: must be a whole number from 1 to 1000", "no retries"},
        {"", ", `load`: {`method`: `insert`, `isolation`: `snapshot`}",
         "load.isolation: unknown isolation level `snapshot`", "an unknown isolation level"},
        {"", ", `load`: {`method`: `insert`, `check`: true, `rows_per_statement`: 2}",
         "load.check: a check is of one row, but a statement has 2", "a look at several rows"},
        {"", ", `writers`: 0", "writers: must be a whole number from 1 to 64", "no writers"},
        {"", ", `writers`: 65", "writers: must be a whole number from 1 to 64", "too many writers"},
        {", `machine`: 1022", ", `writers`: 3", "Snowflake machine 1024 has more than 10 bits",
         "writers that run out of machines"},
        {", `clocks`: [{`span_s`: 1}]", "", "clocks[0]: key `phase` is missing",
         "a clock of no phase"},
        {", `clocks`: [{`phase`: `r`, `span_s`: 1}]", "", "clocks[0].phase: unknown phase `r`",
         "a clock of an unknown phase"},
        {", `clocks`: [{`phase`: `p`, `span_s`: 1, `spread`: `wide`}]", "",
         "clocks[0].spread: unknown spread `wide`", "an unknown spread"},
        {", `clocks`: [{`phase`: `p`, `span_s`: 0}]", "",
         "clocks[0].span_s: must be a whole number from 1 to 1577880000", "an empty window"},
        {", `clocks`: [{`phase`: `p`, `span_s`: 1}, {`phase`: `p`, `span_s`: 1}]", "",
         "clocks[1]: phase `p` has a clock already", "two clocks of one phase"},
    };

    for (size_t i = 0; i < ARRAY_LEN(CASES); i++) {
        Text message = {0};
        Scenario *scenario = NULL;
        Diag diag = {0};

        text_add(&message, CASES[i].message);
        set_quotes(message.data);
        tap_u64(parse_frame(CASES[i].column, CASES[i].first, "", &scenario, &diag), STATUS_SCENARIO,
                CASES[i].label);
        tap_contains(diag.message, message.data, "  its message");
        scenario_free(scenario);
        text_release(&message);
    }
}

/* What needs another design than the frame's. */
static const RefusedCase DESIGNS[] = {
    {"`rows`: 100}", "`rows`: 100, `load`: {`method`: `copy`}}",
     "12:49: designs[1].columns: the server makes every column, so there is nothing to `copy` or "
     "`insert`",
     NULL, "nothing to send"},
    {"`rows`: 100}", "`rows`: 100, `load`: {`method`: `insert`, `check`: true}}",
     "7:32: designs[0].primary_key: phase `p` checks each key, so keybench must make it: a column "
     "of "
     "source `keybench` or `row_number`",
     NULL, "a look for a key of the server"},
    {"`unique`: true}]", "`unique`: true}], `featured_index`: `by_m`",
     "11:87: designs[0].featured_index: unknown index `by_m`", "Did you mean `by_n`?",
     "an unknown index to feature"},
    {"`generator`: `uuidv7`", "`generator`: `uuidv7`, `prefix`: `prj`",
     "13:89: designs[1].columns[0].prefix: generator `uuidv7` takes no prefix", NULL,
     "a prefix of a uuid"},
    {"`type`: `uuid`, `generator`: `uuidv7`",
     "`type`: `text`, `generator`: `typeid`, `prefix`: `Prj'`",
     "13:5: designs[1].columns[0]: prefix `Prj'`: character 1 does not fit",
     "A prefix has 1 to 63 characters a to z, with `_` inside only (TypeID's rules).",
     "a prefix that breaks the rules"},
};

static void
test_designs(void)
{
    Scenario *scenario = NULL;
    Text text = {0};
    Diag diag = {0};

    change_base("`unique`: true}]", "`unique`: true}], `featured_index`: `by_n`", &text);
    tap_u64(parse_text(&text, &scenario, &diag), STATUS_OK, "a featured index");
    tap_text(design_key(&scenario->designs[0])->name, "n", "shows its first column");
    tap_text(design_key(&scenario->designs[1])->name, "id", "else it is the primary key");
    scenario_free(scenario);
    text_release(&text);

    change_base("{`name`: `a`, `primary_key`: `id`", "{`name`: `a`, `primary_key`: null", &text);
    tap_u64(parse_text(&text, &scenario, &diag), STATUS_OK, "a table without primary key");
    tap_text(design_key(&scenario->designs[0])->name, "n", "shows its first index");
    scenario_free(scenario);
    text_release(&text);

    change_base("{`name`: `c`, `primary_key`: `id`", "{`name`: `c`, `primary_key`: null", &text);
    tap_u64(parse_text(&text, &scenario, &diag), STATUS_OK, "and without any index");
    tap_ok(design_key(&scenario->designs[2]) == NULL, "shows none");
    scenario_free(scenario);
    text_release(&text);

    change_base("`type`: `uuid`, `generator`: `uuidv7`",
                "`type`: `text`, `generator`: `typeid`, `prefix`: `prj`, `fallback`: `typeid`",
                &text);
    tap_u64(parse_text(&text, &scenario, &diag), STATUS_OK, "a TypeID by the server");
    tap_text(scenario->designs[1].columns[0].params.prefix, "prj", "with its prefix");
    tap_text(scenario->designs[1].columns[0].form->name, "text-c", "and its fallback's form");
    scenario_free(scenario);
    text_release(&text);
}

int
main(void)
{
    test_loads();
    test_pipeline();
    test_transactions();
    test_shares();
    test_clock_goes_on();
    test_clock_of_writers();
    test_clock_windows();
    test_refused();
    test_designs();
    for (size_t i = 0; i < ARRAY_LEN(DESIGNS); i++)
        check_refused(&DESIGNS[i]);
    return tap_done();
}
