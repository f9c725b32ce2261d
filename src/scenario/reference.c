#include "scenario/reference.h"

#include <string.h>

/* Effects as measured on 13 to 19. */
const ReferenceSetting REFERENCE_SETTINGS[REFERENCE_SETTING_COUNT] = {
    {"full_page_writes", "on", true, "no images, so the keys hardly differ"},
    {"wal_compression", "off", true, "images take less"},
    {"data_checksums", "on", false, "a few images of hint bits in the first phase"},
    {"wal_level", "replica", false, "logical adds to records"},
    {"shared_buffers", "128MB", false, "other pages are dirtied twice; WAL is the same"},
};

const char *
reference_differs(const Scenario *scenario, const ReferenceSetting *setting, const char *found)
{
    const char *value = setting->value;

    for (size_t i = 0; i < scenario->setting_count; i++)
        if (strcmp(scenario->settings[i].name, setting->name) == 0)
            value = scenario->settings[i].value;
    if (strcmp(setting->name, "wal_compression") == 0 && strcmp(value, "on") == 0)
        value = "pglz"; /* as it is called from 15 on */
    return found[0] == '\0' || strcmp(found, value) == 0 ? NULL : value;
}
