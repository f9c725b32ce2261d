#include "report/plot_axis.h"

#include "base/units.h"

#include <math.h>

enum { MARKS_WANTED = 6, DECIMALS_MAX = 6, EACH_MARKED_MAX = 12 };

/* Sizes from `from_bytes` on are drawn in this unit. */
static const struct {
    double from_bytes, scale;
    const char *unit;
} BYTE_SCALES[] = {
    {10737418240.0, 1073741824.0, "GB (2^30 bytes)"},
    {1048576.0, 1048576.0, "MB (2^20 bytes)"},
    {0, 1024.0, "kB (2^10 bytes)"},
};

/* The smallest of 1, 2, 2.5, 5 times a power of ten that is at least `least`. */
static double
round_step(double least)
{
    static const double STEPS[] = {1, 2, 2.5, 5};
    double power = pow(10, floor(log10(least)));

    for (size_t i = 0; i < sizeof(STEPS) / sizeof(STEPS[0]); i++)
        if (STEPS[i] * power >= least * (1 - 1e-9))
            return STEPS[i] * power;
    return 10 * power;
}

static void
set_marks(PlotAxis *axis, double largest)
{
    axis->step = round_step(largest / MARKS_WANTED);
    axis->max = axis->step * ceil(largest / axis->step - 1e-9);
}

PlotAxis
plot_axis_new(MetricId metric, double largest)
{
    PlotAxis axis = {.scale = 1, .unit = ""};
    size_t i = 0;

    switch (METRICS[metric].unit) {
    case METRIC_UNIT_BYTES:
        while (largest < BYTE_SCALES[i].from_bytes)
            i++;
        axis.scale = BYTE_SCALES[i].scale;
        axis.unit = BYTE_SCALES[i].unit;
        break;
    case METRIC_UNIT_PCT:
        axis.unit = "%";
        largest = fmax(largest, 100);
        break;
    case METRIC_UNIT_MS:
        axis.unit = "ms";
        break;
    case METRIC_UNIT_US:
        axis.unit = "us";
        break;
    case METRIC_UNIT_PER_S: /* their titles say it */
    case METRIC_UNIT_COUNT:
    case METRIC_UNIT_ROWS:
    case METRIC_UNIT_PAGES:
        break;
    }
    set_marks(&axis, largest > 0 ? largest / axis.scale : 1);
    return axis;
}

PlotAxis
plot_axis_whole(double largest)
{
    PlotAxis axis = {.scale = 1, .unit = ""};

    set_marks(&axis, largest);
    axis.step = largest <= EACH_MARKED_MAX ? 1 : fmax(1, ceil(axis.step));
    axis.max = largest;
    return axis;
}

/* How many digits behind the point the marks need. */
static int
mark_decimals(double step)
{
    int decimals = 0;

    while (decimals < DECIMALS_MAX && fabs(step - round(step)) > 1e-9) {
        step *= 10;
        decimals++;
    }
    return decimals;
}

void
plot_axis_add_tics(Text *script, const PlotAxis *axis)
{
    int decimals = mark_decimals(axis->step);

    text_add(script, "(");
    for (int i = 0; i * axis->step <= axis->max * (1 + 1e-9); i++) {
        char text[UNITS_TEXT_SIZE];

        units_print_count(i * axis->step, text, sizeof(text));
        if (decimals > 0)
            snprintf(text, sizeof(text), "%.*f", decimals, i * axis->step);
        text_printf(script, "%s'%s' %.10g", i > 0 ? ", " : "", text, i * axis->step);
    }
    text_add(script, ")");
}
