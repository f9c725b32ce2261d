/*
 * The WAL of a phase by kind of record, added up batch by batch from pg_walinspect.
 */
#ifndef KB_RUN_WAL_KINDS_H
#define KB_RUN_WAL_KINDS_H

#include "db/conn.h"
#include "results/result.h"

/* Zero-initialize; release with wal_kinds_release, after which it is empty again. */
typedef struct WalKinds {
    WalKind *kinds;
    size_t count;
    Arena *names;
} WalKinds;

void wal_kinds_release(WalKinds *kinds);

/*
 * Add all records between two log positions.
 *
 * extension_schema  where pg_walinspect is installed
 * sum               out: of these records alone, of all kinds together
 */
Status wal_kinds_add(WalKinds *kinds, DbConn *conn, const char *extension_schema,
                     uint64_t start_lsn, uint64_t end_lsn, WalKind *sum, Diag *diag) MUST_USE;

/* The largest first, by bytes with images. */
void wal_kinds_sort(WalKinds *kinds);

#endif
