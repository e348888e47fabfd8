python3 - <<'END' >graph
import random
random.seed(1)
for i in range(4000):
    for _ in range(3):
        print(i, (i + random.randrange(1, 4000)) % 4000, random.choice((-1, 1)))
END
spinney descent --help-all | grep -q -- '--time'
spinney descent --energy ising --graph graph --seed 5 --json >whole
run="spinney descent --energy ising --graph graph --seed 5 --checkpoint saved --json"
env LD_PRELOAD="$BUILD/tests/stop_at.so" STOP_AT=3 STOP_CALL='rename *saved' STOP_WITH=2 $run --every 1 >partial || [ $? = 130 ]
[ -s saved ]
$run --resume >again
python3 - <<'END'
import json
whole, again = [json.load(open(n))["results"] for n in ("whole", "again")]
assert json.load(open("again"))["resumed_step"] > 0
assert whole["stop"] == "steps" and whole["flips"] > 0 and whole["best_energy"] < -4000, whole
assert all(whole[k] == again[k] for k in ("best_energy", "flips", "steps_done"))
END
cat >sweep.yaml <<'END'
name: descents
task: descent
settings: {energy: ising, graph: graph}
runs: 3
END
spinney sweep sweep.yaml --out folder >/dev/null
spinney records folder --columns best_energy | grep -q best_energy
