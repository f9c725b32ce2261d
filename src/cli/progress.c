#include "cli/progress.h"

#include "base/text.h"
#include "base/units.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

void
progress_init(Progress *progress, Verbosity verbosity)
{
    *progress = (Progress){
        .verbosity = verbosity, .terminal = isatty(STDERR_FILENO) == 1, .start = instant_now()};
}

void
progress_end(Progress *progress)
{
    if (progress->shown_width > 0)
        fprintf(stderr, "\r%*s\r", (int)progress->shown_width, "");
    progress->shown_width = 0;
}

static void
print_line(Progress *progress, const char *line, bool rewritten)
{
    size_t width = text_width(line);

    if (!rewritten) {
        progress_end(progress);
        fprintf(stderr, "keybench: %s\n", line);
        return;
    }
    fprintf(stderr, "\r%s", line);
    if (width < progress->shown_width)
        fprintf(stderr, "%*s", (int)(progress->shown_width - width), "");
    progress->shown_width = width;
    fflush(stderr);
}

/* What is left at the pace so far; nothing to say in the first moments. */
static void
add_eta(Text *line, const Progress *progress, const RunEvent *event)
{
    uint64_t elapsed_ns = instant_elapsed_ns(progress->start);
    char left[UNITS_TEXT_SIZE];
    double left_ns;

    if (event->rows_done == 0 || event->rows_done >= event->rows_total)
        return;
    left_ns = (double)elapsed_ns * (double)(event->rows_total - event->rows_done) /
              (double)event->rows_done;
    units_print_duration((uint64_t)left_ns, left, sizeof(left));
    text_printf(line, ", about %s left", left);
}

void
progress_event(void *context, const RunEvent *event)
{
    Progress *progress = context;
    bool rewritten = progress->terminal && progress->verbosity == VERBOSITY_NORMAL;
    Text line = {0};
    char rate[UNITS_TEXT_SIZE];

    if (progress->verbosity == VERBOSITY_QUIET ||
        (progress->verbosity == VERBOSITY_NORMAL && !rewritten && event->batch != 0))
        return;
    text_printf(&line, "%3.0f%%  %s", 100.0 * (double)event->rows_done / (double)event->rows_total,
                event->design);
    if (event->sweep[0] != '\0')
        text_printf(&line, " (%s)", event->sweep);
    if (event->repeat > 1)
        text_printf(&line, " (repeat %llu)", (unsigned long long)event->repeat);
    text_printf(&line, ", %s", event->phase);
    if (event->batch > 0)
        text_printf(&line, ", batch %llu of %llu", (unsigned long long)event->batch,
                    (unsigned long long)event->batch_count);
    if (event->rows_per_s > 0) {
        units_print_count(event->rows_per_s, rate, sizeof(rate));
        text_printf(&line, ", %s rows/s", rate);
    }
    add_eta(&line, progress, event);
    print_line(progress, line.data, rewritten);
    text_release(&line);
}

void
progress_notice(void *context, const char *text)
{
    Progress *progress = context;

    if (progress->verbosity != VERBOSITY_QUIET)
        print_line(progress, text, false);
}
