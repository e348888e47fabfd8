# Draws synthetic-3-overlap.svg, .pdf and .png from synthetic-3-overlap.csv: gnuplot synthetic-3-overlap.gp, in this folder.
data = 'synthetic-3-overlap.csv'
if (!exists('ending')) ending = ''
set datafile separator comma
set terminal svg noenhanced size 720,440 font 'sans-serif,13' background '#ffffff'
set output 'synthetic-3-overlap.svg'.ending

# The looks
set encoding utf8
set border 3 lc rgb '#555555'
set tics nomirror
set grid back lc rgb '#dddddd' lt 1
set format '%g'
set title 'Overlap of the replicas'
set xlabel 'γ'
set ylabel 'overlap'
set errorbars 0.7
set pointintervalbox 0.01
set xrange [-0.048:1.648]
low(mean, half) = mean - half
unset key

# Columns of the data: 1 place, 2 mean, 3 half of its interval, 6 and 7 the reference's
plot data skip 1 every ::0::3 using 1:($2*1) with lines lw 1.8 lc rgb '#0072b2' notitle, \
  data skip 1 every ::0::3 using 1:($2*1):(low($2,$3)*1):(($2+$3)*1) with yerrorbars ps 0 lw 1.2 lc rgb '#0072b2' notitle, \
  data skip 1 every ::0::3 using 1:($2*1) with points pt 7 ps 0.7 lw 1.2 lc rgb '#0072b2' notitle, \
  keyentry with linespoints lw 1.8 pt 7 ps 0.7 lc rgb '#0072b2' title 'overlap'

# The same for the other files
set terminal pdfcairo noenhanced size 6in,3.67in font 'sans-serif,13' fontscale 0.46
set output 'synthetic-3-overlap.pdf'.ending
replot
set terminal pngcairo noenhanced size 1080,660 font 'sans-serif,13' fontscale 1.15 pointscale 1.9 linewidth 1.4
set output 'synthetic-3-overlap.png'.ending
replot
set output
