#include "report/model_parts.h"

#include "base/text.h"
#include "base/units.h"

#include <math.h>
#include <string.h>

enum { EVENTS_SHOWN_MAX = 12 };

/* The events of a phase that any design saw, those of most samples first. */
typedef struct EventList {
    const char *names[EVENTS_SHOWN_MAX];
    double sample_count[EVENTS_SHOWN_MAX]; /* the most of one design */
    size_t count;
} EventList;

/* Put it where its samples rank it; the last one falls off a full list. */
static void
insert_event(EventList *list, const WaitShare *wait)
{
    size_t at = list->count < EVENTS_SHOWN_MAX ? list->count++ : EVENTS_SHOWN_MAX - 1;

    for (; at > 0 && list->sample_count[at - 1] < wait->sample_count; at--) {
        list->names[at] = list->names[at - 1];
        list->sample_count[at] = list->sample_count[at - 1];
    }
    list->names[at] = wait->event;
    list->sample_count[at] = wait->sample_count;
}

static void
remove_event(EventList *list, size_t at)
{
    list->count--;
    for (; at < list->count; at++) {
        list->names[at] = list->names[at + 1];
        list->sample_count[at] = list->sample_count[at + 1];
    }
}

static void
note_event(EventList *list, const WaitShare *wait)
{
    for (size_t i = 0; i < list->count; i++) {
        if (strcmp(list->names[i], wait->event) != 0)
            continue;
        if (list->sample_count[i] >= wait->sample_count)
            return;
        remove_event(list, i);
        break;
    }
    if (list->count < EVENTS_SHOWN_MAX ||
        list->sample_count[EVENTS_SHOWN_MAX - 1] < wait->sample_count)
        insert_event(list, wait);
}

static const PhaseResult *
find_phase(const ReportBuilder *builder, size_t design, const Phase *phase)
{
    return figure_find_phase(builder->result, builder->scenario->designs[design].name, phase->name);
}

static EventList
list_events(const ReportBuilder *builder, const Phase *phase)
{
    EventList list = {0};

    for (size_t i = 0; i < builder->scenario->design_count; i++) {
        const PhaseResult *measured = find_phase(builder, i, phase);

        for (size_t k = 0; measured != NULL && k < measured->wait_count; k++)
            note_event(&list, &measured->waits[k]);
    }
    return list;
}

static double
share_of(const PhaseResult *measured, const char *event)
{
    if (measured == NULL || measured->wait_count == 0)
        return NAN;
    for (size_t i = 0; i < measured->wait_count; i++)
        if (strcmp(measured->waits[i].event, event) == 0)
            return measured->waits[i].share_pct;
    return 0;
}

static double
count_samples(const PhaseResult *measured)
{
    double count = 0;

    for (size_t i = 0; measured != NULL && i < measured->wait_count; i++)
        count += measured->waits[i].sample_count;
    return measured != NULL && measured->wait_count > 0 ? count : NAN;
}

static void
fill_column(const ReportBuilder *builder, const Phase *phase, const EventList *list,
            ReportGrid *grid, size_t column)
{
    const PhaseResult *measured = find_phase(builder, column, phase);
    char text[UNITS_TEXT_SIZE];

    grid->columns[column] =
        report_text(builder, "%s", figure_title(&builder->scenario->designs[column]));
    for (size_t row = 0; row <= list->count; row++) {
        ReportCell *cell = &grid->cells[row][column];

        if (row < list->count) {
            cell->value = share_of(measured, list->names[row]);
            units_print_pct(cell->value, 1, text, sizeof(text));
        } else {
            cell->value = count_samples(measured);
            units_print_count(cell->value, text, sizeof(text));
        }
        cell->part[0] = report_text(builder, "%s", text);
    }
}

void
report_build_waits(ReportBuilder *builder, const Phase *phase)
{
    const Scenario *scenario = builder->scenario;
    EventList list = list_events(builder, phase);
    ReportSection *section;
    ReportGrid grid;

    if (list.count == 0)
        return;
    report_grid_init(builder, &grid, list.count + 1, scenario->design_count);
    grid.head[0] = "state";
    grid.head[1] = "design";
    for (size_t row = 0; row < list.count; row++)
        grid.rows[row] = report_text(builder, "%s", list.names[row]);
    grid.rows[list.count] = "samples";
    for (size_t column = 0; column < scenario->design_count; column++)
        fill_column(builder, phase, &list, &grid, column);
    section = report_add_grid(builder, &grid);
    section->title = report_text(builder, "Where the time went: %s", phase->title);
    section->about = "share of samples of the writers' sessions; \"running\" waits for nothing";
    report_add_note(builder, section, REPORT_PLAIN,
                    builder->repeat_count > 1 ? "from pg_stat_get_activity(), first repeat"
                                              : "from pg_stat_get_activity()");
    report_add_note(builder, section, REPORT_PLAIN,
                    "Client:ClientRead: the session waits for its writer's next statement");
}

void
report_add_failures(const ReportBuilder *builder, ReportSection *section, const char *phase)
{
    for (size_t i = 0; i < builder->scenario->design_count; i++) {
        const Design *design = &builder->scenario->designs[i];
        const PhaseResult *measured = figure_find_phase(builder->result, design->name, phase);
        Text text = {0};

        for (size_t k = 0; measured != NULL && k < measured->failure_count; k++) {
            char count[UNITS_TEXT_SIZE];

            units_print_count(measured->failures[k].count, count, sizeof(count));
            text_printf(&text, "%s%s of SQLSTATE %s", k > 0 ? ", " : "", count,
                        measured->failures[k].sqlstate);
        }
        if (text.length > 0)
            report_add_note(
                builder, section, REPORT_PLAIN,
                report_text(builder, "%s: the server refused %s", figure_title(design), text.data));
        text_release(&text);
    }
}
