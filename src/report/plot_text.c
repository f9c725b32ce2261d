#include "report/plot_text.h"

#include <string.h>

enum { BALANCE_STEP_PX = 4 };

/* Of the font size: DejaVu Sans, which is wider than what a viewer may have instead. */
static const double NARROW = 0.35, USUAL = 0.61, WIDE = 0.85, EAST_ASIAN = 1.0;

/* The bytes of the character at `text`. */
static size_t
character_length(const char *text)
{
    size_t length = 1;

    while (((unsigned char)text[length] & 0xc0) == 0x80)
        length++;
    return length;
}

void
plot_text_quote(Text *script, const char *text)
{
    const char *end = text + strlen(text);
    size_t length;

    text_add(script, "'");
    for (; text < end; text += length) {
        size_t bad = 1;

        length = 1;
        if (text_find_bad_utf8(text, (size_t)(end - text), &bad) && bad == 0) {
            text_add(script, "?");
        } else if ((unsigned char)*text < ' ' || *text == 0x7f) {
            text_add(script, " ");
        } else if (*text == '\'') {
            text_add(script, "''");
        } else {
            length = character_length(text);
            text_add_bytes(script, text, length);
        }
    }
    text_add(script, "'");
}

static double
character_width(const char *text)
{
    if ((unsigned char)*text >= 0xe3) /* from U+3000 on */
        return EAST_ASIAN;
    if (strchr("iljtfrI.,:;'!|()[] ", *text) != NULL)
        return NARROW;
    return strchr("mwMWO@%GQ", *text) != NULL ? WIDE : USUAL;
}

double
plot_text_width_px(const char *text, double font_px)
{
    double width = 0;

    for (; *text != '\0'; text += character_length(text))
        width += character_width(text);
    return width * font_px;
}

/* How many bytes from the start of `text` fit. */
static size_t
fitting_length(const char *text, double font_px, double width_px)
{
    size_t length = 0;

    while (text[length] != '\0') {
        width_px -= character_width(text + length) * font_px;
        if (width_px < 0)
            break;
        length += character_length(text + length);
    }
    return length;
}

static double
dots_width(double font_px)
{
    return plot_text_width_px("...", font_px);
}

const char *
plot_text_cut(Arena *arena, const char *text, double font_px, double width_px)
{
    size_t length;

    if (plot_text_width_px(text, font_px) <= width_px)
        return text;
    length = fitting_length(text, font_px, width_px - dots_width(font_px));
    return arena_printf(arena, "%.*s...", (int)length, text);
}

const char *
plot_text_cut_start(Arena *arena, const char *text, double font_px, double width_px)
{
    if (plot_text_width_px(text, font_px) <= width_px)
        return text;
    while (*text != '\0' && plot_text_width_px(text, font_px) > width_px - dots_width(font_px))
        text += character_length(text);
    return arena_printf(arena, "...%s", text);
}

const char *
plot_text_cut_middle(Arena *arena, const char *text, double font_px, double width_px)
{
    double left_px = width_px - dots_width(font_px);
    const char *end = text;
    size_t length;

    if (plot_text_width_px(text, font_px) <= width_px)
        return text;
    length = fitting_length(text, font_px, left_px / 2);
    while (*end != '\0' && plot_text_width_px(end, font_px) > left_px / 2)
        end += character_length(end);
    return arena_printf(arena, "%.*s...%s", (int)length, text, end);
}

/* Where the line that starts at `text` ends: at the last blank that fits, or where it must. */
static size_t
line_length(const char *text, double font_px, double width_px)
{
    size_t length = fitting_length(text, font_px, width_px);
    size_t blank = length;

    if (text[length] == '\0')
        return length;
    while (blank > 0 && text[blank] != ' ')
        blank--;
    return blank > 0 ? blank : length;
}

/* The rest of a text behind its line. */
static const char *
next_line(const char *text, size_t length)
{
    return text + length + (text[length] == ' ');
}

/* The narrowest width, in steps, at which two lines hold the text: no single word on the second. */
static double
balanced_width(const char *text, double font_px, double width_px)
{
    double least = plot_text_width_px(text, font_px) / PLOT_LINES_MAX;
    int steps = (int)((width_px - least) / BALANCE_STEP_PX);

    for (int i = 0; i <= steps; i++) {
        double width = least + i * BALANCE_STEP_PX;
        const char *second = next_line(text, line_length(text, font_px, width));

        if (plot_text_width_px(second, font_px) <= width)
            return width;
    }
    return width_px;
}

/* The first clause of a sentence of two, when each fits on a line of its own; else 0. */
static size_t
clause_length(const char *text, double font_px, double width_px)
{
    const char *mark = strstr(text, "; ");
    size_t length = mark != NULL ? (size_t)(mark - text) + 1 : 0;

    if (length == 0 || fitting_length(text, font_px, width_px) < length ||
        plot_text_width_px(mark + 2, font_px) > width_px)
        return 0;
    return length;
}

void
plot_text_break(Arena *arena, const char *text, double font_px, double width_px,
                const char *lines[PLOT_LINES_MAX])
{
    size_t length;

    lines[0] = text;
    lines[1] = "";
    if (plot_text_width_px(text, font_px) <= width_px)
        return;
    length = clause_length(text, font_px, width_px);
    if (length == 0)
        length = line_length(text, font_px, balanced_width(text, font_px, width_px));
    lines[0] = arena_printf(arena, "%.*s", (int)length, text);
    lines[1] = plot_text_cut(arena, next_line(text, length), font_px, width_px);
}
