/*
 * The checks of a result, said to people and to the tools of a build: text, TAP, JUnit, GitHub's
 * annotations and JSON.
 */
#ifndef KB_REPORT_CHECK_PRINT_H
#define KB_REPORT_CHECK_PRINT_H

#include "base/text.h"
#include "results/result.h"
#include "scenario/scenario.h"

/* What is said about. */
typedef struct CheckReport {
    const Result *result; /* with its checks */
    const Scenario *scenario;
    const char *path;          /* UTF-8, as all texts here */
    const char *baseline_path; /* NULL: none */
    bool color;                /* text only */
    bool failures_only;        /* text and Markdown only */
} CheckReport;

/* Each appends to `out`. */
void check_print_text(const CheckReport *report, Text *out);
void check_print_markdown(const CheckReport *report, Text *out);
void check_print_tap(const CheckReport *report, Text *out);
void check_print_junit(const CheckReport *report, Text *out);
void check_print_json(const CheckReport *report, Text *out);

/* "::error ..." of GitHub Actions for each check that does not pass.
 * Source   GitHub documentation, "Workflow commands for GitHub Actions", setting an error message
 */
void check_print_github(const CheckReport *report, Text *out);

#endif
