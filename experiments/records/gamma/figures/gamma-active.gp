# Draws gamma-active.svg, .pdf and .png from gamma-active.csv: gnuplot gamma-active.gp, in this folder.
data = 'gamma-active.csv'
if (!exists('ending')) ending = ''
set datafile separator comma
set terminal svg noenhanced size 720,440 font 'sans-serif,13' background '#ffffff'
set output 'gamma-active.svg'.ending

# The looks
set encoding utf8
set border 3 lc rgb '#555555'
set tics nomirror
set grid back lc rgb '#dddddd' lt 1
set format '%g'
set title 'Active transitions of a replica'
set xlabel 'γ'
set ylabel 'active transitions'
set errorbars 0.7
set pointintervalbox 0.01
set logscale x
set xrange [0.04117955086:7.77084726]
set xtics ('0' 0.05, '0.1' 0.1, '0.2' 0.2, '0.4' 0.4, '0.8' 0.8, '1.6' 1.6, '3.2' 3.2, '6.4' 6.4)
# 0 is drawn left of the break
set object 1 rectangle from first 0.06830201284, graph -0.01 to first 0.0732042848, graph 1.01 front fc rgb '#ffffff' fs solid noborder
set arrow 1 from first 0.07071067812, graph 0 to first 0.07071067812, graph 1 nohead front dt 3 lc rgb '#999999'
low(mean, half) = mean - half
set rmargin at screen 0.7231
set key at screen 0.7342, graph 1 left top vertical maxcols 1 Left reverse samplen 2 spacing 1.2 font ',12' textcolor rgb '#333333'

# Columns of the data: 1 place, 2 mean, 3 half of its interval, 6 and 7 the reference's
plot data skip 1 every ::0::7 using 1:($2*1) with lines lw 1.8 lc rgb '#0072b2' notitle, \
  data skip 1 every ::0::7 using 1:($2*1):(low($2,$3)*1):(($2+$3)*1) with yerrorbars ps 0 lw 1.2 lc rgb '#0072b2' notitle, \
  data skip 1 every ::0::7 using 1:($2*1) with points pt 7 ps 0.7 lw 1.2 lc rgb '#0072b2' notitle, \
  keyentry with linespoints lw 1.8 pt 7 ps 0.7 lc rgb '#0072b2' title 'replicas = 3', \
  data skip 1 every ::0::7 using 1:($6*1) with lines lw 1.5 dt 2 lc rgb '#0072b2' notitle, \
  data skip 1 every ::0::7 using 1:($6*1):(low($6,$7)*1):(($6+$7)*1) with yerrorbars ps 0 lw 1.2 dt 2 lc rgb '#0072b2' notitle, \
  data skip 1 every ::0::7 using 1:($6*1) with points pt 6 ps 0.7 lw 1.2 lc rgb '#0072b2' notitle, \
  keyentry with linespoints lw 1.5 dt 2 pt 6 ps 0.7 lc rgb '#0072b2' title 'replicas = 3, paper', \
  data skip 1 every ::8::15 using 1:($2*1) with lines lw 1.8 lc rgb '#d55e00' notitle, \
  data skip 1 every ::8::15 using 1:($2*1):(low($2,$3)*1):(($2+$3)*1) with yerrorbars ps 0 lw 1.2 lc rgb '#d55e00' notitle, \
  data skip 1 every ::8::15 using 1:($2*1) with points pt 5 ps 0.7 lw 1.2 lc rgb '#d55e00' notitle, \
  keyentry with linespoints lw 1.8 pt 5 ps 0.7 lc rgb '#d55e00' title 'replicas = 5'

# The same for the other files
set terminal pdfcairo noenhanced size 6in,3.67in font 'sans-serif,13' fontscale 0.46
set output 'gamma-active.pdf'.ending
replot
set terminal pngcairo noenhanced size 1080,660 font 'sans-serif,13' fontscale 1.15 pointscale 1.9 linewidth 1.4
set output 'gamma-active.png'.ending
replot
set output
