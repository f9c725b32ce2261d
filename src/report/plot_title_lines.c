#include "report/plot_title.h"

#include <math.h>
#include <string.h>

enum { ALL_NAMED_MAX = 3 }; /* lines; of more the topmost is compared with the lowest */

static const double ALIKE = 1.05; /* figures within this factor are called alike */

/* One line over another, or over what all are divided by. */
typedef struct Course {
    const char *larger, *smaller; /* smaller NULL: no ratio */
    double *value;                /* by place */
    size_t low, high;             /* places of the least and the most */
    size_t known;
    size_t line;
} Course;

/* Find the least and the most. */
static void
find_ends(const TitleLines *lines, Course *course)
{
    for (size_t place = 0; place < lines->place_count; place++) {
        double value = course->value[place];

        if (!isfinite(value))
            continue;
        if (course->known == 0 || value < course->value[course->low])
            course->low = place;
        if (course->known == 0 || value > course->value[course->high])
            course->high = place;
        course->known++;
    }
}

static Course
course_of_line(const TitleLines *lines, size_t line)
{
    Course course = {.larger = lines->titles[line],
                     .smaller = lines->over,
                     .value = lines->values[line],
                     .line = line};

    find_ends(lines, &course);
    return course;
}

static double
spread_of(const Course *course)
{
    return course->value[course->high] - course->value[course->low];
}

/* The line that reaches the most. */
static Course
find_topmost(const TitleLines *lines)
{
    Course best = {.known = 0};

    for (size_t i = 0; i < lines->count; i++) {
        Course course = course_of_line(lines, i);

        if (course.known > 0 &&
            (best.known == 0 || course.value[course.high] > best.value[best.high]))
            best = course;
    }
    return best;
}

/* Whether lines differ by their designs alone. */
static bool
can_compare(const TitleLines *lines, size_t a, size_t b)
{
    return lines->designs[a] != lines->designs[b] &&
           (lines->variants[a][0] == '\0' || lines->variants[b][0] == '\0' ||
            strcmp(lines->variants[a], lines->variants[b]) == 0);
}

/* What the topmost line is compared with, where it is highest: the next of few, else the least. */
static size_t
find_rival(const TitleLines *lines, const Course *top)
{
    size_t next = lines->count, least = lines->count;

    for (size_t i = 0; i < lines->count; i++) {
        double value = lines->values[i][top->high];

        if (isnan(value) || !can_compare(lines, top->line, i))
            continue;
        if (next == lines->count || value > lines->values[next][top->high])
            next = i;
        if (least == lines->count || value < lines->values[least][top->high])
            least = i;
    }
    if (lines->count <= ALL_NAMED_MAX && next < lines->count &&
        top->value[top->high] > ALIKE * lines->values[next][top->high])
        return next;
    return least;
}

/* The topmost line over its rival, at all places; `known` 0 when there is no such ratio. */
static Course
find_ratio(Arena *arena, const TitleLines *lines, const Course *top)
{
    Course ratio = {.larger = top->larger};
    size_t rival;

    if (lines->over != NULL)
        return *top;
    rival = find_rival(lines, top);
    if (rival == lines->count || lines->no_ratio)
        return ratio;
    ratio.smaller = lines->titles[rival];
    ratio.value = arena_alloc(arena, lines->place_count, sizeof(double));
    for (size_t place = 0; place < lines->place_count; place++)
        ratio.value[place] = top->value[place] / lines->values[rival][place];
    find_ends(lines, &ratio);
    return ratio;
}

static const char *
print_ratio(Arena *arena, double ratio)
{
    char text[METRIC_TEXT_SIZE];

    figure_print_ratio(ratio, text);
    return arena_text(arena, text);
}

static const char *
title_ratio(Arena *arena, MetricId metric, const TitleLines *lines, const Course *course)
{
    double low = course->value[course->low], high = course->value[course->high];
    const char *start = plot_title_ratio(arena, metric, course->larger, high, course->smaller);

    if (high <= ALIKE * low)
        return arena_printf(arena, "%s, whatever the %s", start, lines->what);
    return arena_printf(arena, "%s %s %s, %s %s %s", start, lines->preposition,
                        lines->places[course->high], print_ratio(arena, low), lines->preposition,
                        lines->marks[course->low]);
}

static const char *
title_figure(Arena *arena, MetricId metric, const TitleLines *lines, const Course *course)
{
    double low = course->value[course->low], high = course->value[course->high];
    const char *subject = METRICS[metric].title;
    const char *verb = subject[strlen(subject) - 1] == 's' ? "are" : "is";
    char text[METRIC_TEXT_SIZE], other[METRIC_TEXT_SIZE];

    figure_print_short(metric, high, text);
    figure_print_short(metric, low, other);
    if (high <= ALIKE * low || strcmp(text, other) == 0)
        return arena_printf(arena, "%s: %s %s %s, whatever the %s", course->larger, subject, verb,
                            text, lines->what);
    return arena_printf(arena, "%s: %s %s %s %s %s, %s %s %s", course->larger, subject, verb, text,
                        lines->preposition, lines->places[course->high], other, lines->preposition,
                        lines->marks[course->low]);
}

static bool
is_level(const Course *course)
{
    return course->known == 0 || course->value[course->high] <= ALIKE * course->value[course->low];
}

/* Lines of percentages: all of them when none goes up or down, else the one that does it most. */
static const char *
title_percentages(Arena *arena, MetricId metric, const TitleLines *lines)
{
    TitleEntries entries = {.items = arena_alloc(arena, lines->count, sizeof(TitleEntry))};
    Course widest = {.known = 0};

    for (size_t i = 0; i < lines->count; i++) {
        Course course = course_of_line(lines, i);

        if (course.known > 0)
            entries.items[entries.count++] =
                (TitleEntry){.title = course.larger, .value = course.value[course.high]};
        if (!is_level(&course) && (widest.known == 0 || spread_of(&course) > spread_of(&widest)))
            widest = course;
    }
    if (widest.known > 0)
        return title_figure(arena, metric, lines, &widest);
    return arena_printf(arena, "%s, whatever the %s", plot_title_bars(arena, metric, &entries),
                        lines->what);
}

const char *
plot_title_lines(Arena *arena, MetricId metric, const TitleLines *lines)
{
    Course top = find_topmost(lines), ratio;

    if (top.known == 0)
        return METRICS[metric].title;
    ratio = find_ratio(arena, lines, &top);
    if (METRICS[metric].unit == METRIC_UNIT_PCT)
        return title_percentages(arena, metric, lines);
    if (ratio.known > 0 && ratio.value[ratio.high] > ALIKE)
        return title_ratio(arena, metric, lines, &ratio);
    if (lines->over != NULL)
        return arena_printf(arena, "%s: %s at most %s that of %s", METRICS[metric].title,
                            top.larger, print_ratio(arena, top.value[top.high]), lines->over);
    return title_figure(arena, metric, lines, &top);
}
