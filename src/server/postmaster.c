#include "server/postmaster.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
    PATH_BYTES = 4200,
    FILE_BYTES = 1024,
    BLOCK_BYTES = 4096,
    PID_LINE = 1,
    MEMORY_LINE = 7,
    STATUS_LINE = 8,
    END_POLL_MS = 5,
    QUIT_MS = 5000,
    KILL_MS = 15000,
};

/* snprintf is not async-signal-safe by the letter of POSIX. */
static bool
join(char *path, const char *head, const char *middle, const char *tail)
{
    const char *parts[] = {head, middle, tail};
    size_t length = 0;

    for (size_t i = 0; i < 3; i++) {
        size_t part = strlen(parts[i]);

        if (length + part >= PATH_BYTES)
            return false;
        memcpy(path + length, parts[i], part);
        length += part;
    }
    path[length] = '\0';
    return true;
}

/* Read the start of a small file as a text; false when it cannot be read. */
static bool
read_start(const char *path, char *text, size_t size)
{
    int fd = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    ssize_t got;

    if (fd < 0)
        return false;
    got = read(fd, text, size - 1);
    close(fd);
    if (got < 0)
        return false;
    text[got] = '\0';
    return true;
}

static unsigned long
number_at(const char **text)
{
    unsigned long number = 0;

    while (**text == ' ')
        ++*text;
    for (; **text >= '0' && **text <= '9'; ++*text)
        number = number * 10 + (unsigned long)(**text - '0');
    return number;
}

/* "" when there are fewer lines. */
static const char *
find_line(const char *text, int line)
{
    for (int i = PID_LINE; i < line; i++) {
        text = strchr(text, '\n');
        if (text == NULL)
            return "";
        text++;
    }
    return text;
}

bool
postmaster_file_load(const char *data_folder, PostmasterFile *file)
{
    char path[PATH_BYTES];
    char text[FILE_BYTES];
    const char *at = text;

    if (!join(path, data_folder, "/postmaster.pid", "") || !read_start(path, text, sizeof(text)))
        return false;
    file->pid = (pid_t)number_at(&at); /* a negative one, of a server without postmaster, is 0 */
    at = find_line(text, MEMORY_LINE);
    file->shm_key = number_at(&at);
    file->shm_id = (int)number_at(&at);
    file->ready = strncmp(find_line(text, STATUS_LINE), "ready", 5) == 0;
    return true;
}

/* A process of the server has the data folder as its working folder. So may a shell of the user,
 * hence the name. */
static bool
is_of_server(const char *pid, const struct stat *data)
{
    char path[PATH_BYTES];
    char name[32];
    struct stat working;

    return join(path, "/proc/", pid, "/cwd") && stat(path, &working) == 0 &&
           working.st_dev == data->st_dev && working.st_ino == data->st_ino &&
           join(path, "/proc/", pid, "/comm") && read_start(path, name, sizeof(name)) &&
           strcmp(name, "postgres\n") == 0;
}

pid_t
postmaster_running(const char *data_folder)
{
    PostmasterFile file;
    struct stat data;
    char pid[24];

    if (!postmaster_file_load(data_folder, &file) || stat(data_folder, &data) != 0)
        return 0;
    snprintf(pid, sizeof(pid), "%ld", (long)file.pid);
    return is_of_server(pid, &data) ? file.pid : 0;
}

static size_t
signal_block(const char *block, ssize_t length, const struct stat *data, int number)
{
    size_t count = 0;

    for (ssize_t at = 0; at < length;) {
        struct dirent64 head;
        const char *name = block + at + offsetof(struct dirent64, d_name);
        const char *end = name;
        pid_t pid;

        memcpy(&head, block + at, offsetof(struct dirent64, d_name));
        at += head.d_reclen;
        pid = (pid_t)number_at(&end);
        if (pid <= 1 || *end != '\0' || !is_of_server(name, data))
            continue;
        count++;
        if (number != 0)
            kill(pid, number);
    }
    return count;
}

size_t
postmaster_signal_all(const char *data_folder, int number)
{
    int fd = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    char block[BLOCK_BYTES];
    struct stat data;
    size_t count = 0;
    ssize_t length;

    if (fd < 0)
        return 0;
    if (stat(data_folder, &data) == 0)
        while ((length = getdents64(fd, block, sizeof(block))) > 0)
            count += signal_block(block, length, &data, number);
    close(fd);
    return count;
}

bool
postmaster_end(const char *data_folder)
{
    const struct timespec step = {.tv_nsec = END_POLL_MS * 1000000L};
    size_t count = postmaster_signal_all(data_folder, SIGQUIT);

    for (int waited_ms = 0; count > 0 && waited_ms < KILL_MS; waited_ms += END_POLL_MS) {
        nanosleep(&step, NULL);
        count = postmaster_signal_all(data_folder, waited_ms < QUIT_MS ? 0 : SIGKILL);
    }
    return count == 0;
}

/* After a restart of the machine the same id may be another's: key and owner must fit, and nobody
 * may use it. */
void
postmaster_remove_memory(const char *data_folder)
{
    PostmasterFile file;
    struct shmid_ds segment;
    struct stat data;

    if (!postmaster_file_load(data_folder, &file) || file.shm_key == 0 ||
        stat(data_folder, &data) != 0 || shmctl(file.shm_id, IPC_STAT, &segment) != 0)
        return;
    if (segment.shm_nattch == 0 && segment.shm_perm.cuid == data.st_uid &&
        (unsigned long)segment.shm_perm.__key == file.shm_key)
        shmctl(file.shm_id, IPC_RMID, NULL);
}
