# spinney entropy: counts around states, against counting, and its errors.
load helpers

# The logarithm of the number of solutions of patterns.csv at so many flips of a state, over N, by
# counting: `counted FLIPS STATE`; of all without them.
counted() {
    python3 - "$@" << 'END'
import itertools, math, sys
rows = [[int(v) for v in line.split(",")] for line in open("patterns.csv")]
n = len(rows[0]) - 1
flips = int(sys.argv[1]) if len(sys.argv) > 1 else None
state = [1 if c == "+" else -1 for c in sys.argv[2]] if flips is not None else [1] * n
count = 0
for chosen in (itertools.combinations(range(n), flips) if flips is not None else
               (c for k in range(n + 1) for c in itertools.combinations(range(n), k))):
    s = [-v if i in chosen else v for i, v in enumerate(state)]
    count += all(r[-1] * sum(a * b for a, b in zip(s, r)) >= 0 for r in rows)
print(math.log(count) / n)
END
}

make_patterns() {
    python3 -c "
import random
random.seed(7)
for _ in range(5):
    print(','.join(random.choice(['1', '-1']) for _ in range(14)))" > patterns.csv
}

@test "counts around a state of a file and of all, against counting" {
    make_patterns
    spinney anneal --energy bits --patterns patterns.csv --target 0 --replicas 1 --out state.txt
    state=$(grep -v '#' state.txt | head -1)
    spinney entropy --energy bits --patterns patterns.csv --state state.txt --all \
        --distance 0,0.31,0.46 --json > result
    near() { python3 -c "import sys; sys.exit(abs($1 - $2) > 7.2 * $3 + 1e-12)"; }
    all=$(json 'd["results"]["entropy_all"]' < result)
    near "$all" "$(counted)" "$(json 'd["results"]["entropy_all_error"]' < result)"
    [ "$(json 'd["curves"]["local"]["entropy"][0] == 0' < result)" = True ]
    [ "$(json 'd["curves"]["centres"]["flips"] == [0, 4, 6]' < result)" = True ]
    for k in 1 2; do
        flips=$((2 * k + 2))
        near "$(json "d['curves']['local']['entropy'][$k]" < result)" "$(counted $flips "$state")" \
            "$(json "d['curves']['local']['error'][$k]" < result)"
    done
}

@test "around the best, each and the majority of what a chain finds; around the teacher" {
    of="--energy bits --random 21,5,1 --sweeps 200 --scans 64 --distance 0.1,0.3 --json"
    for around in best replicas centre; do
        spinney entropy $of --around $around > result
        rows=$(json 'len(d["curves"]["centres"]["centre"])' < result)
        [ "$rows" = "$([ $around = replicas ] && echo 6 || echo 2)" ]
        [ "$(json 'd["results"]["best_energy"]' < result)" = 0 ]
    done
    spinney entropy $of --teacher --around teacher > result
    [ "$(json 'd["results"]["best_energy"]' < result)" = 0 ]
}

@test "the same at any number of threads, and in a sweep" {
    of="--energy symmetric --random 31,12,1 --teacher --around teacher --scans 64 --distance 0.2"
    spinney entropy $of --json | json 'd["results"]["proposals"], d["curves"]' > one
    spinney entropy $of --json --threads 3 | json 'd["results"]["proposals"], d["curves"]' > three
    cmp one three
    cat > sweep.yaml << 'END'
name: entropies
task: entropy
seed: 1
runs: 2
settings: {energy: symmetric, sites: 21, teacher: true, around: teacher, scans: 32, distance: [0.1, 0.2]}
grid:
  - {setting: alpha, values: [0.3, 0.5]}
figures:
  - {name: local, x: local.distance, value: local.entropy, by: alpha}
END
    spinney sweep --dry-run sweep.yaml
    spinney sweep --threads 2 --out folder sweep.yaml
    [ "$(cat folder/records/*.jsonl folder/*.jsonl 2> /dev/null | wc -l)" = 4 ]
    spinney report folder > /dev/null
}

@test "what is not met has no number, and a line says so" {
    run spinney entropy --energy bits --random 21,5,1 --all --up-to -1 --scans 32
    [ "$status" -eq 0 ]
    [[ $output == *"in all: no state of energy -1 or less was met, so that there is no number"* ]]
    [[ $output != *"entropy_all "* ]]
}

# `refuses MESSAGE OPTIONS...`
refuses() {
    local message=$1
    shift
    run spinney entropy "$@"
    echo "$output"
    [ "$status" -eq 2 ]
    [[ $output == *"$message"* ]]
}

@test "wrong settings" {
    of="--energy bits --random 21,5,1"
    refuses "distance: '2' is not a share of the spins, from 0 to 1" $of --distance 0.1,2
    refuses "distance: '' is not a share" $of --distance 0.1,,0.2
    refuses "around: teacher is of random patterns with teacher" $of --around teacher
    refuses "state: give this or --around teacher, not both" $of --teacher --around teacher --state s
    printf '+-+\n' > s3.txt
    refuses "state: s3.txt: states of 3 spins, but the energy has 21" $of --state s3.txt
    refuses "kappa: cannot be combined with energy logistic" --energy logistic --random 21,5,1 --kappa 1
    run spinney entropy --energy bits --random 21,5,1 --kappa 9 --all
    [ "$status" -ne 0 ]
    [[ $output == *"kappa: kappa 9 is beyond the stability of a pattern"* ]]
}
