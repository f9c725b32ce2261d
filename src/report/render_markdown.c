#include "report/render.h"

#include <string.h>

/* Characters that Markdown or a table would read; "<" and "&" could start HTML. */
static void
add_escaped(Text *out, const char *text)
{
    for (; *text != '\0'; text++) {
        if (*text == '<')
            text_add(out, "&lt;");
        else if (*text == '>')
            text_add(out, "&gt;");
        else if (*text == '&')
            text_add(out, "&amp;");
        else if (strchr("|\\`*_[]#~", *text) != NULL)
            text_printf(out, "\\%c", *text);
        else
            text_add_bytes(out, text, 1);
    }
}

static void
add_header(Text *out, const ReportSection *section)
{
    text_add(out, "| ");
    add_escaped(out, section->head != NULL ? section->head : "");
    for (size_t i = 0; i < section->column_count; i++) {
        const ReportColumn *column = &section->columns[i];

        for (size_t part = 0; part < column->part_count; part++) {
            text_add(out, " | ");
            add_escaped(out, part == 0 || column->part[part] == NULL ? column->title
                                                                     : column->part[part]);
        }
    }
    text_add(out, " |\n|:--");
    for (size_t i = 0; i < section->column_count; i++)
        for (size_t part = 0; part < section->columns[i].part_count; part++)
            text_add(out, section->columns[i].is_text ? "|:--" : "|--:");
    text_add(out, "|\n");
}

static void
add_row(Text *out, const ReportSection *section, const ReportRow *row)
{
    text_add(out, "| ");
    add_escaped(out, row->title);
    for (size_t i = 0; i < section->column_count; i++) {
        const ReportCell *cell = &row->cells[i];

        for (size_t part = 0; part < section->columns[i].part_count; part++) {
            text_add(out, " | ");
            add_escaped(out, cell->part[part] != NULL ? cell->part[part] : "");
            if (part == 0 && cell->below != NULL) {
                text_add(out, " (");
                add_escaped(out, cell->below);
                text_add(out, ")");
            }
        }
    }
    text_add(out, " |\n");
}

static void
add_paragraph(Text *out, const char *text)
{
    text_add(out, "\n");
    add_escaped(out, text);
    text_add(out, "\n");
}

static void
add_section(Text *out, const ReportSection *section)
{
    if (section->title != NULL) {
        text_add(out, "\n## ");
        add_escaped(out, section->title);
        text_add(out, "\n");
    }
    if (section->about != NULL)
        add_paragraph(out, section->about);
    text_add(out, "\n");
    if (section->column_count > 0) {
        add_header(out, section);
        for (size_t i = 0; i < section->row_count; i++)
            add_row(out, section, &section->rows[i]);
        if (section->note_count > 0)
            text_add(out, "\n");
    }
    for (size_t i = 0; i < section->note_count; i++) {
        text_add(out, section->notes[i].tone == REPORT_PLAIN ? "- " : "- **!** ");
        add_escaped(out, section->notes[i].text);
        text_add(out, "\n");
    }
}

void
render_markdown(const ReportModel *model, Text *out)
{
    text_add(out, "# ");
    add_escaped(out, model->title);
    text_add(out, "\n\n");
    for (size_t i = 0; i < model->fact_count; i++) {
        text_printf(out, "- **%s**: ", model->facts[i].name);
        add_escaped(out, model->facts[i].text);
        text_add(out, "\n");
    }
    for (size_t i = 0; i < model->section_count; i++)
        add_section(out, &model->sections[i]);
}
