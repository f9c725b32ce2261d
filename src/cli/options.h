/*
 * Options are data: a row each, beside their command. The one parser, the usage text and
 * scripts/check-docs read the same rows.
 */
#ifndef KB_CLI_OPTIONS_H
#define KB_CLI_OPTIONS_H

#include "base/diag.h"

#include <stdint.h>

typedef enum OptionKind {
    OPTION_END,
    OPTION_FLAG,        /* bool */
    OPTION_TEXT,        /* const char *, NULL when not given and without default */
    OPTION_COUNT,       /* uint64_t, decimal */
    OPTION_MAYBE_COUNT, /* MaybeCount: a count whose absence means something else */
    OPTION_TIME,        /* uint64_t nanoseconds, "30s" */
    OPTION_CHOICE,      /* int: the index in `choices` */
    OPTION_LIST,        /* TextList: may be given several times */
} OptionKind;

typedef struct MaybeCount {
    bool given;
    uint64_t value;
} MaybeCount;

typedef struct TextList {
    const char **items;
    size_t count;
} TextList;

typedef struct OptionSpec {
    OptionKind kind;
    const char *name;           /* long form without dashes */
    char letter;                /* short form, 0 for none */
    size_t offset;              /* of the field in the command's options struct */
    const char *argument;       /* "N", "FILE"; NULL for flags */
    const char *default_value;  /* as the user would type it; NULL: zero or NULL */
    uint64_t min, max;          /* OPTION_COUNT and OPTION_TIME, both included; max 0: no limit.
                                   OPTION_TEXT: least length in bytes */
    const char *const *choices; /* OPTION_CHOICE: NULL-terminated names */
    const char *help;           /* one line, lower case, no full stop */
} OptionSpec;

/*
 * Apply defaults, then read argv[1..]. Options may stand anywhere before "--"; what is left is
 * moved to the end, and *rest is its first index. *help is set when --help was given; then nothing
 * else is checked. Lists are the caller's to release. Returns   STATUS_USAGE naming the option,
 * with a hint
 */
Status options_parse(const OptionSpec *specs, const char *command, int argc, char **argv,
                     void *target, int *rest, bool *help, Diag *diag) MUST_USE;

/* Free the storage of list options. */
void options_release(const OptionSpec *specs, void *target);

/* "  -n, --count N   how many (default 1)" for each row. */
void options_print(const OptionSpec *specs, FILE *stream);

#endif
