/*
 * The data folder of a throwaway server: a copy of a template that initdb made once and the cache
 * folder keeps, or initdb's own work where the cache cannot be used.
 */
#ifndef KB_SERVER_DATADIR_H
#define KB_SERVER_DATADIR_H

#include "base/mem.h"
#include "server/account.h"
#include "server/find.h"

/*
 * Make a data folder with superuser "postgres", trusted connections, UTF-8 and the C locale.
 *
 * data_checksums  -1: initdb's default, 0 off, 1 on
 * folder          does not exist yet; its parent belongs to `account`
 * Returns         STATUS_SERVER with initdb's own words; STATUS_IO; STATUS_INTERRUPTED. What was
 * made until then may be left in `folder`
 */
Status datadir_make(const ServerPrograms *programs, const Account *account, int data_checksums,
                    const char *folder, Diag *diag) MUST_USE;

/* The environment of the server's programs: the user's, less what could change what they do. Lives
 * in `arena`. */
const char *const *server_environment(Arena *arena);

#endif
