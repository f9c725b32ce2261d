#include "lab/prove.h"

#include "base/clock.h"
#include "db/schema.h"
#include "lab/prover.h"

#include <stdlib.h>
#include <string.h>

static const uint64_t TURN_WAIT_NS = 1800 * NS_PER_S;

Status
prover_fail(Prover *prover, FailureKind kind, Diag *diag, const char *format, ...)
{
    char reason[2048];
    va_list args;

    va_start(args, format);
    vsnprintf(reason, sizeof(reason), format, args);
    va_end(args);
    prover->outcome->failure = kind;
    prover->outcome->reason = arena_text(prover->arena, reason);
    return diag_set(diag, STATUS_CHECK_FAILED, "claim \"%s\" does not hold", prover->claim->id);
}

void
prover_tell(const Prover *prover, ProveEventKind kind, const Step *step, const char *session,
            const char *text)
{
    const ProveOptions *options = prover->options;
    const ProveEvent event = {kind, options->chapter, prover->claim, step, session, text};

    if (options->event != NULL)
        options->event(options->context, &event);
}

/* ---- Measurements ---- */

static void
add_remark(Prover *prover, const Finding *finding)
{
    Outcome *outcome = prover->outcome;
    const char **grown =
        arena_alloc(prover->arena, outcome->remark_count + 1, sizeof(*outcome->remarks));

    if (outcome->remark_count > 0)
        memcpy(grown, outcome->remarks, outcome->remark_count * sizeof(*grown));
    grown[outcome->remark_count++] =
        arena_printf(prover->arena, "%s, design %s, phase %s, batch %llu: %s", finding->kind,
                     finding->design != NULL ? finding->design : "-",
                     finding->phase != NULL ? finding->phase : "-",
                     (unsigned long long)finding->batch, finding->detail);
    outcome->remarks = grown;
}

static Status
run_scenario_step(Prover *prover, const Step *step, Diag *diag)
{
    const ProveOptions *options = prover->options;
    const MeasuredRun run = {
        .target = scene_target(prover->scene),
        .folder = options->chapter->folder,
        .file = step->text,
        .scale = options->scale,
        .insist = options->insist || options->cluster != NULL,
        .notice = options->notice,
        .context = options->context,
    };
    const Result *result = NULL;
    DbConn *keeper = NULL;
    Status status = scene_publish(prover->scene, diag);

    if (status == STATUS_OK)
        status = measured_run(options->measured, &run, &result, diag);
    if (status == STATUS_OK)
        status = scene_keeper(prover->scene, &keeper, diag);
    if (status == STATUS_OK)
        status = measured_write_result(keeper, scene_schema(prover->scene), result, diag);
    for (size_t i = 0; status == STATUS_OK && i < result->finding_count; i++)
        add_remark(prover, &result->findings[i]);
    return status;
}

/* A claim that measures must be alone among the keybenches of its server. */
static Status
take_turn(Prover *prover, Diag *diag)
{
    const ProveOptions *options = prover->options;
    DbConn *keeper = NULL;
    bool measures = false;
    Status status;

    for (size_t i = 0; i < prover->claim->step_count; i++)
        measures |= prover->claim->steps[i].design != NULL;
    if (!measures)
        return STATUS_OK;
    status = scene_keeper(prover->scene, &keeper, diag);
    if (status == STATUS_OK)
        status = measuring_turn_take(keeper, 0, diag);
    if (status != STATUS_SERVER)
        return status;
    if (options->notice != NULL)
        options->notice(options->context, "another keybench measures on this server: waiting");
    return measuring_turn_take(keeper, TURN_WAIT_NS, diag);
}

/* ---- Steps ---- */

static Status
check_expected(Prover *prover, const Step *step, Diag *diag)
{
    if (!prover->has_answer)
        return prover_fail(prover, FAILURE_STATEMENT, diag, "the statement returns no rows");
    if (strcmp(text_data(&prover->answer), step->text) == 0)
        return STATUS_OK;
    return prover_fail(prover, FAILURE_EXPECT, diag, "expected \"%s\", got \"%s\"", step->text,
                       text_data(&prover->answer));
}

/* The chapter's setup, once in each database that the claim uses. */
static Status
run_setup(Prover *prover, Diag *diag)
{
    const Chapter *chapter = prover->options->chapter;
    Status status = STATUS_OK;

    if (!scene_take_new(prover->scene))
        return STATUS_OK;
    for (size_t i = 0; status == STATUS_OK && i < prover->claim->setup_count; i++) {
        prover->outcome->line = chapter->setup[i].line;
        status = statement_run(prover, &chapter->setup[i], diag);
    }
    return status;
}

static Status
go(Prover *prover, const Step *step, Diag *diag)
{
    Scene *scene = prover->scene;
    Status status = step->kind == STEP_SERVER ? scene_go_server(scene, step, diag)
                                              : scene_go_database(scene, step->text, diag);

    return status == STATUS_OK ? run_setup(prover, diag) : status;
}

static void
tell_step(const Prover *prover, const Step *step)
{
    static const char *const WORDS[] = {
        [STEP_SESSION] = "session", [STEP_SERVER] = "server", [STEP_DATABASE] = "database",
        [STEP_RESUMES] = "resumes", [STEP_CRASH] = "crash",   [STEP_RESTART] = "restart",
        [STEP_EXPECT] = "expect",   [STEP_RUN] = "run",       [STEP_DISCONNECT] = "disconnect",
    };
    Text text = {0};

    if (step->kind == STEP_STATEMENT)
        return;
    text_printf(&text, "--@ %s%s%s", WORDS[step->kind], step->text != NULL ? " " : "",
                step->text != NULL ? step->text : "");
    prover_tell(prover, PROVE_STEP, step, NULL, text.data);
    text_release(&text);
}

static Status
run_step(Prover *prover, const Step *step, Diag *diag)
{
    tell_step(prover, step);
    switch (step->kind) {
    case STEP_STATEMENT:
        return statement_run(prover, step, diag);
    case STEP_EXPECT:
        return check_expected(prover, step, diag);
    case STEP_SESSION:
        return scene_go_session(prover->scene, step->text, diag);
    case STEP_SERVER:
    case STEP_DATABASE:
        return go(prover, step, diag);
    case STEP_RESUMES:
        return statement_resume(prover, step, diag);
    case STEP_DISCONNECT:
        scene_disconnect(prover->scene);
        return STATUS_OK;
    case STEP_CRASH:
        return scene_crash(prover->scene, diag);
    case STEP_RESTART:
        return scene_restart(prover->scene, diag);
    case STEP_RUN:
        return run_scenario_step(prover, step, diag);
    }
    BUG("step kind %d", (int)step->kind);
}

static Status
run_steps(Prover *prover, Diag *diag)
{
    const Claim *claim = prover->claim;
    Status status = run_setup(prover, diag);

    if (status == STATUS_OK)
        status = take_turn(prover, diag);
    for (size_t i = 0; status == STATUS_OK && i < claim->step_count; i++) {
        prover->outcome->line = claim->steps[i].line;
        status = run_step(prover, &claim->steps[i], diag);
    }
    return status;
}

/* ---- The claim ---- */

static Status
show(Prover *prover, Diag *diag)
{
    const ProveOptions *options = prover->options;
    const SceneOptions scene = {
        .target = options->target,
        .cluster = options->cluster,
        .bindir = options->bindir,
        .claim = prover->claim,
        .notice = options->notice,
        .context = options->context,
    };
    Status status = scene_open(&scene, &prover->scene, diag);

    if (status == STATUS_OK) {
        prover->variables = mem_new(1, sizeof(*prover->variables));
        prover->variables[prover->variable_count++] =
            (Variable){"schema", arena_text(prover->arena, scene_schema(prover->scene))};
        status = run_steps(prover, diag);
    }
    scene_close(prover->scene);
    free(prover->variables);
    text_release(&prover->answer);
    return status;
}

static Status
find_reason(const ProveOptions *options, const Claim *claim, Arena *arena, Outcome *outcome,
            Diag *diag)
{
    DbConn *conn = NULL;
    Text reason = {0};
    Status status = db_open(options->target, &conn, diag);

    if (status == STATUS_OK)
        status = needs_check(conn, options->facts, claim, &reason, diag);
    if (status == STATUS_OK && reason.length > 0) {
        outcome->verdict = VERDICT_SKIP;
        outcome->reason = arena_text(arena, reason.data);
    }
    text_release(&reason);
    db_close(conn);
    return status;
}

Status
prove_claim(const ProveOptions *options, const Claim *claim, Arena *arena, Outcome *outcome,
            Diag *diag)
{
    Prover prover = {.options = options, .claim = claim, .arena = arena, .outcome = outcome};
    Instant start = instant_now();
    Status status;

    *outcome = (Outcome){.reason = ""};
    status = find_reason(options, claim, arena, outcome, diag);
    if (status == STATUS_OK && outcome->verdict != VERDICT_SKIP) {
        status = show(&prover, diag);
        if (status == STATUS_OK)
            outcome->verdict = VERDICT_OK;
        if (status == STATUS_CHECK_FAILED) {
            outcome->verdict = VERDICT_FAIL;
            status = STATUS_OK;
        }
    }
    outcome->elapsed_ns = instant_elapsed_ns(start);
    if (status != STATUS_OK)
        diag_context(diag, "%s:%zu: claim \"%s\"", options->chapter->file,
                     outcome->line > 0 ? outcome->line : claim->line, claim->id);
    return status;
}
