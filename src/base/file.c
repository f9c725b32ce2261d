#include "base/file.h"

#include "base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static Status
io_failed(const char *what, const char *path, Diag *diag)
{
    return diag_set(diag, STATUS_IO, "cannot %s \"%s\": %s", what, path, strerror(errno));
}

static Status
read_all(int fd, const char *path, size_t limit_bytes, Text *content, Diag *diag)
{
    char block[16384];
    ssize_t got;

    while ((got = read(fd, block, sizeof(block))) != 0) {
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return io_failed("read", path, diag);
        if (content->length + (size_t)got > limit_bytes)
            return diag_set(diag, STATUS_USAGE, "\"%s\" is longer than %zu bytes", path,
                            limit_bytes);
        text_add_bytes(content, block, (size_t)got);
    }
    return STATUS_OK;
}

Status
file_read(const char *path, size_t limit_bytes, Text *content, Diag *diag)
{
    bool standard_input = strcmp(path, "-") == 0;
    int fd = standard_input ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    Status status;

    if (fd < 0)
        return io_failed("open", path, diag);
    status = read_all(fd, path, limit_bytes, content, diag);
    if (!standard_input)
        close(fd);
    return status;
}

static bool
write_all(int fd, const char *bytes, size_t length)
{
    while (length > 0) {
        ssize_t done = write(fd, bytes, length);

        if (done < 0 && errno != EINTR)
            return false;
        if (done > 0) {
            bytes += done;
            length -= (size_t)done;
        }
    }
    return true;
}

/* The rename itself is on disk only when its folder is; some file systems refuse the fsync, which
 * changes nothing. */
static void
sync_folder_of(const char *path)
{
    char *folder = mem_text(path);
    char *slash = strrchr(folder, '/');
    int fd;

    if (slash != NULL)
        slash[slash == folder] = '\0';
    fd = open(slash != NULL ? folder : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0) {
        fsync(fd);
        close(fd);
    }
    free(folder);
}

/* A device, pipe or terminal is written to as it is: only a regular file can be replaced. */
static Status
write_through(const char *path, const char *bytes, size_t length, Diag *diag)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    Status status = STATUS_OK;

    if (fd < 0)
        return io_failed("open", path, diag);
    if (!write_all(fd, bytes, length))
        status = io_failed("write", path, diag);
    if (close(fd) != 0 && status == STATUS_OK)
        status = io_failed("write", path, diag);
    return status;
}

/* By a temporary name beside `path`, which is where a file is or will be, no link. */
static Status
replace(const char *path, const char *bytes, size_t length, Diag *diag)
{
    Text temporary = {0};
    Status status = STATUS_OK;
    mode_t mask = umask(0);
    int fd;

    umask(mask);
    text_printf(&temporary, "%s.XXXXXX", path);
    fd = mkostemp(temporary.data, O_CLOEXEC);
    if (fd < 0) {
        status = io_failed("create a file beside", path, diag);
        text_release(&temporary);
        return status;
    }
    if (!write_all(fd, bytes, length) || fsync(fd) != 0 || fchmod(fd, 0666 & ~mask) != 0)
        status = io_failed("write", path, diag);
    if (close(fd) != 0 && status == STATUS_OK)
        status = io_failed("write", path, diag);
    if (status == STATUS_OK && rename(temporary.data, path) != 0)
        status = io_failed("rename into place", path, diag);
    if (status == STATUS_OK)
        sync_folder_of(path);
    else
        unlink(temporary.data);
    text_release(&temporary);
    return status;
}

Status
file_write_atomic(const char *path, const char *bytes, size_t length, Diag *diag)
{
    char *target = realpath(path, NULL); /* NULL for a file that is not there yet */
    struct stat facts;
    Status status;

    if (stat(path, &facts) == 0 && !S_ISREG(facts.st_mode))
        status = write_through(path, bytes, length, diag);
    else
        status = replace(target != NULL ? target : path, bytes, length, diag);
    free(target);
    return status;
}

/* One folder, which may be there already. */
static Status
make_one(const char *path, Diag *diag)
{
    struct stat facts;

    if (mkdir(path, 0777) == 0)
        return STATUS_OK;
    if (errno != EEXIST)
        return io_failed("make folder", path, diag);
    if (stat(path, &facts) == 0 && !S_ISDIR(facts.st_mode))
        return diag_set(diag, STATUS_USAGE, "\"%s\" is a file, not a folder", path);
    return STATUS_OK;
}

Status
folder_make(const char *path, Diag *diag)
{
    char *part = mem_text(path);
    Status status = STATUS_OK;

    for (char *slash = part; status == STATUS_OK && slash != NULL;) {
        slash = strchr(slash + 1, '/');
        if (slash != NULL)
            *slash = '\0';
        status = make_one(part, diag);
        if (slash != NULL)
            *slash = '/';
    }
    free(part);
    return status;
}

bool
file_exists(const char *path)
{
    return access(path, F_OK) == 0;
}

bool
folder_exists(const char *path)
{
    struct stat facts;

    return stat(path, &facts) == 0 && S_ISDIR(facts.st_mode);
}
