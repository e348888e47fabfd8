# Draws robustness-tenth.svg, .pdf and .png from robustness-tenth.csv: gnuplot robustness-tenth.gp, in this folder.
data = 'robustness-tenth.csv'
if (!exists('ending')) ending = ''
set datafile separator comma
set terminal svg noenhanced size 720,440 font 'sans-serif,13' background '#ffffff'
set output 'robustness-tenth.svg'.ending

# The looks
set encoding utf8
set border 3 lc rgb '#555555'
set tics nomirror
set grid back lc rgb '#dddddd' lt 1
set format '%g'
set title 'Test accuracy with a tenth of the weights flipped'
set xlabel 'γ'
set ylabel 'test accuracy (%)'
set errorbars 0.7
set pointintervalbox 0.01
set xrange [-0.048:1.648]
low(mean, half) = mean - half
set rmargin at screen 0.7954
set key at screen 0.8066, graph 1 left top vertical maxcols 1 Left reverse samplen 2 spacing 1.2 font ',12' textcolor rgb '#333333'
# Curves stand a little aside, each by its number of steps
aside(x, steps) = x + 0.013568*steps

# Columns of the data: 1 place, 2 mean, 3 half of its interval, 6 and 7 the reference's
plot data skip 1 every ::0::4 using 1:($2*100) with lines lw 1.8 lc rgb '#0072b2' notitle, \
  data skip 1 every ::0::4 using (aside($1,-1)):($2*100):(low($2,$3)*100):(($2+$3)*100) with yerrorbars ps 0 lw 1.2 lc rgb '#0072b2' notitle, \
  data skip 1 every ::0::4 using (aside($1,-1)):($2*100) with points pt 7 ps 0.7 lw 1.2 lc rgb '#0072b2' notitle, \
  keyentry with linespoints lw 1.8 pt 7 ps 0.7 lc rgb '#0072b2' title 'replicas = 3', \
  data skip 1 every ::5::9 using 1:($2*100) with lines lw 1.8 lc rgb '#d55e00' notitle, \
  data skip 1 every ::5::9 using (aside($1,0)):($2*100):(low($2,$3)*100):(($2+$3)*100) with yerrorbars ps 0 lw 1.2 lc rgb '#d55e00' notitle, \
  data skip 1 every ::5::9 using (aside($1,0)):($2*100) with points pt 5 ps 0.7 lw 1.2 lc rgb '#d55e00' notitle, \
  keyentry with linespoints lw 1.8 pt 5 ps 0.7 lc rgb '#d55e00' title 'replicas = 5', \
  data skip 1 every ::10::14 using 1:($2*100) with lines lw 1.8 lc rgb '#009e73' notitle, \
  data skip 1 every ::10::14 using (aside($1,1)):($2*100):(low($2,$3)*100):(($2+$3)*100) with yerrorbars ps 0 lw 1.2 lc rgb '#009e73' notitle, \
  data skip 1 every ::10::14 using (aside($1,1)):($2*100) with points pt 9 ps 0.7 lw 1.2 lc rgb '#009e73' notitle, \
  keyentry with linespoints lw 1.8 pt 9 ps 0.7 lc rgb '#009e73' title 'replicas = 7'

# The same for the other files
set terminal pdfcairo noenhanced size 6in,3.67in font 'sans-serif,13' fontscale 0.46
set output 'robustness-tenth.pdf'.ending
replot
set terminal pngcairo noenhanced size 1080,660 font 'sans-serif,13' fontscale 1.15 pointscale 1.9 linewidth 1.4
set output 'robustness-tenth.png'.ending
replot
set output
