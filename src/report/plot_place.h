/*
 * Where the values of a sweep's axis, or numbers of rows, stand on a chart's x axis, and what the
 * marks say. Numbers stand by size, by their logarithms when the largest is a hundred times the
 * smallest; words stand one beside the other, on that side of the numbers where the scenario has
 * them.
 */
#ifndef KB_REPORT_PLOT_PLACE_H
#define KB_REPORT_PLOT_PLACE_H

#include "base/mem.h"
#include "base/text.h"

typedef struct PlotPlace {
    size_t value; /* index into the values */
    double x;
    const char *text; /* of its mark */
    bool is_word;
} PlotPlace;

typedef struct PlotPlaces {
    PlotPlace *items; /* from left to right */
    size_t count;
    bool logarithmic;
} PlotPlaces;

/* Places of texts such as "none", "1000" or "64MB"; 1 or more. In the arena, as all here. */
PlotPlaces plot_places_new(Arena *arena, const char *const *values, size_t count);

/* The list of marks for gnuplot's "set xtics" on an axis of that width; numbers whose marks would
 * run into others have none. */
const char *plot_places_tics(Arena *arena, const PlotPlaces *places, double width_px);

/* Whether no place is a number: then nothing lies between two of them, and bars show them. */
bool plot_places_are_words(const PlotPlaces *places);

/* The marks under groups of bars, in up to two lines each. */
const char *plot_places_columns(Arena *arena, const PlotPlaces *places, double width_px);

#endif
