#include "lab/reader.h"

#include "base/words.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Where a directive may stand, as bits of 1 << ReaderPart. */
enum {
    IN_HEAD = 1 << PART_HEAD,
    IN_SETUP = 1 << PART_SETUP,
    IN_CLAIM = 1 << PART_CLAIM,
    ANYWHERE = IN_HEAD | IN_SETUP | IN_CLAIM,
};

/* "NAME: TEXT" of a chapter or claim. */
static Status
read_heading(const Reader *reader, const char *text, const char **name, const char **title,
             Diag *diag)
{
    static const char ALLOWED[] = "abcdefghijklmnopqrstuvwxyz0123456789-";
    const char *colon = strchr(text, ':');
    size_t length = colon != NULL ? (size_t)(colon - text) : 0;

    if (length == 0 || length > CHAPTER_NAME_MAX || strspn(text, ALLOWED) != length)
        return reader_error(reader, reader->line, diag,
                            "expected NAME: TEXT, the name of a-z, 0-9 and \"-\"");
    *name = arena_printf(reader->chapter->arena, "%.*s", (int)length, text);
    text = colon + 1;
    *title = reader_copy(reader, text + strspn(text, " \t"));
    return reader_some_text(reader, *title, "the sentence behind the name", diag);
}

/* ---- Parts of a chapter ---- */

static Status
read_chapter(Reader *reader, const char *rest, Diag *diag)
{
    Chapter *chapter = reader->chapter;

    if (chapter->name != NULL)
        return reader_error(reader, reader->line, diag, "a second chapter in one file");
    return read_heading(reader, rest, &chapter->name, &chapter->title, diag);
}

static Status
check_new_claim(const Reader *reader, const char *id, Diag *diag)
{
    const Chapter *chapter = reader->chapter;

    for (size_t i = 0; id != NULL && i < chapter->claim_count; i++)
        if (strcmp(chapter->claims[i].id, id) == 0)
            return reader_error(reader, reader->line, diag, "claim \"%s\" is at line %zu already",
                                id, chapter->claims[i].line);
    return STATUS_OK;
}

static Status
read_claim(Reader *reader, const char *rest, Diag *diag)
{
    const char *id = NULL, *sentence = NULL;
    Status status = reader_end_claim(reader, diag);

    if (status == STATUS_OK)
        status = read_heading(reader, rest, &id, &sentence, diag);
    if (status == STATUS_OK)
        status = check_new_claim(reader, id, diag);
    reader->part = PART_CLAIM;
    reader->source = reader->at;
    reader->claim = (Claim){.id = id, .sentence = sentence, .why = "", .line = reader->line};
    return status;
}

static Status
read_setup(Reader *reader, const char *rest, Diag *diag)
{
    Status status = reader_end_claim(reader, diag);

    if (status == STATUS_OK)
        status = reader_no_text(reader, rest, diag);
    reader->part = PART_SETUP;
    return status;
}

static Status
read_why(Reader *reader, const char *rest, Diag *diag)
{
    Claim *claim = &reader->claim;

    claim->why = claim->why[0] == '\0'
                     ? reader_copy(reader, rest)
                     : arena_printf(reader->chapter->arena, "%s %s", claim->why, rest);
    return reader_some_text(reader, rest, "the reason", diag);
}

/* ---- Places ---- */

/* Move to a named place; its session is "main" unless the place is a session. */
static Status
go_to(Reader *reader, Step step, const char *what, const char *rest, Diag *diag)
{
    step.line = reader->line;
    step.text = reader_cut_word(reader, rest, &rest);
    reader->session = step.kind == STEP_SESSION ? step.text : "main";
    reader_add_step(reader, &step);
    return reader_check_name(reader, what, step.text, diag);
}

static Status
read_session(Reader *reader, const char *rest, Diag *diag)
{
    return go_to(reader, (Step){.kind = STEP_SESSION}, "session", rest, diag);
}

static Status
read_database(Reader *reader, const char *rest, Diag *diag)
{
    return go_to(reader, (Step){.kind = STEP_DATABASE}, "database", rest, diag);
}

static Status
read_settings(Reader *reader, const char *rest, Step *step, Diag *diag)
{
    Status status = reader_some_text(reader, rest, "SETTING=VALUE", diag);

    while (status == STATUS_OK && rest[0] != '\0') {
        const char *setting = reader_cut_word(reader, rest, &rest);

        if (strchr(setting, '=') == NULL || setting[0] == '=')
            return reader_error(reader, reader->line, diag, "\"%s\" is not SETTING=VALUE", setting);
        step->settings =
            reader_grow(reader, step->settings, step->setting_count, sizeof(*step->settings));
        step->settings[step->setting_count++] = setting;
    }
    return status;
}

static Status
read_server(Reader *reader, const char *rest, Diag *diag)
{
    Step step = {.kind = STEP_SERVER};
    const char *name = reader_cut_word(reader, rest, &rest);
    Status status = STATUS_OK;

    if (rest[0] != '\0') {
        const char *with = reader_cut_word(reader, rest, &rest);

        if (strcmp(with, "with") != 0)
            return reader_error(reader, reader->line, diag,
                                "expected \"server NAME with SETTING=VALUE ...\"");
        if (strcmp(name, "main") == 0)
            return reader_error(reader, reader->line, diag,
                                "server \"main\" runs already: give the settings to another");
        status = read_settings(reader, rest, &step, diag);
    }
    if (status == STATUS_OK)
        status = go_to(reader, step, "server", name, diag);
    return status;
}

/* ---- What is said of the statement that follows ---- */

static void
say_of_next(Reader *reader, const char *directive)
{
    reader->next_directive = directive;
    reader->next.line = reader->line;
}

static Status
read_show(Reader *reader, const char *rest, Diag *diag)
{
    if (reader->next.show != NULL)
        return reader_error(reader, reader->line, diag, "a second \"show\" for one query");
    reader->next.show = reader_copy(reader, rest);
    say_of_next(reader, "show");
    return STATUS_OK;
}

static Status
read_sqlstate(const Reader *reader, const char *rest, Step *step, Diag *diag)
{
    static const char ALLOWED[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";

    step->sqlstate = reader_cut_word(reader, rest, &rest);
    step->message = reader_copy(reader, rest);
    if (strlen(step->sqlstate) != 5 || strspn(step->sqlstate, ALLOWED) != 5)
        return reader_error(reader, reader->line, diag,
                            "expected an SQLSTATE of five digits and capitals, not \"%s\"",
                            step->sqlstate);
    return STATUS_OK;
}

static Status
read_error(Reader *reader, const char *rest, Diag *diag)
{
    say_of_next(reader, "error");
    return read_sqlstate(reader, rest, &reader->next, diag);
}

static Status
read_blocks(Reader *reader, const char *rest, Diag *diag)
{
    reader->next.blocks = true;
    say_of_next(reader, "blocks");
    return reader_no_text(reader, rest, diag);
}

static Status
read_until(Reader *reader, const char *rest, Diag *diag)
{
    reader->next.until = true;
    say_of_next(reader, "until");
    return reader_no_text(reader, rest, diag);
}

static Status
read_measure(Reader *reader, const char *rest, Diag *diag)
{
    reader->next.design = reader_cut_word(reader, rest, &rest);
    reader->next.phase = reader_copy(reader, rest);
    say_of_next(reader, "measure");
    return reader_some_text(reader, reader->next.design, "the design's name", diag);
}

/* With the query behind it, or in front of the query. */
static Status
read_set(Reader *reader, const char *rest, Diag *diag)
{
    Status status;
    size_t length;
    char *query;

    reader->next.variable = reader_cut_word(reader, rest, &rest);
    say_of_next(reader, "set");
    status = reader_check_name(reader, "variable", reader->next.variable, diag);
    if (status != STATUS_OK || rest[0] == '\0')
        return status;
    query = reader_copy(reader, rest);
    length = strlen(query);
    if (query[length - 1] == ';')
        query[length - 1] = '\0';
    return reader_add_statement(reader, query, reader->line, diag);
}

/* ---- Steps of their own ---- */

static Status
add_simple(Reader *reader, StepKind kind, const char *rest, Diag *diag)
{
    Step step = {.kind = kind, .line = reader->line};

    reader->session = "main";
    reader_add_step(reader, &step);
    return reader_no_text(reader, rest, diag);
}

static Status
read_disconnect(Reader *reader, const char *rest, Diag *diag)
{
    Step step = {.kind = STEP_DISCONNECT, .line = reader->line};

    for (size_t i = 0; i < reader->waiting_count; i++)
        if (strcmp(reader->waiting[i].session, reader->session) == 0)
            return reader_error(reader, reader->line, diag, "session \"%s\" still waits",
                                reader->session);
    reader_add_step(reader, &step);
    return reader_no_text(reader, rest, diag);
}

static Status
read_crash(Reader *reader, const char *rest, Diag *diag)
{
    return add_simple(reader, STEP_CRASH, rest, diag);
}

static Status
read_restart(Reader *reader, const char *rest, Diag *diag)
{
    return add_simple(reader, STEP_RESTART, rest, diag);
}

static Status
read_run(Reader *reader, const char *rest, Diag *diag)
{
    Step step = {.kind = STEP_RUN, .line = reader->line, .text = reader_copy(reader, rest)};

    reader_add_step(reader, &step);
    return reader_some_text(reader, rest, "the scenario's file", diag);
}

/* What is expected is the answer of the step before. */
static Status
read_expect(Reader *reader, const char *rest, Diag *diag)
{
    const Claim *claim = &reader->claim;
    const Step *before = claim->step_count > 0 ? &claim->steps[claim->step_count - 1] : NULL;
    Step step = {.kind = STEP_EXPECT, .line = reader->line, .text = reader_copy(reader, rest)};
    bool good = before != NULL && before->sqlstate == NULL && !before->blocks &&
                before->design == NULL &&
                (before->kind == STEP_STATEMENT || before->kind == STEP_EXPECT ||
                 before->kind == STEP_RESUMES);

    if (!good)
        return reader_error(reader, reader->line, diag, "\"expect\" does not follow a query");
    reader_add_step(reader, &step);
    return reader_some_text(reader, rest, "what is expected", diag);
}

static bool
end_waiting(Reader *reader, const char *session)
{
    for (size_t i = 0; i < reader->waiting_count; i++) {
        if (strcmp(reader->waiting[i].session, session) == 0) {
            reader->waiting[i] = reader->waiting[--reader->waiting_count];
            return true;
        }
    }
    return false;
}

/* "NAME" or "NAME error SQLSTATE TEXT". */
static Status
read_resumes(Reader *reader, const char *rest, Diag *diag)
{
    Step step = {.kind = STEP_RESUMES, .line = reader->line};
    Status status = STATUS_OK;

    step.text = reader_cut_word(reader, rest, &rest);
    if (!end_waiting(reader, step.text))
        return reader_error(reader, reader->line, diag, "no statement of session \"%s\" waits",
                            step.text);
    if (rest[0] != '\0') {
        const char *word = reader_cut_word(reader, rest, &rest);

        if (strcmp(word, "error") != 0)
            return reader_error(reader, reader->line, diag,
                                "expected \"resumes NAME error SQLSTATE TEXT\"");
        status = read_sqlstate(reader, rest, &step, diag);
    }
    reader_add_step(reader, &step);
    return status;
}

typedef struct Directive {
    const char *word;
    int parts;
    bool of_next; /* says something of the statement that follows */
    Status (*read)(Reader *reader, const char *rest, Diag *diag);
} Directive;

static const Directive DIRECTIVES[] = {
    {"chapter", IN_HEAD, false, read_chapter},
    {"claim", ANYWHERE, false, read_claim},
    {"setup", ANYWHERE, false, read_setup},
    {"why", IN_CLAIM, false, read_why},
    {"needs", ANYWHERE, false, directive_read_needs},
    {"session", IN_CLAIM, false, read_session},
    {"server", IN_CLAIM, false, read_server},
    {"database", IN_CLAIM, false, read_database},
    {"show", IN_CLAIM, true, read_show},
    {"expect", IN_CLAIM, false, read_expect},
    {"error", IN_CLAIM, true, read_error},
    {"blocks", IN_CLAIM, true, read_blocks},
    {"resumes", IN_CLAIM, false, read_resumes},
    {"crash", IN_CLAIM, false, read_crash},
    {"restart", IN_CLAIM, false, read_restart},
    {"run", IN_CLAIM, false, read_run},
    {"measure", IN_CLAIM, true, read_measure},
    {"set", IN_CLAIM, true, read_set},
    {"until", IN_CLAIM, true, read_until},
    {"disconnect", IN_CLAIM, false, read_disconnect},
};

static const Directive *
find_directive(const char *word)
{
    for (size_t i = 0; i < ARRAY_LEN(DIRECTIVES); i++)
        if (strcmp(DIRECTIVES[i].word, word) == 0)
            return &DIRECTIVES[i];
    return NULL;
}

static Status
unknown_directive(const Reader *reader, const char *word, Diag *diag)
{
    const char *words[ARRAY_LEN(DIRECTIVES)];

    for (size_t i = 0; i < ARRAY_LEN(DIRECTIVES); i++)
        words[i] = DIRECTIVES[i].word;
    reader_error(reader, reader->line, diag, "unknown directive \"%s\"", word);
    word_hint(word, words, ARRAY_LEN(words), diag);
    return diag->status;
}

static Status
check_part(const Reader *reader, const Directive *directive, Diag *diag)
{
    if (reader->chapter->name == NULL && strcmp(directive->word, "chapter") != 0)
        return reader_error(reader, reader->line, diag,
                            "the file must begin with \"--@ chapter NAME: TITLE\"");
    if ((directive->parts & 1 << reader->part) == 0)
        return reader_error(reader, reader->line, diag, "\"%s\" has no place %s", directive->word,
                            reader->part == PART_HEAD    ? "above the first claim"
                            : reader->part == PART_SETUP ? "in a setup"
                                                         : "in a claim");
    if (reader->next_directive != NULL && !directive->of_next)
        return reader_error(reader, reader->next.line, diag, "no statement follows \"%s\"",
                            reader->next_directive);
    return STATUS_OK;
}

Status
directive_read(Reader *reader, const char *text, Diag *diag)
{
    const char *rest = NULL;
    const char *word = reader_cut_word(reader, text, &rest);
    const Directive *directive = find_directive(word);
    Status status;

    if (directive == NULL)
        return unknown_directive(reader, word, diag);
    status = check_part(reader, directive, diag);
    return status == STATUS_OK ? directive->read(reader, rest, diag) : status;
}
