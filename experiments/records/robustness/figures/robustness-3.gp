# Draws robustness-3.svg, .pdf and .png from robustness-3.csv: gnuplot robustness-3.gp, in this folder.
data = 'robustness-3.csv'
if (!exists('ending')) ending = ''
set datafile separator comma
set terminal svg noenhanced size 720,440 font 'sans-serif,13' background '#ffffff'
set output 'robustness-3.svg'.ending

# The looks
set encoding utf8
set border 3 lc rgb '#555555'
set tics nomirror
set grid back lc rgb '#dddddd' lt 1
set format '%g'
set title 'Test accuracy with flipped weights, 3 replicas'
set xlabel 'share p of weights flipped'
set ylabel 'test accuracy (%)'
set errorbars 0.7
set pointintervalbox 0.01
set logscale x
set xrange [0.0003792887875:0.6591283693]
set xtics ('0' 0.0005, '0.001' 0.001, '0.002' 0.002, '0.005' 0.005, '0.01' 0.01, '0.02' 0.02, '0.05' 0.05, '0.1' 0.1, '0.2' 0.2, '' 0.3, '0.4' 0.4, '' 0.5)
# 0 is drawn left of the break
set object 1 rectangle from first 0.0006830201284, graph -0.01 to first 0.000732042848, graph 1.01 front fc rgb '#ffffff' fs solid noborder
set arrow 1 from first 0.0007071067812, graph 0 to first 0.0007071067812, graph 1 nohead front dt 3 lc rgb '#999999'
low(mean, half) = mean - half
set rmargin at screen 0.8471
set key at screen 0.8582, graph 1 left top vertical maxcols 1 Left reverse samplen 2 spacing 1.2 font ',12' textcolor rgb '#333333'

# Columns of the data: 1 place, 2 mean, 3 half of its interval, 6 and 7 the reference's
plot data skip 1 every ::0::11 using 1:($2*100) with lines lw 1.8 lc rgb '#0072b2' notitle, \
  data skip 1 every ::0::11 using 1:(low($2,$3)*100):(($2+$3)*100) with filledcurves fs transparent solid 0.18 noborder lc rgb '#0072b2' notitle, \
  data skip 1 every ::0::11 using 1:($2*100) with points pt 7 ps 0.7 lw 1.2 lc rgb '#0072b2' notitle, \
  keyentry with linespoints lw 1.8 pt 7 ps 0.7 lc rgb '#0072b2' title 'γ = 0', \
  data skip 1 every ::12::23 using 1:($2*100) with lines lw 1.8 lc rgb '#d55e00' notitle, \
  data skip 1 every ::12::23 using 1:(low($2,$3)*100):(($2+$3)*100) with filledcurves fs transparent solid 0.18 noborder lc rgb '#d55e00' notitle, \
  data skip 1 every ::12::23 using 1:($2*100) with points pt 5 ps 0.7 lw 1.2 lc rgb '#d55e00' notitle, \
  keyentry with linespoints lw 1.8 pt 5 ps 0.7 lc rgb '#d55e00' title 'γ = 0.2', \
  data skip 1 every ::24::35 using 1:($2*100) with lines lw 1.8 lc rgb '#009e73' notitle, \
  data skip 1 every ::24::35 using 1:(low($2,$3)*100):(($2+$3)*100) with filledcurves fs transparent solid 0.18 noborder lc rgb '#009e73' notitle, \
  data skip 1 every ::24::35 using 1:($2*100) with points pt 9 ps 0.7 lw 1.2 lc rgb '#009e73' notitle, \
  keyentry with linespoints lw 1.8 pt 9 ps 0.7 lc rgb '#009e73' title 'γ = 0.4', \
  data skip 1 every ::36::47 using 1:($2*100) with lines lw 1.8 lc rgb '#cc79a7' notitle, \
  data skip 1 every ::36::47 using 1:(low($2,$3)*100):(($2+$3)*100) with filledcurves fs transparent solid 0.18 noborder lc rgb '#cc79a7' notitle, \
  data skip 1 every ::36::47 using 1:($2*100) with points pt 13 ps 0.7 lw 1.2 lc rgb '#cc79a7' notitle, \
  keyentry with linespoints lw 1.8 pt 13 ps 0.7 lc rgb '#cc79a7' title 'γ = 0.8', \
  data skip 1 every ::48::59 using 1:($2*100) with lines lw 1.8 lc rgb '#b8860b' notitle, \
  data skip 1 every ::48::59 using 1:(low($2,$3)*100):(($2+$3)*100) with filledcurves fs transparent solid 0.18 noborder lc rgb '#b8860b' notitle, \
  data skip 1 every ::48::59 using 1:($2*100) with points pt 11 ps 0.7 lw 1.2 lc rgb '#b8860b' notitle, \
  keyentry with linespoints lw 1.8 pt 11 ps 0.7 lc rgb '#b8860b' title 'γ = 1.6', \
  data skip 1 every ::60::71 using 1:($2*100) with lines lw 1.8 lc rgb '#3b9fd9' notitle, \
  data skip 1 every ::60::71 using 1:(low($2,$3)*100):(($2+$3)*100) with filledcurves fs transparent solid 0.18 noborder lc rgb '#3b9fd9' notitle, \
  data skip 1 every ::60::71 using 1:($2*100) with points pt 15 ps 0.7 lw 1.2 lc rgb '#3b9fd9' notitle, \
  keyentry with linespoints lw 1.8 pt 15 ps 0.7 lc rgb '#3b9fd9' title 'γ = 3.2'

# The same for the other files
set terminal pdfcairo noenhanced size 6in,3.67in font 'sans-serif,13' fontscale 0.46
set output 'robustness-3.pdf'.ending
replot
set terminal pngcairo noenhanced size 1080,660 font 'sans-serif,13' fontscale 1.15 pointscale 1.9 linewidth 1.4
set output 'robustness-3.png'.ending
replot
set output
