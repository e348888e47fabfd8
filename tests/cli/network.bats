# eval, predict and show of networks with a hidden layer, on random ones: every weight matters there.
load helpers

# `network OUT DATA INPUTS HIDDEN [REPLICAS [HIDDEN_BIAS [BIAS [SEED]]]]`
network() {
    "$(dirname "$SPINNEY")/tests/make_network" "$@"
}

samples() {
    "$(dirname "$SPINNEY")/tests/make_model" --samples digits > test.csv
}

# `refuses TEXT arguments...`: exit status 1 or 2, one line with the text.
refuses() {
    local text=$1
    shift
    run spinney "$@"
    [ "$status" -eq 1 ] || [ "$status" -eq 2 ]
    [ "${#lines[@]}" -eq 1 ]
    [[ "$output" == *"$text"* ]]
}

@test "eval and predict agree with the definition: replicas, centre and vote" {
    samples
    for inputs in binary:7 thermometer:3 none; do
        network m.spn test.csv $inputs 21 3 1 2
        spinney eval m.spn --data test.csv --json --quiet > eval.json
        spinney export m.spn --format text --replica all --out all.txt --quiet
        spinney export m.spn --format text --replica centre --out centre.txt --quiet
        for which in 1 2 3 centre vote; do
            spinney predict m.spn test.csv --replica $which --quiet > $which.out
        done
        for a in 1 2 3; do
            spinney export m.spn --format text --replica $a --out $a.txt --quiet
        done
        for which in 1 centre all; do
            python3 "$BATS_TEST_DIRNAME/../support/network_oracle.py" $which.txt test.csv |
                sed -E 's/^(-?[0-9]+ )+//' > $which.oracle
        done
        cmp 1.out 1.oracle
        cmp centre.out centre.oracle
        cmp vote.out all.oracle
        python3 - <<'END'
import json
d = json.load(open("eval.json"))
r, curves = d["results"], d["curves"]
labels = [line.strip().split(",")[-1] for line in open("test.csv")]
right = lambda name: sum(a == b for a, b in zip(labels, open(name + ".out").read().split("\n"))) / 451
assert abs(right("vote") - r["vote_accuracy"]) < 1e-12 and abs(right("centre") - r["centre_accuracy"]) < 1e-12
assert all(abs(right(str(a + 1)) - curves["replicas"]["accuracy"][a]) < 1e-12 for a in range(3))
c = curves["confusions"]
assert sum(n for n, who in zip(c["count"], c["replica"]) if who == -1) == 451
same = sum(n for n, who, a, b in zip(*(c[k] for k in ("count", "replica", "label", "prediction")))
           if who == -1 and a == b)
assert abs(same / 451 - r["vote_accuracy"]) < 1e-12
assert r["vote_bits"] == 3 * r["bits"] and r["bytes"] == -(-r["bits"] // 8)
END
    done
}

@test "eval: the loss of a vote is that of the probabilities of predict" {
    samples
    network m.spn test.csv binary:7 21 3
    spinney predict m.spn test.csv --replica vote --probabilities > p.csv 2> said
    grep -qxF 'spinney predict: the vote of 3 replicas' said
    loss=$(spinney eval m.spn --data test.csv --json --quiet | json "d['results']['vote_loss']")
    python3 - "$loss" <<'END'
import csv, math, sys
rows = list(csv.DictReader(open("p.csv")))
labels = [line.strip().split(",")[-1] for line in open("test.csv")]
mean = -sum(math.log(float(r[l])) for r, l in zip(rows, labels)) / len(labels)
assert len(rows) == 451 and abs(mean - float(sys.argv[1])) < 1e-9, mean
END
    run spinney eval m.spn --data test.csv
    [[ "$output" == *"; all 3 by vote: "*"; always the most frequent class"* ]]
    [[ "$output" == *$'\nvote   '* ]]
    [[ "$output" == *"451 samples, 10 classes, 21 hidden units, 1554 one-bit weights, 3 replicas"* ]]
}

@test "eval --flip-layer: both layers matter, and none where nothing is flipped" {
    samples
    network m.spn test.csv binary:7 21 3
    curve() { spinney eval m.spn --data test.csv --trials 30 --json --quiet "$@" | json "d['curves']['flips']['accuracy']"; }
    all=$(curve --flip 0,0.3) hidden=$(curve --flip 0,0.3 --flip-layer hidden)
    output=$(curve --flip 0,0.3 --flip-layer output)
    [ "$all" = "$(curve --flip 0,0.3 --flip-layer all --threads 3)" ]
    [ "${all%%,*}" = "${hidden%%,*}" ] && [ "${all%%,*}" = "${output%%,*}" ]
    [ "$all" != "$hidden" ] && [ "$all" != "$output" ] && [ "$hidden" != "$output" ]
    spinney eval m.spn --data test.csv --flip 0.1 --trials 2 --replica vote --json --quiet > vote.json
    [ "$(json "d['settings']['flip-layer']" < vote.json)" = all ]
}

@test "show: hidden units and outputs, every weight in its place" {
    samples
    network m.spn test.csv binary:7 21 3 1 2
    spinney show m.spn --replica 2 > shown
    spinney show m.spn --replica 2 --png w.png --scale 3
    spinney export m.spn --format text --out w.txt --replica 2 --quiet
    [ "$(head -n 1 shown)" = "m.spn: network 64-21-10, 3 replicas of 1595 bits (200 bytes), 599 bytes as a vote; here replica 2" ]
    [ "$(tail -n 1 shown)" = "units 1 to 12 of 21; --units draws others" ]
    python3 - <<'END'
import struct, zlib
rows = [line.strip() for line in open("w.txt") if line[0] != "#"]
units, outputs = rows[:21], rows[21:]
assert len(outputs) == 10 and len(units[0]) == 65 and len(outputs[0]) == 23
shown = open("shown").read()
for j in range(12):
    after = shown.split(f"unit {j + 1} ")[1].split("\n")[1].ljust(64)
    assert "".join("+" if c == "▀" else "-" for c in after) == units[j][:64], j
table = [line.split() for line in shown.split("to the classes\n")[1].split("\n")[1:13]]
for j, line in enumerate(table):
    assert line == [str(j + 1), units[j][64] + "1"] + [o[j] for o in outputs], line
png = open("w.png", "rb").read()
at, data = 8, b""
while at < len(png):
    size, name = struct.unpack(">I4s", png[at:at + 8])
    body = png[at + 8:at + 8 + size]
    if name == b"IHDR":
        width, height = struct.unpack(">II", body[:8])
    data += body if name == b"IDAT" else b""
    at += 12 + size
pixels = zlib.decompress(data)
across = (width // 3 - 1) // 65
grey = {"+": 255, "-": 0}
for j in range(21):
    left, top = 1 + j % across * 65, 1 + j // across * 4
    at = lambda x, y: pixels[(3 * (top + y) + 1) * (width + 1) + 1 + 3 * (left + x) + 1]
    assert all(at(x, 0) == grey[units[j][x]] for x in range(64)), j
    assert all(at(k, 2) == grey[outputs[k][j]] for k in range(10)) and at(10, 2) == at(0, 1) == 128, j
END
    run spinney show m.spn --units 20-21 --quiet
    [ "${#lines[@]}" -eq 4 ] && [[ "${lines[0]}" == "unit 20 "* ]]
}

@test "eval, predict and show: what a network cannot do" {
    samples
    network m.spn test.csv none 5
    "$(dirname "$SPINNEY")/tests/make_model" linear.spn digits none 100 2
    sed '3s/^0,/0.5,/' test.csv > half.csv
    refuses "--data: half.csv: network: feature 0 of sample 2 is 0.5, not a whole number from 0 to 255" \
        eval m.spn --data half.csv
    refuses "half.csv: network: feature 0 of sample 2 is 0.5" predict m.spn half.csv
    refuses "--flip-layer: linear.spn is a linear classifier, which has one layer" \
        eval linear.spn --data digits --flip 0.1 --flip-layer hidden
    refuses "--flip-layer: needs --flip" eval m.spn --data test.csv --flip-layer hidden
    refuses "--flip-layer: there is no 'outputs'; did you mean output?" eval m.spn --data test.csv \
        --flip 0.1 --flip-layer outputs
    refuses "--replica: only networks vote" eval linear.spn --data digits --flip 0.1 --replica vote
    refuses "--replica: only networks vote" predict linear.spn test.csv --replica vote
    refuses "--replica: 'vote' is not best, centre, or a number" show m.spn --replica vote
    refuses "--units: linear.spn is a linear classifier, without hidden units" show linear.spn --units 2
    for units in 0 6 3-2 1-6 x -1 2-; do
        refuses "--units: '$units' is not a number of units, 1 to 5, or two such as 1-5" \
            show m.spn --units=$units
    done
    python3 -c "print(','.join(['255'] * 129 + ['a'])); print(','.join(['0'] * 129 + ['b']))" > wide.csv
    network wide.spn wide.csv none 3
    refuses "wide.csv: network: the inputs of sample 0 add up to 32895, more than the 32767 that" \
        eval wide.spn --data wide.csv
}
