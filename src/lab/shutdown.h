/*
 * The end of a server that keybench started, by an immediate shutdown.
 */
#ifndef KB_LAB_SHUTDOWN_H
#define KB_LAB_SHUTDOWN_H

#include "base/diag.h"

/* Shut down the server that runs on a data folder, and wait until it has given the folder up.
 * STATUS_SERVER when it does not run, or does not end in time. */
Status shutdown_immediate(const char *data_folder, Diag *diag) MUST_USE;

#endif
