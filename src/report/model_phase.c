#include "report/model_parts.h"

#include "base/units.h"

#include <inttypes.h>

/* What stands before and after a number of rows. */
typedef struct RowPhrase {
    const char *before, *after;
} RowPhrase;

static const RowPhrase READ_PHRASES[] = {
    [READ_NEWEST] = {"the newest ", " rows"},
    [READ_POINTS] = {"", " random rows"},
    [READ_RANGE] = {"", " rows in the order of their keys"},
    [READ_PAGES] = {"", " rows page by page"},
};

static const RowPhrase CHOICE_PHRASES[] = {
    [CHOOSE_OLDEST] = {"the oldest ", " rows"},
    [CHOOSE_NEWEST] = {"the newest ", " rows"},
    [CHOOSE_RANDOM] = {"", " random rows"},
};

static const char *
print_count(const ReportBuilder *builder, uint64_t count)
{
    char text[UNITS_TEXT_SIZE];

    units_print_count((double)count, text, sizeof(text));
    return report_text(builder, "%s", text);
}

static const char *
print_rows(const ReportBuilder *builder, uint64_t rows, const RowPhrase *phrase)
{
    return report_text(builder, "%s%s%s", phrase->before, print_count(builder, rows),
                       phrase->after);
}

/* "10 statements of 1,000" */
static const char *
describe_batches(const ReportBuilder *builder, const Phase *phase)
{
    bool staged = phase->load.method == LOAD_INSERT_SELECT;

    if (phase->batch_count == 1)
        return staged ? "one statement" : "one batch";
    return report_text(builder, "%" PRIu64 " %s of %s", phase->batch_count,
                       staged ? "statements" : "batches",
                       print_count(builder, phase->rows / phase->batch_count));
}

static const char *
describe_read(const ReportBuilder *builder, const Phase *phase)
{
    const char *rows =
        print_rows(builder, phase->rows / phase->batch_count, &READ_PHRASES[phase->what]);
    const char *times = "";

    if (phase->batch_count > 1)
        times = report_text(builder, ", %" PRIu64 " times", phase->batch_count);
    return report_text(builder, "%s read%s%s", rows, times,
                       phase->cold ? ", on a server that has just started" : "");
}

static const char *
describe_wait(const ReportBuilder *builder, const Phase *phase)
{
    char text[UNITS_TEXT_SIZE];

    units_print_duration(phase->wait_s * 1000000000, text, sizeof(text));
    return report_text(builder, "a wait of %s", text);
}

/* What a phase does. */
static const char *
describe_action(const ReportBuilder *builder, const Phase *phase)
{
    switch (phase->action) {
    case ACTION_INSERT:
        return report_text(builder, "%s rows in %s%s", print_count(builder, phase->rows),
                           describe_batches(builder, phase), report_describe_load(builder, phase));
    case ACTION_READ:
        return describe_read(builder, phase);
    case ACTION_UPDATE:
    case ACTION_DELETE:
        return report_text(builder, "%s %s in %s",
                           print_rows(builder, phase->rows, &CHOICE_PHRASES[phase->choice]),
                           phase->action == ACTION_UPDATE ? "updated" : "deleted",
                           describe_batches(builder, phase));
    case ACTION_VACUUM:
        return "VACUUM of the table";
    case ACTION_REINDEX:
        return "REINDEX of the table";
    case ACTION_CHECKPOINT:
        return "a checkpoint";
    case ACTION_WAIT:
        return describe_wait(builder, phase);
    case ACTION_NONE:
        break;
    }
    return "nothing is done";
}

const char *
report_describe_cadence(const ReportBuilder *builder, const Phase *phase)
{
    uint64_t rows = phase_rows_per_checkpoint(phase);

    if (rows > 0)
        return report_text(builder, "%s rows between checkpoints", print_count(builder, rows));
    return phase->batches_per_checkpoint > 0 ? "a checkpoint before it" : "no checkpoint asked for";
}

const char *
report_describe_phase(const ReportBuilder *builder, const Phase *phase)
{
    const char *action = describe_action(builder, phase);

    if (phase->action == ACTION_CHECKPOINT || phase->action == ACTION_WAIT ||
        phase->action == ACTION_NONE)
        return action;
    return report_text(builder, "%s; %s", action, report_describe_cadence(builder, phase));
}
