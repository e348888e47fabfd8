# Draws solved.svg, .pdf and .png from solved.csv: gnuplot solved.gp, in this folder.
data = 'solved.csv'
if (!exists('ending')) ending = ''
set datafile separator comma
set terminal svg noenhanced size 720,440 font 'sans-serif,13' background '#ffffff'
set output 'solved.svg'.ending

# The looks
set encoding utf8
set border 3 lc rgb '#555555'
set tics nomirror
set grid back lc rgb '#dddddd' lt 1
set format '%g'
set title 'Share of 10 random perceptrons solved with 10^8 proposals, N ='."\n".'1001'
set xlabel 'patterns per weight α'
set ylabel 'share solved by any replica'
set errorbars 0.7
set pointintervalbox 0.01
set xrange [0.597:0.703]
low(end) = end
set key outside right top vertical maxcols 1 Left reverse samplen 2 spacing 1.2 font ',12' textcolor rgb '#333333'
# Curves stand a little aside, each by its number of steps
aside(x, steps) = x + 0.000848*steps

# Columns of the data: 1 place, 2 mean, 4 and 5 the ends of its interval, 8 and 9 the reference's and half of its
plot data skip 1 every ::0::1 using (aside($1,-4)):($2*1) with lines lw 1.8 lc rgb '#0d0887' notitle, \
  data skip 1 every ::0::1 using (aside($1,-4)):($2*1):(low($4)*1):($5*1) with yerrorbars ps 0 lw 1.2 lc rgb '#0d0887' notitle, \
  data skip 1 every ::0::1 using (aside($1,-4)):($2*1) with points pt 7 ps 0.7 lw 1.2 lc rgb '#0d0887' notitle, \
  keyentry with linespoints lw 1.8 pt 7 ps 0.7 lc rgb '#0d0887' title 'annealing', \
  data skip 1 every ::2::3 using (aside($1,-3)):($2*1) with lines lw 1.8 lc rgb '#43039d' notitle, \
  data skip 1 every ::2::3 using (aside($1,-3)):($2*1):(low($4)*1):($5*1) with yerrorbars ps 0 lw 1.2 lc rgb '#43039d' notitle, \
  data skip 1 every ::2::3 using (aside($1,-3)):($2*1) with points pt 5 ps 0.7 lw 1.2 lc rgb '#43039d' notitle, \
  keyentry with linespoints lw 1.8 pt 5 ps 0.7 lc rgb '#43039d' title '7 uncoupled', \
  data skip 1 every ::4::5 using (aside($1,-2)):($2*1) with lines lw 1.8 lc rgb '#6f03a6' notitle, \
  data skip 1 every ::4::5 using (aside($1,-2)):($2*1):(low($4)*1):($5*1) with yerrorbars ps 0 lw 1.2 lc rgb '#6f03a6' notitle, \
  data skip 1 every ::4::5 using (aside($1,-2)):($2*1) with points pt 9 ps 0.7 lw 1.2 lc rgb '#6f03a6' notitle, \
  keyentry with linespoints lw 1.8 pt 9 ps 0.7 lc rgb '#6f03a6' title '3 coupled', \
  data skip 1 every ::6::7 using (aside($1,-1)):($2*1) with lines lw 1.8 lc rgb '#96159e' notitle, \
  data skip 1 every ::6::7 using (aside($1,-1)):($2*1):(low($4)*1):($5*1) with yerrorbars ps 0 lw 1.2 lc rgb '#96159e' notitle, \
  data skip 1 every ::6::7 using (aside($1,-1)):($2*1) with points pt 13 ps 0.7 lw 1.2 lc rgb '#96159e' notitle, \
  keyentry with linespoints lw 1.8 pt 13 ps 0.7 lc rgb '#96159e' title '7 coupled', \
  data skip 1 every ::8::9 using (aside($1,0)):($2*1) with lines lw 1.8 lc rgb '#b83189' notitle, \
  data skip 1 every ::8::9 using (aside($1,0)):($2*1):(low($4)*1):($5*1) with yerrorbars ps 0 lw 1.2 lc rgb '#b83189' notitle, \
  data skip 1 every ::8::9 using (aside($1,0)):($2*1) with points pt 11 ps 0.7 lw 1.2 lc rgb '#b83189' notitle, \
  keyentry with linespoints lw 1.8 pt 11 ps 0.7 lc rgb '#b83189' title '15 coupled', \
  data skip 1 every ::10::11 using (aside($1,1)):($2*1) with lines lw 1.8 lc rgb '#d25071' notitle, \
  data skip 1 every ::10::11 using (aside($1,1)):($2*1):(low($4)*1):($5*1) with yerrorbars ps 0 lw 1.2 lc rgb '#d25071' notitle, \
  data skip 1 every ::10::11 using (aside($1,1)):($2*1) with points pt 15 ps 0.7 lw 1.2 lc rgb '#d25071' notitle, \
  keyentry with linespoints lw 1.8 pt 15 ps 0.7 lc rgb '#d25071' title '7 coupled, two-stage', \
  data skip 1 every ::12::13 using (aside($1,2)):($2*1) with lines lw 1.8 lc rgb '#e87059' notitle, \
  data skip 1 every ::12::13 using (aside($1,2)):($2*1):(low($4)*1):($5*1) with yerrorbars ps 0 lw 1.2 lc rgb '#e87059' notitle, \
  data skip 1 every ::12::13 using (aside($1,2)):($2*1) with points pt 7 ps 0.7 lw 1.2 lc rgb '#e87059' notitle, \
  keyentry with linespoints lw 1.8 pt 7 ps 0.7 lc rgb '#e87059' title '7 coupled, constant', \
  data skip 1 every ::14::15 using (aside($1,3)):($2*1) with lines lw 1.8 lc rgb '#f79341' notitle, \
  data skip 1 every ::14::15 using (aside($1,3)):($2*1):(low($4)*1):($5*1) with yerrorbars ps 0 lw 1.2 lc rgb '#f79341' notitle, \
  data skip 1 every ::14::15 using (aside($1,3)):($2*1) with points pt 5 ps 0.7 lw 1.2 lc rgb '#f79341' notitle, \
  keyentry with linespoints lw 1.8 pt 5 ps 0.7 lc rgb '#f79341' title '7 coupled, scoping', \
  data skip 1 every ::16::17 using (aside($1,4)):($2*1) with lines lw 1.8 lc rgb '#fcbb2c' notitle, \
  data skip 1 every ::16::17 using (aside($1,4)):($2*1):(low($4)*1):($5*1) with yerrorbars ps 0 lw 1.2 lc rgb '#fcbb2c' notitle, \
  data skip 1 every ::16::17 using (aside($1,4)):($2*1) with points pt 9 ps 0.7 lw 1.2 lc rgb '#fcbb2c' notitle, \
  keyentry with linespoints lw 1.8 pt 9 ps 0.7 lc rgb '#fcbb2c' title '7 with a centre'

# The same for the other files
set terminal pdfcairo noenhanced size 6in,3.67in font 'sans-serif,13' fontscale 0.46
set output 'solved.pdf'.ending
replot
set terminal pngcairo noenhanced size 1080,660 font 'sans-serif,13' fontscale 1.15 pointscale 1.9 linewidth 1.4
set output 'solved.png'.ending
replot
set output
