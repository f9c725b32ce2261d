#include "lab/print.h"

#include "base/units.h"

#include <string.h>

enum { ID_COLUMN = 6, INDENT = 8 };

const char *
verdict_word(Verdict verdict)
{
    static const char *const WORDS[] = {
        [VERDICT_NONE] = "none",
        [VERDICT_OK] = "ok",
        [VERDICT_FAIL] = "FAIL",
        [VERDICT_SKIP] = "skip",
    };

    return WORDS[verdict];
}

void
outcome_values(const Outcome *outcome, Text *text)
{
    size_t start = text->length;

    for (size_t i = 0; i < outcome->value_count; i++) {
        const SeenValue *seen = &outcome->values[i];

        text_printf(text, "%s%s%s%s", i > 0 ? "; " : "", seen->label,
                    seen->label[0] != '\0' ? ": " : "", seen->value);
    }
    if (text->length > start)
        text_fold(text->data + start);
    if (text->data != NULL)
        text->length = strlen(text->data);
}

static const char *
colour_of(const LabPrinter *printer, Verdict verdict)
{
    if (!printer->colour)
        return "";
    return verdict == VERDICT_OK ? "\033[32m" : verdict == VERDICT_FAIL ? "\033[1;31m" : "\033[33m";
}

static void
print_heading(LabPrinter *printer, size_t chapter)
{
    const Chapter *shown = printer->library->chapters[chapter];

    if (printer->chapter == chapter + 1)
        return;
    fprintf(printer->stream, "%s%s: %s\n", printer->chapter > 0 ? "\n" : "", shown->name,
            shown->title);
    printer->chapter = chapter + 1;
}

void
print_text_outcome(LabPrinter *printer, size_t chapter, size_t claim, const Outcome *outcome)
{
    const Chapter *from = printer->library->chapters[chapter];
    const Claim *shown = &from->claims[claim];
    FILE *stream = printer->stream;
    Text values = {0};

    print_heading(printer, chapter);
    fprintf(stream, "  %s%-*s%s%s: %s\n", colour_of(printer, outcome->verdict), ID_COLUMN,
            verdict_word(outcome->verdict), printer->colour ? "\033[0m" : "", shown->id,
            shown->sentence);
    outcome_values(outcome, &values);
    if (values.length > 0)
        fprintf(stream, "%*s%s\n", INDENT, "", values.data);
    if (outcome->verdict == VERDICT_FAIL)
        fprintf(stream, "%*s%s:%zu: %s\n", INDENT, "", from->file, outcome->line, outcome->reason);
    if (outcome->verdict == VERDICT_SKIP)
        fprintf(stream, "%*s(%s)\n", INDENT, "", outcome->reason);
    for (size_t i = 0; i < outcome->remark_count; i++)
        fprintf(stream, "%*snote: %s\n", INDENT, "", outcome->remarks[i]);
    fflush(stream);
    text_release(&values);
}

void
print_text_end(const LabPrinter *printer, const Lab *lab)
{
    size_t count = lab->ok_count + lab->fail_count + lab->skip_count + lab->missing_count;
    char elapsed[UNITS_TEXT_SIZE];

    units_print_duration(lab->elapsed_ns, elapsed, sizeof(elapsed));
    fprintf(printer->stream, "\n%zu claim%s on PostgreSQL %s in %s: %zu ok", count,
            count == 1 ? "" : "s", lab->server_version[0] != '\0' ? lab->server_version : "-",
            elapsed, lab->ok_count);
    if (lab->fail_count > 0)
        fprintf(printer->stream, ", %zu FAIL", lab->fail_count);
    if (lab->skip_count > 0)
        fprintf(printer->stream, ", %zu skipped", lab->skip_count);
    if (lab->missing_count > 0)
        fprintf(printer->stream, ", %zu not reached", lab->missing_count);
    fputc('\n', printer->stream);
}

void
print_list(const Library *library, FILE *stream)
{
    for (size_t i = 0; i < library->chapter_count; i++) {
        const Chapter *chapter = library->chapters[i];

        if (!library_chapter_chosen(library, i))
            continue;
        fprintf(stream, "%s: %s\n", chapter->name, chapter->title);
        for (size_t claim = 0; claim < chapter->claim_count; claim++)
            if (library->chosen[i][claim])
                fprintf(stream, "  %-22s %s\n", chapter->claims[claim].id,
                        chapter->claims[claim].sentence);
    }
}

static void
print_needs(const Claim *claim, FILE *stream)
{
    static const char *const WORDS[] = {
        [NEED_SUPERUSER] = "a superuser",
        [NEED_ROLE] = "the role ",
        [NEED_EXTENSION] = "the extension ",
        [NEED_CREATEDB] = "a role that may create databases",
        [NEED_THROWAWAY] = "a server of keybench's own",
    };

    for (size_t i = 0; i < claim->need_count; i++) {
        const Need *need = &claim->needs[i];

        fputs(i == 0 ? "Needs: " : ", ", stream);
        if (need->kind == NEED_VERSION)
            fprintf(stream, "PostgreSQL %d%s", need->version_min,
                    need->version_max == CHAPTER_VERSION_LAST ? " or later" : "");
        else
            fprintf(stream, "%s%s", WORDS[need->kind], need->name != NULL ? need->name : "");
        if (need->kind == NEED_VERSION && need->version_max != CHAPTER_VERSION_LAST)
            fprintf(stream, " to %d", need->version_max);
    }
    fputs(claim->need_count > 0 ? "\n" : "", stream);
}

void
print_explained(const Library *library, FILE *stream)
{
    bool first = true;

    for (size_t i = 0; i < library->chapter_count; i++) {
        const Chapter *chapter = library->chapters[i];

        for (size_t number = 0; number < chapter->claim_count; number++) {
            const Claim *claim = &chapter->claims[number];

            if (!library->chosen[i][number])
                continue;
            fprintf(stream, "%s%s: %s\n", first ? "" : "\n\n", claim->id, claim->sentence);
            if (claim->why[0] != '\0')
                fprintf(stream, "Why it matters: %s\n", claim->why);
            print_needs(claim, stream);
            fprintf(stream, "Shown by %s:%zu:\n\n%s\n", chapter->file, claim->line, claim->source);
            first = false;
        }
    }
}

/* Lines after the first stand under it. */
static void
print_indented(const char *text, int indent, FILE *stream)
{
    for (; *text != '\0'; text++) {
        fputc(*text, stream);
        if (*text == '\n')
            fprintf(stream, "%*s", indent, "");
    }
    fputc('\n', stream);
}

void
print_event(const ProveEvent *event, FILE *stream)
{
    if (event->kind == PROVE_ANSWER) {
        fprintf(stream, "%*s-> ", INDENT, "");
        print_indented(event->text, INDENT + 3, stream);
        return;
    }
    fprintf(stream, "%s:%zu ", event->claim->id, event->step->line);
    if (event->session != NULL)
        fprintf(stream, "[%s] ", event->session);
    print_indented(event->text, INDENT, stream);
}
