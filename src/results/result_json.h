/*
 * A result as JSON and back. Numbers survive the round trip bit by bit, so that a report from the
 * file equals the report from memory.
 */
#ifndef KB_RESULTS_RESULT_JSON_H
#define KB_RESULTS_RESULT_JSON_H

#include "base/diag.h"
#include "results/result.h"

/* The whole file's text; caller frees with free(). */
char *result_to_json(const Result *result);

/* Read a result. STATUS_SCENARIO with file, line and path when it is not one; caller frees with
 * result_free. */
Status result_load(const char *path, Result **result, Diag *diag) MUST_USE;

/* Write atomically to `path`. */
Status result_save(const Result *result, const char *path, Diag *diag) MUST_USE;

#endif
