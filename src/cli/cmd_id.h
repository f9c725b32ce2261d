/*
 * The subcommands of "keybench id", one file each, and what they share.
 */
#ifndef KB_CLI_CMD_ID_H
#define KB_CLI_CMD_ID_H

#include "cli/command.h"

#include <cjson/cJSON.h>

extern const Command CMD_ID_NEW, CMD_ID_SHOW, CMD_ID_ESTIMATE, CMD_ID_BUDGET;

/* Print a JSON value on a line of its own, and free it. */
void id_print_json(cJSON *value);

/* Add a whole number with all its digits. */
void id_json_number(cJSON *object, const char *key, uint64_t number);

/*
 * Call `take` for each argument, and for "-" (or no argument at all) for each line of standard
 * input that is not empty, until one fails. An error in a line names the line.
 */
Status id_each_text(int argc, char **argv, Status (*take)(void *context, char *text, Diag *diag),
                    void *context, Diag *diag) MUST_USE;

#endif
