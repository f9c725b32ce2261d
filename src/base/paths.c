#include "base/paths.h"

#include "base/file.h"

#include <limits.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A file that only our data folder has. */
static const char MARK[] = "scenarios/keybench-scenario.schema.json";

/* Cut the last `levels` parts off an absolute path. */
static bool
cut_parts(char *path, int levels)
{
    for (; levels > 0; levels--) {
        char *slash = strrchr(path, '/');

        if (slash == NULL)
            return false;
        *slash = '\0';
    }
    return true;
}

static bool
try_folder(const char *folder, const char *below, Text *path)
{
    Text mark = {0};
    bool found;

    text_printf(&mark, "%s/%s", folder, MARK);
    found = file_exists(mark.data);
    text_release(&mark);
    if (found)
        text_printf(path, "%s/%s", folder, below);
    return found;
}

/* build/keybench is one folder below the checkout, a sanitized build two; an installed program is
 * PREFIX/bin/keybench. */
static bool
try_beside_program(const char *below, Text *path)
{
    char program[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", program, sizeof(program) - 1);
    char folder[PATH_MAX + sizeof("/share/keybench")];

    if (length < 0)
        return false;
    program[length] = '\0';
    for (int levels = 1; levels <= 4; levels++) {
        snprintf(folder, sizeof(folder), "%s", program);
        if (!cut_parts(folder, levels))
            return false;
        if (try_folder(folder, below, path))
            return true;
        if (levels == 2) {
            size_t used = strlen(folder);

            snprintf(folder + used, sizeof(folder) - used, "/share/keybench");
            if (try_folder(folder, below, path))
                return true;
        }
    }
    return false;
}

Status
path_data(const char *below, Text *path, Diag *diag)
{
    const char *folder = getenv("KEYBENCH_DATA");

    if (folder != NULL && folder[0] != '\0') {
        if (try_folder(folder, below, path))
            return STATUS_OK;
        diag_set(diag, STATUS_IO, "KEYBENCH_DATA \"%s\" holds no %s", folder, MARK);
        return diag->status;
    }
    if (try_beside_program(below, path))
        return STATUS_OK;
    diag_set(diag, STATUS_IO, "keybench's own scenarios and plot scripts are not where they were");
    diag_hint(diag, "Set KEYBENCH_DATA to the folder that holds scenarios/ and plots/.");
    return diag->status;
}

void
path_cache(Text *path)
{
    const char *own = getenv("KEYBENCH_CACHE");
    const char *cache = getenv("XDG_CACHE_HOME");
    const char *home = getenv("HOME");
    const struct passwd *user;

    if (own != NULL && own[0] != '\0') {
        text_add(path, own);
    } else if (geteuid() == 0) { /* the server's unprivileged user must be able to reach it */
        text_add(path, "/var/cache/keybench");
    } else if (cache != NULL && cache[0] == '/') {
        text_printf(path, "%s/keybench", cache);
    } else {
        if (home == NULL || home[0] == '\0') {
            user = getpwuid(geteuid());
            home = user != NULL ? user->pw_dir : "/tmp";
        }
        text_printf(path, "%s/.cache/keybench", home);
    }
}
