# Horizontal bars of stacked segments, a bar a design, the whole bar's size at its end.
# Beside frame.gp's: design_count, name_1[], name_2[], names_px; segment_count, segment_title[],
# segment_title_px[], segment_color[], segment_text_color[]; for each segment S value_S[], width_S[],
# text_S[]; total[], total_text[], text_px; axis, tics, max.
load plots.'/frame.gp'

known(number) = number == number
value_of(s, i) = s == 1 ? value_1[i] : s == 2 ? value_2[i] : s == 3 ? value_3[i] : s == 4 ? value_4[i] : value_5[i]
width_of(s, i) = s == 1 ? width_1[i] : s == 2 ? width_2[i] : s == 3 ? width_3[i] : s == 4 ? width_4[i] : width_5[i]
text_of(s, i) = s == 1 ? text_1[i] : s == 2 ? text_2[i] : s == 3 ? text_3[i] : s == 4 ? text_4[i] : text_5[i]

left_px = EDGE + names_px + 14
right_px = W - EDGE - text_px - 10
unset ytics
set lmargin at screen x(left_px)
set rmargin at screen x(right_px)
set bmargin at screen y(foot_px)
set tmargin at screen down(head_px)
set xrange [0:max]
set yrange [design_count + 0.5:0.5]
eval 'set xtics '.tics
set xlabel axis font ',12' textcolor rgb DIM offset 0,0.3

at_px = EDGE
do for [s = 1:segment_count] {
    set object 10 + s rectangle from screen x(at_px),down(head_px - 10) to screen x(at_px + 12),down(head_px - 22) fillcolor rgb segment_color[s] fillstyle solid 1.0 noborder
    set label 10 + s segment_title[s] at screen x(at_px + 18),down(head_px - 16) left font ',12' textcolor rgb INK
    at_px = at_px + 18 + segment_title_px[s] + 22
}
do for [i = 1:design_count] {
    two = strlen(name_2[i]) > 0
    set label 100 + 2 * i name_1[i] at first 0,i right offset screen x(-10),y(two ? 8 : 0) textcolor rgb INK
    set label 101 + 2 * i name_2[i] at first 0,i right offset screen x(-10),y(-8) textcolor rgb INK
    if (known(total[i])) {
        start = 0.0
        do for [s = 1:segment_count] {
            end = start + value_of(s, i)
            set object 10 * i + 100 + s rectangle from first start,i - 0.33 to first end,i + 0.33 fillcolor rgb segment_color[s] fillstyle solid border linecolor rgb '#fdfdfb' linewidth 0.5 front
            if ((end - start) / max * (right_px - left_px) > width_of(s, i) + 8) {
                set label 10 * i + 1000 + s text_of(s, i) at first (start + end) / 2,i center textcolor rgb segment_text_color[s] front
            }
            start = end
        }
        set label 10 * i + 1000 total_text[i] at first start,i left offset screen x(8),0 textcolor rgb INK front
    } else {
        set label 10 * i + 1000 'not measured' at first 0,i left offset screen x(8),0 textcolor rgb DIM front
    }
}
plot -1 notitle
