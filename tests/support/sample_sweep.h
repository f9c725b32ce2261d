/*
 * Made-up results of sweeps, for tests of tables and charts: every trial of a scenario with figures
 * by a simple rule. Ordered keys have 3 full-page images a checkpoint, those of a design named
 * "uuidv4" one for each row up to 2,000 a checkpoint; a row has 100 bytes of WAL, an image 6,000.
 */
#ifndef KB_TESTS_SAMPLE_SWEEP_H
#define KB_TESTS_SAMPLE_SWEEP_H

#include "results/result.h"

/*
 * Designs "bigint", "uuidv4" and "uuidv7", phases "first" of 10,000 rows and "second" of 20,000 in
 * 20 batches.
 *
 * checkpoint   of "second", as JSON: "[20000, 1000]"
 * bytes        of a filler that uuidv4 alone has, as JSON: "[10, 100]"; NULL: it has none
 * views        further keys of the scenario: ",\"charts\":[...]"
 * Caller frees with result_free.
 */
Result *sample_sweep_new(const char *checkpoint, const char *bytes, const char *views);

/* The same of any scenario, with ` for ". */
Result *sample_sweep_of(const char *document);

/* Borrowed: the only repeat of a design with these values, "checkpoint=1000". */
DesignResult *sample_trial(Result *result, const char *design, const char *sweep_label);

#endif
