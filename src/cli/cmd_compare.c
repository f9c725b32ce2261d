#include "cli/commands.h"

#include "base/mem.h"
#include "cli/present.h"
#include "report/compare.h"

#include <stdlib.h>

typedef struct CompareOptions {
    int format;
    bool all;
} CompareOptions;

static const char *const FORMATS[] = {"text", "markdown", "csv", "json", NULL};

static const OptionSpec OPTIONS[] = {
    {.kind = OPTION_CHOICE,
     .name = "format",
     .offset = offsetof(CompareOptions, format),
     .argument = "FORMAT",
     .default_value = "text",
     .choices = FORMATS,
     .help = "text, markdown, csv, json; the last two show every figure"},
    {.kind = OPTION_FLAG,
     .name = "all",
     .letter = 'a',
     .offset = offsetof(CompareOptions, all),
     .help = "also the lesser figures that are neither better nor worse"},
    {.kind = OPTION_END},
};

static const char DETAILS[] =
    "Each figure of the new results beside that of the base: both values, their ratio, and a\n"
    "verdict: identical, within tolerance, better, worse, or not comparable and why. Times have\n"
    "a ratio only with 5 repeats or more on each side, on one machine. To fail a build use\n"
    "keybench check.\n"
    "\n"
    "Examples:\n"
    "  keybench compare results/reference/minted-quick-pg18.json results/minted-quick-*.json\n"
    "  keybench compare --format csv before.json after.json >figures.csv\n"
    "\n"
    "Exit status: 0 compared, whatever the verdicts, 2 wrong usage or a bad file.\n";

/* The files on their way through the command: the base, then the new ones. */
typedef struct CompareJob {
    const CompareOptions *options;
    char **paths; /* as they are shown */
    Result **results;
    size_t count;
    Comparison *comparisons; /* one less */
} CompareJob;

static Status
load(CompareJob *job, char **paths, Diag *diag)
{
    Status status = STATUS_OK;

    for (size_t i = 0; status == STATUS_OK && i < job->count; i++)
        status = present_load(paths[i], &job->results[i], diag);
    for (size_t i = 1; status == STATUS_OK && i < job->count; i++) {
        status = comparison_init(&job->comparisons[i - 1], job->results[0], job->results[i], diag);
        if (status != STATUS_OK)
            diag_context(diag, "\"%s\"", paths[i]);
    }
    return status;
}

static void
print(const CompareJob *job)
{
    const CompareReport report = {
        .base_path = job->paths[0],
        .paths = (const char *const *)(job->paths + 1),
        .comparisons = job->comparisons,
        .count = job->count - 1,
        .all = job->options->all,
        .color = job->options->format == COMPARE_TEXT && present_wants_color(),
    };
    Text out = {0};

    compare_print(&report, (CompareFormat)job->options->format, &out);
    fputs(text_data(&out), stdout);
    text_release(&out);
}

static void
release(CompareJob *job)
{
    for (size_t i = 1; i < job->count; i++)
        comparison_release(&job->comparisons[i - 1]);
    for (size_t i = 0; i < job->count; i++) {
        result_free(job->results[i]);
        free(job->paths[i]);
    }
    free(job->comparisons);
    free(job->results);
    free(job->paths);
}

static Status
run(const void *given, int argc, char **argv, Diag *diag)
{
    size_t count = (size_t)argc;
    CompareJob job = {
        .options = given,
        .paths = mem_new(count, sizeof(char *)),
        .results = mem_new(count, sizeof(Result *)),
        .count = count,
        .comparisons = mem_new(count, sizeof(Comparison)),
    };
    Status status;

    for (size_t i = 0; i < count; i++)
        job.paths[i] = present_path(argv[i]);
    status = load(&job, argv, diag);
    if (status == STATUS_OK)
        print(&job);
    release(&job);
    return status;
}

const Command CMD_COMPARE = {.name = "compare",
                             .summary = "results side by side: ratio, spread, verdict",
                             .arguments = "BASE NEW...",
                             .details = DETAILS,
                             .options = OPTIONS,
                             .options_size = sizeof(CompareOptions),
                             .arguments_min = 2,
                             .arguments_max = -1,
                             .run = run};
