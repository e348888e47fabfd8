# Population annealing: against exact values, over stops and threads, in a sweep, and what is refused.
load helpers

small=(population --energy bits --random 11,0.7,3 --beta 2 --replicas 2 --gamma 0.6 --groups 2048 --sweeps 4)

# `agrees EXACT-OPTIONS...`: the JSON of a run on stdin has the log Z, the mean energy and the entropy of
# `spinney exact`. By Student's t with the 32 blocks that errors are from, seven standard errors are
# passed once in 10^7.
agrees() {
    cat > found
    spinney exact "$@" --no-chain --json > exact
    python3 - <<'END'
import json
t, e = (json.load(open(name)) for name in ("found", "exact"))
r, x, replicas = t["results"], e["results"], t["settings"]["replicas"]
centre = t["settings"].get("coupling") == "centre"
z = x["log_z_centre"] if centre else x["log_z"]
print("log Z", r["log_z"], r["log_z_error"], "exact", z)
assert 0 < r["log_z_error"] < 0.3 and r["log_z_low"] < r["log_z"] < r["log_z_high"]
assert abs(r["log_z"] - z) < 7 * r["log_z_error"]
assert abs(r["energy"] - x["mean_U"] / replicas) < 7 * r["energy_error"]
if not centre:
    assert abs(r["entropy"] - x["entropy"]) < 7 * r["entropy_error"]
assert r["health"] == "good" and r["rho"] < 2048 / 10
points = t["curves"]["points"]
assert points["beta"][0] == 0 and points["beta"][-1] == r["beta_end"] and len(points["beta"]) == r["point_count"]
END
}

@test "log Z, energy and entropy are those of exact" {
    spinney "${small[@]}" --json | agrees --energy bits --random 11,0.7,3 --beta 2 --replicas 2 --gamma 0.6
    spinney "${small[@]}" --coupling centre --json |
        agrees --energy bits --random 11,0.7,3 --beta 2 --replicas 2 --gamma 0.6
    spinney "${small[@]}" --gamma 0:0.9 --points 30 --json |
        agrees --energy bits --random 11,0.7,3 --beta 2 --replicas 2 --gamma 0.9
}

@test "the same at any number of threads, and after a stop" {
    run=(population --energy ising --graph "$data/ising.txt" --groups 256 --beta 4)
    results='[d["results"], d["curves"]]'
    spinney "${run[@]}" --json | json "$results" > whole.json
    interrupted_at INT 4 'rename *state' "${run[@]}" --checkpoint state --every 1 --json > partial
    [ "$(json 'd["results"]["stop"]' < partial)" = interrupted ]
    spinney "${run[@]}" --checkpoint state --resume --threads 2 --json | json "$results" > again.json
    cmp whole.json again.json
}

@test "a sweep runs it" {
    cat > p.yaml <<'END'
name: p
task: population
seed: 1
runs: 2
settings: {energy: ising, graph: "IN/ising.txt", beta: 2}
grid:
  - setting: groups
    values: [64, 128]
END
    sed -i "s|IN|$data|" p.yaml
    spinney sweep p.yaml --out p --quiet
    spinney records p --csv table.csv > /dev/null
    [ "$(wc -l < table.csv)" = 5 ]
    head -1 table.csv | grep -q "rho.*"
    grep -q "population" p/sweep.json
}

@test "few families are said to be too few, with the remedy" {
    spinney population --energy bits --random 101,0.7,3 --groups 64 --sweeps 0.1 > text
    grep -q "^too short to tell: [0-9]* of 64 families are left" text
    grep -q "groups.* 256" text
}

@test "what is wrong is refused with the setting and the remedy" {
    for case in "--groups 63|groups" "--beta 0|beta" "--beta nan|beta" "--culled 0|culled" "--trace t.csv|trace"; do
        run -2 --separate-stderr spinney population --energy bits --random 11,3,1 ${case%|*}
        [[ "$stderr" == *"--${case#*|}"* ]]
    done
}
