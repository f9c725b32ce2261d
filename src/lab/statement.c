#include "lab/prover.h"

#include "base/clock.h"
#include "base/mem.h"
#include "db/rowtext.h"
#include "lab/sqlscan.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

static const uint64_t BLOCK_DEADLINE_NS = 20 * NS_PER_S;
static const uint64_t STATEMENT_DEADLINE_NS = 1800 * NS_PER_S;
static const uint64_t LOOK_EVERY_NS = 10 * NS_PER_MS; /* while a statement should begin to wait */
static const uint64_t SUSPECT_EVERY_NS = NS_PER_S;    /* while one should not */

/* ---- Variables ---- */

static const Variable *
find_variable(const Prover *prover, const char *name, size_t length)
{
    for (size_t i = prover->variable_count; i > 0; i--) {
        const Variable *variable = &prover->variables[i - 1];

        if (strlen(variable->name) == length && strncmp(variable->name, name, length) == 0)
            return variable;
    }
    return NULL;
}

static void
add_variable(const Prover *prover, DbConn *conn, SqlToken token, Text *sql)
{
    const Variable *variable =
        find_variable(prover, token.at + strlen(":'"), token.length - strlen(":''"));
    char *quoted;

    if (variable == NULL || variable->value == NULL) {
        text_add(sql, "NULL");
        return;
    }
    quoted = token.kind == SQL_QUOTED_NAME ? db_quote_name(conn, variable->value)
                                           : db_quote_literal(conn, variable->value);
    text_add(sql, quoted);
    free(quoted);
}

/* The statement as it is sent: variables replaced. */
static void
expand(const Prover *prover, DbConn *conn, const char *source, Text *sql)
{
    for (SqlToken token = sql_token(source); token.kind != SQL_END;
         token = sql_token(token.at + token.length)) {
        if (token.kind == SQL_LITERAL_NAME || token.kind == SQL_QUOTED_NAME)
            add_variable(prover, conn, token, sql);
        else if (token.kind == SQL_SCALE_NAME)
            text_printf(sql, "%u", prover->options->scale);
        else
            text_add_bytes(sql, token.at, token.length);
    }
}

static void
set_variable(Prover *prover, const char *name, const char *value)
{
    prover->variables =
        mem_resize(prover->variables, prover->variable_count + 1, sizeof(*prover->variables));
    prover->variables[prover->variable_count++] =
        (Variable){name, value != NULL ? arena_text(prover->arena, value) : NULL};
}

/* ---- What came back ---- */

static void
add_value(Prover *prover, const char *label, const char *value)
{
    Outcome *outcome = prover->outcome;
    SeenValue *grown =
        arena_alloc(prover->arena, outcome->value_count + 1, sizeof(*outcome->values));

    if (outcome->value_count > 0)
        memcpy(grown, outcome->values, outcome->value_count * sizeof(*grown));
    grown[outcome->value_count++] = (SeenValue){label, arena_text(prover->arena, value)};
    outcome->values = grown;
}

static void
forget_answer(Prover *prover)
{
    text_release(&prover->answer);
    prover->has_answer = false;
}

/* Keep what a statement returned, for the steps that follow and for the reader. */
static Status
take_rows(Prover *prover, const Step *step, const DbRows *rows, Diag *diag)
{
    prover->has_answer = rows_returned(rows);
    if (prover->has_answer)
        rows_print(rows, &prover->answer);
    if (!prover->has_answer && (step->show != NULL || step->variable != NULL))
        return prover_fail(prover, FAILURE_STATEMENT, diag, "the statement returns no rows");
    if (step->variable != NULL) {
        if (db_rows_count(rows) != 1)
            return prover_fail(prover, FAILURE_STATEMENT, diag,
                               "\"set\" wants one row, and the query gives %zu",
                               db_rows_count(rows));
        set_variable(prover, step->variable, rows_first_cell(rows));
    }
    if (step->show != NULL)
        add_value(prover, step->show, text_data(&prover->answer));
    return STATUS_OK;
}

/* Whether `text` holds all parts of `wanted`, which " ... " separates, in any order. */
static bool
holds_all(const char *text, const char *wanted)
{
    static const char BETWEEN[] = " ... ";

    for (;;) {
        const char *end = strstr(wanted, BETWEEN);
        size_t length = end != NULL ? (size_t)(end - wanted) : strlen(wanted);
        char *part = mem_new(length + 1, 1);
        bool found;

        /* mem_new has zeroed the byte after it. */
        memcpy(part, wanted, length); /* NOLINT(bugprone-not-null-terminated-result) */
        found = strstr(text, part) != NULL;
        free(part);
        if (!found || end == NULL)
            return found;
        wanted = end + strlen(BETWEEN);
    }
}

static void
print_server_error(const Diag *error, Text *text)
{
    text_printf(text, "%s %s", error->sqlstate, error->message);
    if (error->detail[0] != '\0')
        text_printf(text, " (%s)", error->detail);
}

/* The server refused the statement: as it should, or not. */
static Status
judge_error(Prover *prover, const Step *step, const Diag *error, Diag *diag)
{
    Text seen = {0};
    Status status = STATUS_OK;

    print_server_error(error, &seen);
    if (step->sqlstate == NULL)
        status = prover_fail(prover, FAILURE_STATEMENT, diag, "unexpected error %s", seen.data);
    else if (strcmp(error->sqlstate, step->sqlstate) != 0 || !holds_all(seen.data, step->message))
        status = prover_fail(prover, FAILURE_ERROR, diag, "expected error %s%s%s, got %s",
                             step->sqlstate, step->message[0] != '\0' ? " " : "", step->message,
                             seen.data);
    else
        add_value(prover, "error", seen.data);
    text_release(&seen);
    return status;
}

/* `status` and `error` are what the statement ended with; `rows` is freed. */
static Status
judge(Prover *prover, const Step *step, Status status, const Diag *error, DbRows *rows, Diag *diag)
{
    Text told = {0};

    forget_answer(prover);
    if (status == STATUS_OK && step->sqlstate != NULL)
        status = prover_fail(prover, FAILURE_ERROR, diag,
                             "expected error %s, but the statement succeeded", step->sqlstate);
    else if (status == STATUS_OK && rows != NULL)
        status = take_rows(prover, step, rows, diag);
    else if (status == STATUS_DB_QUERY)
        status = judge_error(prover, step, error, diag);
    else if (status != STATUS_OK)
        *diag = *error;
    if (rows == NULL && error->sqlstate[0] != '\0')
        print_server_error(error, &told);
    if (told.length > 0 || prover->has_answer)
        prover_tell(prover, PROVE_ANSWER, step, NULL,
                    prover->has_answer ? text_data(&prover->answer) : told.data);
    text_release(&told);
    db_rows_free(rows);
    return status;
}

/* ---- Waiting, or not ---- */

static Status
waits_unasked(Prover *prover, const Session *session, const Session *holder, Diag *diag)
{
    return prover_fail(prover, FAILURE_BLOCKS, diag,
                       "session \"%s\" waits for session \"%s\" without a \"blocks\"",
                       session->name, holder->name);
}

/* A statement that should not wait for another session of the claim would do so for ever. */
static Status
await_answer(Prover *prover, const Step *step, Session *session, Diag *diag)
{
    Instant start = instant_now();
    DbRows *rows = NULL;
    bool finished = false;
    Diag error = {0};

    for (;;) {
        Status status = db_finish(session->conn, SUSPECT_EVERY_NS, &finished, &rows, &error);
        const Session *holder = NULL;
        bool waits = false;

        session->busy = !finished;
        if (finished || status != STATUS_OK)
            return judge(prover, step, status, &error, rows, diag);
        status = scene_waits_for(prover->scene, session, &waits, &holder, diag);
        if (status != STATUS_OK)
            return status;
        if (holder != NULL)
            return waits_unasked(prover, session, holder, diag);
        if (instant_elapsed_ns(start) > STATEMENT_DEADLINE_NS)
            return prover_fail(prover, FAILURE_STATEMENT, diag, "no answer within half an hour");
    }
}

static Status
did_not_wait(Prover *prover, Status status, const Diag *error, Diag *diag)
{
    Text seen = {0};

    if (status == STATUS_DB_QUERY)
        print_server_error(error, &seen);
    if (status == STATUS_OK || status == STATUS_DB_QUERY)
        status = prover_fail(prover, FAILURE_BLOCKS, diag,
                             "the statement was expected to wait, but it %s%s",
                             status == STATUS_OK ? "finished" : "failed: ", text_data(&seen));
    else
        *diag = *error;
    text_release(&seen);
    return status;
}

static void
note_waiting(Prover *prover, const Step *step, Session *session, const Session *holder)
{
    Text value = {0};

    text_printf(&value, "%s waits for %s", session->name,
                holder != NULL ? holder->name : "another session");
    prover_tell(prover, PROVE_ANSWER, step, NULL, value.data);
    add_value(prover, "", value.data);
    text_release(&value);
    session->waiting = step;
}

/* The server itself says whether it waits; until it does, or has finished, there is nothing to
 * tell. */
static Status
await_block(Prover *prover, const Step *step, Session *session, Diag *diag)
{
    Instant start = instant_now();
    DbRows *rows = NULL;
    bool finished = false, waits = false;
    Diag error = {0};

    while (instant_elapsed_ns(start) < BLOCK_DEADLINE_NS) {
        const Session *holder = NULL;
        Status status = db_finish(session->conn, LOOK_EVERY_NS, &finished, &rows, &error);

        session->busy = !finished;
        if (finished || status != STATUS_OK) {
            db_rows_free(rows);
            return did_not_wait(prover, status, &error, diag);
        }
        status = scene_waits_for(prover->scene, session, &waits, &holder, diag);
        if (status != STATUS_OK)
            return status;
        if (waits) {
            note_waiting(prover, step, session, holder);
            return STATUS_OK;
        }
    }
    return prover_fail(prover, FAILURE_BLOCKS, diag,
                       "the statement neither waits for a lock nor finishes");
}

/* The chapter's reader has seen that a statement of it waits. */
static Session *
must_find_waiting(const Prover *prover, const Step *step)
{
    Session *session = scene_find_waiting(prover->scene, step->text);

    if (session == NULL)
        BUG("line %zu resumes a session that does not wait", step->line);
    return session;
}

Status
statement_resume(Prover *prover, const Step *step, Diag *diag)
{
    Session *session = must_find_waiting(prover, step);
    DbRows *rows = NULL;
    bool finished = false;
    Diag error = {0};
    Step merged;
    Status status;

    status = db_finish(session->conn, BLOCK_DEADLINE_NS, &finished, &rows, &error);
    session->busy = !finished;
    if (status == STATUS_OK && !finished)
        return prover_fail(prover, FAILURE_BLOCKS, diag, "session \"%s\" still waits",
                           session->name);
    merged = *session->waiting;
    merged.line = step->line;
    merged.sqlstate = step->sqlstate;
    merged.message = step->message;
    session->waiting = NULL;
    return judge(prover, &merged, status, &error, rows, diag);
}

/* ---- Sending ---- */

static Status
send_and_await(Prover *prover, const Step *step, Session *session, const char *sql, Diag *diag)
{
    Status status = db_send(session->conn, sql, diag);

    session->busy = status == STATUS_OK;
    if (status == STATUS_OK)
        status = step->blocks ? await_block(prover, step, session, diag)
                              : await_answer(prover, step, session, diag);
    return status;
}

/* Ask again until it is true: for what the server does in its own time, as a replica that catches
 * up. */
static Status
ask_until(Prover *prover, const Step *step, Session *session, const char *sql, Diag *diag)
{
    const struct timespec pause = {.tv_nsec = (long)LOOK_EVERY_NS};
    Instant start = instant_now();

    for (;;) {
        Status status = send_and_await(prover, step, session, sql, diag);

        if (status != STATUS_OK || strcmp(text_data(&prover->answer), "true") == 0)
            return status;
        if (instant_elapsed_ns(start) > BLOCK_DEADLINE_NS)
            return prover_fail(prover, FAILURE_EXPECT, diag,
                               "it does not become true; the last answer is \"%s\"",
                               text_data(&prover->answer));
        nanosleep(&pause, NULL);
    }
}

static Status
measure(Prover *prover, const Step *step, Session *session, const char *sql, Diag *diag)
{
    DbConn *keeper = NULL;
    Diag error = {0};
    Status status = scene_keeper(prover->scene, &keeper, diag);

    if (status != STATUS_OK)
        return status;
    status =
        measured_statement(session->conn, keeper, scene_schema(prover->scene), step, sql, &error);
    return judge(prover, step, status, &error, NULL, diag);
}

Status
statement_run(Prover *prover, const Step *step, Diag *diag)
{
    Session *session = NULL;
    Text sql = {0};
    Status status = scene_session(prover->scene, &session, diag);

    if (status != STATUS_OK)
        return status;
    expand(prover, session->conn, step->text, &sql);
    prover_tell(prover, PROVE_STEP, step, session->name, text_data(&sql));
    if (step->design != NULL)
        status = measure(prover, step, session, text_data(&sql), diag);
    else if (step->until)
        status = ask_until(prover, step, session, text_data(&sql), diag);
    else
        status = send_and_await(prover, step, session, text_data(&sql), diag);
    text_release(&sql);
    return status;
}
