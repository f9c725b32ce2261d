#ifndef KB_CLI_RESULT_FILE_H
#define KB_CLI_RESULT_FILE_H

/*
 * The name of a run's result file. It is taken before anything is measured, so that runs that begin
 * in one second, as the parts of a sweep do, never write over each other.
 */

#include "base/diag.h"

/*
 * Take a name by an empty file of it.
 *
 * folder    where; it is there
 * scenario  first part of the name
 * path      out: "results/table-13-1-20261130T204800Z.json", numbered where another run has the
 *           name; caller frees; untouched on failure
 */
Status result_file_take(const char *folder, const char *scenario, char **path, Diag *diag) MUST_USE;

/* Remove a file that is still empty: the run has nothing to keep. NULL is none. */
void result_file_give_back(const char *path);

#endif
