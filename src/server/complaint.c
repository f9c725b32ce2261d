#include "server/complaint.h"

#include "server/host.h"

#include <inttypes.h>
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
