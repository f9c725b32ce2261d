/*
 * The settings that published figures were measured with: those of the scenario, and where it says
 * nothing PostgreSQL 18's defaults. Fill factors need no such table: they are part of the designs.
 */
#ifndef KB_SCENARIO_REFERENCE_H
#define KB_SCENARIO_REFERENCE_H

#include "scenario/scenario.h"

#include <stdbool.h>

typedef struct ReferenceSetting {
    const char *name, *value; /* PostgreSQL 18's default, as current_setting() shows it */
    bool of_images;           /* how much WAL images take depends on it */
    const char *effect;       /* of another value */
} ReferenceSetting;

enum { REFERENCE_SETTING_COUNT = 5 };
extern const ReferenceSetting REFERENCE_SETTINGS[REFERENCE_SETTING_COUNT];

/*
 * The value that the references were measured with, when `found` is another one; else NULL.
 * Borrowed.
 *
 * found  what the server says; "": it does not
 */
const char *reference_differs(const Scenario *scenario, const ReferenceSetting *setting,
                              const char *found);

#endif
