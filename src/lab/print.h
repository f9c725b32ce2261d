/*
 * What a lab found, for people, for prove(1), for a build server and for programs; and what a
 * chapter holds, without a server.
 */
#ifndef KB_LAB_PRINT_H
#define KB_LAB_PRINT_H

#include "base/text.h"
#include "lab/lab.h"

#include <stdio.h>

/* Text for people goes out claim by claim; all else remembers nothing between two calls. */
typedef struct LabPrinter {
    FILE *stream;
    bool colour;
    const Library *library;
    size_t chapter; /* whose heading was printed last, plus one */
    size_t count;   /* of TAP's tests so far */
} LabPrinter;

/* One claim's outcome, with its chapter's heading before the first. */
void print_text_outcome(LabPrinter *printer, size_t chapter, size_t claim, const Outcome *outcome);

/* The closing count: "64 claims on PostgreSQL 18.4 in 58.2 s: 64 ok". */
void print_text_end(const LabPrinter *printer, const Lab *lab);

/* The same as TAP, version 12, as prove reads it. `error` is NULL when the lab came to its end. */
void print_tap_outcome(LabPrinter *printer, size_t chapter, size_t claim, const Outcome *outcome);
void print_tap_end(const LabPrinter *printer, const char *error);

/* The whole lab as JSON, "keybench-lab/1" of docs/lab.md; caller frees with free(). `error` is NULL
 * when the lab came to its end. */
char *print_json(const Lab *lab, unsigned scale, const char *error);

/* The whole lab as JUnit XML, appended. */
void print_junit(const Lab *lab, Text *xml);

/* What is chosen of a library: chapters with their claims, or each claim in full. */
void print_list(const Library *library, FILE *stream);
void print_explained(const Library *library, FILE *stream);

/* A step or an answer, as `-v` shows it. */
void print_event(const ProveEvent *event, FILE *stream);

/* Append the values that a claim showed, on one line: "ids: 1, 3; next: 4". */
void outcome_values(const Outcome *outcome, Text *text);

/* "ok", "FAIL", "skip" */
const char *verdict_word(Verdict verdict);

#endif
