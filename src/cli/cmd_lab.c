#include "cli/commands.h"

#include "base/file.h"
#include "base/mem.h"
#include "base/text.h"
#include "cli/connect.h"
#include "lab/print.h"

#include <stdlib.h>
#include <unistd.h>

typedef struct CmdLabOptions {
    DbTarget target;
    const char *bindir, *junit, *explain;
    MaybeCount jobs;
    int scale;
    bool tap, json, list, insist, verbose, quiet;
} CmdLabOptions;

/* The book's size is five times that of the claims. */
static const char *const SCALE_CHOICES[] = {"quick", "full", NULL};
static const unsigned SCALES[] = {1, 5};

static const OptionSpec OPTIONS[] = {
    CONNECT_OPTIONS(CmdLabOptions, target),
    {.kind = OPTION_TEXT,
     .name = "pg-bindir",
     .offset = offsetof(CmdLabOptions, bindir),
     .argument = "DIR",
     .min = 1,
     .help = "the throwaway servers' programs; default: search"},
    {.kind = OPTION_MAYBE_COUNT,
     .name = "jobs",
     .letter = 'j',
     .offset = offsetof(CmdLabOptions, jobs),
     .argument = "N",
     .min = 1,
     .max = 64,
     .help = "chapters side by side, each on its own throwaway server; default: 2"},
    {.kind = OPTION_CHOICE,
     .name = "scale",
     .offset = offsetof(CmdLabOptions, scale),
     .argument = "SCALE",
     .default_value = "quick",
     .choices = SCALE_CHOICES,
     .help = "of measured claims: quick (one fifth of the book's rows) or full"},
    {.kind = OPTION_FLAG,
     .name = "tap",
     .offset = offsetof(CmdLabOptions, tap),
     .help = "print TAP, as prove reads it"},
    {.kind = OPTION_FLAG,
     .name = "json",
     .offset = offsetof(CmdLabOptions, json),
     .help = "print JSON with every value and the SQL"},
    {.kind = OPTION_TEXT,
     .name = "junit",
     .offset = offsetof(CmdLabOptions, junit),
     .argument = "FILE",
     .min = 1,
     .help = "also write JUnit XML"},
    {.kind = OPTION_FLAG,
     .name = "list",
     .offset = offsetof(CmdLabOptions, list),
     .help = "list chapters and claims, and stop"},
    {.kind = OPTION_TEXT,
     .name = "explain",
     .offset = offsetof(CmdLabOptions, explain),
     .argument = "CLAIM",
     .help = "say what a claim means, why it matters, and its SQL, and stop"},
    {.kind = OPTION_FLAG,
     .name = "yes-really",
     .offset = offsetof(CmdLabOptions, insist),
     .help = "also on a server that looks like production"},
    {.kind = OPTION_FLAG,
     .name = "verbose",
     .letter = 'v',
     .offset = offsetof(CmdLabOptions, verbose),
     .help = "show each statement as it runs, and its answer; one job unless --jobs is given"},
    {.kind = OPTION_FLAG,
     .name = "quiet",
     .letter = 'q',
     .offset = offsetof(CmdLabOptions, quiet),
     .help = "no remarks on standard error; errors only"},
    {.kind = OPTION_END},
};

static const char DETAILS[] =
    "CHAPTER and CLAIM are names that --list shows; FILE is a chapter of your own, see "
    "docs/lab.md.\n"
    "Without a connection option, PGHOST, PGHOSTADDR or PGSERVICE each chapter runs on a\n"
    "throwaway PostgreSQL; otherwise on your server, in schemas of its own, and what your version\n"
    "or role cannot do is skipped with the reason.\n"
    "\n"
    "Examples:\n"
    "  keybench lab                            every claim, on throwaway servers\n"
    "  keybench lab sequences text-case        one chapter and one claim\n"
    "  keybench lab --explain seq-rollback     what it means, and the SQL that shows it\n"
    "  keybench lab -v seq-commit-order        follow each statement\n"
    "  keybench lab -h db.test -d lab          on your test server\n"
    "  prove -e 'keybench lab --tap' my.sql    your own chapter under prove\n"
    "\n"
    "Exit status: 0 every claim holds or is skipped, 1 one does not, 2 wrong usage or chapter,\n"
    "3 server or machine not fit, 130 interrupted.\n";

/* One lab on its way through the command. */
typedef struct LabJob {
    const CmdLabOptions *options;
    const DbTarget *target; /* NULL: throwaway */
    Library library;
    LabPrinter printer;
    Lab *lab;
} LabJob;

static void
show_outcome(void *context, size_t chapter, size_t claim, const Outcome *outcome)
{
    LabJob *job = context;

    if (job->options->tap)
        print_tap_outcome(&job->printer, chapter, claim, outcome);
    else if (!job->options->json)
        print_text_outcome(&job->printer, chapter, claim, outcome);
}

static void
show_event(void *context, const ProveEvent *event)
{
    (void)context;
    print_event(event, stderr);
}

static void
show_notice(void *context, const char *text)
{
    const LabJob *job = context;

    if (!job->options->quiet)
        fprintf(stderr, "keybench: %s\n", text);
}

static uint64_t
choose_jobs(const LabJob *job)
{
    if (job->options->jobs.given)
        return job->options->jobs.value;
    return job->target == NULL && !job->options->verbose ? 2 : 1;
}

static Status
write_junit(const LabJob *job, Diag *diag)
{
    Text xml = {0};
    Status status;

    if (job->options->junit == NULL)
        return STATUS_OK;
    print_junit(job->lab, &xml);
    status = file_write_atomic(job->options->junit, xml.data, xml.length, diag);
    text_release(&xml);
    return status;
}

static void
show_end(const LabJob *job, const char *error)
{
    char *json;

    if (job->options->tap) {
        print_tap_end(&job->printer, error);
    } else if (job->options->json) {
        json = print_json(job->lab, SCALES[job->options->scale], error);
        puts(json);
        free(json);
    } else {
        print_text_end(&job->printer, job->lab);
    }
}

/* What was proved is shown and written whatever happened. */
static Status
finish(const LabJob *job, Status status, Diag *diag)
{
    Diag write_diag = {0};
    Status written;

    show_end(job, status != STATUS_OK ? diag->message : NULL);
    written = write_junit(job, &write_diag);
    if (status == STATUS_OK && written != STATUS_OK) {
        *diag = write_diag;
        status = written;
    }
    if (status == STATUS_OK && job->lab->fail_count > 0)
        status = diag_set(diag, STATUS_CHECK_FAILED, "%zu of %zu claims %s not hold",
                          job->lab->fail_count, library_chosen_count(&job->library),
                          job->lab->fail_count == 1 ? "does" : "do");
    return status;
}

static Status
prove(LabJob *job, Diag *diag)
{
    const char *no_color = getenv("NO_COLOR");
    const LabOptions options = {
        .library = &job->library,
        .target = job->target,
        .bindir = job->options->bindir,
        .jobs = choose_jobs(job),
        .scale = SCALES[job->options->scale],
        .insist = job->options->insist,
        .proved = show_outcome,
        .event = job->options->verbose ? show_event : NULL,
        .notice = show_notice,
        .context = job,
    };
    Status status;

    job->printer = (LabPrinter){
        .stream = stdout,
        .library = &job->library,
        .colour = isatty(STDOUT_FILENO) == 1 && (no_color == NULL || no_color[0] == '\0'),
    };
    status = lab_run(&options, &job->lab, diag);
    return finish(job, status, diag);
}

static Status
check_options(const CmdLabOptions *options, bool throwaway, Diag *diag)
{
    if (options->tap && options->json)
        return diag_set(diag, STATUS_USAGE, "\"--tap\" and \"--json\" both want standard output");
    if (throwaway)
        return STATUS_OK;
    if (options->jobs.given && options->jobs.value > 1) {
        diag_set(diag, STATUS_USAGE, "\"--jobs\" above 1 needs throwaway servers");
        diag_hint(diag, "On one server chapters would disturb each other; leave --jobs out.");
        return diag->status;
    }
    if (options->bindir != NULL) {
        diag_set(diag, STATUS_USAGE,
                 "\"--pg-bindir\" is for a throwaway server, and a server is named");
        diag_hint(diag, "Leave it out, or leave out the connection options and unset PGHOST, "
                        "PGHOSTADDR and PGSERVICE.");
        return diag->status;
    }
    return STATUS_OK;
}

/* The words that choose: the arguments, and what --explain names. */
static const char **
make_words(const CmdLabOptions *options, int argc, char **argv, size_t *count)
{
    const char **words = mem_new((size_t)argc + 1, sizeof(*words));

    for (int i = 0; i < argc; i++)
        words[i] = argv[i];
    *count = (size_t)argc;
    if (options->explain != NULL)
        words[(*count)++] = options->explain;
    return words;
}

static Status
run(const void *given, int argc, char **argv, Diag *diag)
{
    LabJob job = {.options = given};
    size_t count = 0;
    const char **words = make_words(job.options, argc, argv, &count);
    bool throwaway = !connect_names_server(&job.options->target);
    Status status;

    job.target = throwaway ? NULL : &job.options->target;
    if (throwaway)
        connect_forget_environment();
    status = check_options(job.options, throwaway, diag);
    if (status == STATUS_OK)
        status = library_load(words, count, &job.library, diag);
    if (status == STATUS_OK && job.options->explain != NULL)
        print_explained(&job.library, stdout);
    else if (status == STATUS_OK && job.options->list)
        print_list(&job.library, stdout);
    else if (status == STATUS_OK)
        status = prove(&job, diag);
    lab_free(job.lab);
    library_release(&job.library);
    free(words);
    return status;
}

const Command CMD_LAB = {.name = "lab",
                         .summary = "prove the key chapter's claims on a live server",
                         .arguments = "[CHAPTER|CLAIM|FILE...]",
                         .details = DETAILS,
                         .options = OPTIONS,
                         .options_size = sizeof(CmdLabOptions),
                         .arguments_max = -1,
                         .run = run};
