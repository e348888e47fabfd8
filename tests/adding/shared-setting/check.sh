printf '0 1 1\n1 2 -1\n0 2 1\n2 3 1\n' >graph
run="spinney anneal --energy ising --graph graph --beta 1 --steps 100000 --seed 3 --json"
$run --patience 700 >known
$run --patience 7 --patience-times 100 >multiplied
python3 - <<'END'
import json
known, multiplied = [json.load(open(n)) for n in ("known", "multiplied")]
assert multiplied["settings"]["patience-times"] == 100
assert known["results"]["stop"] == "patience"
assert known["results"]["steps_done"] == multiplied["results"]["steps_done"] < 100000
END
spinney train --help-all | grep -q -- --patience-times
cat >sweep.yaml <<'END'
name: patience
task: anneal
settings: {energy: ising, graph: graph, beta: 1, steps: 1000, patience: 5}
grid: [{setting: patience-times, values: [1, 2]}]
END
spinney sweep sweep.yaml --out folder >/dev/null
spinney records folder | grep -q patience-times
