# Draws first-hits-survival.svg, .pdf and .png from first-hits.csv: gnuplot first-hits-survival.gp, in this folder.
data = 'first-hits.csv'
if (!exists('ending')) ending = ''
set datafile separator comma
set terminal svg noenhanced size 720,520 font 'sans-serif,13' background '#ffffff'
set output 'first-hits-survival.svg'.ending

# The looks
set encoding utf8
set border 3 lc rgb '#555555'
set tics nomirror
set grid back lc rgb '#dddddd' lt 1
set format '%g'
set title 'Not yet solved, α = 0.6'
set xlabel 'run'
set ylabel 'share not yet solved'
data = 'first-hits-survival.csv'
set xlabel 'proposals to the first hit'
set key title ' ' outside below center horizontal maxcols 2 Left reverse samplen 2 spacing 1.1 font ',11' textcolor rgb '#333333'
set logscale x
set xrange [4373385.333:130000000]
from(cost) = cost > 0 ? cost : 4373385.333 # 0 is the left edge
set yrange [0:1.03]

# Columns of the data: 1 cost, 3 share not yet solved, 4 and 5 its interval, 8 runs that ended unsolved
plot data skip 1 every ::0::1 using (from($1)):3:(from($1)):(from($2)):4:5 with boxxyerror fs transparent solid 0.15 noborder lc rgb '#0d0887' notitle, \
  data skip 1 every ::0::1 using (from($1)):3 with steps lw 2 lc rgb '#0d0887' title 'annealing', \
  data skip 1 every ::0::1 using 1:($8 > 0 ? $3 : 1/0) with points pt 1 ps 0.8 lw 1.2 lc rgb '#0d0887' notitle, \
  data skip 1 every ::2::3 using (from($1)):3:(from($1)):(from($2)):4:5 with boxxyerror fs transparent solid 0.15 noborder lc rgb '#43039d' notitle, \
  data skip 1 every ::2::3 using (from($1)):3 with steps lw 2 lc rgb '#43039d' title '7 uncoupled', \
  data skip 1 every ::2::3 using 1:($8 > 0 ? $3 : 1/0) with points pt 1 ps 0.8 lw 1.2 lc rgb '#43039d' notitle, \
  data skip 1 every ::4::14 using (from($1)):3:(from($1)):(from($2)):4:5 with boxxyerror fs transparent solid 0.15 noborder lc rgb '#6f03a6' notitle, \
  data skip 1 every ::4::14 using (from($1)):3 with steps lw 2 lc rgb '#6f03a6' title '3 coupled', \
  data skip 1 every ::4::14 using 1:($8 > 0 ? $3 : 1/0) with points pt 1 ps 0.8 lw 1.2 lc rgb '#6f03a6' notitle, \
  data skip 1 every ::15::25 using (from($1)):3:(from($1)):(from($2)):4:5 with boxxyerror fs transparent solid 0.15 noborder lc rgb '#96159e' notitle, \
  data skip 1 every ::15::25 using (from($1)):3 with steps lw 2 lc rgb '#96159e' title '7 coupled', \
  data skip 1 every ::15::25 using 1:($8 > 0 ? $3 : 1/0) with points pt 1 ps 0.8 lw 1.2 lc rgb '#96159e' notitle, \
  data skip 1 every ::26::36 using (from($1)):3:(from($1)):(from($2)):4:5 with boxxyerror fs transparent solid 0.15 noborder lc rgb '#b83189' notitle, \
  data skip 1 every ::26::36 using (from($1)):3 with steps lw 2 lc rgb '#b83189' title '15 coupled', \
  data skip 1 every ::26::36 using 1:($8 > 0 ? $3 : 1/0) with points pt 1 ps 0.8 lw 1.2 lc rgb '#b83189' notitle, \
  data skip 1 every ::37::47 using (from($1)):3:(from($1)):(from($2)):4:5 with boxxyerror fs transparent solid 0.15 noborder lc rgb '#d25071' notitle, \
  data skip 1 every ::37::47 using (from($1)):3 with steps lw 2 lc rgb '#d25071' title '7 coupled, two-stage', \
  data skip 1 every ::37::47 using 1:($8 > 0 ? $3 : 1/0) with points pt 1 ps 0.8 lw 1.2 lc rgb '#d25071' notitle, \
  data skip 1 every ::48::58 using (from($1)):3:(from($1)):(from($2)):4:5 with boxxyerror fs transparent solid 0.15 noborder lc rgb '#e87059' notitle, \
  data skip 1 every ::48::58 using (from($1)):3 with steps lw 2 lc rgb '#e87059' title '7 coupled, constant', \
  data skip 1 every ::48::58 using 1:($8 > 0 ? $3 : 1/0) with points pt 1 ps 0.8 lw 1.2 lc rgb '#e87059' notitle, \
  data skip 1 every ::59::61 using (from($1)):3:(from($1)):(from($2)):4:5 with boxxyerror fs transparent solid 0.15 noborder lc rgb '#f79341' notitle, \
  data skip 1 every ::59::61 using (from($1)):3 with steps lw 2 lc rgb '#f79341' title '7 coupled, scoping', \
  data skip 1 every ::59::61 using 1:($8 > 0 ? $3 : 1/0) with points pt 1 ps 0.8 lw 1.2 lc rgb '#f79341' notitle, \
  data skip 1 every ::62::72 using (from($1)):3:(from($1)):(from($2)):4:5 with boxxyerror fs transparent solid 0.15 noborder lc rgb '#fcbb2c' notitle, \
  data skip 1 every ::62::72 using (from($1)):3 with steps lw 2 lc rgb '#fcbb2c' title '7 with a centre', \
  data skip 1 every ::62::72 using 1:($8 > 0 ? $3 : 1/0) with points pt 1 ps 0.8 lw 1.2 lc rgb '#fcbb2c' notitle

# The same for the other files
set terminal pdfcairo noenhanced size 6in,4.33in font 'sans-serif,13' fontscale 0.46
set output 'first-hits-survival.pdf'.ending
replot
set terminal pngcairo noenhanced size 1080,780 font 'sans-serif,13' fontscale 1.15 pointscale 1.9 linewidth 1.4
set output 'first-hits-survival.png'.ending
replot
set output
