# Head, foot and card of every chart. Set by keybench before: W and H, the chart's size; head_px and
# foot_px; title_1, title_2, subtitle, corner, published_note.
reset
EDGE = 24.0
x(px) = 1.0 * px / W
y(px) = 1.0 * px / H
down(px) = 1 - 1.0 * px / H

INK = '#1b1b1b'
DIM = '#5c5c58'
LINE = '#e2e2dd'

set style fill solid 1.0 noborder
set object 1 rectangle from screen 0,0 to screen 1,1 behind fillstyle empty border linecolor rgb '#d4d4ce' linewidth 1
set label 1 title_1 at screen x(EDGE),down(30) left font ',17' textcolor rgb INK
set label 2 title_2 at screen x(EDGE),down(54) left font ',17' textcolor rgb INK
set label 3 subtitle at screen x(EDGE),down(strlen(title_2) > 0 ? 77 : 53) left font ',13' textcolor rgb DIM
set label 4 corner at screen x(W - EDGE),y(14) right font ',10' textcolor rgb DIM
if (strlen(published_note) > 0) {
    set label 5 published_note at screen x(EDGE + 20),y(14) left font ',12' textcolor rgb INK
}
unset border
unset key
set tics scale 0 textcolor rgb DIM font ',12'
set grid back linetype 1 linewidth 1 linecolor rgb LINE
