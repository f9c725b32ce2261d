#include "server/find.h"

#include "base/clock.h"
#include "base/interrupt.h"
#include "base/paths.h"
#include "base/proc.h"
#include "base/text.h"
#include "server/account.h"
#include "server/complaint.h"

#include <errno.h>
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const uint64_t ASK_DEADLINE_NS = 10 * NS_PER_S;

/* Where to look once nobody has named a place. Folders are patterns of glob(3). */
typedef struct SearchPlace {
    const char *found_by;
    const char *pattern; /* under `cache` when that is set */
    bool cache, pg_config, path;
} SearchPlace;

static const SearchPlace PREFERRED_PLACES[] = {
    {.found_by = "/usr/lib/postgresql", .pattern = "/usr/lib/postgresql/18/bin"},
    {.found_by = "pg_config", .pg_config = true},
    {.found_by = "PATH", .path = true},
    {.found_by = "cache", .pattern = "servers/18/bin", .cache = true},
};

static const SearchPlace OTHER_PLACES[] = {
    {.found_by = "/usr/lib/postgresql", .pattern = "/usr/lib/postgresql/*/bin"},
    {.found_by = "/usr", .pattern = "/usr/pgsql-*/bin"},
    {.found_by = "/usr", .pattern = "/usr/local/pgsql/bin"},
    {.found_by = "pg_config", .pg_config = true},
    {.found_by = "PATH", .path = true},
    {.found_by = "cache", .pattern = "servers/*/bin", .cache = true},
};

bool
server_version_parse(const char *answer, ServerPrograms *programs)
{
    const char *start = strstr(answer, "(PostgreSQL) ");
    unsigned long major, minor = 0;
    size_t length;
    char *end;

    if (start == NULL)
        return false;
    start += strlen("(PostgreSQL) ");
    length = strcspn(start, " \r\n");
    errno = 0;
    major = strtoul(start, &end, 10);
    if (*end == '.' && end > start)
        minor = strtoul(end + 1, NULL, 10);
    if (end == start || errno != 0 || major < 1 || major > 9999 || minor > 9999 ||
        length >= sizeof(programs->version))
        return false;
    snprintf(programs->version, sizeof(programs->version), "%.*s", (int)length, start);
    programs->version_number = (int)(major * 10000 + minor);
    return true;
}

/* Run a program of a server and append its first output line. */
static Status
ask(const Account *account, const char *program, const char *option, Text *answer, Diag *diag)
{
    const char *argv[] = {program, option, NULL};
    ProcSpec spec = {.argv = argv, .user = &account->user, .folder = "/"};
    Text errors = {0};
    int exit_code = 0;
    Status status = proc_run(&spec, ASK_DEADLINE_NS, answer, &errors, &exit_code, diag);

    if (status == STATUS_OK && exit_code != 0) {
        status = diag_set(diag, STATUS_SERVER, "\"%s %s\" ended with exit status %d", program,
                          option, exit_code);
        complaint_set(&errors, diag);
    }
    text_release(&errors);
    return status;
}

static Status
check_program(const Account *account, const char *bindir, const char *name, Diag *diag)
{
    Text path = {0};
    Status status = STATUS_OK;

    text_printf(&path, "%s/%s", bindir, name);
    if (access(path.data, X_OK) != 0) {
        status = diag_set(diag, STATUS_USAGE, "no program \"%s\" in \"%s\"", name, bindir);
        diag_hint(diag, "Name the folder that holds initdb and postgres.");
    } else if (!proc_user_can(&account->user, path.data, X_OK)) {
        status = diag_set(diag, STATUS_SERVER, "user \"%s\" may not run \"%s\"", account->name,
                          path.data);
        diag_hint(diag,
                  "Servers run as \"%s\", who must be able to enter the folder and all "
                  "folders above it.",
                  account->name);
    }
    text_release(&path);
    return status;
}

/* Fill `programs` from a folder. It stays untouched on failure. */
static Status
examine(const Account *account, const char *folder, const char *found_by, ServerPrograms *programs,
        Diag *diag)
{
    ServerPrograms found = {0};
    Text path = {0}, answer = {0};
    char bindir[PATH_MAX];
    Status status;

    if (realpath(folder, bindir) == NULL)
        return diag_set(diag, STATUS_USAGE, "cannot look into \"%s\": %s", folder, strerror(errno));
    snprintf(found.bindir, sizeof(found.bindir), "%s", bindir);
    snprintf(found.found_by, sizeof(found.found_by), "%s", found_by);
    text_printf(&path, "%s/postgres", bindir);
    status = check_program(account, bindir, "initdb", diag);
    if (status == STATUS_OK)
        status = check_program(account, bindir, "postgres", diag);
    if (status == STATUS_OK)
        status = ask(account, path.data, "--version", &answer, diag);
    if (status == STATUS_OK && !server_version_parse(text_data(&answer), &found))
        status = diag_set(diag, STATUS_USAGE, "\"%s\" is not a PostgreSQL server", path.data);
    if (status == STATUS_OK)
        *programs = found;
    text_release(&path);
    text_release(&answer);
    return status;
}

static Status
examine_named(const Account *account, const char *folder, const char *named_by, int min_major,
              ServerPrograms *programs, Diag *diag)
{
    ServerPrograms found = {0};
    Status status = examine(account, folder, named_by, &found, diag);

    if (status == STATUS_OK && found.version_number / 10000 < min_major) {
        status = diag_set(diag, STATUS_SERVER, "the server in \"%s\" is version %s, %d is needed",
                          folder, found.version, min_major);
        diag_hint(diag, "Name another folder, or none to have one searched.");
    }
    if (status == STATUS_OK)
        *programs = found;
    else
        diag_context(diag, "%s", named_by);
    return status;
}

/* Take the server in a folder when it is newer than the best so far, and at least `min_major`. */
static Status
consider(const Account *account, const char *folder, const char *found_by, int min_major,
         ServerPrograms *best)
{
    ServerPrograms found = {0};
    Diag ignored = {0};
    Status status = examine(account, folder, found_by, &found, &ignored);

    if (status == STATUS_OK && found.version_number / 10000 >= min_major &&
        found.version_number > best->version_number)
        *best = found;
    return status == STATUS_INTERRUPTED ? status : STATUS_OK;
}

static Status
search_pattern(const Account *account, const char *pattern, const char *found_by, int min_major,
               ServerPrograms *best)
{
    glob_t found = {0};
    Status status = STATUS_OK;

    if (glob(pattern, 0, NULL, &found) == 0)
        for (size_t i = 0; status == STATUS_OK && i < found.gl_pathc; i++)
            status = consider(account, found.gl_pathv[i], found_by, min_major, best);
    globfree(&found);
    return status;
}

/* The user's own cache, then the machine's, which holds what root fetched. */
static Status
search_caches(const Account *account, const SearchPlace *place, int min_major, ServerPrograms *best)
{
    Text patterns[2] = {{0}, {0}};
    Status status;

    path_cache(&patterns[0]);
    text_printf(&patterns[0], "/%s", place->pattern);
    text_printf(&patterns[1], "/var/cache/keybench/%s", place->pattern);
    status = search_pattern(account, patterns[0].data, place->found_by, min_major, best);
    if (status == STATUS_OK && strcmp(patterns[0].data, patterns[1].data) != 0)
        status = search_pattern(account, patterns[1].data, place->found_by, min_major, best);
    text_release(&patterns[0]);
    text_release(&patterns[1]);
    return status;
}

static Status
search_pg_config(const Account *account, const SearchPlace *place, int min_major,
                 ServerPrograms *best)
{
    Text answer = {0};
    Diag ignored = {0};
    Status status = ask(account, "pg_config", "--bindir", &answer, &ignored);

    if (status == STATUS_OK && answer.length > 0) {
        answer.data[strcspn(answer.data, "\r\n")] = '\0';
        status = consider(account, answer.data, place->found_by, min_major, best);
    }
    text_release(&answer);
    return status == STATUS_INTERRUPTED ? status : STATUS_OK;
}

/* PATH may hold links to the programs; their real folder is what counts. */
static Status
search_path(const Account *account, const SearchPlace *place, int min_major, ServerPrograms *best)
{
    char *program = proc_find_program("postgres");
    char real[PATH_MAX];
    Status status = STATUS_OK;

    if (program != NULL && realpath(program, real) != NULL) {
        *strrchr(real, '/') = '\0';
        status = consider(account, real, place->found_by, min_major, best);
    }
    free(program);
    return status;
}

static Status
search_place(const Account *account, const SearchPlace *place, int min_major, ServerPrograms *best)
{
    if (place->pg_config)
        return search_pg_config(account, place, min_major, best);
    if (place->path)
        return search_path(account, place, min_major, best);
    if (place->cache)
        return search_caches(account, place, min_major, best);
    return search_pattern(account, place->pattern, place->found_by, min_major, best);
}

static Status
search(const Account *account, int min_major, ServerPrograms *best)
{
    int preferred = min_major > SERVER_MAJOR_PREFERRED ? min_major : SERVER_MAJOR_PREFERRED;
    Status status = STATUS_OK;

    for (size_t i = 0; i < ARRAY_LEN(PREFERRED_PLACES); i++) {
        status = search_place(account, &PREFERRED_PLACES[i], preferred, best);
        if (status != STATUS_OK || best->version_number > 0)
            return status;
    }
    for (size_t i = 0; status == STATUS_OK && i < ARRAY_LEN(OTHER_PLACES); i++)
        status = search_place(account, &OTHER_PLACES[i], min_major, best);
    return status;
}

static Status
none_found(int min_major, Diag *diag)
{
    diag_set(diag, STATUS_SERVER, "no PostgreSQL server of version %d or later on this machine",
             min_major);
    diag_hint(diag,
              "Install one (\"scripts/bootstrap server\" in keybench's source does), or name the "
              "folder of initdb and postgres with --pg-bindir or KEYBENCH_PG_BINDIR.");
    return diag->status;
}

Status
server_find(const char *bindir, int min_major, ServerPrograms *programs, Diag *diag)
{
    const char *variable = getenv("KEYBENCH_PG_BINDIR");
    ServerPrograms best = {0};
    Account account;
    Status status = account_find(&account, diag);

    if (status != STATUS_OK)
        return status;
    if (bindir != NULL)
        return examine_named(&account, bindir, "--pg-bindir", min_major, programs, diag);
    if (variable != NULL && variable[0] != '\0')
        return examine_named(&account, variable, "KEYBENCH_PG_BINDIR", min_major, programs, diag);
    status = search(&account, min_major, &best);
    if (status != STATUS_OK)
        return interrupt_status(diag);
    if (best.version_number == 0)
        return none_found(min_major, diag);
    *programs = best;
    return STATUS_OK;
}
