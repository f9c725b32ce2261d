/*
 * Commands are a tree of rows; dispatch finds the row, reads its options, answers --help and calls
 * it.
 */
#ifndef KB_CLI_COMMAND_H
#define KB_CLI_COMMAND_H

#include "base/diag.h"
#include "cli/options.h"

typedef struct Command Command;

struct Command {
    const char *name;
    const char *summary;   /* one line, lower case, no full stop */
    const char *arguments; /* "SCENARIO..."; NULL for none */
    const char *details; /* help text after the options: a paragraph and examples; NULL for none */
    const OptionSpec *options;        /* NULL with subcommands */
    size_t options_size;              /* sizeof of the options struct */
    int arguments_min, arguments_max; /* how many positional arguments; max -1: no limit */
    Status (*run)(const void *options, int argc, char **argv,
                  Diag *diag);         /* argv: the positional arguments */
    const Command *const *subcommands; /* ended by NULL; NULL for a plain command */
};

/* Run what argv asks for, starting at `root`, whose subcommands are the program's commands. */
Status command_dispatch(const Command *root, int argc, char **argv, Diag *diag) MUST_USE;

#endif
