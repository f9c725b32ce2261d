#include "lab/chapter.h"

#include "base/file.h"
#include "base/text.h"
#include "lab/reader.h"
#include "lab/sqlscan.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const char DIRECTIVE[] = "--@";

void
reader_add_step(Reader *reader, const Step *step)
{
    Chapter *chapter = reader->chapter;
    Claim *claim = &reader->claim;

    if (reader->part == PART_SETUP) {
        chapter->setup =
            reader_grow(reader, chapter->setup, chapter->setup_count, sizeof(*chapter->setup));
        chapter->setup[chapter->setup_count++] = *step;
    } else {
        claim->steps = reader_grow(reader, claim->steps, claim->step_count, sizeof(*claim->steps));
        claim->steps[claim->step_count++] = *step;
    }
}

/* ---- Statements ---- */

static bool
knows_variable(const Reader *reader, const char *name, size_t length)
{
    if (length == strlen("schema") && strncmp(name, "schema", length) == 0)
        return true;
    for (size_t i = 0; i < reader->variable_count; i++)
        if (strlen(reader->variables[i]) == length &&
            strncmp(reader->variables[i], name, length) == 0)
            return true;
    return false;
}

/* A variable must be set above the statement that uses it. */
static Status
check_variables(const Reader *reader, const char *sql, size_t line, Diag *diag)
{
    for (SqlToken token = sql_token(sql); token.kind != SQL_END;
         token = sql_token(token.at + token.length)) {
        const char *name = token.at + strlen(":'");
        size_t length = token.length - strlen(":''");

        if ((token.kind == SQL_LITERAL_NAME || token.kind == SQL_QUOTED_NAME) &&
            !knows_variable(reader, name, length))
            return reader_error(reader, line, diag, "nothing sets the variable \"%.*s\" above",
                                (int)length, name);
    }
    return STATUS_OK;
}

/* COPY from or to the client has no place in a chapter. */
static bool
is_client_copy(const char *sql)
{
    bool first = true, copy = false;

    for (SqlToken token = sql_token(sql); token.kind != SQL_END;
         token = sql_token(token.at + token.length)) {
        if (token.kind == SQL_BLANK || token.kind == SQL_COMMENT)
            continue;
        if (first)
            copy = sql_token_is(token, "copy");
        first = false;
        if (copy && (sql_token_is(token, "stdin") || sql_token_is(token, "stdout")))
            return true;
    }
    return false;
}

static Status
check_place(const Reader *reader, size_t line, Diag *diag)
{
    if (reader->part == PART_HEAD)
        return reader_error(reader, line, diag,
                            "a statement above the first claim: put it below \"--@ setup\"");
    if (reader->part == PART_SETUP && reader->next_directive != NULL)
        return reader_error(reader, line, diag, "\"%s\" has no place in a setup",
                            reader->next_directive);
    for (size_t i = 0; i < reader->waiting_count; i++)
        if (strcmp(reader->waiting[i].session, reader->session) == 0)
            return reader_error(reader, line, diag,
                                "session \"%s\" still waits in the statement of line %zu",
                                reader->session, reader->waiting[i].line);
    return STATUS_OK;
}

static Status
check_directives(const Reader *reader, size_t line, Diag *diag)
{
    const Step *next = &reader->next;

    if (next->blocks && next->sqlstate != NULL)
        return reader_error(reader, line, diag,
                            "the error of a statement that blocks is said by \"resumes\"");
    if ((next->design != NULL || next->until) &&
        (next->blocks || next->sqlstate != NULL || next->show != NULL || next->variable != NULL ||
         (next->design != NULL && next->until)))
        return reader_error(reader, line, diag, "\"%s\" goes with no other directive",
                            next->until ? "until" : "measure");
    return STATUS_OK;
}

static void
note_statement(Reader *reader, const Step *step)
{
    if (step->blocks) {
        reader->waiting =
            reader_grow(reader, reader->waiting, reader->waiting_count, sizeof(*reader->waiting));
        reader->waiting[reader->waiting_count++] = (Waiting){reader->session, step->line};
    }
    if (step->variable != NULL) {
        reader->variables = reader_grow(reader, reader->variables, reader->variable_count,
                                        sizeof(*reader->variables));
        reader->variables[reader->variable_count++] = step->variable;
    }
}

Status
reader_add_statement(Reader *reader, const char *sql, size_t line, Diag *diag)
{
    Step step = reader->next;
    Status status = check_place(reader, line, diag);

    if (status == STATUS_OK)
        status = check_directives(reader, line, diag);
    if (status == STATUS_OK)
        status = check_variables(reader, sql, line, diag);
    if (status == STATUS_OK && is_client_copy(sql))
        status = reader_error(reader, line, diag, "COPY from or to the client is not for chapters");
    if (status != STATUS_OK)
        return status;
    step.kind = STEP_STATEMENT;
    step.line = line;
    step.text = sql;
    reader_add_step(reader, &step);
    note_statement(reader, &step);
    reader->next = (Step){0};
    reader->next_directive = NULL;
    return STATUS_OK;
}

/* ---- Claims ---- */

static bool
can_fail(const Claim *claim)
{
    for (size_t i = 0; i < claim->step_count; i++) {
        const Step *step = &claim->steps[i];

        if (step->kind == STEP_EXPECT || step->sqlstate != NULL || step->blocks || step->until)
            return true;
    }
    return false;
}

static void
add_need(Reader *reader, Need need)
{
    Claim *claim = &reader->claim;

    claim->needs = reader_grow(reader, claim->needs, claim->need_count, sizeof(*claim->needs));
    claim->needs[claim->need_count++] = need;
}

/* What the steps themselves need; a chapter does not have to say it again. */
static void
add_step_needs(Reader *reader)
{
    bool used[STEP_RUN + 1] = {false};

    for (size_t i = 0; i < reader->claim.step_count; i++)
        used[reader->claim.steps[i].kind] = true;
    if (used[STEP_SERVER] || used[STEP_CRASH] || used[STEP_RESTART])
        add_need(reader, (Need){.kind = NEED_THROWAWAY});
    if (used[STEP_DATABASE])
        add_need(reader, (Need){.kind = NEED_CREATEDB});
    if (used[STEP_RUN]) {
        add_need(reader, (Need){.kind = NEED_ROLE, .name = "pg_checkpoint"});
        add_need(reader, (Need){.kind = NEED_ROLE, .name = "pg_stat_scan_tables"});
        add_need(reader, (Need){.kind = NEED_EXTENSION, .name = "pgstattuple"});
    }
}

static Status
check_turns(const Reader *reader, Diag *diag)
{
    bool run = false, measured = false;

    for (size_t i = 0; i < reader->claim.step_count; i++) {
        run |= reader->claim.steps[i].kind == STEP_RUN;
        measured |= reader->claim.steps[i].design != NULL;
    }
    if (run && measured)
        return reader_error(reader, reader->claim.line, diag,
                            "claim \"%s\" has both \"run\" and \"measure\": they would wait for "
                            "each other's turn",
                            reader->claim.id);
    return STATUS_OK;
}

/* The claim's lines in the file, up to the end of its last step: comments below belong to what
 * follows. */
static const char *
copy_source(const Reader *reader)
{
    size_t length = (size_t)(reader->source_end - reader->source);

    return arena_printf(reader->chapter->arena, "%.*s", (int)length, reader->source);
}

static void
begin_nothing(Reader *reader)
{
    reader->claim = (Claim){0};
    reader->session = "main";
    reader->waiting_count = 0;
    reader->variable_count = 0;
}

Status
reader_end_claim(Reader *reader, Diag *diag)
{
    Chapter *chapter = reader->chapter;
    Claim *claim = &reader->claim;
    Status status = STATUS_OK;

    if (reader->next_directive != NULL)
        return reader_error(reader, reader->next.line, diag, "no statement follows \"%s\"",
                            reader->next_directive);
    if (reader->part != PART_CLAIM)
        return STATUS_OK;
    if (reader->waiting_count > 0)
        return reader_error(reader, reader->waiting[0].line, diag,
                            "nothing resumes this statement of session \"%s\"",
                            reader->waiting[0].session);
    if (!can_fail(claim))
        return reader_error(reader, claim->line, diag,
                            "claim \"%s\" has no way to fail: it needs an expect, error or blocks",
                            claim->id);
    status = check_turns(reader, diag);
    if (status != STATUS_OK)
        return status;
    add_step_needs(reader);
    for (size_t i = 0; i < reader->common_need_count; i++)
        add_need(reader, reader->common_needs[i]);
    claim->source = copy_source(reader);
    claim->setup_count = chapter->setup_count;
    chapter->claims =
        reader_grow(reader, chapter->claims, chapter->claim_count, sizeof(*chapter->claims));
    chapter->claims[chapter->claim_count++] = *claim;
    begin_nothing(reader);
    return STATUS_OK;
}

/* ---- The file ---- */

static void
move_to(Reader *reader, const char *to)
{
    for (; reader->at < to; reader->at++)
        reader->line += *reader->at == '\n';
}

static Status
read_directive(Reader *reader, Diag *diag)
{
    const char *end = reader->at + strcspn(reader->at, "\n");
    const char *from = reader->at + strlen(DIRECTIVE);
    const char *to = end;
    char *text;
    Status status;

    while (from < to && isspace((unsigned char)*from))
        from++;
    while (to > from && isspace((unsigned char)to[-1]))
        to--;
    text = arena_printf(reader->chapter->arena, "%.*s", (int)(to - from), from);
    status = directive_read(reader, text, diag);
    move_to(reader, end);
    return status;
}

static Status
refuse_statement(const Reader *reader, const char *stopped, Diag *diag)
{
    SqlToken token = sql_token(stopped);
    size_t line = reader->line;

    for (const char *at = reader->at; at < stopped; at++)
        line += *at == '\n';
    if (token.kind == SQL_UNTERMINATED)
        return reader_error(reader, line, diag, "a quote or comment is opened here and not closed");
    if (token.kind == SQL_COMMENT)
        return reader_error(reader, line, diag,
                            "a directive inside the statement of line %zu: is a \";\" missing?",
                            reader->line);
    return reader_error(reader, reader->line, diag, "a statement without \";\" at its end");
}

static Status
read_statement(Reader *reader, Diag *diag)
{
    const char *start = reader->at, *stopped = NULL;
    size_t line = reader->line;
    char *sql;

    if (*start == '\\')
        return reader_error(reader, line, diag, "a command of psql: a chapter holds SQL only");
    if (!sql_find_end(start, &stopped))
        return refuse_statement(reader, stopped, diag);
    sql = arena_printf(reader->chapter->arena, "%.*s", (int)(stopped - start), start);
    move_to(reader, stopped + 1);
    return reader_add_statement(reader, sql, line, diag);
}

/* Whether only blanks are in front of the next byte in its line. */
static bool
at_line_start(const Reader *reader, const char *text)
{
    const char *at = reader->at;

    while (at > text && (at[-1] == ' ' || at[-1] == '\t'))
        at--;
    return at == text || at[-1] == '\n';
}

static Status
read_next(Reader *reader, const char *text, Diag *diag)
{
    SqlToken token = sql_token(reader->at);
    bool directive = strncmp(reader->at, DIRECTIVE, strlen(DIRECTIVE)) == 0;
    Status status;

    if (directive && !at_line_start(reader, text))
        return reader_error(reader, reader->line, diag, "a directive stands on a line of its own");
    if (!directive &&
        (token.kind == SQL_BLANK || token.kind == SQL_COMMENT || token.kind == SQL_SEMICOLON)) {
        move_to(reader, token.at + token.length);
        return STATUS_OK;
    }
    status = directive ? read_directive(reader, diag) : read_statement(reader, diag);
    reader->source_end = reader->at + strcspn(reader->at, "\n");
    return status;
}

static Status
read_all(Reader *reader, const char *text, Diag *diag)
{
    Status status = STATUS_OK;

    while (status == STATUS_OK && *reader->at != '\0')
        status = read_next(reader, text, diag);
    if (status == STATUS_OK)
        status = reader_end_claim(reader, diag);
    if (status == STATUS_OK && reader->chapter->name == NULL)
        status =
            reader_error(reader, 1, diag, "no chapter: begin with \"--@ chapter NAME: TITLE\"");
    if (status == STATUS_OK && reader->chapter->claim_count == 0)
        status = reader_error(reader, reader->line, diag, "a chapter without a claim");
    return status;
}

/* Where its scenarios are. */
static const char *
folder_of(Arena *arena, const char *file)
{
    const char *slash = strrchr(file, '/');

    if (slash == NULL)
        return ".";
    return arena_printf(arena, "%.*s", (int)(slash > file ? slash - file : 1), file);
}

static Status
check_bytes(const Reader *reader, const char *bytes, size_t length, Diag *diag)
{
    size_t line = 1, bad = length;
    const char *zero = memchr(bytes, '\0', length);

    if (zero == NULL && !text_find_bad_utf8(bytes, length, &bad))
        return STATUS_OK;
    for (size_t i = 0; i < (zero != NULL ? (size_t)(zero - bytes) : bad); i++)
        line += bytes[i] == '\n';
    return reader_error(reader, line, diag, "bytes that are not UTF-8 text");
}

Status
chapter_parse(const char *file, const char *bytes, size_t length, Chapter **chapter, Diag *diag)
{
    Arena *arena = arena_new();
    Chapter *made = arena_alloc(arena, 1, sizeof(*made));
    Reader reader = {.file = file, .line = 1, .chapter = made};
    Status status;
    char *text;

    made->arena = arena;
    made->file = arena_text(arena, file);
    made->folder = folder_of(arena, file);
    begin_nothing(&reader);
    status = check_bytes(&reader, bytes, length, diag);
    if (status == STATUS_OK) {
        text = arena_printf(arena, "%.*s", (int)length, bytes);
        reader.at = text;
        status = read_all(&reader, text, diag);
    }
    if (status == STATUS_OK)
        *chapter = made;
    else
        chapter_free(made);
    return status;
}

Status
chapter_load(const char *file, Chapter **chapter, Diag *diag)
{
    Text content = {0};
    Status status = file_read(file, CHAPTER_FILE_MAX_BYTES, &content, diag);

    if (status == STATUS_OK)
        status = chapter_parse(file, text_data(&content), content.length, chapter, diag);
    text_release(&content);
    return status;
}

void
chapter_free(Chapter *chapter)
{
    if (chapter != NULL)
        arena_free(chapter->arena);
}
