/*
 * The result that `run --resume` goes on with.
 */
#ifndef KB_CLI_RESUME_H
#define KB_CLI_RESUME_H

#include "base/diag.h"
#include "results/result.h"
#include "scenario/plan.h"

/*
 * Load a result to go on with. It must be of the plan's scenario and seed, and the plan must hold
 * every trial that it has a place for: the run writes the file anew with its own. Caller frees with
 * result_free.
 * Returns  STATUS_USAGE for a result that the run cannot go on with, STATUS_SCENARIO for a file
 *          that is none
 */
Status resume_load(const char *path, const Plan *plan, Result **result, Diag *diag) MUST_USE;

#endif
