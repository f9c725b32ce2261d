#include "cli/commands.h"

#include "base/paths.h"
#include "base/units.h"
#include "cli/connect.h"
#include "report/plot.h"
#include "run/readiness.h"
#include "server/cluster.h"
#include "server/host.h"

#include <stdlib.h>

typedef struct DoctorOptions {
    DbTarget target;
    const char *bindir;
} DoctorOptions;

static const OptionSpec OPTIONS[] = {
    CONNECT_OPTIONS(DoctorOptions, target),
    {.kind = OPTION_TEXT,
     .name = "pg-bindir",
     .offset = offsetof(DoctorOptions, bindir),
     .argument = "DIR",
     .min = 1,
     .help = "the throwaway server's programs; default: search"},
    {.kind = OPTION_END},
};

static const char DETAILS[] =
    "Writes nothing anywhere. Without a connection option, PGHOST, PGHOSTADDR or PGSERVICE it "
    "looks\n"
    "at what a throwaway server needs; otherwise at your server. Each line says what was found,\n"
    "and below it what to do. Exit status 3 when a run would be refused.\n"
    "\n"
    "Examples:\n"
    "  keybench doctor\n"
    "  keybench doctor -h db.test -d bench\n";

static const char *const LEVEL_WORDS[] = {
    [READY_OK] = "ok",
    [READY_NOTE] = "note",
    [READY_PRODUCTION] = "NO",
    [READY_REFUSED] = "NO",
};

static void
print_line(ReadyLevel level, const char *subject, const char *found, const char *remedy)
{
    printf("%-4s  %s: %s\n", LEVEL_WORDS[level], subject, found);
    if (remedy[0] != '\0' && level != READY_OK)
        printf("      %s\n", remedy);
}

static void
look_at_client(void)
{
    int version = db_client_version();
    char text[64];
    Text folder = {0};
    Diag diag = {0};

    snprintf(text, sizeof(text), "%d.%d", version / 10000, version % 10000);
    print_line(READY_OK, "keybench", KEYBENCH_VERSION, "");
    print_line(READY_OK, "libpq", text, "");
    print_line(plot_available() ? READY_OK : READY_NOTE, "gnuplot",
               plot_available() ? "found" : "missing: no charts",
               "sudo apt-get install gnuplot-nox");
    if (path_data("scenarios", &folder, &diag) == STATUS_OK)
        print_line(READY_OK, "scenarios", folder.data, "");
    else
        print_line(READY_NOTE, "scenarios", diag.message, diag.hint);
    text_release(&folder);
}

static Status
look_at_throwaway(const DoctorOptions *options, Diag *diag)
{
    const char *folder = getenv("TMPDIR");
    ServerPrograms programs;
    DiskFacts disk;
    char size[UNITS_TEXT_SIZE];
    Text text = {0};
    Status status = server_find(options->bindir, 0, &programs, diag);

    if (status != STATUS_OK) {
        print_line(READY_REFUSED, "throwaway server", diag->message, diag->hint);
        return status;
    }
    text_printf(&text, "PostgreSQL %s in %s (found by %s)", programs.version, programs.bindir,
                programs.found_by);
    print_line(READY_OK, "throwaway server", text.data, "");
    text_release(&text);
    if (folder == NULL || folder[0] == '\0')
        folder = "/tmp";
    host_disk_read(folder, &disk);
    units_print_bytes((double)disk.free_bytes, 1, size, sizeof(size));
    text_printf(&text, "%s free in %s (%s); table-13-1 takes about 2 GB", size, folder,
                disk.filesystem);
    print_line(disk.free_bytes < UINT64_C(4) << 30 ? READY_NOTE : READY_OK, "disk", text.data,
               "Set TMPDIR to a folder with more room.");
    text_release(&text);
    return STATUS_OK;
}

static Status
look_at_server(const DoctorOptions *options, Diag *diag)
{
    DbConn *conn = NULL;
    Readiness readiness;
    Status status = db_open(&options->target, &conn, diag);

    if (status != STATUS_OK) {
        print_line(READY_REFUSED, "server", diag->message, diag->hint);
        return status;
    }
    status = readiness_read(conn, NULL, &readiness, diag);
    for (size_t i = 0; status == STATUS_OK && i < readiness.count; i++)
        print_line(readiness.items[i].level, readiness.items[i].subject, readiness.items[i].found,
                   readiness.items[i].remedy);
    if (status == STATUS_OK)
        status = readiness_require(&readiness, false, diag);
    db_close(conn);
    return status;
}

static Status
run(const void *given, int argc, char **argv, Diag *diag)
{
    const DoctorOptions *options = given;

    (void)argc;
    (void)argv;
    look_at_client();
    if (connect_names_server(&options->target))
        return look_at_server(options, diag);
    return look_at_throwaway(options, diag);
}

const Command CMD_DOCTOR = {.name = "doctor",
                            .summary = "what is here and what is missing, without writing anything",
                            .details = DETAILS,
                            .options = OPTIONS,
                            .options_size = sizeof(DoctorOptions),
                            .run = run};
