#include "unit/test_scenario_help.h"

static const RefusedCase DESIGNS[] = {
    {"`primary_key`: `id`, `columns`: [\n    {`name`: `id`, `source`: `identity`",
     "`columns`: [\n    {`name`: `id`, `source`: `identity`",
     "7:3: designs[0]: key `primary_key` is missing", NULL, "no primary key"},
    {"{`name`: `a`, `primary_key`: `id`", "{`name`: `a`, `primary_key`: `ID`",
     "7:32: designs[0].primary_key: unknown column `ID`", "Allowed here: `id`, `n`, `fill`.",
     "a primary key that is no column"},
    {"{`name`: `a`, `primary_key`: `id`", "{`name`: `a`, `primary_key`: `fill`",
     "7:32: designs[0].primary_key: a filler is not unique, so it cannot be a primary key", NULL,
     "a filler as primary key"},
    {"{`name`: `a`, ", "{`name`: `b`, ", "12:12: designs[1].name: `b` is there twice", NULL,
     "two designs of one name"},
    {"{`name`: `a`, ", "{`name`: `a`, `key_fillfactor`: 9, ",
     "7:35: designs[0].key_fillfactor: must be a whole number from 10 to 100", NULL,
     "a fillfactor that is too small"},
    {"{`name`: `a`, ", "{`name`: `a`, `table_fillfactor`: 101, ",
     "7:37: designs[0].table_fillfactor: must be a whole number from 10 to 100", NULL,
     "a fillfactor that is too large"},
    {"{`name`: `a`, ", "{`name`: `a`, `tolerance_pct`: 101, ",
     "7:34: designs[0].tolerance_pct: must be from 0 to 100", NULL, "a tolerance above all"},
    {"{`name`: `a`, ", "{`name`: `a`, `tolerance_pct`: `1%`, ",
     "7:34: designs[0].tolerance_pct: must be a number", NULL, "a tolerance that is a text"},
    {"{`name`: `a`, ", "{`name`: `a`, `tolerance_pct`: {`leaf_pages`: -1}, ",
     "7:49: designs[0].tolerance_pct.leaf_pages: must be from 0 to 100", NULL,
     "a tolerance below nothing"},
    {"{`name`: `a`, ", "{`name`: `a`, `tolerance_pct`: {`leaf_page`: 1}, ",
     "7:35: designs[0].tolerance_pct.leaf_page: unknown key", "Did you mean `leaf_pages`?",
     "a tolerance of no metric"},
    {"{`name`: `a`, ", "{`name`: `a`, `table`: `x`, ", "7:17: designs[0].table: unknown key",
     "Allowed here: `name`, `title`, `primary_key`, `table_fillfactor`, `key_fillfactor`, "
     "`columns`, `indexes`, `featured_index`, `tolerance_pct`, `children`.",
     "an unknown key of a design"},
    {"[\n    {`name`: `id`, `source`: `keybench`, `format`: `uuidv4`}]", "[]",
     "14:49: designs[2].columns: must not be empty", NULL, "no columns"},
    {"{`name`: `n`, `source`", "{`name`: `id`, `source`",
     "9:14: designs[0].columns[1].name: `id` is there twice", NULL, "two columns of one name"},
    {"{`name`: `n`, `source`", "{`name`: ``, `source`",
     "9:14: designs[0].columns[1].name: must not be empty", NULL, "an empty name of a column"},
    {"{`name`: `n`, `source`", "{`name`: `n\\u0000`, `source`",
     "9:16: \\u0000 cannot be part of a string", NULL, "a zero in a column's name"},
    {"{`name`: `n`, `source`", "{`name`: `n\\u007f`, `source`",
     "9:14: designs[0].columns[1].name: control characters in a text", NULL,
     "a control character in a column's name"},
    {"{`name`: `n`, `source`",
     "{`name`: `nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn`, `source`",
     "9:14: designs[0].columns[1].name: longer than 63 bytes", NULL,
     "a name that the server would cut"},
    {"{`name`: `n`, `source`", "{`name`: `ctid`, `source`",
     "9:14: designs[0].columns[1].name: `ctid` is a system column of every table", NULL,
     "a name that the server keeps for itself"},
    {"{`name`: `n`, `source`: `row_number`, `type`: `integer`}", "{`name`: `n`, `type`: `integer`}",
     "9:5: designs[0].columns[1]: key `source` is missing", NULL, "no source"},
    {"`source`: `row_number`", "`source`: `rownumber`",
     "9:29: designs[0].columns[1].source: unknown source `rownumber`", "Did you mean `row_number`?",
     "an unknown source"},
    {"`source`: `row_number`", "`source`: `row_number`, `bytes`: 4",
     "9:43: designs[0].columns[1].bytes: unknown key", "Allowed here: `name`, `source`, `type`.",
     "a key of another source"},
    {"`source`: `row_number`", "`source`: `row_number`, `default`: 4",
     "9:43: designs[0].columns[1].default: unknown key",
     "Allowed here: `name`, `source`, `format`, `form`, `prefix`, `alphabet`, `length`, "
     "`epoch_ms`, `machine`, `nodes`, `node_skew_ms`, `ids_per_ms`, `clocks`, `hash_name`, "
     "`switches`, `type`, "
     "`generator`, `fallback`, `bytes`, `foreign_key`, `pick`, `per_parent`.",
     "a key of no source"},
    {"`source`: `row_number`, `type`: `integer`", "`source`: `row_number`, `type`: `numeric`",
     "9:51: designs[0].columns[1].type: unknown type `numeric`",
     "Allowed here: `bigint`, `integer`, `smallint`.", "a type that does not count rows"},
    {"`source`: `row_number`, `type`: `integer`", "`source`: `row_number`",
     "9:5: designs[0].columns[1]: key `type` is missing", NULL, "no type"},
    {"`source`: `identity`, `type`: `bigint`", "`source`: `identity`, `type`: `smallint`",
     "8:50: designs[0].columns[0].type: unknown type `smallint`",
     "Allowed here: `bigint`, `integer`.", "an identity that is too small for the server"},
    {"`type`: `uuid`", "`type`: `uuid; drop table x`",
     "13:48: designs[1].columns[0].type: unknown type `uuid; drop table x`",
     "Allowed here: `uuid`, `text`.", "SQL for a type"},
    {"`type`: `uuid`", "`type`: `text`",
     "13:48: designs[1].columns[0].type: generator `uuidv7` gives values of type `uuid`", NULL,
     "a type that the generator does not give"},
    {"`generator`: `uuidv7`", "`generator`: `now()`",
     "13:69: designs[1].columns[0].generator: unknown generator `now()`",
     "Allowed here: `gen_random_uuid`, `uuidv4`, `uuidv7`, `typeid`.", "SQL for a generator"},
    {", `generator`: `uuidv7`", "", "13:5: designs[1].columns[0]: key `generator` is missing", NULL,
     "no generator"},
    {"`generator`: `uuidv7`", "`generator`: `uuidv7`, `fallback`: `uuidv77`",
     "13:91: designs[1].columns[0].fallback: unknown key format `uuidv77`",
     "Did you mean `uuidv7`?", "an unknown fallback"},
    {"`generator`: `uuidv7`", "`generator`: `uuidv7`, `fallback`: `nanoid`",
     "13:91: designs[1].columns[0].fallback: key format `nanoid` has no form of type `uuid`", NULL,
     "a fallback of another type"},
    {"`bytes`: 400", "`bytes`: -1",
     "10:67: designs[0].columns[2].bytes: must be a whole number from 0 to 1000000", NULL,
     "a filler of less than no bytes"},
    {"`bytes`: 400", "`bytes`: 1000001",
     "10:67: designs[0].columns[2].bytes: must be a whole number from 0 to 1000000", NULL,
     "a filler that is too long"},
    {", `bytes`: 400", "", "10:5: designs[0].columns[2]: key `bytes` is missing", NULL,
     "a filler of unknown length"},
    {"`type`: `text`", "`type`: `uuid`", "10:50: designs[0].columns[2].type: unknown type `uuid`",
     "Allowed here: `text`, `bytea`.", "a filler of another type"},
    {"`format`: `uuidv4`", "`format`: `guid`",
     "15:52: designs[2].columns[0].format: unknown key format `guid`",
     "Allowed here: `bigint`, `uuidv4`, `uuidv7`, `ulid`, `ksuid`, `snowflake`, `nanoid`, "
     "`typeid`, `sqids`, `uuidv7-counter`, `uuidv7-ms`, `ulid-monotonic`, `uuidv1`, "
     "`uuidv1-swapped`, `uuidv6`, `uuidv3`, `uuidv5`, `uuidv8`, `comb`.",
     "an unknown format"},
    {", `format`: `uuidv4`", "", "15:5: designs[2].columns[0]: key `format` is missing", NULL,
     "no format"},
    {"`format`: `uuidv4`", "`format`: `uuidv4`, `form`: `bigint`",
     "15:70: designs[2].columns[0].form: unknown form `bigint`",
     "Allowed here: `uuid`, `bytea`, `text-c`, `text-icu`, `varchar`, `char`, `numeric`.",
     "a form that the format does not have"},
    {"`format`: `uuidv4`", "`format`: `uuidv4`, `type`: `uuid`",
     "15:62: designs[2].columns[0].type: unknown key",
     "Allowed here: `name`, `source`, `format`, `form`, `prefix`, `alphabet`, `length`, "
     "`epoch_ms`, `machine`, `nodes`, `node_skew_ms`, `ids_per_ms`, `clocks`, `hash_name`, "
     "`switches`.",
     "a type beside a form"},
    {"`format`: `uuidv4`", "`format`: `typeid`, `prefix`: `Prj`",
     "15:5: designs[2].columns[0]: prefix `Prj`: character 1 does not fit",
     "A prefix has 1 to 63 characters a to z, with `_` inside only (TypeID's rules).",
     "a prefix that TypeID does not allow"},
    {"`format`: `uuidv4`", "`format`: `uuidv4`, `machine`: 0",
     "15:73: designs[2].columns[0].machine: format `uuidv4` takes no machine", NULL,
     "a parameter that would change nothing"},
    {"`format`: `uuidv4`", "`format`: `nanoid`, `length`: 65",
     "15:5: designs[2].columns[0]: NanoID length 65 is too long", "The length is 1 to 64.",
     "a NanoID that is too long"},
    {"`format`: `uuidv4`", "`format`: `nanoid`, `length`: 256",
     "15:72: designs[2].columns[0].length: must be a whole number from 1 to 255", NULL,
     "a length beyond all formats"},
    {"`format`: `uuidv4`", "`format`: `nanoid`, `alphabet`: `aa`",
     "15:5: designs[2].columns[0]: NanoID alphabet: byte 2 repeats an earlier one",
     "An alphabet has at least 2 different characters of printable ASCII, no blank.",
     "an alphabet with doubles"},
    {"`format`: `uuidv4`", "`format`: `snowflake`, `machine`: 1024",
     "15:76: designs[2].columns[0].machine: must be a whole number from 0 to 1023", NULL,
     "a machine beyond ten bits"},
    {"`format`: `uuidv4`", "`format`: `snowflake`, `epoch_ms`: 1735689600001",
     "15:5: designs[2].columns[0]: Snowflake cannot hold a time of 1735689600000 ms since 1970",
     "Its times start at 1735689600001 ms and go on for 2199023255552 ms.",
     "an epoch after the first id"},
    {"`format`: `uuidv4`", "`format`: `uuidv7`, `nodes`: 65",
     "15:71: designs[2].columns[0].nodes: must be a whole number from 1 to 64", NULL,
     "too many nodes"},
    {"`format`: `uuidv4`", "`format`: `uuidv7`, `node_skew_ms`: 86400001",
     "15:78: designs[2].columns[0].node_skew_ms: must be a whole number from 0 to 86400000", NULL,
     "clocks more than a day apart"},
    {"`format`: `uuidv4`", "`format`: `uuidv7`, `ids_per_ms`: 0",
     "15:76: designs[2].columns[0].ids_per_ms: must be a whole number from 1 to 1000000", NULL,
     "a clock that does not move"},
    {"`columns`: [`n`]", "`columns`: []", "11:44: designs[0].indexes[0].columns: must not be empty",
     NULL, "an index of no columns"},
    {"`columns`: [`n`]", "`columns`: [`m`]",
     "11:45: designs[0].indexes[0].columns[0]: unknown column `m`",
     "Allowed here: `id`, `n`, `fill`.", "an index of an unknown column"},
    {"`columns`: [`n`]", "`columns`: [`n`, `n`]",
     "11:50: designs[0].indexes[0].columns[1]: `n` is there twice", NULL,
     "an index of one column twice"},
    {"`columns`: [`n`]", "`columns`: [1]",
     "11:45: designs[0].indexes[0].columns[0]: must be a string, not a number", NULL,
     "a number as column"},
    {"`columns`: [`n`]", "`columns`: `n`",
     "11:44: designs[0].indexes[0].columns: must be an array, not a string", NULL,
     "a string as list of columns"},
    {"`unique`: true", "`unique`: 1",
     "11:61: designs[0].indexes[0].unique: must be true or false, not a number", NULL,
     "a number as boolean"},
    {"`unique`: true", "`fillfactor`: 5",
     "11:65: designs[0].indexes[0].fillfactor: must be a whole number from 10 to 100", NULL,
     "a fillfactor of an index that is too small"},
    {"`unique`: true", "`using`: `hash`", "11:51: designs[0].indexes[0].using: unknown key",
     "Allowed here: `name`, `columns`, `unique`, `fillfactor`, `copies`.",
     "an unknown key of an index"},
    {"`unique`: true", "`copies`: 0",
     "11:61: designs[0].indexes[0].copies: must be a whole number from 1 to 32", NULL,
     "an index that is not there"},
    {"{`name`: `by_n`, `columns`: [`n`], `unique`: true}",
     "{`name`: `x`, `columns`: [`n`]}, {`name`: `x`, `columns`: [`n`]}",
     "11:58: designs[0].indexes[1].name: `x` is there twice", NULL, "two indexes of one name"},
    {"`name`: `by_n`", "`name`: `a`",
     "11:25: designs[0].indexes[0].name: `a` is the name of the design's table", NULL,
     "an index with the table's name"},
    {"`name`: `by_n`", "`name`: `a_pkey`",
     "11:25: designs[0].indexes[0].name: `a_pkey` is the name of the design's primary key", NULL,
     "an index with the primary key's name"},
};

static const RefusedCase ROW_COUNTS[] = {
    {"`rows`: 100}", "`rows`: 2147483548}",
     "9:51: designs[0].columns[1].type: `integer` counts to 2147483647, but the phases insert "
     "2147483648 rows",
     NULL, "more rows than an integer counts"},
};

static void
test_copies(void)
{
    static const char *const NAMES[] = {"by_n", "by_n_2", "by_n_3"};
    Text text = {0};
    Scenario *scenario = NULL;
    Diag diag = {0};

    change_base("`unique`: true", "`copies`: 3", &text);
    tap_u64(parse_text(&text, &scenario, &diag), STATUS_OK, "an index in three copies");
    tap_u64(scenario->designs[0].index_count, ARRAY_LEN(NAMES), "  makes three indexes");
    for (size_t i = 0; i < ARRAY_LEN(NAMES); i++)
        tap_text(scenario->designs[0].indexes[i].name, NAMES[i], "  each with a name of its own");
    tap_text(scenario->designs[0].indexes[2].columns[0], "n", "  of the same columns");
    scenario_free(scenario);
    text_release(&text);
}

int
main(void)
{
    for (size_t i = 0; i < ARRAY_LEN(DESIGNS); i++)
        check_refused(&DESIGNS[i]);
    for (size_t i = 0; i < ARRAY_LEN(ROW_COUNTS); i++)
        check_refused(&ROW_COUNTS[i]);
    test_copies();
    return tap_done();
}
