/*
 * What a server and its role can do, and whether a claim can be shown there: what is missing is the
 * reason to skip it.
 */
#ifndef KB_LAB_NEEDS_H
#define KB_LAB_NEEDS_H

#include "base/text.h"
#include "db/conn.h"
#include "lab/chapter.h"

typedef struct LabServerFacts {
    int major;
    char version[64]; /* as the server says it: "18.4" */
    bool throwaway;   /* keybench started it */
    bool superuser, createdb;
} LabServerFacts;

/* STATUS_SERVER for a version that keybench does not support. */
Status lab_facts_read(DbConn *conn, bool throwaway, LabServerFacts *facts, Diag *diag) MUST_USE;

/*
 * Look for what a claim needs; an extension is installed first when the server is a throwaway one.
 *
 * reason   out: appended to when something is missing, else untouched
 */
Status needs_check(DbConn *conn, const LabServerFacts *facts, const Claim *claim, Text *reason,
                   Diag *diag) MUST_USE;

/* Install the extensions that a claim needs, in a database that keybench made. */
Status needs_install(DbConn *conn, const Claim *claim, Diag *diag) MUST_USE;

#endif
