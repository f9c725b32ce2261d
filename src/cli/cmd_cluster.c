#include "cli/commands.h"

#include "base/json.h"
#include "base/mem.h"
#include "run/server_facts.h"
#include "server/cluster.h"

#include <stdlib.h>
#include <string.h>

enum { SETTINGS_MAX = 64 };

typedef struct StartOptions {
    const char *bindir;
    TextList settings;
} StartOptions;

static const OptionSpec START_OPTIONS[] = {
    {.kind = OPTION_TEXT,
     .name = "pg-bindir",
     .offset = offsetof(StartOptions, bindir),
     .argument = "DIR",
     .min = 1,
     .help = "the server's programs; default: search"},
    {.kind = OPTION_LIST,
     .name = "set",
     .offset = offsetof(StartOptions, settings),
     .argument = "NAME=VALUE",
     .help = "a server setting; may be given several times"},
    {.kind = OPTION_END},
};

/* Split "NAME=VALUE" texts into `settings`; the storage of the names is `names`, the caller's to
 * free. */
static Status
read_settings(const TextList *list, ClusterSetting *settings, char **names, Diag *diag)
{
    for (size_t i = 0; i < list->count; i++) {
        const char *equals = strchr(list->items[i], '=');

        if (equals == NULL || equals == list->items[i] || i == SETTINGS_MAX)
            return diag_set(diag, STATUS_USAGE, "option \"--set\" needs NAME=VALUE, got \"%s\"",
                            list->items[i]);
        names[i] = mem_text(list->items[i]);
        names[i][equals - list->items[i]] = '\0';
        settings[i] = (ClusterSetting){names[i], equals + 1};
    }
    return STATUS_OK;
}

/* Make the printed "keybench run" work. Where the server's contrib package is missing, psql does
 * all the same, and a run says what to install. */
static void
install_extensions(const Cluster *cluster)
{
    ServerFacts facts = {0};
    DbConn *conn = NULL;
    Diag ignored = {0};

    if (db_open(cluster_target(cluster), &conn, &ignored) == STATUS_OK &&
        server_facts_read(conn, true, &facts, &ignored) == STATUS_OK)
        server_facts_release(&facts);
    db_close(conn);
}

static Status
start(const void *given, int argc, char **argv, Diag *diag)
{
    const StartOptions *options = given;
    ClusterSetting settings[SETTINGS_MAX];
    char *names[SETTINGS_MAX] = {NULL};
    ClusterOptions cluster_options = {.bindir = options->bindir,
                                      .settings = settings,
                                      .setting_count = options->settings.count,
                                      .data_checksums = -1,
                                      .keep = true};
    Cluster *cluster = NULL;
    Status status = read_settings(&options->settings, settings, names, diag);

    (void)argc;
    (void)argv;
    if (status == STATUS_OK)
        status = cluster_start(&cluster_options, &cluster, diag);
    if (status == STATUS_OK) {
        install_extensions(cluster);
        printf("PostgreSQL %s runs in %s until it is stopped:\n"
               "  psql -h %s -U postgres postgres\n"
               "  keybench run -h %s -U postgres -d postgres SCENARIO\n"
               "  keybench cluster stop %s\n",
               cluster_programs(cluster)->version, cluster_folder(cluster),
               cluster_target(cluster)->host, cluster_target(cluster)->host,
               cluster_folder(cluster));
        cluster_leave(cluster);
    }
    for (size_t i = 0; i < SETTINGS_MAX; i++)
        free(names[i]);
    return status;
}

typedef struct StopOptions {
    bool all;
} StopOptions;

static const OptionSpec STOP_OPTIONS[] = {
    {.kind = OPTION_FLAG,
     .name = "all",
     .offset = offsetof(StopOptions, all),
     .help = "every cluster that is kept or was left behind, none of a run under way"},
    {.kind = OPTION_END},
};

/* A cluster whose owner lives belongs to a run under way. */
static bool
is_in_use(const ClusterEntry *entry)
{
    return entry->owner_pid != 0 && !entry->kept;
}

static Status
stop_all(Diag *diag)
{
    ClusterEntry *entries = NULL;
    size_t count = 0;
    Status status = cluster_list(&entries, &count, diag);

    for (size_t i = 0; status == STATUS_OK && i < count; i++) {
        if (is_in_use(&entries[i]))
            continue;
        status = cluster_remove(entries[i].folder, diag);
        if (status == STATUS_OK)
            printf("removed %s\n", entries[i].folder);
    }
    free(entries);
    return status;
}

static Status
stop(const void *given, int argc, char **argv, Diag *diag)
{
    const StopOptions *options = given;
    Status status = STATUS_OK;

    if (options->all == (argc > 0)) {
        diag_set(diag, STATUS_USAGE, "\"keybench cluster stop\" needs a folder or --all, not both");
        diag_hint(diag, "Run \"keybench cluster list\" for the folders.");
        return diag->status;
    }
    if (options->all)
        return stop_all(diag);
    for (int i = 0; status == STATUS_OK && i < argc; i++) {
        status = cluster_remove(argv[i], diag);
        if (status == STATUS_OK)
            printf("removed %s\n", argv[i]);
    }
    return status;
}

typedef struct ListOptions {
    bool json;
} ListOptions;

static const OptionSpec LIST_OPTIONS[] = {
    {.kind = OPTION_FLAG,
     .name = "json",
     .offset = offsetof(ListOptions, json),
     .help = "a JSON array instead of a table"},
    {.kind = OPTION_END},
};

static const char *
state_of(const ClusterEntry *entry)
{
    if (entry->running && entry->kept)
        return "kept";
    return entry->running || entry->owner_pid != 0 /* which is just starting it */ ? "in use"
                                                                                   : "left behind";
}

static void
print_entries_json(const ClusterEntry *entries, size_t count)
{
    cJSON *array = cJSON_CreateArray();
    char *text;

    for (size_t i = 0; i < count; i++) {
        cJSON *item = cJSON_CreateObject();

        cJSON_AddStringToObject(item, "folder", entries[i].folder);
        cJSON_AddStringToObject(item, "version", entries[i].version);
        cJSON_AddStringToObject(item, "state", state_of(&entries[i]));
        cJSON_AddBoolToObject(item, "kept", entries[i].kept);
        cJSON_AddNumberToObject(item, "server_pid", (double)entries[i].server_pid);
        cJSON_AddNumberToObject(item, "owner_pid", (double)entries[i].owner_pid);
        cJSON_AddStringToObject(item, "started_utc", entries[i].started_utc);
        cJSON_AddItemToArray(array, item);
    }
    text = cJSON_Print(array);
    puts(text);
    cJSON_free(text);
    cJSON_Delete(array);
}

static void
print_entries(const ClusterEntry *entries, size_t count)
{
    if (count > 0)
        printf("%-12s %-10s %-8s %-21s %s\n", "state", "version", "pid", "started", "folder");
    for (size_t i = 0; i < count; i++)
        printf("%-12s %-10s %-8ld %-21s %s\n", state_of(&entries[i]), entries[i].version,
               entries[i].server_pid, entries[i].started_utc, entries[i].folder);
}

static Status
list(const void *given, int argc, char **argv, Diag *diag)
{
    const ListOptions *options = given;
    ClusterEntry *entries = NULL;
    size_t count = 0;
    Status status = cluster_list(&entries, &count, diag);

    (void)argc;
    (void)argv;
    if (status == STATUS_OK && options->json)
        print_entries_json(entries, count);
    else if (status == STATUS_OK)
        print_entries(entries, count);
    free(entries);
    return status;
}

typedef struct FindOptions {
    const char *bindir;
    uint64_t min_major;
    bool verbose;
} FindOptions;

static const OptionSpec FIND_OPTIONS[] = {
    {.kind = OPTION_TEXT,
     .name = "pg-bindir",
     .offset = offsetof(FindOptions, bindir),
     .argument = "DIR",
     .min = 1,
     .help = "look there and nowhere else"},
    {.kind = OPTION_COUNT,
     .name = "min-major",
     .offset = offsetof(FindOptions, min_major),
     .argument = "N",
     .default_value = "14",
     .max = 99,
     .help = "oldest major version that will do"},
    {.kind = OPTION_FLAG,
     .name = "verbose",
     .letter = 'v',
     .offset = offsetof(FindOptions, verbose),
     .help = "say on standard error which version it is and how it was found"},
    {.kind = OPTION_END},
};

static Status
find(const void *given, int argc, char **argv, Diag *diag)
{
    const FindOptions *options = given;
    ServerPrograms programs;
    Status status = server_find(options->bindir, (int)options->min_major, &programs, diag);

    (void)argc;
    (void)argv;
    if (status != STATUS_OK)
        return status;
    puts(programs.bindir);
    if (options->verbose)
        fprintf(stderr, "keybench: PostgreSQL %s, found by %s\n", programs.version,
                programs.found_by);
    return STATUS_OK;
}

static const Command START = {.name = "start",
                              .summary = "start a server that stays, and say how to connect",
                              .options = START_OPTIONS,
                              .options_size = sizeof(StartOptions),
                              .details = "Example:\n"
                                         "  keybench cluster start --set shared_buffers=1GB\n",
                              .run = start};
static const Command STOP = {.name = "stop",
                             .summary = "stop servers and remove their folders",
                             .arguments = "[FOLDER...]",
                             .options = STOP_OPTIONS,
                             .options_size = sizeof(StopOptions),
                             .details = "Example:\n"
                                        "  keybench cluster stop --all\n",
                             .arguments_max = -1,
                             .run = stop};
static const Command LIST = {.name = "list",
                             .summary = "clusters that are kept, in use or left behind",
                             .options = LIST_OPTIONS,
                             .options_size = sizeof(ListOptions),
                             .details = "Example:\n"
                                        "  keybench cluster list --json\n",
                             .run = list};
static const Command FIND = {.name = "find",
                             .summary = "the server programs that a throwaway cluster would use",
                             .options = FIND_OPTIONS,
                             .options_size = sizeof(FindOptions),
                             .details = "Example:\n"
                                        "  keybench cluster find --min-major 18 -v\n",
                             .run = find};
static const Command *const COMMANDS[] = {&START, &STOP, &LIST, &FIND, NULL};

const Command CMD_CLUSTER = {
    .name = "cluster", .summary = "the throwaway servers", .subcommands = COMMANDS};
