/*
 * libFuzzer: any bytes as a scenario file. Seeds are scenarios/ and the corpus that a run leaves;
 * what is accepted must be sound enough to be looked at.
 */
#include "scenario/load.h"
#include "scenario/sweep.h"

#include <math.h>
#include <string.h>

enum { POINTS_AGAIN = 100 }; /* larger sweeps are read once, for their time */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
check(bool sound, const char *what)
{
    if (!sound)
        BUG("accepted a scenario with %s", what);
}

static void
check_design(const Design *design)
{
    check(design->column_count > 0, "a design of no columns");
    check(design->key_column < design->column_count || design->key_column == NO_COLUMN,
          "a primary key that is no column");
    for (size_t i = 0; i < design->column_count; i++)
        check(design->columns[i].type != NULL && design->columns[i].name[0] != '\0',
              "a column without type or name");
    for (size_t i = 0; i < design->index_count; i++)
        check(design->indexes[i].column_count > 0, "an index of no columns");
}

static void
check_scenario(const Scenario *scenario)
{
    check(scenario->design_count > 0 && scenario->phase_count > 0, "nothing to do");
    for (size_t i = 0; i < scenario->design_count; i++)
        check_design(&scenario->designs[i]);
    for (size_t i = 0; i < scenario->phase_count; i++)
        check(scenario->phases[i].rows % scenario->phases[i].batch_count == 0, "uneven batches");
    for (size_t i = 0; i < scenario->reference_count; i++)
        check(isfinite(scenario->references[i].value), "a reference that is not a number");
    for (size_t i = 0; i < scenario->bound_count; i++)
        check(scenario_find_design(scenario, scenario->bounds[i].design) != NULL,
              "a bound of no design");
}

/* A result file carries the scenario's text; it must be read the same way again. */
static void
check_again(const Sweep *sweep)
{
    const char *text = sweep_first(sweep)->text;
    Sweep *again = NULL;
    Diag diag = {0};

    if (sweep_parse("again", text, strlen(text), &again, &diag) != STATUS_OK)
        BUG("refused what was accepted: %s", diag.message);
    check(strcmp(sweep_first(again)->text, text) == 0, "a text that changes when it is read again");
    check(again->point_count == sweep->point_count, "another number of points");
    sweep_free(again);
}

/* Every point is a scenario of as many designs, and every design is measured somewhere. */
static void
check_sweep(const Sweep *sweep)
{
    size_t design_count = sweep_first(sweep)->design_count;

    for (size_t i = 0; i < sweep->point_count; i++) {
        check_scenario(sweep->points[i].scenario);
        check(sweep->points[i].scenario->design_count == design_count, "designs of one point");
    }
    for (size_t i = 0; i < design_count; i++)
        check(sweep_measures(sweep, 0, i), "a design that the first point does not measure");
}

/* A sweep without axes is a plain scenario, and one with axes is none. */
static void
check_plain(const uint8_t *data, size_t size, const Sweep *sweep)
{
    Scenario *scenario = NULL;
    Diag diag = {0};
    Status status = scenario_parse("fuzz", (const char *)data, size, &scenario, &diag);

    check((status == STATUS_OK) == (sweep->axis_count == 0), "lists that only one reader sees");
    scenario_free(scenario);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Sweep *sweep = NULL;
    Diag diag = {0};

    if (sweep_parse("fuzz", (const char *)data, size, &sweep, &diag) == STATUS_OK) {
        check_sweep(sweep);
        check_plain(data, size, sweep);
        if (sweep->point_count <= POINTS_AGAIN)
            check_again(sweep);
    } else {
        check(diag.message[0] != '\0', "no message");
    }
    sweep_free(sweep);
    return 0;
}
