#include "cli/commands.h"

#include "base/file.h"
#include "cli/present.h"

#include <string.h>

typedef struct ReportCommandOptions {
    int format, charts;
    const char *output;
} ReportCommandOptions;

static const OptionSpec OPTIONS[] = {
    {.kind = OPTION_CHOICE,
     .name = "format",
     .offset = offsetof(ReportCommandOptions, format),
     .argument = "FORMAT",
     .default_value = "text",
     .choices = FORMAT_CHOICES,
     .help = "text, markdown, csv, json, html"},
    {.kind = OPTION_CHOICE,
     .name = "charts",
     .offset = offsetof(ReportCommandOptions, charts),
     .argument = "KIND",
     .default_value = "none",
     .choices = CHART_CHOICES,
     .help = "charts to draw again: svg, png, both, none"},
    {.kind = OPTION_TEXT,
     .name = "output",
     .letter = 'o',
     .offset = offsetof(ReportCommandOptions, output),
     .argument = "DIR",
     .min = 1,
     .default_value = ".",
     .help = "folder for the charts"},
    {.kind = OPTION_END},
};

static const char DETAILS[] = "Examples:\n"
                              "  keybench report results/reference/table-13-1-pg18.json\n"
                              "  keybench report --format markdown result.json\n"
                              "  keybench report --charts png --output /tmp result.json\n";

static void
say(void *context, const char *text)
{
    (void)context;
    fprintf(stderr, "keybench: %s\n", text);
}

static Status
report_one(const ReportCommandOptions *options, const char *path, Diag *diag)
{
    Result *result = NULL;
    Status status = present_load(path, &result, diag);

    if (status == STATUS_OK)
        status = present_report(result, (ReportFormat)options->format, diag);
    if (status == STATUS_OK && options->charts != CHARTS_NONE)
        status = folder_make(options->output, diag);
    if (status == STATUS_OK)
        status = present_charts(result, path, options->output, (ChartChoice)options->charts, say,
                                NULL, diag);
    result_free(result);
    return status;
}

static Status
run(const void *given, int argc, char **argv, Diag *diag)
{
    Status status = STATUS_OK;

    for (int i = 0; status == STATUS_OK && i < argc; i++)
        status = report_one(given, argv[i], diag);
    return status;
}

const Command CMD_REPORT = {.name = "report",
                            .summary = "tables and charts again from saved results",
                            .arguments = "RESULT...",
                            .details = DETAILS,
                            .options = OPTIONS,
                            .options_size = sizeof(ReportCommandOptions),
                            .arguments_min = 1,
                            .arguments_max = -1,
                            .run = run};
