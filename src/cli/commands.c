#include "cli/commands.h"

static const char DETAILS[] = "Start with:\n"
                              "  keybench run table-13-1-quick\n";

static const Command *const COMMANDS[] = {
    &CMD_RUN,    &CMD_LAB,     &CMD_REPORT, &CMD_COMPARE, &CMD_MERGE, &CMD_CHECK, &CMD_ID,
    &CMD_ADVISE, &CMD_CLUSTER, &CMD_DOCTOR, &CMD_CLEAN,   &CMD_LIST,  NULL,
};

const Command KEYBENCH = {.name = "keybench",
                          .summary = "what does this primary key cost on PostgreSQL?",
                          .details = DETAILS,
                          .subcommands = COMMANDS};
