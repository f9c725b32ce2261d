/*
 * libFuzzer: any bytes as a scenario file. Seeds are scenarios/ and the corpus that a run leaves;
 * what is accepted must be sound enough to be looked at.
 */
#include "scenario/load.h"

#include <math.h>
#include <string.h>

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
    check(design->key_column < design->column_count, "a primary key that is no column");
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
check_again(const Scenario *scenario)
{
    Scenario *again = NULL;
    Diag diag = {0};

    if (scenario_parse("again", scenario->text, strlen(scenario->text), &again, &diag) != STATUS_OK)
        BUG("refused what was accepted: %s", diag.message);
    check(strcmp(again->text, scenario->text) == 0, "a text that changes when it is read again");
    scenario_free(again);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Scenario *scenario = NULL;
    Diag diag = {0};

    if (scenario_parse("fuzz", (const char *)data, size, &scenario, &diag) == STATUS_OK) {
        check_scenario(scenario);
        check_again(scenario);
        scenario_free(scenario);
    } else {
        check(diag.message[0] != '\0', "no message");
    }
    return 0;
}
