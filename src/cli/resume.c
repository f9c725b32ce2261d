#include "cli/resume.h"

#include "base/text.h"
#include "cli/present.h"

#include <inttypes.h>
#include <string.h>

static bool
is_of(const PlannedTrial *planned, const DesignResult *trial)
{
    if (planned->repeat != trial->repeat || planned->sweep_count != trial->sweep_count ||
        strcmp(planned->design->name, trial->name) != 0)
        return false;
    for (size_t i = 0; i < planned->sweep_count; i++)
        if (strcmp(planned->sweep[i].name, trial->sweep[i].name) != 0 ||
            strcmp(planned->sweep[i].value, trial->sweep[i].value) != 0)
            return false;
    return true;
}

static bool
is_planned(const Plan *plan, const DesignResult *trial)
{
    for (size_t i = 0; i < plan->trial_count; i++)
        if (is_of(&plan->trials[i], trial))
            return true;
    return false;
}

/* "uuidv4 at writers=8, repeat 2" */
static Status
refuse_trial(const char *path, const DesignResult *trial, Diag *diag)
{
    Text text = {0};

    text_printf(&text, "%s%s%s", trial->name, trial->sweep_label[0] != '\0' ? " at " : "",
                trial->sweep_label);
    if (trial->repeat > 1)
        text_printf(&text, ", repeat %" PRIu64, trial->repeat);
    diag_set(diag, STATUS_USAGE, "\"%s\" has a trial that this run would not measure: %s", path,
             text.data);
    diag_hint(diag, "Give --only, --shard and --repeat as when it was begun; without --only and "
                    "--shard the run measures all.");
    text_release(&text);
    return diag->status;
}

static Status
check_trials(const char *path, const Result *result, const Plan *plan, Diag *diag)
{
    for (size_t i = 0; i < result->design_count; i++)
        if (!is_planned(plan, &result->designs[i]))
            return refuse_trial(path, &result->designs[i], diag);
    return STATUS_OK;
}

static Status
check_head(const char *path, const Result *result, const Plan *plan, Diag *diag)
{
    if (strcmp(result->scenario_sha256, sweep_first(plan->sweep)->sha256) != 0) {
        diag_set(diag, STATUS_USAGE, "\"%s\" is of another scenario, or of another version of it",
                 path);
        diag_hint(diag, "Name the scenario as it was when the result was begun.");
        return diag->status;
    }
    if (result->seed != plan->seed)
        return diag_set(diag, STATUS_USAGE, "\"%s\" was begun with seed %" PRIu64 ", not %" PRIu64,
                        path, result->seed, plan->seed);
    return STATUS_OK;
}

Status
resume_load(const char *path, const Plan *plan, Result **result, Diag *diag)
{
    Result *loaded = NULL;
    Status status = present_load(path, &loaded, diag);

    if (status == STATUS_OK)
        status = check_head(path, loaded, plan, diag);
    if (status == STATUS_OK)
        status = check_trials(path, loaded, plan, diag);
    if (status == STATUS_OK)
        *result = loaded;
    else
        result_free(loaded);
    return status;
}
