/*
 * How wide a section is as text, so that the model can choose between two shapes and the text
 * renderer can align it.
 */
#ifndef KB_REPORT_LAYOUT_H
#define KB_REPORT_LAYOUT_H

#include "report/model.h"

enum {
    LAYOUT_COLUMN_GAP = 3,     /* blanks before a column */
    LAYOUT_PART_GAP = 2,       /* blanks between its parts */
    LAYOUT_PART_GAP_SMALL = 1, /* the same where the line would be too long */
};

typedef struct ColumnLayout {
    size_t part_width[REPORT_PARTS_MAX];
    size_t width; /* of the column: parts, title, spread */
} ColumnLayout;

/* The widths of one column. When title or spread need more than the parts, the first part grows. */
ColumnLayout layout_column(const ReportSection *section, size_t column, size_t part_gap);

/* The usual gap, or the small one for a section that is too wide with it. */
size_t layout_part_gap(const ReportSection *section);

/* Width of the rows' titles. */
size_t layout_head_width(const ReportSection *section);

/* The whole section in one piece. */
size_t layout_section_width(const ReportSection *section, size_t part_gap);

#endif
