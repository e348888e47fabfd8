printf '0 1 1\n1 2 -1\n0 2 1\n2 3 1\n' >graph
run="spinney population --energy ising --graph graph --groups 64 --seed 3"
spinney population --help-all | grep -q -- '--repeat n'
spinney --completion bash | grep -q -- --repeat
$run --sweeps 2 --repeat 3 --json | python3 -c '
import json, sys
assert json.load(sys.stdin)["settings"]["repeat"] == 3'
$run --sweeps 2 --repeat 3 --out once >/dev/null
$run --sweeps 6 --out twice >/dev/null
cmp once twice
if $run --repeat 0 2>errors; then false; fi
grep -q -- '--repeat' errors
cat >sweep.yaml <<'END'
name: repeats
task: population
settings: {energy: ising, graph: graph, groups: 64, sweeps: 1}
grid: [{setting: repeat, values: [1, 2]}]
END
spinney sweep sweep.yaml --out folder >/dev/null
spinney records folder | grep -q repeat
