#include "report/layout.h"
#include "report/render.h"

#include <string.h>

static const char COLOR_RESET[] = "\033[0m";
static const char COLOR_TITLE[] = "\033[1m";
static const char *const TONE_COLORS[] = {
    [REPORT_PLAIN] = "",
    [REPORT_GOOD] = "\033[32m",
    [REPORT_BAD] = "\033[1;31m",
    [REPORT_WARNING] = "\033[33m",
};

/* The columns of a section that stand side by side. */
typedef struct Block {
    const ReportSection *section;
    size_t first, end;
    size_t head_width, part_gap;
    const ColumnLayout *layouts; /* of all columns */
} Block;

static void
add_blanks(Text *out, size_t count)
{
    while (count-- > 0)
        text_add(out, " ");
}

static void
add_rule(Text *out, size_t count)
{
    while (count-- > 0)
        text_add(out, "-");
}

/* Cut blanks at the end of a line, and end it. */
static void
end_line(Text *out)
{
    while (out->length > 0 && out->data[out->length - 1] == ' ')
        out->data[--out->length] = '\0';
    text_add(out, "\n");
}

static void
add_left(Text *out, const char *text, size_t width)
{
    text_add(out, text);
    add_blanks(out, width - text_width(text));
}

static void
add_right(Text *out, const char *text, size_t width)
{
    add_blanks(out, width - text_width(text));
    text_add(out, text);
}

static void
add_aligned(Text *out, const char *text, size_t width, bool left)
{
    if (left)
        add_left(out, text, width);
    else
        add_right(out, text, width);
}

static const char *
or_empty(const char *text)
{
    return text != NULL ? text : "";
}

/* Parts of one cell, or of a column's headings, each at its width. */
static void
add_parts(Text *out, const Block *block, size_t column, const char *const *parts)
{
    const ReportColumn *it = &block->section->columns[column];

    add_blanks(out, LAYOUT_COLUMN_GAP);
    for (size_t part = 0; part < it->part_count; part++) {
        if (part > 0)
            add_blanks(out, block->part_gap);
        add_aligned(out, or_empty(parts[part]), block->layouts[column].part_width[part],
                    it->is_text);
    }
}

static void
add_titles(Text *out, const Block *block, bool with_parts)
{
    add_left(out, with_parts ? "" : or_empty(block->section->head), block->head_width);
    for (size_t i = block->first; i < block->end; i++) {
        const ReportColumn *column = &block->section->columns[i];
        size_t width = block->layouts[i].width;
        size_t before = (width - text_width(column->title)) / 2;

        add_blanks(out, LAYOUT_COLUMN_GAP);
        if (column->part_count > 1) { /* in the middle over its parts */
            add_blanks(out, before);
            add_left(out, column->title, width - before);
        } else {
            add_aligned(out, column->title, width, column->is_text);
        }
    }
    end_line(out);
}

static void
add_headings(Text *out, const Block *block)
{
    add_left(out, or_empty(block->section->head), block->head_width);
    for (size_t i = block->first; i < block->end; i++)
        add_parts(out, block, i, block->section->columns[i].part);
    end_line(out);
}

static void
add_rules(Text *out, const Block *block)
{
    add_rule(out, block->head_width);
    for (size_t i = block->first; i < block->end; i++) {
        add_blanks(out, LAYOUT_COLUMN_GAP);
        add_rule(out, block->layouts[i].width);
    }
    end_line(out);
}

static void
add_cells(Text *out, const Block *block, const ReportRow *row, bool color)
{
    add_left(out, row->title, block->head_width);
    for (size_t i = block->first; i < block->end; i++) {
        const ReportCell *cell = &row->cells[i];
        bool toned = color && cell->tone != REPORT_PLAIN;

        if (toned)
            text_add(out, TONE_COLORS[cell->tone]);
        add_parts(out, block, i, cell->part);
        if (toned)
            text_add(out, COLOR_RESET);
    }
    end_line(out);
}

/* The spread of the repeats, in a line of its own. */
static void
add_spread(Text *out, const Block *block, const ReportRow *row)
{
    bool any = false;

    for (size_t i = block->first; i < block->end; i++)
        any = any || row->cells[i].below != NULL;
    if (!any)
        return;
    add_blanks(out, block->head_width);
    for (size_t i = block->first; i < block->end; i++) {
        add_blanks(out, LAYOUT_COLUMN_GAP);
        add_left(out, or_empty(row->cells[i].below), block->layouts[i].width);
    }
    end_line(out);
}

static void
add_block(Text *out, const Block *block, bool color)
{
    bool with_parts = report_section_has_parts(block->section);

    add_titles(out, block, with_parts);
    if (with_parts)
        add_headings(out, block);
    add_rules(out, block);
    for (size_t row = 0; row < block->section->row_count; row++) {
        add_cells(out, block, &block->section->rows[row], color);
        add_spread(out, block, &block->section->rows[row]);
    }
}

/* As many columns as the width of a line takes, at least one. */
static void
end_block(Block *block)
{
    size_t width = block->head_width;

    block->end = block->first;
    do
        width += LAYOUT_COLUMN_GAP + block->layouts[block->end++].width;
    while (block->end < block->section->column_count &&
           width + LAYOUT_COLUMN_GAP + block->layouts[block->end].width <= REPORT_WIDTH);
}

static void
add_table(Text *out, const ReportSection *section, bool color)
{
    ColumnLayout *layouts = mem_new(section->column_count, sizeof(*layouts));
    Block block = {
        .section = section,
        .head_width = layout_head_width(section),
        .part_gap = layout_part_gap(section),
        .layouts = layouts,
    };

    for (size_t i = 0; i < section->column_count; i++)
        layouts[i] = layout_column(section, i, block.part_gap);
    while (block.first < section->column_count) {
        if (block.first > 0)
            text_add(out, "\n");
        end_block(&block);
        add_block(out, &block, color);
        block.first = block.end;
    }
    free(layouts);
}

static void
add_colored(Text *out, const char *text, const char *start, bool color)
{
    bool colored = color && start[0] != '\0';

    text_printf(out, "%s%s%s\n", colored ? start : "", text, colored ? COLOR_RESET : "");
}

/* How much of `text` fits in `width`: up to the last blank that does, or the first behind it. */
static size_t
line_length(const char *text, size_t width)
{
    size_t length = 0, seen = 0;

    for (size_t i = 0; text[i] != '\0'; i++) {
        seen += ((unsigned char)text[i] & 0xc0) != 0x80;
        if (seen > width && length > 0)
            return length;
        if (text[i] == ' ')
            length = i;
        if (seen > width && text[i] == ' ')
            return i;
    }
    return text_width(text) <= width || length == 0 ? strlen(text) : length;
}

/* A text in lines of REPORT_WIDTH, all but the first moved in by `indent`. */
static void
add_wrapped(Text *out, const char *text, size_t indent, const char *start, bool color)
{
    Text line = {0};
    size_t length = line_length(text, REPORT_WIDTH - indent);

    while (text[length] != '\0') {
        line.length = 0;
        text_add_bytes(&line, text, length);
        add_colored(out, line.data, start, color);
        add_blanks(out, indent);
        text += length + 1; /* the blank is gone */
        length = line_length(text, REPORT_WIDTH - indent);
    }
    add_colored(out, text, start, color);
    text_release(&line);
}

static void
add_section(Text *out, const ReportSection *section, bool color)
{
    text_add(out, "\n");
    if (section->title != NULL)
        add_colored(out, section->title, COLOR_TITLE, color);
    if (section->about != NULL)
        add_colored(out, section->about, "", color);
    if (section->title != NULL && section->column_count > 0)
        text_add(out, "\n");
    add_table(out, section, color);
    for (size_t i = 0; i < section->note_count; i++) {
        const ReportNote *note = &section->notes[i];

        text_add(out, note->tone == REPORT_PLAIN ? "  " : "! ");
        add_wrapped(out, note->text, LAYOUT_PART_GAP, TONE_COLORS[note->tone], color);
    }
}

static void
add_facts(Text *out, const ReportModel *model, bool color)
{
    size_t width = 0;

    for (size_t i = 0; i < model->fact_count; i++)
        if (text_width(model->facts[i].name) > width)
            width = text_width(model->facts[i].name);
    for (size_t i = 0; i < model->fact_count; i++) {
        add_left(out, model->facts[i].name, width + LAYOUT_PART_GAP);
        add_wrapped(out, model->facts[i].text, width + LAYOUT_PART_GAP,
                    TONE_COLORS[model->facts[i].tone], color);
    }
}

void
render_text(const ReportModel *model, bool color, Text *out)
{
    add_colored(out, model->title, COLOR_TITLE, color);
    add_facts(out, model, color);
    for (size_t i = 0; i < model->section_count; i++)
        add_section(out, &model->sections[i], color);
}
