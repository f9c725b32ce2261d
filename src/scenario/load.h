/*
 * A scenario file without lists to the struct, or an error that names file, line, column and the
 * path of the value. sweep.h reads those with lists too.
 */
#ifndef KB_SCENARIO_LOAD_H
#define KB_SCENARIO_LOAD_H

#include "base/diag.h"
#include "scenario/scenario.h"
#include "scenario/scenario.h"

/*
 * Load `name`: a path, "-" for standard input, or the name of a scenario that is installed
 * ("table-13-1"). Caller frees with scenario_free. Returns   STATUS_SCENARIO for a bad file,
 * STATUS_USAGE for a name that is nowhere, STATUS_IO
 */
Status scenario_load(const char *name, Scenario **scenario, Diag *diag) MUST_USE;

/* The same from bytes in memory; `file` names them in errors. */
Status scenario_parse(const char *file, const char *bytes, size_t length, Scenario **scenario,
                      Diag *diag) MUST_USE;

#endif
