# Draws solved.svg, .pdf and .png from solved.csv: gnuplot solved.gp, in this folder.
data = 'solved.csv'
if (!exists('ending')) ending = ''
set datafile separator comma
set terminal svg noenhanced size 720,472 font 'sans-serif,13' background '#ffffff'
set output 'solved.svg'.ending

# The looks
set encoding utf8
set border 3 lc rgb '#555555'
set tics nomirror
set grid back lc rgb '#dddddd' lt 1
set format '%g'
set title 'Share of 10 random perceptrons solved within two seconds, N = 1001'
set xlabel 'patterns per weight α'
set ylabel 'share solved by any replica'
set errorbars 0.7
set pointintervalbox 0.01
set xrange [0.391:0.709]
low(end) = end
set key title ' ' outside below center horizontal maxcols 2 Left reverse samplen 2 spacing 1.1 font ',10' textcolor rgb '#333333'
# Curves stand a little aside, each by its number of steps
aside(x, steps) = x + 0.002544*steps

# Columns of the data: 1 place, 2 mean, 4 and 5 the ends of its interval, 8 and 9 the reference's and half of its
plot data skip 1 every ::0::3 using (aside($1,-1.5)):($2*1) with lines lw 1.8 lc rgb '#0072b2' notitle, \
  data skip 1 every ::0::3 using (aside($1,-1.5)):($2*1):(low($4)*1):($5*1) with yerrorbars ps 0 lw 1.2 lc rgb '#0072b2' notitle, \
  data skip 1 every ::0::3 using (aside($1,-1.5)):($2*1) with points pt 7 ps 0.7 lw 1.2 lc rgb '#0072b2' notitle, \
  keyentry with linespoints lw 1.8 pt 7 ps 0.7 lc rgb '#0072b2' title 'annealing', \
  data skip 1 every ::4::7 using (aside($1,-0.5)):($2*1) with lines lw 1.8 lc rgb '#d55e00' notitle, \
  data skip 1 every ::4::7 using (aside($1,-0.5)):($2*1):(low($4)*1):($5*1) with yerrorbars ps 0 lw 1.2 lc rgb '#d55e00' notitle, \
  data skip 1 every ::4::7 using (aside($1,-0.5)):($2*1) with points pt 5 ps 0.7 lw 1.2 lc rgb '#d55e00' notitle, \
  keyentry with linespoints lw 1.8 pt 5 ps 0.7 lc rgb '#d55e00' title 'seven coupled replicas', \
  data skip 1 every ::8::11 using (aside($1,0.5)):($2*1) with lines lw 1.8 lc rgb '#009e73' notitle, \
  data skip 1 every ::8::11 using (aside($1,0.5)):($2*1):(low($4)*1):($5*1) with yerrorbars ps 0 lw 1.2 lc rgb '#009e73' notitle, \
  data skip 1 every ::8::11 using (aside($1,0.5)):($2*1) with points pt 9 ps 0.7 lw 1.2 lc rgb '#009e73' notitle, \
  keyentry with linespoints lw 1.8 pt 9 ps 0.7 lc rgb '#009e73' title 'tempering', \
  data skip 1 every ::12::15 using (aside($1,1.5)):($2*1) with lines lw 1.8 lc rgb '#cc79a7' notitle, \
  data skip 1 every ::12::15 using (aside($1,1.5)):($2*1):(low($4)*1):($5*1) with yerrorbars ps 0 lw 1.2 lc rgb '#cc79a7' notitle, \
  data skip 1 every ::12::15 using (aside($1,1.5)):($2*1) with points pt 13 ps 0.7 lw 1.2 lc rgb '#cc79a7' notitle, \
  keyentry with linespoints lw 1.8 pt 13 ps 0.7 lc rgb '#cc79a7' title 'tempering, seven coupled replicas'

# The same for the other files
set terminal pdfcairo noenhanced size 6in,3.93in font 'sans-serif,13' fontscale 0.46
set output 'solved.pdf'.ending
replot
set terminal pngcairo noenhanced size 1080,708 font 'sans-serif,13' fontscale 1.15 pointscale 1.9 linewidth 1.4
set output 'solved.png'.ending
replot
set output
