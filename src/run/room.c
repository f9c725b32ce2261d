#include "run/room.h"

#include "base/units.h"
#include "server/host.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* A new data folder with its first WAL files. */
static const double CLUSTER_BYTES = 64 << 20;

Room
room_of_plan(const Plan *plan, uint64_t jobs, double max_wal_bytes)
{
    Room most = {0};

    for (size_t i = 0; i < plan->trial_count; i++) {
        Volume volume = volume_of_trial(&plan->trials[i]);
        double tables = volume.table_bytes + volume.stage_bytes;
        double all = volume_disk_bytes(&volume, max_wal_bytes);

        if (all > most.table_bytes + most.wal_bytes)
            most = (Room){.table_bytes = tables, .wal_bytes = all - tables};
    }
    if (jobs > plan->trial_count)
        jobs = plan->trial_count;
    most.table_bytes *= (double)jobs;
    most.wal_bytes *= (double)jobs;
    return most;
}

bool
room_suffices(const Room *room)
{
    return room->table_bytes + room->wal_bytes <= room->free_bytes;
}

void
room_print(const Room *room, char *text, size_t size)
{
    char need[UNITS_TEXT_SIZE], tables[UNITS_TEXT_SIZE], wal[UNITS_TEXT_SIZE];
    char free_text[UNITS_TEXT_SIZE];

    units_print_bytes(room->table_bytes + room->wal_bytes, 0, need, sizeof(need));
    units_print_bytes(room->table_bytes, 0, tables, sizeof(tables));
    units_print_bytes(room->wal_bytes, 0, wal, sizeof(wal));
    units_print_bytes(room->free_bytes, 0, free_text, sizeof(free_text));
    snprintf(text, size, "the run needs about %s (tables %s, WAL kept %s), and %s are free", need,
             tables, wal, free_text);
}

Status
room_require_throwaway(const Plan *plan, uint64_t jobs, Diag *diag)
{
    const char *folder = getenv("TMPDIR");
    char text[256];
    DiskFacts disk;
    Room room = room_of_plan(plan, jobs, INFINITY);

    if (folder == NULL || folder[0] == '\0')
        folder = "/tmp";
    host_disk_read(folder, &disk);
    if (disk.total_bytes == 0) /* the cluster says what is wrong with the folder */
        return STATUS_OK;
    room.table_bytes += CLUSTER_BYTES * (double)jobs;
    room.free_bytes = (double)disk.free_bytes;
    if (room_suffices(&room))
        return STATUS_OK;
    room_print(&room, text, sizeof(text));
    diag_set(diag, STATUS_SERVER, "the disk of \"%s\" is too small: %s", folder, text);
    diag_hint(diag, "Set TMPDIR to a folder with more room, or measure fewer rows.");
    return diag->status;
}
