# Step 1 proposes the last site, the only one of a low energy: it is at -5 whatever the start was.
printf '0 0 0\n1 1 1\n2 2 -5\n' >fields
run="spinney anneal --energy qubo --graph fields --replicas 1 --order backward --json"
spinney anneal --help-all | grep -q backward
for seed in 1 2 3 4 5 6 7 8; do
    $run --beta 1000 --steps 1 --seed $seed >first
    $run --beta 1000 --steps 2 --seed $seed >second
    python3 - <<'END'
import json
first, second = [json.load(open(n))["results"]["best_energy"] for n in ("first", "second")]
assert first in (-5, -4) and second == -5, (first, second)
END
done
# It draws no sites, so it never waits.
$run --beta 2 --steps 90000 --moves auto >auto
$run --beta 2 --steps 90000 --moves plain >plain
python3 - <<'END'
import json
auto, plain = [json.load(open(n)) for n in ("auto", "plain")]
assert auto["results"]["energy"] == plain["results"]["energy"] and auto["curves"] == plain["curves"]
END
if $run --moves waiting 2>errors; then false; fi
grep -q 'does not draw its sites' errors
