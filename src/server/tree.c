#include "server/tree.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    DEPTH_MAX = 64, /* a data folder has 4; the limit is for the stack */
    BLOCK_BYTES = 4096,
};

static bool remove_entry(int folder, const char *name, int depth);

/* One block of entries: true when all are gone. readdir would allocate. */
static bool
remove_block(int folder, const char *block, ssize_t length, int depth, bool *found)
{
    bool gone = true;

    for (ssize_t at = 0; at < length;) {
        struct dirent64 head;
        const char *name = block + at + offsetof(struct dirent64, d_name);

        memcpy(&head, block + at, offsetof(struct dirent64, d_name));
        at += head.d_reclen;
        if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
            continue;
        *found = true;
        gone = remove_entry(folder, name, depth) && gone;
    }
    return gone;
}

/* What is removed while a folder is read may hide other entries, so it is read again until empty.
 */
static bool
remove_entries(int folder, int depth)
{
    char block[BLOCK_BYTES];
    bool found = true;

    while (found) {
        ssize_t length;

        found = false;
        if (lseek(folder, 0, SEEK_SET) < 0)
            return false;
        while ((length = getdents64(folder, block, sizeof(block))) > 0)
            if (!remove_block(folder, block, length, depth, &found))
                return false;
        if (length < 0)
            return false;
    }
    return true;
}

static bool
remove_folder(int parent, const char *name, int depth)
{
    int folder = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    int error;
    bool gone;

    if (folder < 0)
        return errno == ENOENT;
    gone = depth < DEPTH_MAX && remove_entries(folder, depth + 1);
    error = depth < DEPTH_MAX ? errno : ELOOP;
    close(folder);
    errno = error;
    return gone && (unlinkat(parent, name, AT_REMOVEDIR) == 0 || errno == ENOENT);
}

static bool
remove_entry(int folder, const char *name, int depth)
{
    if (unlinkat(folder, name, 0) == 0 || errno == ENOENT)
        return true;
    return errno == EISDIR && remove_folder(folder, name, depth);
}

bool
tree_remove(const char *path)
{
    return remove_entry(AT_FDCWD, path, 0);
}

static bool
sum_entry(const char *folder, const char *name, TreeSum *sum)
{
    char path[4096];
    struct stat facts;

    if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
        return true;
    if ((size_t)snprintf(path, sizeof(path), "%s/%s", folder, name) >= sizeof(path) ||
        lstat(path, &facts) != 0)
        return false;
    if (S_ISDIR(facts.st_mode))
        return tree_sum(path, sum);
    if (S_ISREG(facts.st_mode)) {
        sum->file_count++;
        sum->bytes += (uint64_t)facts.st_size;
    }
    return true;
}

bool
tree_sum(const char *path, TreeSum *sum)
{
    DIR *folder = opendir(path);
    bool good = folder != NULL;

    for (struct dirent *entry; good && (entry = readdir(folder)) != NULL;)
        good = sum_entry(path, entry->d_name, sum);
    if (folder != NULL)
        closedir(folder);
    return good;
}
