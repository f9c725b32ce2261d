#include "cli/commands.h"

#include "cli/connect.h"
#include "db/schema.h"

typedef struct CleanOptions {
    DbTarget target;
} CleanOptions;

static const OptionSpec OPTIONS[] = {
    CONNECT_OPTIONS(CleanOptions, target),
    {.kind = OPTION_END},
};

static const char DETAILS[] =
    "Removes the schema \"keybench\" of one database, if keybench made it and no run is using it.\n"
    "Throwaway servers are removed by \"keybench cluster stop\".\n"
    "\n"
    "Example:\n"
    "  keybench clean -h db.test -d bench\n";

static Status
run(const void *given, int argc, char **argv, Diag *diag)
{
    const CleanOptions *options = given;
    DbConn *conn = NULL;
    bool found = false;
    Status status = STATUS_OK;

    (void)argc;
    (void)argv;
    if (!connect_names_server(&options->target)) {
        diag_set(diag, STATUS_USAGE, "no server is named");
        diag_hint(diag, "Give -h, -d or another connection option, or set PGHOST or PGSERVICE.");
        return diag->status;
    }
    status = db_open(&options->target, &conn, diag);
    if (status == STATUS_OK)
        status = schema_clean(conn, &found, diag);
    if (status == STATUS_OK)
        printf("%s in %s\n", found ? "removed schema \"keybench\"" : "nothing of keybench's",
               db_label(conn));
    db_close(conn);
    return status;
}

const Command CMD_CLEAN = {.name = "clean",
                           .summary = "remove what an interrupted run left on your server",
                           .details = DETAILS,
                           .options = OPTIONS,
                           .options_size = sizeof(CleanOptions),
                           .run = run};
