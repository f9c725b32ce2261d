/*
 * What gnuplot is told about one chart: variables and arrays that a script in plots/ draws. The
 * figures, texts, colours and places come from here; how they look is the script's.
 */
#ifndef KB_REPORT_PLOT_SCRIPT_H
#define KB_REPORT_PLOT_SCRIPT_H

#include "base/mem.h"
#include "base/text.h"
#include "report/points.h"

/* One chart while its script is made. */
typedef struct PlotChart {
    const Sweep *sweep;
    const ResultPoint *points; /* those that the chart is about: of bars one */
    size_t point_count;        /* 1.. */
    const Result *result;      /* of the first */
    const Scenario *scenario;  /* likewise */
    const ChartSpec *spec;
    const char *result_file; /* named in the corner, without its folder */
    Arena *arena;            /* for texts along the way */
} PlotChart;

/*
 * Append the variables of a chart to `script`. False, with nothing appended, when none of its
 * figures was measured.
 */
bool plot_script_add(const PlotChart *chart, Text *script);

/* The script in plots/ that draws a kind of chart: "bars.gp". */
const char *plot_script_name(ChartKind kind);

#endif
