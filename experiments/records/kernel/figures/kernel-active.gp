# Draws kernel-active.svg, .pdf and .png from kernel-active.csv: gnuplot kernel-active.gp, in this folder.
data = 'kernel-active.csv'
if (!exists('ending')) ending = ''
set datafile separator comma
set terminal svg noenhanced size 720,440 font 'sans-serif,13' background '#ffffff'
set output 'kernel-active.svg'.ending

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
set key outside right top Left reverse samplen 2.5 spacing 1.2 textcolor rgb '#333333'
set xrange [0.728:3.272]
set logscale y
set yrange [446.2887479:60613.12893]

# Columns of the data: 1 place, 2 mean, 3 half of its interval, 6 and 7 the reference's
plot data skip 1 every ::0::2 using 1:($2*1) with lines lw 1.8 lc rgb '#0072b2' notitle, \
  data skip 1 every ::0::2 using 1:($2*1):(($2 > $3 ? $2-$3 : $2/10)*1):(($2+$3)*1) with yerrorbars ps 0 lw 1.2 lc rgb '#0072b2' notitle, \
  data skip 1 every ::0::2 using 1:($2*1) with points pt 7 ps 0.9 lw 1.2 lc rgb '#0072b2' notitle, \
  keyentry with linespoints lw 1.8 pt 7 ps 0.9 lc rgb '#0072b2' title 'kernel = two-stage', \
  data skip 1 every ::3::5 using 1:($2*1) with lines lw 1.8 lc rgb '#d55e00' notitle, \
  data skip 1 every ::3::5 using 1:($2*1):(($2 > $3 ? $2-$3 : $2/10)*1):(($2+$3)*1) with yerrorbars ps 0 lw 1.2 lc rgb '#d55e00' notitle, \
  data skip 1 every ::3::5 using 1:($2*1) with points pt 5 ps 0.9 lw 1.2 lc rgb '#d55e00' notitle, \
  keyentry with linespoints lw 1.8 pt 5 ps 0.9 lc rgb '#d55e00' title 'kernel = one-stage'

# The same for the other files
set terminal pdfcairo noenhanced size 6in,3.7in font 'sans-serif,11'
set output 'kernel-active.pdf'.ending
replot
set terminal pngcairo noenhanced size 1080,660 font 'sans-serif,15'
set output 'kernel-active.png'.ending
replot
set output
