#include "cli/commands.h"

#include "base/file.h"
#include "base/mem.h"
#include "cli/present.h"
#include "report/baseline.h"
#include "report/check.h"
#include "report/check_print.h"
#include "scenario/sweep.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

typedef struct CheckOptions {
    const char *baseline, *tolerance, *junit;
    bool github, tap, json, quiet;
} CheckOptions;

static const OptionSpec OPTIONS[] = {
    {.kind = OPTION_TEXT,
     .name = "baseline",
     .letter = 'b',
     .offset = offsetof(CheckOptions, baseline),
     .argument = "FILE",
     .min = 1,
     .help = "a result to hold this one against, beside the scenario's bounds"},
    {.kind = OPTION_TEXT,
     .name = "tolerance",
     .letter = 't',
     .offset = offsetof(CheckOptions, tolerance),
     .argument = "LIST",
     .help = "percent that figures may be off the baseline, as wal=0,fpi=0.5; see below"},
    {.kind = OPTION_TEXT,
     .name = "junit",
     .offset = offsetof(CheckOptions, junit),
     .argument = "FILE",
     .min = 1,
     .help = "also write JUnit XML"},
    {.kind = OPTION_FLAG,
     .name = "github",
     .offset = offsetof(CheckOptions, github),
     .help = "also print annotations for GitHub Actions, and append to $GITHUB_STEP_SUMMARY"},
    {.kind = OPTION_FLAG,
     .name = "tap",
     .offset = offsetof(CheckOptions, tap),
     .help = "print TAP, as prove reads it"},
    {.kind = OPTION_FLAG,
     .name = "json",
     .offset = offsetof(CheckOptions, json),
     .help = "print JSON"},
    {.kind = OPTION_FLAG,
     .name = "quiet",
     .letter = 'q',
     .offset = offsetof(CheckOptions, quiet),
     .help = "show only checks that do not hold"},
    {.kind = OPTION_END},
};

static const char DETAILS[] =
    "Checks the bounds of the result's scenario, and with --baseline WAL bytes, records,\n"
    "full-page images and leaf pages of every design and phase. Where the keys are the same on\n"
    "every run they must be equal to the byte, elsewhere within the scenario's tolerance_pct,\n"
    "or 1%. --tolerance overrides it; its names are wal, records, fpi, leaves, and those of\n"
    "\"keybench list metrics\". Times are never checked. What is missing fails.\n"
    "\n"
    "Examples:\n"
    "  keybench check result.json                           the scenario's bounds\n"
    "  keybench check --baseline baseline.json result.json  and the baseline's figures\n"
    "  keybench check -b baseline.json -t wal=0.5 --junit keybench.xml --github result.json\n"
    "\n"
    "Exit status: 0 all holds, 1 something does not, 2 wrong usage or a bad file, 3 a file\n"
    "that cannot be written.\n";

/* One result on its way through the command. */
typedef struct CheckJob {
    const CheckOptions *options;
    char *path, *baseline_path; /* as they are shown */
    Result *result, *baseline;  /* baseline NULL: none */
    Sweep *sweep;               /* of the result's scenario */
    ToleranceList tolerance;
} CheckJob;

static Status
check_options(const CheckOptions *options, Diag *diag)
{
    if (options->tap + options->json + options->github > 1) {
        diag_set(diag, STATUS_USAGE,
                 "of \"--tap\", \"--json\" and \"--github\" only one can have standard output");
        return diag->status;
    }
    if (options->tolerance != NULL && options->baseline == NULL) {
        diag_set(diag, STATUS_USAGE, "\"--tolerance\" needs \"--baseline\"");
        diag_hint(diag, "The scenario's own bounds say themselves how much is allowed.");
        return diag->status;
    }
    return STATUS_OK;
}

static Status
load(CheckJob *job, const char *path, Diag *diag)
{
    const CheckOptions *options = job->options;
    Status status = STATUS_OK;

    tolerance_list_init(&job->tolerance);
    if (options->tolerance != NULL)
        status = tolerance_list_read(options->tolerance, &job->tolerance, diag);
    if (status == STATUS_OK)
        status = present_load(path, &job->result, diag);
    if (status == STATUS_OK)
        status = sweep_parse("scenario of the result", job->result->scenario_text,
                             strlen(job->result->scenario_text), &job->sweep, diag);
    if (status == STATUS_OK && options->baseline != NULL)
        status = baseline_load(options->baseline, &job->baseline, diag);
    return status;
}

static Status
check(CheckJob *job, Diag *diag)
{
    bool holds;
    Status status = check_bounds(job->result, &holds, diag);

    if (status == STATUS_OK && job->baseline != NULL)
        status = baseline_check(job->result, job->baseline, &job->tolerance, &holds, diag);
    if (status == STATUS_OK)
        check_complete(job->result);
    if (status == STATUS_OK && job->result->check_count == 0) {
        diag_set(diag, STATUS_USAGE, "there is nothing to check in \"%s\"", job->path);
        diag_hint(diag, "Its scenario has no bounds; give another result with --baseline.");
        return diag->status;
    }
    return status;
}

/* ---- Output ---- */

static Status
append_to(const char *path, const Text *text, Diag *diag)
{
    FILE *stream = fopen(path, "a");
    bool written;

    if (stream == NULL)
        return diag_set(diag, STATUS_IO, "cannot write to \"%s\": %s", path, strerror(errno));
    written = fwrite(text->data, 1, text->length, stream) == text->length;
    if (fclose(stream) != 0 || !written)
        return diag_set(diag, STATUS_IO, "cannot write to \"%s\": %s", path, strerror(errno));
    return STATUS_OK;
}

/* The table on the summary page of a GitHub job; elsewhere there is no such page. */
static Status
write_summary(const CheckReport *report, Diag *diag)
{
    const char *path = getenv("GITHUB_STEP_SUMMARY");
    Text text = {0};
    Status status;

    if (path == NULL || path[0] == '\0')
        return STATUS_OK;
    check_print_markdown(report, &text);
    text_add(&text, "\n");
    status = append_to(path, &text, diag);
    text_release(&text);
    return status;
}

static Status
write_junit(const CheckReport *report, const char *path, Diag *diag)
{
    Text xml = {0};
    Status status;

    check_print_junit(report, &xml);
    status = file_write_atomic(path, xml.data, xml.length, diag);
    text_release(&xml);
    return status;
}

static Status
show(const CheckJob *job, Diag *diag)
{
    const CheckOptions *options = job->options;
    const CheckReport report = {
        .result = job->result,
        .scenario = sweep_first(job->sweep),
        .path = job->path,
        .baseline_path = job->baseline_path,
        .color = present_wants_color(),
        .failures_only = options->quiet,
    };
    Status status = STATUS_OK;
    Text out = {0};

    if (options->tap)
        check_print_tap(&report, &out);
    else if (options->json)
        check_print_json(&report, &out);
    else if (!options->quiet || check_failure_count(job->result) > 0)
        check_print_text(&report, &out);
    if (options->github)
        check_print_github(&report, &out);
    fputs(text_data(&out), stdout);
    text_release(&out);
    if (options->github)
        status = write_summary(&report, diag);
    if (status == STATUS_OK && options->junit != NULL)
        status = write_junit(&report, options->junit, diag);
    return status;
}

static void
release(CheckJob *job)
{
    result_free(job->result);
    result_free(job->baseline);
    sweep_free(job->sweep);
    free(job->path);
    free(job->baseline_path);
}

static Status
run(const void *given, int argc, char **argv, Diag *diag)
{
    CheckJob job = {.options = given, .path = present_path(argv[0])};
    Status status = check_options(job.options, diag);

    (void)argc;
    if (job.options->baseline != NULL)
        job.baseline_path = present_path(job.options->baseline);
    if (status == STATUS_OK)
        status = load(&job, argv[0], diag);
    if (status == STATUS_OK)
        status = check(&job, diag);
    if (status == STATUS_OK)
        status = show(&job, diag);
    if (status == STATUS_OK)
        status = check_verdict(job.result, diag);
    release(&job);
    return status;
}

const Command CMD_CHECK = {.name = "check",
                           .summary = "hold a result to its bounds and a baseline",
                           .arguments = "RESULT",
                           .details = DETAILS,
                           .options = OPTIONS,
                           .options_size = sizeof(CheckOptions),
                           .arguments_min = 1,
                           .arguments_max = 1,
                           .run = run};
