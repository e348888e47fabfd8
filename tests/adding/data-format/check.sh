python3 - <<'END'
with open("samples.csv", "w") as csv, open("samples.blank", "w") as blank:
    for n in range(40):
        values = [(7 * n + 3 * i) % 11 for i in range(5)]
        label = "high" if values[0] > 5 else "low"
        csv.write(",".join(map(str, values + [label])) + "\n")
        blank.write(" ".join([label] + list(map(str, values))) + "\n")
END
spinney train --help-all | grep -q blank
for format in csv blank; do
    spinney train --data samples.$format --steps 500 --seed 1 --json >$format
done
python3 - <<'END'
import json
one, other = [json.load(open(n))["results"] for n in ("csv", "blank")]
assert one["train_accuracy"] == other["train_accuracy"] and one["train_loss"] == other["train_loss"]
END
printf 'a 1 2\nb 3\n' >bad.blank
if spinney train --data bad.blank --steps 10 2>errors; then false; fi
grep -q 'line 2' errors
