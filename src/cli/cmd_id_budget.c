#include "cli/cmd_id.h"

#include "base/units.h"
#include "keys/estimate.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

typedef struct IdBudgetOptions {
    uint64_t alphabet, length;
    const char *chance;
    bool json;
} IdBudgetOptions;

static const OptionSpec OPTIONS[] = {
    {.kind = OPTION_COUNT,
     .name = "alphabet",
     .offset = offsetof(IdBudgetOptions, alphabet),
     .argument = "N",
     .default_value = "64",
     .min = 2,
     .help = "how many different characters"},
    {.kind = OPTION_COUNT,
     .name = "length",
     .offset = offsetof(IdBudgetOptions, length),
     .argument = "L",
     .default_value = "21",
     .min = 1,
     .help = "characters of an id"},
    {.kind = OPTION_TEXT,
     .name = "chance",
     .offset = offsetof(IdBudgetOptions, chance),
     .argument = "P",
     .default_value = "1e-9",
     .help = "of a collision, between 0 and 1"},
    {.kind = OPTION_FLAG,
     .name = "json",
     .offset = offsetof(IdBudgetOptions, json),
     .help = "print an object"},
    {.kind = OPTION_END},
};

static const char DETAILS[] = "Examples:\n"
                              "  keybench id budget --alphabet 64 --length 8\n"
                              "  keybench id budget --alphabet 2 --length 122 --chance 0.5\n";

static Status
read_chance(const char *text, double *chance, Diag *diag)
{
    char *end;

    *chance = strtod(text, &end);
    if (end != text && *end == '\0')
        return STATUS_OK;
    return diag_set(diag, STATUS_USAGE, "option \"--chance\" needs a number, got \"%s\"", text);
}

/* "750", or "4.1e14" when no one would count the digits. */
static void
print_ids(const IdBudget *budget, char *text, size_t size)
{
    double exponent = floor(budget->log10_ids);

    if (budget->log10_ids < 7)
        units_print_count(floor(budget->ids), text, size);
    else
        snprintf(text, size, "%.2fe%.0f", pow(10, budget->log10_ids - exponent), exponent);
}

static void
print_json(const IdBudgetOptions *options, double chance, const IdBudget *budget)
{
    cJSON *object = cJSON_CreateObject();

    id_json_number(object, "alphabet", options->alphabet);
    id_json_number(object, "length", options->length);
    cJSON_AddNumberToObject(object, "bits", budget->bits);
    cJSON_AddNumberToObject(object, "chance", chance);
    cJSON_AddNumberToObject(object, "log10_ids", budget->log10_ids);
    cJSON_AddNumberToObject(object, "ids", budget->ids); /* null when over a double's range */
    id_print_json(object);
}

static Status
run(const void *given, int argc, char **argv, Diag *diag)
{
    const IdBudgetOptions *options = given;
    char ids[UNITS_TEXT_SIZE];
    IdBudget budget;
    double chance;
    Status status = read_chance(options->chance, &chance, diag);

    (void)argc;
    (void)argv;
    if (status == STATUS_OK)
        status = estimate_budget(options->alphabet, options->length, chance, &budget, diag);
    if (status == STATUS_OK && options->json) {
        print_json(options, chance, &budget);
    } else if (status == STATUS_OK) {
        print_ids(&budget, ids, sizeof(ids));
        printf("about %s ids until two are the same with a chance of %g (%.1f random bits)\n", ids,
               chance, budget.bits);
    }
    return status;
}

const Command CMD_ID_BUDGET = {.name = "budget",
                               .summary = "how many random ids until two are likely the same",
                               .details = DETAILS,
                               .options = OPTIONS,
                               .options_size = sizeof(IdBudgetOptions),
                               .run = run};
