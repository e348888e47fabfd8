printf '0 1 1\n1 2 -1\n0 2 1\n2 3 1\n' >graph
spinney anneal --help-all | grep -q cubic
spinney anneal --energy ising --graph graph --beta 1:9 --schedule cubic --steps 1000 --trace trace.csv \
    --trace-every 500 --json >run
python3 - <<'END'
import csv, json
assert json.load(open("run"))["results"]["beta_end"] == 9
lines = [line for line in open("trace.csv") if not line.startswith("#")]
betas = {row["step"]: float(row["beta"]) for row in csv.DictReader(lines)}
for done in (1, 500, 1000):  # the beta of the last step
    assert str(done) not in betas or abs(betas[str(done)] - 1 - 8 * ((done - 1) / 1000) ** 3) < 1e-8
assert len(betas) >= 3 and betas["0"] == 1, betas
END
if spinney anneal --energy ising --graph graph --beta 1:9 --schedule cubik 2>errors; then false; fi
grep -q 'did you mean cubic' errors
