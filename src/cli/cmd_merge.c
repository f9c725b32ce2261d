#include "cli/commands.h"

#include "base/mem.h"
#include "cli/present.h"
#include "report/check.h"
#include "report/merge.h"
#include "results/result_json.h"

#include <stdlib.h>

typedef struct MergeOptions {
    const char *output;
} MergeOptions;

static const OptionSpec OPTIONS[] = {
    {.kind = OPTION_TEXT,
     .name = "output",
     .letter = 'o',
     .offset = offsetof(MergeOptions, output),
     .argument = "FILE",
     .min = 1,
     .help = "where the joined result goes; default: standard output"},
    {.kind = OPTION_END},
};

static const char DETAILS[] =
    "Joins results that \"keybench run --shard\" or \"--only\" measured apart: of one scenario,\n"
    "seed, server version and settings. Bounds are checked anew.\n"
    "\n"
    "Examples:\n"
    "  keybench merge results/shard-*.json -o results/whole.json\n"
    "  keybench merge results/shard-*.json | jq .checks\n"
    "\n"
    "Exit status: 0 joined, nothing is missing and all bounds hold, 1 a bound failed, 2 the files\n"
    "do not belong together, 3 trials are missing or failed.\n";

static Status
write_result(const MergeOptions *options, const Result *merged, Diag *diag)
{
    char *json;

    if (options->output != NULL) {
        Status status = result_save(merged, options->output, diag);

        if (status == STATUS_OK)
            fprintf(stderr, "keybench: result %s\n", options->output);
        return status;
    }
    json = result_to_json(merged);
    puts(json);
    free(json);
    return STATUS_OK;
}

static Status
give_verdict(const Result *merged, Diag *diag)
{
    if (merged->status == RESULT_COMPLETE)
        return check_verdict(merged, diag);
    diag_set(diag, STATUS_SERVER, "%s", merged->error);
    diag_hint(diag, "Measure them with \"keybench run --resume\" or \"--only\", and merge again.");
    return diag->status;
}

static Status
merge(const MergeOptions *options, const MergePart *parts, size_t count, Diag *diag)
{
    Result *merged = NULL;
    Status status = merge_parts(parts, count, &merged, diag);

    if (status == STATUS_OK)
        status = write_result(options, merged, diag);
    if (status == STATUS_OK)
        status = give_verdict(merged, diag);
    result_free(merged);
    return status;
}

static Status
run(const void *given, int argc, char **argv, Diag *diag)
{
    size_t count = (size_t)argc;
    MergePart *parts = mem_new(count, sizeof(*parts));
    Result **results = mem_new(count, sizeof(Result *));
    Status status = STATUS_OK;

    for (size_t i = 0; status == STATUS_OK && i < count; i++) {
        status = present_load(argv[i], &results[i], diag);
        parts[i] = (MergePart){argv[i], results[i]};
    }
    if (status == STATUS_OK)
        status = merge(given, parts, count, diag);
    for (size_t i = 0; i < count; i++)
        result_free(results[i]);
    free(results);
    free(parts);
    return status;
}

const Command CMD_MERGE = {.name = "merge",
                           .summary = "join results that were measured in parts",
                           .arguments = "RESULT...",
                           .details = DETAILS,
                           .options = OPTIONS,
                           .options_size = sizeof(MergeOptions),
                           .arguments_min = 1,
                           .arguments_max = -1,
                           .run = run};
