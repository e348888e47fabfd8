printf '0 1 1\n1 2 -1\n0 2 1\n2 3 1\n' >graph
cat >sweep.yaml <<'END'
name: lists
task: anneal
settings: {energy: ising, graph: graph, replicas: 1}
grid: [{setting: steps, values: [10, 20]}]
figures: [{name: energies, value: best_energy, x: steps, as: [list]}]
END
spinney sweep sweep.yaml --out folder >/dev/null
spinney report folder --no-pictures >/dev/null
grep -q '^10: ' folder/figures/energies-list.txt && grep -q '^20: ' folder/figures/energies-list.txt
grep -q 'class="list"' folder/report.html
grep -q '"list"' folder/sweep.json
sed -i 's/\[list\]/[lits]/' sweep.yaml
if spinney sweep sweep.yaml --out other 2>errors; then false; fi
grep -q list errors
