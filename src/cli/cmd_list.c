#include "cli/commands.h"

#include "base/paths.h"
#include "base/text.h"
#include "keys/format.h"
#include "lab/print.h"
#include "results/metric.h"
#include "scenario/sweep.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

static const OptionSpec OPTIONS[] = {{.kind = OPTION_END}};

static int
is_scenario(const struct dirent *entry)
{
    const char *dot = strrchr(entry->d_name, '.');

    return dot != NULL && strcmp(dot, ".json") == 0 && strstr(entry->d_name, ".schema.") == NULL;
}

static void
print_scenario(const Scenario *scenario)
{
    printf("  %-24s %s\n", scenario->name, scenario->title);
}

static void
print_designs(const Scenario *scenario)
{
    printf("%s: %s\n", scenario->name, scenario->title);
    for (size_t i = 0; i < scenario->design_count; i++) {
        const Design *design = &scenario->designs[i];
        const Column *key = design_key(design);

        printf("  %-24s %s%s%s\n", design->name, design->title, key != NULL ? "; key " : "",
               key != NULL ? key->type : "");
    }
}

static Status
print_file(const char *folder, const char *file, void (*print)(const Scenario *scenario),
           Diag *diag)
{
    Sweep *sweep = NULL;
    Text path = {0};
    Status status;

    text_printf(&path, "%s/%s", folder, file);
    status = sweep_load(path.data, &sweep, diag);
    if (status == STATUS_OK)
        print(sweep_first(sweep));
    sweep_free(sweep);
    text_release(&path);
    return status;
}

/* Every scenario that comes with keybench, below `title`. */
static Status
print_files(const char *title, void (*print)(const Scenario *scenario), Diag *diag)
{
    struct dirent **entries = NULL;
    Text folder = {0};
    Status status = path_data("scenarios", &folder, diag);
    int count = status == STATUS_OK ? scandir(folder.data, &entries, is_scenario, alphasort) : 0;

    if (status == STATUS_OK)
        puts(title);
    for (int i = 0; i < count; i++) {
        if (status == STATUS_OK)
            status = print_file(folder.data, entries[i]->d_name, print, diag);
        free(entries[i]);
    }
    free(entries);
    text_release(&folder);
    return status;
}

static Status
list_scenarios(Diag *diag)
{
    return print_files("Scenarios (keybench run NAME):", print_scenario, diag);
}

static Status
list_designs(Diag *diag)
{
    return print_files("Key designs, by scenario:", print_designs, diag);
}

static Status
list_formats(Diag *diag)
{
    (void)diag;
    puts("Id formats (keybench id new FORMAT; \"format\" in a scenario):");
    for (size_t i = 0; i < KEY_FORMAT_COUNT; i++)
        printf("  %-24s %s\n", key_format_name(KEY_FORMATS[i]), key_format_title(KEY_FORMATS[i]));
    return STATUS_OK;
}

static Status
list_metrics(Diag *diag)
{
    (void)diag;
    puts("Metrics (\"metric\" in a scenario) and where the server says them:");
    for (int id = 0; id < METRIC_COUNT; id++)
        printf("  %-24s %s; %s\n", METRICS[id].name, METRICS[id].title, METRICS[id].source);
    return STATUS_OK;
}

static Status
list_claims(Diag *diag)
{
    Library library = {0};
    Status status = library_load(NULL, 0, &library, diag);

    if (status != STATUS_OK)
        return status;
    puts("Claims, by chapter (keybench lab NAME):");
    print_list(&library, stdout);
    library_release(&library);
    return STATUS_OK;
}

static const struct {
    const char *name;
    Status (*list)(Diag *diag);
} LISTS[] = {
    {"scenarios", list_scenarios}, {"designs", list_designs}, {"formats", list_formats},
    {"claims", list_claims},       {"metrics", list_metrics},
};

static Status
run(const void *options, int argc, char **argv, Diag *diag)
{
    bool found = false;
    Status status = STATUS_OK;

    (void)options;
    for (size_t i = 0; status == STATUS_OK && i < ARRAY_LEN(LISTS); i++) {
        if (argc == 1 && strcmp(argv[0], LISTS[i].name) != 0)
            continue;
        if (argc == 0 && i > 0)
            putchar('\n');
        found = true;
        status = LISTS[i].list(diag);
    }
    if (!found) {
        diag_set(diag, STATUS_USAGE, "there is no list \"%s\"", argv[0]);
        diag_hint(diag, "Give scenarios, designs, formats, claims or metrics, or nothing for all.");
        return diag->status;
    }
    return status;
}

const Command CMD_LIST = {.name = "list",
                          .summary = "scenarios, key designs, id formats, claims, metrics",
                          .arguments = "[scenarios|designs|formats|claims|metrics]",
                          .details = "Example:\n  keybench list scenarios\n",
                          .options = OPTIONS,
                          .options_size = 1,
                          .arguments_max = 1,
                          .run = run};
