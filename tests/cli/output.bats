# What a run prints and writes: text, JSON, traces, states, progress; and that it is reproducible.
load helpers

bits=(anneal --energy bits --random 101,30,1)

@test "JSON: the promised keys, and nothing else on stdout" {
    run --separate-stderr spinney "${bits[@]}" --steps 5000 --replicas 4 --seed 7 --json
    [ "$status" -eq 0 ]
    [ -z "$stderr" ]
    [ "$(json '*d' <<< "$output")" = "task settings results curves notes seed first_hit_seconds \
version instructions machine seconds steps resumed_step complete files" ]
    python3 - "$output" <<'END'
import json, sys
d = json.loads(sys.argv[1])
replicas, results = d["curves"]["replicas"], d["results"]
assert list(replicas) == ["energy", "best_energy", "accepted", "proposals"]
for column in replicas.values():
    assert len(column) == 4
assert all(type(v) is int for v in replicas["accepted"] + replicas["proposals"])
assert all(b <= e for b, e in zip(replicas["best_energy"], replicas["energy"]))
assert replicas["proposals"] == [5000] * 4 and results["proposals"] == 20000
assert d["steps"] == results["steps_done"] == 5000 and results["stop"] == "steps" and d["complete"]
assert all(0 < a <= p for a, p in zip(replicas["accepted"], replicas["proposals"]))
assert results["energy"] == sum(replicas["energy"]) / 4
assert results["best_energy"] == min(replicas["best_energy"])
assert results["active"] == sum(replicas["accepted"]) / 4
assert -1 <= results["overlap"] <= 1 and "centre_energy" in results
assert d["seconds"] > 0 and d["seed"] == 7 and type(d["version"]) is str
assert d["task"] == "anneal" and d["notes"][0] == "bits: 101 spins"
END
}

@test "JSON: all settings, resolved" {
    spinney "${bits[@]}" --steps 50 --json > result
    [ "$(json '{k: v for k, v in d["settings"].items() if v is not None}' < result)" = \
        "{'energy': 'bits', 'random': '101,30,1', 'teacher': False, 'replicas': 3, 'gamma': '0.5', \
'beta': 'auto', 'steps': 50, 'kernel': 'two-stage', 'order': 'replica-round', 'init': 'same', \
'seed': 1, 'threads': 1, 'reads': 1}" ]
    [ "$(json 'd["files"]' < result)" = \
        "{'out': None, 'checkpoint': None, 'trace': None, 'plot': None}" ]
    spinney "${bits[@]}" --replicas 2 --beta 0:2.123456789 --schedule quadratic --gamma 1 --steps 5e1 \
        --kernel heat-bath --order random --init independent --seed 9223372036854775807 \
        --threads 2 --target -1 --target-by any --patience 1e3 --time 60 --trace t.csv \
        --trace-every 10 --out s --json > result
    [ "$(json '{k: v for k, v in d["settings"].items() if v is not None}' < result)" = \
        "{'energy': 'bits', 'random': '101,30,1', 'teacher': False, 'replicas': 2, 'gamma': '1', \
'beta': '0:2.123456789', 'schedule': 'quadratic', 'steps': 50, 'kernel': 'heat-bath', \
'order': 'random', 'init': 'independent', 'seed': 9223372036854775807, 'threads': 2, \
'target': -1.0, 'target-by': 'any', 'patience': 1000, 'time': 60.0, 'reads': 1}" ]
    [ "$(json 'd["files"]' < result)" = \
        "{'out': 's', 'checkpoint': None, 'trace': 't.csv', 'plot': None}" ]
}

@test "the text report" {
    run --separate-stderr spinney "${bits[@]}" --steps 2000 --seed 5
    [ "$status" -eq 0 ]
    [ -z "$stderr" ]
    output=$(sed -E -e 's/in [0-9.]+ s \([^)]*\)/in TIME/' -e 's/(first hit.* in ).*/\1TIME/' -e '1s/ .*:/ VERSION:/' <<< "$output")
    matches_expected report.txt
}

@test "a single replica has no mean and no centre to report" {
    run spinney "${bits[@]}" --steps 100 --replicas 1
    [[ "$output" != *mean\ \ * && "$output" != *centre\ \ * ]]
    [ "$(spinney "${bits[@]}" --steps 100 --replicas 1 --json | json 'd["results"]["overlap"]')" = 1 ]
}

# Everything a run says but its time.
everything() {
    spinney "$@" --json --out states --trace trace.csv --trace-every 37 |
        json '{k: v for k, v in d.items() if k not in ("seconds", "first_hit_seconds", "settings")}'
    cat states
    untimed trace.csv
}

@test "the same seed gives the same run, twice and with 1 and 2 threads" {
    for order in replica-round random; do
        for kernel in two-stage one-stage heat-bath; do
            run=("${bits[@]}" --steps 3000 --seed 11 --order $order --kernel $kernel)
            everything "${run[@]}" --threads 1 > first
            everything "${run[@]}" --threads 1 > second
            everything "${run[@]}" --threads 2 > third
            cmp first second
            cmp first third
        done
    done
    everything "${bits[@]}" --steps 3000 --seed 12 > other
    everything "${bits[@]}" --steps 3000 --seed 11 > first
    ! cmp -s first other || false
}

@test "the spacing of the trace does not change the run" {
    for every in 1 10 1000; do
        spinney "${bits[@]}" --steps 1000 --trace t.csv --trace-every $every --out states.$every
    done
    cmp states.1 states.10
    cmp states.1 states.1000
}

@test "--out, and --init reads it back" {
    spinney "${bits[@]}" --steps 5000 --out states --json > result
    [ "$(grep -c '^[+-]*$' states)" -eq 3 ]
    [ "$(grep -v '^#' states | awk '{ print length }' | sort -u)" = 101 ]
    # no step can be refused or accepted before the start is seen: row 0 of the trace is the start
    spinney "${bits[@]}" --steps 1 --init states --trace t.csv
    [ "$(json '",".join("%.17g" % v for v in d["curves"]["replicas"]["best_energy"])' < result)" = \
        "$(sed -n 2p t.csv | cut -d, -f6-8)" ]
    [ "$(ls)" = "$(printf '%s\n' result states t.csv)" ]
}

@test "--init with one state starts all replicas there" {
    printf '# a start\n+-+-\n' > start
    printf '3 1 4 1 5 9 2 6 5 3 5 8 7 7 9 3\n' > table
    spinney anneal --energy table --table table --beta 0.1:10 --steps 1 --init start --trace t.csv
    [ "$(untimed t.csv | sed -n 2p)" = "0,0.10000000000000001,0.5,0,1,9,9,9,9,9,9" ]
}

@test "--init same and independent" {
    spinney "${bits[@]}" --steps 1 --init same --trace t.csv
    [ "$(sed -n 2p t.csv | cut -d, -f5)" = 1 ]
    spinney "${bits[@]}" --steps 1 --init independent --trace t.csv
    [ "$(sed -n 2p t.csv | cut -d, -f5)" != 1 ]
}

@test "--out and --trace replace an older file" {
    echo old > states
    echo old > t.csv
    spinney "${bits[@]}" --steps 10 --out states --trace t.csv
    ! grep old states t.csv || false
}

@test "--trace: columns and rows" {
    spinney "${bits[@]}" --beta 0.1:10 --steps 1000 --replicas 2 --gamma 0:1 --gamma-schedule linear \
        --trace t.csv --trace-every 300 --json > result
    [ "$(head -1 t.csv)" = \
        "step,beta,gamma,acceptance,overlap,energy_1,energy_2,best_1,best_2,seconds" ]
    [ "$(tail -n +2 t.csv | cut -d, -f1 | xargs)" = "0 300 600 900 1000" ]
    python3 - <<'END'
import csv, json
result = json.load(open("result"))
rows = [{k: float(v) for k, v in row.items()} for row in csv.DictReader(open("t.csv"))]
assert rows[0]["acceptance"] == 0 and rows[0]["overlap"] == 1
assert rows[0]["beta"] == 0.1 and rows[-1]["beta"] < 10 and rows[-1]["gamma"] == 0.999
assert [rows[-1][f"energy_{a}"] for a in (1, 2)] == result["curves"]["replicas"]["energy"]
assert [rows[-1][f"best_{a}"] for a in (1, 2)] == result["curves"]["replicas"]["best_energy"]
assert rows[-1]["overlap"] == result["results"]["overlap"]
seconds = [row["seconds"] for row in rows]
assert seconds == sorted(seconds) and 0 <= seconds[0] and 0 < seconds[-1] <= result["seconds"] + 1, seconds
steps = [row["step"] for row in rows]
accepted = sum(r["acceptance"] * 2 * (b - a) for r, a, b in zip(rows[1:], steps, steps[1:]))
assert abs(accepted - sum(result["curves"]["replicas"]["accepted"])) < 1e-6
END
}

@test "--trace: five hundred to a thousand rows unless --trace-every says otherwise" {
    for steps in 65535 65536 100000 131072; do
        spinney "${bits[@]}" --steps $steps --trace t.csv
        rows=$(wc -l < t.csv)
        [ "$rows" -ge 500 ]
        [ "$rows" -le 1003 ]
    done
    spinney "${bits[@]}" --steps 1000 --trace t.csv --trace-every 100
    [ "$(wc -l < t.csv)" -eq 12 ] # a header, the start, and ten
}

@test "a pipe can be the output" {
    spinney "${bits[@]}" --steps 10 --trace /dev/stdout --quiet | cat > all
    head -1 all | grep -q '^step,beta'
    [ -L /dev/stdout ] || [ ! -f /dev/stdout ]
}

@test "progress: a bar on a terminal, nothing with --quiet, stdout untouched" {
    command -v script > /dev/null || skip "script(1) is not installed"
    stop_at 0 none STOP_BUSY=1 # as by_own_time
    bar="${stopping[*]@Q} '$SPINNEY' anneal --energy bits --random 101,30,1 --steps 1000000000000 --time 1"
    script -qec "$bar > stdout" /dev/null > terminal < /dev/null
    grep -q '%.*\[#*\.*\] .* left  E .*beta .*gamma ' terminal
    grep -q '^bits: 101 spins$' stdout
    ! grep -q ' left  E ' stdout || false
    script -qec "$bar --quiet > stdout" /dev/null > terminal < /dev/null
    [ ! -s terminal ]
}

@test "progress: no bar where stderr is not a terminal" {
    run --separate-stderr by_own_time "${bits[@]}" --steps 1000000000000 --time 1
    [ "$status" -eq 0 ]
    [ -z "$stderr" ]
}

@test "- is the standard output for files, and what is said goes to stderr" {
    spinney "${bits[@]}" --steps 5000 --out states.txt --trace trace.csv
    spinney "${bits[@]}" --steps 5000 --out - 2> said > states
    cmp states states.txt
    grep -q "^-: the best state" said
    spinney "${bits[@]}" --steps 5000 --trace - 2> /dev/null > rows
    cmp <(untimed rows) <(untimed trace.csv)
    printf 'before\n' > both
    spinney "${bits[@]}" --steps 5000 --out - 2> /dev/null >> both
    cmp both <(printf 'before\n'; cat states.txt)
    spinney train --steps 100 --out - --quiet 2> /dev/null > model.spn
    spinney train --steps 100 --out same.spn > /dev/null 2>&1
    [ ! -e - ]
    [ "$(spinney show model.spn | tail -n +2)" = "$(spinney show same.spn | tail -n +2)" ]
}
