/*
 * What the scripts of all kinds of charts share: sizes, colours, arrays, head and foot. Private to
 * plot_script.c and its plot_script_KIND.c.
 */
#ifndef KB_REPORT_PLOT_PARTS_H
#define KB_REPORT_PLOT_PARTS_H

#include "report/figure.h"
#include "report/plot_script.h"
#include "report/plot_title.h"

/* In pixels of the SVG; a PNG has twice as many. The scripts use the same fonts. */
enum {
    PLOT_WIDTH = 900,
    PLOT_EDGE = 24, /* free on all sides */
    PLOT_TITLE_FONT = 17,
    PLOT_FONT = 13,
    PLOT_SMALL_FONT = 10,
    PLOT_TITLE_LINE = 24, /* height */
    PLOT_FOOT = 80,       /* marks, their title, the last line */
};

/* The head of a chart takes this much. */
enum { PLOT_HEAD_ONE_LINE = 78 };

/* The colour of a design, the same on all charts: Okabe and Ito's, distinct to all eyes. */
const char *plot_color(size_t design);

void plot_add_number(Text *script, const char *name, double number);
void plot_add_text(Text *script, const char *name, const char *text);
void plot_add_numbers(Text *script, const char *name, const double *numbers, size_t count);
void plot_add_texts(Text *script, const char *name, const char *const *texts, size_t count);

/* Title in one or two lines, what was measured, and the result file's name. Returns the height of
 * the head. */
double plot_add_head(const PlotChart *chart, Text *script, const char *title);

/* Whether some design's figures of the chart's phases are contaminated. */
bool plot_is_tainted(const PlotChart *chart);

/* A title cut to what a sentence can bear; that of a design. */
const char *plot_cut_title(const PlotChart *chart, const char *title);
const char *plot_short_title(const PlotChart *chart, size_t design);

/* Names of all designs in up to two lines, their colours, and the room that the names need. */
void plot_add_designs(const PlotChart *chart, Text *script);

/* "book (Table 13-1)" of the published figures that bars show; "" without any. */
const char *plot_published(const PlotChart *chart, const MetricId *metrics, size_t metric_count);

/* The builders; false when nothing was measured. */
bool plot_add_bars(const PlotChart *chart, Text *script);
bool plot_add_batches(const PlotChart *chart, Text *script);
bool plot_add_wal(const PlotChart *chart, Text *script);
bool plot_add_axis(const PlotChart *chart, Text *script);
bool plot_add_phases(const PlotChart *chart, Text *script);

#endif
