# Every energy on a small file, against its definition: the optimum is found, and the states in
# --out have the energies that the program says.
load helpers

# `solves ENERGY OPTION FILE`; a committee is named with its units, as in oracle.py.
solves() {
    local energy=("$1")
    [[ $1 =~ ^(committee|committee-units)-([0-9]+)(-tree)?$ ]] &&
        energy=("${BASH_REMATCH[1]}" --units "${BASH_REMATCH[2]}" ${BASH_REMATCH[3]:+--tree})
    spinney anneal --energy "${energy[@]}" "$2" "$3" --beta 0.2:6 --gamma 0.1 --steps 20000 --json \
        --out states > result
    local optimum
    optimum=$(oracle optimum "$1" "$3")
    echo "optimum $optimum"
    cat result
    [ "$(json 'round(float(min(d["curves"]["replicas"]["best_energy"])), 9)' < result)" = "$optimum" ]
    [ "$(json '"\n".join(str(round(float(e), 9)) for e in d["curves"]["replicas"]["best_energy"])' < result)" = \
        "$(oracle states "$1" "$3" states)" ]
}

@test "errors: odd and even N" {
    solves errors --patterns "$data/patterns-odd.csv"
    solves errors --patterns "$data/patterns-even.csv"
}

@test "product: odd and even N" {
    solves product --patterns "$data/patterns-odd.csv"
    solves product --patterns "$data/patterns-even.csv"
}

@test "bits: odd and even N" {
    solves bits --patterns "$data/patterns-odd.csv"
    solves bits --patterns "$data/patterns-even.csv"
}

@test "bits-strict: odd and even N" {
    solves bits-strict --patterns "$data/patterns-odd.csv"
    solves bits-strict --patterns "$data/patterns-even.csv"
}

@test "symmetric: odd and even N" {
    solves symmetric --patterns "$data/patterns-odd.csv"
    solves symmetric --patterns "$data/patterns-even.csv"
}

@test "committees: fully connected and trees, one unit and more, with ties and without" {
    seq 1 14 | awk '{ for (i = 0; i < 6; i++) printf "%d,", ($1 * 37 + i * i * 11 + $1 * i * 5) % 7 < 3 ? 1 : -1
        print $1 % 3 ? 1 : -1 }' > six.csv
    cut -d, -f 2- six.csv > five.csv
    cut -d, -f 4- six.csv > three.csv
    for energy in committee committee-units; do
        solves $energy-3 --patterns three.csv
        solves $energy-3-tree --patterns three.csv
        solves $energy-3-tree --patterns six.csv
        solves $energy-5-tree --patterns five.csv
        solves $energy-1 --patterns six.csv
    done
}

@test "committees: a teacher is learnt, and how well is told; sites are spins" {
    local of="--instance-seed 3 --seed 1 --sweeps 300 --json"
    spinney anneal --energy committee-units --units 3 --sites 63 --alpha 5 --teacher --replicas 3 --gamma 0.5 $of > full
    [ "$(json '"%d %d %d" % (d["results"]["generalisation"] > 0.75, d["results"]["teacher_overlap"] > 0.6,
        d["results"]["generalisation_se"] < 0.004)' < full)" = "1 1 1" ]
    spinney anneal --energy bits --sites 21 --alpha 10 --teacher $of > one
    [ "$(json 'd["results"]["generalisation"], d["results"]["best_teacher_overlap"],
        d["results"]["vote_generalisation"]' < one)" = "1 1 1" ]
    spinney anneal --energy committee --units 5 --tree --sites 10 --patterns 600 --teacher $of > all
    [ "$(json 'd["results"]["generalisation_se"], d["results"]["energy"], d["results"]["centre_generalisation"]' < all)" = \
        "0 0 1" ]
    spinney temper --energy committee --tree --sites 9 --patterns 300 --teacher --instance-seed 3 --seed 1 \
        --scans 300 --beta 0.1:3 --json > rungs
    [ "$(json 'd["results"]["best_energy"], d["results"]["best_generalisation"] > 0.9, d["settings"]["units"]' < rungs)" = \
        "0 True 3" ]
    spinney anneal --energy committee --random 9,9,1 --seed 1 --steps 99 --json > none
    [ "$(json '"generalisation" in d["results"], d["settings"]["units"]' < none)" = "False 3" ]
}

@test "committees: killed and resumed, and with more threads, the same bits" {
    long=(anneal --energy committee-units --units 5 --tree --sites 1005 --alpha 1 --teacher --instance-seed 1 --seed 2
        --replicas 4 --gamma 0.4 --coupling centre --sweeps 100 --quiet --json)
    spinney "${long[@]}" > whole
    spinney "${long[@]}" --threads 2 > threads
    [ "$(json 'd["results"], d["curves"]' < whole)" = "$(json 'd["results"], d["curves"]' < threads)" ]
    long+=(--checkpoint state --every 8192)
    killed_at $(($(operations '*' "${long[@]}") / 2)) '*' "${long[@]}" > first
    run --separate-stderr "$SPINNEY" "${long[@]}" --units 3 --resume
    [ "$status" -ne 0 ]
    [[ "$stderr" == *units* ]]
    spinney "${long[@]}" --resume > second
    [ "$(json 'd["resumed_step"] > 0' < second)" = True ]
    [ "$(json 'd["results"], d["curves"]' < whole)" = "$(json 'd["results"], d["curves"]' < second)" ]
}

@test "kappa: a threshold of 0 is none, a higher one asks for more, and each energy has its own" {
    local of="--sites 101 --alpha 0.3 --instance-seed 1 --seed 1 --sweeps 50 --json"
    spinney anneal --energy bits $of > plain
    spinney anneal --energy bits $of --kappa 0 > zero
    [ "$(json 'd["results"], d["curves"]' < plain)" = "$(json 'd["results"], d["curves"]' < zero)" ]
    spinney anneal --energy bits $of --kappa 0.5 > more
    [ "$(json 'd["results"]["energy"] > 0' < more)" = True ]
    spinney anneal --energy symmetric $of > own
    [ "$(json 'd["settings"]["kappa"] == 1' < own)" = True ]
    spinney anneal --energy symmetric $of --kappa 1 > given
    [ "$(json 'd["results"], d["curves"]' < own)" = "$(json 'd["results"], d["curves"]' < given)" ]
}

@test "a planted solution: a teacher, by any threshold, of signs and of Gaussians" {
    for setting in "bits --kappa 0.3" "symmetric" "symmetric --pattern-values gaussian" \
        "errors --kappa 0.2 --pattern-values gaussian"; do
        [ "$(spinney anneal --energy $setting --sites 21 --patterns 40 --instance-seed 3 --teacher \
            --seed 1 --replicas 1 --sweeps 20000 --json | json 'd["results"]["solved"]')" = 1 ]
    done
}

@test "logistic, logistic-steep: odd and even N" {
    solves logistic --patterns "$data/patterns-odd.csv"
    solves logistic --patterns "$data/patterns-even.csv"
    solves logistic-steep --patterns "$data/patterns-odd.csv"
    solves logistic-steep --patterns "$data/patterns-even.csv"
}

@test "ising" {
    solves ising --graph "$data/ising.txt"
}

@test "qubo" {
    solves qubo --graph "$data/qubo.txt"
}

@test "maxcut" {
    solves maxcut --graph "$data/maxcut.txt"
}

@test "table" {
    solves table --table "$data/table.txt"
}

@test "distance" {
    solves distance --minima "$data/minima.txt"
}

@test "gzipped files" {
    for file in patterns-odd.csv maxcut.txt table.txt minima.txt; do
        gzip -c "$data/$file" > "$file.gz"
    done
    solves bits --patterns patterns-odd.csv.gz
    solves maxcut --graph maxcut.txt.gz
    solves table --table table.txt.gz
    solves distance --minima minima.txt.gz
}

@test "lines may end in CR LF, and the last one may have no end" {
    printf '2 1\r\n1 2 3\r\n' > crlf.txt
    [ "$(spinney anneal --energy maxcut --graph crlf.txt --steps 99 --json |
        json 'min(d["curves"]["replicas"]["best_energy"])')" = -3 ]
    printf '1,1,1\n-1,1,-1' > patterns.csv
    spinney anneal --energy errors --patterns patterns.csv --steps 99
}

@test "one spin" {
    printf '0 0 -2.5\n' > field.txt
    [ "$(spinney anneal --energy ising --graph field.txt --steps 99 --json |
        json 'd["curves"]["replicas"]["best_energy"]')" = "[-2.5, -2.5, -2.5]" ]
}

@test "random instances by numbers: sites, alpha or patterns, instance-seed" {
    energies() { spinney anneal --energy bits --steps 99 --json "$@" | json 'd["curves"]["replicas"]["energy"]'; }
    text=$(energies --random 101,30,7)
    [ "$(energies --sites 101 --alpha 0.3 --instance-seed 7)" = "$text" ]
    [ "$(energies --sites 101 --patterns 3e1 --instance-seed 7)" = "$text" ]
    [ "$(energies --random 101,30 --instance-seed 7)" = "$text" ]
    [ "$(energies --sites 101 --patterns 30)" = "$(energies --random 101,30)" ]
    spinney anneal --energy bits --sites 21 --steps 50 --grid alpha=0.2:0.6:0.2 --runs 2 --y energy > table
    [ "$(grep -c '^0\.[246] ' table)" -eq 3 ]
}

@test "random instances: P as a count or as a density; a teacher can be matched" {
    [ "$(spinney anneal --energy bits --random 101,30,7 --steps 99 --json | json 'd["curves"]["replicas"]["energy"]')" = \
        "$(spinney anneal --energy bits --random 101,0.3,7 --steps 99 --json |
            json 'd["curves"]["replicas"]["energy"]')" ]
    spinney anneal --energy bits --random 101,30,7 --teacher --target 0 --target-by all --json > result
    [ "$(json 'd["results"]["stop"]' < result)" = target ]
    [ "$(json 'd["curves"]["replicas"]["energy"]' < result)" = "[0, 0, 0]" ]
}
