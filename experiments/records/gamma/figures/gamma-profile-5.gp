# Draws gamma-profile-5.svg, .pdf and .png from gamma-profile-5.csv: gnuplot gamma-profile-5.gp, in this folder.
data = 'gamma-profile-5.csv'
if (!exists('ending')) ending = ''
set datafile separator comma
set terminal svg noenhanced size 720,440 font 'sans-serif,13' background '#ffffff'
set output 'gamma-profile-5.svg'.ending

# The looks
set encoding utf8
set border 3 lc rgb '#555555'
set tics nomirror
set grid back lc rgb '#dddddd' lt 1
set format '%g'
set title 'Training loss around the weights found, 5 replicas'
set xlabel 'share of weights flipped'
set ylabel 'training loss'
set errorbars 0.7
set pointintervalbox 0.01
set xrange [-0.003:0.103]
low(mean, half) = mean - half
set rmargin at screen 0.8471
set key at screen 0.8582, graph 1 left top vertical maxcols 1 Left reverse samplen 2 spacing 1.2 font ',12' textcolor rgb '#333333'

# Columns of the data: 1 place, 2 mean, 3 half of its interval, 6 and 7 the reference's
plot data skip 1 every ::0::20 using 1:($2*1) with lines lw 1.8 lc rgb '#0072b2' notitle, \
  data skip 1 every ::0::20 using 1:(low($2,$3)*1):(($2+$3)*1) with filledcurves fs transparent solid 0.18 noborder lc rgb '#0072b2' notitle, \
  data skip 1 every ::0::20 using 1:($2*1) with points pt 7 ps 0.7 lw 1.2 lc rgb '#0072b2' notitle, \
  keyentry with linespoints lw 1.8 pt 7 ps 0.7 lc rgb '#0072b2' title 'γ = 0', \
  data skip 1 every ::21::41 using 1:($2*1) with lines lw 1.8 lc rgb '#d55e00' notitle, \
  data skip 1 every ::21::41 using 1:(low($2,$3)*1):(($2+$3)*1) with filledcurves fs transparent solid 0.18 noborder lc rgb '#d55e00' notitle, \
  data skip 1 every ::21::41 using 1:($2*1) with points pt 5 ps 0.7 lw 1.2 lc rgb '#d55e00' notitle, \
  keyentry with linespoints lw 1.8 pt 5 ps 0.7 lc rgb '#d55e00' title 'γ = 0.1', \
  data skip 1 every ::42::62 using 1:($2*1) with lines lw 1.8 lc rgb '#009e73' notitle, \
  data skip 1 every ::42::62 using 1:(low($2,$3)*1):(($2+$3)*1) with filledcurves fs transparent solid 0.18 noborder lc rgb '#009e73' notitle, \
  data skip 1 every ::42::62 using 1:($2*1) with points pt 9 ps 0.7 lw 1.2 lc rgb '#009e73' notitle, \
  keyentry with linespoints lw 1.8 pt 9 ps 0.7 lc rgb '#009e73' title 'γ = 0.2', \
  data skip 1 every ::63::83 using 1:($2*1) with lines lw 1.8 lc rgb '#cc79a7' notitle, \
  data skip 1 every ::63::83 using 1:(low($2,$3)*1):(($2+$3)*1) with filledcurves fs transparent solid 0.18 noborder lc rgb '#cc79a7' notitle, \
  data skip 1 every ::63::83 using 1:($2*1) with points pt 13 ps 0.7 lw 1.2 lc rgb '#cc79a7' notitle, \
  keyentry with linespoints lw 1.8 pt 13 ps 0.7 lc rgb '#cc79a7' title 'γ = 0.4', \
  data skip 1 every ::84::104 using 1:($2*1) with lines lw 1.8 lc rgb '#b8860b' notitle, \
  data skip 1 every ::84::104 using 1:(low($2,$3)*1):(($2+$3)*1) with filledcurves fs transparent solid 0.18 noborder lc rgb '#b8860b' notitle, \
  data skip 1 every ::84::104 using 1:($2*1) with points pt 11 ps 0.7 lw 1.2 lc rgb '#b8860b' notitle, \
  keyentry with linespoints lw 1.8 pt 11 ps 0.7 lc rgb '#b8860b' title 'γ = 0.8', \
  data skip 1 every ::105::125 using 1:($2*1) with lines lw 1.8 lc rgb '#3b9fd9' notitle, \
  data skip 1 every ::105::125 using 1:(low($2,$3)*1):(($2+$3)*1) with filledcurves fs transparent solid 0.18 noborder lc rgb '#3b9fd9' notitle, \
  data skip 1 every ::105::125 using 1:($2*1) with points pt 15 ps 0.7 lw 1.2 lc rgb '#3b9fd9' notitle, \
  keyentry with linespoints lw 1.8 pt 15 ps 0.7 lc rgb '#3b9fd9' title 'γ = 1.6'

# The same for the other files
set terminal pdfcairo noenhanced size 6in,3.67in font 'sans-serif,13' fontscale 0.46
set output 'gamma-profile-5.pdf'.ending
replot
set terminal pngcairo noenhanced size 1080,660 font 'sans-serif,13' fontscale 1.15 pointscale 1.9 linewidth 1.4
set output 'gamma-profile-5.png'.ending
replot
set output
