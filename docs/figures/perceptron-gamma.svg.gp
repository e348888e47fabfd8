$curve0 << END
0 1
0.20000000000000001 4
0.40000000000000002 10
0.59999999999999998 19
0.80000000000000004 16
1 20
1.2 20
1.3999999999999999 20
1.6000000000000001 20
END
set terminal svg size 720,440 font 'sans-serif,13' background '#ffffff'
set termoption noenhanced
set output "docs/figures/perceptron-gamma.svg"
set border 3 lc rgb '#555555'
set tics nomirror
set grid back lc rgb '#dddddd' lt 1
set format '%g'
set key outside right top
set title "Perceptrons solved by all 3 replicas, of 20"
set xlabel "gamma"
set ylabel "solved"
plot $curve0 with lines lw 1.6 lc rgb '#0072b2' title "solved"
