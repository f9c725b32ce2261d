/*
 * What else happens on the server: vacuums of our table, sessions at work, and whether settings
 * that a count depends on are still what they were.
 */
#ifndef KB_DB_ACTIVITY_H
#define KB_DB_ACTIVITY_H

#include "db/conn.h"

/* One moment of the server's other work. */
typedef struct ActivityPoint {
    uint64_t vacuum_count;         /* of our table: by hand, by autovacuum, and those under way */
    uint64_t active_session_count; /* other clients in a statement, as far as this role may see */
    uint64_t holder_count;         /* replication slots and WAL senders */
    char settings_hash[33];        /* of the settings that settings_read records */
} ActivityPoint;

/* `table` is schema-qualified and quoted. */
Status activity_point_read(DbConn *conn, const char *table, ActivityPoint *point,
                           Diag *diag) MUST_USE;

/* The same, once the server tells of so many vacuums, or does not after two seconds. Before 15
 * statistics went to a process of their own, and reached readers up to half a second late. */
Status activity_await_vacuums(DbConn *conn, const char *table, uint64_t vacuum_count,
                              ActivityPoint *point, Diag *diag) MUST_USE;

#endif
