# spinney plot: the trace of a run, in the terminal and as a file.
load helpers

trace() {
    cat > trace.csv <<'END'
step,beta,gamma,acceptance,overlap,energy_1,energy_2,best_1,best_2
0,0.1,0.5,0,1,64,60,64,60
100,0.5,0.5,0.5,0.75,32,20,30,20
200,1,0.5,0.25,0.5,8,12,8,10
300,2,0.5,0.125,0.75,2,4,2,3
400,4,0.5,0.0625,0.875,0,1,0,1
END
}

@test "as text: a curve for each replica" {
    trace
    run --separate-stderr spinney plot trace.csv --width 60 --height 14
    [ "$status" -eq 0 ]
    [ -z "$stderr" ]
    matches_expected plot-energy.txt
}

@test "as text: one column, logarithmic, with a title" {
    trace
    run spinney plot trace.csv --y acceptance --log --title "A title" --width 50 --height 10
    [ "$status" -eq 0 ]
    matches_expected plot-acceptance.txt
    run spinney plot trace.csv --y best --log-x --width 50 --height 10
    [ "$status" -eq 0 ]
    matches_expected plot-best.txt
}

@test "as text: 80 by 20 where there is no terminal" {
    trace
    run spinney plot trace.csv
    [ "$(spinney plot trace.csv --width 80 --height 20)" = "$output" ]
    [[ "$output" != *$'\033'* ]]
}

@test "as text: colours on a terminal" {
    command -v script > /dev/null || skip "script(1) is not installed"
    trace
    script -qec "'$SPINNEY' plot trace.csv" /dev/null < /dev/null | grep -q $'\033\[36m'
}

@test "a flat curve, and a single row" {
    printf 'step,x\n0,3\n5,3\n' > flat.csv
    spinney plot flat.csv --y x
    printf 'step,x\n7,3\n' > row.csv
    spinney plot row.csv --y x --log --log-x
}

@test "--plot of a run without a curve draws its trace, and says how if there is none" {
    run=(anneal --energy bits --random 101,30,1 --steps 1000 --replicas 2 --quiet)
    refuses "--plot: this run has no curve; give --trace FILE to draw its energies" "${run[@]}" --plot f.svg
    refuses "--plot: needs a trace in a file, not -" "${run[@]}" --plot f.svg --trace -
    refuses "--y: there is no result 'overlaps'" "${run[@]}" --plot f.svg --trace t.csv --y overlaps
    spinney "${run[@]}" --plot f.svg --trace t.csv > /dev/null
    grep -q energy_2 f.svg
    spinney "${run[@]}" --plot f.svg --trace t.csv --y acceptance --log > /dev/null
    grep -q acceptance f.svg && ! grep -q energy_2 f.svg
    # a curve comes first
    spinney "${run[@]}" --plot f.svg --trace t.csv --profile-walks 20 > /dev/null
    ! grep -q energy_2 f.svg || false
    spinney plot t.csv --x seconds --width 60 --height 8 | grep -q seconds
    refuses "t.csv: there is no column 'second'; did you mean seconds" plot t.csv --x second
    spinney "${run[@]}" --reads 3 --replicas 1 --trace reads.csv > /dev/null
    spinney plot reads.csv --width 60 --height 8 | grep -q best_energy
}

@test "the trace of a run" {
    spinney anneal --energy bits --random 101,30,1 --steps 1000 --replicas 2 --trace t.csv
    for name in energy best beta gamma acceptance overlap energy_2; do
        spinney plot t.csv --y $name | grep -q "t.csv: $name"
    done
}

@test "as svg, png and pdf, with the script that drew it" {
    command -v gnuplot > /dev/null || skip "gnuplot is not installed"
    trace
    for ending in svg png pdf; do
        run --separate-stderr spinney plot trace.csv --out figure.$ending
        [ "$status" -eq 0 ]
        [ -z "$output$stderr" ]
        [ -s figure.$ending ]
        grep -q 'energy_2' figure.$ending.gp
    done
    grep -q '<svg' figure.svg
    grep -q 'energy_1' figure.svg
    python3 -c 'import xml.dom.minidom; xml.dom.minidom.parse("figure.svg")'
    [ "$(ls)" = "$(printf 'figure.%s\n' pdf pdf.gp png png.gp svg svg.gp; echo trace.csv)" ]
    cp figure.svg first.svg
    gnuplot figure.svg.gp
    cmp figure.svg first.svg
}

@test "gnuplot is missing: said so, and the script stays" {
    trace
    mkdir empty
    run --separate-stderr env PATH="$PWD/empty" "$SPINNEY" plot trace.csv --out figure.svg
    [ "$status" -eq 2 ]
    [ "${#stderr_lines[@]}" -eq 1 ]
    [[ "$stderr" == *"figure.svg: gnuplot is not installed"*"the script is in figure.svg.gp" ]]
    [ ! -e figure.svg ]
}

@test "bad input" {
    trace
    mkdir folder folder.svg
    refuses "give one trace file; see spinney plot --help" plot
    refuses "give one trace file; see spinney plot --help" plot trace.csv trace.csv
    refuses "none.csv: cannot be read: No such file or directory" plot none.csv
    refuses "folder: cannot be read: Is a directory" plot folder
    refuses "trace.csv: there is no column 'enrgy_1'; did you mean energy_1" plot trace.csv --y enrgy_1
    refuses "--width: '5' is not a whole number from 30 to 1000" plot trace.csv --width 5
    refuses "--height: 'x' is not a whole number" plot trace.csv --height x
    refuses "figure.gif: a figure's name ends in .svg, .pdf or .png" plot trace.csv --out figure.gif
    refuses "folder.svg: is a folder; give the name of a file" plot trace.csv --out folder.svg
    refuses "none/figure.svg" plot trace.csv --out none/figure.svg
    printf '' > empty.csv
    refuses "empty.csv: no rows; expected a header and rows of numbers" plot empty.csv
    printf 'step,energy_1\n' > header.csv
    refuses "header.csv: no rows; expected a header" plot header.csv
    printf 'step,energy_1\n0,1\n\n1,x\n' > letters.csv
    refuses "letters.csv: line 4: column 2 (energy_1) is not a number" plot letters.csv
    printf 'step,energy_1\n0,1\n1\n' > ragged.csv
    refuses "ragged.csv: line 3: column 1 (step)" plot ragged.csv
    printf 'step,energy_1\n0,1\n1,2,3\n' > wide.csv
    refuses "wide.csv: line 3: column 2 (energy_1)" plot wide.csv
    printf 'step,energy_1\n0,-1\n1,0\n' > negative.csv
    refuses "negative.csv: there is no point to draw; a logarithmic axis has positive numbers only" \
        plot negative.csv --log
}

@test "a title is a text, not a command" {
    command -v gnuplot > /dev/null || skip "gnuplot is not installed"
    trace
    spinney plot trace.csv --title "it's \`touch pwned\` <b>" --out figure.svg
    [ ! -e pwned ]
    grep -q 'touch pwned.*&lt;b' figure.svg
}

@test "titles and files that start with an apostrophe" {
    command -v gnuplot > /dev/null || skip "gnuplot is not installed"
    trace
    mv trace.csv "'t'.csv"
    for title in "'Greedy' start" "''" "'" "a''b'"; do
        spinney plot "'t'.csv" --title "$title" --out "'figure'.svg"
        [ -s "'figure'.svg" ]
    done
    spinney plot "'t'.csv" --out figure.svg
    grep -q "'t'.csv\|&#39;t&#39;.csv\|&apos;t&apos;.csv" figure.svg
}

@test "--plot --histogram: of a column of a run, of the runs of each point; times are drawn" {
    bits=(anneal --energy bits --sites 31 --steps 200 --beta 0.3:4 --quiet)
    refuses "--histogram needs --plot" "${bits[@]}" --alpha 0.3 --histogram
    command -v gnuplot > /dev/null || skip "gnuplot is not installed"
    spinney "${bits[@]}" --alpha 0.3 --replicas 9 --y overlaps.overlap --plot o.svg --histogram > out
    grep -q 'overlap of two replicas' o.svg.gp
    [ "$(sed -n '/curve0 << END/,/^END/p' o.svg.gp | awk '{ if (NF == 2 && $1 != "END") { s += (NR > 2 ? ($1 - x) * y : 0); x = $1; y = $2 } } END { print (s > 0) }')" = 1 ]
    spinney "${bits[@]}" --grid alpha=0.2,0.9 --runs 5 --y best_energy --plot g.svg --histogram > out
    grep -q 'alpha 0.9' g.svg.gp
    grep -q 'share of the values' g.svg.gp
    spinney "${bits[@]}" --grid alpha=0.2,0.9 --runs 2 --y seconds --plot t.svg > out
    grep -q 'time (s)' t.svg.gp && grep -q 'patterns per spin' t.svg.gp
}

@test "spinney plot --histogram: in the terminal" {
    printf 'step,e\n' > t.csv
    for i in 0 1 1 2 2 2 2 3 3 4; do echo "1,$i"; done >> t.csv
    run spinney plot t.csv --y e --histogram --width 40 --height 10
    [ "$status" -eq 0 ]
    [[ "${lines[0]}" == *"share of the values"* ]]
    [[ "${lines[1]}" == *"0.6 ┤"* ]] # 2 and 3: bins of two steps, by the quartiles
    [[ "${lines[-1]}" == *"-0.5"*"e"*"5.5"* ]]
}
