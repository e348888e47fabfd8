# Draws energies-solved.svg, .pdf and .png from energies-solved.csv: gnuplot energies-solved.gp, in this folder.
data = 'energies-solved.csv'
if (!exists('ending')) ending = ''
set datafile separator comma
set terminal svg noenhanced size 720,440 font 'sans-serif,13' background '#ffffff'
set output 'energies-solved.svg'.ending

# The looks
set encoding utf8
set border 3 lc rgb '#555555'
set tics nomirror
set grid back lc rgb '#dddddd' lt 1
set format '%g'
set title 'Share of models without error'
set xlabel 'γ'
set ylabel 'share of models solved'
set errorbars 0.7
set pointintervalbox 0.01
set xrange [-0.048:1.648]
low(mean, half) = mean - half
set rmargin at screen 0.7016
set key at screen 0.7127, graph 1 left top vertical maxcols 1 Left reverse samplen 2 spacing 1.2 font ',11' textcolor rgb '#333333'
# Curves stand a little aside, each by its number of steps
aside(x, steps) = x + 0.013568*steps

# Columns of the data: 1 place, 2 mean, 3 half of its interval, 6 and 7 the reference's
plot data skip 1 every ::0::3 using 1:($2*1) with lines lw 1.8 lc rgb '#0072b2' notitle, \
  data skip 1 every ::0::3 using (aside($1,-2)):($2*1):(low($2,$3)*1):(($2+$3)*1) with yerrorbars ps 0 lw 1.2 lc rgb '#0072b2' notitle, \
  data skip 1 every ::0::3 using (aside($1,-2)):($2*1) with points pt 7 ps 0.7 lw 1.2 lc rgb '#0072b2' notitle, \
  keyentry with linespoints lw 1.8 pt 7 ps 0.7 lc rgb '#0072b2' title 'energy = errors', \
  data skip 1 every ::4::7 using 1:($2*1) with lines lw 1.8 lc rgb '#d55e00' notitle, \
  data skip 1 every ::4::7 using (aside($1,-1)):($2*1):(low($2,$3)*1):(($2+$3)*1) with yerrorbars ps 0 lw 1.2 lc rgb '#d55e00' notitle, \
  data skip 1 every ::4::7 using (aside($1,-1)):($2*1) with points pt 5 ps 0.7 lw 1.2 lc rgb '#d55e00' notitle, \
  keyentry with linespoints lw 1.8 pt 5 ps 0.7 lc rgb '#d55e00' title 'energy = bits', \
  data skip 1 every ::8::11 using 1:($2*1) with lines lw 1.8 lc rgb '#009e73' notitle, \
  data skip 1 every ::8::11 using (aside($1,0)):($2*1):(low($2,$3)*1):(($2+$3)*1) with yerrorbars ps 0 lw 1.2 lc rgb '#009e73' notitle, \
  data skip 1 every ::8::11 using (aside($1,0)):($2*1) with points pt 9 ps 0.7 lw 1.2 lc rgb '#009e73' notitle, \
  keyentry with linespoints lw 1.8 pt 9 ps 0.7 lc rgb '#009e73' title 'energy = bits-strict', \
  data skip 1 every ::12::15 using 1:($2*1) with lines lw 1.8 lc rgb '#cc79a7' notitle, \
  data skip 1 every ::12::15 using (aside($1,1)):($2*1):(low($2,$3)*1):(($2+$3)*1) with yerrorbars ps 0 lw 1.2 lc rgb '#cc79a7' notitle, \
  data skip 1 every ::12::15 using (aside($1,1)):($2*1) with points pt 13 ps 0.7 lw 1.2 lc rgb '#cc79a7' notitle, \
  keyentry with linespoints lw 1.8 pt 13 ps 0.7 lc rgb '#cc79a7' title 'energy = logistic', \
  data skip 1 every ::16::19 using 1:($2*1) with lines lw 1.8 lc rgb '#b8860b' notitle, \
  data skip 1 every ::16::19 using (aside($1,2)):($2*1):(low($2,$3)*1):(($2+$3)*1) with yerrorbars ps 0 lw 1.2 lc rgb '#b8860b' notitle, \
  data skip 1 every ::16::19 using (aside($1,2)):($2*1) with points pt 11 ps 0.7 lw 1.2 lc rgb '#b8860b' notitle, \
  keyentry with linespoints lw 1.8 pt 11 ps 0.7 lc rgb '#b8860b' title 'energy = logistic-steep'

# The same for the other files
set terminal pdfcairo noenhanced size 6in,3.67in font 'sans-serif,13' fontscale 0.46
set output 'energies-solved.pdf'.ending
replot
set terminal pngcairo noenhanced size 1080,660 font 'sans-serif,13' fontscale 1.15 pointscale 1.9 linewidth 1.4
set output 'energies-solved.png'.ending
replot
set output
