#include "cli/result_file.h"

#include "base/clock.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* "20261130T204800Z" */
static void
print_stamp(char compact[UTC_STAMP_SIZE])
{
    char stamp[UTC_STAMP_SIZE];
    size_t length = 0;

    clock_utc_stamp(clock_wall_ns(), stamp);
    for (const char *from = stamp; *from != '\0'; from++)
        if (*from != '-' && *from != ':')
            compact[length++] = *from;
    compact[length] = '\0';
}

Status
result_file_take(const char *folder, const char *scenario, char **path, Diag *diag)
{
    char stamp[UTC_STAMP_SIZE];
    Text name = {0};
    int file = -1;

    print_stamp(stamp);
    for (int number = 1; file < 0; number++) {
        text_release(&name);
        text_printf(&name, "%s/%s-%s", folder, scenario, stamp);
        if (number > 1)
            text_printf(&name, "-%d", number);
        text_add(&name, ".json");
        file = open(name.data, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (file < 0 && errno != EEXIST) {
            diag_set(diag, STATUS_IO, "cannot create \"%s\": %s", name.data, strerror(errno));
            diag_hint(diag, "Name a folder for results with --output.");
            text_release(&name);
            return diag->status;
        }
    }
    close(file);
    *path = name.data;
    return STATUS_OK;
}

void
result_file_give_back(const char *path)
{
    struct stat file;

    if (path != NULL && stat(path, &file) == 0 && file.st_size == 0)
        unlink(path);
}
