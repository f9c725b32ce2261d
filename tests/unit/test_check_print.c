#include "report/check_print.h"

#include "report/baseline.h"
#include "report/check.h"
#include "scenario/load.h"
#include "support/sample_result.h"
#include "support/spoil.h"
#include "support/tap.h"

#include <cjson/cJSON.h>
#include <math.h>

/* A result with two checks that do not pass, and what is said about it. */
typedef struct Fixture {
    Result *result;
    Scenario *scenario;
    CheckReport report;
} Fixture;

static void
fixture_init(Fixture *fixture)
{
    Result *base = sample_result_new(NULL);
    Diag diag = {0};
    bool holds;

    fixture->result = sample_result_new(NULL);
    spoil_byte(fixture->result);
    spoil_taint(fixture->result);
    if (check_bounds(fixture->result, &holds, &diag) != STATUS_OK ||
        baseline_check(fixture->result, base, NULL, &holds, &diag) != STATUS_OK ||
        scenario_parse("sample", fixture->result->scenario_text,
                       strlen(fixture->result->scenario_text), &fixture->scenario,
                       &diag) != STATUS_OK)
        BUG("%s", diag.message);
    fixture->report = (CheckReport){
        .result = fixture->result,
        .scenario = fixture->scenario,
        .path = "a <b>.json",
        .baseline_path = "base.json",
    };
    result_free(base);
}

static void
fixture_release(Fixture *fixture)
{
    scenario_free(fixture->scenario);
    result_free(fixture->result);
}

static size_t
count_parts(const char *text, const char *part)
{
    size_t count = 0;

    for (const char *at = text; (at = strstr(at, part)) != NULL; at += strlen(part))
        count++;
    return count;
}

static Text
print(const CheckReport *report, void (*printer)(const CheckReport *, Text *))
{
    Text out = {0};

    printer(report, &out);
    return out;
}

static void
test_people(Fixture *fixture)
{
    Text out = print(&fixture->report, check_print_text);

    tap_contains(out.data, "Check: What a primary key costs: a sample\n", "what is checked");
    tap_contains(out.data, "result    a <b>.json: PostgreSQL 18.1, 2026-01-31T23:59:59Z\n",
                 "which result");
    tap_contains(out.data, "baseline  base.json\n", "against which");
    tap_contains(out.data, "checks    3 of 26 do not hold\n", "and with which outcome");
    tap_contains(out.data, "136,210,021 bytes   136,210,020 exactly\n", "value and bound in full");
    tap_contains(out.data,
                 "! second/bigint/wal_bytes: off by +1; batch 4 is the first that differs: "
                 "+1\n",
                 "the rest is said below the table");
    text_release(&out);
    fixture->report.failures_only = true;
    out = print(&fixture->report, check_print_text);
    tap_u64(count_parts(out.data, "pass"), 0, "failures only");
    tap_u64(count_parts(out.data, "FAIL"), 1, "of which one is a failure");
    tap_u64(count_parts(out.data, "not comparable"), 2, "and two are not comparable");
    text_release(&out);
    fixture->report.failures_only = false;
    out = print(&fixture->report, check_print_markdown);
    tap_contains(out.data, "| v4-over-v7 | not comparable | - | at least 3 |", "Markdown");
    text_release(&out);
}

static void
test_tap(const Fixture *fixture)
{
    Text out = print(&fixture->report, check_print_tap);

    tap_contains(out.data,
                 "not ok 1 - v4-over-v7: -, wanted at least 3; contaminated (not comparable)\n",
                 "TAP: what is not comparable does not pass");
    tap_contains(out.data, "\nok 2 - bigint-images: 39, wanted 36 to 48\n", "a check that passes");
    tap_u64(count_parts(out.data, "not ok"), 3, "three that do not");
    tap_contains(out.data, "\n1..26\n", "the plan");
    text_release(&out);
}

static void
test_tap_escapes(void)
{
    CheckResult check = {"a", 1, "50 # TODO\nok 2", "pass"};
    Result result = {.checks = &check, .check_count = 1};
    Scenario scenario = {.title = "x"};
    const CheckReport report = {.result = &result, .scenario = &scenario, .path = "x"};
    Text out = print(&report, check_print_tap);

    tap_text(out.data, "ok 1 - a: 1, wanted 50 \\# TODO ok 2\n1..1\n",
             "TAP: no directive and no line of its own");
    text_release(&out);
}

static void
test_junit(const Fixture *fixture)
{
    Text out = print(&fixture->report, check_print_junit);

    tap_contains(out.data,
                 "<testsuites name=\"keybench check\" tests=\"26\" failures=\"3\" errors=\"0\"",
                 "JUnit: the counts");
    tap_contains(out.data, "<property name=\"result\" value=\"a &lt;b&gt;.json\"/>",
                 "a name that XML would read");
    tap_u64(count_parts(out.data, "<testcase"), 26, "a case for each check");
    tap_u64(count_parts(out.data, "<failure"), 3, "a failure for each that does not pass");
    tap_contains(
        out.data,
        "name=\"baseline/second/bigint/wal_bytes\" time=\"0\">\n"
        "      <failure message=\"136,210,021 bytes, wanted 136,210,020 exactly; off by +1",
        "which says value and bound");
    text_release(&out);
}

static void
test_github(const Fixture *fixture)
{
    Text out = print(&fixture->report, check_print_github);

    tap_u64(count_parts(out.data, "::error title=keybench sample::"), 3,
            "GitHub: an annotation for each that does not pass");
    tap_u64(count_parts(out.data, "\n"), 3, "one a line");
    text_release(&out);
}

static void
test_github_escapes(void)
{
    CheckResult check = {"a", NAN, "100% of\r\nit", "fail"};
    Result result = {.checks = &check, .check_count = 1, .scenario_name = "x:y,z"};
    Scenario scenario = {.title = "x"};
    const CheckReport report = {.result = &result, .scenario = &scenario, .path = "x"};
    Text out = print(&report, check_print_github);

    tap_text(out.data, "::error title=keybench x%3Ay%2Cz::a: -, wanted 100%25 of%0D%0Ait\n",
             "GitHub: what would end a property or a message");
    text_release(&out);
}

static void
test_json(const Fixture *fixture)
{
    Text out = print(&fixture->report, check_print_json);
    cJSON *root = cJSON_Parse(out.data);
    const cJSON *checks = cJSON_GetObjectItem(root, "checks");

    tap_text(cJSON_GetStringValue(cJSON_GetObjectItem(root, "format")), "keybench-check/1",
             "JSON has a format");
    tap_ok(cJSON_IsFalse(cJSON_GetObjectItem(root, "all_hold")), "and the verdict");
    tap_u64((uint64_t)cJSON_GetArraySize(checks), 26, "and every check");
    tap_ok(cJSON_IsNull(cJSON_GetObjectItem(cJSON_GetArrayItem(checks, 0), "value")),
           "a value that is not there is null");
    cJSON_Delete(root);
    text_release(&out);
}

static void
test_verdict(const Fixture *fixture)
{
    Result *good = sample_result_new(NULL);
    Diag diag = {0};
    bool holds;

    tap_u64(check_verdict(fixture->result, &diag), STATUS_CHECK_FAILED, "three do not hold");
    tap_text(diag.message,
             "3 of 26 checks do not hold: v4-over-v7, baseline/second/bigint/wal_bytes, "
             "baseline/second/uuidv4",
             "the message names them");
    if (check_bounds(good, &holds, &diag) != STATUS_OK)
        BUG("%s", diag.message);
    check_complete(good);
    tap_u64(check_verdict(good, &diag), STATUS_OK, "all hold");
    good->check_count = 0;
    good->status = RESULT_INTERRUPTED;
    good->error = "signal";
    check_complete(good);
    tap_u64(check_verdict(good, &diag), STATUS_CHECK_FAILED,
            "a run that is not complete fails without any bound");
    tap_text(good->checks[0].bound, "complete; it is interrupted: signal", "and says why");
    result_free(good);
}

int
main(void)
{
    Fixture fixture;

    fixture_init(&fixture);
    test_people(&fixture);
    test_tap(&fixture);
    test_tap_escapes();
    test_junit(&fixture);
    test_github(&fixture);
    test_github_escapes();
    test_json(&fixture);
    test_verdict(&fixture);
    fixture_release(&fixture);
    return tap_done();
}
