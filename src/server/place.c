#include "server/place.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/json.h"
#include "server/postmaster.h"
#include "server/tree.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#define MARK_FORMAT "keybench-cluster/1"
#define MARK_FILE "/cluster.json"
#define SOCKET_FILE "/.s.PGSQL." PLACE_PORT

enum {
    SOCKET_PATH_MAX = sizeof(((struct sockaddr_un *)0)->sun_path) - 1,
    RANDOM_LENGTH = 6, /* of mkdtemp */
    MARK_LIMIT_BYTES = 4096,
    LOG_TAIL_BYTES = 32768,
};

void
place_prefix(Text *text)
{
    text_printf(text, "keybench-%u-", (unsigned)geteuid());
}

static void
fill_paths(Place *place, const char *folder)
{
    size_t length = strlen(folder);

    if (length + sizeof(MARK_FILE) > PLACE_PATH_SIZE)
        BUG("path of %zu bytes", length);
    snprintf(place->folder, sizeof(place->folder), "%s", folder);
    snprintf(place->data, sizeof(place->data), "%s/data", folder);
    snprintf(place->log, sizeof(place->log), "%s/server.log", folder);
    snprintf(place->mark, sizeof(place->mark), "%s" MARK_FILE, folder);
}

static Status
too_long(const char *parent, size_t length, Diag *diag)
{
    diag_set(diag, STATUS_USAGE,
             "a socket in \"%s\" would have a path of %zu bytes, %d are allowed", parent, length,
             SOCKET_PATH_MAX);
    diag_hint(diag, "Choose a folder with a shorter path, such as /tmp.");
    return diag->status;
}

/* Resolve `parent` and see that a server can live there. libpq takes a comma in a host for the end
 * of its name. */
static Status
check_parent(const char *parent, const Account *account, char *real, Diag *diag)
{
    Text prefix = {0};
    size_t length;

    if (realpath(parent, real) == NULL)
        return diag_set(diag, STATUS_USAGE, "cannot use folder \"%s\": %s", parent,
                        strerror(errno));
    place_prefix(&prefix);
    length = strlen(real) + 1 + prefix.length + RANDOM_LENGTH + strlen(SOCKET_FILE);
    text_release(&prefix);
    if (length > SOCKET_PATH_MAX)
        return too_long(parent, length, diag);
    if (strchr(real, ',') != NULL)
        return diag_set(diag, STATUS_USAGE, "cannot use folder \"%s\": no comma may be in its path",
                        parent);
    if (proc_user_can(&account->user, real, X_OK))
        return STATUS_OK;
    diag_set(diag, STATUS_USAGE, "user \"%s\" cannot enter folder \"%s\"", account->name, parent);
    diag_hint(diag,
              "The server runs as \"%s\": choose a folder that this user can enter, such as "
              "/tmp.",
              account->name);
    return diag->status;
}

static Status
choose_parent(const char *parent, const Account *account, char *real, Diag *diag)
{
    const char *variable = getenv("TMPDIR");
    Diag ignored = {0};

    if (parent != NULL)
        return check_parent(parent, account, real, diag);
    if (variable != NULL && variable[0] != '\0' && access(variable, W_OK) == 0 &&
        check_parent(variable, account, real, &ignored) == STATUS_OK)
        return STATUS_OK;
    return check_parent("/tmp", account, real, diag);
}

Status
place_make(const char *parent, const Account *account, Place *place, Diag *diag)
{
    char real[PATH_MAX];
    Text folder = {0};
    Status status = choose_parent(parent, account, real, diag);

    if (status != STATUS_OK)
        return status;
    text_printf(&folder, "%s/", strcmp(real, "/") == 0 ? "" : real);
    place_prefix(&folder);
    text_add(&folder, "XXXXXX");
    if (mkdtemp(folder.data) == NULL) {
        status =
            diag_set(diag, STATUS_IO, "cannot make a folder in \"%s\": %s", real, strerror(errno));
    } else if (account->user.change &&
               lchown(folder.data, account->user.uid, account->user.gid) != 0) {
        status = diag_set(diag, STATUS_IO, "cannot give \"%s\" to user \"%s\": %s", folder.data,
                          account->name, strerror(errno));
        rmdir(folder.data);
    } else {
        fill_paths(place, folder.data);
    }
    text_release(&folder);
    return status;
}

/* Field 22 of /proc/PID/stat, counted behind the name, which may hold anything; 0 when there is no
 * such process. Source: proc(5). */
static uint64_t
process_start_ticks(pid_t pid)
{
    char path[64];
    Text content = {0};
    Diag ignored = {0};
    const char *at = NULL;
    uint64_t ticks = 0;

    snprintf(path, sizeof(path), "/proc/%ld/stat", (long)pid);
    if (file_read(path, MARK_LIMIT_BYTES, &content, &ignored) == STATUS_OK)
        at = strrchr(text_data(&content), ')');
    for (int field = 2; at != NULL && field < 22; field++)
        at = strchr(at + 1, ' ');
    if (at != NULL)
        ticks = strtoull(at, NULL, 10);
    text_release(&content);
    return ticks;
}

PlaceMark
place_mark_now(const char *version, bool kept)
{
    PlaceMark mark = {
        .owner_pid = getpid(),
        .owner_start_ticks = process_start_ticks(getpid()),
        .kept = kept,
    };

    snprintf(mark.version, sizeof(mark.version), "%s", version);
    clock_utc_stamp(clock_wall_ns(), mark.started_utc);
    return mark;
}

bool
place_owner_lives(const PlaceMark *mark)
{
    return mark->owner_pid > 0 && mark->owner_start_ticks > 0 &&
           process_start_ticks(mark->owner_pid) == mark->owner_start_ticks;
}

Status
place_mark_save(const Place *place, const PlaceMark *mark, Diag *diag)
{
    cJSON *object = cJSON_CreateObject();
    Text content = {0};
    char *text;
    Status status;

    cJSON_AddStringToObject(object, "format", MARK_FORMAT);
    cJSON_AddStringToObject(object, "version", mark->version);
    cJSON_AddNumberToObject(object, "owner_pid", (double)mark->owner_pid);
    cJSON_AddNumberToObject(object, "owner_start_ticks", (double)mark->owner_start_ticks);
    cJSON_AddBoolToObject(object, "kept", mark->kept);
    cJSON_AddStringToObject(object, "started_utc", mark->started_utc);
    text = cJSON_Print(object);
    if (text == NULL)
        BUG("out of memory");
    text_printf(&content, "%s\n", text);
    status = file_write_atomic(place->mark, content.data, content.length, diag);
    text_release(&content);
    cJSON_free(text);
    cJSON_Delete(object);
    return status;
}

static Status
mark_from_json(const JsonDoc *doc, PlaceMark *mark, Diag *diag)
{
    const char *format = "", *version = "", *started_utc = "";
    uint64_t owner_pid = 0;
    Status status = json_text(doc, doc->root, "format", &format, diag);

    if (status == STATUS_OK && strcmp(format, MARK_FORMAT) != 0)
        status = json_error(doc, doc->root, diag, "unknown format \"%s\"", format);
    if (status == STATUS_OK)
        status = json_text(doc, doc->root, "version", &version, diag);
    if (status == STATUS_OK)
        status = json_text(doc, doc->root, "started_utc", &started_utc, diag);
    if (status == STATUS_OK)
        status = json_u64(doc, doc->root, "owner_pid", 1, INT32_MAX, &owner_pid, diag);
    if (status == STATUS_OK)
        status = json_u64(doc, doc->root, "owner_start_ticks", 0, UINT64_C(1) << 53,
                          &mark->owner_start_ticks, diag);
    if (status == STATUS_OK)
        status = json_bool_or(doc, doc->root, "kept", &mark->kept, diag);
    mark->owner_pid = (pid_t)owner_pid;
    snprintf(mark->version, sizeof(mark->version), "%s", version);
    snprintf(mark->started_utc, sizeof(mark->started_utc), "%s", started_utc);
    return status;
}

static Status
mark_load(const Place *place, PlaceMark *mark, Diag *diag)
{
    PlaceMark found = {0};
    JsonDoc doc = {0};
    Text content = {0};
    Status status = file_read(place->mark, MARK_LIMIT_BYTES, &content, diag);

    if (status == STATUS_OK)
        status = json_parse(place->mark, text_data(&content), content.length, 2, &doc, diag);
    if (status == STATUS_OK)
        status = mark_from_json(&doc, &found, diag);
    if (status == STATUS_OK)
        *mark = found;
    json_release(&doc);
    text_release(&content);
    return status;
}

static bool
is_ours(const Account *account, const char *path, mode_t type)
{
    struct stat found;

    return lstat(path, &found) == 0 && (found.st_mode & S_IFMT) == type &&
           (found.st_uid == account->user.uid || found.st_uid == geteuid());
}

static bool
has_our_name(const char *folder)
{
    const char *slash = strrchr(folder, '/');
    Text prefix = {0};
    bool ours;

    place_prefix(&prefix);
    ours = slash != NULL && strncmp(slash + 1, prefix.data, prefix.length) == 0;
    text_release(&prefix);
    return ours;
}

/* Everything that keybench puts on a folder when it makes it. */
static bool
carries_our_signs(const char *folder, const Account *account, Place *place, PlaceMark *mark)
{
    Diag ignored = {0};

    if (strlen(folder) + sizeof(MARK_FILE) >= PLACE_PATH_SIZE || !has_our_name(folder))
        return false;
    fill_paths(place, folder);
    return is_ours(account, place->folder, S_IFDIR) && is_ours(account, place->mark, S_IFREG) &&
           mark_load(place, mark, &ignored) == STATUS_OK;
}

Status
place_open(const char *folder, const Account *account, Place *place, PlaceMark *mark, Diag *diag)
{
    char real[PATH_MAX];
    struct stat named;
    Place found = {0};

    if (lstat(folder, &named) != 0 || realpath(folder, real) == NULL)
        diag_set(diag, STATUS_USAGE, "cannot look into \"%s\": %s", folder, strerror(errno));
    else if (S_ISLNK(named.st_mode) || !carries_our_signs(real, account, &found, mark))
        diag_set(diag, STATUS_USAGE, "\"%s\" is not a cluster that keybench made as this user",
                 folder);
    else {
        *place = found;
        return STATUS_OK;
    }
    diag_hint(diag, "\"keybench cluster list\" shows the clusters that there are.");
    return diag->status;
}

Status
place_clear(const Place *place, Diag *diag)
{
    if (!postmaster_end(place->data))
        return diag_set(diag, STATUS_IO, "the server in \"%s\" cannot be stopped", place->folder);
    postmaster_remove_memory(place->data);
    if (!tree_remove(place->folder))
        return diag_set(diag, STATUS_IO, "cannot remove \"%s\": %s", place->folder,
                        strerror(errno));
    return STATUS_OK;
}

static const char *
last_lines(const char *text, size_t length, size_t line_count)
{
    const char *start = text + length;

    while (start > text && (start == text + length || start[-1] != '\n' || --line_count > 0))
        start--;
    return start;
}

void
place_log_tail(const Place *place, size_t line_count, Text *text)
{
    char block[LOG_TAIL_BYTES + 1];
    int fd = open(place->log, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    ssize_t got;

    if (fd < 0)
        return;
    if (lseek(fd, -LOG_TAIL_BYTES, SEEK_END) < 0) /* shorter than that: from its start */
        lseek(fd, 0, SEEK_SET);
    got = read(fd, block, LOG_TAIL_BYTES);
    close(fd);
    if (got <= 0)
        return;
    block[got] = '\0';
    text_add(text, last_lines(block, (size_t)got, line_count));
}
