#include "run/wal_kinds.h"

#include "base/mem.h"
#include "db/wal.h"

#include <stdlib.h>
#include <string.h>

void
wal_kinds_release(WalKinds *kinds)
{
    free(kinds->kinds);
    arena_free(kinds->names);
    *kinds = (WalKinds){0};
}

static WalKind *
find_kind(WalKinds *kinds, const char *manager, const char *type)
{
    for (size_t i = 0; i < kinds->count; i++)
        if (strcmp(kinds->kinds[i].resource_manager, manager) == 0 &&
            strcmp(kinds->kinds[i].record_type, type) == 0)
            return &kinds->kinds[i];
    if (kinds->names == NULL)
        kinds->names = arena_new();
    kinds->kinds = mem_resize(kinds->kinds, kinds->count + 1, sizeof(*kinds->kinds));
    kinds->kinds[kinds->count] = (WalKind){.resource_manager = arena_text(kinds->names, manager),
                                           .record_type = arena_text(kinds->names, type)};
    return &kinds->kinds[kinds->count++];
}

static void
add_figures(WalKind *kind, const WalKind *more)
{
    kind->record_count += more->record_count;
    kind->record_bytes += more->record_bytes;
    kind->fpi_bytes += more->fpi_bytes;
}

/* Add one row of pg_get_wal_stats; its kind reads "Btree/INSERT_LEAF". */
static Status
add_row(WalKinds *kinds, const DbRows *rows, size_t row, WalKind *sum, Diag *diag)
{
    char *manager = mem_text(db_cell(rows, row, "kind"));
    char *slash = strchr(manager, '/');
    WalKind read = {0};
    Status status = db_cell_double(rows, row, "record_count", &read.record_count, diag);

    if (slash != NULL)
        *slash = '\0';
    if (status == STATUS_OK)
        status = db_cell_double(rows, row, "record_bytes", &read.record_bytes, diag);
    if (status == STATUS_OK)
        status = db_cell_double(rows, row, "fpi_bytes", &read.fpi_bytes, diag);
    if (status == STATUS_OK) {
        add_figures(find_kind(kinds, manager, slash != NULL ? slash + 1 : ""), &read);
        add_figures(sum, &read);
    }
    free(manager);
    return status;
}

Status
wal_kinds_add(WalKinds *kinds, DbConn *conn, const char *extension_schema, uint64_t start_lsn,
              uint64_t end_lsn, WalKind *sum, Diag *diag)
{
    DbRows *rows = NULL;
    Status status = wal_kinds_read(conn, extension_schema, start_lsn, end_lsn, &rows, diag);

    *sum = (WalKind){0};
    for (size_t row = 0; status == STATUS_OK && row < db_rows_count(rows); row++)
        status = add_row(kinds, rows, row, sum, diag);
    db_rows_free(rows);
    return status;
}

static int
by_bytes_descending(const void *a, const void *b)
{
    const WalKind *left = a, *right = b;
    double difference =
        (right->record_bytes + right->fpi_bytes) - (left->record_bytes + left->fpi_bytes);

    return difference > 0 ? 1 : difference < 0 ? -1 : strcmp(left->record_type, right->record_type);
}

void
wal_kinds_sort(WalKinds *kinds)
{
    if (kinds->count > 0)
        qsort(kinds->kinds, kinds->count, sizeof(*kinds->kinds), by_bytes_descending);
}
