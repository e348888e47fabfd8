# Draws beta-active-heat.svg, .pdf and .png from beta-active.csv: gnuplot beta-active-heat.gp, in this folder.
data = 'beta-active.csv'
if (!exists('ending')) ending = ''
set datafile separator comma
set terminal svg noenhanced size 720,440 font 'sans-serif,13' background '#ffffff'
set output 'beta-active-heat.svg'.ending

# The looks
set encoding utf8
set border 3 lc rgb '#555555'
set tics nomirror
set grid back lc rgb '#dddddd' lt 1
set format '%g'
set title 'Active transitions'
set xlabel 'β at the end'
set ylabel 'β at the start'
unset key
unset grid
set border 0
set tics scale 0
set xrange [-0.5:5.5]
set xtics ('10' 0, '100' 1, '1000' 2, '10000' 3, '100000' 4, '1000000' 5)
set yrange [-0.5:4.5]
set ytics ('1' 0, '10' 1, '100' 2, '1000' 3, '10000' 4)
set label 1 'active transitions'
set label 1 at screen 0.9692, graph 0.5 center rotate by 90
set palette defined (0 '#440154', 1 '#472c7a', 2 '#3b518b', 3 '#2c718e', 4 '#21908d', 5 '#27ad81', 6 '#5cc863', 7 '#aadc32', 8 '#fde725')
set rmargin at screen 0.7856
set colorbox user origin screen 0.8051, graph 0 size screen 0.0361, graph 1
set cbrange [4892.5:275634.9]
set cbtics (50000, 100000, 150000, 200000, 250000)

# Columns of the data: 12 and 13 place, 2 mean, 14 the mean as text
plot data skip 1 using 12:13:(0.49):(0.49):($2*1) with boxxyerror fs solid 1 noborder lc palette notitle, \
  data skip 1 using ($2 < 167337.94 ? $12 : NaN):13:14 with labels font ',13' textcolor rgb '#ffffff' notitle, \
  data skip 1 using ($2 >= 167337.94 ? $12 : NaN):13:14 with labels font ',13' textcolor rgb '#000000' notitle

# The same for the other files
set terminal pdfcairo noenhanced size 6in,3.67in font 'sans-serif,13' fontscale 0.46
set output 'beta-active-heat.pdf'.ending
replot
set terminal pngcairo noenhanced size 1080,660 font 'sans-serif,13' fontscale 1.15 pointscale 1.9 linewidth 1.4
set output 'beta-active-heat.png'.ending
replot
set output
