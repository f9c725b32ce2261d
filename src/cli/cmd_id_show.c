#include "cli/cmd_id.h"

#include "keys/format.h"

#include <inttypes.h>
#include <stddef.h>
#include <string.h>

enum { OTHERS_MAX = 32 };

typedef struct IdShowOptions {
    bool json;
} IdShowOptions;

static const OptionSpec OPTIONS[] = {
    {.kind = OPTION_FLAG,
     .name = "json",
     .offset = offsetof(IdShowOptions, json),
     .help = "print an array of objects"},
    {.kind = OPTION_END},
};

static const char DETAILS[] =
    "Reads standard input, one id a line, for \"-\" or without an ID.\n"
    "\nExamples:\n"
    "  keybench id show 017f22e2-79b0-7cc3-98c4-dc0c0c07398f\n"
    "  keybench id show user_01h455vb4pex5vsknk084sn02q\n"
    "  psql -AtXc 'select id from orders limit 10' | keybench id show -\n";

static const char *const VARIANTS[] = {"NCS", "RFC 9562", "Microsoft", "reserved"};

/* One id, as found. */
typedef struct Shown {
    const char *text;
    KeyFacts facts;
    const KeyFormat *others[OTHERS_MAX];
    size_t other_count;
} Shown;

static void
print_line(const char *label, const char *value)
{
    if (value[0] != '\0')
        printf("  %-10s%s\n", label, value);
}

/* The same but for what `known` says already. */
static void
print_other(const char *label, const char *value, const char *known)
{
    if (strcmp(value, known) != 0)
        print_line(label, value);
}

static void
print_number(const char *label, bool has, uint64_t number)
{
    if (has)
        printf("  %-10s%" PRIu64 "\n", label, number);
}

static void
print_others(const Shown *shown)
{
    if (shown->other_count == 0)
        return;
    printf("  %-10s", "or");
    for (size_t i = 0; i < shown->other_count; i++)
        printf("%s%s", i > 0 ? ", " : "", key_format_title(shown->others[i]));
    puts(" (the text fits as well)");
}

static void
print_shown(const Shown *shown)
{
    const KeyFacts *facts = &shown->facts;

    puts(shown->text);
    print_line("format", key_format_title(facts->format));
    print_others(shown);
    if (facts->version >= 0)
        printf("  %-10s%d, variant %s\n", "version", facts->version, VARIANTS[facts->variant]);
    print_line("prefix", facts->prefix);
    print_line("time", facts->time_utc);
    print_line("machine", facts->machine);
    print_number("sequence", facts->has_sequence, facts->sequence);
    print_number("counter", facts->has_counter, facts->counter);
    print_other("text", facts->canonical, shown->text);
    print_other("as uuid", facts->uuid, facts->canonical);
    print_other("as ULID", facts->ulid, facts->canonical);
    print_other("as TypeID", facts->typeid, facts->canonical);
    print_line("tells", facts->leaks);
}

static void
add_text(cJSON *object, const char *key, const char *text)
{
    if (text[0] != '\0')
        cJSON_AddStringToObject(object, key, text);
}

static void
add_time(cJSON *object, const KeyFacts *facts)
{
    if (!facts->has_time)
        return;
    cJSON_AddStringToObject(object, "time_utc", facts->time_utc);
    cJSON_AddNumberToObject(object, "time_s",
                            (double)facts->time_s + (double)facts->time_rest_ns / 1e9);
    id_json_number(object, "precision_ns", facts->precision_ns);
}

static cJSON *
make_json(const Shown *shown)
{
    const KeyFacts *facts = &shown->facts;
    cJSON *object = cJSON_CreateObject(), *others;

    cJSON_AddStringToObject(object, "id", shown->text);
    cJSON_AddStringToObject(object, "format", key_format_name(facts->format));
    others = cJSON_AddArrayToObject(object, "ambiguous");
    for (size_t i = 0; i < shown->other_count; i++)
        cJSON_AddItemToArray(others, cJSON_CreateString(key_format_name(shown->others[i])));
    if (facts->version >= 0) {
        cJSON_AddNumberToObject(object, "version", facts->version);
        cJSON_AddStringToObject(object, "variant", VARIANTS[facts->variant]);
    }
    add_text(object, "prefix", facts->prefix);
    add_time(object, facts);
    add_text(object, "machine", facts->machine);
    if (facts->has_sequence)
        id_json_number(object, "sequence", facts->sequence);
    if (facts->has_counter)
        id_json_number(object, "counter", facts->counter);
    add_text(object, "text", facts->canonical);
    add_text(object, "uuid", facts->uuid);
    add_text(object, "ulid", facts->ulid);
    add_text(object, "typeid", facts->typeid);
    cJSON_AddStringToObject(object, "tells", facts->leaks);
    return object;
}

/* `context` is the array to add to, or NULL to print. */
static Status
show_one(void *context, char *text, Diag *diag)
{
    Shown shown = {.text = text};
    Status status =
        key_explain(text, &shown.facts, shown.others, OTHERS_MAX, &shown.other_count, diag);

    if (status == STATUS_OK && context != NULL)
        cJSON_AddItemToArray(context, make_json(&shown));
    else if (status == STATUS_OK)
        print_shown(&shown);
    return status;
}

static Status
run(const void *given, int argc, char **argv, Diag *diag)
{
    const IdShowOptions *options = given;
    cJSON *array = options->json ? cJSON_CreateArray() : NULL;
    Status status = id_each_text(argc, argv, show_one, array, diag);

    if (status == STATUS_OK && array != NULL)
        id_print_json(array);
    else
        cJSON_Delete(array);
    return status;
}

const Command CMD_ID_SHOW = {.name = "show",
                             .summary = "explain ids: format, time, machine, count, what they tell",
                             .arguments = "[ID...|-]",
                             .details = DETAILS,
                             .options = OPTIONS,
                             .options_size = sizeof(IdShowOptions),
                             .arguments_max = -1,
                             .run = run};
