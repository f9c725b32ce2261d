#include "base/mem.h"
#include "server/cluster.h"
#include "server/place.h"
#include "server/postmaster.h"

#include <dirent.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

typedef struct EntryList {
    ClusterEntry *entries;
    size_t count;
} EntryList;

static void
add_entry(EntryList *list, const Place *place, const PlaceMark *mark)
{
    ClusterEntry *entry;

    list->entries = mem_resize(list->entries, list->count + 1, sizeof(*list->entries));
    entry = &list->entries[list->count++];
    *entry = (ClusterEntry){
        .server_pid = postmaster_running(place->data),
        .owner_pid = place_owner_lives(mark) ? mark->owner_pid : 0,
        .kept = mark->kept,
    };
    entry->running = entry->server_pid > 0;
    snprintf(entry->folder, sizeof(entry->folder), "%s", place->folder);
    snprintf(entry->version, sizeof(entry->version), "%s", mark->version);
    snprintf(entry->started_utc, sizeof(entry->started_utc), "%s", mark->started_utc);
}

static void
consider(EntryList *list, const Account *account, const char *parent, const char *name)
{
    Text folder = {0};
    Diag ignored = {0};
    PlaceMark mark;
    Place place;

    text_printf(&folder, "%s/%s", parent, name);
    if (place_open(folder.data, account, &place, &mark, &ignored) == STATUS_OK)
        add_entry(list, &place, &mark);
    text_release(&folder);
}

static void
search_folder(EntryList *list, const Account *account, const char *parent)
{
    DIR *folder = opendir(parent);
    Text prefix = {0};
    const struct dirent *entry;

    place_prefix(&prefix);
    while (folder != NULL && (entry = readdir(folder)) != NULL)
        if (strncmp(entry->d_name, prefix.data, prefix.length) == 0)
            consider(list, account, parent, entry->d_name);
    text_release(&prefix);
    if (folder != NULL)
        closedir(folder);
}

static int
compare_entries(const void *left, const void *right)
{
    return strcmp(((const ClusterEntry *)left)->folder, ((const ClusterEntry *)right)->folder);
}

Status
cluster_list(ClusterEntry **entries, size_t *count, Diag *diag)
{
    const char *variable = getenv("TMPDIR");
    char *temporary = variable != NULL ? realpath(variable, NULL) : NULL;
    char *standard = realpath("/tmp", NULL);
    EntryList list = {mem_new(1, sizeof(ClusterEntry)), 0};
    Account account;
    Status status = account_find(&account, diag);

    if (status == STATUS_OK && standard != NULL)
        search_folder(&list, &account, standard);
    if (status == STATUS_OK && temporary != NULL &&
        (standard == NULL || strcmp(temporary, standard) != 0))
        search_folder(&list, &account, temporary);
    free(temporary);
    free(standard);
    if (status == STATUS_OK) {
        qsort(list.entries, list.count, sizeof(*list.entries), compare_entries);
        *entries = list.entries;
        *count = list.count;
    } else {
        free(list.entries);
    }
    return status;
}

Status
cluster_remove(const char *folder, Diag *diag)
{
    Account account;
    PlaceMark mark;
    Place place;
    Status status = account_find(&account, diag);

    if (status == STATUS_OK)
        status = place_open(folder, &account, &place, &mark, diag);
    if (status == STATUS_OK)
        status = place_clear(&place, diag);
    return status;
}
