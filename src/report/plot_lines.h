/*
 * Lines over places: the batches of a phase, phases, or the values of a sweep's axis. Whoever knows
 * what the lines are fills this in; how they are labelled and scaled is decided here. Private to
 * the charts.
 */
#ifndef KB_REPORT_PLOT_LINES_H
#define KB_REPORT_PLOT_LINES_H

#include "report/plot_axis.h"
#include "report/plot_parts.h"

typedef struct PlotLine {
    const char *title; /* "UUIDv4", "UUIDv4, writers=8" */
    const char *color;
    size_t dash;       /* 1: none */
    double *value;     /* by place, in the metric's unit or as a ratio; NAN: none */
    double *published; /* likewise */
} PlotLine;

typedef struct PlotLines {
    MetricId metric;
    const char *over; /* the values are ratios to this design; NULL: figures */
    PlotLine *items;
    size_t count;
    double *x; /* of each place, ascending */
    bool *gap; /* whether lines are broken before a place */
    size_t place_count;
    Text sources; /* of what was published; released by plot_lines_add */
    /* set by the caller once title and widths are known */
    const char *axis_title, *x_title, *x_tics;
    bool marks; /* each place is marked */
    bool bars;  /* a group of bars at each place, x counting by ones: nothing lies between them */
} PlotLines;

/* Room for lines and places, all unknown; x counts from 1. */
PlotLines plot_lines_new(const PlotChart *chart, MetricId metric, size_t line_count,
                         size_t place_count);

/* Add what was published about a figure; NULL: nothing. */
void plot_lines_publish(PlotLines *lines, size_t line, size_t place, const Reference *reference);

/* Lines that have a value. */
size_t plot_lines_known(const PlotLines *lines);

/* First and last value, least and most of a line; value NAN when it has none. */
TitleEntry plot_lines_summarize(const PlotLines *lines, size_t line);

/* How many pixels lie between the first place and the last. */
double plot_lines_width_px(const PlotChart *chart, const PlotLines *lines);

/* The axis that all values and published figures fit. */
PlotAxis plot_lines_axis(const PlotLines *lines);

/* Add head and all variables of lines.gp; lines->sources is released. */
void plot_lines_add(const PlotChart *chart, Text *script, const char *title, PlotLines *lines);

#endif
