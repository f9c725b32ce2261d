#include "report/plot.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/paths.h"
#include "base/proc.h"
#include "report/plot_script.h"
#include "report/plot_text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CHART_MAX_BYTES = 16 << 20, FORMAT_COUNT = 2 };

static const uint64_t DEADLINE_NS = 120 * NS_PER_S;

/* The formats of a chart. Both terminals take sizes in the variables W and H of its script; a PNG
 * has twice the pixels, for screens that show two for one. */
static const struct {
    const char *suffix, *terminal;
} FORMATS[FORMAT_COUNT] = {
    {"svg", "svg size W,H noenhanced background '#fdfdfb' "
            "font 'DejaVu Sans,Verdana,Helvetica,Arial,sans-serif,13'"},
    {"png", "pngcairo size 2*W,2*H noenhanced background '#fdfdfb' font 'DejaVu Sans,13' "
            "fontscale 1.5 linewidth 2 pointscale 2"},
};

/* Drawing all charts of one result. */
typedef struct Plotter {
    const Result *result;
    const PlotOptions *options;
    ResultPoints points;
    PlotFiles *files;
    char *folder; /* private, made and removed by us */
} Plotter;

bool
plot_available(void)
{
    char *program = proc_find_program("gnuplot");
    bool found = program != NULL;

    free(program);
    return found;
}

static bool
is_wanted(const Plotter *plotter, size_t format)
{
    return format == 0 ? plotter->options->svg : plotter->options->png;
}

static Status
folder_open(Plotter *plotter, Diag *diag)
{
    const char *parent = getenv("TMPDIR");
    Text path = {0};

    text_printf(&path, "%s/keybench-plot-XXXXXX",
                parent != NULL && parent[0] == '/' ? parent : "/tmp");
    if (mkdtemp(path.data) == NULL) {
        diag_set(diag, STATUS_IO, "cannot make a folder \"%s\": %s", path.data, strerror(errno));
        text_release(&path);
        return STATUS_IO;
    }
    plotter->folder = path.data;
    return STATUS_OK;
}

/* Only what we may have put there. */
static void
folder_close(Plotter *plotter)
{
    static const char *const NAMES[] = {"chart.gp", "chart.svg", "chart.png"};

    if (plotter->folder == NULL)
        return;
    for (size_t i = 0; i < ARRAY_LEN(NAMES); i++) {
        Text path = {0};

        text_printf(&path, "%s/%s", plotter->folder, NAMES[i]);
        unlink(path.data);
        text_release(&path);
    }
    rmdir(plotter->folder);
    free(plotter->folder);
}

/* Find the folder of the drawing scripts, as gnuplot sees it from another working folder. */
static Status
find_scripts(char **folder, Diag *diag)
{
    Text path = {0};
    Status status = path_data("plots", &path, diag);

    if (status == STATUS_OK) {
        *folder = realpath(path.data, NULL);
        if (*folder == NULL)
            status = diag_set(diag, STATUS_IO, "no folder \"%s\": %s", path.data, strerror(errno));
    }
    text_release(&path);
    return status;
}

/* Append the drawing commands: the variables are there already. */
static Status
add_commands(const Plotter *plotter, ChartKind kind, Text *script, Diag *diag)
{
    char *folder = NULL;
    Status status = find_scripts(&folder, diag);

    if (status != STATUS_OK)
        return status;
    text_add(script, "plots = ");
    plot_text_quote(script, folder);
    for (size_t i = 0; i < FORMAT_COUNT; i++)
        if (is_wanted(plotter, i))
            text_printf(script,
                        "\nset terminal %s\nset output 'chart.%s'\nload plots.'/%s'\nunset output",
                        FORMATS[i].terminal, FORMATS[i].suffix, plot_script_name(kind));
    text_add(script, "\n");
    free(folder);
    return STATUS_OK;
}

/* Run gnuplot on chart.gp in the private folder, without the user's own settings. */
static Status
run_gnuplot(const Plotter *plotter, const char *chart, Diag *diag)
{
    static const char *const ARGV[] = {"gnuplot", "-d", "chart.gp", NULL};
    ProcSpec spec = {.argv = ARGV, .folder = plotter->folder};
    Text words = {0};
    int exit_code = 0;
    Status status = proc_run(&spec, DEADLINE_NS, &words, &words, &exit_code, diag);

    if (status == STATUS_OK && exit_code != 0) {
        status = diag_set(diag, STATUS_IO, "gnuplot cannot draw chart \"%s\"", chart);
        diag_detail(diag, "%s", text_data(&words));
    }
    text_release(&words);
    return status;
}

static Status
write_script(const Plotter *plotter, const Text *script, Diag *diag)
{
    Text path = {0};
    Status status;

    text_printf(&path, "%s/chart.gp", plotter->folder);
    status = file_write_atomic(path.data, script->data, script->length, diag);
    text_release(&path);
    return status;
}

static void
files_add(PlotFiles *files, const char *path)
{
    files->paths = mem_resize(files->paths, files->count + 1, sizeof(*files->paths));
    files->paths[files->count++] = mem_text(path);
}

/* Bring a finished drawing to where it belongs, whole or not at all. */
static Status
keep_drawing(Plotter *plotter, const ChartSpec *spec, size_t format, Diag *diag)
{
    Text from = {0}, to = {0}, content = {0};
    Status status;

    text_printf(&from, "%s/chart.%s", plotter->folder, FORMATS[format].suffix);
    text_printf(&to, "%s/%s-%s.%s", plotter->options->folder, plotter->options->stem, spec->name,
                FORMATS[format].suffix);
    status = file_read(from.data, CHART_MAX_BYTES, &content, diag);
    if (status == STATUS_OK)
        status = file_write_atomic(to.data, text_data(&content), content.length, diag);
    if (status == STATUS_OK)
        files_add(plotter->files, to.data);
    text_release(&content);
    text_release(&to);
    text_release(&from);
    return status;
}

/* The points that a chart is about; false when nothing was measured at any. */
static bool
choose_points(const Plotter *plotter, size_t number, PlotChart *chart)
{
    ResultPoint *chosen = arena_alloc(chart->arena, plotter->points.count, sizeof(*chosen));

    for (size_t i = 0; i < plotter->points.count; i++)
        if (point_scenario(&plotter->points.points[i])->charts[number].here)
            chosen[chart->point_count++] = plotter->points.points[i];
    if (chart->point_count == 0)
        return false;
    chart->points = chosen;
    chart->result = chosen[0].result;
    chart->scenario = point_scenario(&chosen[0]);
    return true;
}

/* The chart of that number in the scenario. */
static Status
draw_chart(Plotter *plotter, size_t number, Diag *diag)
{
    const ChartSpec *spec = &sweep_first(plotter->points.sweep)->charts[number];

    PlotChart chart = {
        .sweep = plotter->points.sweep,
        .spec = spec,
        .result_file = plotter->options->result_file,
        .arena = arena_new(),
    };
    Text script = {0};
    Status status = STATUS_OK;
    bool known;

    text_add(&script, "set encoding utf8\n");
    known = choose_points(plotter, number, &chart) && plot_script_add(&chart, &script);
    if (known)
        status = add_commands(plotter, spec->kind, &script, diag);
    if (known && status == STATUS_OK)
        status = write_script(plotter, &script, diag);
    if (known && status == STATUS_OK)
        status = run_gnuplot(plotter, spec->name, diag);
    for (size_t i = 0; known && status == STATUS_OK && i < FORMAT_COUNT; i++)
        if (is_wanted(plotter, i))
            status = keep_drawing(plotter, spec, i, diag);
    text_release(&script);
    arena_free(chart.arena);
    return status;
}

static Status
draw_all(Plotter *plotter, Diag *diag)
{
    Status status = STATUS_OK;

    for (size_t i = 0; status == STATUS_OK && i < sweep_first(plotter->points.sweep)->chart_count;
         i++)
        status = draw_chart(plotter, i, diag);
    return status;
}

static Status
missing_gnuplot(Diag *diag)
{
    diag_set(diag, STATUS_IO, "no charts: gnuplot is not installed");
    diag_hint(diag, "Install it with \"sudo apt-get install gnuplot-nox\"; \"keybench report\" "
                    "draws the charts of a saved result.");
    return STATUS_IO;
}

bool
plot_can_draw(const Result *result)
{
    for (size_t i = 0; result->status == RESULT_FAILED && i < result->design_count; i++)
        if (result->designs[i].error != NULL)
            return true;
    return result->status == RESULT_COMPLETE;
}

Status
plot_draw(const Result *result, const PlotOptions *options, PlotFiles *files, Diag *diag)
{
    PlotFiles drawn = {0};
    Plotter plotter = {.result = result, .options = options, .files = &drawn};
    Status status;

    if (!plot_can_draw(result))
        return STATUS_OK;
    if (!plot_available())
        return missing_gnuplot(diag);
    status = points_read(result, &plotter.points, diag);
    if (status == STATUS_OK)
        status = folder_open(&plotter, diag);
    if (status == STATUS_OK)
        status = draw_all(&plotter, diag);
    if (status == STATUS_OK)
        *files = drawn;
    else
        plot_files_release(&drawn);
    folder_close(&plotter);
    points_release(&plotter.points);
    return status;
}

void
plot_files_release(PlotFiles *files)
{
    for (size_t i = 0; i < files->count; i++)
        free(files->paths[i]);
    free(files->paths);
    memset(files, 0, sizeof(*files));
}
