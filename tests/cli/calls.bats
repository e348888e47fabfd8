# Calls give what the program prints, for every task: the same settings, results, curves and states.
load helpers

# Both as JSON without times and files; fails unless they are the same.
same() { # TASK NAME=TEXT...
    local task=$1 options=()
    shift
    for pair in "$@"; do options+=("--${pair%%=*}=${pair#*=}"); done
    spinney "$task" "${options[@]}" --json --quiet > program.json
    "$(dirname "$SPINNEY")/tests/call" "$task" "$@" > call.json
    python3 - << 'PY'
import json
one, two = (json.load(open(f"{name}.json")) for name in ("program", "call"))
for d in one, two:
    for name in "files", "seconds", "first_hit_seconds":
        d.pop(name, None)
assert len(one["results"]) > 3 and one["complete"]
assert one == two, [k for k in one if one[k] != two.get(k)]
PY
}

@test "anneal: a run and reads" {
    same anneal energy=bits random=21,0.4,3 steps=3000 seed=7 flip=0.1 trials=50
    same anneal energy=ising graph="$data/ising.txt" reads=30 sweeps=20
    same anneal energy=qubo graph="$data/qubo.txt" steps=2000 profile-walks=5
}

@test "temper, entropy and exact" {
    same temper energy=ising graph="$data/ising.txt" scans=64 rungs=4 seed=3
    same entropy energy=bits random=7,2,1 all=true sweeps=2
    same exact energy=bits random=5,3,1 beta=1 gamma=0.5
}

@test "train, linear and with hidden units, and eval" {
    same train data=digits subset=60 sweeps=1 seed=4
    same train data=digits subset=60 hidden=4 sweeps=1 validation=0.2
    spinney train --data digits --subset 60 --sweeps 1 --out model.spn --quiet > /dev/null
    same eval model=model.spn data=digits flip=0,0.05 trials=20
}
