#include "server/complaint.h"

#include "server/host.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { DISK_FREE_MIN_MB = 100 }; /* a new data folder takes 40 */

void
complaint_set(Text *output, Diag *diag)
{
    const char *start;
    size_t length, room = sizeof(diag->detail) - sizeof("... ");

    if (output->length == 0)
        return;
    text_fold(output->data);
    length = strlen(output->data);
    start = output->data + (length > room ? length - room : 0);
    diag_detail(diag, "%s%s", length > room ? "... " : "", start);
}

/* Copy what stands between `start` and the end of its line. */
static void
copy_rest(const char *start, char *text, size_t size)
{
    size_t length = strcspn(start, "\n");

    snprintf(text, size, "%.*s", (int)(length < size ? length : size - 1), start);
}

/* The server logs in English: it is started with LC_ALL=C. Source: src/backend/utils/misc/guc.c. */
bool
complaint_find_setting(const char *log, char *what, size_t size, Diag *diag)
{
    static const char INVALID[] = "invalid value for parameter \"",
                      HINT[] = "HINT:  ", VALUES[] = "Available values: ";
    const char *invalid = strstr(log, INVALID);
    const char *hint = invalid != NULL ? strstr(invalid, HINT) : NULL;
    char rest[256], values[256];
    char name[64] = "", value[128] = "";

    if (hint == NULL || strncmp(hint + strlen(HINT), VALUES, strlen(VALUES)) != 0)
        return false;
    copy_rest(invalid + strlen(INVALID), rest, sizeof(rest));
    if (sscanf(rest, "%63[^\"]\": \"%127[^\"]", name, value) != 2)
        return false;
    snprintf(what, size, "%s \"%s\"", name, value);
    copy_rest(hint + strlen(HINT), values, sizeof(values));
    diag_detail(diag, "%s", values);
    return true;
}

void
complaint_check_disk(const char *folder, Diag *diag)
{
    DiskFacts disk;
    uint64_t free_mb;

    host_disk_read(folder, &disk);
    free_mb = disk.free_bytes >> 20;
    if (disk.total_bytes > 0 && free_mb < DISK_FREE_MIN_MB)
        diag_hint(diag,
                  "Only %" PRIu64 " MB are free on the disk of \"%s\": make room, or name a folder "
                  "on another disk with TMPDIR.",
                  free_mb, folder);
}
