# Many reads of one problem: the set of states in every format, against the energies by their
# definitions; cuts, 0 and 1; warm starts; the same at any number of threads.
load helpers

# `reads ENERGY FILE options...`: into set.csv, set.npy, set.json, set.txt and result; all agree.
reads() {
    local energy=$1 file=$2 first format found
    shift 2
    for format in csv npy json txt; do
        spinney anneal --energy "$energy" --graph "$file" "$@" --json --out "set.$format" > result
        found=$(oracle set "$energy" "$file" "set.$format")
        echo "$format: $found"
        [ "${first:=$found}" = "$found" ]
    done
    read -r distinct total lowest <<< "$first"
    [ "$(json 'd["results"]["distinct"]' < result)" = "$distinct" ]
    [ "$(json 'round(float(d["results"]["best_energy"]), 9)' < result)" = "$lowest" ]
}

glass=(--beta 0.2:6 --steps 300 --gamma 0.1)

@test "the set of states, in every format, has the energies of the definition" {
    reads ising "$data/ising.txt" "${glass[@]}" --reads 50
    [ "$total" = 50 ]
    reads qubo "$data/qubo.txt" "${glass[@]}" --reads 50
    reads maxcut "$data/maxcut.txt" "${glass[@]}" --reads 50
    [ "$(json 'd["results"]["cut"] == -d["results"]["best_energy"]' < result)" = True ]
}

@test "a hundred reads find the optimum that enumeration finds, N = 16" {
    python3 - > q16.txt <<'END'
import random
random.seed(4)
for i in range(16):
    for j in range(i, 16):
        print(i, j, random.randint(-9, 9))
END
    reads qubo q16.txt --reads 100 --steps 2000 --beta 0.05:3 --replicas 1
    [ "$lowest" = "$(oracle optimum qubo q16.txt)" ]
}

@test "reads are the same with 1 and 2 threads, and each is a run of its own" {
    for threads in 1 2; do
        spinney anneal --energy ising --graph "$data/ising.txt" "${glass[@]}" --reads 9 \
            --threads $threads --json | json '(d["results"], d["curves"], d["states"])' > $threads
    done
    cmp 1 2
    spinney anneal --energy ising --graph "$data/ising.txt" "${glass[@]}" --replicas 1 \
        --order sequential --json | json 'min(d["curves"]["replicas"]["best_energy"]), sum(d["curves"]["replicas"]["accepted"])' > alone
    spinney anneal --energy ising --graph "$data/ising.txt" "${glass[@]}" --reads 9 --json |
        json 'd["curves"]["reads"]["best_energy"][0], d["curves"]["reads"]["accepted"][0]' > first
    cmp alone first
}

@test "reads of a graph have one replica in sequential order, unless others are given" {
    graph=(anneal --energy ising --graph "$data/ising.txt" --steps 20)
    chosen='d["settings"]["replicas"], d["settings"]["order"]'
    [ "$(spinney "${graph[@]}" --json | json "$chosen")" = "3 replica-round" ]
    [ "$(spinney "${graph[@]}" --reads 2 --json | json "$chosen")" = "1 sequential" ]
    [ "$(spinney "${graph[@]}" --reads 2 --replicas 4 --order random --json | json "$chosen")" = \
        "4 random" ]
    [ "$(spinney anneal --energy bits --random 9,3,1 --reads 2 --json | json "$chosen")" = \
        "3 replica-round" ]
}

@test "a time on a graph makes many reads, and the steps that it made repeat them" {
    graph=(anneal --energy maxcut --graph "$data/maxcut.txt")
    chosen='d["settings"]["reads"], d["settings"]["replicas"], d["settings"]["order"]'
    spinney "${graph[@]}" --time 0.2 --json > timed
    [ "$(json "$chosen" < timed)" = "512 1 sequential" ]
    spinney "${graph[@]}" --steps "$(json 'd["settings"]["steps"]' < timed)" --reads 512 --json > again
    [ "$(json 'd["results"]["stop"]' < timed)" = time ] ||
        cmp <(json 'd["curves"]["reads"]' < timed) <(json 'd["curves"]["reads"]' < again)
    [ "$(spinney "${graph[@]}" --time 0.05 --replicas 2 --json | json "$chosen")" = "1 2 replica-round" ]
    [ "$(spinney "${graph[@]}" --steps 9 --json | json "$chosen")" = "1 3 replica-round" ]
}

@test "a time too short for many long reads makes two; real couplings get two thousand sweeps each" {
    python3 -c 'print(100000, 1); print(1, 100000, 1)' > large.txt
    python3 -c 'print(1000, 1); print(1, 1000, 0.5)' > real.txt
    made() { spinney anneal --energy ising --beta 0.1:1 --graph "$1" --time "$2" --json | json 'd["settings"]["reads"]'; }
    [ "$(made large.txt 0.5)" = 2 ]
    [ "$(made real.txt 0.21)" = 52 ]
    [ "$(made real.txt 0.05)" = 2 ]
    python3 -c 'print(4000, 4000); [print(i + 1, (i + 1) % 4000 + 1, 1) for i in range(4000)]' > ring.txt
    [ "$(made ring.txt 0.3)" = 512 ]
}

@test "reads of a sparse graph are joined, and the joined state is found by none of them" {
    python3 -c 'print(300, 300); [print(i + 1, (i + 1) % 300 + 1, 1) for i in range(300)]' > ring.txt
    local run=(anneal --energy maxcut --graph ring.txt --sweeps 20 --reads 30)
    spinney "${run[@]}" --out states.txt > text
    grep -q '^best of all: .*, joined from the best states of 30 reads$' text
    [[ "$(head -1 states.txt)" = "# energy "*", count 0, joined from all reads" ]]
    spinney "${run[@]}" --json > result
    python3 - states.txt <<'END'
import json, sys
d = json.load(open("result"))
r, best = d["results"], d["states"][0]
state = next(line.strip() for line in open(sys.argv[1]) if line[0] in "+-")
cut = sum(state[i] != state[i - 1] for i in range(300))
assert best["count"] == 0 and best["read"] is None and r["best_reads"] == 0
assert cut == best["cut"] == r["cut"] > -min(d["curves"]["reads"]["best_energy"]), (cut, r)
assert r["median_energy"] >= d["curves"]["quantiles"]["energy"][0] == min(d["curves"]["reads"]["best_energy"])
END
}

@test "JSON: quantiles, each read, and as many states as --rows says" {
    spinney anneal --energy maxcut --graph "$data/maxcut.txt" --beta 0.1 --steps 40 --reads 200 \
        --target 1 --target-by any --json --rows 3 > result
    python3 - <<'END'
import json
d = json.load(open("result"))
r, reads, states = d["results"], d["curves"]["reads"], d["states"]
best = reads["best_energy"]
assert len(best) == 200 and min(best) >= r["best_energy"] == -r["cut"] == states[0]["energy"]
assert r["best_reads"] == best.count(r["best_energy"])
assert len(states) == 3 and states[0]["cut"] == r["cut"] and not d["binary"]
assert all(set(s["state"]) <= {-1, 1} for s in states) and d["distinct"] == r["distinct"]
hits = [h for h in reads["hit"] if h is not None]
assert r["hits"] == len(hits) == sum(b <= -1 for b in best) and r["success"] == len(hits) / 200
first = next(k for k, h in enumerate(reads["hit"]) if h is not None)
assert r["first_hit_proposals"] == sum(reads["proposals"][:first]) + reads["hit"][first]
assert r["proposals"] == sum(reads["proposals"]) and r["steps_done"] == sum(reads["steps"]) / 200
for p, energy in zip(*d["curves"]["quantiles"].values()):
    assert sum(b <= energy for b in best) >= p * 200 and (p == 0 or sum(b < energy for b in best) < p * 200)
assert r["median_energy"] == sorted(best)[99]
END
    spinney anneal --energy qubo --graph "$data/qubo.txt" --steps 40 --reads 5 --json |
        python3 -c '
import json, sys
d = json.load(sys.stdin)
assert d["binary"] and all(set(s["state"]) <= {0, 1} for s in d["states"])'
}

@test "the text: the best of all first, then the reads and the best states" {
    run --separate-stderr spinney anneal --energy maxcut --graph "$data/maxcut.txt" --beta 0.1 \
        --steps 40 --reads 20 --rows 2 --seed 3
    [ "$status" -eq 0 ]
    output=$(sed -E -e 's/in [0-9.]+ s \([^)]*\)/in TIME/' -e '1s/ .*:/ VERSION:/' \
        -e "s,$data/,," <<< "$output")
    matches_expected reads.txt
}

@test "replicas: at most eight rows, or as many as --rows says" {
    small=(anneal --energy bits --random 21,5,1 --steps 10)
    [ "$(spinney "${small[@]}" --replicas 12 | grep -c '^[0-9]* *0 ')" -le 8 ]
    spinney "${small[@]}" --replicas 12 | grep -q '^4 more replicas; --rows shows more, and --json has all$'
    ! spinney "${small[@]}" --replicas 12 --rows 12 | grep 'more replicas'
    [ "$(spinney "${small[@]}" --replicas 12 --json | json 'len(d["curves"]["replicas"]["energy"])')" = 12 ]
}

@test "reads that a time limit cuts off are left out, if others are whole" {
    # the first read takes the time of a few, the whole set that of days
    seq 0 99 | awk '{ print $1, ($1 + 1) % 100, 1 }' > ring.txt
    local run=(anneal --energy ising --graph ring.txt --reads 1000000 --sweeps 2000 --time 0.5)
    spinney "${run[@]}" --json > found
    python3 - <<'END'
import json
d = json.load(open("found"))
assert set(d["curves"]["reads"]["steps"]) == {200000}, "a read was cut off"
assert d["results"]["stop"] == "time" and 0 < len(d["curves"]["reads"]["steps"]) < 1000000
assert any("reads; others are left out" in note for note in d["notes"])
END
}

@test "--init finds variables by name, and refuses unknown and missing ones" {
    printf '%s\n' "a a -1" "a b 3" "b b -1" "c d -2" "d a 1" "d d 0.5" "b c 1" > g.txt
    tac g.txt > turned.txt
    for format in csv json; do
        spinney anneal --energy qubo --graph g.txt --reads 3 --json --out set.$format > found
        spinney anneal --energy qubo --graph turned.txt --init set.$format --target 1e9 --reads 3 --json > again
        python3 - <<'END'
import json
found, again = (json.load(open(name)) for name in ("found", "again"))
assert found["variables"] != again["variables"]
of = lambda d, k: dict(zip(d["variables"], d["states"][k]["state"]))
assert of(found, 0) == of(again, 0) and found["states"][0]["energy"] == again["states"][0]["energy"]
END
    done
    sed '1s/,d$/,D/' set.csv > unknown.csv
    cut -d, -f1-5 set.csv > few.csv
    sed '1s/$/,d2/; 2,$s/$/,0/' set.csv > many.csv
    local run=(anneal --energy qubo --graph g.txt --init)
    spinney "${run[@]}" unknown.csv 2>&1 | grep -q "^spinney anneal: --init: unknown.csv: the variable '[dD]'"
    spinney "${run[@]}" few.csv 2>&1 | grep -q "few.csv: the variable 'd' of the graph is missing$"
    spinney "${run[@]}" many.csv 2>&1 | grep -q "many.csv: the variable 'd2' is not in the graph$"
    printf '0101\n' > lines
    spinney "${run[@]}" lines | grep -q "the states of init have no names"
}

@test "a run from given states starts cool, unless beta says otherwise" {
    # rings of 64 spins: a random state has energy 0, the ground state -64
    seq 0 63 | awk '{ print $1, ($1 + 1) % 64, -1 }' > ring.txt
    yes + | head -64 | tr -d '\n' > ground
    local run=(anneal --energy ising --graph ring.txt --init ground --replicas 1 --trace t.csv --trace-every 64)
    spinney "${run[@]}" | grep -q "a cool start, to improve on the given states"
    awk -F, 'NR > 1 && $6 > -32 { exit 1 }' t.csv
    spinney "${run[@]}" --beta auto | grep -q "a cool start"
    spinney "${run[@]}" --beta auto:0.2:1e-5 > out
    ! grep -q "a cool start" out
    ! awk -F, 'NR > 1 && $6 > -32 { exit 1 }' t.csv
}

@test "--init reads what --out wrote, for any number of replicas, and as 0 and 1" {
    for energy in qubo ising; do
        for format in csv npy json txt; do
            spinney anneal --energy $energy --graph "$data/$energy.txt" --beta 0.1 --steps 30 --reads 5 \
                --out set.$format --json > found
            spinney anneal --energy $energy --graph "$data/$energy.txt" --init set.$format --target 1e9 \
                --target-by any --replicas 7 --json > again
            python3 - <<'END'
import json
states = [s["energy"] for s in json.load(open("found"))["states"]]
energy = json.load(open("again"))["curves"]["replicas"]["energy"]
assert energy == [states[a % len(states)] for a in range(7)], (energy, states)
END
        done
    done
    spinney anneal --energy qubo --graph "$data/qubo.txt" --reads 3 --json > whole.json
    spinney anneal --energy qubo --graph "$data/qubo.txt" --init whole.json --steps 1
    printf '0 1 0 1 0 1 0 1 0\n' > blanks
    printf '[[0,1,0,1,0,1,0,1,0]]' > list.json
    gzip -k list.json
    for file in blanks list.json list.json.gz; do
        [ "$(spinney anneal --energy qubo --graph "$data/qubo.txt" --init $file --target 1e9 --json |
            json 'd["results"]["best_energy"]')" = \
          "$(printf -- '-+-+-+-+-' > s; oracle states qubo "$data/qubo.txt" s | sed 's/\.0$//')" ]
    done
}

@test "reads start at the states of --init, one after the other" {
    printf '+++++++++\n---------\n+-+-+-+-+\n' > starts
    spinney anneal --energy ising --graph "$data/ising.txt" --init starts --replicas 2 --reads 3 \
        --target 1e9 --target-by any --json | json 'd["curves"]["reads"]["best_energy"]' > found
    oracle states ising "$data/ising.txt" starts | python3 -c '
import sys
e = [float(v) for v in sys.stdin]
print([min(e[(2 * r + a) % 3] for a in range(2)) for r in range(3)])' > expected
    diff expected <(python3 -c 'print([float(v) for v in eval(input())])' < found)
}

@test "the target of maxcut is a cut" {
    maxcut=(anneal --energy maxcut --graph "$data/maxcut.txt" --replicas 1)
    [ "$(spinney "${maxcut[@]}" --target 2 --json | json 'd["results"]["stop"], d["results"]["cut"] >= 2')" = \
        "target True" ]
    refuses "--target: of maxcut is a cut, which is positive: give 2 in place of the energy -2" \
        "${maxcut[@]}" --target -2
}

@test "names of variables and an offset: in the text, in CSV and in JSON" {
    printf 'milk milk -3\nmilk bread 2\nbread bread -4\neggs eggs -1\neggs milk -2.5\n' > named.txt
    named=(anneal --energy qubo --graph named.txt --offset 1.5 --reads 20 --beta 0.1:10 --steps 2000)
    spinney "${named[@]}" --out set.csv | grep -q '^milk = 1, bread = 1, eggs = 1$'
    [ "$(cat set.csv)" = "$(printf 'energy,count,milk,bread,eggs\n-7,20,1,1,1')" ]
    spinney "${named[@]}" --out set.json > /dev/null
    [ "$(json 'd["variables"], d["states"][0]["energy"]' < set.json)" = "['milk', 'bread', 'eggs'] -7" ]
    [ "$(spinney "${named[@]}" --json | json 'd["variables"]')" = "['milk', 'bread', 'eggs']" ]
    spinney "${named[@]}" --init set.csv --replicas 2 > /dev/null
}

@test "--time is for all reads together, and its steps repeat them bit for bit" {
    for how in "--replicas 1 --order sequential --reads 20" "--replicas 2 --reads 5 --threads 2"; do
        graph=(anneal --energy ising --graph "$data/ising.txt" $how)
        by_own_time "${graph[@]}" --time 0.3 --json > stretched
        steps=$(json 'd["settings"]["steps"]' < stretched)
        [ "$(json 'len(set(d["curves"]["reads"]["steps"]))' < stretched)" = 1 ]
        spinney "${graph[@]}" --steps "$steps" --json > again
        for file in stretched again; do
            json '(d["results"], d["curves"], d["states"])' < $file > $file.txt
        done
        cmp stretched.txt again.txt
    done
}

@test "the health of reads, and the remedy" {
    python3 -c '
import random
random.seed(2)
for i in range(60):
    print(i, (i + 1) % 60, random.choice((-1, 1)))
    print(i, (i + 7) % 60, random.choice((-1, 1)))' > ring
    # 20 reads of one replica in sequential order are made at once, others one after the other
    for how in "--reads 20" "--reads 20 --replicas 2"; do
        for beta in 0.001:0.01 100:200 auto; do
            spinney anneal --energy ising --graph ring --sweeps 400 $how --beta $beta --json |
                json 'd["results"]["health"], sum("(beta: auto)" in n for n in d["notes"])'
        done
    done > found
    printf '%s\n' "hot at the end 1" "frozen from the start 1" "good 0" > once
    cat once once | diff - found
}

@test "reads in a sweep" {
    cat > s.yaml <<'END'
name: f
task: anneal
runs: 2
settings: {energy: ising, graph: g.txt, replicas: 1, steps: 200, target: -18, target-by: any}
grid: [{setting: reads, values: [2, 5]}]
END
    cp "$data/ising.txt" g.txt
    spinney sweep s.yaml --out f --quiet > /dev/null
    spinney records f --list --json | python3 -c '
import json, sys
records = json.load(sys.stdin)["records"]
assert len(records) == 4
for r in records:
    reads, x = int(r["settings"]["reads"]), r["results"]
    assert 1 <= x["distinct"] <= reads and x["success"] == x["hits"] / reads
    assert "overlap" not in x'
}

@test "reads that were interrupted go on from their checkpoint, to the same bits" {
    for how in "--replicas 2 --reads 6" "--replicas 1 --order sequential --reads 30"; do
        run=(anneal --energy ising --graph "$data/ising.txt" $how --sweeps 3000)
        results='[d["results"], d["curves"], d["states"]]'
        spinney "${run[@]}" --json | json "$results" > whole
        interrupted_at INT 4 'rename *state' "${run[@]}" --checkpoint state --every 4000 --json > partial
        spinney "${run[@]}" --checkpoint state --threads 2 --json | json "$results" > again
        cmp whole again
    done
}

@test "a trace of reads: the best energy so far against the steps of all reads and the seconds" {
    for threads in 1 3; do
        spinney anneal --energy bits --random 101,60,1 --reads 20 --sweeps 200 --threads $threads \
            --trace t.csv --json --quiet > run.json
        python3 - <<'END'
import csv, json
rows = list(csv.DictReader(open("t.csv")))
run = json.load(open("run.json"))
assert list(rows[0]) == ["step", "best_energy", "seconds"] and len(rows) > 1
for name, ascends in ("step", 1), ("seconds", 1), ("best_energy", -1):
    values = [ascends * float(row[name]) for row in rows]
    assert values == sorted(values), name
assert float(rows[-1]["best_energy"]) == run["results"]["best_energy"]
assert float(rows[-1]["step"]) == 20 * 200 * 101
END
    done
    # the trace does not change the reads
    spinney anneal --energy bits --random 101,60,1 --reads 20 --sweeps 200 --json --quiet | json 'd["curves"]' > alone
    json 'd["curves"]' < run.json | cmp - alone
    # a single read, as before, unless several are asked for
    spinney anneal --energy bits --random 101,60,1 --sweeps 20 --trace t.csv --quiet > /dev/null
    head -n 1 t.csv | grep -q energy_1
}

@test "what cannot be combined with reads" {
    one=(anneal --energy ising --graph "$data/ising.txt" --reads 3)
    refuses "--profile-walks: needs one run; leave --reads out" \
        "${one[@]}" --profile-walks 5
    refuses "--flip: needs one run; leave --reads out" anneal --energy bits \
        --random 9,3,1 --reads 3 --flip 0.1
    refuses "--reads: '0' is not a whole number from 1 to 1000000000" "${one[@]}" --reads 0
    refuses "set.npz: states are written as .csv, .npy or .json" "${one[@]}" --out set.npz
    refuses "set.csv.gz: states are written as .csv, .npy or .json" anneal --energy ising \
        --graph "$data/ising.txt" --out set.csv.gz
    refuses "no/such/folder.csv: cannot be written" "${one[@]}" --out no/such/folder.csv
}
