# Bad input: one clear line that names the file, the line and the remedy; exit status 2; nothing on
# stdout; no output file.
load helpers

# Refused although outputs are asked for, which must not appear.
anneal_refuses() {
    local text=$1
    shift
    refuses "$text" anneal --steps 1000 --trace trace.csv --out states --json "$@"
}

# `bad ENERGY OPTION TEXT`: the file comes on stdin
bad() {
    cat > problem
    anneal_refuses "$3" --energy "$1" "$2" problem
}

@test "missing files and folders" {
    mkdir folder
    for pair in "bits --patterns" "ising --graph" "maxcut --graph" "table --table" \
        "distance --minima"; do
        anneal_refuses "none.txt: cannot be opened: No such file or directory" \
            --energy $pair none.txt
        anneal_refuses "folder: is a folder; give the name of a file" --energy $pair folder
    done
}

@test "a file that may not be read" {
    echo '0 1 1' > secret
    chmod 0 secret
    as=()
    if [ "$(id -u)" -eq 0 ]; then # who may read everything, unless told otherwise
        as=(setpriv --bounding-set -dac_override,-dac_read_search)
        "${as[@]}" true || skip "root may read everything here"
    fi
    run --separate-stderr "${as[@]}" "$SPINNEY" anneal --energy ising --graph secret
    [ "$status" -eq 2 ]
    [ "$stderr" = "spinney anneal: --graph: secret: cannot be opened: Permission denied" ]
}

@test "empty files" {
    bad bits --patterns "problem: no patterns; expected lines of +1 and -1" < /dev/null
    bad ising --graph "problem: no couplings; expected lines \`i j value\`" < /dev/null
    bad maxcut --graph "problem: empty; expected a header" < /dev/null
    bad table --table "problem: 0 energies; a table of N spins has 2^N" < /dev/null
    bad distance --minima "problem: no states; expected lines of + and -" < /dev/null
    bad ising --graph "problem: no couplings" <<< "# only a comment"
}

@test "truncated files" {
    printf '4 4\n1 2 1\n2 3 1\n' | bad maxcut --graph "problem: 2 edges, but the header says 4"
    printf '3 1\n1 2 1\n2 3 1\n' | bad maxcut --graph "problem: line 3: more lines than the 1 edges"
    printf '4 4\n1 2 1\n2 3' | bad maxcut --graph "problem: line 3: '2 3' is not \`i j value\`"
    printf '1 2 3\n' | bad table --table "problem: 3 energies; a table of N spins has 2^N"
    printf '1,1,-1\n1,-1\n' | bad bits --patterns "problem: line 2: 2 fields, but the lines before have 3"
}

@test "gzip streams that are cut short or damaged" {
    seq 0 5000 | awk '{ print $1, $1 + 1, $1 % 7 }' | gzip > whole.gz
    head -c $(($(stat -c %s whole.gz) - 4)) whole.gz > tail.gz
    head -c $(($(stat -c %s whole.gz) / 2)) whole.gz > half.gz
    head -c 6 whole.gz > head.gz
    { head -c 2000 whole.gz; printf 'xxxxxxxx'; tail -c +2009 whole.gz; } > damaged.gz
    for file in tail half head damaged; do
        anneal_refuses "$file.gz:" --energy ising --graph $file.gz
        [[ "$stderr" == *"gzip data is "*"; fetch the file again" ]]
    done
}

@test "files that are not text" {
    printf '0 1 1\n0 \0001 2\n' | bad ising --graph "problem: line 2: '0 ?1 2' is not"
    printf '+1,\001,1\n' | bad bits --patterns "problem: line 1: field 2, '?', is not +1 or -1"
}

@test "letters where numbers should be" {
    bad ising --graph "problem: line 2: 'a b c' is not \`i j value\`" <<< $'0 1 1\na b c'
    bad ising --graph "problem: line 1: '0 1 x' is not" <<< '0 1 x'
    bad ising --graph "problem: line 1: '0 1 1x' is not" <<< '0 1 1x'
    bad qubo --graph "problem: line 2: '0 1 1 2' is not" <<< $'0 1 1\n0 1 1 2'
    bad qubo --graph "problem: line 1: '0.5 1 1' is not" <<< '0.5 1 1'
    bad maxcut --graph "problem: line 1: 'n m' is not the header" <<< 'n m'
    bad table --table "problem: line 2: 'x' is not a finite number" <<< $'1 2\nx 4'
    bad table --table "problem: line 1: '2-3' is not a finite number" <<< '1 2-3 4'
    bad bits --patterns "problem: line 1: field 1, 'w1', is not +1 or -1" <<< 'w1,w2,label'
    bad distance --minima "problem: line 2: 'x' at column 3; a state is a string of + and -" \
        <<< $'++-\n+-x'
}

@test "values that are neither +1 nor -1" {
    bad bits --patterns "problem: line 2: field 2, '0', is not +1 or -1" <<< $'1,1,1\n1,0,1'
    bad errors --patterns "problem: line 1: field 3, '2', is not +1 or -1" <<< '1,-1,2'
    bad product --patterns "problem: line 1: field 2, '', is not +1 or -1" <<< '1,,1'
    bad bits-strict --patterns "problem: line 1: field 1, '0.5', is not +1 or -1" <<< '0.5,1,1'
    bad bits --patterns "problem: line 1: field 1, 'nan', is not +1 or -1" <<< 'nan,1,1'
    bad bits --patterns "problem: line 1: fields are separated by commas" <<< '1 1,1'
    bad distance --minima "problem: line 1: '0' at column 2" <<< '+0-'
}

@test "ragged lines" {
    bad bits --patterns "problem: line 3: 4 fields, but the lines before have 3" <<< $'1,1,1\n\n1,1,1,1'
    bad bits --patterns "problem: line 1: one field: a pattern needs at least one value and" <<< '1'
    bad distance --minima "problem: line 2: 2 spins, but the states before have 3" <<< $'+++\n++'
}

@test "indices out of range" {
    bad maxcut --graph "problem: line 2: vertex 4 is out of range: the header says there are 3" <<< $'3 1\n1 4 1'
    bad maxcut --graph "problem: line 2: index 0 is out of range; indices start at 1 here" <<< $'3 1\n0 1 1'
    bad maxcut --graph "problem: line 2: vertex 2 is joined to itself" <<< $'3 1\n2 2 1'
    bad ising --graph "problem: line 1: '-1 0 1' is not" <<< '-1 0 1'
    bad ising --graph "problem: line 1: index 4000000000 is out of range; the largest in a file of" \
        <<< '0 4000000000 1'
    bad qubo --graph "problem: line 1: '0 99999999999999999999 1' is not" <<< '0 99999999999999999999 1'
}

@test "couplings that are not finite, or sum to too much" {
    for value in nan NaN -nan inf -inf Infinity 1e400; do
        bad ising --graph "problem: line 1: '0 1 $value' is not \`i j value\`: two whole numbers and a finite" \
            <<< "0 1 $value"
        bad qubo --graph "problem: line 1: '0 1 $value' is not" <<< "0 1 $value"
        bad maxcut --graph "problem: line 2: '1 2 $value' is not" <<< $'2 1\n1 2 '"$value"
        bad table --table "problem: line 1: '$value' is not a finite number" <<< "1 $value"
    done
    bad ising --graph "problem: ising: the couplings are too large" <<< $'0 1 1e308\n1 2 1e308'
}

@test "replicas: 1 to 255" {
    for y in 0 256 -1 1.5 three 3x 99999999999999999999; do
        anneal_refuses "--replicas: '$y' is not a whole number from 1 to 255" \
            --energy bits --random 9,3,1 --replicas $y
    done
}

@test "random patterns by numbers" {
    local energy=(--energy bits)
    anneal_refuses "--sites: needs --alpha, or --patterns as a number" "${energy[@]}" --sites 9
    anneal_refuses "--alpha: needs --sites, the number of spins" "${energy[@]}" --alpha 0.5
    anneal_refuses "--alpha: give this or --patterns, not both" "${energy[@]}" --sites 9 --alpha 1 --patterns 3
    anneal_refuses "--alpha: makes 0 patterns of 9 spins; at least 1" "${energy[@]}" --sites 9 --alpha 0.01
    anneal_refuses "--alpha: 'inf' is not a number" "${energy[@]}" --sites 9 --alpha inf
    anneal_refuses "--patterns: 60 is a number of random patterns, and needs --sites; a file of that name is ./60" \
        "${energy[@]}" --patterns 60
    anneal_refuses "--patterns: makes 0 patterns of 9 spins" "${energy[@]}" --sites 9 --patterns 0
    anneal_refuses "--sites: needs a number of random patterns, not the file x.csv" \
        "${energy[@]}" --sites 9 --patterns x.csv
    anneal_refuses "--random: give this or --sites, not both" "${energy[@]}" --sites 9 --random 9,3
    anneal_refuses "--instance-seed: needs --sites or --random" "${energy[@]}" --instance-seed 1
    anneal_refuses "--instance-seed: random has a seed already: 9,3,1" "${energy[@]}" --random 9,3,1 --instance-seed 1
    anneal_refuses "--sites: cannot be combined with energy ising, which takes graph" --energy ising --sites 9
}

@test "--random" {
    for text in 0,3,1 3,0,1 9,3,1,1 9,3,x -9,3,1 9.5,3,1 9,-3,1 9,0.01,1 a,b,c 5000000000,3,1 \
        9,3,99999999999999999999 '9, 3, 1'; do
        anneal_refuses "--random: '$text' is not N,P or N,P,SEED with N and P at least 1, such as" \
            --energy bits --random "$text"
    done
}

bits=(--energy bits --random 9,3,1)

@test "beta and gamma out of range" {
    anneal_refuses "--beta: the start is -1; it must be a finite number, 0 or more" \
        "${bits[@]}" --beta -1
    anneal_refuses "--beta: the end is -2; it must be" "${bits[@]}" --beta 1:-2
    anneal_refuses "--gamma: the start is -0.5; it must be" "${bits[@]}" --gamma -0.5
    for text in nan inf 1:nan x 1:2:3 1: :2 1,2 1e999; do
        anneal_refuses "--beta: '$text' is not a number or START:END" \
            "${bits[@]}" --beta "$text"
        anneal_refuses "--gamma: '$text' is not a number or START:END" \
            "${bits[@]}" --gamma "$text"
    done
}

@test "schedules that cannot be" {
    anneal_refuses "piece 2 falls from 2 to 1; pieces must not decrease" \
        "${bits[@]}" --schedule pieces:2x10,1x10
    anneal_refuses "--schedule: piece 1 is -1; it must be" "${bits[@]}" --schedule pieces:-1x10
    anneal_refuses "an exponential schedule needs START and END above 0, not 0:2 (use linear)" \
        "${bits[@]}" --beta 0:2 --schedule exponential
    anneal_refuses "constant takes one value, not START:END" \
        "${bits[@]}" --beta 1:2 --schedule constant
    anneal_refuses "linear takes no parameters; give START:END" \
        "${bits[@]}" --schedule linear:1
    for pieces in pieces pieces: pieces:1 pieces:1x pieces:1x0 pieces:1x1.5 pieces:1x10, \
        pieces:1x10,2 pieces:ax3; do
        anneal_refuses "does not start with VALUExSTEPS, STEPS a whole number" \
            "${bits[@]}" --schedule $pieces
    done
    anneal_refuses "logarithmic needs m=VALUE" "${bits[@]}" --schedule logarithmic
    anneal_refuses "logarithmic needs C=VALUE" "${bits[@]}" --schedule logarithmic:m=1
    anneal_refuses "'x=1' is not one of KEY=VALUE with m, C" \
        "${bits[@]}" --schedule logarithmic:m=1,x=1
    anneal_refuses "--schedule: logarithmic needs m > 0 and C >= 0" \
        "${bits[@]}" --schedule logarithmic:m=0,C=1
    anneal_refuses "scoping needs factor=VALUE" "${bits[@]}" --schedule scoping
    anneal_refuses "--schedule: scoping needs factor >= 0" "${bits[@]}" --schedule scoping:factor=-1
    anneal_refuses "scoping: every must be 1 or more" \
        "${bits[@]}" --schedule scoping:factor=1,every=0
    anneal_refuses "theorem1 needs b=VALUE" "${bits[@]}" --schedule theorem1:alpha=2
    anneal_refuses "theorem1 needs alpha > 1" "${bits[@]}" \
        --schedule theorem1:alpha=1,b=1,B=2,m=1,c=0.5,kappa=100,stages=2
    anneal_refuses "take over 2^62 steps; ask for fewer stages" "${bits[@]}" \
        --schedule theorem1:alpha=2,b=1,B=2,m=1,c=0.5,kappa=100,stages=1000
    anneal_refuses "'quadric' is not a schedule; did you mean quadratic?" \
        "${bits[@]}" --schedule quadric
}

@test "numbers of options" {
    for steps in 0 -5 1.5 many ''; do
        refuses "--steps" anneal "${bits[@]}" --steps "$steps"
    done
    anneal_refuses "--seed: '-1' is not a whole number of 0 or more" "${bits[@]}" --seed -1
    anneal_refuses "--seed: '18446744073709551615' is not" "${bits[@]}" --seed 18446744073709551615
    anneal_refuses "--threads: '0' is not a whole number" "${bits[@]}" --threads 0
    anneal_refuses "--patience: '0' is not a whole number" "${bits[@]}" --patience 0
    anneal_refuses "--time: '0' is not a number from 0.001" "${bits[@]}" --time 0
    anneal_refuses "--time: 'inf' is not" "${bits[@]}" --time inf
    anneal_refuses "--target: 'nan' is not a number" "${bits[@]}" --target nan
    anneal_refuses "--trace-every: '0' is not a whole number" "${bits[@]}" --trace-every 0
    refuses "--trace-every: needs --trace" anneal "${bits[@]}" --trace-every 5
}

@test "unknown options, with the nearest" {
    anneal_refuses "there is no option --frobnicate; see spinney anneal --help" \
        "${bits[@]}" --frobnicate 3
    anneal_refuses "there is no option --sed=3; did you mean --seed?" "${bits[@]}" --sed=3
    anneal_refuses "there is no option --reps; did you mean --steps?" "${bits[@]}" --reps 3
    anneal_refuses "there is no option -x; see spinney anneal --help" "${bits[@]}" -xyz
    anneal_refuses "there is no option -q; see" "${bits[@]}" -q
    anneal_refuses "--json: '3' is not true or false" "${bits[@]}" --json=3
    anneal_refuses "'stray' is not an option; see spinney anneal --help" "${bits[@]}" stray
    anneal_refuses "--seed needs a value; see spinney anneal --help" "${bits[@]}" --seed
    refuses "--trace: needs a value" anneal "${bits[@]}" --trace ""
    refuses "there is no option --tilte; did you mean --title?" plot --tilte x t.csv
}

@test "bytes that no text has" {
    printf 'step,energy_1\n0,2\0,3\n' > t.csv
    refuses "t.csv: line 2: a byte 0; expected text" plot t.csv
    printf 'step,energy_1\n0,2\r3\n' > t.csv
    refuses "t.csv: line 2: a carriage return that does not end the line" plot t.csv
    printf 'name: s\ntask: anneal\nsettings: {energy: ising}\n' > s.yaml
    refuses ": is not UTF-8 text" sweep s.yaml --set $'graph=\xff' --out s
}

@test "unknown words, with the nearest" {
    anneal_refuses "--energy: there is no 'izing'; did you mean ising?" --energy izing
    anneal_refuses "--energy: 'hopfield-net' is not one of errors, product, bits," \
        --energy hopfield-net
    anneal_refuses "--kernel: there is no 'two-stages'; did you mean two-stage?" \
        "${bits[@]}" --kernel two-stages
    anneal_refuses "--order: 'xyz' is not one of replica-round, random" "${bits[@]}" --order xyz
    anneal_refuses "--target-by: 'me' is not one of any, all" "${bits[@]}" --target 0 --target-by me
    anneal_refuses "--coupling: there is no 'center'; did you mean centre? (replicas, centre)" "${bits[@]}" --coupling center
    anneal_refuses "--centre-every: is of the coupling centre alone; give coupling centre as well" "${bits[@]}" --centre-every 5
}

@test "a control character in an argument does not break the line" {
    anneal_refuses "--energy: has a line break or another control character" --energy $'a\nb'
}

@test "the energy and its file" {
    anneal_refuses "--energy: is missing; give what to minimise, such as qubo"
    anneal_refuses "--energy: bits needs --patterns, a file, or --sites and --alpha, or --random N,P" --energy bits
    anneal_refuses "--energy: ising needs --graph, a file" --energy ising
    anneal_refuses "--energy: maxcut needs --graph, a file" --energy maxcut
    anneal_refuses "--energy: table needs --table, a file" --energy table
    anneal_refuses "--energy: distance needs --minima, a file" --energy distance
}

@test "options of another energy" {
    anneal_refuses "--graph: cannot be combined with energy bits, which takes patterns" \
        "${bits[@]}" --graph x
    anneal_refuses "--random: cannot be combined with energy ising, which takes graph" \
        --energy ising --random 9,3,1
    anneal_refuses "--patterns: cannot be combined with energy table, which takes table" \
        --energy table --patterns x
    anneal_refuses "--table: cannot be combined with energy distance, which takes minima" \
        --energy distance --table x
    anneal_refuses "--minima: cannot be combined with energy qubo, which takes graph" \
        --energy qubo --minima x
    anneal_refuses "--random: give this or --patterns, not both" "${bits[@]}" --patterns x
    anneal_refuses "--teacher: needs --sites or --random" --energy bits --patterns x --teacher
    anneal_refuses "--units: cannot be combined with energy bits, which has no hidden units" "${bits[@]}" --units 3
    anneal_refuses "--tree: cannot be combined with energy bits, which has no hidden units" "${bits[@]}" --tree
}

@test "committees that cannot be" {
    of=(--energy committee --steps 9)
    anneal_refuses "--units: is odd, so that there is a majority; 4 is even" "${of[@]}" --random 12,3,1 --units 4
    anneal_refuses "--units:" "${of[@]}" --random 12,3,1 --units 0
    anneal_refuses "--random: the number of spins, 10, is no multiple of the 3 units" "${of[@]}" --random 10,3,1
    anneal_refuses "--sites: the number of spins, 9, is no multiple of the 5 units" "${of[@]}" --sites 9 --alpha 1 \
        --units 5 --tree
    anneal_refuses "--patterns: $data/patterns-odd.csv: a tree shares the inputs out among its units" "${of[@]}" \
        --patterns "$data/patterns-odd.csv" --units 101 --tree
    anneal_refuses "--kappa: cannot be combined with energy committee, which has no threshold" "${of[@]}" --random 9,3,1 --kappa 1
    anneal_refuses "--pattern-values: a committee labels patterns of +1 and -1" "${of[@]}" --random 9,3,1 \
        --pattern-values gaussian
}

@test "--out does not replace what is read" {
    cp "$data/ising.txt" g.txt
    anneal_refuses "--out: would replace g.txt, the file of --graph" --energy ising --graph g.txt --out g.txt
}

@test "--init" {
    echo '+-+' > short
    anneal_refuses "short: states of 3 spins, but the energy has 9" "${bits[@]}" --init short
    echo '+++++++0+' > letters
    anneal_refuses "letters: line 1: '0' at column 8" "${bits[@]}" --init letters
    anneal_refuses "--init: sme: cannot be opened: No such file or directory (give same," \
        "${bits[@]}" --init sme
}

@test "outputs that cannot be: found out before the run" {
    mkdir folder
    echo precious > precious
    for option in --trace --out; do
        refuses "none/file: cannot be written: No such file or directory" \
            anneal "${bits[@]}" --steps 1000000000000 $option none/file
        refuses "folder: is a folder; give the name of a file" \
            anneal "${bits[@]}" --steps 1000000000000 $option folder
    done
    refuses "none/file: cannot be written" anneal "${bits[@]}" --trace precious --out none/file
    mkdir trace
    refuses "spinney anneal: trace: is a folder" anneal "${bits[@]}" --out trace
    rmdir trace
    refuses "--trace: names the same file as --out; give two files" \
        anneal --energy bits --random 11,3 --out - --trace -
    refuses "--json is for the standard output, and so is --out -" \
        anneal --energy bits --random 11,3 --out - --json
    refuses "--checkpoint: is read when the run continues; give a file name" \
        anneal --energy bits --random 11,3 --checkpoint -
    refuses "--trace: names the same file as --out; give two files" \
        anneal "${bits[@]}" --trace both --out both
    [ "$(cat precious)" = precious ]
}

@test "graph formats: recognised, chosen, refused" {
    printf '3 1\n1 2 nan\n' |
        bad qubo --graph "problem: line 2: '1 2 nan' is not \`i j value\`: two whole numbers and a finite number (read as rudy)"
    printf '3 2\n1 2\n2 3 1\n' | bad maxcut --graph "problem: line 3: '2 3 1' is not \`i j\`"
    printf '999999999 1\n1 2 1\n' | bad ising --graph "problem: line 1: the header says 999999999 variables; 1 to 1048576 are possible"
    printf 'c x\np qubo 0 2 1 1\n0 0 1\n' |
        bad qubo --graph "problem: 1 nodes and 0 couplers, but the line p says 1 and 1: cut short? (read as qbsolv)"
    printf 'p qubo 0 2 1 0\n0 0 1\n' |
        bad ising --graph "problem: ising: the file says that its variables are 0 or 1; the energy is qubo"
    printf '%%%%MatrixMarket matrix coordinate complex general\n' |
        bad ising --graph "problem: line 1: 'complex' in the first line; expected real, integer or pattern (read as matrix-market)"
    printf '%%%%MatrixMarket matrix coordinate real skew-symmetric\n' |
        bad ising --graph "'skew-symmetric' in the first line; expected general or symmetric"
    printf '%%%%MatrixMarket matrix coordinate real general\n2 2 1\n1 2 3\n' |
        bad maxcut --graph "problem: entry (1, 2) is 3 and (2, 1) is 0; the matrix of a cut graph is symmetric"
    printf '1,2\n3\n' | bad qubo --graph "problem: line 2: 1 fields, but the first row has 2 (read as dense)"
    printf '0,1,2\n0,2,1\n' | bad qubo --graph "2 rows of 3 numbers; a dense matrix is square, or is this a list of"
    printf '# offset = x\n0 1 1\n' | bad qubo --graph "problem: line 1: the offset 'x' is not a finite number"
    anneal_refuses "--graph-format: there is no 'rudi'; did you mean rudy?" --energy ising --graph x --graph-format rudi
    anneal_refuses "--graph-format: cannot be combined with energy bits, which takes patterns" \
        --energy bits --random 9,3,1 --graph-format rudy
    anneal_refuses "--offset: cannot be combined with energy table, which takes table" --energy table --table x --offset 1
    anneal_refuses "--offset: 'nan' is not a number" --energy ising --graph x --offset nan
}

@test "moves that wait where they cannot" {
    printf '0 1 1\n1 2 -1\n' > pairs
    printf '0 1 0.1234567\n1 2 -1e6\n' > wide
    seq 1 8 > eight
    anneal_refuses "moves: 'wait' is not one of plain, waiting, auto" --energy ising --graph pairs --moves wait
    anneal_refuses "moves: waiting has no sequential order; use order replica-round or random" \
        --energy ising --graph pairs --moves waiting --order sequential
    anneal_refuses "moves: waiting needs couplings that are small whole numbers of some unit" \
        --energy ising --graph wide --moves waiting
    anneal_refuses "moves: waiting needs couplings that are small whole numbers of some unit" \
        --energy table --table eight --moves waiting
}

@test "networks that cannot be trained" {
    train_refuses() {
        local text=$1
        shift
        refuses "spinney train: $text" train --steps 10 --out m.spn --json "$@"
    }
    printf '1.5,2,a\n3,4.25,b\n2,1,a\n4,4,b\n' > real.csv
    printf '200,2,a\n3,4,b\n2,1,a\n4,4,b\n' > bytes.csv
    python3 -c "
print(','.join(['255'] * 200) + ',a')
print(','.join(['0'] * 200) + ',b')" > large.csv
    train_refuses "--hidden: '0' is not a whole number from 1 to 16384" --hidden 0
    train_refuses "--hidden: '1e6' is not a whole number from 1 to 16384" --hidden 1e6
    train_refuses "--hidden: 'many' is not a whole number" --hidden many
    train_refuses "--hidden: the preset network needs it: give --hidden, such as --hidden 64" --preset network
    for option in "hidden-bias 1" "propose varying" "output-weight 2" "margin 1"; do
        train_refuses "--${option% *}: is for networks only: also give --hidden, such as --hidden 64" --$option
    done
    train_refuses "--margin: needs --faults, such as --faults 0.15" --hidden 4 --margin 1 --faults 0
    train_refuses "--hidden-bias: 'some' is not auto or a whole number up to 16383" --hidden 4 --hidden-bias some
    train_refuses "--hidden-bias: '16384' is not auto or a whole number up to 16383" --hidden 4 --hidden-bias 16384
    train_refuses "--encode: a network has up to 17 copies, not 30" --hidden 4 --encode copies:30
    train_refuses "--scaling: the units of a network see bits or small whole numbers, which 'dataset' does not leave: give binary:T, none or auto" \
        --hidden 4 --scaling dataset
    for option in "encode none" "scaling none"; do
        train_refuses "--${option% *}: leaves real numbers, and the units of a network see bits or small whole numbers: give --encode thermometer:Q, or --scaling binary:T" \
            --hidden 4 --data real.csv --$option
    done
    train_refuses "--scaling: network: the inputs of sample 0 add up to 51000, expected at most 32767: make them binary or use a thermometer" \
        --hidden 4 --data large.csv --scaling none
    train_refuses "--shifts: '2' is not one of 0, 4, 8" --hidden 4 --shifts 2
    train_refuses "--shifts: the samples of bytes.csv are not known to be images, whose width and height their file says (idx, or npy of 3 dimensions)" \
        --hidden 4 --data bytes.csv --shifts 4
    train_refuses "--shifts: the samples of bytes.csv are not known to be images" --data bytes.csv --shifts 8
    train_refuses "--bias: with hidden it may be up to 16383, not 20000" --hidden 4 --bias 20000
    train_refuses "--logit-scale: with hidden it may be up to 16, not 17" --hidden 4 --logit-scale 17
    train_refuses "--temperature: '2:0' is not START or START:END of positive numbers" --hidden 4 --temperature 2:0
    train_refuses "--temperature: give this or --beta, not both" --hidden 4 --temperature 2:1 --beta 1:2
    printf '%s' "$(printf '+%.0s' {1..100})" > short.txt
    train_refuses "--init: short.txt: states of 100 spins, but the network has 1364" --hidden 4 --init short.txt
}

@test "networks that do not fit into memory" {
    # 16384 units, 255 replicas: 2 bytes for each of them and of a million samples and more
    python3 -c "
import struct
images, labels = open('i.idx', 'wb'), open('l.idx', 'wb')
images.write(struct.pack('>IIII', 0x803, 200000, 1, 2) + bytes(range(200)) * 2000)
labels.write(struct.pack('>II', 0x801, 200000) + bytes(k % 2 for k in range(200000)))"
    refuses "--hidden: 16384 units on 1800000 samples with 255 replicas need " train --data i.idx \
        --labels l.idx --hidden 16384 --replicas 255 --shifts 8 --out m.spn
    [[ "$stderr" == *" GB of memory, and there are "*" GB: use fewer units, replicas or shifts, or a subset" ]]
}
