printf '%s\n' 3 5 -2 7 1 -4 2 6 >table
spinney anneal --energy plateau --table table --steps 2000 --beta 0.1:5 --json | python3 -c '
import json, sys
assert json.load(sys.stdin)["results"]["best_energy"] == 0'
spinney exact --energy plateau --table table --json | python3 -c '
import json, sys
results = json.load(sys.stdin)["results"]
assert results["E_min"] == 0 and results["minima_count"] == 2 and results["E_max"] == 7, results'
if spinney anneal --energy plateu --table table 2>errors; then false; fi
grep -q plateau errors
