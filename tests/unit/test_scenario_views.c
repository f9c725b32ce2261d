#include "unit/test_scenario_help.h"

static const RefusedCase REFERENCES[] = {
    {"{`design`: `a`, `phase`: `p`", "{`design`: `x`, `phase`: `p`",
     "20:14: references[0].design: unknown design `x`", "Allowed here: `a`, `b`, `c`.",
     "an unknown design"},
    {"{`design`: `a`, `phase`: `p`", "{`design`: `a`, `phase`: `x`",
     "20:28: references[0].phase: unknown phase `x`", "Allowed here: `p`, `q`.",
     "an unknown phase"},
    {"`metric`: `wal_bytes`, `value`", "`metric`: `wal_byte`, `value`",
     "20:43: references[0].metric: unknown metric `wal_byte`", "Did you mean `wal_bytes`?",
     "an unknown metric"},
    {"`value`: 2", "`value`: -2", "20:65: references[0].value: must not be negative", NULL,
     "a negative figure"},
    {"`value`: 2", "`value`: `2 MB`", "20:65: references[0].value: must be a number, not a string",
     NULL, "a figure in quotes"},
    {"`value`: 2", "`value`: 1e308", "20:65: references[0].value: the number is too large", NULL,
     "a figure that is too large in bytes"},
    {"`unit`: `MB`", "`unit`: `mb`", "20:76: references[0].unit: unknown unit `mb`",
     "Allowed here: `bytes`, `kB`, `MB`, `GB`, `TB`, `count`, `rows`, `pages`, `pct`, `ms`, `us`, "
     "`per_s`.",
     "an unknown unit"},
    {"`unit`: `MB`", "`unit`: `pct`",
     "20:76: references[0].unit: `wal_bytes` is not measured in `pct`", NULL,
     "a unit that does not fit the metric"},
    {", `source`: `s`", "", "20:3: references[0]: key `source` is missing", NULL, "no source"},
    {"{`design`: `a`, `phase`: `p`, `metric`: `wal_bytes`, `value`: 2, `unit`: `MB`, `source`: "
     "`s`}",
     "{`design`: `a`, `phase`: `p`, `metric`: `wal_bytes`, `value`: 2, `unit`: `MB`, `source`: "
     "`s`}, {`design`: `a`, `phase`: `p`, `metric`: `wal_bytes`, `value`: 2, `unit`: `MB`, "
     "`source`: `s`}",
     "20:98: references[1]: the same figure as references[0]", NULL, "one figure twice"},
    {"`value`: 2", "`value`: 2, `batch`: 2",
     "20:77: references[0].batch: must be a whole number from 1 to 1", NULL,
     "a batch that the phase does not have"},
    {"`metric`: `wal_bytes`, `value`: 2, `unit`: `MB`",
     "`metric`: `leaf_pages`, `batch`: 1, `value`: 2, `unit`: `pages`",
     "20:66: references[0].batch: `leaf_pages` is measured after a phase, not for each batch", NULL,
     "a batch of what is measured after the phase"},
    {"`value`: 2", "`value`: 2, `page`: 7", "20:68: references[0].page: unknown key",
     "Allowed here: `design`, `phase`, `metric`, `batch`, `value`, `unit`, `source`, `at`.",
     "an unknown key of a reference"},
};

static const RefusedCase VIEWS[] = {
    {"{`phase`: `q`, `metrics`", "{`phase`: `Q`, `metrics`",
     "21:23: tables[0].phase: unknown phase `Q`", "Allowed here: `p`, `q`.",
     "a table of an unknown phase"},
    {"`metrics`: [`wal_bytes`, `leaf_pages`]", "`metrics`: []",
     "21:39: tables[0].metrics: must not be empty", NULL, "a table of nothing"},
    {"`metrics`: [`wal_bytes`, `leaf_pages`]", "`metrics`: [`wal_bytes`, `wal_bytes`]",
     "21:53: tables[0].metrics[1]: `wal_bytes` is there twice", NULL,
     "a table of one metric twice"},
    {", `metrics`: [`wal_bytes`, `leaf_pages`]", "", "21:13: tables[0]: key `metrics` is missing",
     NULL, "a table without metrics"},
    {"`kind`: `bars`", "`kind`: `pie`", "22:35: charts[0].kind: unknown kind `pie`",
     "Allowed here: `bars`, `batches`, `wal_kinds`, `axis`, `phases`.", "an unknown kind of chart"},
    {"`metrics`: [`wal_bytes`]}", "`metrics`: [`wal_bytes`, `fpi_bytes`, `heap_bytes`]}",
     "22:68: charts[0].metrics: a chart of kind `bars` shows at most 2", NULL,
     "three metrics in bars"},
    {"`metrics`: [`wal_bytes`]}", "`metrics`: [`wal_bytes`, `fpi_count`]}",
     "22:68: charts[0].metrics: `wal_bytes` and `fpi_count` share no unit and hence no axis", NULL,
     "bars of two units"},
    {"`bars`, `phase`: `p`, `metrics`: [`wal_bytes`]",
     "`batches`, `phase`: `p`, `metrics`: [`wal_bytes`, `fpi_bytes`]",
     "22:71: charts[0].metrics: a chart of kind `batches` shows at most 1", NULL,
     "two metrics over batches"},
    {"`bars`, `phase`: `p`, `metrics`: [`wal_bytes`]",
     "`batches`, `phase`: `p`, `metrics`: [`leaf_pages`]",
     "22:71: charts[0].metrics: `leaf_pages` is measured after a phase, not for each batch", NULL,
     "batches of what is measured after the phase"},
    {"`bars`, `phase`: `p`, `metrics`: [`wal_bytes`]",
     "`wal_kinds`, `phase`: `p`, `metrics`: [`wal_bytes`]",
     "22:73: charts[0].metrics: a chart of kind `wal_kinds` takes no metrics", NULL,
     "metrics where there are none"},
    {", `metrics`: [`wal_bytes`]}", "}", "22:13: charts[0]: key `metrics` is missing", NULL,
     "bars of nothing"},
    {"{`name`: `w`, `kind`",
     "{`name`: `w`, `kind`: `wal_kinds`, `phase`: `p`}, {`name`: `w`, `kind`",
     "22:72: charts[1].name: `w` is there twice", NULL, "two charts of one name"},
    {"`name`: `w`", "`name`: `a/b`", "22:22: charts[0].name: `a/b` cannot be a name",
     "Names are made of a-z, 0-9, `-` and `_` and begin with a letter or digit; use `title` for "
     "what is printed.",
     "a chart's name that is no file name"},
};

static const RefusedCase BOUNDS[] = {
    {"`over_design`: `a`, `min`: 1", "`over_design`: `a`",
     "24:3: bounds[0]: one of `min`, `max` and `within_pct` is needed", NULL, "no limit"},
    {"`over_design`: `a`, `min`: 1", "`min`: 2, `max`: 1",
     "24:76: bounds[0].min: larger than `max`", NULL, "limits in the wrong order"},
    {"`over_design`: `a`, `min`: 1", "`over_design`: `x`, `min`: 1",
     "24:84: bounds[0].over_design: unknown design `x`", "Allowed here: `a`, `b`, `c`.",
     "a ratio over an unknown design"},
    {"`over_design`: `a`, `min`: 1", "`over_design`: `b`, `min`: 1",
     "24:84: bounds[0].over_design: a figure over itself is always 1", NULL, "a ratio over itself"},
    {"`over_design`: `a`, `min`: 1", "`over_phase`: `q`, `min`: 1",
     "24:3: bounds[0]: key `over_design` is missing", NULL, "a ratio over a phase of no design"},
    {"`over_design`: `a`, `min`: 1", "`over_design`: `a`, `over_phase`: `x`, `min`: 1",
     "24:103: bounds[0].over_phase: unknown phase `x`", "Allowed here: `p`, `q`.",
     "a ratio over an unknown phase"},
    {"`over_design`: `a`, `min`: 1", "`scope`: `batch`, `min`: 1",
     "24:78: bounds[0].scope: unknown scope `batch`", "Allowed here: `total`, `each_batch`.",
     "an unknown scope"},
    {"`metric`: `wal_bytes`, `over_design`: `a`, `min`: 1",
     "`metric`: `leaf_pages`, `scope`: `each_batch`, `min`: 1",
     "24:79: bounds[0].scope: `leaf_pages` is measured after a phase, not for each batch", NULL,
     "batches of what is measured after the phase"},
    {"`over_design`: `a`, `min`: 1",
     "`over_design`: `a`, `over_phase`: `q`, `scope`: `each_batch`, `min`: 1",
     "24:117: bounds[0].scope: phases `p` and `q` have different numbers of batches", NULL,
     "a ratio of batches that have no partner"},
    {"`over_design`: `a`, `min`: 1", "`within_pct`: 1",
     "24:83: bounds[0].within_pct: there is no reference for `wal_bytes` of this design and phase",
     NULL, "a distance from no reference"},
    {"{`name`: `r`, `design`: `b`, `phase`: `p`, `metric`: `wal_bytes`, `over_design`: `a`, `min`: "
     "1",
     "{`name`: `r`, `design`: `a`, `phase`: `p`, `metric`: `wal_bytes`, `within_pct`: -1",
     "24:83: bounds[0].within_pct: must not be negative", NULL, "a negative distance"},
    {"{`name`: `r`, `design`: `b`, `phase`: `p`, `metric`: `wal_bytes`, `over_design`: `a`, `min`: "
     "1",
     "{`name`: `r`, `design`: `a`, `phase`: `p`, `metric`: `wal_bytes`, `within_pct`: 1, `max`: 3",
     "24:83: bounds[0].within_pct: stands without `min`, `max`, `over_design` and scope "
     "`each_batch`",
     NULL, "a distance beside a limit"},
    {"`over_design`: `a`, `min`: 1", "`over_design`: `a`, `within_pct`: 1",
     "24:103: bounds[0].within_pct: stands without `min`, `max`, `over_design` and scope "
     "`each_batch`",
     NULL, "a distance of a ratio"},
    {"`over_design`: `a`, `min`: 1", "`min`: `1`",
     "24:76: bounds[0].min: must be a number, not a string", NULL, "a limit in quotes"},
    {"`over_design`: `a`, `min`: 1", "`min`: 1, `within`: 1",
     "24:79: bounds[0].within: unknown key",
     "Allowed here: `name`, `design`, `phase`, `metric`, `over_design`, `over_phase`, `scope`, "
     "`min`, `max`, `within_pct`, `at`.",
     "an unknown key of a bound"},
    {"{`name`: `r`, `design`",
     "{`name`: `r`, `design`: `a`, `phase`: `p`, `metric`: `rows`, `min`: 1}, {`name`: `r`, "
     "`design`",
     "24:84: bounds[1].name: `r` is there twice", NULL, "two bounds of one name"},
};

int
main(void)
{
    for (size_t i = 0; i < ARRAY_LEN(REFERENCES); i++)
        check_refused(&REFERENCES[i]);
    for (size_t i = 0; i < ARRAY_LEN(VIEWS); i++)
        check_refused(&VIEWS[i]);
    for (size_t i = 0; i < ARRAY_LEN(BOUNDS); i++)
        check_refused(&BOUNDS[i]);
    return tap_done();
}
