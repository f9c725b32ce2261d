#include "report/compare_data.h"

#include "report/csv.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

static const char HEADER[] =
    "result,design,%sphase,metric,unit,base,new,base_min,base_max,new_min,new_max,"
    "ratio,ratio_low,ratio_high,tolerance_pct,slack,verdict,reason\n";

/* Whether any result has a sweep; only then does its point have a column. */
static bool
is_swept(const CompareReport *report)
{
    for (size_t i = 0; i < report->count; i++)
        if (report->comparisons[i].pairs.base_points.sweep->axis_count > 0 ||
            report->comparisons[i].pairs.now_points.sweep->axis_count > 0)
            return true;
    return false;
}

static void
add_row(const char *path, const CompareFigure *it, bool swept, Text *out)
{
    const double numbers[] = {
        it->base.value,    it->now.value,     it->base.min,        it->base.max,
        it->now.min,       it->now.max,       it->ratio,           it->interval.low,
        it->interval.high, it->tolerance.pct, it->tolerance.slack,
    };

    csv_add_text(out, path);
    text_add(out, ",");
    csv_add_text(out, it->figure.design);
    text_add(out, ",");
    if (swept) {
        csv_add_text(out, pair_design_label(it->pair, it->figure.design));
        text_add(out, ",");
    }
    csv_add_text(out, it->figure.phase);
    text_printf(out, ",%s,%s,", METRICS[it->figure.metric].name,
                metric_unit_name(it->figure.metric));
    for (size_t i = 0; i < ARRAY_LEN(numbers); i++) {
        csv_add_number(out, numbers[i]);
        text_add(out, ",");
    }
    csv_add_text(out, COMPARE_VERDICTS[it->verdict]);
    text_add(out, ",");
    csv_add_text(out, it->reason != NULL ? it->reason : "");
    text_add(out, "\n");
}

static void
print_csv(const CompareReport *report, Text *out)
{
    bool swept = is_swept(report);

    text_printf(out, HEADER, swept ? "sweep," : "");
    for (size_t i = 0; i < report->count; i++)
        for (size_t k = 0; k < report->comparisons[i].figure_count; k++)
            add_row(report->paths[i], &report->comparisons[i].figures[k], swept, out);
}

/* What is not known is null. */
static void
add_number(cJSON *object, const char *key, double number)
{
    if (isnan(number))
        cJSON_AddNullToObject(object, key);
    else
        cJSON_AddNumberToObject(object, key, number);
}

static void
add_measured(cJSON *object, const char *key, const Measured *measured)
{
    cJSON *item = cJSON_AddObjectToObject(object, key);

    add_number(item, "median", measured->value);
    add_number(item, "min", measured->min);
    add_number(item, "max", measured->max);
    add_number(item, "repeat_count", (double)measured->count);
}

static void
add_figure(cJSON *array, const CompareFigure *it)
{
    cJSON *object = cJSON_CreateObject();

    cJSON_AddItemToArray(array, object);
    cJSON_AddStringToObject(object, "design", it->figure.design);
    if (it->pair->label[0] != '\0')
        cJSON_AddStringToObject(object, "sweep", pair_design_label(it->pair, it->figure.design));
    cJSON_AddStringToObject(object, "phase", it->figure.phase);
    cJSON_AddStringToObject(object, "metric", METRICS[it->figure.metric].name);
    cJSON_AddStringToObject(object, "unit", metric_unit_name(it->figure.metric));
    add_measured(object, "base", &it->base);
    add_measured(object, "new", &it->now);
    add_number(object, "ratio", it->ratio);
    if (!isnan(it->interval.low)) {
        add_number(object, "ratio_low", it->interval.low);
        add_number(object, "ratio_high", it->interval.high);
    }
    add_number(object, "tolerance_pct", it->tolerance.pct);
    add_number(object, "slack", it->tolerance.slack);
    cJSON_AddStringToObject(object, "verdict", COMPARE_VERDICTS[it->verdict]);
    if (it->reason != NULL)
        cJSON_AddStringToObject(object, "reason", it->reason);
}

static void
add_side(cJSON *object, const char *path, const Result *result)
{
    cJSON_AddStringToObject(object, "file", path);
    cJSON_AddStringToObject(object, "scenario", result->scenario_name);
    cJSON_AddStringToObject(object, "scenario_sha256", result->scenario_sha256);
    add_number(object, "seed", (double)result->seed);
    cJSON_AddStringToObject(object, "server_version", result_server_value(result, "version"));
    cJSON_AddStringToObject(object, "started_utc", result->started_utc);
}

static void
add_comparison(cJSON *array, const char *path, const Comparison *comparison)
{
    cJSON *object = cJSON_CreateObject(), *verdicts, *figures;

    cJSON_AddItemToArray(array, object);
    add_side(object, path, comparison->now);
    verdicts = cJSON_AddObjectToObject(object, "verdicts");
    for (int verdict = 0; verdict < COMPARE_VERDICT_COUNT; verdict++)
        add_number(verdicts, COMPARE_VERDICTS[verdict],
                   (double)comparison_count(comparison, (CompareVerdict)verdict));
    figures = cJSON_AddArrayToObject(object, "figures");
    for (size_t i = 0; i < comparison->figure_count; i++)
        add_figure(figures, &comparison->figures[i]);
}

static void
print_json(const CompareReport *report, Text *out)
{
    cJSON *root = cJSON_CreateObject(), *comparisons;
    char *printed;

    cJSON_AddStringToObject(root, "format", "keybench-comparison/1");
    add_side(cJSON_AddObjectToObject(root, "base"), report->base_path, report->comparisons[0].base);
    comparisons = cJSON_AddArrayToObject(root, "comparisons");
    for (size_t i = 0; i < report->count; i++)
        add_comparison(comparisons, report->paths[i], &report->comparisons[i]);
    printed = cJSON_Print(root);
    if (printed == NULL)
        BUG("out of memory: a comparison as JSON");
    text_printf(out, "%s\n", printed);
    free(printed);
    cJSON_Delete(root);
}

void
compare_print_data(const CompareReport *report, bool json, Text *out)
{
    if (json)
        print_json(report, out);
    else
        print_csv(report, out);
}
