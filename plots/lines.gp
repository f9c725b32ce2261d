# Lines over batches, phases or the values of a sweep's axis, each named at its end, or groups of
# bars where these values are words; published figures as diamonds. Beside frame.gp's: line_count,
# line_color[], line_dash[]; $lines (x, then a column a line), $bars (line, middle, value, text),
# $published (x, value); bars, bar_width; label_text[], label_px[] (over the axis), end_x[],
# end_value[], labels_px; axis, tics, tics_px, max; x_axis, x_tics, x_from, x_to, marks, one (where
# a ratio of 1 is, else NaN).
load plots.'/frame.gp'

known(number) = number == number
left_px = EDGE + tics_px
right_px = W - EDGE - labels_px - 22
margin = bars ? 0.5 : 0.02 * (x_to - x_from)
# earlier lines are wider, so that one under another is seen at both sides of it
wide(i) = line_count > 1 ? 6.0 - 4.4 * (i - 1) / (line_count - 1) : 2.5

set lmargin at screen x(left_px)
set rmargin at screen x(right_px)
set bmargin at screen y(foot_px)
set tmargin at screen down(head_px)
set xrange [x_from - margin:x_to + margin]
set yrange [0:max]
eval 'set xtics '.x_tics
eval 'set ytics '.tics
set xlabel x_axis font ',12' textcolor rgb DIM offset 0,0.3
set label 6 axis at screen x(left_px),down(head_px - 14) left font ',12' textcolor rgb DIM
if (strlen(published_note) > 0) {
    set label 7 '' at screen x(EDGE + 7),y(14) point pointtype 12 pointsize 1.3 linewidth 2 linecolor rgb 'black' front
}
if (known(one)) {
    set arrow 7 from graph 0,first one to graph 1,first one nohead linewidth 1.5 linecolor rgb DIM dashtype 3
}
do for [i = 1:line_count] {
    if (known(label_px[i])) {
        set label 100 + i label_text[i] at screen x(right_px + 20),y(foot_px + label_px[i]) left textcolor rgb INK
        if (bars) {
            set object 100 + i rectangle center screen x(right_px + 10),y(foot_px + label_px[i]) size screen x(11),y(11) fillcolor rgb line_color[i] fillstyle solid 1.0 / line_dash[i] noborder front
        } else {
            leader = end_x[i] < x_to ? 3 : 1 # far from its line's end it could be taken for the line
            set arrow 100 + i from first end_x[i],end_value[i] to screen x(right_px + 16),y(foot_px + label_px[i]) nohead linewidth 1 dashtype leader linecolor rgb line_color[i]
        }
    }
}
if (bars) {
    set grid noxtics
    plot for [i = 1:line_count] $bars using ($1 == i ? $2 : NaN):3:(0.94 * bar_width) with boxes fillcolor rgb line_color[i] fillstyle solid 1.0 / line_dash[i] noborder notitle, \
        $bars using 2:3:4 with labels font ',10' textcolor rgb INK offset 0,0.5 notitle, \
        $published using 1:2 with points pointtype 12 pointsize 1.5 linewidth 2 linecolor rgb 'black' notitle
} else {
    plot for [i = 1:line_count] $lines using 1:i + 1 with lines linewidth wide(i) dashtype line_dash[i] linecolor rgb line_color[i] notitle, \
        for [i = 1:line_count] $lines using 1:(marks ? column(i + 1) : NaN) with points pointtype 7 pointsize 0.25 + 0.13 * wide(i) linecolor rgb line_color[i] notitle, \
        $published using 1:2 with points pointtype 12 pointsize 1.5 linewidth 2 linecolor rgb 'black' notitle
}
