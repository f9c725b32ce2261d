#include "report/model_parts.h"

#include "base/text.h"
#include "base/units.h"

#include <math.h>
#include <string.h>

enum { EVENTS_SHOWN_MAX = 12, SWEEP_EVENTS_SHOWN_MAX = 4 };

/* The events of a phase that any design saw, those of most samples first. */
typedef struct EventList {
    const char *names[EVENTS_SHOWN_MAX];
    double sample_count[EVENTS_SHOWN_MAX]; /* the most of one design */
    size_t count, room;
} EventList;

/* Put it where its samples rank it; the last one falls off a full list. */
static void
insert_event(EventList *list, const WaitShare *wait)
{
    size_t at = list->count < list->room ? list->count++ : list->room - 1;

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
    if (list->count < list->room || list->sample_count[list->room - 1] < wait->sample_count)
        insert_event(list, wait);
}

static void
note_events(EventList *list, const PhaseResult *measured)
{
    for (size_t i = 0; measured != NULL && i < measured->wait_count; i++)
        note_event(list, &measured->waits[i]);
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

/* Event `at` of the list, or behind the last one the number of samples. */
static ReportCell
build_cell(const ReportBuilder *builder, const PhaseResult *measured, const EventList *list,
           size_t at)
{
    bool is_share = at < list->count;
    ReportCell cell = {
        .value = is_share ? share_of(measured, list->names[at]) : count_samples(measured),
        .reference = NAN,
    };
    char text[UNITS_TEXT_SIZE];

    if (is_share)
        units_print_pct(cell.value, 1, text, sizeof(text));
    else
        units_print_count(cell.value, text, sizeof(text));
    cell.part[0] = report_text(builder, "%s", text);
    return cell;
}

static const char *
event_title(const ReportBuilder *builder, const EventList *list, size_t at)
{
    return at < list->count ? report_text(builder, "%s", list->names[at]) : "samples";
}

static void
add_section(ReportBuilder *builder, const ReportGrid *grid, const char *title)
{
    ReportSection *section = report_add_grid(builder, grid);

    section->title = title;
    section->about = "share of samples of the writers' sessions; \"running\" waits for nothing, "
                     "\"Client:ClientRead\" for its writer";
    report_add_note(builder, section, REPORT_PLAIN,
                    builder->repeat_count > 1 ? "from pg_stat_get_activity(), first repeat"
                                              : "from pg_stat_get_activity()");
}

/* Designs as columns. */
static void
build_once(ReportBuilder *builder, const Phase *phase)
{
    const Scenario *scenario = builder->scenario;
    EventList list = {.room = EVENTS_SHOWN_MAX};
    ReportGrid grid;

    for (size_t i = 0; i < scenario->design_count; i++)
        note_events(&list,
                    figure_find_phase(builder->result, scenario->designs[i].name, phase->name));
    if (list.count == 0)
        return;
    report_grid_init(builder, &grid, list.count + 1, scenario->design_count);
    grid.head[0] = "state";
    grid.head[1] = "design";
    for (size_t row = 0; row <= list.count; row++)
        grid.rows[row] = event_title(builder, &list, row);
    for (size_t column = 0; column < scenario->design_count; column++) {
        const Design *design = &scenario->designs[column];
        const PhaseResult *measured = figure_find_phase(builder->result, design->name, phase->name);

        grid.columns[column] = report_text(builder, "%s", figure_title(design));
        for (size_t row = 0; row <= list.count; row++)
            grid.cells[row][column] = build_cell(builder, measured, &list, row);
    }
    add_section(builder, &grid, report_text(builder, "Where the time went: %s", phase->title));
}

/* One design of a sweep: its points as rows, states as columns. */
static void
build_design(ReportBuilder *builder, const Phase *phase, const Design *design)
{
    EventList list = {.room = SWEEP_EVENTS_SHOWN_MAX};
    ReportGrid grid;

    for (size_t i = 0; i < builder->points->count; i++)
        note_events(
            &list, figure_find_phase(builder->points->points[i].result, design->name, phase->name));
    if (list.count == 0)
        return;
    report_points_grid(builder, &grid, list.count + 1);
    grid.head[1] = "state";
    for (size_t column = 0; column <= list.count; column++)
        grid.columns[column] = event_title(builder, &list, column);
    for (size_t row = 0; row < grid.row_count; row++) {
        const PhaseResult *measured =
            figure_find_phase(builder->points->points[row].result, design->name, phase->name);

        for (size_t column = 0; column <= list.count; column++)
            grid.cells[row][column] = build_cell(builder, measured, &list, column);
    }
    add_section(
        builder, &grid,
        report_text(builder, "Where the time went: %s, %s", phase->title, figure_title(design)));
}

void
report_build_waits(ReportBuilder *builder, const Phase *phase)
{
    if (!report_is_sweep(builder)) {
        build_once(builder, phase);
        return;
    }
    for (size_t i = 0; i < builder->scenario->design_count; i++)
        build_design(builder, phase, &builder->scenario->designs[i]);
}

/* ---- Failures ---- */

/* What a design was refused in all its trials. */
typedef struct Refusals {
    FailureCount items[EVENTS_SHOWN_MAX];
    size_t count, trial_count;
} Refusals;

static void
add_refusal(Refusals *refusals, const FailureCount *failure)
{
    size_t i = 0;

    while (i < refusals->count && strcmp(refusals->items[i].sqlstate, failure->sqlstate) != 0)
        i++;
    if (i == EVENTS_SHOWN_MAX)
        return; /* SQLSTATEs that come this late are in the result */
    if (i == refusals->count)
        refusals->items[refusals->count++] = (FailureCount){.sqlstate = failure->sqlstate};
    refusals->items[i].count += failure->count;
}

static Refusals
sum_refusals(const Result *result, const char *design, const char *phase)
{
    Refusals refusals = {0};

    for (size_t i = 0; i < result->design_count; i++) {
        const DesignResult *trial = &result->designs[i];
        const PhaseResult *measured = design_find_phase(trial, phase);

        if (measured == NULL || strcmp(trial->name, design) != 0)
            continue;
        refusals.trial_count++;
        for (size_t k = 0; k < measured->failure_count; k++)
            add_refusal(&refusals, &measured->failures[k]);
    }
    return refusals;
}

void
report_add_failures(const ReportBuilder *builder, ReportSection *section, const char *phase)
{
    for (size_t i = 0; i < builder->scenario->design_count; i++) {
        const Design *design = &builder->scenario->designs[i];
        Refusals refusals = sum_refusals(builder->result, design->name, phase);
        Text text = {0};

        for (size_t k = 0; k < refusals.count; k++) {
            char count[UNITS_TEXT_SIZE];

            units_print_count(refusals.items[k].count, count, sizeof(count));
            text_printf(&text, "%s%s with SQLSTATE %s", k > 0 ? ", " : "", count,
                        refusals.items[k].sqlstate);
        }
        if (text.length > 0)
            report_add_note(
                builder, section, REPORT_PLAIN,
                report_text(builder, "%s: the server refused %s%s", figure_title(design), text.data,
                            refusals.trial_count > 1 ? ", in all trials together" : ""));
        text_release(&text);
    }
}
