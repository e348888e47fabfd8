# Draws robustness-5.svg, .pdf and .png from robustness-5.csv: gnuplot robustness-5.gp, in this folder.
data = 'robustness-5.csv'
if (!exists('ending')) ending = ''
set datafile separator comma
set terminal svg noenhanced size 720,440 font 'sans-serif,13' background '#ffffff'
set output 'robustness-5.svg'.ending

# The looks
set encoding utf8
set border 3 lc rgb '#555555'
set tics nomirror
set grid back lc rgb '#dddddd' lt 1
set format '%g'
set title 'Test accuracy with flipped weights, 5 replicas'
set xlabel 'share p of weights flipped'
set ylabel 'test accuracy (%)'
set errorbars 0.7
set key outside right top Left reverse samplen 2.5 spacing 1.2 textcolor rgb '#333333'
set xrange [-0.015:0.515]

# Columns of the data: 1 place, 2 mean, 3 half of its interval, 6 and 7 the reference's
plot data skip 1 every ::0::11 using 1:($2*100) with lines lw 1.8 lc rgb '#0072b2' notitle, \
  data skip 1 every ::0::11 using 1:(($2-$3)*100):(($2+$3)*100) with filledcurves fs transparent solid 0.18 noborder lc rgb '#0072b2' notitle, \
  data skip 1 every ::0::11 using 1:($2*100) with points pt 7 ps 0.9 lw 1.2 lc rgb '#0072b2' notitle, \
  keyentry with linespoints lw 1.8 pt 7 ps 0.9 lc rgb '#0072b2' title 'gamma = 0', \
  data skip 1 every ::12::23 using 1:($2*100) with lines lw 1.8 lc rgb '#d55e00' notitle, \
  data skip 1 every ::12::23 using 1:(($2-$3)*100):(($2+$3)*100) with filledcurves fs transparent solid 0.18 noborder lc rgb '#d55e00' notitle, \
  data skip 1 every ::12::23 using 1:($2*100) with points pt 5 ps 0.9 lw 1.2 lc rgb '#d55e00' notitle, \
  keyentry with linespoints lw 1.8 pt 5 ps 0.9 lc rgb '#d55e00' title 'gamma = 0.2', \
  data skip 1 every ::24::35 using 1:($2*100) with lines lw 1.8 lc rgb '#009e73' notitle, \
  data skip 1 every ::24::35 using 1:(($2-$3)*100):(($2+$3)*100) with filledcurves fs transparent solid 0.18 noborder lc rgb '#009e73' notitle, \
  data skip 1 every ::24::35 using 1:($2*100) with points pt 9 ps 0.9 lw 1.2 lc rgb '#009e73' notitle, \
  keyentry with linespoints lw 1.8 pt 9 ps 0.9 lc rgb '#009e73' title 'gamma = 0.4', \
  data skip 1 every ::36::47 using 1:($2*100) with lines lw 1.8 lc rgb '#cc79a7' notitle, \
  data skip 1 every ::36::47 using 1:(($2-$3)*100):(($2+$3)*100) with filledcurves fs transparent solid 0.18 noborder lc rgb '#cc79a7' notitle, \
  data skip 1 every ::36::47 using 1:($2*100) with points pt 13 ps 0.9 lw 1.2 lc rgb '#cc79a7' notitle, \
  keyentry with linespoints lw 1.8 pt 13 ps 0.9 lc rgb '#cc79a7' title 'gamma = 0.8', \
  data skip 1 every ::48::59 using 1:($2*100) with lines lw 1.8 lc rgb '#b8860b' notitle, \
  data skip 1 every ::48::59 using 1:(($2-$3)*100):(($2+$3)*100) with filledcurves fs transparent solid 0.18 noborder lc rgb '#b8860b' notitle, \
  data skip 1 every ::48::59 using 1:($2*100) with points pt 11 ps 0.9 lw 1.2 lc rgb '#b8860b' notitle, \
  keyentry with linespoints lw 1.8 pt 11 ps 0.9 lc rgb '#b8860b' title 'gamma = 1.6', \
  data skip 1 every ::60::71 using 1:($2*100) with lines lw 1.8 lc rgb '#3b9fd9' notitle, \
  data skip 1 every ::60::71 using 1:(($2-$3)*100):(($2+$3)*100) with filledcurves fs transparent solid 0.18 noborder lc rgb '#3b9fd9' notitle, \
  data skip 1 every ::60::71 using 1:($2*100) with points pt 15 ps 0.9 lw 1.2 lc rgb '#3b9fd9' notitle, \
  keyentry with linespoints lw 1.8 pt 15 ps 0.9 lc rgb '#3b9fd9' title 'gamma = 3.2'

# The same for the other files
set terminal pdfcairo noenhanced size 6in,3.7in font 'sans-serif,11'
set output 'robustness-5.pdf'.ending
replot
set terminal pngcairo noenhanced size 1080,660 font 'sans-serif,15'
set output 'robustness-5.png'.ending
replot
set output
