/*
 * Texts on charts: quoted for gnuplot, measured, cut and broken into lines. Names are data: nothing
 * that a scenario holds can become a command or markup.
 */
#ifndef KB_REPORT_PLOT_TEXT_H
#define KB_REPORT_PLOT_TEXT_H

#include "base/mem.h"
#include "base/text.h"

enum { PLOT_LINES_MAX = 2 };

/*
 * Append `text` as a gnuplot string: single quotes, within which gnuplot replaces nothing (manual,
 * "Quote Marks"). Control characters become blanks, bytes that are not UTF-8 question marks.
 */
void plot_text_quote(Text *script, const char *text);

/* About how wide a text is at a font size, in the wide font that is asked for first. */
double plot_text_width_px(const char *text, double font_px);

/* `text` with "..." at its end, at its start or between both, when it is wider than `width_px`. In
 * the arena. */
const char *plot_text_cut(Arena *arena, const char *text, double font_px, double width_px);
const char *plot_text_cut_start(Arena *arena, const char *text, double font_px, double width_px);
const char *plot_text_cut_middle(Arena *arena, const char *text, double font_px, double width_px);

/* Break a text at blanks into PLOT_LINES_MAX lines, "" for those that are not needed, each cut to
 * `width_px`. In the arena. */
void plot_text_break(Arena *arena, const char *text, double font_px, double width_px,
                     const char *lines[PLOT_LINES_MAX]);

#endif
