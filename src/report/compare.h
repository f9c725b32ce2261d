/*
 * Results side by side: every figure of each design and phase in a base and a new result, their
 * ratio, and what to think of it. What may not be compared has no ratio but a reason.
 */
#ifndef KB_REPORT_COMPARE_H
#define KB_REPORT_COMPARE_H

#include "base/diag.h"
#include "base/stats.h"
#include "base/text.h"
#include "report/figure.h"
#include "report/tolerance.h"
#include "results/result.h"

typedef enum CompareVerdict {
    COMPARE_IDENTICAL,
    COMPARE_WITHIN,      /* the tolerance */
    COMPARE_NO_EVIDENCE, /* of a difference: the interval of a time's ratio holds 1 */
    COMPARE_BETTER,
    COMPARE_WORSE,
    COMPARE_NOT,
    COMPARE_VERDICT_COUNT,
} CompareVerdict;

extern const char *const COMPARE_VERDICTS[COMPARE_VERDICT_COUNT]; /* "within tolerance" */

/* One figure of a phase. */
typedef struct CompareFigure {
    const ResultPair *pair; /* its point */
    Figure figure;
    Measured base, now;
    double ratio;      /* of the medians, new over base; NAN: none, as of percentages and of times
                          without evidence of a difference */
    Interval interval; /* 95%, of a time's ratio; NAN: none */
    Tolerance tolerance;
    CompareVerdict verdict;
    const char *reason; /* why it may not be compared; else NULL */
} CompareFigure;

/* One new result against the base. */
typedef struct Comparison {
    const Result *base, *now;
    ResultPairs pairs;
    CompareFigure *figures; /* by point, phase, design, metric; what no side has is left out */
    size_t figure_count;
} Comparison;

/*
 * Compare. Both results are borrowed and must outlive the comparison; the caller releases with
 * comparison_release, also after a failure.
 * Returns   STATUS_SCENARIO when the scenario inside a result cannot be read
 */
Status comparison_init(Comparison *comparison, const Result *base, const Result *now,
                       Diag *diag) MUST_USE;
void comparison_release(Comparison *comparison); /* accepts one that is all zero */

/* How many figures have this verdict. */
size_t comparison_count(const Comparison *comparison, CompareVerdict verdict);

typedef enum CompareFormat {
    COMPARE_TEXT,
    COMPARE_MARKDOWN,
    COMPARE_CSV, /* one row a figure, with a header */
    COMPARE_JSON,
} CompareFormat;

/* The whole of what `keybench compare` says. */
typedef struct CompareReport {
    const char *base_path;    /* UTF-8, as all texts here */
    const char *const *paths; /* of the new results */
    const Comparison *comparisons;
    size_t count;
    bool all; /* text and Markdown: also the lesser figures that are as they were */
    bool color;
} CompareReport;

/* Append the report in a format to `out`. */
void compare_print(const CompareReport *report, CompareFormat format, Text *out);

#endif
