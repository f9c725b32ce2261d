#include "cli/commands.h"

#include "base/paths.h"
#include "base/text.h"
#include "keys/format.h"
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

static Status
list_one_scenario(const char *folder, const char *file, Diag *diag)
{
    Sweep *sweep = NULL;
    Text path = {0};
    Status status;

    text_printf(&path, "%s/%s", folder, file);
    status = sweep_load(path.data, &sweep, diag);
    if (status == STATUS_OK)
        printf("  %-24s %s\n", sweep_first(sweep)->name, sweep_first(sweep)->title);
    sweep_free(sweep);
    text_release(&path);
    return status;
}

static Status
list_scenarios(Diag *diag)
{
    struct dirent **entries = NULL;
    Text folder = {0};
    Status status = path_data("scenarios", &folder, diag);
    int count = status == STATUS_OK ? scandir(folder.data, &entries, is_scenario, alphasort) : 0;

    if (status == STATUS_OK)
        puts("Scenarios (keybench run NAME):");
    for (int i = 0; i < count; i++) {
        if (status == STATUS_OK)
            status = list_one_scenario(folder.data, entries[i]->d_name, diag);
        free(entries[i]);
    }
    free(entries);
    text_release(&folder);
    return status;
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

static const struct {
    const char *name;
    Status (*list)(Diag *diag);
} LISTS[] = {
    {"scenarios", list_scenarios},
    {"formats", list_formats},
    {"metrics", list_metrics},
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
        diag_hint(diag, "Give scenarios, formats or metrics, or nothing for all.");
        return diag->status;
    }
    return status;
}

const Command CMD_LIST = {.name = "list",
                          .summary = "scenarios, id formats, metrics",
                          .arguments = "[scenarios|formats|metrics]",
                          .details = "Example:\n  keybench list scenarios\n",
                          .options = OPTIONS,
                          .options_size = 1,
                          .arguments_max = 1,
                          .run = run};
