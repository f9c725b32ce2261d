# A line a design over the batches of a phase, each named at its end; published figures as diamonds.
# Beside frame.gp's: design_count, color[]; $lines (batch, then a column a design), $published
# (batch, value); label_text[], label_px[] (over the axis), line_end[], labels_px; axis, tics,
# tics_px, max; batch_axis, batch_tics, batch_count.
load plots.'/frame.gp'

known(number) = number == number
left_px = EDGE + tics_px
right_px = W - EDGE - labels_px - 22
last = batch_count > 1 ? batch_count : 2
# earlier lines are wider, so that one under another is seen at both sides of it
wide(i) = design_count > 1 ? 6.0 - 4.4 * (i - 1) / (design_count - 1) : 2.5

set lmargin at screen x(left_px)
set rmargin at screen x(right_px)
set bmargin at screen y(foot_px)
set tmargin at screen down(head_px)
set xrange [1 - 0.02 * last:last + 0.02 * last]
set yrange [0:max]
eval 'set xtics '.batch_tics
eval 'set ytics '.tics
set xlabel batch_axis font ',12' textcolor rgb DIM offset 0,0.3
set label 6 axis at screen x(left_px),down(head_px - 14) left font ',12' textcolor rgb DIM
if (strlen(published_note) > 0) {
    set label 7 '' at screen x(EDGE + 7),y(14) point pointtype 12 pointsize 1.3 linewidth 2 linecolor rgb 'black' front
}
do for [i = 1:design_count] {
    if (known(label_px[i])) {
        set label 100 + i label_text[i] at screen x(right_px + 20),y(foot_px + label_px[i]) left textcolor rgb INK
        set arrow 100 + i from first batch_count,line_end[i] to screen x(right_px + 16),y(foot_px + label_px[i]) nohead linewidth 1 linecolor rgb color[i]
    }
}
plot for [i = 1:design_count] $lines using 1:i + 1 with lines linewidth wide(i) linecolor rgb color[i] notitle, \
    for [i = 1:design_count] $lines using 1:(batch_count > 40 ? NaN : column(i + 1)) with points pointtype 7 pointsize 0.25 + 0.13 * wide(i) linecolor rgb color[i] notitle, \
    $published using 1:2 with points pointtype 12 pointsize 1.5 linewidth 2 linecolor rgb 'black' notitle
