/*
 * The folder of one throwaway server: its data, its socket, its log, and a small file that marks it
 * as keybench's own. Nothing is stopped or removed that lacks the mark or has another owner.
 */
#ifndef KB_SERVER_PLACE_H
#define KB_SERVER_PLACE_H

#include "base/diag.h"
#include "base/text.h"
#include "server/account.h"

#include <stdint.h>
#include <sys/types.h>

#define PLACE_PORT "5432"

enum { PLACE_PATH_SIZE = 4096 };

typedef struct Place {
    char folder[PLACE_PATH_SIZE]; /* absolute, without links; holds the socket */
    char data[PLACE_PATH_SIZE];   /* the server's data folder */
    char log[PLACE_PATH_SIZE];    /* the server's standard error */
    char mark[PLACE_PATH_SIZE];
} Place;

/* What the mark says. */
typedef struct PlaceMark {
    char version[64];           /* of the server */
    pid_t owner_pid;            /* keybench itself */
    uint64_t owner_start_ticks; /* when that process started: pids are used again */
    bool kept;
    char started_utc[32];
} PlaceMark;

/*
 * Make the folder keybench-UID-XXXXXX, mode 0700, owned by `account`.
 *
 * parent    NULL: $TMPDIR, or /tmp when that is unset or cannot be used
 * Returns   STATUS_USAGE when `parent` cannot hold a server's socket (107 bytes), or `account`
 * cannot enter it; STATUS_IO
 */
Status place_make(const char *parent, const Account *account, Place *place, Diag *diag) MUST_USE;

/* Look at a folder that is said to be ours. STATUS_USAGE when keybench did not make it. */
Status place_open(const char *folder, const Account *account, Place *place, PlaceMark *mark,
                  Diag *diag) MUST_USE;

Status place_mark_save(const Place *place, const PlaceMark *mark, Diag *diag) MUST_USE;

/* The mark of this process and this moment. */
PlaceMark place_mark_now(const char *version, bool kept);

/* Whether the process that made the folder is still there. */
bool place_owner_lives(const PlaceMark *mark);

/* Append what the names of our folders begin with: "keybench-1000-". */
void place_prefix(Text *text);

/* End what runs in the folder and remove it; one that is not there any more is fine. STATUS_IO. */
Status place_clear(const Place *place, Diag *diag) MUST_USE;

/* Append the last lines of the server's log; nothing when there is none. */
void place_log_tail(const Place *place, size_t line_count, Text *text);

#endif
