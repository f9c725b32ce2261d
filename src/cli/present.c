#include "cli/present.h"

#include "base/file.h"
#include "base/mem.h"
#include "base/text.h"
#include "report/plot.h"
#include "results/result_json.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *const CHART_CHOICES[] = {"both", "svg", "png", "none", NULL};
const char *const FORMAT_CHOICES[] = {"text", "markdown", "csv", "json", "html", NULL};

/* "results/x.json" to "x". */
static char *
stem_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *stem = mem_text(slash != NULL ? slash + 1 : path);
    char *dot = strrchr(stem, '.');

    if (dot != NULL && dot != stem)
        *dot = '\0';
    return stem;
}

Status
present_charts(const Result *result, const char *result_path, const char *folder,
               ChartChoice choice, void (*say)(void *context, const char *text), void *context,
               Diag *diag)
{
    char *stem = stem_of(result_path);
    const PlotOptions options = {.folder = folder,
                                 .stem = stem,
                                 .result_file = result_path,
                                 .svg = choice == CHARTS_BOTH || choice == CHARTS_SVG,
                                 .png = choice == CHARTS_BOTH || choice == CHARTS_PNG};
    PlotFiles files = {0};
    Status status = STATUS_OK;

    if (choice == CHARTS_NONE || !plot_can_draw(result)) {
        free(stem);
        return STATUS_OK;
    }
    if (!plot_available()) {
        if (say != NULL)
            say(context, "no charts: gnuplot is missing; install gnuplot-nox, then run"
                         " \"keybench report\" on the result file");
    } else {
        status = plot_draw(result, &options, &files, diag);
    }
    for (size_t i = 0; status == STATUS_OK && say != NULL && i < files.count; i++) {
        Text text = {0};

        text_printf(&text, "chart %s", files.paths[i]);
        say(context, text.data);
        text_release(&text);
    }
    plot_files_release(&files);
    free(stem);
    return status;
}

Status
present_load(const char *path, Result **result, Diag *diag)
{
    if (strcmp(path, "-") == 0 || file_exists(path))
        return result_load(path, result, diag);
    diag_set(diag, STATUS_USAGE, "no file \"%s\"", path);
    diag_hint(diag, "Give a result file that \"keybench run\" wrote.");
    return diag->status;
}

char *
present_path(const char *path)
{
    Text clean = {0};

    text_add_utf8(&clean, path);
    return clean.data != NULL ? clean.data : mem_text("");
}

bool
present_wants_color(void)
{
    const char *no_color = getenv("NO_COLOR");

    return isatty(STDOUT_FILENO) == 1 && (no_color == NULL || no_color[0] == '\0');
}

Status
present_report(const Result *result, ReportFormat format, Diag *diag)
{
    const ReportOptions options = {.format = format,
                                   .color = format == REPORT_TEXT && present_wants_color()};
    Text out = {0};
    Status status = report_print(result, &options, &out, diag);

    if (status == STATUS_OK)
        fputs(text_data(&out), stdout);
    text_release(&out);
    return status;
}
