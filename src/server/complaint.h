/*
 * What a server's programs said before they failed, as an error's detail.
 */
#ifndef KB_SERVER_COMPLAINT_H
#define KB_SERVER_COMPLAINT_H

#include "base/diag.h"
#include "base/text.h"

/* Make `output` the detail: on one line, and its end when it is too long, since that is where the
 * reason stands. `output` is folded by this. */
void complaint_set(Text *output, Diag *diag);

/*
 * Which setting a server would not start with because its build lacks the value, one of a list.
 * Returns false when its log says nothing of the kind: an unknown setting or a senseless value is
 * the scenario's fault. Else `what` is "wal_compression \"lz4\"", cut at its size, and the detail
 * what the server takes.
 */
bool complaint_find_setting(const char *log, char *what, size_t size, Diag *diag);

/* Add as a hint that the disk is full when it nearly is: programs say it in many ways. */
void complaint_check_disk(const char *folder, Diag *diag);

#endif
