#include "report/model_parts.h"

#include "base/text.h"
#include "report/baseline.h"
#include "report/check.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static ReportTone
tone_of_verdict(const char *verdict)
{
    if (strcmp(verdict, "pass") == 0)
        return REPORT_GOOD;
    return strcmp(verdict, "fail") == 0 ? REPORT_BAD : REPORT_WARNING;
}

/* Bounds of the scenario and figures of a baseline have a table each. */
typedef struct CheckTable {
    const char *title, *head;
    bool of_baseline;
} CheckTable;

static const CheckTable CHECK_TABLES[] = {
    {"Checks", "check", false},
    {"Against the baseline", "figure", true},
};

static bool
is_in(const CheckTable *table, const CheckResult *check)
{
    return baseline_owns(check->name) == table->of_baseline;
}

/* A check's name in its table. */
static const char *
short_name(const CheckTable *table, const CheckResult *check)
{
    return check->name + (table->of_baseline ? strlen(BASELINE_PREFIX) : 0);
}

/* The bound alone; what else is said about it becomes a note. */
static const char *
print_bound(const ReportBuilder *builder, ReportSection *section, const char *name,
            const CheckResult *check)
{
    const char *more = strstr(check->bound, "; ");

    if (more == NULL)
        return report_text(builder, "%s", check->bound);
    report_add_note(builder, section, tone_of_verdict(check->verdict),
                    report_text(builder, "%s: %s", name, more + 2));
    return report_text(builder, "%.*s", (int)(more - check->bound), check->bound);
}

static void
fill_check(const ReportBuilder *builder, const CheckTable *table, const CheckResult *check,
           ReportSection *section, ReportRow *row)
{
    bool failed = strcmp(check->verdict, "fail") == 0;
    char value[METRIC_TEXT_SIZE];

    row->title = report_text(builder, "%s", short_name(table, check));
    row->cells[0].part[0] = failed ? "FAIL" : report_text(builder, "%s", check->verdict);
    row->cells[0].tone = tone_of_verdict(check->verdict);
    check_print_value(builder->scenario, check, value);
    row->cells[1].part[0] = report_text(builder, "%s", value);
    row->cells[1].value = check->value;
    row->cells[2].part[0] = print_bound(builder, section, row->title, check);
}

static void
build_check_table(ReportBuilder *builder, const CheckTable *table)
{
    const Result *result = builder->result;
    ReportSection *section;
    size_t count = 0, row = 0;

    for (size_t i = 0; i < result->check_count; i++)
        count += is_in(table, &result->checks[i]);
    if (count == 0)
        return;
    section = report_add_section(builder, 3, count);
    section->title = table->title;
    section->head = table->head;
    section->columns[0] = (ReportColumn){.title = "verdict", .part_count = 1, .is_text = true};
    section->columns[1] = (ReportColumn){.title = "value", .part_count = 1};
    section->columns[2] = (ReportColumn){.title = "bound", .part_count = 1, .is_text = true};
    for (size_t i = 0; i < result->check_count; i++)
        if (is_in(table, &result->checks[i]))
            fill_check(builder, table, &result->checks[i], section, &section->rows[row++]);
}

void
report_build_checks(ReportBuilder *builder)
{
    for (size_t i = 0; i < ARRAY_LEN(CHECK_TABLES); i++)
        build_check_table(builder, &CHECK_TABLES[i]);
}

/* "checkpoint, UUIDv4, batch 3: one that keybench did not ask for" */
static const char *
print_finding(const ReportBuilder *builder, const Finding *finding, bool with_phase)
{
    Text place = {0};
    const char *text;

    if (finding->design != NULL)
        text_printf(&place, ", %s", figure_find_title(builder->scenario, finding->design));
    if (finding->sweep != NULL && finding->sweep[0] != '\0')
        text_printf(&place, " at %s", finding->sweep);
    if (finding->repeat > 0 && builder->repeat_count > 1)
        text_printf(&place, ", repeat %" PRIu64, finding->repeat);
    if (with_phase && finding->phase != NULL)
        text_printf(&place, ", phase %s", finding->phase);
    if (finding->batch > 0)
        text_printf(&place, ", batch %" PRIu64, finding->batch);
    text = report_text(builder, "%s%s: %s", finding->kind, text_data(&place), finding->detail);
    text_release(&place);
    return text;
}

void
report_add_findings(const ReportBuilder *builder, ReportSection *section, const char *phase)
{
    for (size_t i = 0; i < builder->result->finding_count; i++) {
        const Finding *finding = &builder->result->findings[i];

        if (finding->phase != NULL && strcmp(finding->phase, phase) == 0)
            report_add_note(builder, section, REPORT_WARNING,
                            print_finding(builder, finding, false));
    }
}

static bool
stands_under_table(const Scenario *scenario, const Finding *finding)
{
    for (size_t i = 0; finding->phase != NULL && i < scenario->table_count; i++)
        if (strcmp(scenario->tables[i].phase, finding->phase) == 0)
            return true;
    return false;
}

void
report_build_findings(ReportBuilder *builder)
{
    ReportSection *section = NULL;

    for (size_t i = 0; i < builder->result->finding_count; i++) {
        const Finding *finding = &builder->result->findings[i];

        if (stands_under_table(builder->scenario, finding))
            continue;
        if (section == NULL) {
            section = report_add_section(builder, 0, 0);
            section->title = "Findings";
        }
        report_add_note(builder, section, REPORT_WARNING, print_finding(builder, finding, true));
    }
}
