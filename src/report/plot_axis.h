/*
 * A chart's axis of values: its scale, its end and its marks, chosen here so that what gnuplot is
 * told to draw is known before it draws.
 */
#ifndef KB_REPORT_PLOT_AXIS_H
#define KB_REPORT_PLOT_AXIS_H

#include "base/text.h"
#include "results/metric.h"

typedef struct PlotAxis {
    double scale;     /* what one unit of the axis is: 2^20 for MB */
    double max, step; /* in units of the axis */
    const char *unit; /* "MB (2^20 bytes)", "%"; "" for counts */
} PlotAxis;

/* An axis from 0 on that holds `largest`, in the metric's own unit, with marks at round numbers. */
PlotAxis plot_axis_new(MetricId metric, double largest);

/* An axis of whole numbers from 0 on, for batches: `largest` 1.. */
PlotAxis plot_axis_whole(double largest);

/* Append the list of marks for gnuplot's "set xtics": ('0' 0, '100' 100). */
void plot_axis_add_tics(Text *script, const PlotAxis *axis);

#endif
