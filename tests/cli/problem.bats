# Problems with constraints: `anneal --problem`, its output and files, what it refuses, fixed variables,
# the same results at any number of threads and after a stop, and sweeps.
load helpers

setup_problems() {
    cat > pack.lp <<'END'
\ what to pack
Maximize
 value: 4 a + 2 b + 10 c + d + 2 e
Subject To
 weight: 12 a + b + 4 c + d + 2 e <= 15
Binary
 a b c d e
End
END
    cat > clash.lp <<'END'
Minimize
 cost: a + b
Subject To
 both: a + b >= 3
 one: a + b = 1
Binary
 a b
End
END
    printf 'c weighted MaxSAT\np wcnf 3 4 10\n10 1 2 0\n3 -1 0\n4 -2 0\n2 -1 3 0\n' > choice.wcnf
    # 24 lessons in 6 slots, no two of one class at once
    python3 - > plan.lp <<'END'
lessons, slots = 24, 6
clashes = [(i, j) for i in range(lessons) for j in range(i) if (i * j + i + j) % 5 == 0]
print("min\n cost:", " + ".join(f"{(7 * i * i + 3 * s * i + s) % 11} l{i}s{s}" for i in range(lessons) for s in range(slots)))
print("st")
for i in range(lessons):
    print(f" once{i}:", " + ".join(f"l{i}s{s}" for s in range(slots)), "= 1")
for i, j in clashes:
    for s in range(slots):
        print(f" clash{i}_{j}_{s}: l{i}s{s} + l{j}s{s} <= 1")
print("bin", *(f"l{i}s{s}" for i in range(lessons) for s in range(slots)), "end", sep="\n")
END
}

# Without the time and the version.
settled() {
    sed -E 's/ in [0-9.]+ s \(.*//; s/^spinney [^:]*:/spinney:/'
}

@test "a problem is solved, and told under its own names" {
    setup_problems
    run -0 bash -c "'$SPINNEY' anneal --problem pack.lp --quiet"
    output=$(settled <<< "$output")
    matches_expected problem.txt
}

@test "the JSON has the solutions, their worth, and the rows of results" {
    setup_problems
    spinney anneal --problem pack.lp --json > result
    [ "$(json 'd["variables"]' < result)" = "['a', 'b', 'c', 'd', 'e']" ]
    best='{k: d["solutions"][0][k] for k in ("objective", "feasible", "violation", "reads", "distance", "violations", "values")}'
    [ "$(json "$best" < result)" = "{'objective': 15, 'feasible': True, 'violation': 0, 'reads': 4, 'distance': 0, 'violations': {}, 'values': [0, 1, 1, 1, 1]}" ]
    [ "$(json 'd["results"]["objective"], d["results"]["feasible"], d["results"]["violation"]' < result)" = "15 1 0" ]
    [ "$(json '[d["settings"][k] for k in ("replicas", "reads", "gamma", "kernel", "energy")]' < result)" = "[1, 4, None, None, None]" ]
}

@test "solutions that violate constraints name them, and come after feasible ones" {
    setup_problems
    spinney anneal --problem clash.lp --json > result
    [ "$(json 'd["results"]["feasible"], d["results"]["violation"], d["results"]["broken"]' < result)" = "0 2 both by 2" ]
    [ "$(json 'd["solutions"][0]["violations"]' < result)" = "{'both': 2}" ]
    spinney anneal --problem plan.lp --sweeps 3 --reads 40 --rows 40 --json > result
    [ "$(json 'len({s["feasible"] for s in d["solutions"]})' < result)" = 2 ]
    [ "$(json '[(s["violation"], s["objective"]) for s in d["solutions"]] == sorted((s["violation"], s["objective"]) for s in d["solutions"])' < result)" = True ]
    [ "$(json 'sum(s["reads"] for s in d["solutions"])' < result)" = 40 ]
}

@test "clauses are a problem, too: soft ones count, hard ones must hold" {
    setup_problems
    spinney anneal --problem choice.wcnf --json > result # 1 costs 3, or 5 with 3 false; 2 costs 4
    [ "$(json 'd["results"]["objective"], d["results"]["feasible"], d["solutions"][0]["values"]' < result)" = "3 1 [1, 0, 1]" ]
    cp choice.wcnf choice.txt
    spinney anneal --problem choice.txt --problem-format wcnf --json > other
    [ "$(json 'd["results"]' < result)" = "$(json 'd["results"]' < other)" ]
}

@test "fixed variables keep their values" {
    setup_problems
    spinney anneal --problem pack.lp --fix c=0,a=1 --json > result
    [ "$(json 'd["results"]["objective"], d["solutions"][0]["values"]' < result)" = "8 [1, 1, 0, 0, 1]" ]
    refuses 'the problem has no variable cc; did you mean c?' anneal --problem pack.lp --fix cc=1
    refuses 'c cannot be fixed to 2: it is 0 or 1' anneal --problem pack.lp --fix c=2
    refuses "'c' is not NAME=VALUE" anneal --problem pack.lp --fix c
    refuses "'c=x' is not NAME=VALUE" anneal --problem pack.lp --fix a=1,c=x
}

@test "solutions are written in ranked order, as CSV, JSON and lines" {
    setup_problems
    for format in csv json txt; do
        spinney anneal --problem plan.lp --sweeps 30 --reads 9 --out "s.$format" --quiet > /dev/null
    done
    python3 - <<'END'
import csv, json
lines, states = open("s.txt").read().split("# ")[1:], json.load(open("s.json"))
rows = list(csv.DictReader(open("s.csv")))
assert len(rows) == len(states["solutions"]) == len(lines) > 3
ranks = []
for row, state, text in zip(rows, states["solutions"], lines):
    values = [int(row[name]) for name in states["variables"]]
    assert values == state["values"] == [int(line.split()[1]) for line in text.splitlines()[1:]]
    assert float(row["objective"]) == state["objective"] and bool(int(row["feasible"])) == state["feasible"]
    assert int(row["distance"]) == sum(a != b for a, b in zip(values, states["solutions"][0]["values"]))
    assert text.startswith(f"objective {state['objective']}, violation {state['violation']}, found by {state['reads']} of 9 reads")
    ranks.append((state["violation"], state["objective"], -state["reads"]))
assert ranks == sorted(ranks)
END
    refuses 'solutions are written as .csv or .json' anneal --problem pack.lp --out s.npy
}

@test "problems are written in other formats, and come back the same" {
    setup_problems
    sed -i 's/\be\b/f/g' pack.lp # e is no name that is written: others read an exponent
    best='d["results"]["objective"], sorted(zip(d["variables"], d["solutions"][0]["values"]))'
    printf '# 2 a b - 3 c + 1\na b 2\nc -3\na 1\n1\n' > sum.coo
    printf 'p cnf 3 3\n1 -2 0\n2 3 0\n-1 0\n' > rules.cnf
    for pair in "pack.lp again.lp" "sum.coo sum.lp" "sum.lp again.coo" "rules.cnf rules.lp" "rules.cnf again.cnf" "choice.wcnf again.wcnf" \
        "plan.lp again.lp"; do
        set -- $pair
        spinney convert $1 --out $2 --quiet
        [ "$(spinney anneal --problem $1 --json | json "$best")" = "$(spinney anneal --problem $2 --json | json "$best")" ]
        format=${2##*.} # again, nothing changes any more
        spinney convert $2 --format $format > once
        spinney convert $2 --format $format | spinney convert - --problem-format $format --format $format | cmp - once
    done
    spinney convert pack.lp --fix c=0 --out fixed.lp 2> told
    [ "$(cat told)" = "spinney convert: fixed.lp: 5 variables, 1 constraints" ]
    [ "$(spinney anneal --problem fixed.lp --json | json "$best")" = "$(spinney anneal --problem pack.lp --fix c=0 --json | json "$best")" ]
    spinney convert pack.lp --fix c=1 --presolve --out known.lp 2> told # a is 0 then, and all others fit
    grep -q '5 variables, 0 constraints' told
    grep -q '^ a = 0$' known.lp
    [ "$(spinney anneal --problem known.lp --json | json "$best")" = "$(spinney anneal --problem pack.lp --fix c=1 --json | json "$best")" ]
    # what a format cannot hold
    printf 'a b c 1\n' > cubic.coo
    printf '# vartype=SPIN\na b 1\n' > spins.coo
    refuses 'a product of 3 variables in the objective: LP files have two at most' convert cubic.coo --out no.lp
    refuses 'a is a spin: LP files have binary and integer variables' convert spins.coo --out no.lp
    refuses 'a coo polynomial has no constraints' convert pack.lp --out no.coo
    refuses 'constraint c2 is soft' convert choice.wcnf --out no.lp
    refuses 'qplib, not written' convert pack.lp --out no.qplib
    refuses '--fix: the problem has no variable z' convert pack.lp --fix z=1 --out no.lp
    refuses 'no state is feasible: both cannot hold' convert clash.lp --presolve --out no.lp
    refuses 'give one file of a problem' convert --out no.lp
    printf 'min\n 3 x +\nst\n c: x + y >= 1\nend\n' > torn.lp
    refuses 'torn.lp:3:1: ' convert torn.lp --out no.lp
}

@test "a problem is an energy for temper, population, exact and entropy, by the law of objective and violations" {
    cat > mini.lp <<'END'
Maximize
 obj: 3 a + 2 b - c + n + [ 4 a * c - 2 b * d ] / 2
Subject To
 room: 2 a + b + c + n <= 3
 pair: c + d = 1
Bounds
 n <= 2
Binary
 a b c d
Generals
 n
End
END
    python3 - > law <<'END'
import itertools, math
z = feasible = energy = 0
for a, b, c, d, x, y in itertools.product((0, 1), repeat=6):
    n = x + y
    objective = 3 * a + 2 * b - c + n + 2 * a * c - b * d
    violation = max(0, 2 * a + b + c + n - 3) + abs(c + d - 1)
    weight = math.exp(-0.7 * (4 * violation - objective))
    z, feasible, energy = z + weight, feasible + weight * (violation == 0), energy + weight * (4 * violation - objective)
print(math.log(z), feasible / z, energy / z)
END
    shared=(--problem mini.lp --penalty 4 --replicas 1 --gamma 0)
    spinney exact "${shared[@]}" --beta 0.7 --json > exact
    spinney temper "${shared[@]}" --beta 0:0.7 --keep-every 2 --out kept.csv --json > ladder
    spinney population "${shared[@]}" --beta 0.7 --json > families
    python3 - <<'END'
import csv, json
z, feasible, energy = map(float, open("law").read().split())
exact, ladder, families = (json.load(open(name))["results"] for name in ("exact", "ladder", "families"))
assert abs(exact["log_z"] - z) < 1e-12 and abs(exact["mean_U"] - energy) < 1e-12
for found in ladder, families:
    assert abs(found["log_z"] - z) < 5 * found["log_z_error"] < 0.3, found
assert abs(ladder["feasible"] - feasible) < 0.05 and abs(ladder["energy"] - energy) < 0.2
assert ladder["objective"] == families["objective"] == 4
rows = list(csv.DictReader(open("kept.csv")))
assert list(rows[0]) == ["energy", "count", "a", "b", "c", "n.1", "n.2", "d"]
met = 0
for row in rows:
    a, b, c, x, y, d = (int(row[k]) for k in list(row)[2:])
    violation = max(0, 2 * a + b + c + x + y - 3) + abs(c + d - 1)
    assert float(row["energy"]) == 4 * violation - (3 * a + 2 * b - c + x + y + 2 * a * c - b * d)
    met += int(row["count"]) * (violation == 0)
assert met == round(ladder["feasible"] * sum(int(row["count"]) for row in rows))
END
    run -0 spinney temper --problem mini.lp --fix d=0 --scans 20
    [[ "$output" == *"by default"*"penalty 5"* && "$output" == *"the energy is minus the objective plus 5 times the violation"* ]]
    spinney entropy --problem mini.lp --target 0 --distance 0.5 --sweeps 50 --quiet
    refuses '--fix: needs --problem, a file' temper --energy qubo --graph x --fix a=1
    refuses '--energy: does not go with --problem; leave it out' temper --problem mini.lp --energy qubo
    refuses '--graph: cannot be combined with energy problem' exact --problem mini.lp --graph x
    refuses 'all variables are fixed' temper --problem mini.lp --fix a=0,b=0,c=0,d=0,n=0
}

@test "settings that do not go with a problem are refused" {
    setup_problems
    refuses '--energy: does not go with --problem; leave it out' anneal --problem pack.lp --energy qubo
    refuses '--steps: does not go with --problem; give --sweeps and --rounds' anneal --problem pack.lp --steps 9
    refuses '--fix: needs --problem, a file' anneal --energy bits --random 9,3,1 --fix a=1
    refuses '--gamma: needs --replicas of 2 or more' anneal --problem pack.lp --gamma 1
    refuses '--beta-end: needs the other end of beta' anneal --problem pack.lp --beta-end 3
    refuses '--beta: auto has no shares' anneal --problem pack.lp --beta auto:0.1:0.001
    refuses "--rounds: '1.5' is not a whole number" anneal --problem pack.lp --rounds 100,1.5
    refuses '--sweeps: give this or several --rounds, not both' anneal --problem pack.lp --rounds 100,200 --sweeps 5
    refuses "--problem: plan.txt: cannot be opened" anneal --problem plan.txt
    printf 'min\n 3 x +\nst\n c: x + y >= 1\nend\n' > torn.lp
    refuses '--problem: torn.lp:3:1: ' anneal --problem torn.lp
}

@test "results are the same at any number of threads, after a stop, and from the rounds of a timed run" {
    setup_problems
    plan=(anneal --problem plan.lp --replicas 3 --gamma 0.1:1 --sweeps 2000 --rounds 3 --json)
    for threads in 1 2; do
        spinney "${plan[@]}" --threads $threads | json '(d["results"], d["solutions"])' > $threads
    done
    cmp 1 2
    interrupted_at INT 60 clock "${plan[@]}" --checkpoint c --quiet > /dev/null 2> told
    grep -q 'repeat the command to continue' told
    spinney "${plan[@]}" --checkpoint c | json '(d["results"], d["solutions"])' > 3
    [ ! -e c ]
    cmp 1 3
    by_own_time anneal --problem plan.lp --time 0.2 --target 0 --json > timed
    rounds=$(json 'd["settings"]["rounds"] or d["settings"]["sweeps"]' < timed)
    [[ "$rounds" == 100* ]]
    spinney anneal --problem plan.lp --rounds "$rounds" --json > again
    [ "$(json 'd["results"]["rounds_done"]' < again)" = "$(tr ',' '\n' <<< "$rounds" | wc -l)" ]
    [ "$(json 'd["results"]["objective"]' < again)" -le "$(json 'd["results"]["objective"]' < timed)" ]
}

@test "a target ends the run; a trace has the best objective of feasible states" {
    setup_problems
    spinney anneal --problem plan.lp --rounds 50 --target 1000 --json > result
    [ "$(json 'd["results"]["stop"], d["settings"]["reads"]' < result)" = "target 4" ]
    spinney anneal --problem plan.lp --sweeps 20000 --trace t.csv --trace-every 65536 --json > result
    [ "$(json 'd["settings"]["reads"]' < result)" = 4 ]
    head -n 1 t.csv | grep -q '^step,best_energy,seconds$'
    [ "$(tail -n 1 t.csv | cut -d , -f 2)" = "$(json 'd["results"]["objective"]' < result)" ]
}

@test "health and verdict say whether the best state can be trusted, and what to change" {
    setup_problems
    told='d["results"]["health"], d["results"]["verdict"], d["notes"][0]'
    [ "$(spinney anneal --problem pack.lp --json | json "$told")" = \
        "good met again and again met again and again: 4 of 4 rounds came to the best objective" ]
    [ "$(spinney anneal --problem pack.lp --reads 1 --json | json "$told")" = \
        "too short to tell keep going too short to tell: give more time, reads or rounds" ]
    [ "$(spinney anneal --problem clash.lp --json | json "$told")" = \
        "no feasible state proved infeasible no state is feasible: both cannot hold, given the ranges of the variables and the constraints before it; change them or \`fix\`" ]
    spinney anneal --problem pack.lp --fix a=1,c=1 --json > result # 12 + 4 > 15
    [ "$(json 'd["results"]["verdict"]' < result)" = "proved infeasible" ]
    spinney anneal --problem pack.lp --fix c=1 --json > result # so a is 0, and all others fit
    [ "$(json '[d["results"][k] for k in ("presolved", "implied", "verdict")]' < result)" = "[4, 1, 'proved best']" ]
    [ "$(spinney anneal --problem plan.lp --sweeps 2 --reads 20 --json | json 'd["results"]["verdict"], d["results"]["rounds_found"]')" = "keep going 1" ]
    [ "$(spinney anneal --problem plan.lp --sweeps 2 --reads 20 --json | json 'd["results"]["health"], round(d["results"]["chance_better"], 12)')" = "found once 0.5" ]
    bag=$BATS_TEST_DIRNAME/../../examples/problems/knapsack.lp
    [ "$(spinney anneal --problem "$bag" --json | json 'd["results"]["health"]')" = good ]
    # penalties that are far too large, and far too small
    [ "$(spinney anneal --problem "$bag" --penalty 1e6 --json | json "$told")" = \
        "constraints frozen keep going constraints frozen: late in the rounds the same constraints were violated all the time, or none was; leave \`penalty\` and \`beta\` out, or give more time" ]
    [ "$(spinney anneal --problem "$bag" --penalty 0.01 --json | json 'd["results"]["health"]')" = "constraints frozen" ]
    # all terms at their best: nothing can be better
    printf 'min\n o: a - b\nst\n r: a + b <= 1\nbin\n a b\nend\n' > easy.lp
    [ "$(spinney anneal --problem easy.lp --json | json 'd["results"]["verdict"], d["results"]["gap"], d["results"]["stop"]')" = "proved best 0 target" ]
}

@test "a round that closes a gate which must be open does not count against the others" {
    python3 - > depots.lp << 'END'
items = range(10)
print("Minimize\n 5 uA + 7 uB + " + " + ".join(f"{1 + i % 3} xA{i}" for i in items) + "\nSubject To")
for i in items:
    print(f" s{i}: xA{i} + xB{i} = 1\n a{i}: xA{i} - uA <= 0\n b{i}: xB{i} - uB <= 0")
for g in "AB": # neither depot holds all
    print(f" cap{g}: " + " + ".join(f"x{g}{i}" for i in items) + " <= 6")
print("Binary\n uA uB " + " ".join(f"x{g}{i}" for g in "AB" for i in items) + "\nEnd")
END
    spinney anneal --problem depots.lp --rounds 300,300 --json > result
    [ "$(json 'd["results"]["objective"], d["results"]["health"], d["results"]["verdict"]' < result)" = "16 good met again and again" ]
}

@test "problems are swept over, and printed as a grid" {
    setup_problems
    cat > sweep.yaml <<'END'
name: packing
seed: 3
task: anneal
runs: 2
settings: {problem: pack.lp, sweeps: 100}
grid:
  - {setting: penalty, values: [1, 100]}
  - {setting: fix, values: ["a=1", "b=0"]}
END
    spinney sweep sweep.yaml --out folder --quiet
    spinney records folder --json > records
    spinney records folder --csv records.csv
    [ "$(python3 -c 'import csv; print(sorted(float(r["objective"]) for r in csv.DictReader(open("records.csv"))))')" = "[8.0, 8.0, 8.0, 8.0, 13.0, 13.0, 13.0, 13.0]" ]
    run -0 spinney anneal --problem pack.lp --grid replicas=1,3 --y objective,feasible
    [[ "$output" == *objective*feasible* ]]
}

@test "solutions are ranked by how they fare in a changed world" {
    setup_problems
    # 519 fills the bag to the brim, 517 leaves room
    shaken=(anneal --problem "$BATS_TEST_DIRNAME/../../examples/problems/knapsack.lp" --reads 20 --sweeps 100)
    spinney "${shaken[@]}" --json > plain
    spinney "${shaken[@]}" --rank-noise 0.05 --json > objective
    spinney "${shaken[@]}" --rank-noise 0.05 --rank robust --json > robust
    [ "$(json '[s["objective"] for s in d["solutions"]]' < objective)" = "[519, 517]" ]
    [ "$(json '[s["objective"] for s in d["solutions"]]' < robust)" = "[517, 519]" ]
    [ "$(json '[s["values"] for s in d["solutions"]]' < plain)" = "$(json '[s["values"] for s in d["solutions"]]' < objective)" ]
    [ "$(json '[sorted(s.items()) for s in d["solutions"][::-1] if s.pop("distance") >= 0]' < robust)" = \
      "$(json '[sorted(s.items()) for s in d["solutions"] if s.pop("distance") >= 0]' < objective)" ]
    [ "$(json 'd["solutions"][0]["distance"], d["solutions"][1]["distance"] > 0' < robust)" = "0 True" ]
    [ "$(json 'd["solutions"][0]["robust_feasible"] > 0.7, d["solutions"][1]["robust_feasible"] < 0.5' < robust)" = "True True" ]
    for name in objective feasible violation; do
        [ "$(json "d['results']['robust_$name'] == d['solutions'][0]['robust_$name']" < robust)" = True ]
    done
    run -0 spinney "${shaken[@]}" --rank robust --out s.csv
    [[ "$output" == *"most robust: objective "* ]]
    [[ "$output" == *"distance  robust_objective  robust_feasible  robust_violation"* ]]
    head -n 1 s.csv | grep -q '^objective,feasible,violation,reads,distance,robust_objective,robust_objective_error,robust_feasible,'
    refuses '--rank: needs --problem, a file' anneal --energy bits --random 9,3,1 --rank robust
    refuses '--rank-draws: needs --rank-changes or --rank-noise' anneal --problem pack.lp --rank-draws 9
    refuses '--rank-changes: 6 changes: only 5 of the 5 variables can change' anneal --problem pack.lp --rank-changes 6
}
