# One or two panels of horizontal bars, a bar a design, the published figure as a black line across.
# Beside frame.gp's: design_count, name_1[], name_2[], color[], names_px; panel_count, text_px; and
# for each panel value_P[], low_P[], high_P[], published_P[], text_P[], max_P, axis_P, tics_P.
load plots.'/frame.gp'

left_px = EDGE + names_px + 14
gap_px = text_px + 34
panel_px = (W - left_px - EDGE - text_px - 10 - (panel_count - 1) * gap_px) / panel_count
value_of(p, i) = p == 1 ? value_1[i] : value_2[i]
low_of(p, i) = p == 1 ? low_1[i] : low_2[i]
high_of(p, i) = p == 1 ? high_1[i] : high_2[i]
published_of(p, i) = p == 1 ? published_1[i] : published_2[i]
text_of(p, i) = p == 1 ? text_1[i] : text_2[i]
known(number) = number == number
end_of(p, i) = (known(high_of(p, i)) && high_of(p, i) > value_of(p, i)) ? high_of(p, i) : value_of(p, i)
far_end(p, i) = (known(published_of(p, i)) && published_of(p, i) > end_of(p, i)) ? published_of(p, i) : end_of(p, i)

unset ytics
set yrange [design_count + 0.5:0.5]
set bmargin at screen y(foot_px)
set tmargin at screen down(head_px)
if (strlen(published_note) > 0) {
    set arrow 1 from screen x(EDGE + 6),y(7) to screen x(EDGE + 6),y(21) nohead linewidth 2.5 linecolor rgb 'black' front
}

set multiplot
do for [p = 1:panel_count] {
    start_px = left_px + (p - 1) * (panel_px + gap_px)
    set lmargin at screen x(start_px)
    set rmargin at screen x(start_px + panel_px)
    set xrange [0:(p == 1 ? max_1 : max_2)]
    eval 'set xtics '.(p == 1 ? tics_1 : tics_2)
    set xlabel (p == 1 ? axis_1 : axis_2) font ',12' textcolor rgb DIM offset 0,0.3
    do for [i = 1:design_count] {
        if (p == 1) {
            two = strlen(name_2[i]) > 0
            set label 100 + 2 * i name_1[i] at first 0,i right offset screen x(-10),y(two ? 8 : 0) textcolor rgb INK
            set label 101 + 2 * i name_2[i] at first 0,i right offset screen x(-10),y(-8) textcolor rgb INK
        } else {
            unset label 100 + 2 * i
            unset label 101 + 2 * i
        }
        unset object 100 + i
        unset arrow 100 + i
        unset arrow 1000 + i
        if (known(value_of(p, i))) {
            set object 100 + i rectangle from first 0,i - 0.33 to first value_of(p, i),i + 0.33 fillcolor rgb color[i] fillstyle solid 1.0 noborder front
            set label 1000 + i text_of(p, i) at first far_end(p, i),i left offset screen x(8),0 textcolor rgb INK front
        } else {
            set label 1000 + i 'not measured' at first 0,i left offset screen x(8),0 textcolor rgb DIM front
        }
        if (known(published_of(p, i))) {
            set arrow 100 + i from first published_of(p, i),i - 0.45 to first published_of(p, i),i + 0.45 nohead linewidth 2.5 linecolor rgb 'black' front
        }
        if (known(low_of(p, i))) {
            set arrow 1000 + i from first low_of(p, i),i to first high_of(p, i),i heads size screen 0.004,90 linewidth 1.5 linecolor rgb 'black' front
        }
    }
    plot -1 notitle
    unset for [l = 1:5] label l
    unset object 1
}
unset multiplot
