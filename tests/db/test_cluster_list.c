#include "support/owner.h"

#include <stdlib.h>

static ServerPrograms programs;

static int
leave_it(Cluster *cluster)
{
    cluster_leave(cluster);
    return 0;
}

/* This folder's line in the list of clusters, which may also hold those of other runs. */
static ClusterEntry
list_entry(const char *folder)
{
    ClusterEntry *entries = NULL;
    ClusterEntry found = {0};
    size_t count = 0;
    Diag diag = {0};

    tap_u64(cluster_list(&entries, &count, &diag), STATUS_OK, "the list of clusters");
    for (size_t i = 0; i < count; i++)
        if (strcmp(entries[i].folder, folder) == 0)
            found = entries[i];
    free(entries);
    return found;
}

/* As after a loss of power: nobody is there to clean up. */
static void
test_left_cluster(void)
{
    OwnerPlan plan = {.bindir = programs.bindir, .finish = wait_for_signal};
    Owner owner = start_owner(&plan);
    Report report = read_report(&owner);
    PostmasterFile file = load_postmaster_file(report.folder);
    ClusterEntry entry = list_entry(report.folder);
    Diag diag = {0};

    tap_ok(entry.running && !entry.kept, "... has one that runs");
    tap_ok(entry.server_pid == report.server && entry.owner_pid == owner.pid, "... its processes");
    kill(report.server, SIGSTOP); /* it cannot obey the signal that the end of its guard sends */
    kill(report.guard, SIGKILL);
    kill(owner.pid, SIGKILL);
    waitpid(owner.pid, NULL, 0);
    kill(report.server, SIGKILL);
    tap_ok(wait_until(is_process_gone, &report.server), "all three are killed");
    entry = list_entry(report.folder);
    tap_text(entry.folder, report.folder, "... shows what is left");
    tap_text(entry.version, programs.version, "... of which version");
    tap_ok(!entry.running && entry.owner_pid == 0 && entry.server_pid == 0,
           "... without a process");
    tap_u64(cluster_remove(report.folder, &diag), STATUS_OK, "... and it can be removed");
    tap_ok(is_segment_gone(file.shm_id), "... its shared memory, too");
    tap_nothing_left("... without a trace");
}

static void
test_kept_cluster(void)
{
    OwnerPlan plan = {.bindir = programs.bindir, .finish = leave_it, .keep = true};
    Owner owner = start_owner(&plan);
    Report report = read_report(&owner);
    ClusterEntry entry;
    Diag diag = {0};
    int wait_status = 1;

    waitpid(owner.pid, &wait_status, 0);
    tap_ok(wait_status == 0, "a server that is kept");
    tap_ok(wait_until(is_process_gone, &report.guard), "... has no guard any more");
    entry = list_entry(report.folder);
    tap_ok(entry.running && entry.kept && entry.owner_pid == 0, "... as running and kept");
    tap_u64(cluster_remove(report.folder, &diag), STATUS_OK, "... until it is removed");
    tap_ok(wait_until(is_process_gone, &report.server), "... and its process gone");
    tap_nothing_left("... without a trace");
}

static void
test_kept_and_killed(void)
{
    OwnerPlan plan = {.bindir = programs.bindir, .finish = wait_for_signal, .keep = true};
    Owner owner = start_owner(&plan);
    Report report = read_report(&owner);
    Diag diag = {0};

    kill(owner.pid, SIGKILL);
    waitpid(owner.pid, NULL, 0);
    tap_ok(wait_until(is_process_gone, &report.guard) && server_pid(report.folder) > 0,
           "a kept server outlives kill -9 of its owner");
    tap_u64(cluster_remove(report.folder, &diag), STATUS_OK, "... and can be removed");
    tap_nothing_left("... without a trace");
}

/* Each spoils a cluster folder that would otherwise be ours. */
static void
make_file(const char *path)
{
    Diag diag = {0};

    if (file_write_atomic(path, "{}", 2, &diag) != STATUS_OK)
        BUG("%s", diag.message);
}

static void
tap_refused(const char *folder, const char *label)
{
    Diag diag = {0};

    tap_u64(cluster_remove(folder, &diag), STATUS_USAGE, label);
}

static void
test_foreign_folders(void)
{
    Text ours = {0}, mark = {0};

    text_printf(&ours, "%s/keybench-%u-abcdef", getenv("TMPDIR"), (unsigned)geteuid());
    text_printf(&mark, "%s/cluster.json", ours.data);
    mkdir(ours.data, 0700);
    tap_refused("/no/such/folder", "a folder that is not there");
    tap_refused("/", "the root folder");
    tap_refused("", "no name");
    tap_refused(getenv("TMPDIR"), "somebody's folder");
    tap_refused(ours.data, "our name without the mark");
    make_file(mark.data);
    tap_refused(ours.data, "a mark that says nothing");
    tap_text(list_entry(ours.data).folder, "", "... does not have it");
    tap_ok(file_exists(mark.data), "nothing was removed");
    unlink(mark.data);
    rmdir(ours.data);
    text_release(&ours);
    text_release(&mark);
}

/* A real cluster under a wrong name or owner, or seen through a link, is left alone. */
static void
test_disguises(void)
{
    ClusterOptions options = {.bindir = programs.bindir, .data_checksums = -1};
    Cluster *cluster = NULL;
    Diag diag = {0};
    Text folder = {0}, link = {0}, renamed = {0};

    tap_u64(cluster_start(&options, &cluster, &diag), STATUS_OK, "a real cluster");
    text_add(&folder, cluster_folder(cluster));
    text_printf(&link, "%s-link", folder.data);
    text_printf(&renamed, "%s/keybench-x", getenv("TMPDIR"));
    tap_ok(symlink(folder.data, link.data) == 0, "and a link to it");
    tap_refused(link.data, "... which is not followed");
    unlink(link.data);
    tap_ok(rename(folder.data, renamed.data) == 0, "under another name");
    tap_refused(renamed.data, "... it is not ours");
    tap_ok(rename(renamed.data, folder.data) == 0, "under its own name");
    if (geteuid() == 0) {
        struct stat before = {0};

        stat(folder.data, &before);
        tap_ok(chown(folder.data, 54321, 54321) == 0, "with another owner");
        tap_refused(folder.data, "... it is not ours");
        tap_ok(chown(folder.data, before.st_uid, before.st_gid) == 0, "with its own");
    }
    tap_ok(server_pid(folder.data) > 0, "and all the while it runs");
    tap_u64(cluster_remove(folder.data, &diag), STATUS_OK, "it is removed while in use");
    cluster_stop(cluster);
    tap_nothing_left("and its owner can still stop it");
    text_release(&folder);
    text_release(&link);
    text_release(&renamed);
}

int
main(void)
{
    Diag diag = {0};

    if (server_find(NULL, SERVER_MAJOR_MIN, &programs, &diag) != STATUS_OK) {
        diag_print(&diag, stdout);
        return 1;
    }
    support_begin();
    test_left_cluster();
    test_kept_cluster();
    test_kept_and_killed();
    test_foreign_folders();
    test_disguises();
    support_end();
    return tap_done();
}
