# The range of beta by the energy, sweeps, runs that are stretched over a time, and their health.
load helpers

# A ring of 40 spins whose couplings are S times +1 and -1.
ring() {
    for i in {0..39}; do
        echo $i $(((i * 7 + 1) % 40)) $([ $((i % 3)) -eq 0 ] && echo -)$1
    done
}

@test "beta is measured where it is not given, and the reason is told" {
    ring 1 > ring.txt
    spinney anneal --energy ising --graph ring.txt --json > result
    [ "$(json 'd["settings"]["beta"], d["results"]["health"]' < result)" = "auto good" ]
    python3 - <<'END'
import json
d = json.load(open("result"))
start, end = d["results"]["beta_start"], d["results"]["beta_end"]
assert 0.05 < start < 1 < end < 20
assert d["notes"][1].startswith(f"beta exponential {start!r} to {end!r}, gamma "), d["notes"]
assert d["notes"][2] == ("beta by the energy: at the start 0.2 of the uphill changes (median 4) are accepted, "
                         "at the end 1e-05 of those left after a descent (smallest 4)"), d["notes"]
END
    # with those values it is the same run
    spinney anneal --energy ising --graph ring.txt --beta "$(json '"%r:%r" % (d["results"]["beta_start"], d["results"]["beta_end"])' < result)" --json > given
    [ "$(json 'd["curves"]["replicas"]' < given)" = "$(json 'd["curves"]["replicas"]' < result)" ]
}

@test "couplings times a power of two make the same run" {
    for scale in 1 0.0009765625 1024; do
        ring $scale > ring.txt
        spinney anneal --energy ising --graph ring.txt --out states --json > result
        json 'd["curves"]["replicas"]["accepted"], [e / '$scale' for e in d["curves"]["replicas"]["energy"]], d["results"]["beta_end"] * '$scale \
            < result > run-$scale
        grep -v '^#' states > states-$scale
    done
    cmp run-1 run-0.0009765625
    cmp run-1 run-1024
    cmp states-1 states-0.0009765625
    cmp states-1 states-1024
}

@test "--beta auto:HOT:COLD, and one end that is given" {
    ring 1 > ring.txt
    range() { spinney anneal --energy ising --graph ring.txt --steps 5000 --json "$@" | json 'd["results"]["beta_start"], d["results"]["beta_end"]'; }
    read -r start end <<< "$(range)"
    [ "$(range --beta auto:0.2:1e-5)" = "$start $end" ]
    [ "$(range --beta-end 3)" = "$start 3" ]
    [ "$(range --beta-start 0.01)" = "0.01 $end" ]
    [ "$(range --beta auto --beta-end 3)" = "$start 3" ]
    [ "$(range --beta-start 100)" = "100 100" ] # never falling
    read -r hotter colder <<< "$(range --beta auto:0.5:1e-9)"
    python3 -c "assert $hotter < $start and $colder > $end"
    [ "$(range --schedule constant --beta 2)" = "2 2" ]
    run -2 spinney anneal --energy ising --graph ring.txt --schedule constant
    [[ "$output" == *"constant takes one value"* ]]
}

@test "an energy without changes: beta does not matter" {
    printf '0 1 0\n' > nothing.txt
    spinney anneal --energy ising --graph nothing.txt --json > result
    [ "$(json 'd["results"]["beta_start"], d["results"]["beta_end"], d["notes"][2]' < result)" = \
        "1 1 no flip that was tried changes the energy; beta does not matter" ]
}

@test "--sweeps: proposals for each spin of each replica" {
    ring 1 > ring.txt
    proposals() { spinney anneal --energy ising --graph ring.txt --json "$@" | json 'd["steps"], d["results"]["proposals"]'; }
    [ "$(proposals)" = "40000 120000" ]
    [ "$(proposals --sweeps 7)" = "280 840" ]
    [ "$(proposals --sweeps 7 --order sequential)" = "280 840" ]
    [ "$(proposals --sweeps 7 --order random)" = "840 840" ]
    [ "$(proposals --sweeps 7 --replicas 1)" = "280 280" ]
    run -2 spinney anneal --energy ising --graph ring.txt --sweeps 7 --steps 7
    [ "$output" = "spinney anneal: --sweeps: give this or --steps, not both; see spinney anneal --help" ] ||
        [[ "$output" == *"sweeps: give this or --steps, not both"* ]]
}

@test "--steps with several numbers: equal ones are the plain run" {
    ring 1 > ring.txt
    spinney anneal --energy ising --graph ring.txt --beta 0.1:3 --steps 4000 --json > plain
    spinney anneal --energy ising --graph ring.txt --beta 0.1:3 --steps 1e3,1000,1000,1000 --json > parts
    [ "$(json 'd["curves"]' < plain)" = "$(json 'd["curves"]' < parts)" ]
    [ "$(json 'd["settings"]["steps"], d["steps"]' < parts)" = "1000,1000,1000,1000 4000" ]
}

@test "--time: the steps that it made repeat the run" {
    ring 1 > ring.txt
    for more in "" "--reads 3" "--reads 1 --gamma 0:1 --trace t.csv"; do
        for seconds in 0.001 0.2; do
            by_own_time anneal --energy ising --graph ring.txt --time $seconds $more --json > timed
            [ "$(json 'd["results"]["stop"]' < timed)" = steps ]
            spinney anneal --energy ising --graph ring.txt --steps "$(json 'd["settings"]["steps"]' < timed)" ${more/--trace t.csv/} --json \
                --reads "$(json 'd["settings"]["reads"]' < timed)" > again
            [ "$(json 'd["curves"], {**d["results"], "seconds": 0, "first_hit_seconds": 0}' < timed)" = \
                "$(json 'd["curves"], {**d["results"], "seconds": 0, "first_hit_seconds": 0}' < again)" ]
        done
    done
    [ "$(wc -l < t.csv)" -gt 2 ]
    # a constant beta has no way to go: it runs until the time is up, and says how far it came
    spinney anneal --energy ising --graph ring.txt --beta 1 --reads 1 --time 0.01 --json > timed
    [ "$(json 'd["results"]["stop"], d["settings"]["steps"] == d["steps"]' < timed)" = "time True" ]
    spinney train --time 0.1 --json > timed
    spinney train --steps "$(json 'd["settings"]["steps"]' < timed)" --json > again
    [ "$(json 'd["results"]["train_loss"], d["curves"]["replicas"]["active"]' < timed)" = \
        "$(json 'd["results"]["train_loss"], d["curves"]["replicas"]["active"]' < again)" ]
}

@test "a timed run that was interrupted goes on, and keeps the steps it has made" {
    ring 1 > ring.txt
    timed=(anneal --energy ising --graph ring.txt --reads 1 --time 1 --checkpoint state --quiet --json)
    stop_at 3 'rename *state' "STOP_WITH=$(kill -l INT)" STOP_BUSY=1
    "${stopping[@]}" "$SPINNEY" "${timed[@]}" > first || [ $? -eq 130 ]
    [ "$(json 'd["complete"]' < first)" = False ]
    by_own_time "${timed[@]}" > second
    [ "$(json 'd["complete"], d["resumed_step"] > 0' < second)" = "True True" ]
    [ "$(json 'd["settings"]["steps"].split(",")[0]' < first)" = "$(json 'd["settings"]["steps"].split(",")[0]' < second)" ]
    spinney anneal --energy ising --graph ring.txt --reads 1 --steps "$(json 'd["settings"]["steps"]' < second)" --json > again
    [ "$(json 'd["curves"]["replicas"]' < second)" = "$(json 'd["curves"]["replicas"]' < again)" ]
}

@test "health: frozen, hot, with the remedy; --stop-frozen ends a frozen run" {
    ring 1 > ring.txt
    health() { spinney anneal --energy ising --graph ring.txt --json "$@" > result && json 'd["results"]["health"]' < result; }
    [ "$(health)" = good ]
    [ "$(health --beta 100:1000)" = "frozen from the start" ]
    [[ "$(json 'd["notes"][-1]' < result)" == "frozen from the start: "*"beta: auto"* ]]
    [ "$(health --beta 0.1:1e12)" = "frozen for most" ]
    [[ "$(json 'd["notes"][-1]' < result)" == "frozen for most of the run: "* ]]
    [ "$(health --beta 1e-6:1e-5)" = "hot at the end" ]
    [[ "$(json 'd["notes"][-1]' < result)" == "hot at the end: "* ]]
    [ "$(health --steps 100)" = "too short to tell" ]
    [ "$(health --beta 100:1000 --stop-frozen)" = "frozen from the start" ]
    [ "$(json 'd["results"]["stop"], d["steps"] < 10000, d["complete"]' < result)" = "frozen True True" ]
    [ "$(health --stop-frozen)" = good ]
    spinney anneal --energy ising --graph ring.txt --beta 100:1000 | grep -q '^frozen from the start: '
}

@test "a centre: the same at any number of threads, and after a checkpoint" {
    centre=(anneal --energy bits --random 201,0.4,1 --coupling centre --gamma 0.8 --kernel one-stage --replicas 5
        --beta 0.5:3 --schedule linear --sweeps 200)
    spinney "${centre[@]}" --json > one
    spinney "${centre[@]}" --threads 3 --json > several
    [ "$(json 'd["curves"]["replicas"]' < one)" = "$(json 'd["curves"]["replicas"]' < several)" ]
    [ "$(json 'd["settings"]["coupling"], d["settings"]["centre-every"]' < one)" = "centre None" ]
    spinney "${centre[@]}" --target 0 --json > found
    [ "$(json 'd["results"]["solved"], d["results"]["stop"]' < found)" = "1 target" ]
    # every N steps is what is meant where nothing is said
    spinney "${centre[@]}" --centre-every 201 --json > again
    [ "$(json 'd["curves"]["replicas"]' < one)" = "$(json 'd["curves"]["replicas"]' < again)" ]
    spinney "${centre[@]}" --centre-every 20 --json > often
    [ "$(json 'd["curves"]["replicas"]' < one)" != "$(json 'd["curves"]["replicas"]' < often)" ]
    # killed on the way, with threads, and resumed without
    long=("${centre[@]}" --sweeps 400 --checkpoint state --every 8192 --json)
    spinney "${long[@]}" > whole
    killed_at $(($(operations '*' "${long[@]}") / 2)) '*' "${long[@]}" --threads 2 > first
    run --separate-stderr "$SPINNEY" "${long[@]}" --coupling replicas --resume
    [ "$status" -ne 0 ]
    [[ "$stderr" == *coupling* ]]
    spinney "${long[@]}" --resume > second
    [ "$(json 'd["resumed_step"] > 0' < second)" = True ]
    [ "$(json 'd["curves"]["replicas"]' < whole)" = "$(json 'd["curves"]["replicas"]' < second)" ]
    # training
    train=(train --subset 200 --steps 20000 --coupling centre --json)
    spinney "${train[@]}" > one
    spinney "${train[@]}" --threads 2 > several
    [ "$(json 'd["results"]["train_loss"], d["curves"]["replicas"]' < one)" = \
        "$(json 'd["results"]["train_loss"], d["curves"]["replicas"]' < several)" ]
}
