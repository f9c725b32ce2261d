#include "lab/print.h"

/* In TAP a "#" begins a directive, and a line break ends the test. */
static void
print_escaped(const char *text, FILE *stream)
{
    for (; *text != '\0'; text++) {
        if (*text == '#' || *text == '\\')
            fputc('\\', stream);
        fputc(*text == '\n' || *text == '\r' ? ' ' : *text, stream);
    }
}

static void
print_lines(const char *text, FILE *stream)
{
    fputs("# ", stream);
    for (; *text != '\0'; text++) {
        fputc(*text, stream);
        if (*text == '\n')
            fputs("# ", stream);
    }
    fputc('\n', stream);
}

void
print_tap_outcome(LabPrinter *printer, size_t chapter, size_t claim, const Outcome *outcome)
{
    const Chapter *from = printer->library->chapters[chapter];
    FILE *stream = printer->stream;
    Text text = {0};

    fprintf(stream, "%sok %zu - ", outcome->verdict == VERDICT_FAIL ? "not " : "",
            ++printer->count);
    text_printf(&text, "%s: %s", from->claims[claim].id, from->claims[claim].sentence);
    print_escaped(text.data, stream);
    if (outcome->verdict == VERDICT_SKIP) {
        fputs(" # SKIP ", stream);
        print_escaped(outcome->reason, stream);
    }
    fputc('\n', stream);
    text_release(&text);
    outcome_values(outcome, &text);
    if (outcome->verdict == VERDICT_FAIL)
        text_printf(&text, "%s%s:%zu: %s", text.length > 0 ? "\n" : "", from->file, outcome->line,
                    outcome->reason);
    for (size_t i = 0; i < outcome->remark_count; i++)
        text_printf(&text, "%snote: %s", text.length > 0 ? "\n" : "", outcome->remarks[i]);
    if (text.length > 0)
        print_lines(text.data, stream);
    fflush(stream);
    text_release(&text);
}

void
print_tap_end(const LabPrinter *printer, const char *error)
{
    if (error != NULL) {
        fputs("Bail out! ", printer->stream);
        print_escaped(error, printer->stream);
        fputc('\n', printer->stream);
    } else {
        fprintf(printer->stream, "1..%zu\n", printer->count);
    }
}
