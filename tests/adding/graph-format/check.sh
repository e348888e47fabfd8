printf '+ 0 1\n- 1 2\n+ 0 2\n+ 2 3\n' | tee graph.signed >graph
printf '0 1 1\n1 2 -1\n0 2 1\n2 3 1\n' >graph.coo
spinney anneal --help-all | grep -q signed
spinney exact --energy ising --graph graph.coo --beta 1 --no-chain --json >known
spinney exact --energy ising --graph graph.signed --beta 1 --no-chain --json >recognised
spinney exact --energy ising --graph graph --graph-format signed --beta 1 --no-chain --json >named
python3 - <<'END'
import json
known, *others = [json.load(open(n))["results"] for n in ("known", "recognised", "named")]
assert all(o["log_z_centre"] == known["log_z_centre"] and o["E_min"] == known["E_min"] for o in others)
END
printf '+ 0 1\n* 1 2\n' >bad.signed
if spinney anneal --energy ising --graph bad.signed 2>errors; then false; fi
grep -q 'line 2' errors
