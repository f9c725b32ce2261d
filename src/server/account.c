#include "server/account.h"

#include <pwd.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { PASSWD_BUFFER_BYTES = 16384 };

static bool
find_unprivileged(const char *name, Account *account)
{
    char buffer[PASSWD_BUFFER_BYTES];
    struct passwd entry;
    struct passwd *found = NULL;

    if (getpwnam_r(name, &entry, buffer, sizeof(buffer), &found) != 0 || found == NULL ||
        found->pw_uid == 0)
        return false;
    snprintf(account->name, sizeof(account->name), "%s", name);
    account->user = (ProcUser){.uid = found->pw_uid, .gid = found->pw_gid, .change = true};
    return true;
}

static void
use_own(Account *account)
{
    char buffer[PASSWD_BUFFER_BYTES];
    struct passwd entry;
    struct passwd *found = NULL;

    account->user = (ProcUser){.uid = geteuid(), .gid = getegid(), .change = false};
    if (getpwuid_r(geteuid(), &entry, buffer, sizeof(buffer), &found) == 0 && found != NULL)
        snprintf(account->name, sizeof(account->name), "%s", found->pw_name);
    else
        snprintf(account->name, sizeof(account->name), "%u", (unsigned)geteuid());
}

Status
account_find(Account *account, Diag *diag)
{
    if (geteuid() != 0) {
        use_own(account);
        return STATUS_OK;
    }
    if (find_unprivileged("postgres", account) || find_unprivileged("nobody", account))
        return STATUS_OK;
    diag_set(diag, STATUS_SERVER, "no unprivileged user to run a server as");
    diag_hint(diag,
              "PostgreSQL refuses to run as root: add a user \"postgres\", or run keybench as "
              "another user.");
    return diag->status;
}
