/* Charts over axes and phases, and which of them a sweep can have. */
#include "scenario/sweep.h"

#include "test_scenario_help.h"

/* In plain scenarios. */
static const RefusedCase PLAIN[] = {
    {"`kind`: `bars`", "`kind`: `bars`, `axis`: `rows`",
     "22:51: charts[0].axis: a chart of kind `bars` takes no axis", NULL, "an axis of bars"},
    {"`kind`: `bars`", "`kind`: `bars`, `over_design`: `a`",
     "22:58: charts[0].over_design: a chart of kind `bars` takes no over_design", NULL,
     "a ratio of bars"},
    {"`kind`: `bars`", "`kind`: `axis`, `axis`: `rows`",
     "22:13: charts[0]: nothing is swept, so there is no axis",
     "A list in place of a value makes an axis, as in `writers`: [1, 4].", "an axis of no sweep"},
    {"`kind`: `bars`", "`kind`: `phases`",
     "22:54: charts[0].phase: a chart of kind `phases` takes no phase", NULL,
     "one phase of a chart over phases"},
    {"`kind`: `bars`, `phase`: `p`", "`kind`: `phases`, `phases`: [`p`]",
     "22:55: charts[0].phases: a chart over phases needs two of them", NULL, "one phase in a list"},
    {"`kind`: `bars`, `phase`: `p`", "`kind`: `phases`, `phases`: [`p`, `x`]",
     "22:61: charts[0].phases[1]: unknown phase `x`", "Allowed here: `p`, `q`.",
     "an unknown phase"},
    {"`kind`: `bars`, `phase`: `p`, `metrics`: [`wal_bytes`]",
     "`kind`: `phases`, `metrics`: [`wal_bytes`, `fpi_bytes`]",
     "22:56: charts[0].metrics: a chart of kind `phases` shows at most 1", NULL,
     "two metrics over phases"},
    {"`kind`: `bars`, `phase`: `p`", "`kind`: `phases`, `over_design`: `x`",
     "22:60: charts[0].over_design: unknown design `x`", "Allowed here: `a`, `b`, `c`.",
     "a ratio over an unknown design"},
    {"`kind`: `bars`, `phase`: `p`, `metrics`: [`wal_bytes`]",
     "`kind`: `phases`, `over_design`: `a`, `metrics`: [`leaf_density_pct`]",
     "22:60: charts[0].over_design: percentages say more as they are", NULL,
     "a ratio of percentages"},
    {"`kind`: `bars`", "`kind`: `bars`, `at`: {`rows`: 100}",
     "22:58: charts[0].at.rows: no list stands under a key `rows`", NULL, "a point of no sweep"},
};

static const char SWEPT[] =
    "{`format`: `keybench-scenario/1`, `name`: `s`, `seed`: 1, `designs`: ["
    "{`name`: `a`, `primary_key`: `id`, `columns`: [{`name`: `id`, `source`: `identity`, `type`: "
    "`bigint`}]}, {`name`: `b`, `primary_key`: `id`, `columns`: [{`name`: `id`, `source`: "
    "`identity`, `type`: `bigint`}, {`name`: `f`, `source`: `filler`, `type`: `text`, `bytes`: [1, "
    "2, 3, 4, 5]}]}], `phases`: [{`name`: `p`, `rows`: 1000}, {`name`: `q`, `rows`: 1000, "
    "`writers`: [1, 2]}], `charts`: [{`name`: `c`, `metrics`: [`wal_bytes`], %s}]}";

/* A sweep with a chart; caller frees. NULL when it is refused. */
static Sweep *
parse_chart(const char *chart, Diag *diag)
{
    Text text = {0};
    Sweep *sweep = NULL;
    const char *place = strstr(SWEPT, "%s");

    text_printf(&text, "%.*s%s%s", (int)(place - SWEPT), SWEPT, chart, place + 2);
    set_quotes(text.data);
    if (sweep_parse("f.json", text.data, text.length, &sweep, diag) != STATUS_OK)
        sweep = NULL;
    text_release(&text);
    return sweep;
}

static void
test_refused(void)
{
    static const struct {
        const char *chart, *message, *hint, *label;
    } CASES[] = {
        {"`kind`: `bars`, `phase`: `p`", "charts[0]: such a chart shows one point of a sweep",
         "Fix an axis: `at`: {`NAME`: VALUE}.", "bars of all points"},
        {"`kind`: `bars`, `phase`: `p`, `at`: {`writers`: 1}",
         "charts[0]: such a chart shows one point of a sweep",
         "Fix an axis: `at`: {`NAME`: VALUE}.", "bars of some"},
        {"`kind`: `bars`, `phase`: `p`, `at`: {`writers`: 3, `bytes`: 1}",
         "charts[0].at.writers: `3` is no value of `writers`", "Allowed here: `1`, `2`.",
         "bars of none"},
        {"`kind`: `axis`, `phase`: `p`, `axis`: `rows`", "charts[0].axis: unknown axis `rows`",
         "Allowed here: `writers`, `bytes`.", "an axis that is not swept"},
        {"`kind`: `axis`, `phase`: `p`", "charts[0]: key `axis` is missing", "", "no axis"},
        {"`kind`: `axis`, `phase`: `p`, `axis`: `bytes`, `at`: {`bytes`: 1}",
         "charts[0].axis: has one value here", "", "an axis that is fixed"},
        {"`kind`: `axis`, `phase`: `p`, `phases`: [`p`, `q`], `axis`: `bytes`",
         "charts[0].phases: a chart is of one `phase` or of several `phases`", "",
         "one phase and several"},
        {"`kind`: `axis`, `phases`: [`p`], `axis`: `bytes`",
         "charts[0].phases: a chart over phases needs two of them", "", "several that are one"},
        {"`kind`: `axis`, `phases`: [`p`, `q`], `axis`: `writers`",
         "charts[0]: the chart would have too many lines to be told apart",
         "Fix an axis: `at`: {`NAME`: VALUE}.", "lines of several phases are counted"},
        {"`kind`: `phases`", "charts[0]: the chart would have too many lines to be told apart",
         "Fix an axis: `at`: {`NAME`: VALUE}.", "two lines of a and ten of b"},
        {"`kind`: `phases`, `over_design`: `b`",
         "charts[0]: the chart would have too many lines to be told apart",
         "Fix an axis: `at`: {`NAME`: VALUE}.", "a over b has ten"},
    };

    for (size_t i = 0; i < ARRAY_LEN(CASES); i++) {
        Diag diag = {0};
        Sweep *sweep = parse_chart(CASES[i].chart, &diag);
        Text message = {0}, hint = {0};

        text_add(&message, CASES[i].message);
        text_add(&hint, CASES[i].hint);
        set_quotes(message.data);
        if (hint.length > 0)
            set_quotes(hint.data);
        tap_ok(sweep == NULL, CASES[i].label);
        tap_contains(diag.message, message.data, "  its message");
        tap_text(diag.hint, text_data(&hint), "  its hint");
        sweep_free(sweep);
        text_release(&message);
        text_release(&hint);
    }
}

static void
test_kept(void)
{
    Diag diag = {0};
    Sweep *sweep = parse_chart("`kind`: `axis`, `phase`: `q`, `axis`: `bytes`, `over_design`: `a`, "
                               "`at`: {`writers`: 2}",
                               &diag);
    const ChartSpec *chart = &sweep_first(sweep)->charts[0];
    size_t here = 0;

    tap_u64(chart->kind, CHART_AXIS, "a chart over an axis");
    tap_text(chart->axis, "bytes", "its axis");
    tap_text(chart->over_design, "a", "what it divides by");
    for (size_t i = 0; i < sweep->point_count; i++)
        here += sweep->points[i].scenario->charts[0].here ? 1 : 0;
    tap_u64(here, 5, "it is about half of the points");
    sweep_free(sweep);
    sweep = parse_chart("`kind`: `axis`, `phase`: `q`, `axis`: `bytes`", &diag);
    tap_ok(sweep != NULL, "two lines of each design are few enough");
    sweep_free(sweep);
    sweep = parse_chart("`kind`: `axis`, `phases`: [`q`, `p`], `axis`: `bytes`", &diag);
    chart = &sweep_first(sweep)->charts[0];
    tap_u64(chart->phase_count, 2, "an axis with a line a phase");
    tap_text(chart->phases[0], "q", "as they were named");
    tap_ok(chart->phase == NULL, "and no single one");
    sweep_free(sweep);
    sweep = parse_chart("`kind`: `phases`, `at`: {`bytes`: 3}", &diag);
    chart = &sweep_first(sweep)->charts[0];
    tap_u64(chart->phase_count, 2, "all phases");
    tap_text(chart->phases[1], "q", "in their order");
    tap_ok(chart->phase == NULL && chart->over_design == NULL, "and nothing else");
    sweep_free(sweep);
}

int
main(void)
{
    for (size_t i = 0; i < ARRAY_LEN(PLAIN); i++)
        check_refused(&PLAIN[i]);
    test_refused();
    test_kept();
    return tap_done();
}
