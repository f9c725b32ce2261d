#include "report/check.h"
#include "report/check_print.h"

#include "base/diag.h"
#include "base/xml.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool
passes(const CheckResult *check)
{
    return strcmp(check->verdict, "pass") == 0;
}

/* "115,737,113 bytes, wanted 115,737,000 bytes exactly" */
static void
add_sentence(const CheckReport *report, const CheckResult *check, Text *out)
{
    char value[METRIC_TEXT_SIZE];

    check_print_value(report->scenario, check, value);
    text_printf(out, "%s, wanted %s", value, check->bound);
    if (!passes(check) && strcmp(check->verdict, "fail") != 0)
        text_printf(out, " (%s)", check->verdict);
}

/* ---- TAP ---- */

/* In TAP a "#" begins a directive, and a line break ends the test. */
static void
add_tap_text(Text *out, const char *text)
{
    for (; *text != '\0'; text++) {
        if (*text == '#' || *text == '\\')
            text_add(out, "\\");
        if ((unsigned char)*text < ' ')
            text_add(out, " ");
        else
            text_add_bytes(out, text, 1);
    }
}

void
check_print_tap(const CheckReport *report, Text *out)
{
    const Result *result = report->result;

    for (size_t i = 0; i < result->check_count; i++) {
        const CheckResult *check = &result->checks[i];
        Text text = {0};

        text_printf(&text, "%s: ", check->name);
        add_sentence(report, check, &text);
        text_printf(out, "%sok %zu - ", passes(check) ? "" : "not ", i + 1);
        add_tap_text(out, text.data);
        text_add(out, "\n");
        text_release(&text);
    }
    text_printf(out, "1..%zu\n", result->check_count);
}

/* ---- JUnit ---- */

static void
add_property(Text *xml, const char *name, const char *value)
{
    text_add(xml, "      <property");
    xml_add_attribute(xml, "name", name);
    xml_add_attribute(xml, "value", value);
    text_add(xml, "/>\n");
}

static void
add_properties(Text *xml, const CheckReport *report)
{
    text_add(xml, "    <properties>\n");
    add_property(xml, "result", report->path);
    if (report->baseline_path != NULL)
        add_property(xml, "baseline", report->baseline_path);
    add_property(xml, "server_version", result_server_value(report->result, "version"));
    add_property(xml, "keybench_version", report->result->keybench_version);
    text_add(xml, "    </properties>\n");
}

static void
add_case(Text *xml, const CheckReport *report, const CheckResult *check)
{
    Text sentence = {0};

    add_sentence(report, check, &sentence);
    text_add(xml, "    <testcase");
    xml_add_attribute(xml, "classname", report->result->scenario_name);
    xml_add_attribute(xml, "name", check->name);
    text_add(xml, " time=\"0\">\n");
    if (!passes(check)) {
        text_add(xml, "      <failure");
        xml_add_attribute(xml, "message", sentence.data);
        text_add(xml, "/>\n");
    } else {
        text_add(xml, "      <system-out>");
        xml_add_text(xml, sentence.data);
        text_add(xml, "</system-out>\n");
    }
    text_add(xml, "    </testcase>\n");
    text_release(&sentence);
}

static void
add_counts(Text *xml, const Result *result)
{
    text_printf(xml, " tests=\"%zu\" failures=\"%zu\" errors=\"0\" skipped=\"0\" time=\"0\"",
                result->check_count, check_failure_count(result));
}

void
check_print_junit(const CheckReport *report, Text *out)
{
    text_add(out,
             "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"keybench check\"");
    add_counts(out, report->result);
    text_add(out, ">\n  <testsuite");
    xml_add_attribute(out, "name", report->result->scenario_name);
    add_counts(out, report->result);
    xml_add_attribute(out, "timestamp", report->result->started_utc);
    text_add(out, ">\n");
    add_properties(out, report);
    for (size_t i = 0; i < report->result->check_count; i++)
        add_case(out, report, &report->result->checks[i]);
    text_add(out, "  </testsuite>\n</testsuites>\n");
}

/* ---- GitHub ---- */

/* Percent signs and line breaks in a message; in a property also what ends it. */
static void
add_github_text(Text *out, const char *text, bool property)
{
    for (; *text != '\0'; text++) {
        bool special = *text == '%' || *text == '\r' || *text == '\n' ||
                       (property && (*text == ':' || *text == ','));

        if (special)
            text_printf(out, "%%%02X", (unsigned)(unsigned char)*text);
        else
            text_add_bytes(out, text, 1);
    }
}

void
check_print_github(const CheckReport *report, Text *out)
{
    for (size_t i = 0; i < report->result->check_count; i++) {
        const CheckResult *check = &report->result->checks[i];
        Text sentence = {0};

        if (passes(check))
            continue;
        text_add(out, "::error title=keybench ");
        add_github_text(out, report->result->scenario_name, true);
        text_add(out, "::");
        text_printf(&sentence, "%s: ", check->name);
        add_sentence(report, check, &sentence);
        add_github_text(out, sentence.data, false);
        text_add(out, "\n");
        text_release(&sentence);
    }
}

/* ---- JSON ---- */

static void
add_check(cJSON *array, const CheckResult *check)
{
    cJSON *object = cJSON_CreateObject();

    cJSON_AddItemToArray(array, object);
    cJSON_AddStringToObject(object, "name", check->name);
    if (isnan(check->value))
        cJSON_AddNullToObject(object, "value");
    else
        cJSON_AddNumberToObject(object, "value", check->value);
    cJSON_AddStringToObject(object, "bound", check->bound);
    cJSON_AddStringToObject(object, "verdict", check->verdict);
}

void
check_print_json(const CheckReport *report, Text *out)
{
    size_t failures = check_failure_count(report->result);
    cJSON *root = cJSON_CreateObject(), *checks;
    char *printed;

    cJSON_AddStringToObject(root, "format", "keybench-check/1");
    cJSON_AddStringToObject(root, "result", report->path);
    if (report->baseline_path != NULL)
        cJSON_AddStringToObject(root, "baseline", report->baseline_path);
    cJSON_AddStringToObject(root, "scenario", report->result->scenario_name);
    cJSON_AddBoolToObject(root, "all_hold", failures == 0);
    cJSON_AddNumberToObject(root, "failure_count", (double)failures);
    checks = cJSON_AddArrayToObject(root, "checks");
    for (size_t i = 0; i < report->result->check_count; i++)
        add_check(checks, &report->result->checks[i]);
    printed = cJSON_Print(root);
    if (printed == NULL)
        BUG("out of memory: checks as JSON");
    text_printf(out, "%s\n", printed);
    free(printed);
    cJSON_Delete(root);
}
