/*
 * The program's commands, one row each; src/cli/cmd_<name>.c holds each one's options and its run
 * function.
 */
#ifndef KB_CLI_COMMANDS_H
#define KB_CLI_COMMANDS_H

#include "cli/command.h"

extern const Command KEYBENCH; /* the root: its subcommands are the commands */

/* Rows of that table, each defined beside its run function. */
extern const Command CMD_RUN, CMD_LAB, CMD_REPORT, CMD_COMPARE, CMD_MERGE, CMD_CHECK, CMD_ID,
    CMD_CLUSTER, CMD_DOCTOR, CMD_ADVISE, CMD_CLEAN, CMD_LIST;

#endif
