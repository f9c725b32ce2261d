/*
 * Whom a throwaway server runs as: PostgreSQL refuses root, so root's servers run as an
 * unprivileged user.
 */
#ifndef KB_SERVER_ACCOUNT_H
#define KB_SERVER_ACCOUNT_H

#include "base/proc.h"

typedef struct Account {
    char name[64]; /* for messages */
    ProcUser user;
} Account;

/* This user; for root "postgres" where there is one, else "nobody". STATUS_SERVER when there is
 * neither. */
Status account_find(Account *account, Diag *diag) MUST_USE;

#endif
