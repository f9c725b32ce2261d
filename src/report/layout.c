#include "report/layout.h"

#include "base/text.h"

static void
grow(size_t *width, const char *text)
{
    if (text != NULL && text_width(text) > *width)
        *width = text_width(text);
}

static size_t
parts_width(const ReportColumn *column, const ColumnLayout *layout, size_t part_gap)
{
    size_t width = part_gap * (column->part_count - 1);

    for (size_t part = 0; part < column->part_count; part++)
        width += layout->part_width[part];
    return width;
}

ColumnLayout
layout_column(const ReportSection *section, size_t column, size_t part_gap)
{
    const ReportColumn *it = &section->columns[column];
    ColumnLayout layout = {.width = 0};
    size_t parts;

    grow(&layout.width, it->title);
    for (size_t part = 0; part < it->part_count; part++)
        grow(&layout.part_width[part], it->part[part]);
    for (size_t row = 0; row < section->row_count; row++) {
        const ReportCell *cell = &section->rows[row].cells[column];

        grow(&layout.width, cell->below);
        for (size_t part = 0; part < it->part_count; part++)
            grow(&layout.part_width[part], cell->part[part]);
    }
    parts = parts_width(it, &layout, part_gap);
    if (layout.width > parts)
        layout.part_width[0] += layout.width - parts;
    else
        layout.width = parts;
    return layout;
}

size_t
layout_head_width(const ReportSection *section)
{
    size_t width = 0;

    grow(&width, section->head);
    for (size_t row = 0; row < section->row_count; row++)
        grow(&width, section->rows[row].title);
    return width;
}

size_t
layout_section_width(const ReportSection *section, size_t part_gap)
{
    size_t width = layout_head_width(section);

    for (size_t column = 0; column < section->column_count; column++)
        width += LAYOUT_COLUMN_GAP + layout_column(section, column, part_gap).width;
    return width;
}

size_t
layout_part_gap(const ReportSection *section)
{
    return layout_section_width(section, LAYOUT_PART_GAP) <= REPORT_WIDTH ? LAYOUT_PART_GAP
                                                                          : LAYOUT_PART_GAP_SMALL;
}
