#include "cli/options.h"

#include "base/mem.h"
#include "base/text.h"
#include "base/units.h"
#include "base/words.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

enum { LONG_BASE = 256, HELP_CODE = 255, HELP_COLUMN = 30 };

static size_t
spec_count(const OptionSpec *specs)
{
    size_t count = 0;

    while (specs[count].kind != OPTION_END)
        count++;
    return count;
}

static Status
bad_value(const OptionSpec *spec, const char *value, const char *wanted, Diag *diag)
{
    return diag_set(diag, STATUS_USAGE, "option \"--%s\" needs %s, got \"%s\"", spec->name, wanted,
                    value);
}

static Status
read_number(const OptionSpec *spec, const char *value, uint64_t *number, Diag *diag)
{
    bool is_time = spec->kind == OPTION_TIME;
    bool good = is_time ? units_read_time_ns(value, number) : units_read_u64(value, number);

    if (!good)
        return bad_value(spec, value, is_time ? "a time such as 30s or 500ms" : "a whole number",
                         diag);
    if (*number < spec->min || (spec->max > 0 && *number > spec->max)) {
        bad_value(spec, value, "another value", diag);
        if (is_time)
            diag_hint(diag, "The value is out of range; see --help.");
        else if (spec->max > 0)
            diag_hint(diag, "Give a number from %llu to %llu.", (unsigned long long)spec->min,
                      (unsigned long long)spec->max);
        else
            diag_hint(diag, "Give a number of at least %llu.", (unsigned long long)spec->min);
        return diag->status;
    }
    return STATUS_OK;
}

static Status
read_choice(const OptionSpec *spec, const char *value, int *choice, Diag *diag)
{
    Text names = {0};

    for (int i = 0; spec->choices[i] != NULL; i++) {
        if (strcmp(spec->choices[i], value) == 0) {
            text_release(&names);
            *choice = i;
            return STATUS_OK;
        }
        text_printf(&names, "%s%s", i > 0 ? ", " : "", spec->choices[i]);
    }
    bad_value(spec, value, "one of its words", diag);
    diag_hint(diag, "Give one of: %s.", text_data(&names));
    text_release(&names);
    return diag->status;
}

static void
list_add(TextList *list, const char *value)
{
    list->items = mem_resize(list->items, list->count + 1, sizeof(*list->items));
    list->items[list->count++] = value;
}

static Status
store(const OptionSpec *spec, const char *value, void *target, Diag *diag)
{
    void *field = (char *)target + spec->offset;

    switch (spec->kind) {
    case OPTION_FLAG:
        *(bool *)field = true;
        return STATUS_OK;
    case OPTION_TEXT:
        *(const char **)field = value;
        return strlen(value) >= spec->min ? STATUS_OK
                                          : bad_value(spec, value, spec->argument, diag);
    case OPTION_COUNT:
    case OPTION_TIME:
        return read_number(spec, value, field, diag);
    case OPTION_MAYBE_COUNT:
        ((MaybeCount *)field)->given = true;
        return read_number(spec, value, &((MaybeCount *)field)->value, diag);
    case OPTION_CHOICE:
        return read_choice(spec, value, field, diag);
    case OPTION_LIST:
        list_add(field, value);
        return STATUS_OK;
    case OPTION_END:
        break;
    }
    BUG("option \"%s\" of unknown kind", spec->name);
}

static Status
apply_defaults(const OptionSpec *specs, void *target, Diag *diag)
{
    Status status = STATUS_OK;

    for (; status == STATUS_OK && specs->kind != OPTION_END; specs++)
        if (specs->default_value != NULL)
            status = store(specs, specs->default_value, target, diag);
    return status;
}

/* The tables that getopt_long wants, made from the rows. */
static void
make_getopt_tables(const OptionSpec *specs, Text *letters, struct option *longs)
{
    text_add(letters, ":?");
    for (size_t i = 0; specs[i].kind != OPTION_END; i++) {
        bool has_argument = specs[i].kind != OPTION_FLAG;

        longs[i] = (struct option){.name = specs[i].name,
                                   .has_arg = has_argument ? required_argument : no_argument,
                                   .val = LONG_BASE + (int)i};
        if (specs[i].letter != 0)
            text_printf(letters, "%c%s", specs[i].letter, has_argument ? ":" : "");
    }
}

static const OptionSpec *
find_spec(const OptionSpec *specs, int code)
{
    if (code >= LONG_BASE)
        return &specs[code - LONG_BASE];
    for (; specs->kind != OPTION_END; specs++)
        if (specs->letter == code)
            return specs;
    return NULL;
}

static Status
unknown_option(const OptionSpec *specs, const char *command, char **argv, bool missing, Diag *diag)
{
    const char *word = optopt > 0 && optopt < HELP_CODE ? NULL : argv[optind - 1];
    const char *words[64];
    const char *near;
    size_t count = 0;

    for (; count < ARRAY_LEN(words) && specs[count].kind != OPTION_END; count++)
        words[count] = specs[count].name;
    if (missing && word == NULL)
        diag_set(diag, STATUS_USAGE, "option \"-%c\" needs an argument", optopt);
    else if (missing)
        diag_set(diag, STATUS_USAGE, "option \"%s\" needs an argument", word);
    else if (word == NULL)
        diag_set(diag, STATUS_USAGE, "unknown option \"-%c\"", optopt);
    else
        diag_set(diag, STATUS_USAGE, "unknown option \"%s\"", word);
    near = word != NULL && !missing ? word_nearest(word + strspn(word, "-"), words, count) : NULL;
    if (near != NULL)
        diag_hint(diag, "Did you mean \"--%s\"? Run \"%s --help\" for all options.", near, command);
    else
        diag_hint(diag, "Run \"%s --help\" for its options.", command);
    return diag->status;
}

Status
options_parse(const OptionSpec *specs, const char *command, int argc, char **argv, void *target,
              int *rest, bool *help, Diag *diag)
{
    size_t count = spec_count(specs);
    struct option *longs = mem_new(count + 2, sizeof(*longs));
    Text letters = {0};
    Status status = apply_defaults(specs, target, diag);
    int code;

    make_getopt_tables(specs, &letters, longs);
    longs[count] = (struct option){.name = "help", .has_arg = no_argument, .val = HELP_CODE};
    optind = 0; /* glibc: scan a new argument vector */
    opterr = 0;
    optopt = 0;
    while (status == STATUS_OK && !*help &&
           (code = getopt_long(argc, argv, letters.data, longs, NULL)) != -1) {
        bool asked = code == '?' && optopt == 0 && strcmp(argv[optind - 1], "-?") == 0;

        if (code == HELP_CODE || asked || (code == '?' && optopt == '?'))
            *help = true;
        else if (code == '?' || code == ':')
            status = unknown_option(specs, command, argv, code == ':', diag);
        else
            status = store(find_spec(specs, code), optarg, target, diag);
    }
    *rest = optind;
    text_release(&letters);
    free(longs);
    return status;
}

void
options_release(const OptionSpec *specs, void *target)
{
    for (; specs->kind != OPTION_END; specs++)
        if (specs->kind == OPTION_LIST)
            free(((TextList *)(void *)((char *)target + specs->offset))->items);
}

void
options_print(const OptionSpec *specs, FILE *stream)
{
    for (; specs->kind != OPTION_END; specs++) {
        Text head = {0};

        if (specs->letter != 0)
            text_printf(&head, "  -%c, --%s", specs->letter, specs->name);
        else
            text_printf(&head, "      --%s", specs->name);
        if (specs->argument != NULL)
            text_printf(&head, " %s", specs->argument);
        if (head.length >= HELP_COLUMN)
            text_printf(&head, "\n%*s", HELP_COLUMN, "");
        fprintf(stream, "%-*s%s", HELP_COLUMN, head.data, specs->help);
        if (specs->default_value != NULL)
            fprintf(stream, " (default %s)", specs->default_value);
        fputc('\n', stream);
        text_release(&head);
    }
}
