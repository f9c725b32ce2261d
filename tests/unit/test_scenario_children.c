/* Designs of several tables: what a child may say, and which rows it numbers. */
#include "unit/test_scenario_help.h"

/* One design of these columns and further keys. */
static void
make_text(const char *columns, const char *keys, const char *phases, Text *text)
{
    text_printf(text,
                "{`format`: `keybench-scenario/1`, `name`: `s`, `seed`: 5, `designs`: [\n"
                "{`name`: `a`, `primary_key`: `id`, `columns`: [%s]%s}],\n`phases`: [%s]}",
                columns, keys, phases);
    set_quotes(text->data);
}

#define BIGINT "{`name`: `id`, `source`: `identity`, `type`: `bigint`}"
#define MINTED "{`name`: `id`, `source`: `keybench`, `format`: `uuidv4`}"
#define MADE "{`name`: `id`, `source`: `server`, `type`: `uuid`, `generator`: `gen_random_uuid`}"
#define COUNTED ", {`name`: `n`, `source`: `row_number`, `type`: `integer`}"
#define LINES(column)                                                                              \
    ", `children`: [\n{`name`: `lines`, `primary_key`: null, `columns`: [" column "]}]"
#define REFERS "{`name`: `a_id`, `source`: `parent`}"
#define REFERS_3 "{`name`: `a_id`, `source`: `parent`, `per_parent`: 3}"
#define AT_RANDOM "{`name`: `a_id`, `source`: `parent`, `pick`: `random`}"
#define PHASES "{`name`: `p`, `rows`: 10}, {`name`: `q`, `table`: `lines`, `rows`: 10}"
#define PHASES_30 "{`name`: `p`, `rows`: 10}, {`name`: `q`, `table`: `lines`, `rows`: 30}"

typedef struct ChildCase {
    const char *columns, *keys, *phases;
    const char *message; /* without the file's name */
    const char *hint;
    const char *label;
} ChildCase;

static const ChildCase REFUSED[] = {
    {REFERS, "", "{`name`: `p`, `rows`: 10}",
     "2:75: designs[0].columns[0].source: only a table of `children` has a parent", NULL,
     "a parent of a design's own table"},
    {BIGINT, LINES(REFERS), "{`name`: `p`, `rows`: 10}",
     "3:10: designs[0].children[0].name: no phase inserts into `lines`", NULL,
     "a child that stays empty"},
    {BIGINT, "", PHASES, "3:62: phases[1].table: design `a` has no child `lines`", NULL,
     "a phase of no table"},
    {BIGINT, LINES(REFERS_3), PHASES_30 ", {`name`: `r`, `table`: `lines`, `rows`: 1}",
     "3:52: designs[0].children[0].columns[0]: phase `r` needs 11 parent rows, but 10 are there "
     "before it",
     NULL, "more children than parents"},
    {BIGINT, LINES(AT_RANDOM),
     "{`name`: `q`, `table`: `lines`, `rows`: 10}, {`name`: `p`, `rows`: 10}",
     "3:52: designs[0].children[0].columns[0]: phase `q` needs 1 parent rows, but 0 are there "
     "before it",
     NULL, "children before parents"},
    {MADE, LINES(REFERS), PHASES,
     "3:52: designs[0].children[0].columns[0]: the parent's keys are found by row number, and it "
     "has no such column",
     "Give the parent a column of source `row_number`.", "keys that nobody can find"},
    {MINTED, LINES(AT_RANDOM), PHASES,
     "3:52: designs[0].children[0].columns[0]: the parent's keys are found by row number, and it "
     "has no such column",
     "Give the parent a column of source `row_number`.", "minted keys out of their order"},
    {MADE COUNTED, LINES(REFERS),
     "{`name`: `p`, `rows`: 10}, {`name`: `q`, `table`: `lines`, `rows`: 10, `load`: {`method`: "
     "`copy`}}",
     "3:52: designs[0].children[0].columns[0]: phase `q` does not stage its rows, so the parent's "
     "keys cannot be found",
     NULL, "keys to find without a stage"},
    {BIGINT, LINES("{`name`: `a_id`, `source`: `parent`, `pick`: `random`, `per_parent`: 2}"),
     PHASES,
     "3:121: designs[0].children[0].columns[0].per_parent: parents picked at random do not have a "
     "number of rows each",
     NULL, "a number of rows for a random parent"},
    {BIGINT, LINES("{`name`: `a_id`, `source`: `parent`, `pick`: `last`}"), PHASES,
     "3:97: designs[0].children[0].columns[0].pick: unknown pick `last`",
     "Allowed here: `in_order`, `random`.", "an unknown pick"},
    {BIGINT, LINES("{`name`: `a_id`, `source`: `parent`, `type`: `uuid`}"), PHASES,
     "3:89: designs[0].children[0].columns[0].type: unknown key",
     "Allowed here: `name`, `source`, `foreign_key`, `pick`, `per_parent`.",
     "a type beside a parent"},
    {BIGINT,
     ", `children`: [\n{`name`: `lines`, `primary_key`: `a_id`, `columns`: [" REFERS_3 "]}]",
     PHASES,
     "3:34: designs[0].children[0].primary_key: several rows have one parent, so it cannot be a "
     "primary key",
     NULL, "a key that repeats"},
    {BIGINT,
     ", `children`: [\n{`name`: `lines`, `primary_key`: null, `columns`: [" REFERS
     "], `children`: []}]",
     PHASES, "3:91: designs[0].children[0].children: unknown key",
     "Allowed here: `name`, `title`, `primary_key`, `table_fillfactor`, `key_fillfactor`, "
     "`columns`, `indexes`, `featured_index`.",
     "grandchildren"},
    {BIGINT,
     ", `children`: [\n{`name`: `lines`, `primary_key`: null, `columns`: [" REFERS
     "], `indexes`: [{`name`: `a_pkey`, `columns`: [`a_id`]}]}]",
     PHASES, "3:10: designs[0].children[0].name: table `a` or an index of it is named `a_pkey` too",
     NULL, "an index with the name of the parent's"},
    {BIGINT, ", `children`: [\n{`name`: `a`, `primary_key`: null, `columns`: [" REFERS "]}]",
     "{`name`: `p`, `rows`: 10}, {`name`: `q`, `table`: `a`, `rows`: 10}",
     "3:10: designs[0].children[0].name: table `a` or an index of it is named `a` too", NULL,
     "a child with its parent's name"},
};

static void
check_child_refused(const ChildCase *wrong)
{
    Text text = {0}, message = {0}, hint = {0};
    Scenario *scenario = NULL;
    Diag diag = {0};

    make_text(wrong->columns, wrong->keys, wrong->phases, &text);
    text_printf(&message, "f.json:%s", wrong->message);
    text_add(&hint, wrong->hint != NULL ? wrong->hint : "");
    set_quotes(message.data);
    set_quotes(hint.data);
    tap_u64(parse_text(&text, &scenario, &diag), STATUS_SCENARIO, wrong->label);
    tap_text(diag.message, message.data, "  its message");
    tap_text(diag.hint, hint.data, "  its hint");
    scenario_free(scenario);
    text_release(&hint);
    text_release(&message);
    text_release(&text);
}

static Scenario *
make_good(const char *columns, const char *keys, const char *phases)
{
    Text text = {0};
    Scenario *scenario = NULL;
    Diag diag = {0};

    make_text(columns, keys, phases, &text);
    if (parse_text(&text, &scenario, &diag) != STATUS_OK)
        BUG("%s", diag.message);
    text_release(&text);
    return scenario;
}

static void
test_type(void)
{
    Scenario *scenario =
        make_good("{`name`: `id`, `source`: `keybench`, `format`: `ulid`, `form`: `text-c`}",
                  LINES(REFERS_3), PHASES_30);
    const Design *child = &scenario->designs[0].children[0];

    tap_u64(scenario->designs[0].child_count, 1, "a child");
    tap_text(child->columns[0].type, "text", "  holds keys of the parent's type");
    tap_text(child->columns[0].collation, "C", "  and collation");
    tap_ok(child->columns[0].foreign_key, "  refers to it");
    tap_ok(!child->columns[0].joined, "  keys that are minted are minted once more");
    tap_ok(child->parent == &scenario->designs[0], "  knows its parent");
    tap_ok(table_has_foreign_key(child) && !table_has_foreign_key(child->parent),
           "  alone has a foreign key");
    tap_ok(design_table(child->parent, &scenario->phases[1]) == child,
           "  is what its phase is about");
    scenario_free(scenario);
}

static void
test_joined(void)
{
    static const struct {
        const char *columns, *column;
        bool joined;
        const char *label;
    } CASES[] = {
        {BIGINT, LINES(AT_RANDOM), false, "numbers are known, in any order"},
        {MADE COUNTED, LINES(REFERS), true, "keys of the server are looked up"},
        {MINTED COUNTED, LINES(REFERS), false, "minted keys are minted once more"},
        {MINTED COUNTED, LINES(AT_RANDOM), true, "minted keys out of order are looked up"},
    };

    for (size_t i = 0; i < ARRAY_LEN(CASES); i++) {
        Scenario *scenario = make_good(CASES[i].columns, CASES[i].column, PHASES);

        tap_ok(scenario->designs[0].children[0].columns[0].joined == CASES[i].joined,
               CASES[i].label);
        scenario_free(scenario);
    }
}

static void
test_numbers(void)
{
    Scenario *scenario = make_good(MINTED, LINES(MINTED), PHASES ", {`name`: `r`, `rows`: 10}");
    const Phase *phases = scenario->phases;
    const Column *own = &scenario->designs[0].columns[0];
    KeyParams first = column_key_params(own, phases, 0, 0, 5);
    KeyParams later = column_key_params(own, phases, 2, 0, 5);

    tap_u64(phases_rows(phases, 3, NULL), 20, "rows of the design's own table");
    tap_u64(phases_rows(phases, 3, "lines"), 10, "rows of its child");
    tap_u64(later.clock.start_ns - first.clock.start_ns, 10 * first.clock.step_ns,
            "a clock does not go on while another table is filled");
    scenario_free(scenario);
}

int
main(void)
{
    for (size_t i = 0; i < ARRAY_LEN(REFUSED); i++)
        check_child_refused(&REFUSED[i]);
    test_type();
    test_joined();
    test_numbers();
    return tap_done();
}
