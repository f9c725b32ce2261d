/* Lists to axes, axes to points, and what is refused of them. */
#include "scenario/sweep.h"

#include "unit/test_scenario_help.h"

/* ---- Axes and points ---- */

/* Lists in settings, in a design, in the load of a phase and for the seed, and one key in two
 * phases. */
static const char EVERYWHERE[] =
    "{`format`: `keybench-scenario/1`, `name`: `s`, `seed`: [7, 8],"
    " `axes`: [{`name`: `bytes`, `title`: `bytes more a row`}],"
    " `settings`: {`wal_compression`: [`off`, `lz4`]}, `designs`: ["
    "{`name`: `a`, `primary_key`: `id`, `columns`: [{`name`: `id`, `source`: `keybench`, `format`: "
    "`uuidv7`}]}, {`name`: `b`, `primary_key`: `id`, `columns`: [{`name`: `id`, `source`: "
    "`identity`, `type`: `bigint`}, {`name`: `f`, `source`: `filler`, `type`: `text`, `bytes`: [0, "
    "50, 100]}], `indexes`: [{`name`: `i`, `columns`: [`id`, `f`]}]}], `phases`: ["
    "{`name`: `p`, `rows`: 100, `checkpoint`: [`none`, 100], `load`: {`method`: `insert`, "
    "`pipeline`: [true, false]}}, {`name`: `q`, `rows`: 100, `checkpoint`: [`none`, 100]}],"
    " `bounds`: [{`name`: `some`, `design`: `a`, `phase`: `p`, `metric`: `rows`, `min`: 1, `at`: "
    "{`seed`: 8, `wal_compression`: `lz4`, `pipeline`: false, `checkpoint`: 100}}, {`name`: `all`, "
    "`design`: `a`, `phase`: `p`, `metric`: `rows`, `min`: 1}]}";

/* Caller frees. */
static Sweep *
parse_good(const char *document)
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

static void
test_axes(void)
{
    static const struct {
        const char *name, *title, *values;
        bool of_a;
    } AXES[] = {
        {"wal_compression", "wal_compression", "off lz4", true},
        {"checkpoint", "checkpoint", "none 100", true},
        {"pipeline", "pipeline", "true false", true},
        {"seed", "seed", "7 8", true},
        {"bytes", "bytes more a row", "0 50 100", false},
    };
    Sweep *sweep = parse_good(EVERYWHERE);

    tap_u64(sweep->axis_count, ARRAY_LEN(AXES), "a list is an axis, two of one key are one");
    for (size_t i = 0; i < sweep->axis_count && i < ARRAY_LEN(AXES); i++) {
        const SweepAxis *axis = &sweep->axes[i];
        Text values = {0};

        for (size_t value = 0; value < axis->value_count; value++)
            text_printf(&values, "%s%s", value > 0 ? " " : "", axis->values[value]);
        tap_text(axis->name, AXES[i].name, "its key");
        tap_text(axis->title, AXES[i].title, "its title");
        tap_text(text_data(&values), AXES[i].values, "its values in the file's order");
        tap_ok(axis->concerns[0] == AXES[i].of_a, "whether it concerns the first design");
        tap_ok(axis->concerns[1], "it concerns the second");
        text_release(&values);
    }
    tap_ok(sweep_find_axis(sweep, "columns") == NULL, "columns of an index are none");
    sweep_free(sweep);
}

static void
test_points(void)
{
    Sweep *sweep = parse_good(EVERYWHERE);
    const SweepPoint *second = &sweep->points[1], *last = &sweep->points[47];
    const Scenario *scenario = last->scenario;

    tap_u64(sweep->point_count, 48, "2 x 2 x 2 x 2 x 3 points");
    tap_text(second->values[4].value, "50", "the last axis changes fastest");
    tap_text(second->values[3].value, "7", "and the others later");
    tap_u64(second->scenario->designs[1].columns[1].filler_bytes, 50, "a filler of one point");
    tap_u64(sweep_first(sweep)->designs[1].columns[1].filler_bytes, 0, "and of another");
    tap_text(scenario->settings[0].value, "lz4", "a setting");
    tap_u64(scenario->seed, 8, "a seed");
    tap_ok(!scenario->phases[0].load.pipeline, "a word of a phase's load");
    tap_ok(sweep_first(sweep)->phases[0].load.pipeline, "the other one");
    tap_u64(phase_rows_per_checkpoint(&scenario->phases[1]), 100,
            "both phases have the axis's value");
    tap_u64(phase_rows_per_checkpoint(&scenario->phases[0]), 100, "at once");
    tap_u64(scenario->bound_count, 2, "a bound at its point");
    tap_u64(sweep_first(sweep)->bound_count, 1, "not at others");
    tap_text(sweep_first(sweep)->bounds[0].name, "all", "where the one of all points is");
    tap_text(sweep_first(sweep)->text, scenario->text, "each point keeps the file's text");
    sweep_free(sweep);
}

/* A double's 17 digits are not those of the file, and 15 make these two one. */
static void
test_large_seeds(void)
{
    const SweepAxis *seeds;
    Text text = {0};
    Sweep *sweep;

    change_text(EVERYWHERE, "[7, 8]", "[7, 8, 9007199254740991, 9007199254740990]", &text);
    sweep = parse_good(text.data);
    seeds = sweep_find_axis(sweep, "seed");
    tap_text(seeds->values[2], "9007199254740991", "a whole number has all its digits");
    tap_text(seeds->values[3], "9007199254740990", "so two large ones differ");
    sweep_free(sweep);
    text_release(&text);
}

/* Of points that differ by the filler of b alone, a is measured at the first. */
static void
test_measures(void)
{
    Sweep *sweep = parse_good(EVERYWHERE);
    size_t of_a = 0, of_b = 0;

    for (size_t point = 0; point < sweep->point_count; point++) {
        of_a += sweep_measures(sweep, point, 0) ? 1 : 0;
        of_b += sweep_measures(sweep, point, 1) ? 1 : 0;
    }
    tap_u64(of_a, 16, "an axis of another design does not multiply a design's trials");
    tap_u64(of_b, 48, "but its own does");
    tap_ok(sweep_measures(sweep, 3, 0), "the first value of the axis is measured");
    tap_ok(!sweep_measures(sweep, 4, 0), "the second is not");
    sweep_free(sweep);
}

static void
test_point_json(void)
{
    Sweep *sweep = parse_good(EVERYWHERE);
    cJSON *root = sweep_point_json(sweep, &sweep->points[47]);
    char *text = cJSON_PrintUnformatted(root);

    tap_contains(text, "\"seed\":8,", "a point's seed in its JSON");
    tap_contains(text, "\"settings\":{\"wal_compression\":\"lz4\"}", "and its setting");
    tap_contains(text, "\"bytes\":100}", "and its filler");
    tap_ok(strstr(text, "[0,50,100]") == NULL, "in the lists' place");
    cJSON_free(text);
    cJSON_Delete(root);
    sweep_free(sweep);
}

static void
test_plain(void)
{
    Sweep *sweep = parse_good(BASE);

    tap_u64(sweep->axis_count, 0, "no lists, no axes");
    tap_u64(sweep->point_count, 1, "but a point");
    tap_ok(sweep_measures(sweep, 0, 2), "where all designs are measured");
    sweep_free(sweep);
}

/* ---- Refusals ---- */

typedef struct RefusedSweep {
    const char *from, *to; /* in the base scenario */
    const char *message;
    const char *context; /* at which point */
    const char *hint;
    const char *label;
} RefusedSweep;

#define TWO_ROWS "`rows`: 100},\n  {`name`: `q`, `rows`: 100"
#define BOUND "`over_design`: `a`, `min`: 1"
#define SEEDS "`seed`: 13"

#define TEN "xxxxxxxxxx"
#define HUNDRED TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN

static const RefusedSweep REFUSED[] = {
    {"`rows`: 100}", "`rows`: []}", "17:25: phases[0].rows: must be a number, not an array", "", "",
     "a list of nothing"},
    {"`bytes`: 400", "`bytes`: [400, 40, 400]",
     "10:77: designs[0].columns[2].bytes[2]: `400` is there twice", "", "", "a value twice"},
    {"`bytes`: 400", "`bytes`: [400, `400`]",
     "10:73: designs[0].columns[2].bytes[1]: `400` is there twice", "", "",
     "a value twice, once as a word"},
    {"`bytes`: 400", "`bytes`: [400, null]",
     "10:67: designs[0].columns[2].bytes: must be a number, not an array", "", "",
     "a list of more than single values"},
    {"`128MB`", "[`128MB`, `1,2`]",
     "5:43: settings.shared_buffers[1]: a swept value must be printable text of 1 to 100 bytes "
     "without `,;=`",
     "", "", "a value that --only could not name"},
    {"`128MB`", "[`128MB`, ``]",
     "5:43: settings.shared_buffers[1]: a swept value must be printable text of 1 to 100 bytes "
     "without `,;=`",
     "", "", "an empty value"},
    {"`128MB`", "[`128MB`, `" HUNDRED "x`]",
     "5:43: settings.shared_buffers[1]: a swept value must be printable text of 1 to 100 bytes "
     "without `,;=`",
     "", "", "a value of 101 bytes"},
    {TWO_ROWS, "`rows`: [100, 200]},\n  {`name`: `q`, `rows`: [100, 300]",
     "18:25: phases[1].rows: another list than before: lists under one key are one axis, so they "
     "must be equal",
     "", "", "two lists of one key"},
    {TWO_ROWS, "`rows`: [100, 200]},\n  {`name`: `q`, `rows`: [200, 100]",
     "18:25: phases[1].rows: another list than before: lists under one key are one axis, so they "
     "must be equal",
     "", "", "or in another order"},
    {"{`shared_buffers`: `128MB`}",
     "{`a`: [`1`], `b`: [`1`], `c`: [`1`], `d`: [`1`], `e`: [`1`], `f`: [`1`], `g`: [`1`], `h`: "
     "[`1`],\n `i`: [`1`]}",
     "6:7: settings.i: a list makes a sweep, and a sweep has at most 8 axes", "", "", "nine axes"},
    {"`name`: `a`", "`name`: [`a`, `d`]", "7:12: designs[0].name: must be a string, not an array",
     "", "", "names of a design"},
    {"`name`: `q`", "`name`: `q`, `title`: [`x`, `y`]",
     "18:26: phases[1].title: must be a string, not an array", "", "", "titles of a phase"},
    {SEEDS, "`seed`: 13, `repeats`: [1, 2]", "4:25: repeats: must be a number, not an array", "",
     "", "a list where there is none"},
    {"`rows`: 100}", "`rows`: [100, 0]}",
     "17:25: phases[0].rows: must be a whole number from 1 to 1000000000000", "at rows=0", "",
     "what one point alone does not take"},
    {SEEDS, "`seed`: [13, -1]", "4:10: seed: must be a whole number from 0 to 9007199254740992",
     "at seed=-1", "", "a seed that is none"},
    {"`bytes`: 400}],\n   `indexes`: [{`name`: `by_n`",
     "`bytes`: [1, -2]}],\n   `indexes`: [{`name`: `by_n`, `fillfactor`: [70, 80]",
     "10:67: designs[0].columns[2].bytes: must be a whole number from 0 to 1000000",
     "at bytes=-2, fillfactor=70", "", "one point of two axes"},
    {SEEDS, "`seed`: 13, `axes`: [{`name`: `rows`, `title`: `x`}]",
     "4:32: axes[0].name: no list stands under a key `rows`", "", "", "a title of no axis"},
    {SEEDS, "`seed`: [1, 2], `axes`: [{`name`: `seed`}]", "4:27: axes[0]: key `title` is missing",
     "", "", "an axis without a title"},
    {SEEDS, "`seed`: [1, 2], `axes`: [{`name`: `seed`, `title`: ``}]",
     "4:53: axes[0].title: must be printable text of 1 to 100 bytes", "", "", "an empty title"},
    {SEEDS, "`seed`: [1, 2], `axes`: [{`name`: `seed`, `title`: `x`, `unit`: `y`}]",
     "4:58: axes[0].unit: unknown key", "", "Allowed here: `name`, `title`.",
     "an unknown key of an axis"},
    {SEEDS,
     "`seed`: [1, 2], `axes`: [{`name`: `seed`, `title`: `x`}, {`name`: `seed`, `title`: `y`}]",
     "4:59: axes[1]: `seed` has a title already", "", "", "two titles of an axis"},
    {SEEDS, "`seed`: [1, 2], `axes`: {}", "4:26: axes: must be an array, not an object", "", "",
     "axes that are no list"},
};

/* With seeds 1 and 2, whose first point is where a wrong "at" is found. */
static const RefusedSweep PLACES[] = {
    {"`source`: `s`", "`source`: `s`, `at`: {`rows`: 100}",
     "20:112: references[0].at.rows: no list stands under a key `rows`", "at seed=1", "",
     "a reference on an axis that is none"},
    {BOUND, BOUND ", `at`: {`rows`: 100}",
     "24:114: bounds[0].at.rows: no list stands under a key `rows`", "at seed=1", "",
     "a bound on one"},
    {"`source`: `s`", "`source`: `s`, `at`: {`seed`: 3}",
     "20:112: references[0].at.seed: `3` is no value of `seed`", "at seed=1",
     "Allowed here: `1`, `2`.", "a reference at a value that its axis does not have"},
    {BOUND, BOUND ", `at`: {`seed`: 3}", "24:114: bounds[0].at.seed: `3` is no value of `seed`",
     "at seed=1", "Allowed here: `1`, `2`.", "a bound at one"},
    {BOUND, BOUND ", `at`: {`seed`: `1.0`}",
     "24:114: bounds[0].at.seed: `1.0` is no value of `seed`", "at seed=1",
     "Allowed here: `1`, `2`.", "a value written otherwise"},
    {BOUND, BOUND ", `at`: {`seed`: [1, 2]}",
     "24:114: bounds[0].at.seed: must be one value of a list", "at seed=1", "", "a list of values"},
    {BOUND, BOUND ", `at`: 1", "24:105: bounds[0].at: must be an object, not a number", "at seed=1",
     "", "a value of no axis"},
};

static void
check_refused_sweep(const char *base, const RefusedSweep *wrong)
{
    Text text = {0}, message = {0}, hint = {0};
    Sweep *sweep = NULL;
    Diag diag = {0};

    change_text(base, wrong->from, wrong->to, &text);
    text_printf(&message, "f.json:%s", wrong->message);
    text_add(&hint, wrong->hint);
    set_quotes(text.data);
    set_quotes(message.data);
    set_quotes(hint.data);
    tap_u64(sweep_parse("f.json", text.data, text.length, &sweep, &diag), STATUS_SCENARIO,
            wrong->label);
    tap_text(diag.message, message.data, "  its message");
    tap_text(diag.context, wrong->context, "  at which point");
    tap_text(diag.hint, hint.data, "  its hint");
    tap_ok(sweep == NULL, "  nothing is given back");
    sweep_free(sweep);
    text_release(&hint);
    text_release(&message);
    text_release(&text);
}

static void
test_refused(void)
{
    Text seeds = {0};

    for (size_t i = 0; i < ARRAY_LEN(REFUSED); i++)
        check_refused_sweep(BASE, &REFUSED[i]);
    change_text(BASE, SEEDS, "`seed`: [1, 2]", &seeds);
    for (size_t i = 0; i < ARRAY_LEN(PLACES); i++)
        check_refused_sweep(seeds.data, &PLACES[i]);
    text_release(&seeds);
}

/* "key": [1, 2, 3 ...] */
static void
add_list(Text *text, const char *key, size_t count)
{
    text_printf(text, "`%s`: [`1`", key);
    for (size_t value = 2; value <= count; value++)
        text_printf(text, ",`%zu`", value);
    text_add(text, "]");
}

static void
test_too_many(void)
{
    static const struct {
        size_t a, b;
        const char *message, *label;
    } CASES[] = {
        {1001, 1, "5:20: settings.a: 1001 values, but at most 1000 are allowed", "too many values"},
        {101, 100, "1:1: the lists make more than 10000 combinations", "too many points"},
    };

    for (size_t i = 0; i < ARRAY_LEN(CASES); i++) {
        Text settings = {0};

        add_list(&settings, "a", CASES[i].a);
        text_add(&settings, ", ");
        add_list(&settings, "b", CASES[i].b);
        check_refused_sweep(BASE, &(RefusedSweep){"`shared_buffers`: `128MB`", settings.data,
                                                  CASES[i].message, "", "", CASES[i].label});
        text_release(&settings);
    }
}

int
main(void)
{
    test_axes();
    test_points();
    test_large_seeds();
    test_measures();
    test_point_json();
    test_plain();
    test_refused();
    test_too_many();
    return tap_done();
}
