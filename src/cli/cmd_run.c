#include "cli/commands.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/interrupt.h"
#include "base/mem.h"
#include "base/text.h"
#include "base/units.h"
#include "cli/connect.h"
#include "cli/present.h"
#include "cli/progress.h"
#include "cli/result_file.h"
#include "cli/resume.h"
#include "report/baseline.h"
#include "report/check.h"
#include "results/result_json.h"
#include "run/runner.h"
#include "run/volume.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct CmdRunOptions {
    DbTarget target;
    const char *bindir, *output, *baseline, *only, *shard, *resume;
    uint64_t jobs, retries, statement_timeout_ns;
    MaybeCount repeats, seed; /* not given: the scenario's */
    int format, charts;
    bool json, quiet, verbose, dry_run, strict, insist;
} CmdRunOptions;

static const OptionSpec OPTIONS[] = {
    CONNECT_OPTIONS(CmdRunOptions, target),
    {.kind = OPTION_TEXT,
     .name = "pg-bindir",
     .offset = offsetof(CmdRunOptions, bindir),
     .argument = "DIR",
     .min = 1,
     .help = "the throwaway server's programs; default: search, see keybench cluster find"},
    {.kind = OPTION_TEXT,
     .name = "output",
     .letter = 'o',
     .offset = offsetof(CmdRunOptions, output),
     .argument = "DIR",
     .min = 1,
     .default_value = "results",
     .help = "folder for the result file and charts"},
    {.kind = OPTION_COUNT,
     .name = "jobs",
     .letter = 'j',
     .offset = offsetof(CmdRunOptions, jobs),
     .argument = "N",
     .default_value = "1",
     .min = 1,
     .max = 64,
     .help = "designs measured side by side, each on its own throwaway server"},
    {.kind = OPTION_MAYBE_COUNT,
     .name = "repeat",
     .offset = offsetof(CmdRunOptions, repeats),
     .argument = "N",
     .min = 1,
     .max = 1000,
     .help = "measure each design N times; default: the scenario's"},
    {.kind = OPTION_MAYBE_COUNT,
     .name = "seed",
     .offset = offsetof(CmdRunOptions, seed),
     .argument = "N",
     .max = UINT64_C(1) << 53,
     .help = "seed of minted keys and of the order of repeats; default: the scenario's"},
    {.kind = OPTION_TEXT,
     .name = "only",
     .offset = offsetof(CmdRunOptions, only),
     .argument = "WHICH",
     .help = "measure a part of a sweep: NAME=VALUE,... where all hold; more parts behind \";\""},
    {.kind = OPTION_TEXT,
     .name = "shard",
     .offset = offsetof(CmdRunOptions, shard),
     .argument = "I/N",
     .help = "measure the I-th of N parts, for keybench merge to join"},
    {.kind = OPTION_TEXT,
     .name = "resume",
     .offset = offsetof(CmdRunOptions, resume),
     .argument = "FILE",
     .min = 1,
     .help = "go on with an interrupted result: measure what it lacks, into the same file"},
    {.kind = OPTION_TEXT,
     .name = "baseline",
     .letter = 'b',
     .offset = offsetof(CmdRunOptions, baseline),
     .argument = "FILE",
     .min = 1,
     .help = "a result to hold this run against, as keybench check does"},
    {.kind = OPTION_FLAG,
     .name = "strict",
     .offset = offsetof(CmdRunOptions, strict),
     .help = "exit with 4 when a batch was contaminated"},
    {.kind = OPTION_COUNT,
     .name = "retry-contaminated",
     .offset = offsetof(CmdRunOptions, retries),
     .argument = "N",
     .max = 100,
     .help = "measure a contaminated design again, on a fresh table, up to N times"},
    {.kind = OPTION_TIME,
     .name = "statement-timeout",
     .offset = offsetof(CmdRunOptions, statement_timeout_ns),
     .argument = "TIME",
     .default_value = "1h",
     .min = NS_PER_S,
     .help = "give up when the server does not answer a statement for so long"},
    {.kind = OPTION_FLAG,
     .name = "yes-really",
     .offset = offsetof(CmdRunOptions, insist),
     .help = "run also on a server that looks like production"},
    {.kind = OPTION_CHOICE,
     .name = "format",
     .offset = offsetof(CmdRunOptions, format),
     .argument = "FORMAT",
     .default_value = "text",
     .choices = FORMAT_CHOICES,
     .help = "of the tables: text, markdown, csv, json, html"},
    {.kind = OPTION_CHOICE,
     .name = "charts",
     .offset = offsetof(CmdRunOptions, charts),
     .argument = "KIND",
     .default_value = "both",
     .choices = CHART_CHOICES,
     .help = "charts to draw: svg, png, both, none"},
    {.kind = OPTION_FLAG,
     .name = "json",
     .offset = offsetof(CmdRunOptions, json),
     .help = "print the result file's JSON on standard output instead of tables"},
    {.kind = OPTION_FLAG,
     .name = "dry-run",
     .letter = 'n',
     .offset = offsetof(CmdRunOptions, dry_run),
     .help = "say what would be measured and written, and stop"},
    {.kind = OPTION_FLAG,
     .name = "quiet",
     .letter = 'q',
     .offset = offsetof(CmdRunOptions, quiet),
     .help = "no progress; errors only"},
    {.kind = OPTION_FLAG,
     .name = "verbose",
     .letter = 'v',
     .offset = offsetof(CmdRunOptions, verbose),
     .help = "a line for each batch"},
    {.kind = OPTION_END},
};

static const char DETAILS[] =
    "SCENARIO is a name that \"keybench list scenarios\" shows, or a file. Without a connection\n"
    "option, PGHOST, PGHOSTADDR or PGSERVICE a throwaway PostgreSQL is started for the run and\n"
    "removed after it; otherwise the run is on your server, in a schema of its own.\n"
    "\n"
    "Examples:\n"
    "  keybench run table-13-1                    the book's table, full scale\n"
    "  keybench run table-13-1-quick --jobs 2     one fifth, two designs side by side\n"
    "  keybench run -h db.test -d bench my.json   your scenario on your test server\n"
    "  keybench run table-13-1-quick --json | jq .checks\n"
    "  keybench run minted-quick --baseline results/reference/minted-quick-pg18.json\n"
    "\n"
    "Exit status: 0 done and all bounds hold, 1 a bound failed, 2 wrong usage or scenario,\n"
    "3 server or machine not fit, 4 contaminated and --strict, 130 interrupted.\n";

/* One scenario on its way through the command. */
typedef struct Job {
    const CmdRunOptions *options;
    const DbTarget *target; /* NULL: throwaway */
    Sweep *sweep;
    Plan *plan;
    const Scenario *scenario; /* the sweep's first */
    char *result_path;
    Result *result;
    Result *resumed;  /* NULL: none */
    Result *baseline; /* NULL: none */
    Progress progress;
} Job;

/* Those of which the plan has a trial. */
static size_t
count_designs(const Job *job)
{
    size_t count = 0;

    for (size_t i = 0; i < job->scenario->design_count; i++) {
        const char *name = job->scenario->designs[i].name;
        size_t at = 0;

        while (at < job->plan->trial_count && strcmp(job->plan->trials[at].design->name, name) != 0)
            at++;
        count += at < job->plan->trial_count;
    }
    return count;
}

/* Said before anything is written. */
static void
announce(Job *job)
{
    Volume volume = volume_of_plan(job->plan);
    size_t designs = count_designs(job);
    char rows[UNITS_TEXT_SIZE], tables[UNITS_TEXT_SIZE], wal[UNITS_TEXT_SIZE];
    Text text = {0};

    units_print_count(volume.rows, rows, sizeof(rows));
    units_print_bytes(volume.table_bytes, 0, tables, sizeof(tables));
    units_print_bytes(volume.wal_bytes, 0, wal, sizeof(wal));
    text_printf(&text, "%s: %zu design%s, ", job->scenario->name, designs, designs == 1 ? "" : "s");
    if (job->plan->trial_count != designs)
        text_printf(&text, "%zu trials, ", job->plan->trial_count);
    text_printf(&text, "%s rows; about %s of WAL, tables of up to about %s at a time", rows, wal,
                tables);
    progress_notice(&job->progress, text.data);
    text_release(&text);
}

/* One line a trial, in the order of measuring. */
static void
show_trials(const Plan *plan)
{
    for (size_t i = 0; i < plan->trial_count; i++) {
        const PlannedTrial *trial = &plan->trials[plan->order[i]];
        Volume volume = volume_of_trial(trial);
        char rows[UNITS_TEXT_SIZE], wal[UNITS_TEXT_SIZE];

        units_print_count(volume.rows, rows, sizeof(rows));
        units_print_bytes(volume.wal_bytes, 0, wal, sizeof(wal));
        printf("%4zu  %s", i + 1, trial->design->name);
        for (size_t k = 0; k < trial->sweep_count; k++)
            printf("%s %s=%s", k == 0 ? "" : ",", trial->sweep[k].name, trial->sweep[k].value);
        if (plan->repeats > 1)
            printf(", repeat %" PRIu64, trial->repeat);
        printf(": %s rows, about %s of WAL\n", rows, wal);
    }
}

/* Verdicts go into the result. */
static Status
check(Job *job, Diag *diag)
{
    bool holds;
    Status status = check_bounds(job->result, &holds, diag);

    if (status == STATUS_OK && job->baseline != NULL)
        status = baseline_check(job->result, job->baseline, NULL, &holds, diag);
    return status;
}

static Status
measure(Job *job, Diag *diag)
{
    const CmdRunOptions *options = job->options;
    const RunOptions run = {
        .plan = job->plan,
        .target = job->target,
        .bindir = options->bindir,
        .jobs = options->jobs,
        .retries = options->retries,
        .insist = options->insist,
        .statement_timeout_ns = options->statement_timeout_ns,
        .resume = job->resumed,
        .baseline = job->baseline,
        .result_path = job->result_path,
        .listener = progress_event,
        .notice = progress_notice,
        .context = &job->progress,
    };
    Status status = run_plan(&run, &job->result, diag);
    Diag check_diag = {0};

    progress_end(&job->progress);
    if (!result_has_begun(job->result)) /* no server: there is nothing to keep or to show */
        return status;
    /* Bounds of a run that was cut short are recorded too, as not comparable. */
    if (check(job, &check_diag) == STATUS_OK &&
        result_save(job->result, job->result_path, &check_diag) == STATUS_OK)
        return status;
    if (status == STATUS_OK) {
        *diag = check_diag;
        status = diag->status;
    }
    return status;
}

static Status
print_json(const Result *result)
{
    char *json = result_to_json(result);

    puts(json);
    free(json);
    return STATUS_OK;
}

static Status
show(Job *job, Diag *diag)
{
    const CmdRunOptions *options = job->options;
    Status status;
    Text text = {0};

    if (options->json)
        status = print_json(job->result);
    else
        status = present_report(job->result, (ReportFormat)options->format, diag);
    text_printf(&text, "result %s", job->result_path);
    progress_notice(&job->progress, text.data);
    text_release(&text);
    if (status == STATUS_OK)
        status =
            present_charts(job->result, job->result_path, options->output,
                           (ChartChoice)options->charts, progress_notice, &job->progress, diag);
    return status;
}

/* --strict: a tainted batch is an error. */
static Status
check_clean(const Result *result, Diag *diag)
{
    for (size_t i = 0; i < result->finding_count; i++) {
        const Finding *finding = &result->findings[i];

        if (!finding_taints(finding))
            continue;
        diag_set(diag, STATUS_CONTAMINATED, "design \"%s\", phase \"%s\", batch %" PRIu64 ": %s",
                 finding->design, finding->phase, finding->batch, finding->detail);
        diag_hint(diag, "Measure again on a quiet server, or with --retry-contaminated 3.");
        return diag->status;
    }
    return STATUS_OK;
}

static Status
run_loaded(Job *job, Diag *diag)
{
    Diag show_diag = {0};
    Status status, shown;

    announce(job);
    if (job->options->dry_run) {
        show_trials(job->plan);
        return STATUS_OK;
    }
    status = folder_make(job->options->output, diag);
    if (status != STATUS_OK)
        return status;
    if (job->options->resume != NULL)
        job->result_path = mem_text(job->options->resume);
    else
        status =
            result_file_take(job->options->output, job->scenario->name, &job->result_path, diag);
    if (status != STATUS_OK)
        return status;
    status = measure(job, diag);
    if (!result_has_begun(job->result))
        return status;
    shown = show(job, &show_diag);
    if (status == STATUS_OK && shown != STATUS_OK) {
        *diag = show_diag;
        status = shown;
    }
    if (status == STATUS_OK && job->options->strict)
        status = check_clean(job->result, diag);
    if (status == STATUS_OK) {
        status = check_verdict(job->result, diag);
        if (status != STATUS_OK)
            diag_context(diag, "scenario \"%s\"", job->scenario->name);
    }
    return status;
}

/* Nobody changes the settings of a server that is not ours. */
static Status
check_settings(const Sweep *sweep, Diag *diag)
{
    const Scenario *first = sweep_first(sweep);

    for (size_t i = 0; i < first->setting_count; i++) {
        if (sweep_find_axis(sweep, first->settings[i].name) == NULL)
            continue;
        diag_set(diag, STATUS_USAGE, "the scenario sweeps the setting \"%s\"",
                 first->settings[i].name);
        diag_hint(diag, "That needs throwaway servers: leave out the connection options.");
        return diag->status;
    }
    return STATUS_OK;
}

/* "2/8" */
static Status
parse_shard(const char *text, PlanRequest *request, Diag *diag)
{
    char *rest = NULL;

    request->shard = strtoull(text, &rest, 10);
    if (rest != text && *rest == '/') {
        char *count = rest + 1;

        request->shard_count = strtoull(count, &rest, 10);
        if (rest != count && *rest == '\0' && text[0] != '-' && count[0] != '-' &&
            request->shard >= 1 && request->shard <= request->shard_count &&
            request->shard_count <= SWEEP_POINTS_MAX)
            return STATUS_OK;
    }
    return diag_set(diag, STATUS_USAGE, "\"--shard %s\" is not I/N with I from 1 to N", text);
}

/* One seed for all trials would leave nothing to sweep. */
static Status
check_seed(const Job *job, Diag *diag)
{
    if (!job->options->seed.given || sweep_find_axis(job->sweep, "seed") == NULL)
        return STATUS_OK;
    diag_set(diag, STATUS_USAGE, "\"--seed\" for a scenario that sweeps its seed");
    diag_hint(diag, "Choose one of its seeds: \"--only seed=N\".");
    return diag->status;
}

static Status
make_plan(Job *job, Diag *diag)
{
    const CmdRunOptions *options = job->options;
    PlanRequest request = {
        .repeats = options->repeats.given ? options->repeats.value : 0,
        .seed = options->seed.given ? &options->seed.value : NULL,
        .only = options->only,
    };
    Status status = check_seed(job, diag);

    job->scenario = sweep_first(job->sweep);
    if (status == STATUS_OK && options->shard != NULL)
        status = parse_shard(options->shard, &request, diag);
    if (status == STATUS_OK)
        status = plan_make(job->sweep, &request, &job->plan, diag);
    if (status == STATUS_OK && job->target != NULL)
        status = check_settings(job->sweep, diag);
    if (status == STATUS_OK && options->resume != NULL)
        status = resume_load(options->resume, job->plan, &job->resumed, diag);
    return status;
}

static Status
run_one(const CmdRunOptions *options, const char *name, Diag *diag)
{
    Job job = {.options = options,
               .target = connect_names_server(&options->target) ? &options->target : NULL};
    Status status = sweep_load(name, &job.sweep, diag);

    if (status == STATUS_OK)
        status = make_plan(&job, diag);
    if (status == STATUS_OK && options->baseline != NULL)
        status = baseline_load(options->baseline, &job.baseline, diag);
    progress_init(&job.progress, options->quiet     ? VERBOSITY_QUIET
                                 : options->verbose ? VERBOSITY_ALL
                                                    : VERBOSITY_NORMAL);
    if (status == STATUS_OK)
        status = run_loaded(&job, diag);
    result_file_give_back(job.result_path);
    result_free(job.result);
    result_free(job.resumed);
    result_free(job.baseline);
    free(job.result_path);
    plan_free(job.plan);
    sweep_free(job.sweep);
    return status;
}

static Status
check_options(const CmdRunOptions *options, int scenario_count, Diag *diag)
{
    bool throwaway = !connect_names_server(&options->target);

    if (options->baseline != NULL && scenario_count > 1)
        return diag_set(diag, STATUS_USAGE, "\"--baseline\" is of one scenario, and %d are given",
                        scenario_count);

    if (options->resume != NULL && scenario_count > 1)
        return diag_set(diag, STATUS_USAGE, "\"--resume\" is of one scenario, and %d are given",
                        scenario_count);
    if (options->jobs > 1 && !throwaway) {
        diag_set(diag, STATUS_USAGE, "\"--jobs\" above 1 needs throwaway servers");
        diag_hint(diag, "On one server designs would measure each other; leave --jobs out.");
        return diag->status;
    }
    if (options->bindir != NULL && !throwaway) {
        diag_set(diag, STATUS_USAGE,
                 "\"--pg-bindir\" is for a throwaway server, and a server is named");
        diag_hint(diag, "Leave it out, or leave out the connection options and unset PGHOST, "
                        "PGHOSTADDR and PGSERVICE.");
        return diag->status;
    }
    return STATUS_OK;
}

static Status
run(const void *given, int argc, char **argv, Diag *diag)
{
    const CmdRunOptions *options = given;
    Status status = check_options(options, argc, diag);
    Diag failed_bound = {0};

    if (status == STATUS_OK && !connect_names_server(&options->target))
        connect_forget_environment();
    for (int i = 0; status == STATUS_OK && i < argc; i++) {
        status = run_one(options, argv[i], diag);
        if (status == STATUS_CHECK_FAILED &&
            i + 1 < argc) { /* the others are measured all the same */
            failed_bound = *diag;
            status = STATUS_OK;
        }
    }
    if (status == STATUS_OK && failed_bound.status != STATUS_OK) {
        *diag = failed_bound;
        status = diag->status;
    }
    return status;
}

const Command CMD_RUN = {.name = "run",
                         .summary = "measure; write a result; print tables; draw charts",
                         .arguments = "SCENARIO...",
                         .details = DETAILS,
                         .options = OPTIONS,
                         .options_size = sizeof(CmdRunOptions),
                         .arguments_min = 1,
                         .arguments_max = -1,
                         .run = run};
