# Draws tts-5.svg, .pdf and .png from tts-5.csv: gnuplot tts-5.gp, in this folder.
data = 'tts-5.csv'
if (!exists('ending')) ending = ''
set datafile separator comma
set terminal svg noenhanced size 720,440 font 'sans-serif,13' background '#ffffff'
set output 'tts-5.svg'.ending

# The looks
set encoding utf8
set border 3 lc rgb '#555555'
set tics nomirror
set grid back lc rgb '#dddddd' lt 1
set format '%g'
set title 'Proposals until solved with 99%, α = 0.5'
set xlabel 'weights N'
set ylabel 'TTS99, proposals'
set errorbars 0.7
set pointintervalbox 0.01
set logscale x
set xrange [461.0462488:4347.722176]
set xtics ('501' 501, '1001' 1001, '2001' 2001, '4001' 4001)
top = 5.600307116e+10 # where intervals without an upper end go
set logscale y
bottom = 110283.6688
set yrange [bottom*1:1.034123143e+10]
low(end) = end > 0 ? end : bottom/2 # off the axis
set key outside right top vertical maxcols 1 Left reverse samplen 2 spacing 1.2 font ',12' textcolor rgb '#333333'
# Curves stand a little aside, each by its number of steps
aside(x, steps) = x * 1.018113364**steps

# Columns of the data: 1 place, 2 mean, 4 and 5 the ends of its interval, 8 and 9 the reference's and half of its
plot data skip 1 every ::0::3 using (aside($1,-0.5)):($2*1) with lines lw 1.8 lc rgb '#0072b2' notitle, \
  data skip 1 every ::0::3 using (aside($1,-0.5)):($2*1):4:(valid(5) ? $5 : top) with yerrorbars ps 0 lw 1.2 lc rgb '#0072b2' notitle, \
  data skip 1 every ::0::3 using (aside($1,-0.5)):($2*1) with points pt 7 ps 0.7 lw 1.2 lc rgb '#0072b2' notitle, \
  data skip 1 every ::0::3 using (aside($1,-0.5)):(valid(2) ? 1/0 : $4) with points pt 8 ps 1 lw 1.4 lc rgb '#0072b2' notitle, \
  keyentry with linespoints lw 1.8 pt 7 ps 0.7 lc rgb '#0072b2' title 'annealing', \
  3.346629379e-07*x**5.00577045 with lines lw 1 dt 3 lc rgb '#0072b2' notitle, \
  data skip 1 every ::4::7 using (aside($1,0.5)):($2*1) with lines lw 1.8 lc rgb '#d55e00' notitle, \
  data skip 1 every ::4::7 using (aside($1,0.5)):($2*1):4:(valid(5) ? $5 : top) with yerrorbars ps 0 lw 1.2 lc rgb '#d55e00' notitle, \
  data skip 1 every ::4::7 using (aside($1,0.5)):($2*1) with points pt 5 ps 0.7 lw 1.2 lc rgb '#d55e00' notitle, \
  data skip 1 every ::4::7 using (aside($1,0.5)):(valid(2) ? 1/0 : $4) with points pt 8 ps 1 lw 1.4 lc rgb '#d55e00' notitle, \
  keyentry with linespoints lw 1.8 pt 5 ps 0.7 lc rgb '#d55e00' title 'seven coupled replicas', \
  125342.5034*exp(0.002409826972*x) with lines lw 1 dt 3 lc rgb '#d55e00' notitle

# The same for the other files
set terminal pdfcairo noenhanced size 6in,3.67in font 'sans-serif,13' fontscale 0.46
set output 'tts-5.pdf'.ending
replot
set terminal pngcairo noenhanced size 1080,660 font 'sans-serif,13' fontscale 1.15 pointscale 1.9 linewidth 1.4
set output 'tts-5.png'.ending
replot
set output
