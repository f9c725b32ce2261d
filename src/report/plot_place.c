#include "report/plot_place.h"

#include "report/axis.h"
#include "report/plot_text.h"

#include <math.h>
#include <stdlib.h>

enum { TIC_FONT = 12, TIC_GAP_PX = 12, FIRST_MAX_PX = 130 };

static const double LOGARITHMIC_FROM = 100; /* the largest over the smallest */
static const double WORD_STEP = 0.14;       /* of the numbers' width */

static int
compare_places(const void *left, const void *right)
{
    const PlotPlace *a = left, *b = right;

    if (a->x != b->x)
        return a->x < b->x ? -1 : 1;
    return a->value > b->value ? 1 : -1;
}

/* Numbers and their range. */
typedef struct Range {
    double low, high;
    size_t count;
    size_t low_at, high_at; /* in the values */
} Range;

static Range
find_range(const PlotPlaces *places)
{
    Range range = {.low = INFINITY, .high = -INFINITY};

    for (size_t i = 0; i < places->count; i++) {
        const PlotPlace *place = &places->items[i];

        if (place->is_word)
            continue;
        range.count++;
        if (place->x < range.low) {
            range.low = place->x;
            range.low_at = i;
        }
        if (place->x > range.high) {
            range.high = place->x;
            range.high_at = i;
        }
    }
    return range;
}

/* 0 to 1. */
static double
place_number(const Range *range, bool logarithmic, double number)
{
    if (logarithmic)
        return log(number / range->low) / log(range->high / range->low);
    return (number - range->low) / (range->high - range->low);
}

/* Whether words come after the numbers, in the order in which these grow. */
static bool
words_are_last(const PlotPlaces *places, const Range *range)
{
    bool first_is_word = places->items[0].is_word, last_is_word = false;

    last_is_word = places->items[places->count - 1].is_word;
    if (first_is_word == last_is_word)
        return true;
    return (range->low_at < range->high_at) == last_is_word;
}

static void
place_all(PlotPlaces *places, const Range *range)
{
    size_t word_count = places->count - range->count, word = 0;
    bool last = words_are_last(places, range);

    for (size_t i = 0; i < places->count; i++) {
        PlotPlace *place = &places->items[i];

        if (!place->is_word)
            place->x = place_number(range, places->logarithmic, place->x);
        else if (last)
            place->x = 1 + WORD_STEP * (double)++word;
        else
            place->x = -WORD_STEP * (double)(word_count - word++);
    }
}

PlotPlaces
plot_places_new(Arena *arena, const char *const *values, size_t count)
{
    PlotPlaces places = {.items = arena_alloc(arena, count, sizeof(PlotPlace)), .count = count};
    Range range;

    for (size_t i = 0; i < count; i++) {
        PlotPlace *place = &places.items[i];

        place->value = i;
        place->text = axis_print_value(arena, values[i]);
        place->is_word = !axis_read_number(values[i], &place->x);
    }
    range = find_range(&places);
    places.logarithmic =
        range.count > 1 && range.low > 0 && range.high >= LOGARITHMIC_FROM * range.low;
    if (range.count > 1 && range.high > range.low)
        place_all(&places, &range);
    else
        for (size_t i = 0; i < count; i++)
            places.items[i].x = (double)i;
    qsort(places.items, count, sizeof(*places.items), compare_places);
    return places;
}

/* Where a mark's text begins and ends, in pixels. */
typedef struct Extent {
    double from, to;
} Extent;

static Extent
extent_of(const PlotPlaces *places, size_t place, const char *text, double width_px)
{
    double first = places->items[0].x, span = places->items[places->count - 1].x - first;
    double middle = span > 0 ? (places->items[place].x - first) / span * width_px : 0;
    double half = (plot_text_width_px(text, TIC_FONT) + TIC_GAP_PX) / 2;

    return (Extent){middle - half, middle + half};
}

/* Words always have a mark, cut to the room between them; so has the last number. */
static const char *
mark_text(Arena *arena, const PlotPlaces *places, size_t place, double width_px)
{
    const PlotPlace *it = &places->items[place];
    double first = places->items[0].x, span = places->items[places->count - 1].x - first;
    double nearest =
        place == 0 ? FIRST_MAX_PX + TIC_GAP_PX : INFINITY; /* the chart's edge is near */

    if (!it->is_word)
        return it->text;
    for (size_t i = 0; i < places->count; i++)
        if (i != place)
            nearest = fmin(nearest, fabs(places->items[i].x - it->x) / span * width_px);
    return plot_text_cut(arena, it->text, TIC_FONT, nearest - TIC_GAP_PX);
}

const char *
plot_places_tics(Arena *arena, const PlotPlaces *places, double width_px)
{
    Text tics = {0};
    double left = INFINITY; /* from here on the axis is taken */
    double right =
        extent_of(places, 0, mark_text(arena, places, 0, width_px), width_px).to; /* up to here */
    const char *list = "";

    for (size_t i = places->count; i > 0; i--) { /* the last mark is kept, and the first */
        const char *text = mark_text(arena, places, i - 1, width_px);
        Extent extent = extent_of(places, i - 1, text, width_px);

        if (!places->items[i - 1].is_word &&
            (extent.to > left || (i > 1 && i < places->count && extent.from < right)))
            continue;
        left = extent.from;
        tics.length = 0;
        plot_text_quote(&tics, text);
        list = arena_printf(arena, "%s %.10g%s%s", tics.data, places->items[i - 1].x,
                            list[0] != '\0' ? ", " : "", list);
    }
    text_release(&tics);
    return arena_printf(arena, "(%s)", list);
}

bool
plot_places_are_words(const PlotPlaces *places)
{
    for (size_t i = 0; i < places->count; i++)
        if (!places->items[i].is_word)
            return false;
    return true;
}

const char *
plot_places_columns(Arena *arena, const PlotPlaces *places, double width_px)
{
    Text tics = {0};
    const char *list = "";

    for (size_t i = 0; i < places->count; i++) {
        const char *lines[PLOT_LINES_MAX];

        plot_text_break(arena, places->items[i].text, TIC_FONT,
                        width_px / (double)places->count - TIC_GAP_PX, lines);
        text_printf(&tics, "%s", i > 0 ? ", " : "");
        plot_text_quote(&tics, lines[0]);
        if (lines[1][0] != '\0') {
            text_add(&tics, ".\"\\n\".");
            plot_text_quote(&tics, lines[1]);
        }
        text_printf(&tics, " %.10g", places->items[i].x);
    }
    list = arena_printf(arena, "(%s)", tics.data);
    text_release(&tics);
    return list;
}
