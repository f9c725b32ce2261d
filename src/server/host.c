#include "server/host.h"

#include "base/file.h"

#include <limits.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <sys/utsname.h>
#include <unistd.h>

enum { SYSTEM_FILE_LIMIT_BYTES = 16 << 20 };

static void
set_text(char *target, size_t size, const char *text, size_t length)
{
    if (length > 0)
        snprintf(target, size, "%.*s", (int)length, text);
}

/* Read a file of the system into `content`; false when there is none. */
static bool
load(const char *path, Text *content)
{
    Diag ignored = {0};

    return file_read(path, SYSTEM_FILE_LIMIT_BYTES, content, &ignored) == STATUS_OK &&
           content->length > 0;
}

/* The value behind "name" and `separator` on the first line that starts so; NULL when there is
 * none. Its end is the line's. */
static const char *
find_value(const char *text, const char *name, const char *separator)
{
    for (; text != NULL && *text != '\0'; text = strchr(text, '\n')) {
        text += *text == '\n';
        if (strncmp(text, name, strlen(name)) == 0) {
            const char *value = text + strlen(name);

            return value + strspn(value, separator);
        }
    }
    return NULL;
}

/* x86 has "model name"; others often only the architecture, which stands in for it. */
static void
read_cpu(HostFacts *facts, const struct utsname *names)
{
    Text content = {0};
    const char *value = NULL;
    cpu_set_t usable;

    set_text(facts->cpu_model, sizeof(facts->cpu_model), names->machine, strlen(names->machine));
    if (load("/proc/cpuinfo", &content))
        value = find_value(content.data, "model name", "\t :");
    if (value != NULL)
        set_text(facts->cpu_model, sizeof(facts->cpu_model), value, strcspn(value, "\n"));
    text_release(&content);
    if (sched_getaffinity(0, sizeof(usable), &usable) == 0)
        facts->core_count = (unsigned)CPU_COUNT(&usable);
    else
        facts->core_count = (unsigned)sysconf(_SC_NPROCESSORS_ONLN);
}

static void
read_system(HostFacts *facts, const struct utsname *names)
{
    Text content = {0};
    const char *value = NULL;

    snprintf(facts->kernel, sizeof(facts->kernel), "%.30s %.60s %.30s", names->sysname,
             names->release, names->machine);
    if (load("/etc/os-release", &content) || load("/usr/lib/os-release", &content))
        value = find_value(content.data, "PRETTY_NAME=", "\"'");
    if (value != NULL)
        set_text(facts->os_name, sizeof(facts->os_name), value, strcspn(value, "\"'\n"));
    text_release(&content);
}

/* Whether `path` is `mount` or under it. */
static bool
is_under(const char *path, const char *mount, size_t length)
{
    return strncmp(path, mount, length) == 0 &&
           (path[length] == '\0' || path[length] == '/' || (length == 1 && mount[0] == '/'));
}

/* Of the mounts above the folder the longest counts, and of equals the last. Source: proc(5),
 * /proc/self/mountinfo: the mount point is field 5, the type comes behind " - ". */
static void
find_filesystem(const char *mounts, const char *folder, DiskFacts *disk)
{
    size_t best = 0;

    for (const char *line = mounts; *line != '\0';) {
        size_t line_length = strcspn(line, "\n");
        const char *type = strstr(line, " - ");
        const char *mount = line;
        size_t length;

        for (int field = 1; field < 5 && mount != NULL; field++)
            mount = strchr(mount, ' ') != NULL ? strchr(mount, ' ') + 1 : NULL;
        length = mount != NULL ? strcspn(mount, " ") : 0;
        if (mount != NULL && type != NULL && length >= best && is_under(folder, mount, length)) {
            best = length;
            set_text(disk->filesystem, sizeof(disk->filesystem), type + 3, strcspn(type + 3, " "));
        }
        line += line_length + (line[line_length] == '\n');
    }
}

void
host_disk_read(const char *folder, DiskFacts *disk)
{
    char *real = realpath(folder, NULL);
    Text content = {0};
    struct statvfs space;

    *disk = (DiskFacts){.filesystem = "unknown"};
    if (real != NULL && load("/proc/self/mountinfo", &content))
        find_filesystem(content.data, real, disk);
    if (real != NULL && statvfs(real, &space) == 0) {
        disk->total_bytes = (uint64_t)space.f_blocks * space.f_frsize;
        disk->free_bytes = (uint64_t)space.f_bavail * space.f_frsize;
    }
    text_release(&content);
    free(real);
}

void
host_facts_read(HostFacts *facts)
{
    long pages = sysconf(_SC_PHYS_PAGES), page_bytes = sysconf(_SC_PAGESIZE);
    struct utsname names = {0};

    *facts = (HostFacts){.cpu_model = "unknown", .kernel = "unknown", .os_name = "unknown"};
    if (uname(&names) == 0)
        read_system(facts, &names);
    read_cpu(facts, &names);
    if (pages > 0 && page_bytes > 0)
        facts->memory_bytes = (uint64_t)pages * (uint64_t)page_bytes;
}
