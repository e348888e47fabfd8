# Tempering: against exact values, over stops and threads, and what is refused.
load helpers

small=(temper --energy bits --random 11,0.7,3 --beta 0:2 --replicas 2 --gamma 0.6 --scans 4096)

# `agrees EXACT-OPTIONS...`: the JSON of a run on stdin has the log Z, the mean energy, the overlap and
# the entropy of `spinney exact`. By Student's t with the 20 or more blocks that errors are from, seven
# standard errors are passed once in 10^6.
agrees() {
    cat > tempered
    spinney exact "$@" --no-chain --json > exact
    python3 - <<'END'
import json
t, e = (json.load(open(name)) for name in ("tempered", "exact"))
r, x, replicas = t["results"], e["results"], t["settings"]["replicas"]
last = {name: column[-1] for name, column in t["curves"]["rungs"].items()}
centre = t["settings"].get("coupling") == "centre"
z = x["log_z_centre"] if centre else x["log_z"]
print("log Z", r["log_z"], r["log_z_error"], "exact", z)
assert r["log_z_kind"] == "absolute" and 0 < r["log_z_error"] < 0.2
assert abs(r["log_z"] - z) < 7 * r["log_z_error"]
assert r["log_z_low"] < r["log_z"] < r["log_z_high"]
assert abs(r["energy"] - x["mean_U"] / replicas) < 7 * last["energy_error"]
if not centre:
    assert abs(r["entropy"] - x["entropy"]) < 7 * r["entropy_error"]
assert r["round_trips"] > 50 and r["health"] == "good"
END
}

@test "log Z, energy and entropy are those of exact: perceptron, coupled replicas" {
    spinney "${small[@]}" --json | agrees --energy bits --random 11,0.7,3 --beta 2 --replicas 2 --gamma 0.6
}

@test "the same with an explicit centre, one replica, and gamma that rises" {
    spinney "${small[@]}" --coupling centre --json |
        agrees --energy bits --random 11,0.7,3 --beta 2 --replicas 2 --gamma 0.6
    spinney "${small[@]}" --replicas 1 --json |
        agrees --energy bits --random 11,0.7,3 --beta 2 --replicas 1 --gamma 0.6
    spinney "${small[@]}" --gamma 0:0.9 --json |
        agrees --energy bits --random 11,0.7,3 --beta 2 --replicas 2 --gamma 0.9
}

@test "the same by simulated tempering, by equi-energy jumps, and with clusters" {
    spinney "${small[@]}" --method simulated --json |
        agrees --energy bits --random 11,0.7,3 --beta 2 --replicas 2 --gamma 0.6
    spinney temper --energy ising --graph "$data/ising.txt" --beta 0:1 --replicas 3 --gamma 0.2 --clusters 2 --json |
        agrees --energy ising --graph "$data/ising.txt" --beta 1 --replicas 3 --gamma 0.2
    spinney exact --energy bits --random 11,0.7,3 --beta 2 --replicas 2 --gamma 0.6 --no-chain --json > exact
    spinney "${small[@]}" --method equi-energy --json > jumped
    python3 - <<'END'
import json
t, x = (json.load(open(name)) for name in ("jumped", "exact"))
r, rungs = t["results"], t["curves"]["rungs"]
assert abs(r["log_z"] - x["results"]["log_z"]) < 7 * r["log_z_error"] < 1.4
assert r["health"] == "good" and r["jumps"] == sum(rungs["jumps"])
assert rungs["jumps"][0] == 0 and min(rungs["jumps"][1:]) > 20, rungs["jumps"]
END
    spinney "${small[@]}" --method equi-energy | grep -q "; [0-9]* jumps in 4096 scans"
    spinney "${small[@]}" --method equi-energy --scans 32 |
        grep -q "^too short to tell: [0-9]* jumps* of all walkers together"
}

@test "walkers that simulate and jump are the same at any number of threads, and after a stop" {
    for method in simulated equi-energy; do
        run=(temper --energy ising --graph "$data/ising.txt" --scans 2000 --method $method --clusters 1)
        results='[d["results"], d["curves"]]'
        spinney "${run[@]}" --json | json "$results" > whole.json
        interrupted_at INT 4 'rename *state' "${run[@]}" --checkpoint state --every 2000 --json > partial
        [ "$(json 'd["results"]["stop"]' < partial)" = interrupted ]
        spinney "${run[@]}" --checkpoint state --resume --threads 2 --json | json "$results" > again.json
        cmp whole.json again.json
    done
}

@test "the same of graphs, with beta by the energy and a ladder that is given" {
    spinney temper --energy ising --graph "$data/ising.txt" --replicas 2 --json > first
    cold=$(json 'd["results"]["beta_end"]' < first)
    agrees --energy ising --graph "$data/ising.txt" --beta "$cold" --replicas 2 --gamma 0.5 < first
    spinney temper --energy qubo --graph "$data/qubo.txt" --replicas 1 --beta 0:1 \
        --ladder 0,0.1,0.25,0.5,1 --json > given
    agrees --energy qubo --graph "$data/qubo.txt" --beta 1 --replicas 1 --gamma 0.5 < given
    [ "$(json 'd["curves"]["rungs"]["beta"]' < given)" = "[0, 0.1, 0.25, 0.5, 1]" ]
}

@test "the other methods and cluster moves: the same law, at any number of threads, over a stop" {
    ising=(temper --energy ising --graph "$data/ising.txt" --replicas 2 --beta 0:1)
    exact=(--energy ising --graph "$data/ising.txt" --beta 1 --replicas 2 --gamma 0.5)
    spinney "${ising[@]}" --method simulated --json | agrees "${exact[@]}"
    spinney "${ising[@]}" --clusters 2 --json | agrees "${exact[@]}"
    [ "$(json 'd["results"]["cluster"] > 0' < tempered)" = True ]
    # whose store leaves a bias, of far less than the 0.1 that is asked for here
    spinney "${ising[@]}" --method equi-energy --json > jumped
    z=$(spinney exact "${exact[@]}" --no-chain --json | json 'd["results"]["log_z"]')
    [ "$(json "abs(d['results']['log_z'] - $z) < 0.1 + 7 * d['results']['log_z_error']" < jumped)" = True ]
    [ "$(json 'd["results"]["jumps"] > 10 and "round_trips" not in d["results"]' < jumped)" = True ]
    for how in "--method simulated" "--method equi-energy" "--clusters 2" "--coupling centre"; do
        results='[d["results"], d["curves"]]'
        spinney "${ising[@]}" $how --json | json "$results" > whole
        interrupted_at TERM 4 'rename *state' "${ising[@]}" $how --checkpoint state --every 500 --json > partial
        spinney "${ising[@]}" $how --checkpoint state --threads 2 --json | json "$results" > again
        cmp whole again
    done
}

@test "a problem times 1000 makes the same run" {
    awk '{ print $1, $2, 1000 * $3 }' "$data/ising.txt" > large.txt
    numbers='[d["results"][k] for k in ("log_z", "barrier", "round_trips", "rung_count")]'
    spinney temper --energy ising --graph "$data/ising.txt" --scans 512 --json | json "$numbers" > one
    spinney temper --energy ising --graph large.txt --scans 512 --json | json "$numbers" > thousand
    python3 - <<'END'
one, thousand = (eval(open(name).read()) for name in ("one", "thousand"))
assert all(abs(a - b) <= 1e-9 * abs(a) for a, b in zip(one, thousand)), (one, thousand)
END
}

@test "a ladder of gamma alone: log Z is relative" {
    spinney temper --energy bits --random 11,0.7,3 --beta 1 --gamma 0:1 --replicas 3 --json > run
    z() {
        spinney exact --energy bits --random 11,0.7,3 --beta 1 --gamma "$1" --replicas 3 --no-chain --json |
            json 'd["results"]["log_z"]'
    }
    python3 - "$(z 0)" "$(z 1)" <<'END'
import json, sys
r = json.load(open("run"))["results"]
assert r["log_z_kind"] == "relative"
assert abs(r["log_z"] - (float(sys.argv[2]) - float(sys.argv[1]))) < 7 * r["log_z_error"]
END
}

@test "the same at any number of threads" {
    spinney "${small[@]}" --json | json '[d["results"], d["curves"]]' > one
    spinney "${small[@]}" --json --threads 3 | json '[d["results"], d["curves"]]' > three
    cmp one three
}

@test "a run that was interrupted goes on to the last bit, its trace too" {
    for energy in bits logistic; do
        run=(temper --energy $energy --random 31,0.5,1 --scans 2000 --keep-every 100)
        results='[{k: v for k, v in d["results"].items() if k != "first_hit_seconds"}, d["curves"]]'
        spinney "${run[@]}" --out whole.csv --trace whole --json | json "$results" > whole.json
        interrupted_at INT 4 'rename *state' "${run[@]}" --checkpoint state --every 20000 --trace trace --json > partial
        [ "$(json 'd["results"]["stop"]' < partial)" = interrupted ]
        [ -s state ]
        spinney "${run[@]}" --checkpoint state --resume --out again.csv --trace trace --json > again
        json "$results" < again > again.json
        [ "$(json 'd["resumed_step"] > 0' < again)" = True ]
        cmp whole.json again.json
        cmp whole.csv again.csv
        cmp <(untimed whole) <(untimed trace)
        [ ! -e state ]
    done
}

@test "a finished run goes on with more scans, and its numbers stay those of exact" {
    local kept=("${small[@]:0:11}" --checkpoint kept --keep-checkpoint)
    spinney "${kept[@]}" --scans 1024 --json > first
    spinney "${kept[@]}" --scans 1024 --json > again
    python3 - <<'END'
import json
first, again = (json.load(open(name)) for name in ("first", "again"))
assert first["results"]["log_z"] == again["results"]["log_z"]
assert first["curves"] == again["curves"]
END
    spinney "${kept[@]}" --scans 4096 --json > more
    agrees --energy bits --random 11,0.7,3 --beta 2 --replicas 2 --gamma 0.6 < more
    python3 - <<'END'
import json
first, more = (json.load(open(name)) for name in ("first", "more"))
steps = more["results"]["steps_done"] - first["results"]["steps_done"]
assert steps > 0 and steps % (4096 - 1024) == 0  # whole scans, of the last round alone
assert sum(more["curves"]["rungs"]["visits"]) > 3 * sum(first["curves"]["rungs"]["visits"])
assert more["results"]["log_z_error"] < first["results"]["log_z_error"]
END
    refuses "kept: scans: the last round of the saved ladder has 4096 and cannot become 6000, but 8192" \
        "${kept[@]}" --scans 6000
    refuses "kept: scans: the last round of the saved ladder has 4096 and cannot become 64, but 4096" \
        "${kept[@]}" --scans 64
    refuses "--keep-checkpoint: needs --checkpoint" "${small[@]}" --keep-checkpoint
    spinney "${small[@]:0:11}" --method equi-energy --checkpoint jumps --keep-checkpoint --scans 64
    refuses "scans: the stores of equi-energy jumps are of 64 and cannot grow" \
        "${small[@]:0:11}" --method equi-energy --checkpoint jumps --scans 128
}

@test "a run that its time ended goes on with more time; one that was fitted into it is refused" {
    goes_on() { # COMMAND...: more time makes more proposals of the same run, as much time none
        spinney "$@" --time 0.2 --json > first
        spinney "$@" --time 0.2 --json > same
        spinney "$@" --time 0.6 --json > more
        python3 - <<'END'
import json
first, same, more = (json.load(open(name)) for name in ("first", "same", "more"))
assert first["results"]["stop"] == more["results"]["stop"] == "time"
assert same["results"]["proposals"] - first["results"]["proposals"] < first["results"]["proposals"] / 10
assert more["results"]["proposals"] > 1.2 * same["results"]["proposals"]
assert more["resumed_step"] > 0
END
        rm -f kept
    }
    local kept=(--quiet --checkpoint kept --keep-checkpoint) bits=(--energy bits --random 201,0.5,3)
    goes_on temper --energy bits --random 15,9,3 --replicas 1 --beta 0:3 "${kept[@]}"
    goes_on anneal "${bits[@]}" --sweeps 10000000 "${kept[@]}"
    goes_on anneal "${bits[@]}" --reads 1000000 --sweeps 100 "${kept[@]}"
    goes_on train --sweeps 1000000 "${kept[@]}"
    for fitted in "--reads 4" ""; do
        spinney anneal "${bits[@]}" $fitted "${kept[@]}" --time 0.2
        refuses 'its time is "0.2", here it is "0.6"' anneal "${bits[@]}" $fitted "${kept[@]}" --time 0.6
        rm kept
    done
    spinney anneal --problem "$BATS_TEST_DIRNAME/../problems/mis.lp" "${kept[@]}" --time 0.2
    refuses 'its time is "0.2", here it is "0.6"' \
        anneal --problem "$BATS_TEST_DIRNAME/../problems/mis.lp" "${kept[@]}" --time 0.6
}

@test "a checkpoint of other settings is refused" {
    interrupted_at INT 4 'rename *state' "${small[@]}" --scans 20000 --checkpoint state --every 1000 --json > partial
    refuses 'its gamma is "0.6", here it is "0.7"' "${small[@]}" --scans 20000 --gamma 0.7 --checkpoint state
}

@test "samples of the cold rung, and the best states, in every format" {
    spinney temper --energy qubo --graph "$data/qubo.txt" --replicas 1 --scans 1000 --keep-every 10 --out kept.csv
    spinney temper --energy qubo --graph "$data/qubo.txt" --replicas 1 --scans 1000 --out best.csv
    spinney temper --energy qubo --graph "$data/qubo.txt" --replicas 1 --scans 1000 --out best.txt > /dev/null
    python3 - <<'END'
import csv
rows = list(csv.DictReader(open("kept.csv")))
assert sum(int(row["count"]) for row in rows) == 100, rows
best = list(csv.DictReader(open("best.csv")))
assert float(best[0]["energy"]) <= float(rows[0]["energy"])
END
    [ "$(head -c1 best.txt)" = 0 ] || [ "$(head -c1 best.txt)" = 1 ] || [ "$(head -c1 best.txt)" = '#' ]
}

@test "the target ends the run; first hits in steps and proposals" {
    spinney temper --energy bits --random 101,0.4,1 --target 0 --json > run
    python3 - <<'END'
import json
r = json.load(open("run"))["results"]
assert r["stop"] == "target" and r["best_energy"] == 0 and r["solved"] == 1
assert 0 < r["first_hit_steps"] <= r["steps_done"] + 101
assert r["first_hit_steps"] <= r["first_hit_proposals"] <= r["proposals"]
END
    [ "$(spinney temper --energy maxcut --graph "$data/maxcut.txt" --target 1 --json |
        json 'd["results"]["cut"] >= 1 and d["results"]["solved"] == 1')" = True ]
    [ "$(spinney temper --energy bits --random 101,0.9,1 --scans 8 --json |
        json '[d["results"]["solved"], d["results"]["first_hit_proposals"]]')" = "[0, None]" ]
}

@test "health in words, with the remedy" {
    spinney temper --energy bits --random 301,0.5,1 --scans 16 --rungs 3 > text
    grep -q "^broken: rungs 1 and 2 .* more rungs (rungs: 6)" text
    spinney temper --energy bits --random 101,0.5,1 --scans 8 --rungs 40 --rounds 1 > text
    grep -q "^too short to tell: 0 round trips .* more scans (scans: 64)" text
    spinney temper --energy bits --random 31,0.5,1 --beta 0:0.01 --scans 500 --target -1 > text
    grep -q "^hot at the end: .*raise the cold end of beta" text
}

@test "a figure of the ladder, and a grid" {
    command -v gnuplot > /dev/null || skip "gnuplot is not there"
    for column in rejection beta energy log_z; do
        spinney "${small[@]}" --scans 64 --plot $column.svg --y rungs.$column > /dev/null
        grep -q "<svg" $column.svg
    done
    spinney temper --energy bits --random 11,0.7,3 --scans 64 --grid gamma=0,0.5 --y log_z,barrier |
        grep -q barrier
}

@test "what is refused" {
    refuses "--beta: 'x' is not HOT:COLD, HOT:auto or one number" "${small[@]}" --beta x
    refuses "--beta: the first rung is the hot one" "${small[@]}" --beta 2:0
    refuses "--beta: all rungs would be the same" "${small[@]}" --beta 2
    refuses "--gamma: '1:b' is not G or G:END, of 0 or more" "${small[@]}" --gamma 1:b
    refuses "--gamma: '-1' is not G or G:END, of 0 or more" "${small[@]}" --gamma=-1
    refuses "--rungs: '1' is not auto or a whole number from 2 to 1024" "${small[@]}" --rungs 1
    refuses "--rungs: give this or --ladder, not both" "${small[@]}" --rungs 3 --ladder 0,0.5,1
    refuses "--ladder: '0.5' in place 3: the rungs rise from 0 to 1" "${small[@]}" --ladder 0,0.5,0.5,1
    refuses "--ladder: '0.9' in place 2: the rungs rise from 0 to 1" "${small[@]}" --ladder 0,0.9
    refuses "--ladder: '0.1' in place 1: the rungs rise from 0 to 1" "${small[@]}" --ladder 0.1,1
    refuses "--scans: they have more than 2^62 steps" "${small[@]}" --scans 9e18
    refuses "--method: there is no 'swop'; did you mean swap?" "${small[@]}" --method swop
    refuses "--rounds: simulated tempering takes its weights from the round before the last" \
        "${small[@]}" --method simulated --rounds 1
    refuses "--clusters: the energy 'bits' has no graph of couplings" "${small[@]}" --clusters 1
    refuses "--clusters: they are exchanged by two replicas; there is one" \
        temper --energy ising --graph "$data/ising.txt" --replicas 1 --clusters 1
    refuses "--clusters: '-1' is not" "${small[@]}" --clusters=-1
    refuses "--target: of maxcut is a cut" temper --energy maxcut --graph "$data/maxcut.txt" --target -3
    refuses "--method: a trace is of the last rung" "${small[@]}" --method simulated --trace t.csv
    refuses "clusters" "${small[@]}" --clusters 2
    refuses "clusters" temper --energy ising --graph "$data/ising.txt" --replicas 1 --clusters 2
    refuses "rounds" "${small[@]}" --method simulated --rounds 1
    refuses "--centre-every: is of the coupling centre alone" "${small[@]}" --centre-every 3
}

@test "--time without --scans is used, and --scans limits it" {
    spinney temper --energy ising --graph "$data/ising.txt" --time 0.5 --json > filled
    spinney temper --energy ising --graph "$data/ising.txt" --time 60 --scans 32 --json > short
    python3 - <<'END'
import json
filled, short = (json.load(open(name)) for name in ("filled", "short"))
assert filled["results"]["stop"] == "time" and filled["settings"]["scans"] is None
assert short["results"]["stop"] == "steps" and short["results"]["scans_done"] == 48
END
}
