#include "report/model_parts.h"

#include "base/text.h"
#include "base/units.h"
#include "report/axis.h"

#include <inttypes.h>
#include <string.h>

enum { FACTS_MAX = 7, SHA256_SHOWN = 12, VALUES_SHOWN_MAX = 16 };

/* Counts depend on these. */
static const char *const SHOWN_SETTINGS[] = {
    "shared_buffers", "wal_compression", "full_page_writes", "data_checksums", "max_wal_size",
};

static void
add_fact(ReportBuilder *builder, ReportTone tone, const char *name, const char *text)
{
    ReportModel *model = builder->model;

    model->facts[model->fact_count++] = (ReportFact){.name = name, .text = text, .tone = tone};
}

static bool
is_true(const char *value)
{
    return strcmp(value, "true") == 0 || strcmp(value, "on") == 0 || strcmp(value, "yes") == 0;
}

static void
add_status(ReportBuilder *builder)
{
    const Result *result = builder->result;
    const char *what = result->status == RESULT_FAILED ? "failed" : "interrupted";

    if (result->status == RESULT_COMPLETE)
        return;
    add_fact(builder, REPORT_BAD, "status",
             report_text(builder,
                         "%s%s%s; figures that were not measured read \"-\", and there are no "
                         "ratios%s",
                         what, result->error != NULL ? ": " : "",
                         result->error != NULL ? result->error : "",
                         report_is_sweep(builder) ? " of them" : ""));
}

static void
add_scenario(ReportBuilder *builder)
{
    const Result *result = builder->result;

    add_fact(builder, REPORT_PLAIN, "scenario",
             report_text(builder, "%s, seed %" PRIu64 ", sha256 %.*s", result->scenario_name,
                         result->seed, SHA256_SHOWN, result->scenario_sha256));
}

/* "checkpoint none, 20,000, 1,000; bytes 10, 100" */
static void
add_sweep(ReportBuilder *builder)
{
    const Sweep *sweep = builder->points->sweep;
    Text text = {0};

    for (size_t i = 0; i < sweep->axis_count; i++) {
        const SweepAxis *axis = &sweep->axes[i];

        text_printf(&text, "%s%s ", i > 0 ? "; " : "", axis->name);
        for (size_t k = 0; k < axis->value_count && k < VALUES_SHOWN_MAX; k++)
            text_printf(&text, "%s%s", k > 0 ? ", " : "",
                        axis_print_value(builder->arena, axis->values[k]));
        if (axis->value_count > VALUES_SHOWN_MAX)
            text_printf(&text, " and %zu more", axis->value_count - VALUES_SHOWN_MAX);
    }
    if (sweep->axis_count > 0)
        add_fact(builder, REPORT_PLAIN, "sweep", report_text(builder, "%s", text.data));
    text_release(&text);
}

static void
add_server(ReportBuilder *builder)
{
    const Result *result = builder->result;
    const char *version = result_server_value(result, "version");
    bool throwaway = is_true(result_server_value(result, "throwaway"));
    bool unsafe = strcmp(result_server_value(result, "fsync"), "off") == 0;

    add_fact(builder, REPORT_PLAIN, "server",
             report_text(builder, "%s%s, %s%s",
                         strncmp(version, "PostgreSQL", 10) == 0 ? "" : "PostgreSQL ",
                         version[0] != '\0' ? version : "of unknown version",
                         throwaway ? "a throwaway cluster" : "not started by keybench",
                         unsafe ? ", fsync off (counts do not depend on durability)" : ""));
}

static void
add_settings(ReportBuilder *builder)
{
    Text text = {0};

    for (size_t i = 0; i < ARRAY_LEN(SHOWN_SETTINGS); i++) {
        const char *value = result_server_value(builder->result, SHOWN_SETTINGS[i]);

        if (sweep_find_axis(builder->points->sweep, SHOWN_SETTINGS[i]) != NULL)
            value = "swept";
        if (value[0] != '\0')
            text_printf(&text, "%s%s %s", text.length > 0 ? ", " : "", SHOWN_SETTINGS[i], value);
    }
    if (text.length > 0)
        add_fact(builder, REPORT_PLAIN, "settings", report_text(builder, "%s", text.data));
    text_release(&text);
}

static void
add_run(ReportBuilder *builder)
{
    const Result *result = builder->result;
    Text text = {0};

    text_printf(&text, "%s by keybench %s", result->started_utc, result->keybench_version);
    if (result->jobs > 1)
        text_printf(&text, ", %" PRIu64 " designs side by side", result->jobs);
    if (builder->repeat_count > 1)
        text_printf(&text, ", %" PRIu64 " repeats (medians are shown)", builder->repeat_count);
    add_fact(builder, REPORT_PLAIN, "run", report_text(builder, "%s", text.data));
    text_release(&text);
}

void
report_build_facts(ReportBuilder *builder)
{
    builder->model->facts = arena_alloc(builder->arena, FACTS_MAX, sizeof(*builder->model->facts));
    add_status(builder);
    add_scenario(builder);
    add_sweep(builder);
    add_server(builder);
    add_settings(builder);
    add_run(builder);
    add_fact(builder, REPORT_PLAIN, "units",
             "MB means 2^20 bytes; a buffer or page is 8 kB; counts hold on any machine");
}

/* One that began, if any did. */
static const DesignResult *
find_any_repeat(const Result *result, const char *name)
{
    const DesignResult *found = NULL;

    for (size_t i = 0; i < result->design_count; i++)
        if (strcmp(result->designs[i].name, name) == 0 &&
            (found == NULL || found->minted_by[0] == '\0'))
            found = &result->designs[i];
    return found;
}

static bool
has_children(const Scenario *scenario)
{
    for (size_t i = 0; i < scenario->design_count; i++)
        if (scenario->designs[i].child_count > 0)
            return true;
    return false;
}

/* "order lines"; "-" for a design of one table. */
static const char *
list_children(ReportBuilder *builder, const Design *design)
{
    Text text = {0};
    const char *list;

    for (size_t i = 0; i < design->child_count; i++)
        text_printf(&text, "%s%s", i > 0 ? ", " : "", design->children[i].title);
    list = report_text(builder, "%s", text.length > 0 ? text.data : "-");
    text_release(&text);
    return list;
}

void
report_build_designs(ReportBuilder *builder)
{
    const Scenario *scenario = builder->scenario;
    bool children = has_children(scenario);
    ReportSection *section = report_add_section(builder, children ? 3 : 2, scenario->design_count);

    section->title = "Designs";
    section->head = "design";
    section->columns[0] = (ReportColumn){.title = "key type", .part_count = 1, .is_text = true};
    section->columns[1] =
        (ReportColumn){.title = "keys minted by", .part_count = 1, .is_text = true};
    if (children)
        section->columns[2] =
            (ReportColumn){.title = "child tables", .part_count = 1, .is_text = true};
    for (size_t i = 0; i < scenario->design_count; i++) {
        const DesignResult *design = find_any_repeat(builder->result, scenario->designs[i].name);
        ReportRow *row = &section->rows[i];

        row->title = report_text(builder, "%s", figure_title(&scenario->designs[i]));
        row->cells[0].part[0] = report_text(builder, "%s", design != NULL ? design->key_type : "-");
        row->cells[1].part[0] =
            report_text(builder, "%s", design != NULL ? design->minted_by : "-");
        if (children)
            row->cells[2].part[0] = list_children(builder, &scenario->designs[i]);
    }
}
