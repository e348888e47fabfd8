# Schedules, and the ways a run ends.
load helpers

bits=(anneal --energy bits --random 101,30,1)

# The JSON value of an expression after a run.
after() {
    local expression=$1
    shift
    spinney "$@" --json | json "$expression"
}

# `schedule DESCRIPTION FIRST LAST options...`: what is printed, and beta at the first and last step
schedule() {
    local text=$1 first=$2 last=$3
    shift 3
    [ "$(after '"beta %s" % "'"$text"'" in d["notes"][1]' "${bits[@]}" "$@" --trace t.csv)" = True ]
    spinney "${bits[@]}" "$@" | grep -qF "beta $text, gamma "
    python3 -c "
import csv
rows = list(csv.DictReader(open('t.csv')))
first, last = float(rows[1]['beta']), float(rows[-1]['beta'])
print(first, last)
assert abs(first - ($first)) < 1e-12 and abs(last - ($last)) < 1e-12"
}

@test "every kind of schedule, as printed and as run" {
    schedule "constant 2" 2 2 --beta 2 --steps 100
    schedule "constant 2" 2 2 --beta 2 --schedule constant --steps 100
    schedule "linear 0 to 2" 0 "2 * 0.99" --beta 0:2 --steps 100
    schedule "linear 1 to 3" 1 "1 + 2 * 0.99" --beta 1:3 --schedule linear --steps 100
    schedule "quadratic 1 to 3" 1 "1 + 2 * 0.99 ** 2" --beta 1:3 --schedule quadratic --steps 100
    schedule "exponential 1 to 16" 1 "16 ** 0.99" --beta 1:16 --steps 100
    schedule "exponential 16 to 1" 16 "16 ** 0.01" --beta 16:1 --schedule exponential --steps 100
    schedule "logarithmic (1/2) log(1 + 3 t)" 0 "__import__('math').log(1 + 3 * 99) / 2" \
        --schedule logarithmic:m=2,C=3 --steps 100
    schedule "3 pieces, 0.1 to 2 over 60 steps" 0.1 2 --schedule pieces:0.1x10,1x20,2x30
    schedule "2 pieces, 0.5 to 1.69315 over 80 steps" 0.5 "1 + __import__('math').log(2)" \
        --schedule theorem1:alpha=2,b=1,B=2,m=1,c=0.5,kappa=100,stages=2
}

@test "scoping: beta grows with the accepted moves" {
    for order in replica-round random; do
        [ "$(after 'd["notes"][1]' "${bits[@]}" --beta 0.5 --steps 200 --order $order \
            --schedule scoping:factor=0.5,every=5 --trace t.csv --trace-every 1)" = \
            "beta scoping 0.5, times 1.5 every 5 accepted moves a replica, gamma constant 0.5" ]
        python3 - $order <<'END'
import csv, sys
proposals = 3 if sys.argv[1] == "replica-round" else 1
accepted = 0
for row in list(csv.DictReader(open("t.csv")))[1:]:
    assert float(row["beta"]) == 0.5 * 1.5 ** (accepted // 15), (row, accepted)
    accepted += round(float(row["acceptance"]) * proposals)
assert accepted > 30
END
    done
}

@test "gamma has schedules of its own" {
    for kind in linear quadratic exponential; do
        [ "$(after 'd["notes"][1]' "${bits[@]}" --beta 0.1:10 --gamma 0.5:2 --gamma-schedule $kind --steps 100)" = \
            "beta exponential 0.1 to 10, gamma $kind 0.5 to 2" ]
    done
    [[ "$(after 'd["notes"][1]' "${bits[@]}" --gamma 0:2 --steps 100)" == *", gamma linear 0 to 2" ]]
    [[ "$(after 'd["notes"][1]' "${bits[@]}" --gamma 1 \
        --gamma-schedule scoping:factor=0.1 --steps 100)" == \
        *", gamma scoping 1, times 1.1 every 1000 accepted moves a replica" ]]
    spinney "${bits[@]}" --gamma-schedule pieces:2x10,1x10 --steps 20 --trace t.csv
    [ "$(cut -d, -f3 t.csv | sed 1d | uniq | xargs)" = "2 1" ]
    [ "$(after 'd["results"]["overlap"]' "${bits[@]}" --gamma 10000 --steps 1000)" = 1 ]
}

@test "pieces set the number of steps, which --steps overrides" {
    [ "$(after 'd["steps"]' "${bits[@]}" --schedule pieces:0.1x10,1x20)" = 30 ]
    [ "$(after 'd["steps"]' "${bits[@]}" --schedule pieces:0.1x10,1x20 --steps 50)" = 50 ]
}

@test "no number is hexadecimal: 0x100 is beta 0 for 100 steps" {
    [ "$(after 'd["steps"]' "${bits[@]}" --schedule pieces:0x100,1x100)" = 200 ]
    spinney "${bits[@]}" --schedule pieces:0x100,1x100 --trace t.csv
    [ "$(cut -d, -f2 t.csv | sed 1d | uniq | xargs)" = "0 1" ]
    for option in --beta --gamma --target --steps --time; do
        refuses "${option}: '0x10' is not" "${bits[@]}" $option 0x10
    done
}

@test "a step is a proposal of each replica, or one proposal in random order" {
    [ "$(after 'd["curves"]["replicas"]["proposals"]' "${bits[@]}" --steps 1000)" = "[1000, 1000, 1000]" ]
    [ "$(after 'sum(d["curves"]["replicas"]["proposals"])' "${bits[@]}" --steps 1000 --order random)" = 1000 ]
}

@test "--target: by all at the same time, or by any" {
    easy=(anneal --energy bits --random 101,30,1 --teacher --target 0)
    spinney "${easy[@]}" --target-by all --json > all
    [ "$(json 'd["results"]["stop"], d["curves"]["replicas"]["energy"]' < all)" = "target [0, 0, 0]" ]
    spinney "${easy[@]}" --json > any # the default
    [ "$(json 'd["results"]["stop"], min(d["curves"]["replicas"]["energy"])' < any)" = "target 0" ]
    [ "$(json 'd["steps"]' < any)" -le "$(json 'd["steps"]' < all)" ]
    spinney "${easy[@]}" | grep -q '^stop  *target '
}

@test "--target that is reached at the start ends the run there" {
    [ "$(after 'd["results"]["stop"], d["steps"]' "${bits[@]}" --target 1e6)" = "target 0" ]
}

@test "--target that is never reached changes nothing" {
    [ "$(after 'd["results"]["stop"], d["curves"]["replicas"]["energy"]' "${bits[@]}" --steps 1000 --target -1)" = \
        "$(after '"steps", d["curves"]["replicas"]["energy"]' "${bits[@]}" --steps 1000)" ]
}

@test "--patience counts proposals since a best energy last fell" {
    printf '1 1\n' > flat
    [ "$(after 'd["results"]["stop"], d["steps"]' anneal --energy table --table flat --patience 300)" = \
        "patience 100" ]
    [ "$(after 'd["results"]["stop"], d["steps"]' anneal --energy table --table flat --patience 300 \
        --order random)" = "patience 300" ]
    spinney anneal --energy table --table flat --patience 300 | grep -q '^stop  *patience '
}

@test "--time" {
    spinney "${bits[@]}" --steps 1000000000000 --time 0.3 --json > result
    [ "$(json 'd["results"]["stop"], 0.3 <= d["seconds"]' < result)" = "time True" ]
    spinney "${bits[@]}" --steps 1000000000000 --time 0.1 | grep -q '^stop  *time '
}

# `interrupt SIGNAL options...`: a run that would never end gets a signal when it has made some blocks
# of steps, after each of which it looks at the clock.
interrupt() {
    interrupted_at "$1" 500 clock "${bits[@]}" --beta 0.1:3 --steps 1000000000000 --trace t.csv \
        --trace-every 10000 "${@:2}" > stdout 2> stderr
}

@test "Ctrl-C: the report says so, the outputs are there, exit status 130" {
    interrupt INT --out states
    grep -q '; interrupted: these are the results so far$' stdout
    grep -q '^stop  *interrupted ' stdout
    [ "$(grep -c '^[+-]*$' states)" -eq 3 ]
    [ "$(wc -l < t.csv)" -ge 3 ]
    [ "$(ls)" = "$(printf '%s\n' states stderr stdout t.csv)" ]
    grep -qE '^spinney anneal: interrupted at step [0-9]+; with --checkpoint FILE it could continue later$' \
        stderr
}

@test "Ctrl-C with --json: valid JSON that says so" {
    interrupt INT --json
    [ "$(json 'd["results"]["stop"], d["steps"] > 0, len(d["curves"]["replicas"]["best_energy"])' < stdout)" = "interrupted True 3" ]
    [ "$(wc -l < stderr)" -eq 1 ]
}

@test "SIGTERM and SIGHUP end a run in the same way" {
    for signal in TERM HUP; do
        interrupt $signal --json
        [ "$(json 'd["results"]["stop"], d["complete"]' < stdout)" = "interrupted False" ]
    done
}
