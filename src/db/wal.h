/*
 * The write-ahead log between two points: positions, the checkpoint that full-page images count
 * from, and what kinds of record it holds. Log positions are another unit than WAL bytes of a
 * statement: they include alignment, page headers and the commit record, and are never mixed with
 * them.
 */
#ifndef KB_DB_WAL_H
#define KB_DB_WAL_H

#include "db/conn.h"

/* What a server of its version cannot tell. */
#define WAL_UNKNOWN UINT64_MAX

/* WAL that was generated since some start, in the unit of EXPLAIN's WAL figures. */
typedef struct WalCount {
    uint64_t bytes, record_count, fpi_count; /* all WAL_UNKNOWN where the server cannot tell */
} WalCount;

/* One moment of the log. */
typedef struct WalPoint {
    uint64_t insert_lsn; /* pg_current_wal_insert_lsn(), as a byte position */
    uint64_t flush_lsn;  /* pg_current_wal_flush_lsn() */
    uint64_t redo_lsn;   /* where the last checkpoint's redo starts: pg_control_checkpoint() */
    WalCount own;        /* of this session: pg_stat_get_backend_wal(), from 18 */
    WalCount
        server; /* of all processes: pg_stat_wal, from 15 (before, it cannot be made current) */
} WalPoint;

/* Reads the log's position and counters, this session's own flushed first. */
Status wal_point_read(DbConn *conn, WalPoint *point, Diag *diag) MUST_USE;

/* Bring what this session wrote into the server's counters now; by itself a session does so up to
 * ten seconds late, and its WAL would look like that of a later batch. From 15. */
Status wal_publish_own(DbConn *conn, Diag *diag) MUST_USE;

/*
 * Wait until the log is flushed up to the point, as pg_walinspect needs it, and set its flush_lsn.
 * A transaction that changed no row, a VACUUM's or a SELECT's, leaves that to the WAL writer, which
 * flushes whole pages alone unless a commit asks for more: so one of no row follows it here. After
 * two seconds the point stays as far as it came.
 */
Status wal_await_flush(DbConn *conn, WalPoint *point, Diag *diag) MUST_USE;

/* The difference of two counts; unknown when one of them is. */
WalCount wal_count_between(WalCount before, WalCount after);

/*
 * CHECKPOINT, and how many pages it found dirty: what the statements before it left, less what went
 * out meanwhile.
 *
 * written_pages  out: WAL_UNKNOWN when the server's statistics do not say within two seconds; NULL:
 * not wanted Returns        STATUS_SERVER with the GRANT as hint when the role may not Source
 * pg_stat_checkpointer from 17, pg_stat_bgwriter before
 */
Status wal_checkpoint(DbConn *conn, uint64_t *written_pages, Diag *diag) MUST_USE;

/*
 * Records between two positions by resource manager and type: pg_get_wal_stats(start, end, true) of
 * pg_walinspect, from 15. The rows have the columns kind ("Btree/INSERT_LEAF"), record_count,
 * record_bytes (without images), fpi_bytes.
 *
 * extension_schema  where pg_walinspect is installed
 */
Status wal_kinds_read(DbConn *conn, const char *extension_schema, uint64_t start_lsn,
                      uint64_t end_lsn, DbRows **rows, Diag *diag) MUST_USE;

/*
 * How many full-page images lie between two positions: pg_get_wal_block_info of pg_walinspect from
 * 16, pg_get_wal_records_info on 15.
 */
Status wal_images_read(DbConn *conn, const char *extension_schema, uint64_t start_lsn,
                       uint64_t end_lsn, double *image_count, Diag *diag) MUST_USE;

#endif
