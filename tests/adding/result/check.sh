printf '0 1 1\n1 2 -1\n0 2 1\n2 3 1\n' >graph
spinney population --energy ising --graph graph --groups 64 --json | python3 -c '
import json, sys
results = json.load(sys.stdin)["results"]
assert results["best_per_spin"] == results["best_energy"] / 4'
spinney population --energy ising --graph graph --groups 64 | grep -q 'best_per_spin\|lowest energy of a spin'
cat >sweep.yaml <<'END'
name: results
task: population
settings: {energy: ising, graph: graph, groups: 64, sweeps: 1}
grid: [{setting: culled, values: [0.1, 0.2]}]
figures: [{name: per-spin, value: best_per_spin, x: culled, as: [table]}]
END
spinney sweep sweep.yaml --out folder >/dev/null
spinney records folder --columns best_per_spin | grep -q best_per_spin
spinney report folder --no-pictures >/dev/null
grep -q 'lowest energy of a spin' folder/figures/per-spin.md
