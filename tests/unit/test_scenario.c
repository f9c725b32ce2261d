#include "unit/test_scenario_help.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/mem.h"

#include <cjson/cJSON.h>
#include <unistd.h>

/* Parse the good scenario with one change; aborts the test when it is refused. */
static Scenario *
parse_changed(const char *from, const char *to)
{
    Scenario *scenario = NULL;
    Text text = {0};
    Diag diag = {0};

    change_base(from, to, &text);
    if (parse_text(&text, &scenario, &diag) != STATUS_OK)
        BUG("%s: %s", to, diag.message);
    text_release(&text);
    return scenario;
}

static void
test_head(void)
{
    Scenario *scenario =
        parse_changed("`seed`: 13", "`seed`: 13, `repeats`: 3, `title`: `T \xc3\xa9`, "
                                    "`description`: `D`, `$schema`: `s`");

    tap_text(scenario->name, "base", "name");
    tap_text(scenario->title, "T \xc3\xa9", "title");
    tap_text(scenario->description, "D", "description");
    tap_u64(scenario->seed, 13, "seed");
    tap_u64(scenario->repeats, 3, "repeats");
    tap_u64(scenario->setting_count, 1, "one setting");
    tap_text(scenario->settings[0].name, "shared_buffers", "its name");
    tap_text(scenario->settings[0].value, "128MB", "its value");
    tap_u64(strlen(scenario->sha256), 64, "SHA-256 in hexadecimal");
    tap_contains(scenario->text,
                 "{\"format\":\"keybench-scenario/1\",\"name\":\"base\",\"seed\":13,",
                 "the text, compact");
    scenario_free(scenario);
    scenario_free(NULL);
}

static void
test_head_defaults(void)
{
    Scenario *scenario = parse_changed(" `settings`: {`shared_buffers`: `128MB`},\n", "");

    tap_text(scenario->title, "base", "the title is the name");
    tap_text(scenario->description, "", "no description");
    tap_u64(scenario->repeats, 1, "one repeat");
    tap_u64(scenario->setting_count, 0, "no settings");
    scenario_free(scenario);
}

static void
test_sha256(void)
{
    Scenario *scenario = NULL;
    Text text = {0};
    Diag diag = {0};

    change_base("base", "base", &text);
    tap_u64(parse_text(&text, &scenario, &diag), STATUS_OK, "the good scenario");
    tap_text(scenario->sha256, "944ed35de494a5f9d92ce099f2d5d8900bfc2cfce1c94a77fb84460da97e484c",
             "sha256sum of its bytes");
    scenario_free(scenario);
    text_release(&text);
}

static void
test_phases(void)
{
    Scenario *scenario = parse_changed("`rows`: 100}", "`rows`: 1e2, `title`: `P`, `batches`: 4}");
    const Phase *p = scenario_find_phase(scenario, "p"), *q = scenario_find_phase(scenario, "q");

    tap_ok(p == &scenario->phases[0] && q == &scenario->phases[1], "phases by name");
    tap_ok(scenario_find_phase(scenario, "r") == NULL, "there is no phase r");
    tap_u64(p->rows, 100, "a whole number may be written with an exponent");
    tap_text(p->title, "P", "title");
    tap_text(q->title, "q", "a title that is the name");
    tap_u64(p->batches_per_checkpoint, 1, "a checkpoint before each batch by default");
    tap_u64(phase_rows_per_checkpoint(p), 25, "rows of a batch between checkpoints");
    tap_u64(q->batches_per_checkpoint, q->batch_count, "a checkpoint before the phase");
    tap_u64(phase_rows_per_checkpoint(q), 100, "rows of the phase between checkpoints");
    scenario_free(scenario);

    scenario = parse_changed("`checkpoint`: `phase`", "`checkpoint`: `none`");
    tap_u64(scenario->phases[0].batch_count, 1, "one batch by default");
    tap_u64(phase_rows_per_checkpoint(&scenario->phases[1]), 0, "no checkpoints");
    scenario_free(scenario);
}

static void
test_design(void)
{
    Scenario *scenario =
        parse_changed("{`name`: `a`, `primary_key`: `id`",
                      "{`name`: `a`, `title`: `A`, `primary_key`: `n`, `table_fillfactor`: 70, "
                      "`key_fillfactor`: 10");
    const Design *design = scenario_find_design(scenario, "a");

    tap_ok(design == &scenario->designs[0], "a design by name");
    tap_ok(scenario_find_design(scenario, "A") == NULL, "names have one case");
    tap_text(design->title, "A", "title");
    tap_text(scenario->designs[1].title, "b", "a title that is the name");
    tap_u64(design->column_count, 3, "columns");
    tap_u64(design->key_column, 1, "the primary key is the second");
    tap_u64((uint64_t)design->table_fillfactor, 70, "fillfactor of the table");
    tap_u64((uint64_t)design->key_fillfactor, 10, "fillfactor of the key");
    tap_u64((uint64_t)scenario->designs[1].key_fillfactor, 0, "no fillfactor");
    tap_u64(design->columns[0].source, COLUMN_IDENTITY, "an identity");
    tap_text(design->columns[0].type, "bigint", "its type");
    tap_u64(design->columns[1].source, COLUMN_ROW_NUMBER, "a row number");
    tap_u64(design->columns[2].source, COLUMN_FILLER, "a filler");
    tap_u64(design->columns[2].filler_bytes, 400, "its bytes");
    tap_u64(design->index_count, 1, "one index");
    tap_text(design->indexes[0].name, "by_n", "its name");
    tap_ok(design->indexes[0].unique, "it is unique");
    tap_u64(design->indexes[0].column_count, 1, "its columns");
    tap_text(design->indexes[0].columns[0], "n", "the first of them");
    tap_u64((uint64_t)design->indexes[0].fillfactor, 0, "the server's fillfactor");
    scenario_free(scenario);
}

static void
test_names(void)
{
    Scenario *scenario = parse_changed("`name`: `by_n`", "`name`: `By \\`N\\` \xc3\xa9; --`");

    tap_text(scenario->designs[0].indexes[0].name, "By \"N\" \xc3\xa9; --",
             "an index may have any printable name");
    scenario_free(scenario);

    scenario = parse_changed("`name`: `by_n`", "`name`: `a_pkey2`");
    tap_text(scenario->designs[0].indexes[0].name, "a_pkey2", "also one near the primary key's");
    scenario_free(scenario);
}

static void
test_server_column(void)
{
    Scenario *scenario =
        parse_changed("`generator`: `uuidv7`", "`generator`: `uuidv7`, `fallback`: `uuidv7-ms`");
    const Column *column = &scenario->designs[1].columns[0];

    tap_u64(column->source, COLUMN_SERVER, "from the server");
    tap_ok(column->generator == generator_find("uuidv7"), "by uuidv7");
    tap_text(column->generator->sql, "pg_catalog.uuidv7()", "in SQL");
    tap_u64((uint64_t)column->generator->min_major, 18, "from 18 on");
    tap_ok(column->fallback && column->format == key_format_find("uuidv7-ms"), "the fallback");
    tap_text(column->form->name, "uuid", "the form of the column's type");
    tap_text(column->type, "uuid", "type");
    tap_ok(column->collation == NULL, "no collation");
    scenario_free(scenario);

    scenario = parse_changed("base", "base");
    column = &scenario->designs[1].columns[0];
    tap_ok(!column->fallback && column->format == NULL, "no fallback");
    tap_ok(generator_find("now") == NULL, "there is no generator now");
    scenario_free(scenario);
}

static void
test_minted_column(void)
{
    Scenario *scenario = parse_changed(
        "`format`: `uuidv4`",
        "`format`: `nanoid`, `length`: 10, `form`: `char`, `nodes`: 3, `node_skew_ms`: 5, "
        "`ids_per_ms`: 100, `alphabet`: `abcd`");
    const Column *column = &scenario->designs[2].columns[0];
    KeyParams params = column_key_params(column, scenario->phases, 0, 0, scenario->seed);

    tap_u64(column->source, COLUMN_KEYBENCH, "minted by keybench");
    tap_ok(column->format == key_format_find("nanoid"), "its format");
    tap_text(column->type, "char(10)", "the type follows from form and length");
    tap_text(column->collation, "C", "and so does the collation");
    tap_u64(column->ids_per_ms, 100, "pace");
    tap_ok(params.seeded && params.seed == 13, "ids come from the seed");
    tap_u64(params.clock.mode, KEY_CLOCK_STEP, "by a clock of their own");
    tap_u64(params.clock.start_ns, UINT64_C(1735689600000000000), "that starts in 2025");
    tap_u64(params.clock.step_ns, 10000, "and makes a step for each id");
    tap_u64(params.length, 10, "length");
    tap_u64(params.node_count, 3, "nodes");
    tap_u64(params.node_skew_ns, 5 * NS_PER_MS, "skew");
    tap_text(params.alphabet, "abcd", "alphabet");
    scenario_free(scenario);

    scenario =
        parse_changed("`format`: `uuidv4`", "`format`: `snowflake`, `machine`: 7, `epoch_ms`: 8");
    column = &scenario->designs[2].columns[0];
    tap_u64(column->params.machine, 7, "machine");
    tap_u64((uint64_t)column->params.epoch_ms, 8, "epoch");
    scenario_free(scenario);

    scenario =
        parse_changed("`format`: `uuidv4`", "`format`: `bigint`, `machine`: 9, "
                                            "`switches`: [{`phase`: `q`, `format`: `snowflake`}]");
    tap_u64(scenario->designs[2].columns[0].params.machine, 9, "for what it switches to");
    scenario_free(scenario);

    scenario = parse_changed("`format`: `uuidv4`", "`format`: `uuidv5`, `hash_name`: `h`");
    tap_text(scenario->designs[2].columns[0].params.name, "h", "name");
    scenario_free(scenario);

    scenario = parse_changed("`format`: `uuidv4`", "`format`: `typeid`, `prefix`: `prj`");
    column = &scenario->designs[2].columns[0];
    tap_text(column->form->name, column->format->forms[0].name, "the first form by default");
    tap_u64(column->ids_per_ms, 1, "one id a millisecond by default");
    tap_text(column->params.prefix, "prj", "prefix");
    scenario_free(scenario);
}

static void
test_figures(void)
{
    Scenario *scenario = parse_changed(
        "`value`: 2, `unit`: `MB`, `source`: `s`}",
        "`value`: 129.9, `unit`: `MB`, `source`: `s`}, {`design`: `a`, `phase`: `q`, "
        "`metric`: `wal_bytes`, `batch`: 10, `value`: 7, `unit`: `bytes`, `source`: `t`}");
    const Reference *reference = scenario_find_reference(scenario, "a", "p", METRIC_WAL_BYTES);
    const Bound *bound = &scenario->bounds[0];

    tap_u64(scenario->reference_count, 2, "references");
    tap_ok(reference == &scenario->references[0], "the one of a phase");
    tap_near(reference->value, 136210022, 0, "in whole bytes");
    tap_text(reference->source, "s", "its source");
    tap_u64(scenario->references[1].batch, 10, "the one of a batch");
    tap_near(scenario->references[1].value, 7, 0, "its value");
    tap_ok(scenario_find_reference(scenario, "a", "q", METRIC_WAL_BYTES) == NULL,
           "is none of the phase");
    tap_text(bound->over_design, "a", "a ratio's other design");
    tap_text(bound->over_phase, "p", "its phase is the same by default");
    tap_near(bound->min, 1, 0, "its least");
    tap_ok(isinf(bound->max) && bound->max > 0, "is open above");
    tap_ok(isnan(bound->within_pct), "and not about a reference");
    scenario_free(scenario);
}

static void
test_bounds(void)
{
    Scenario *scenario =
        parse_changed("`over_design`: `a`, `min`: 1", "`max`: 7, `scope`: `each_batch`");
    const Bound *bound = &scenario->bounds[0];

    tap_u64(bound->scope, BOUND_EACH_BATCH, "each batch");
    tap_ok(bound->over_design == NULL && bound->over_phase == NULL, "no ratio");
    tap_ok(isinf(bound->min) && bound->min < 0, "open below");
    tap_near(bound->max, 7, 0, "its most");
    scenario_free(scenario);

    scenario = parse_changed("`design`: `b`, `phase`: `p`, `metric`: `wal_bytes`, "
                             "`over_design`: `a`, `min`: 1",
                             "`design`: `a`, `phase`: `p`, `metric`: `wal_bytes`, "
                             "`within_pct`: 0");
    bound = &scenario->bounds[0];
    tap_near(bound->within_pct, 0, 0, "exactly as published");
    tap_u64(bound->scope, BOUND_TOTAL, "the total");
    scenario_free(scenario);
}

static void
test_views(void)
{
    Scenario *scenario = parse_changed(
        "{`name`: `w`, `kind`: `bars`, `phase`: `p`, `metrics`: [`wal_bytes`]}",
        "{`name`: `w`, `kind`: `bars`, `phase`: `p`, `metrics`: [`wal_bytes`, `heap_bytes`]}, "
        "{`name`: `b`, `kind`: `batches`, `phase`: `q`, `metrics`: [`fpi_count`]}, "
        "{`name`: `k`, `kind`: `wal_kinds`, `phase`: `q`}");

    tap_u64(scenario->table_count, 1, "tables");
    tap_text(scenario->tables[0].title, "q", "a table's title is that of its phase by default");
    tap_u64(scenario->tables[0].metric_count, 2, "its metrics");
    tap_u64(scenario->tables[0].metrics[1], METRIC_LEAF_PAGES, "in the file's order");
    tap_u64(scenario->chart_count, 3, "charts");
    tap_u64(scenario->charts[0].metrics[1], METRIC_HEAP_BYTES, "two metrics");
    tap_u64(scenario->charts[1].kind, CHART_BATCHES, "a chart of batches");
    tap_u64(scenario->charts[1].metrics[1], METRIC_COUNT, "one metric");
    tap_u64(scenario->charts[2].kind, CHART_WAL, "a chart of WAL by kind");
    tap_u64(scenario->charts[2].metrics[0], METRIC_COUNT, "no metric");
    scenario_free(scenario);
}

static void
test_view_defaults(void)
{
    Scenario *scenario =
        parse_changed(" `tables`: [{`phase`: `q`, `metrics`: [`wal_bytes`, `leaf_pages`]}],\n", "");

    tap_u64(scenario->table_count, 2, "without tables: one a phase");
    tap_text(scenario->tables[1].phase, "q", "in order");
    tap_u64(scenario->tables[1].metric_count, 5, "of five metrics");
    scenario_free(scenario);

    scenario = parse_changed("[{`phase`: `q`, `metrics`: [`wal_bytes`, `leaf_pages`]}]", "[]");
    tap_u64(scenario->table_count, 0, "an empty list of tables: none");
    scenario_free(scenario);
}

/* Refuse the good scenario with many numbered items behind `from`. */
static void
check_too_many(const char *from, const char *before, const char *after, int count,
               const char *message)
{
    Scenario *scenario = NULL;
    Text items = {0}, text = {0};
    Diag diag = {0};

    text_add(&items, from);
    for (int i = 0; i < count; i++)
        text_printf(&items, "%s%04d%s", before, i, after);
    change_base(from, items.data, &text);
    tap_u64(parse_text(&text, &scenario, &diag), STATUS_SCENARIO, message);
    tap_contains(diag.message, message, "  its message");
    text_release(&text);
    text_release(&items);
}

static void
test_limits(void)
{
    check_too_many("`phases`: [", "{`name`: `p", "`, `rows`: 1},", 63,
                   "phases: 65 items, but at most 64 are allowed");
    check_too_many("`shared_buffers`: `", "", "", 300,
                   "settings.shared_buffers: longer than 1000 bytes");
}

/* Every reference to a column, design or phase is found by name, whatever stands first in the file.
 */
static void
test_order(void)
{
    static const char TEXT[] =
        "{\"bounds\": [{\"name\": \"x\", \"design\": \"a\", \"phase\": \"p\", \"metric\": "
        "\"rows\", \"min\": 0}], \"phases\": [{\"rows\": 5, \"name\": \"p\"}], \"designs\": "
        "[{\"indexes\": [{\"columns\": [\"id\"], \"name\": \"i\"}], \"columns\": [{\"type\": "
        "\"integer\", \"source\": \"identity\", \"name\": \"id\"}], \"primary_key\": \"id\", "
        "\"name\": \"a\"}], \"seed\": 0, \"name\": \"x\", \"format\": \"keybench-scenario/1\"}";
    Scenario *scenario = NULL;
    Diag diag = {0};

    tap_u64(scenario_parse("f.json", TEXT, strlen(TEXT), &scenario, &diag), STATUS_OK,
            "the parts in any order");
    tap_text(diag.message, "", "  without complaint");
    scenario_free(scenario);
}

static void
test_installed(void)
{
    static const char *const NAMES[] = {"table-13-1", "table-13-1-quick", "minted-quick"};

    setenv("KEYBENCH_DATA", ".", 1);
    for (size_t i = 0; i < ARRAY_LEN(NAMES); i++) {
        Scenario *scenario = NULL;
        Diag diag = {0};

        tap_u64(scenario_load(NAMES[i], &scenario, &diag), STATUS_OK, NAMES[i]);
        tap_text(diag.message, "", "  without complaint");
        tap_text(scenario != NULL ? scenario->name : NULL, NAMES[i], "  has its file's name");
        scenario_free(scenario);
    }
}

static void
test_load(void)
{
    char path[] = "/tmp/keybench-test.XXXXXX";
    Text text = {0};
    Scenario *scenario = NULL;
    Diag diag = {0};

    tap_u64(scenario_load("scenarios/table-13-1.json", &scenario, &diag), STATUS_OK, "a path");
    scenario_free(scenario);
    scenario = NULL;
    tap_u64(scenario_load("no-such", &scenario, &diag), STATUS_USAGE, "an unknown name");
    tap_text(diag.message, "no scenario \"no-such\"", "  its message");
    tap_u64(scenario_load("no-such.json", &scenario, &diag), STATUS_USAGE,
            "a file that is nowhere");
    tap_text(diag.message, "no file \"no-such.json\"", "  its message");
    tap_text(diag.hint, "Run \"keybench list\" for the scenarios, or name a file.", "  its hint");
    tap_u64(scenario_load("scenarios/", &scenario, &diag), STATUS_IO, "a folder");
    tap_u64(scenario_load("src", &scenario, &diag), STATUS_USAGE, "a folder of that name");
    tap_text(diag.message, "no scenario \"src\"", "  does not stand for the scenario");
    for (int i = 0; i <= SCENARIO_FILE_MAX_BYTES; i++)
        text_add(&text, " ");
    close(mkstemp(path));
    tap_u64(file_write_atomic(path, text.data, text.length, &diag), STATUS_OK, "a long file");
    tap_u64(scenario_load(path, &scenario, &diag), STATUS_USAGE, "is refused");
    tap_contains(diag.message, "is longer than 1048576 bytes", "  its message");
    tap_ok(scenario == NULL, "nothing is given back");
    unlink(path);
    text_release(&text);
}

/* Whether the words of a list in the schema are those of our table, in its order. */
static bool
is_same_list(const cJSON *list, const char *const *words, size_t count)
{
    const cJSON *item = cJSON_GetObjectItem(list, "enum")->child;

    for (size_t i = 0; i < count; i++, item = item->next)
        if (item == NULL || strcmp(item->valuestring, words[i]) != 0)
            return false;
    return item == NULL;
}

/* The schema repeats some lists of the code. */
static void
test_schema(void)
{
    const char **formats = mem_new(KEY_FORMAT_COUNT, sizeof(*formats));
    const char *metrics[METRIC_COUNT];
    Text text = {0};
    Diag diag = {0};
    cJSON *schema, *parts;

    for (size_t i = 0; i < KEY_FORMAT_COUNT; i++)
        formats[i] = KEY_FORMATS[i]->name;
    for (size_t i = 0; i < METRIC_COUNT; i++)
        metrics[i] = METRICS[i].name;
    tap_u64(file_read("scenarios/keybench-scenario.schema.json", 1 << 20, &text, &diag), STATUS_OK,
            "the schema");
    schema = cJSON_Parse(text.data);
    parts = cJSON_GetObjectItem(schema, "$defs");
    tap_ok(is_same_list(cJSON_GetObjectItem(parts, "metric"), metrics, METRIC_COUNT),
           "it knows all metrics");
    tap_ok(is_same_list(cJSON_GetObjectItem(parts, "key_format"), formats, KEY_FORMAT_COUNT),
           "it knows all key formats");
    cJSON_Delete(schema);
    text_release(&text);
    free(formats);
}

/* Note a word that stands nowhere between backticks. */
static void
note_missing(const char *manual, const char *word, Text *missing)
{
    Text quoted = {0};

    text_printf(&quoted, "`%s`", word);
    if (strstr(manual, quoted.data) == NULL)
        text_printf(missing, " %s", word);
    text_release(&quoted);
}

/* The manual's example is a scenario, and it names every metric, generator and form. */
static void
test_manual(void)
{
    Text text = {0}, missing = {0};
    Scenario *scenario = NULL;
    Diag diag = {0};
    const char *start, *end;

    tap_u64(file_read("docs/scenario.md", 1 << 20, &text, &diag), STATUS_OK, "the manual");
    start = strstr(text_data(&text), "```json\n") + strlen("```json\n");
    end = strstr(start, "```");
    tap_u64(scenario_parse("f.json", start, (size_t)(end - start), &scenario, &diag), STATUS_OK,
            "its example");
    tap_text(diag.message, "", "  without complaint");
    for (size_t i = 0; i < METRIC_COUNT; i++)
        note_missing(text.data, METRICS[i].name, &missing);
    for (size_t i = 0; i < GENERATOR_COUNT; i++)
        note_missing(text.data, GENERATORS[i].name, &missing);
    for (size_t i = 0; i < KEY_FORMAT_COUNT; i++)
        for (size_t j = 0; j < KEY_FORMATS[i]->form_count; j++)
            note_missing(text.data, KEY_FORMATS[i]->forms[j].name, &missing);
    tap_text(text_data(&missing), "", "words that it lacks");
    scenario_free(scenario);
    text_release(&missing);
    text_release(&text);
}

int
main(void)
{
    test_head();
    test_head_defaults();
    test_sha256();
    test_phases();
    test_design();
    test_names();
    test_server_column();
    test_minted_column();
    test_figures();
    test_bounds();
    test_views();
    test_view_defaults();
    test_limits();
    test_order();
    test_installed();
    test_load();
    test_schema();
    test_manual();
    return tap_done();
}
