#include "base/file.h"
#include "report/render.h"

#include <stdint.h>
#include <string.h>

enum { CHART_MAX_BYTES = 16 << 20 };

static const char STYLE[] =
    ":root{color-scheme:light dark;--text:#1b1b1b;--page:#ffffff;--dim:#595959;--line:#d0d0d0;"
    "--stripe:#f5f5f4;--good:#1a6b3c;--bad:#b3261e;--warning:#8a5a00}\n"
    "@media (prefers-color-scheme:dark){:root{--text:#e8e8e6;--page:#18191b;--dim:#a9a9a6;"
    "--line:#3a3c40;--stripe:#212326;--good:#6cc890;--bad:#ff8a80;--warning:#e6b45c}}\n"
    "body{margin:2rem auto;max-width:72rem;padding:0 1rem;background:var(--page);"
    "color:var(--text);font:16px/1.5 system-ui,sans-serif}\n"
    "h1{font-size:1.6rem;line-height:1.25}h2{font-size:1.2rem;margin:2.5rem 0 .25rem}\n"
    "dl{display:grid;grid-template-columns:max-content 1fr;gap:.1rem 1rem;font-size:.9rem}\n"
    "dt{color:var(--dim)}dd{margin:0;overflow-wrap:anywhere}\n"
    ".about,.notes{color:var(--dim);font-size:.9rem;margin:.25rem 0}\n"
    ".table{overflow-x:auto}table{border-collapse:collapse;margin:.5rem 0;"
    "font-variant-numeric:tabular-nums}\n"
    "th,td{padding:.25rem .6rem;text-align:right;white-space:nowrap}\n"
    "th{font-weight:600}thead th{border-bottom:1px solid var(--line)}\n"
    "tbody tr:nth-child(even){background:var(--stripe)}\n"
    ".left,tbody th{text-align:left}.group{text-align:center}\n"
    ".start{border-left:1px solid var(--line)}.book{color:var(--dim)}\n"
    ".spread{display:block;color:var(--dim);font-size:.8rem}\n"
    ".good{color:var(--good)}.bad{color:var(--bad);font-weight:600}.warning{color:var(--warning)}\n"
    "figure{margin:1.5rem 0}figure img{max-width:100%;height:auto;border-radius:6px}\n";

static const char *const TONE_CLASSES[] = {
    [REPORT_PLAIN] = "",
    [REPORT_GOOD] = "good",
    [REPORT_BAD] = "bad",
    [REPORT_WARNING] = "warning",
};

static void
add_escaped(Text *out, const char *text)
{
    for (; text != NULL && *text != '\0'; text++) {
        switch (*text) {
        case '&':
            text_add(out, "&amp;");
            break;
        case '<':
            text_add(out, "&lt;");
            break;
        case '>':
            text_add(out, "&gt;");
            break;
        case '"':
            text_add(out, "&quot;");
            break;
        default:
            text_add_bytes(out, text, 1);
        }
    }
}

/* <tag class="...">text</tag> */
static void
add_element(Text *out, const char *tag, const char *classes, const char *text)
{
    if (classes[0] != '\0')
        text_printf(out, "<%s class=\"%s\">", tag, classes);
    else
        text_printf(out, "<%s>", tag);
    add_escaped(out, text);
    text_printf(out, "</%s>", tag);
}

static void
add_group_titles(Text *out, const ReportSection *section, bool with_parts)
{
    text_printf(out, "<tr><th class=\"left\"%s>", with_parts ? " rowspan=\"2\"" : "");
    add_escaped(out, section->head);
    text_add(out, "</th>");
    for (size_t i = 0; i < section->column_count; i++) {
        const ReportColumn *column = &section->columns[i];
        const char *align = column->is_text ? "left" : column->part_count > 1 ? "group" : "";

        text_printf(out, "<th class=\"start %s\" colspan=\"%zu\">", align, column->part_count);
        add_escaped(out, column->title);
        text_add(out, "</th>");
    }
    text_add(out, "</tr>\n");
}

static void
add_headings(Text *out, const ReportSection *section)
{
    text_add(out, "<tr>");
    for (size_t i = 0; i < section->column_count; i++)
        for (size_t part = 0; part < section->columns[i].part_count; part++)
            add_element(out, "th", part == 0 ? "start" : "book", section->columns[i].part[part]);
    text_add(out, "</tr>\n");
}

static void
add_cell(Text *out, const ReportColumn *column, const ReportCell *cell)
{
    for (size_t part = 0; part < column->part_count; part++) {
        text_printf(out, "<td class=\"%s%s %s\">", part == 0 ? "start" : "book",
                    column->is_text ? " left" : "", TONE_CLASSES[cell->tone]);
        add_escaped(out, cell->part[part]);
        if (part == 0 && cell->below != NULL)
            add_element(out, "span", "spread", cell->below);
        text_add(out, "</td>");
    }
}

static void
add_table(Text *out, const ReportSection *section)
{
    bool with_parts = report_section_has_parts(section);

    text_add(out, "<div class=\"table\"><table>\n<thead>\n");
    add_group_titles(out, section, with_parts);
    if (with_parts)
        add_headings(out, section);
    text_add(out, "</thead>\n<tbody>\n");
    for (size_t row = 0; row < section->row_count; row++) {
        text_add(out, "<tr>");
        add_element(out, "th", "", section->rows[row].title);
        for (size_t i = 0; i < section->column_count; i++)
            add_cell(out, &section->columns[i], &section->rows[row].cells[i]);
        text_add(out, "</tr>\n");
    }
    text_add(out, "</tbody>\n</table></div>\n");
}

static void
add_section(Text *out, const ReportSection *section)
{
    if (section->title != NULL) {
        add_element(out, "h2", "", section->title);
        text_add(out, "\n");
    }
    if (section->about != NULL) {
        add_element(out, "p", "about", section->about);
        text_add(out, "\n");
    }
    if (section->column_count > 0)
        add_table(out, section);
    if (section->note_count == 0)
        return;
    text_add(out, "<ul class=\"notes\">\n");
    for (size_t i = 0; i < section->note_count; i++) {
        add_element(out, "li", TONE_CLASSES[section->notes[i].tone], section->notes[i].text);
        text_add(out, "\n");
    }
    text_add(out, "</ul>\n");
}

static void
add_facts(Text *out, const ReportModel *model)
{
    text_add(out, "<dl>\n");
    for (size_t i = 0; i < model->fact_count; i++) {
        add_element(out, "dt", "", model->facts[i].name);
        add_element(out, "dd", TONE_CLASSES[model->facts[i].tone], model->facts[i].text);
        text_add(out, "\n");
    }
    text_add(out, "</dl>\n");
}

static void
add_base64(Text *out, const unsigned char *bytes, size_t length)
{
    static const char DIGITS[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

    for (size_t i = 0; i < length; i += 3) {
        uint32_t second = i + 1 < length ? bytes[i + 1] : 0;
        uint32_t third = i + 2 < length ? bytes[i + 2] : 0;
        uint32_t word = (uint32_t)bytes[i] << 16 | second << 8 | third;
        char digits[4] = {DIGITS[word >> 18], DIGITS[word >> 12 & 63],
                          i + 1 < length ? DIGITS[word >> 6 & 63] : '=',
                          i + 2 < length ? DIGITS[word & 63] : '='};

        text_add_bytes(out, digits, sizeof(digits));
    }
}

/* As an image with its data inside: drawings of one page would share their ids, and what stands in
 * an image cannot run. */
static Status
add_chart(Text *out, const char *path, Diag *diag)
{
    const char *slash = strrchr(path, '/');
    Text content = {0};
    Status status = file_read(path, CHART_MAX_BYTES, &content, diag);

    if (status == STATUS_OK) {
        text_add(out, "<figure><img alt=\"chart ");
        add_escaped(out, slash != NULL ? slash + 1 : path);
        text_add(out, "\" src=\"data:image/svg+xml;base64,");
        add_base64(out, (const unsigned char *)content.data, content.length);
        text_add(out, "\"></figure>\n");
    }
    text_release(&content);
    return status;
}

Status
render_html(const ReportModel *model, const ReportOptions *options, Text *out, Diag *diag)
{
    Status status = STATUS_OK;

    text_add(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                  "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n");
    add_element(out, "title", "", model->title);
    text_printf(out, "\n<style>\n%s</style>\n</head>\n<body>\n", STYLE);
    add_element(out, "h1", "", model->title);
    text_add(out, "\n");
    add_facts(out, model);
    for (size_t i = 0; status == STATUS_OK && i < options->chart_count; i++)
        status = add_chart(out, options->charts[i], diag);
    for (size_t i = 0; i < model->section_count; i++)
        add_section(out, &model->sections[i]);
    text_add(out, "</body>\n</html>\n");
    return status;
}
