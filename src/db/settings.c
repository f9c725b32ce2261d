#include "db/settings.h"

Status
settings_read(DbConn *conn, DbRows **rows, Diag *diag)
{
    /* current_setting() with missing_ok: a name that a version lacks is null and left out. */
    static const char SQL[] =
        "SELECT coalesce(short, name) AS name, value FROM (SELECT name, position, "
        "current_setting(name, true) AS value FROM"
        " unnest(ARRAY['server_version', 'server_version_num', 'block_size', 'wal_block_size',"
        " 'data_checksums', 'full_page_writes', 'wal_compression', 'wal_level', 'wal_log_hints',"
        " 'wal_buffers', 'wal_segment_size', 'shared_buffers', 'max_wal_size', 'min_wal_size',"
        " 'checkpoint_timeout', 'checkpoint_completion_target', 'fsync', 'synchronous_commit',"
        " 'autovacuum', 'bgwriter_lru_maxpages', 'server_encoding', 'default_table_access_method'])"
        " WITH ORDINALITY AS names (name, position)) AS settings LEFT JOIN (VALUES"
        " ('server_version', 'version'), ('server_version_num', 'version_number'))"
        " AS shorts (long, short) ON long = name"
        " WHERE value IS NOT NULL ORDER BY position";

    return db_query(conn, SQL, DB_NO_PARAMS, DB_ANY_ROWS, rows, diag);
}
