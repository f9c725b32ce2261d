#include "report/plot_title.h"

#include "base/text.h"

#include <math.h>
#include <string.h>

enum { ALL_NAMED_MAX = 3 }; /* designs; of more only the extremes are named */

static const double ALIKE = 1.05;    /* figures within this factor are called alike */
static const double CLIMBING = 1.2;  /* from the first batch to the last */
static const double FLAT_SHARE = .2; /* of its most, by how much a flat line varies */
static const double FLAT_COUNT = 2;

/* How one figure over another reads: LARGER, `before`, ratio, `after`, SMALLER, `end`. */
typedef struct Phrase {
    MetricId metric;
    const char *before, *after, *end;
} Phrase;

static const Phrase PHRASES[] = {
    {METRIC_WAL_BYTES, " writes", "the WAL of", ""},
    {METRIC_WAL_RECORD_COUNT, " writes", "the WAL records of", ""},
    {METRIC_FPI_COUNT, " writes", "the full-page images of", ""},
    {METRIC_FPI_BYTES, " writes", "the bytes in full-page images of", ""},
    {METRIC_DIRTIED_PAGES, " dirties", "the buffers of", ""},
    {METRIC_READ_PAGES, " reads", "the buffers of", ""},
    {METRIC_ELAPSED_MS, " takes", "the time of", " (in this run)"},
    {METRIC_INDEX_BYTES, "'s index is", "that of", ""},
    {METRIC_LEAF_PAGES, " needs", "the leaf pages of", ""},
    {METRIC_HEAP_BYTES, "'s heap is", "that of", ""},
};

/* Percentages from 1% up without a fraction. */
static const char *
print_figure(Arena *arena, MetricId metric, double value)
{
    bool whole = METRICS[metric].unit == METRIC_UNIT_PCT && value >= 1;
    char text[METRIC_TEXT_SIZE];

    figure_print_short(metric, whole ? round(value) : value, text);
    return arena_text(arena, text);
}

/* A copy, largest value first; equal ones keep their order. */
static TitleEntries
sort(Arena *arena, const TitleEntries *entries)
{
    TitleEntries sorted = {.items = arena_alloc(arena, entries->count, sizeof(TitleEntry)),
                           .count = entries->count};

    for (size_t i = 0; i < entries->count; i++) {
        size_t at = i;

        for (; at > 0 && sorted.items[at - 1].value < entries->items[i].value; at--)
            sorted.items[at] = sorted.items[at - 1];
        sorted.items[at] = entries->items[i];
    }
    return sorted;
}

/* The one that reaches the most before the others, which keep their order. */
static TitleEntries
put_highest_first(TitleEntries entries)
{
    size_t highest = 0;
    TitleEntry entry;

    for (size_t i = 1; i < entries.count; i++)
        if (entries.items[i].high > entries.items[highest].high)
            highest = i;
    entry = entries.items[highest];
    for (; highest > 0; highest--)
        entries.items[highest] = entries.items[highest - 1];
    entries.items[0] = entry;
    return entries;
}

/* "bigint", "bigint and UUIDv7", "bigint, UUIDv4 and UUIDv7" */
static const char *
join(Arena *arena, const TitleEntry *entries, size_t count)
{
    const char *text = entries[0].title;

    for (size_t i = 1; i < count; i++)
        text =
            arena_printf(arena, "%s%s%s", text, i + 1 == count ? " and " : ", ", entries[i].title);
    return text;
}

const char *
plot_title_ratio(Arena *arena, MetricId metric, const char *larger, double ratio_value,
                 const char *smaller)
{
    char ratio[METRIC_TEXT_SIZE];

    figure_print_ratio(ratio_value, ratio);
    for (size_t i = 0; i < sizeof(PHRASES) / sizeof(PHRASES[0]); i++)
        if (PHRASES[i].metric == metric)
            return arena_printf(arena, "%s%s %s %s %s%s", larger, PHRASES[i].before, ratio,
                                PHRASES[i].after, smaller, PHRASES[i].end);
    return arena_printf(arena, "%s has %s the %s of %s", larger, ratio, METRICS[metric].title,
                        smaller);
}

/* Designs whose percentages read alike share one: "72% with UUIDv4, 90% with bigint and UUIDv7". */
static const char *
title_percentages(Arena *arena, MetricId metric, const TitleEntries *sorted)
{
    const char *text = "";
    size_t end = sorted->count;

    while (end > 0) { /* from the lowest up */
        const char *figure = print_figure(arena, metric, sorted->items[end - 1].value);
        size_t first = end - 1;

        while (first > 0 &&
               strcmp(print_figure(arena, metric, sorted->items[first - 1].value), figure) == 0)
            first--;
        text = arena_printf(arena, "%s%s%s%s with %s", text, text[0] != '\0' ? ", " : "", figure,
                            text[0] == '\0' && metric == METRIC_LEAF_DENSITY_PCT ? " full" : "",
                            join(arena, &sorted->items[first], end - first));
        end = first;
    }
    return text;
}

static const char *
title_range(Arena *arena, MetricId metric, const TitleEntries *sorted)
{
    const TitleEntry *most = &sorted->items[0], *least = &sorted->items[sorted->count - 1];

    return arena_printf(arena, "%s (%s) to %s (%s)", print_figure(arena, metric, least->value),
                        least->title, print_figure(arena, metric, most->value), most->title);
}

static const char *
title_pct(Arena *arena, MetricId metric, const TitleEntries *sorted)
{
    const char *start = metric == METRIC_LEAF_DENSITY_PCT
                            ? "Leaves are "
                            : arena_printf(arena, "%s: ", METRICS[metric].title);

    if (sorted->count > ALL_NAMED_MAX)
        return arena_printf(arena, "%s%s%s", start, title_range(arena, metric, sorted),
                            metric == METRIC_LEAF_DENSITY_PCT ? " full" : "");
    return arena_printf(arena, "%s%s", start, title_percentages(arena, metric, sorted));
}

const char *
plot_title_bars(Arena *arena, MetricId metric, const TitleEntries *entries)
{
    TitleEntries sorted = sort(arena, entries);
    const TitleEntry *most = &sorted.items[0], *least = &sorted.items[sorted.count - 1];
    const TitleEntry *other = least;

    if (METRICS[metric].unit == METRIC_UNIT_PCT)
        return title_pct(arena, metric, &sorted);
    if (sorted.count == 1)
        return arena_printf(arena, "%s: %s %s", most->title, METRICS[metric].title,
                            print_figure(arena, metric, most->value));
    if (most->value <= ALIKE * least->value)
        return arena_printf(arena, "%s: all alike, %s to %s", METRICS[metric].title,
                            print_figure(arena, metric, least->value),
                            print_figure(arena, metric, most->value));
    if (sorted.count <= ALL_NAMED_MAX && most->value > ALIKE * sorted.items[1].value)
        other = &sorted.items[1];
    if (other->value <= 0 || entries->no_ratio)
        return arena_printf(arena, "%s: %s", METRICS[metric].title,
                            title_range(arena, metric, &sorted));
    return plot_title_ratio(arena, metric, most->title, most->value / other->value, other->title);
}

const char *
plot_title_second(Arena *arena, MetricId metric, const TitleEntries *entries)
{
    TitleEntries sorted = sort(arena, entries);

    if (round(sorted.items[0].value) == 0)
        return "";
    return arena_printf(arena, "; %s reaches %s with %s", METRICS[metric].title,
                        print_figure(arena, metric, sorted.items[0].value), sorted.items[0].title);
}

/* What the designs below the topmost do. */
static const char *
title_others(Arena *arena, MetricId metric, const TitleEntries *sorted)
{
    const TitleEntry *others = sorted->items + 1;
    size_t count = sorted->count - 1;
    double low, high;

    if (count == 0)
        return "";
    if (count >= ALL_NAMED_MAX)
        return arena_printf(arena, "; the lowest, %s, ends at %s", others[count - 1].title,
                            print_figure(arena, metric, others[count - 1].value));
    low = others[0].low;
    high = others[0].high;
    for (size_t i = 1; i < count; i++) {
        low = fmin(low, others[i].low);
        high = fmax(high, others[i].high);
    }
    if (low == high)
        return arena_printf(arena, "; %s %s at %s", join(arena, others, count),
                            count > 1 ? "stay" : "stays", print_figure(arena, metric, high));
    return arena_printf(arena, "; %s %s at %s to %s", join(arena, others, count),
                        count > 1 ? "stay" : "stays", print_figure(arena, metric, low),
                        print_figure(arena, metric, high));
}

/* Whether a line of small counts goes up and down by one or two. */
static bool
is_flat(MetricId metric, const TitleEntry *line)
{
    MetricUnit unit = METRICS[metric].unit;

    return (unit == METRIC_UNIT_COUNT || unit == METRIC_UNIT_PAGES) &&
           line->high - line->low <= FLAT_COUNT;
}

/* "climb from 4,799 to 9,278"; `s` is the ending of a verb whose subject is one thing. */
static const char *
title_course(Arena *arena, MetricId metric, const TitleEntry *top, const char *s)
{
    const char *first = print_figure(arena, metric, top->first);
    const char *last = print_figure(arena, metric, top->value);

    if (is_flat(metric, top) && top->low < top->high)
        return arena_printf(arena, "stay%s at %s to %s", s, print_figure(arena, metric, top->low),
                            print_figure(arena, metric, top->high));
    if (top->high > CLIMBING * fmax(top->first, top->value) && !is_flat(metric, top))
        return arena_printf(arena, "go%s up and down between %s and %s", s[0] != '\0' ? "es" : "",
                            print_figure(arena, metric, top->low),
                            print_figure(arena, metric, top->high));
    if (top->value >= CLIMBING * top->first && top->value > 0)
        return arena_printf(arena, "climb%s from %s to %s", s, first, last);
    if (top->first >= CLIMBING * top->value && top->first > 0)
        return arena_printf(arena, "fall%s from %s to %s", s, first, last);
    if (top->high - top->low <= FLAT_SHARE * top->high)
        return arena_printf(arena, "stay%s near %s", s, last);
    return arena_printf(arena, "var%s between %s and %s", s[0] == '\0' ? "y" : "ies",
                        print_figure(arena, metric, top->low),
                        print_figure(arena, metric, top->high));
}

const char *
plot_title_course(Arena *arena, MetricId metric, const char *per, const TitleEntries *entries)
{
    TitleEntries sorted = put_highest_first(sort(arena, entries));
    const char *subject = METRICS[metric].title;
    bool plural = subject[strlen(subject) - 1] == 's';

    return arena_printf(arena, "%s: %s %s%s%s", sorted.items[0].title, subject,
                        title_course(arena, metric, &sorted.items[0], plural ? "" : "s"), per,
                        title_others(arena, metric, &sorted));
}

static const char *
print_share(Arena *arena, double pct)
{
    return arena_printf(arena, "%.*f%%", pct > 0 && pct < 1 ? 1 : 0, pct);
}

const char *
plot_title_wal(Arena *arena, const TitleEntries *entries)
{
    TitleEntries sorted = sort(arena, entries);
    size_t count = sorted.count;
    const char *text =
        arena_printf(arena, "Full-page images are %s of %s's WAL",
                     print_share(arena, sorted.items[0].value), sorted.items[0].title);

    if (count > ALL_NAMED_MAX) {
        sorted.items[1] = sorted.items[count - 1];
        count = 2;
    }
    for (size_t i = 1; i < count; i++)
        text = arena_printf(arena, "%s%s%s of %s's", text, i + 1 == count ? " and " : ", ",
                            print_share(arena, sorted.items[i].value), sorted.items[i].title);
    return text;
}
