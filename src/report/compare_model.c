#include "report/compare.h"

#include "base/units.h"
#include "report/baseline.h"
#include "report/compare_data.h"
#include "report/model_parts.h"
#include "report/render.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { BASE, NOW, RATIO, VERDICT, COLUMN_COUNT };

enum { SHA256_SHOWN = 12 };

/* Shown always, beside those of the scenario's tables; others when they are not as they were. */
static const MetricId MAIN_METRICS[] = {
    METRIC_WAL_BYTES,
    METRIC_WAL_RECORD_COUNT,
    METRIC_FPI_COUNT,
    METRIC_LEAF_PAGES,
};

static const ReportTone TONES[COMPARE_VERDICT_COUNT] = {
    [COMPARE_IDENTICAL] = REPORT_GOOD, [COMPARE_WITHIN] = REPORT_GOOD,
    [COMPARE_BETTER] = REPORT_GOOD,    [COMPARE_NO_EVIDENCE] = REPORT_PLAIN,
    [COMPARE_WORSE] = REPORT_BAD,      [COMPARE_NOT] = REPORT_WARNING,
};

/* What one comparison's sections are made from. */
typedef struct CompareBuilder {
    ReportBuilder report;
    const CompareReport *source;
    const Comparison *comparison;
    size_t number; /* of the new result, from 1 */
} CompareBuilder;

/* Of the first point: all points have its titles. */
static const Scenario *
base_scenario(const Comparison *comparison)
{
    return sweep_first(comparison->pairs.base_points.sweep);
}

/* ---- Facts ---- */

static void
add_fact(ReportBuilder *builder, ReportTone tone, const char *name, const char *text)
{
    ReportModel *model = builder->model;

    model->facts[model->fact_count++] = (ReportFact){.name = name, .text = text, .tone = tone};
}

/* "new 2" where there are several. */
static const char *
numbered(const CompareBuilder *builder, const char *word)
{
    return builder->source->count > 1
               ? report_text(&builder->report, "%s %zu", word, builder->number)
               : word;
}

static void
add_side(CompareBuilder *builder, const char *name, const char *path, const Result *result)
{
    static const char *const STATUS_WORDS[] = {[RESULT_COMPLETE] = "",
                                               [RESULT_INTERRUPTED] = "INTERRUPTED, ",
                                               [RESULT_FAILED] = "FAILED, "};
    uint64_t repeats = figure_repeat_count(result);
    const char *repeated =
        repeats > 1 ? report_text(&builder->report, ", %" PRIu64 " repeats", repeats) : "";

    add_fact(&builder->report, result->status == RESULT_COMPLETE ? REPORT_PLAIN : REPORT_BAD, name,
             report_text(&builder->report,
                         "%s: %sscenario %s (%.*s), seed %" PRIu64 ", PostgreSQL %s, %s%s", path,
                         STATUS_WORDS[result->status], result->scenario_name, SHA256_SHOWN,
                         result->scenario_sha256, result->seed,
                         result_server_value(result, "version"), result->started_utc, repeated));
}

/* Settings are named whether they matter or not: a reader may know better. */
static void
add_differences(CompareBuilder *builder)
{
    static const char *const SAID[] = {"version", "version_number", "found_by"};
    const Result *base = builder->comparison->base;
    const Result *now = builder->comparison->now;
    Text text = {0};

    for (size_t i = 0; i < base->server_count; i++) {
        const NamedValue *was = &base->server[i];
        const char *is = result_server_value(now, was->name);
        bool swept =
            sweep_find_axis(builder->comparison->pairs.base_points.sweep, was->name) != NULL;
        bool said = swept || is[0] == '\0' || strcmp(is, was->value) == 0;

        for (size_t k = 0; k < ARRAY_LEN(SAID); k++)
            said = said || strcmp(SAID[k], was->name) == 0;
        if (!said)
            text_printf(&text, "%s%s %s, was %s", text.length > 0 ? "; " : "", was->name, is,
                        was->value);
    }
    if (text.length > 0)
        add_fact(&builder->report, REPORT_WARNING, numbered(builder, "differs"),
                 report_text(&builder->report, "%s", text.data));
    text_release(&text);
}

static void
add_summary(CompareBuilder *builder)
{
    const Comparison *comparison = builder->comparison;
    ReportTone tone = REPORT_PLAIN;
    Text text = {0};

    text_printf(&text, "%zu", comparison->figure_count);
    for (int verdict = 0; verdict < COMPARE_VERDICT_COUNT; verdict++) {
        size_t count = comparison_count(comparison, (CompareVerdict)verdict);

        if (count > 0)
            text_printf(&text, "%s %zu %s", strchr(text.data, ':') == NULL ? ":" : ",", count,
                        COMPARE_VERDICTS[verdict]);
    }
    if (comparison_count(comparison, COMPARE_WORSE) > 0)
        tone = REPORT_BAD;
    add_fact(&builder->report, tone, numbered(builder, "figures"),
             report_text(&builder->report, "%s", text.data));
    text_release(&text);
}

/* ---- Sections ---- */

/* Two different values that read alike are shown in full. */
static void
print_values(const CompareFigure *it, char *base, char *now)
{
    const Metric *metric = &METRICS[it->figure.metric];

    metric_print(metric, it->base.value, base);
    metric_print(metric, it->now.value, now);
    if (strcmp(base, now) != 0 || it->base.value == it->now.value)
        return;
    if (metric->unit == METRIC_UNIT_MS) {
        units_print_ms(it->base.value, 2, base, METRIC_TEXT_SIZE);
        units_print_ms(it->now.value, 2, now, METRIC_TEXT_SIZE);
    } else {
        baseline_print_figure(it->figure.metric, it->base.value, base);
        baseline_print_figure(it->figure.metric, it->now.value, now);
    }
}

static const char *
print_ratio(const CompareBuilder *builder, const CompareFigure *it)
{
    char text[METRIC_TEXT_SIZE];

    if (METRICS[it->figure.metric].unit == METRIC_UNIT_PCT && it->verdict != COMPARE_NOT)
        return report_text(&builder->report, "%+.2f points", it->now.value - it->base.value + 0.0);
    if (isnan(it->ratio) || it->ratio >= 10) {
        figure_print_ratio(it->ratio, text);
        return report_text(&builder->report, "%s", text);
    }
    return report_text(&builder->report, "%.3fx", it->ratio);
}

static const char *
print_verdict(const CompareBuilder *builder, const CompareFigure *it, size_t reason)
{
    Tolerance pct = {it->tolerance.pct, 0};

    if (it->verdict == COMPARE_NOT)
        return report_text(&builder->report, "not comparable (%zu)", reason);
    if (it->verdict == COMPARE_NO_EVIDENCE)
        return "no evidence"; /* the rest is in a note */
    if (it->verdict != COMPARE_WITHIN)
        return COMPARE_VERDICTS[it->verdict];
    if (!tolerance_holds(&pct, it->figure.metric, it->now.value, it->base.value))
        return "a few off";
    if (METRICS[it->figure.metric].unit == METRIC_UNIT_PCT)
        return report_text(&builder->report, "within %g point%s", pct.pct, pct.pct == 1 ? "" : "s");
    return report_text(&builder->report, "within %g%%", pct.pct);
}

/* The number of the section's note that says so; made when it is the first of its kind. */
static size_t
find_reason(const CompareBuilder *builder, ReportSection *section, const char *reason)
{
    const char *text;

    for (size_t i = 0; i < section->note_count; i++) {
        const char *said = strstr(section->notes[i].text, ") ");

        if (said != NULL && strcmp(said + 2, reason) == 0)
            return i + 1;
    }
    text = report_text(&builder->report, "(%zu) %s", section->note_count + 1, reason);
    report_add_note(&builder->report, section, REPORT_WARNING, text);
    return section->note_count;
}

static void
fill_row(CompareBuilder *builder, ReportSection *section, size_t row, const CompareFigure *it)
{
    ReportCell *cells = section->rows[row].cells;
    char base[METRIC_TEXT_SIZE], now[METRIC_TEXT_SIZE];
    size_t reason = it->reason != NULL ? find_reason(builder, section, it->reason) : 0;

    print_values(it, base, now);
    section->rows[row].title = figure_metric_title(builder->report.scenario, it->figure.metric);
    cells[BASE].part[0] = report_text(&builder->report, "%s", base);
    cells[NOW].part[0] = report_text(&builder->report, "%s", now);
    builder->report.repeat_count = figure_repeat_count(it->pair->base.result);
    cells[BASE].below = report_print_spread(&builder->report, it->figure.metric, &it->base);
    builder->report.repeat_count = figure_repeat_count(it->pair->now.result);
    cells[NOW].below = report_print_spread(&builder->report, it->figure.metric, &it->now);
    cells[RATIO].part[0] = print_ratio(builder, it);
    if (!isnan(it->interval.low))
        cells[RATIO].below =
            report_text(&builder->report, "%.2f..%.2f", it->interval.low, it->interval.high);
    cells[VERDICT].part[0] = print_verdict(builder, it, reason);
    cells[VERDICT].tone = TONES[it->verdict];
}

static bool
is_main(const Scenario *scenario, const CompareFigure *it)
{
    for (size_t i = 0; i < ARRAY_LEN(MAIN_METRICS); i++)
        if (MAIN_METRICS[i] == it->figure.metric)
            return true;
    for (size_t i = 0; i < scenario->table_count; i++) {
        const TableSpec *table = &scenario->tables[i];

        for (size_t k = 0; k < table->metric_count; k++)
            if (strcmp(table->phase, it->figure.phase) == 0 &&
                table->metrics[k] == it->figure.metric)
                return true;
    }
    return false;
}

static bool
is_shown(const CompareBuilder *builder, const CompareFigure *it)
{
    return builder->source->all || it->verdict == COMPARE_BETTER || it->verdict == COMPARE_WORSE ||
           is_main(builder->report.scenario, it);
}

static void
note_hidden(const CompareBuilder *builder, ReportSection *section, size_t hidden, size_t unfit)
{
    const char *others =
        unfit > 0 ? report_text(&builder->report, ", %zu not comparable", unfit) : "";

    if (hidden > 0)
        report_add_note(&builder->report, section, REPORT_PLAIN,
                        report_text(&builder->report,
                                    "%zu more, none of them better or worse%s: --all shows them",
                                    hidden, others));
}

static void
note_times(const CompareBuilder *builder, ReportSection *section, const CompareFigure *figures,
           size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (isnan(figures[i].interval.low) || !is_shown(builder, &figures[i]))
            continue;
        report_add_note(&builder->report, section, REPORT_PLAIN,
                        "below a ratio is its 95% interval; where that holds 1, there is no "
                        "evidence of a difference");
        return;
    }
}

static void
set_columns(ReportSection *section)
{
    section->columns[BASE].title = "base";
    section->columns[NOW].title = "new";
    section->columns[RATIO].title = "ratio";
    section->columns[VERDICT].title = "verdict";
    section->columns[VERDICT].is_text = true;
}

/* The figures first .. first + count - 1 are those of one design and phase. */
static ReportSection *
add_design(CompareBuilder *builder, size_t first, size_t count)
{
    const CompareFigure *figures = builder->comparison->figures + first;
    size_t shown = 0, row = 0, hidden_not = 0;
    ReportSection *section;

    for (size_t i = 0; i < count; i++) {
        shown += is_shown(builder, &figures[i]);
        hidden_not += !is_shown(builder, &figures[i]) && figures[i].verdict == COMPARE_NOT;
    }
    section = report_add_section(&builder->report, COLUMN_COUNT, shown);
    section->head =
        report_text(&builder->report, "%s",
                    figure_find_title(builder->report.scenario, figures[0].figure.design));
    set_columns(section);
    for (size_t i = 0; i < count; i++)
        if (is_shown(builder, &figures[i]))
            fill_row(builder, section, row++, &figures[i]);
    note_times(builder, section, figures, count);
    note_hidden(builder, section, count - shown, hidden_not);
    return section;
}

static void
add_title(CompareBuilder *builder, ReportSection *section, const ResultPair *pair, const char *name)
{
    const Phase *phase = scenario_find_phase(pair->base.scenario, name);
    const char *comma = pair->label[0] != '\0' ? ", " : "";

    if (phase == NULL)
        phase = scenario_find_phase(pair->now.scenario, name);
    if (phase == NULL)
        BUG("no phase \"%s\" on either side", name);
    section->title =
        builder->source->count > 1
            ? report_text(&builder->report, "%s%s%s: new %zu", phase->title, comma, pair->label,
                          builder->number)
            : report_text(&builder->report, "%s%s%s", phase->title, comma, pair->label);
    section->about = report_describe_phase(&builder->report, phase);
}

static size_t
run_length(const Comparison *comparison, size_t first)
{
    const Figure *start = &comparison->figures[first].figure;
    size_t end = first;

    while (end < comparison->figure_count &&
           comparison->figures[end].pair == comparison->figures[first].pair &&
           strcmp(comparison->figures[end].figure.design, start->design) == 0 &&
           strcmp(comparison->figures[end].figure.phase, start->phase) == 0)
        end++;
    return end - first;
}

static void
add_comparison(CompareBuilder *builder)
{
    const Comparison *comparison = builder->comparison;
    const CompareFigure *last = NULL;
    size_t count;

    for (size_t first = 0; first < comparison->figure_count; first += count) {
        const CompareFigure *next = &comparison->figures[first];
        ReportSection *section;

        count = run_length(comparison, first);
        section = add_design(builder, first, count);
        if (last == NULL || next->pair != last->pair ||
            strcmp(next->figure.phase, last->figure.phase) != 0)
            add_title(builder, section, next->pair, next->figure.phase);
        last = next;
    }
}

static size_t
most_sections(const CompareReport *report)
{
    size_t count = 1;

    for (size_t i = 0; i < report->count; i++)
        count += report->comparisons[i].figure_count;
    return count;
}

static void
build(const CompareReport *report, ReportModel *model)
{
    enum { FACTS_BASE = 2, FACTS_EACH = 3 };
    CompareBuilder builder = {.source = report, .comparison = report->comparisons, .number = 1};

    memset(model, 0, sizeof(*model));
    model->arena = arena_new();
    builder.report = (ReportBuilder){.model = model, .arena = model->arena};
    model->title =
        report_text(&builder.report, "Comparison: %s", base_scenario(report->comparisons)->title);
    model->facts =
        arena_alloc(model->arena, FACTS_BASE + FACTS_EACH * report->count, sizeof(*model->facts));
    model->sections = arena_alloc(model->arena, most_sections(report), sizeof(*model->sections));
    add_side(&builder, "base", report->base_path, report->comparisons[0].base);
    for (size_t i = 0; i < report->count; i++) {
        builder.comparison = &report->comparisons[i];
        builder.report.scenario = base_scenario(builder.comparison);
        builder.number = i + 1;
        add_side(&builder, numbered(&builder, "new"), report->paths[i], builder.comparison->now);
        add_differences(&builder);
        add_summary(&builder);
        add_comparison(&builder);
    }
    add_fact(
        &builder.report, REPORT_PLAIN, "units",
        "MB means 2^20 bytes; a ratio is new over base; counts hold on any machine, times only "
        "on one");
}

void
compare_print(const CompareReport *report, CompareFormat format, Text *out)
{
    ReportModel model;

    if (format == COMPARE_CSV || format == COMPARE_JSON) {
        compare_print_data(report, format == COMPARE_JSON, out);
        return;
    }
    build(report, &model);
    if (format == COMPARE_MARKDOWN)
        render_markdown(&model, out);
    else
        render_text(&model, report->color, out);
    report_model_release(&model);
}
