#include "cli/cmd_id.h"

#include "base/mem.h"
#include "base/units.h"
#include "cli/moment.h"
#include "keys/estimate.h"
#include "keys/format.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

typedef struct IdEstimateOptions {
    bool json;
} IdEstimateOptions;

static const OptionSpec OPTIONS[] = {
    {.kind = OPTION_FLAG,
     .name = "json",
     .offset = offsetof(IdEstimateOptions, json),
     .help = "print an object"},
    {.kind = OPTION_END},
};

static const char DETAILS[] =
    "Ids are numbers of one counter, or its Sqids; \"-\" reads them from standard input, one a\n"
    "line. The total is m + m/k - 1 for k ids up to m, drawn at random, with the interval that\n"
    "holds it 95 times in 100. ID@TIME says when an id was given: two of them give a rate.\n"
    "\nExamples:\n"
    "  keybench id estimate 19 40 42 60\n"
    "  keybench id estimate 1000@2024-05-01 39356@2024-05-08\n";

/* Ids seen, and of those with a time the earliest and the latest. */
typedef struct Seen {
    uint64_t *ids;
    size_t count;
    SeenId first, last;
    size_t timed_count;
} Seen;

static Status
read_id(const char *text, uint64_t *id, Diag *diag)
{
    KeyFacts facts;
    Status status;

    if (units_read_u64(text, id))
        return STATUS_OK;
    status = key_explain(text, &facts, NULL, 0, NULL, diag);
    if (status == STATUS_OK && !facts.has_counter)
        status = diag_set(diag, STATUS_USAGE, "\"%.64s\" is a %s, not a number of a counter", text,
                          key_format_title(facts.format));
    if (status == STATUS_OK)
        *id = facts.counter;
    return status;
}

static void
add_timed(Seen *seen, SeenId timed)
{
    if (seen->timed_count == 0 || timed.time_ns < seen->first.time_ns)
        seen->first = timed;
    if (seen->timed_count == 0 || timed.time_ns >= seen->last.time_ns)
        seen->last = timed;
    seen->timed_count++;
}

static Status
add_one(void *context, char *text, Diag *diag)
{
    Seen *seen = context;
    char *separator = strchr(text, '@');
    uint64_t id = 0, time_ns = 0;
    Status status = STATUS_OK;

    if (separator != NULL) {
        *separator = '\0';
        status = moment_read(separator + 1, &time_ns, diag);
    }
    if (status == STATUS_OK)
        status = read_id(text, &id, diag);
    if (status != STATUS_OK)
        return status;
    seen->ids = mem_resize(seen->ids, seen->count + 1, sizeof(*seen->ids));
    seen->ids[seen->count++] = id;
    if (separator != NULL)
        add_timed(seen, (SeenId){id, (int64_t)time_ns});
    return STATUS_OK;
}

static void
print_estimate(const TotalEstimate *estimate, const double *ids_per_s)
{
    char seen[UNITS_TEXT_SIZE], largest[UNITS_TEXT_SIZE], total[UNITS_TEXT_SIZE],
        low[UNITS_TEXT_SIZE], high[UNITS_TEXT_SIZE];

    units_print_whole(estimate->seen_count, seen, sizeof(seen));
    units_print_whole(estimate->largest, largest, sizeof(largest));
    units_print_whole(estimate->total, total, sizeof(total));
    units_print_whole(estimate->low, low, sizeof(low));
    units_print_whole(estimate->high, high, sizeof(high));
    printf("seen    %s different id%s, the largest %s\n", seen,
           estimate->seen_count == 1 ? "" : "s", largest);
    printf("total   about %s, 95%% interval %s to %s\n", total, low, high);
    if (ids_per_s != NULL)
        printf("rate    %.6g ids a second, %.6g a day\n", *ids_per_s, *ids_per_s * 86400);
}

static void
print_json(const TotalEstimate *estimate, const double *ids_per_s)
{
    cJSON *object = cJSON_CreateObject();

    id_json_number(object, "seen_count", estimate->seen_count);
    id_json_number(object, "largest", estimate->largest);
    id_json_number(object, "total", estimate->total);
    id_json_number(object, "low", estimate->low);
    id_json_number(object, "high", estimate->high);
    if (ids_per_s != NULL)
        cJSON_AddNumberToObject(object, "ids_per_s", *ids_per_s);
    id_print_json(object);
}

static Status
run(const void *given, int argc, char **argv, Diag *diag)
{
    const IdEstimateOptions *options = given;
    Seen seen = {0};
    TotalEstimate estimate;
    double ids_per_s;
    Status status = id_each_text(argc, argv, add_one, &seen, diag);

    if (status == STATUS_OK)
        status = estimate_total(seen.ids, seen.count, &estimate, diag);
    if (status == STATUS_OK && seen.timed_count > 1)
        status = estimate_rate(seen.first, seen.last, &ids_per_s, diag);
    if (status == STATUS_OK)
        (options->json ? print_json : print_estimate)(&estimate,
                                                      seen.timed_count > 1 ? &ids_per_s : NULL);
    free(seen.ids);
    return status;
}

const Command CMD_ID_ESTIMATE = {.name = "estimate",
                                 .summary = "how many rows, and how fast, from a counter's ids",
                                 .arguments = "[ID[@TIME]...|-]",
                                 .details = DETAILS,
                                 .options = OPTIONS,
                                 .options_size = sizeof(IdEstimateOptions),
                                 .arguments_max = -1,
                                 .run = run};
