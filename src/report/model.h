/*
 * What a report says, before it has a format: a heading, facts, and sections of rows and columns
 * whose cells are finished texts. The builders make it from a result and its scenario; the
 * renderers know nothing else.
 */
#ifndef KB_REPORT_MODEL_H
#define KB_REPORT_MODEL_H

#include "report/points.h"

enum {
    REPORT_PARTS_MAX = 3, /* of a column: measured, published, deviation */
    REPORT_WIDTH = 100,   /* characters of a line of text */
};

typedef enum ReportTone {
    REPORT_PLAIN,
    REPORT_GOOD,
    REPORT_BAD,
    REPORT_WARNING,
} ReportTone;

typedef struct ReportCell {
    const char *part[REPORT_PARTS_MAX]; /* "129.9 MB", "130 MB", "-0.1%"; NULL: nothing */
    const char *below;                  /* the spread of the repeats; NULL: nothing */
    double value, reference;            /* the figures behind the texts; NAN: none */
    ReportTone tone;
} ReportCell;

typedef struct ReportColumn {
    const char *title;
    const char *part[REPORT_PARTS_MAX]; /* headings below the title; NULL: none */
    size_t part_count;
    bool is_text; /* flush left */
} ReportColumn;

typedef struct ReportRow {
    const char *title;
    ReportCell *cells; /* one a column */
} ReportRow;

typedef struct ReportNote {
    ReportTone tone;
    const char *text;
} ReportNote;

typedef struct ReportSection {
    const char *title; /* NULL: it belongs to the section before */
    const char *about; /* one line under the title; NULL: none */
    const char *head;  /* heading of the rows' titles */
    ReportColumn *columns;
    size_t column_count;
    ReportRow *rows;
    size_t row_count;
    ReportNote *notes;
    size_t note_count;
} ReportSection;

/* One line over everything: server, settings, units. */
typedef struct ReportFact {
    const char *name, *text;
    ReportTone tone;
} ReportFact;

typedef struct ReportModel {
    Arena *arena;
    const char *title;
    ReportFact *facts;
    size_t fact_count;
    ReportSection *sections;
    size_t section_count;
} ReportModel;

/* Build from a result and its points; the caller releases with report_model_release. The texts live
 * in the model's arena, with control characters turned into blanks. */
void report_model_init(ReportModel *model, const Result *result, const ResultPoints *points);
void report_model_release(ReportModel *model);

/* Whether a section's columns have headings for their parts. */
bool report_section_has_parts(const ReportSection *section);

#endif
