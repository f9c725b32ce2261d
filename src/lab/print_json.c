#include "lab/print.h"

#include "base/json.h"

#include <math.h>

static const char *const FAILURE_WORDS[] = {
    [FAILURE_NONE] = "",         [FAILURE_EXPECT] = "expect",       [FAILURE_ERROR] = "error",
    [FAILURE_BLOCKS] = "blocks", [FAILURE_STATEMENT] = "statement",
};

static const char *const VERDICT_WORDS[] = {
    [VERDICT_NONE] = "not reached",
    [VERDICT_OK] = "ok",
    [VERDICT_FAIL] = "fail",
    [VERDICT_SKIP] = "skip",
};

static double
ms_of(uint64_t elapsed_ns)
{
    return round((double)elapsed_ns / 1e4) / 100;
}

static void
add_values(cJSON *object, const Outcome *outcome)
{
    cJSON *values = cJSON_AddArrayToObject(object, "values");

    for (size_t i = 0; i < outcome->value_count; i++) {
        cJSON *value = cJSON_CreateObject();

        cJSON_AddStringToObject(value, "label", outcome->values[i].label);
        cJSON_AddStringToObject(value, "value", outcome->values[i].value);
        cJSON_AddItemToArray(values, value);
    }
}

static void
add_failure(cJSON *object, const Outcome *outcome)
{
    cJSON *failure;

    if (outcome->verdict != VERDICT_FAIL)
        return;
    failure = cJSON_AddObjectToObject(object, "failure");
    cJSON_AddStringToObject(failure, "kind", FAILURE_WORDS[outcome->failure]);
    cJSON_AddNumberToObject(failure, "line", (double)outcome->line);
    cJSON_AddStringToObject(failure, "message", outcome->reason);
}

static cJSON *
claim_to_json(const Claim *claim, const Outcome *outcome)
{
    cJSON *object = cJSON_CreateObject();
    cJSON *remarks;

    cJSON_AddStringToObject(object, "id", claim->id);
    cJSON_AddStringToObject(object, "sentence", claim->sentence);
    cJSON_AddStringToObject(object, "why", claim->why);
    cJSON_AddNumberToObject(object, "line", (double)claim->line);
    cJSON_AddStringToObject(object, "verdict", VERDICT_WORDS[outcome->verdict]);
    if (outcome->verdict == VERDICT_SKIP)
        cJSON_AddStringToObject(object, "reason", outcome->reason);
    add_failure(object, outcome);
    add_values(object, outcome);
    remarks = cJSON_AddArrayToObject(object, "remarks");
    for (size_t i = 0; i < outcome->remark_count; i++)
        cJSON_AddItemToArray(remarks, cJSON_CreateString(outcome->remarks[i]));
    cJSON_AddNumberToObject(object, "elapsed_ms", ms_of(outcome->elapsed_ns));
    cJSON_AddStringToObject(object, "sql", claim->source);
    return object;
}

static cJSON *
chapter_to_json(const Lab *lab, size_t number)
{
    const Chapter *chapter = lab->library->chapters[number];
    cJSON *object = cJSON_CreateObject();
    cJSON *claims;

    cJSON_AddStringToObject(object, "name", chapter->name);
    cJSON_AddStringToObject(object, "title", chapter->title);
    cJSON_AddStringToObject(object, "file", chapter->file);
    claims = cJSON_AddArrayToObject(object, "claims");
    for (size_t claim = 0; claim < chapter->claim_count; claim++)
        if (lab->library->chosen[number][claim])
            cJSON_AddItemToArray(
                claims, claim_to_json(&chapter->claims[claim], &lab->outcomes[number][claim]));
    return object;
}

static void
add_head(cJSON *root, const Lab *lab, unsigned scale, const char *error)
{
    cJSON *counts;

    cJSON_AddStringToObject(root, "format", "keybench-lab/1");
    cJSON_AddStringToObject(root, "keybench_version", KEYBENCH_VERSION);
    cJSON_AddStringToObject(root, "server_version", lab->server_version);
    cJSON_AddBoolToObject(root, "throwaway", lab->throwaway);
    cJSON_AddNumberToObject(root, "scale", scale);
    if (error != NULL)
        cJSON_AddStringToObject(root, "error", error);
    counts = cJSON_AddObjectToObject(root, "counts");
    cJSON_AddNumberToObject(counts, "ok", (double)lab->ok_count);
    cJSON_AddNumberToObject(counts, "fail", (double)lab->fail_count);
    cJSON_AddNumberToObject(counts, "skip", (double)lab->skip_count);
    cJSON_AddNumberToObject(counts, "not_reached", (double)lab->missing_count);
    cJSON_AddNumberToObject(root, "elapsed_ms", ms_of(lab->elapsed_ns));
}

char *
print_json(const Lab *lab, unsigned scale, const char *error)
{
    cJSON *root = cJSON_CreateObject();
    cJSON *chapters;
    char *json;

    add_head(root, lab, scale, error);
    chapters = cJSON_AddArrayToObject(root, "chapters");
    for (size_t i = 0; i < lab->library->chapter_count; i++)
        if (library_chapter_chosen(lab->library, i))
            cJSON_AddItemToArray(chapters, chapter_to_json(lab, i));
    json = cJSON_Print(root);
    cJSON_Delete(root);
    if (json == NULL)
        BUG("out of memory: the lab as JSON");
    return json;
}
