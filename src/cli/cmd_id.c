#include "cli/cmd_id.h"

#include "base/interrupt.h"
#include "cli/commands.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void
id_print_json(cJSON *value)
{
    char *text = cJSON_Print(value);

    cJSON_Delete(value);
    if (text != NULL)
        puts(text);
    else
        BUG("out of memory for JSON");
    free(text);
}

void
id_json_number(cJSON *object, const char *key, uint64_t number)
{
    char digits[24];

    snprintf(digits, sizeof(digits), "%" PRIu64, number);
    cJSON_AddRawToObject(object, key, digits);
}

/* Cut the line's end; returns whether anything is left. */
static bool
trim_line(char *line, size_t length)
{
    while (length > 0 && strchr("\r\n", line[length - 1]) != NULL)
        line[--length] = '\0';
    return length > 0;
}

static Status
each_line(Status (*take)(void *context, char *text, Diag *diag), void *context, Diag *diag)
{
    Status status = STATUS_OK;
    char *line = NULL;
    size_t room = 0, number = 0;
    ssize_t length;

    while (status == STATUS_OK && !ferror(stdout) && !interrupt_requested() &&
           (length = getline(&line, &room, stdin)) > 0) {
        number++;
        if (strlen(line) != (size_t)length)
            status = diag_set(diag, STATUS_USAGE, "a zero byte is no part of an id");
        else if (trim_line(line, (size_t)length))
            status = take(context, line, diag);
        if (status == STATUS_USAGE)
            diag_context(diag, "line %zu", number);
    }
    if (status == STATUS_OK && interrupt_requested())
        status = interrupt_status(diag);
    if (status == STATUS_OK && ferror(stdin))
        status = diag_set(diag, STATUS_IO, "cannot read standard input: %s", strerror(errno));
    free(line);
    return status;
}

Status
id_each_text(int argc, char **argv, Status (*take)(void *context, char *text, Diag *diag),
             void *context, Diag *diag)
{
    Status status = STATUS_OK;

    if (argc == 0)
        return each_line(take, context, diag);
    for (int i = 0; status == STATUS_OK && i < argc; i++) {
        if (strcmp(argv[i], "-") == 0)
            status = each_line(take, context, diag);
        else
            status = take(context, argv[i], diag);
    }
    return status;
}

static const char DETAILS[] = "Examples:\n"
                              "  keybench id new uuidv7 -n 3\n"
                              "  keybench id show 017f22e2-79b0-7cc3-98c4-dc0c0c07398f\n"
                              "  keybench id estimate 19 40 42 60\n"
                              "  keybench id budget --alphabet 64 --length 8\n"
                              "\n\"keybench list formats\" names the formats.\n";

static const Command *const SUBCOMMANDS[] = {
    &CMD_ID_NEW, &CMD_ID_SHOW, &CMD_ID_ESTIMATE, &CMD_ID_BUDGET, NULL,
};

const Command CMD_ID = {.name = "id",
                        .summary = "make ids, explain them, and what they leak",
                        .details = DETAILS,
                        .subcommands = SUBCOMMANDS};
