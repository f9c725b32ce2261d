#include "cli/command.h"

#include "base/mem.h"
#include "base/text.h"
#include "base/words.h"

#include <stdlib.h>
#include <string.h>

enum { SUMMARY_COLUMN = 12 };

static const OptionSpec NO_OPTIONS[] = {{.kind = OPTION_END}};

static void
print_help(const Command *command, const char *path)
{
    printf("%s: %s\n\n", path, command->summary);
    if (command->subcommands != NULL) {
        printf("Usage: %s COMMAND [OPTION]... [ARGUMENT]...\n\nCommands:\n", path);
        for (const Command *const *row = command->subcommands; *row != NULL; row++)
            printf("  %-*s%s\n", SUMMARY_COLUMN, (*row)->name, (*row)->summary);
        printf("\nRun \"%s COMMAND --help\" for one command's options and examples.\n", path);
    } else {
        printf("Usage: %s [OPTION]...%s%s\n\nOptions:\n", path,
               command->arguments != NULL ? " " : "",
               command->arguments != NULL ? command->arguments : "");
        options_print(command->options, stdout);
        printf("%-30s%s\n", "  -?, --help", "show this text");
    }
    if (command->details != NULL)
        printf("\n%s", command->details);
}

static Status
unknown_command(const Command *command, const char *path, const char *word, Diag *diag)
{
    const char *words[64];
    const char *near;
    size_t count = 0;

    for (; count < ARRAY_LEN(words) && command->subcommands[count] != NULL; count++)
        words[count] = command->subcommands[count]->name;
    near = word_nearest(word, words, count);
    if (word[0] == '-')
        diag_set(diag, STATUS_USAGE, "unknown option \"%s\" before a command", word);
    else
        diag_set(diag, STATUS_USAGE, "unknown command \"%s %s\"", path, word);
    if (near != NULL)
        diag_hint(diag, "Did you mean \"%s\"? Run \"%s --help\" for all commands.", near, path);
    else
        diag_hint(diag, "Run \"%s --help\" for all commands.", path);
    return diag->status;
}

static Status
check_argument_count(const Command *command, const char *path, int count, const char *extra,
                     Diag *diag)
{
    if (count < command->arguments_min)
        diag_set(diag, STATUS_USAGE, "\"%s\" needs %s", path, command->arguments);
    else if (command->arguments_max >= 0 && count > command->arguments_max)
        diag_set(diag, STATUS_USAGE, "\"%s\" takes no argument \"%s\"", path, extra);
    else
        return STATUS_OK;
    diag_hint(diag, "Run \"%s --help\" for its usage.", path);
    return diag->status;
}

static Status
run_plain(const Command *command, const char *path, int argc, char **argv, Diag *diag)
{
    void *options = mem_new(1, command->options_size > 0 ? command->options_size : 1);
    bool help = false;
    int rest = 1;
    Status status = options_parse(command->options, path, argc, argv, options, &rest, &help, diag);

    if (status == STATUS_OK && help)
        print_help(command, path);
    else if (status == STATUS_OK) {
        status = check_argument_count(command, path, argc - rest, argc > rest ? argv[argc - 1] : "",
                                      diag);
        if (status == STATUS_OK)
            status = command->run(options, argc - rest, argv + rest, diag);
    }
    options_release(command->options, options);
    free(options);
    return status;
}

static const Command *
find_subcommand(const Command *command, const char *name)
{
    for (const Command *const *row = command->subcommands; *row != NULL; row++)
        if (strcmp((*row)->name, name) == 0)
            return *row;
    return NULL;
}

static bool
is_help(const char *word)
{
    return strcmp(word, "--help") == 0 || strcmp(word, "-?") == 0 || strcmp(word, "help") == 0;
}

static Status
dispatch(const Command *command, Text *path, int argc, char **argv, Diag *diag)
{
    const Command *next;

    if (command->subcommands == NULL) {
        Command plain = *command;

        if (plain.options == NULL)
            plain.options = NO_OPTIONS;
        return run_plain(&plain, path->data, argc, argv, diag);
    }
    if (argc < 2) {
        diag_set(diag, STATUS_USAGE, "\"%s\" needs a command", path->data);
        diag_hint(diag, "Run \"%s --help\" for all commands.", path->data);
        return diag->status;
    }
    if (is_help(argv[1]) && (argc == 2 || strcmp(argv[1], "help") != 0)) {
        print_help(command, path->data);
        return STATUS_OK;
    }
    if (strcmp(argv[1], "help") == 0) { /* "help cluster start" reads as "cluster start --help" */
        static char help_flag[] = "--help";

        memmove(argv + 1, argv + 2, (size_t)(argc - 2) * sizeof(*argv));
        argv[argc - 1] = help_flag;
        return dispatch(command, path, argc, argv, diag);
    }
    next = find_subcommand(command, argv[1]);
    if (next == NULL)
        return unknown_command(command, path->data, argv[1], diag);
    text_printf(path, " %s", next->name);
    return dispatch(next, path, argc - 1, argv + 1, diag);
}

Status
command_dispatch(const Command *root, int argc, char **argv, Diag *diag)
{
    Text path = {0};
    Status status;

    if (argc < 1)
        BUG("started without a name");
    text_add(&path, root->name);
    status = dispatch(root, &path, argc, argv, diag);
    text_release(&path);
    return status;
}
