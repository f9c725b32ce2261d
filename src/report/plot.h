/*
 * Charts by gnuplot from a result: one SVG and one PNG for each chart that the scenario names.
 */
#ifndef KB_REPORT_PLOT_H
#define KB_REPORT_PLOT_H

#include "base/diag.h"
#include "results/result.h"

typedef struct PlotOptions {
    const char *folder;      /* where the files go; exists */
    const char *stem;        /* file names are STEM-CHART.svg and .png */
    const char *result_file; /* named in the chart's corner, without its folder */
    bool svg, png;
} PlotOptions;

/* Files that were drawn; caller releases with plot_files_release. */
typedef struct PlotFiles {
    char **paths;
    size_t count;
} PlotFiles;

/* True when gnuplot is on PATH. */
bool plot_available(void);

/* Whether a result may have charts: a complete one, or a sweep in which some trials failed. */
bool plot_can_draw(const Result *result);

/*
 * Draw all charts of such a result whose figures were measured; of another one nothing.
 * Returns   STATUS_IO with gnuplot's own words when it fails, STATUS_IO with a hint what to install
 * when it is missing
 */
Status plot_draw(const Result *result, const PlotOptions *options, PlotFiles *files,
                 Diag *diag) MUST_USE;
void plot_files_release(PlotFiles *files);

#endif
