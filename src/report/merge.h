/*
 * Parts of one plan, measured apart from each other, joined to one result.
 */
#ifndef KB_REPORT_MERGE_H
#define KB_REPORT_MERGE_H

#include "base/diag.h"
#include "results/result.h"

/* A result and the file that it is from, for errors. */
typedef struct MergePart {
    const char *path;
    const Result *result;
} MergePart;

/*
 * Join one or more parts: of one scenario, seed, version and settings. A trial that several have
 * must have cost the same in all that completed it. The bounds are checked anew.
 *
 * parts    borrowed until the merged result is freed
 * merged   caller frees with result_free. Not complete while the parts leave trials out
 * Returns  STATUS_USAGE for parts that do not belong together, STATUS_SCENARIO when the scenario
 *          inside cannot be read
 */
Status merge_parts(const MergePart *parts, size_t count, Result **merged, Diag *diag) MUST_USE;

#endif
