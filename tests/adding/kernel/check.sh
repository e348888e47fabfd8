# Exactly half of the one-stage kernel's acceptance and gap; and half in a chain of 200,000 steps.
printf '0 1 1\n1 2 -1\n0 2 1\n2 3 1\n' >graph
spinney exact --energy ising --graph graph --beta 0.7 --gamma 0.4 --replicas 2 --kernel one-stage,lazy --json >exact
spinney anneal --energy ising --graph graph --beta 0.7 --gamma 0.4 --replicas 2 --kernel lazy \
    --steps 200000 --json >chain
spinney anneal --energy ising --graph graph --beta 0.7 --replicas 1 --kernel lazy --moves waiting \
    --steps 200000 --json >waiting
spinney exact --energy ising --graph graph --beta 0.7 --replicas 1 --kernel lazy --json >exact1
python3 - <<'END'
import json
read = lambda name: json.load(open(name))["results"]
def accepted(name):
    replicas = json.load(open(name))["curves"]["replicas"]
    return sum(replicas["accepted"]) / sum(replicas["proposals"])
exact = read("exact")
near = lambda a, b, most: abs(a - b) <= most * abs(b)
assert near(exact["acceptance_lazy"], exact["acceptance_one_stage"] / 2, 1e-12)
assert near(exact["gap_lazy"], exact["gap_one_stage"] / 2, 1e-9)
assert exact["stationarity_lazy"] < 1e-12 and exact["reversibility_lazy"] < 1e-12
assert near(accepted("chain"), exact["acceptance_lazy"], 0.02), accepted("chain")
assert near(accepted("waiting"), read("exact1")["acceptance_lazy"], 0.02), accepted("waiting")
END
