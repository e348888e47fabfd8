# eval, predict, export and show, on models of the embedded digits.
load helpers

# `model NAME [DATA [PREPROCESSING [STEPS [REPLICAS [SEED]]]]]`: train a small one.
model() {
    "$(dirname "$SPINNEY")/tests/make_model" "$@"
}

# The test part of the digits, labels last; and the same with features that are no bytes.
samples() {
    model --samples digits > test.csv
}
real_samples() {
    python3 - "$1" > "$2" <<'END'
import sys
for line in open(sys.argv[1]):
    *x, label = line.strip().split(",")
    print(",".join(repr(float(v) / 7 - 0.9) for v in x) + ",d" + label)
END
}

labels() {
    sed 's/.*,//' "$1"
}

# ---- eval ----

@test "eval: loss, accuracy and confusion agree with predict" {
    model m.spn && samples
    spinney eval m.spn --data digits --json > eval.json
    for a in 1 2 3; do
        spinney predict m.spn test.csv --replica $a --quiet > out.$a
        right=$(paste <(labels test.csv) out.$a | awk '$1 == $2' | wc -l)
        [ "$(json "round(d['curves']['replicas']['accuracy'][$a - 1] * 451)" < eval.json)" = "$right" ]
    done
    python3 - <(paste <(labels test.csv) out.2) <<'END'
import json, sys
counts = [[0] * 10 for _ in range(10)]
for line in open(sys.argv[1]):
    label, predicted = map(int, line.split())
    counts[label][predicted] += 1
curves = json.load(open("eval.json"))["curves"]
found = [[0] * 10 for _ in range(10)]
c = curves["confusions"]
for replica, label, predicted, count in zip(c["replica"], c["label"], c["prediction"], c["count"]):
    if replica == 2:
        found[label][predicted] = count
assert found == counts
assert sum(map(sum, found)) == 451
END
    [ "$(json "list(d['curves']['confusion'])" < eval.json)" = "$(python3 -c 'print([str(k) for k in range(10)])')" ]
    [ "$(json "abs(d['results']['loss'] - sum(d['curves']['replicas']['loss']) / 3) < 1e-12" < eval.json)" = True ]
    [ "$(json "d['results']['accuracy'] > 0.85 and 0 < d['results']['loss'] < 1" < eval.json)" = True ]
    [ "$(json "'flips' in d['curves']" < eval.json)" = False ]
}

@test "eval: --replica chooses the classifier of the summary, the confusion and the classes" {
    model m.spn && samples
    best=$(spinney eval m.spn --data digits --json | json "d['results']['best_replica']")
    for which in all best centre 2; do
        spinney predict m.spn test.csv --replica ${which/all/best} --quiet > out
        spinney eval m.spn --data digits --replica $which --json > eval.json
        python3 - <(paste <(labels test.csv) out) <<'END'
import json, sys
pairs = [tuple(map(int, line.split())) for line in open(sys.argv[1])]
run = json.load(open("eval.json"))
confusion, classes = run["curves"]["confusion"], run["curves"]["classes"]
assert all(confusion[str(p)][l] == pairs.count((l, p)) for l in range(10) for p in range(10))
for k in range(10):
    right, samples = pairs.count((k, k)), sum(l == k for l, p in pairs)
    predicted = sum(p == k for l, p in pairs)
    assert classes["label"][k] == k and classes["samples"][k] == samples
    assert abs(classes["precision"][k] - right / predicted) < 1e-12
    assert abs(classes["recall"][k] - right / samples) < 1e-12
    assert abs(classes["f1"][k] - 2 * right / (predicted + samples)) < 1e-12
accuracy = sum(l == p for l, p in pairs) / len(pairs)
assert run["results"]["summary"].startswith(f"accuracy {100 * accuracy:.2f}%"), run["results"]["summary"]
END
    done
    spinney eval m.spn --data digits --replica centre > centre.txt
    grep -q "(the centre of 3 replicas)" centre.txt
    grep -Eq "^class +precision +recall +f1 +samples$" centre.txt
    grep -Eq "^9 +0\.[0-9]+" centre.txt
}

@test "eval: the area under the ROC curve of two classes, with ties" {
    python3 - > two.csv <<'END'
import random
random.seed(5)
print("a,b,kind")
for n in range(300):
    k = n % 3 == 0
    print(f"{random.randint(-3, 3) + 2 * k},{random.randint(-3, 3)},{'yes' if k else 'no'}")
END
    spinney train --data two.csv --out two.spn --quiet
    spinney eval two.spn --data two.csv --json > eval.json
    spinney predict two.spn two.csv --probabilities --quiet > p.csv
    python3 - <<'END'
import csv, json
import math
score = [round(math.log(float(r["yes"]) / float(r["no"])), 9) for r in csv.DictReader(open("p.csv"))]
label = [r["kind"] == "yes" for r in csv.DictReader(open("two.csv"))]
pairs = [(a > b) + (a == b) / 2 for a, k in zip(score, label) if k for b, j in zip(score, label) if not j]
area = json.load(open("eval.json"))["results"]["roc_auc"]
assert any(p == 0.5 for p in pairs) and 0.7 < area < 1, area
assert abs(area - sum(pairs) / len(pairs)) < 1e-12, (area, sum(pairs) / len(pairs))
END
    grep ,no two.csv | sed 1ia,b,kind > one.csv
    spinney eval two.spn --data one.csv --json > one.json
    [ "$(json "'roc_auc' in d['results']" < one.json)" = False ] # there are no pairs
}

@test "eval: the loss is that of the probabilities of predict" {
    model m.spn && samples
    spinney predict m.spn test.csv --replica 2 --probabilities --quiet > p.csv
    loss=$(spinney eval m.spn --data test.csv --json | json "d['curves']['replicas']['loss'][1]")
    python3 - "$loss" <<'END'
import csv, math, sys
rows = list(csv.DictReader(open("p.csv")))
labels = [line.strip().split(",")[-1] for line in open("test.csv")]
mean = -sum(math.log(float(r[l])) for r, l in zip(rows, labels)) / len(labels)
assert len(rows) == len(labels) == 451 and abs(mean - float(sys.argv[1])) < 1e-9, mean
assert all(abs(sum(float(v) for k, v in r.items() if k != "label") - 1) < 1e-9 for r in rows)
END
}

@test "eval: the best replica is chosen by the loss in training" {
    model m.spn digits dataset 3000 5
    spinney eval m.spn --data digits --json > eval.json
    best="d['results']['best_replica'] - 1"
    [ "$(json "(lambda c: c['train_loss'][$best] == min(c['train_loss']))(d['curves']['replicas'])" < eval.json)" = True ]
    [ "$(json "d['results']['best_accuracy'] == d['curves']['replicas']['accuracy'][$best]" < eval.json)" = True ]
    [ "$(json "d['results']['best_loss'] == d['curves']['replicas']['loss'][$best]" < eval.json)" = True ]
    # a replica's train loss is its loss on the training part
    spinney eval m.spn --data digits --part train --json > train.json
    [ "$(json "all(abs(a - b) < 1e-5 for a, b in zip(d['curves']['replicas']['loss'],
        d['curves']['replicas']['train_loss']))" < train.json)" = True ]
    spinney eval m.spn --data digits | grep -q 'chosen by its loss in training (.*), not by this data'
}

@test "eval: a file is the same as the data set it holds" {
    model m.spn && samples
    [ "$(spinney eval m.spn --data digits --json | json "d['results'], d['curves']")" = \
        "$(spinney eval m.spn --data test.csv --json | json "d['results'], d['curves']")" ]
    [ "$(spinney eval m.spn --data - --json < test.csv | json "d['results']")" = \
        "$(spinney eval --model m.spn --data digits --json | json "d['results']")" ]
}

@test "eval: the robustness curve" {
    model m.spn
    spinney eval m.spn --data digits --flip 0,0.05,0.3,1 --trials 100 --json > flip.json
    python3 - <<'END'
import json
d = json.load(open("flip.json"))
f = d["curves"]["flips"]
assert f["p"] == [0, 0.05, 0.3, 1] and d["settings"]["trials"] == 100
assert abs(f["accuracy"][0] - d["results"]["accuracy"]) < 1e-12 and f["low"][0] == f["high"][0]
assert f["low"][1] < f["accuracy"][1] < f["high"][1] < f["accuracy"][0] and f["high"][2] < f["low"][1]
END
    run spinney eval m.spn --data digits --flip 0,0.05,0.3 --trials 20
    [[ "$output" == *"trials 20"*"flip-mode independent, replica all"* ]]
    [[ "$output" == *"share of weights flipped"* ]]
}

@test "eval: threads and other points never change a result, seed and mode do" {
    model m.spn
    curve() { spinney eval m.spn --data digits --trials 30 --json "$@" | json "[c[-1] for c in d['curves']['flips'].values()]"; }
    one=$(curve --flip 0.1)
    [ "$(curve --flip 0.1 --threads 3)" = "$one" ]
    [ "$(curve --flip 0,0.2,0.1)" = "$one" ]
    [ "$(curve --flip 0.1 --seed 2)" != "$one" ]
    [ "$(curve --flip 0.1 --flip-mode exact)" != "$one" ]
    [ "$(curve --flip 0.1 --flip-mode draws)" != "$(curve --flip 0.1 --flip-mode exact)" ]
    [ "$(curve --flip 0.1 --replica best)" != "$one" ]
}

@test "eval --plot draws the curve" {
    command -v gnuplot || skip "gnuplot is not installed"
    model m.spn
    spinney eval m.spn --data digits --flip 0,0.1,0.2 --trials 6 --plot curve.svg --quiet > /dev/null
    grep -q '<svg' curve.svg
    [ -s curve.svg.gp ]
}

# ---- predict ----

@test "predict: with and without labels, from files and stdin" {
    model m.spn && samples
    sed 's/,[^,]*$//' test.csv > features.csv
    spinney predict m.spn test.csv --quiet > expected
    [ "$(wc -l < expected)" -eq 451 ]
    spinney predict m.spn features.csv 2> said | cmp - expected
    grep -q '^spinney predict: replica [123], the best by its loss in training$' said
    spinney predict m.spn - --quiet < features.csv | cmp - expected
    gzip -k features.csv
    spinney predict m.spn features.csv.gz test.csv --quiet | cmp - <(cat expected expected)
    [ "$(spinney predict m.spn test.csv --json | json "'\n'.join(d['labels'])")" = "$(cat expected)" ]
    awk -F, '{ printf "%s", $NF; for (i = 1; i < NF; i++) if ($i) printf " %d:%s", i, $i; print "" }' \
        test.csv > test.svm
    spinney predict m.spn test.svm --format svmlight --quiet | cmp - expected
}

@test "predict: other labels than the model's play no part" {
    model m.spn && samples
    spinney predict m.spn test.csv --quiet > expected
    sed 's/,[^,]*$/,strange/' test.csv | spinney predict m.spn - --quiet | cmp - expected
}

@test "predict --replica: a number, best, centre" {
    model m.spn && samples
    for which in 1 3 centre best; do
        spinney predict m.spn test.csv --replica $which --quiet > out.$which
    done
    best=$(spinney eval m.spn --data digits --json | json "d['results']['best_replica']")
    spinney predict m.spn test.csv --replica "$best" --quiet | cmp - out.best
    ! cmp -s out.1 out.3 || false
    right=$(paste <(labels test.csv) out.centre | awk '$1 == $2' | wc -l)
    [ "$(spinney eval m.spn --data digits --json | json "round(d['results']['centre_accuracy'] * 451)")" = "$right" ]
}

# ---- export ----

# `compare_c SAMPLES BYTES [options]`: the header compiles without a warning and predicts the same.
# BYTES is what tests/support/use_export.c gives the features as. arithmetic=TYPE: the one to export.
compare_c() {
    local samples=$1 bytes=$2
    shift 2
    spinney export m.spn --format c --name model --out model.h --quiet \
        --arithmetic "${arithmetic:-auto}" "$@"
    gcc -std=c99 -Wall -Wextra -Werror -pedantic -O2 -DMODEL_HEADER='"model.h"' \
        -DMODEL_BYTES="$bytes" -I. -o use "$BATS_TEST_DIRNAME/../support/use_export.c"
    ./use < "$samples" > by-c
    spinney predict m.spn "$samples" --quiet "$@" > by-predict
    [ "$(wc -l < by-predict)" -eq 451 ]
    cmp by-c by-predict
}

@test "export c: the same classes as predict, sample by sample" {
    samples
    for preprocessing in none dataset feature binary:7; do
        model m.spn digits $preprocessing 3000
        compare_c test.csv 1
        compare_c test.csv 1 --replica centre
    done
}

@test "export c: real features" {
    samples && real_samples test.csv real.csv
    for preprocessing in none dataset feature binary:0.2; do
        model m.spn real.csv $preprocessing 3000
        compare_c real.csv 0
    done
}

@test "export c: whole numbers and floats, bias and thermometers" {
    samples && real_samples test.csv real.csv
    # on single floats, so that no digit is lost on the way
    python3 - > single.csv <<'END'
import struct
for line in open("real.csv"):
    *x, label = line.strip().split(",")
    print(",".join(repr(struct.unpack("f", struct.pack("f", float(v)))[0]) for v in x) + "," + label)
END
    local quick=(train --quiet --steps 3000 --out m.spn)
    spinney "${quick[@]}" --data digits --bias 5 > /dev/null
    arithmetic=int compare_c test.csv 1
    run ! grep -E 'double|float' <(sed '1,/\*\//d' model.h)
    arithmetic=int compare_c test.csv 1 --replica centre
    arithmetic=double compare_c test.csv 1
    arithmetic=float compare_c test.csv 1
    arithmetic=float compare_c test.csv 3
    spinney "${quick[@]}" --data digits --bias 4 --encode thermometer:3 > /dev/null
    for arithmetic in auto int float double; do
        compare_c test.csv 1
        compare_c test.csv 2
    done
    arithmetic=int compare_c test.csv 0
    for data in real single; do
        spinney "${quick[@]}" --data $data.csv --bias auto --encode thermometer:4 --balance > /dev/null
        arithmetic=int compare_c $data.csv 0
        arithmetic=double compare_c $data.csv 0
    done
    arithmetic=float compare_c single.csv 3
    spinney "${quick[@]}" --data real.csv --bias 2 > /dev/null
    arithmetic=double compare_c real.csv 0
    arithmetic=float compare_c real.csv 3
}

@test "export c: whole numbers are refused where they cannot give the classes of predict" {
    samples && real_samples test.csv real.csv
    refuses_int() {
        run spinney export m.spn --format c --arithmetic int --out never.h
        [ "$status" -ne 0 ]
        [[ "$output" == *"the arithmetic int is not possible: $1"* ]]
        [ ! -e never.h ]
    }
    model m.spn real.csv feature 500
    refuses_int "features have scales of their own; float and double are"
    model m.spn digits binary:7 500
    refuses_int "classes of binary features may tie"
    spinney train --quiet --steps 500 --scaling none --bias 3 --out m.spn > /dev/null
    refuses_int "two classes may come so close that rounding decides between them"
    run spinney export m.spn --format onnx --arithmetic int --out never.h
    [[ "$output" == *"--arithmetic needs --format c"* ]]
}

@test "export c: few classes, odd names, more than one header in a program" {
    printf '%s\n' '1,0,0,"a ""quoted"" \\ ??/ name"' '0,1,3,ü' '0,0,9,b' '1,1,1,ü' > small.csv
    model m.spn small.csv none 500
    spinney export m.spn --format c --out my-first.h --quiet
    spinney export m.spn --format c --out 2nd.h --replica 2 --quiet
    cat > main.c <<'END'
#include "2nd.h"
#include "my-first.h"
#include <stdio.h>
int main(void)
{
    const unsigned char x[3] = {1, 0, 0};
    for (int k = 0; k < my_first_classes; k++)
        puts(model_2nd_class(k));
    return my_first_predict_bytes(x, NULL) < 0 || model_2nd_predict_bytes(x, NULL) < 0;
}
END
    gcc -std=c99 -Wall -Wextra -Werror -pedantic -o main main.c
    [ "$(./main | sort)" = "$(printf '%s\n' 'a "quoted" \\ ??/ name' b ü | sort)" ]
}

@test "export npy and text hold the same weights" {
    model m.spn
    for which in 2 all; do
        spinney export m.spn --format npy --out w.npy --replica $which --quiet
        spinney export m.spn --format text --out w.txt --replica $which --quiet
        python3 - $which <<'END'
import ast, struct, sys
raw = open("w.npy", "rb").read()
assert raw[:8] == b"\x93NUMPY\x01\x00"
size, = struct.unpack("<H", raw[8:10])
head = ast.literal_eval(raw[10:10 + size].decode())
assert (10 + size) % 64 == 0 and head["descr"] == "|i1" and not head["fortran_order"]
assert head["shape"] == ((3, 10, 64) if sys.argv[1] == "all" else (10, 64)), head
values = struct.unpack("%db" % (len(raw) - 10 - size), raw[10 + size:])
rows = [line.strip() for line in open("w.txt") if line[0] != "#"]
assert [1 if c == "+" else -1 for c in "".join(rows)] == list(values)
assert all(len(row) == 64 for row in rows)
END
    done
    grep -q '^# replica 3, class 9$' w.txt
}

@test "export npy and text of a thermometer, by hand: the accuracy that eval reports" {
    samples && real_samples test.csv real.csv
    spinney train --quiet --steps 3000 --data real.csv --bias 3 --encode thermometer:4 --out m.spn \
        > /dev/null
    spinney export m.spn --format npy --out w.npy --replica 2 --quiet
    spinney export m.spn --format text --out w.txt --replica 2 --quiet
    spinney eval m.spn --data real.csv --json --quiet > e.json
    python3 - <<'END'
import ast, json, struct
raw = open("w.npy", "rb").read()
size, = struct.unpack("<H", raw[8:10])
K, row = ast.literal_eval(raw[10:10 + size].decode())["shape"]
w = struct.unpack("%db" % (K * row), raw[10 + size:])
thresholds = [(int(i), float(t)) for i, t in (l.split(",") for l in open("w.npy.thresholds.csv").read().split()[1:])]
assert row == len(thresholds) + 3
lines = open("w.txt").read().split("\n")
assert [l[2:] for l in lines[1:1 + len(thresholds)]] == open("w.npy.thresholds.csv").read().split()[1:]
assert "# the last 3 weights of a row are its bias" in lines
names = [l[8:] for l in lines if l.startswith("# class ")]
rows = [l for l in lines if l[:1] in "+-" and l]
assert [1 if c == "+" else -1 for c in "".join(rows)] == list(w)
right = total = 0
for line in open("real.csv"):
    *x, label = line.strip().split(",")
    inputs = [1 if float(x[i]) > t else -1 for i, t in thresholds] + [1] * 3
    scores = [sum(a * b for a, b in zip(inputs, w[k * row:(k + 1) * row])) for k in range(K)]
    right += names[scores.index(max(scores))] == label
    total += 1
e = json.load(open("e.json"))
assert abs(e["curves"]["replicas"]["accuracy"][1] - right / total) < 1e-12, (right, total)
END
}

@test "export onnx: valid, and the same classes as predict" {
    /usr/bin/python3 -c 'import onnx, numpy' || skip "python3-onnx is not installed"
    samples && real_samples test.csv real.csv
    local triples=() p
    for preprocessing in none dataset feature binary; do
        p=$preprocessing
        model m.spn digits ${p/binary/binary:7} 3000
        spinney predict m.spn test.csv --quiet > $p.expected
        for input in float double uint8; do
            spinney export m.spn --format onnx --input $input --out $p-$input.onnx --quiet
            triples+=($p-$input.onnx test.csv $p.expected)
        done
        model m.spn real.csv ${p/binary/binary:0.2} 3000
        spinney predict m.spn real.csv --quiet > $p-real.expected
        spinney export m.spn --format onnx --input double --out $p-real.onnx --quiet
        triples+=($p-real.onnx real.csv $p-real.expected)
    done
    for encode in none thermometer:3; do
        p=bias-$encode
        spinney train --quiet --steps 3000 --bias 3 --encode $encode --out m.spn > /dev/null
        spinney predict m.spn test.csv --quiet > $p.expected
        spinney export m.spn --format onnx --input uint8 --out $p.onnx --quiet
        triples+=($p.onnx test.csv $p.expected)
        spinney train --quiet --steps 3000 --data real.csv --bias 3 --encode $encode --out m.spn \
            > /dev/null
        spinney predict m.spn real.csv --quiet > $p-real.expected
        spinney export m.spn --format onnx --input double --out $p-real.onnx --quiet
        triples+=($p-real.onnx real.csv $p-real.expected)
    done
    /usr/bin/python3 "$BATS_TEST_DIRNAME/../support/check_onnx.py" "${triples[@]}"
}

@test "show: the bias of each class, in words" {
    samples
    spinney train --quiet --steps 2000 --bias 3 --replicas 1 --out m.spn > /dev/null
    spinney export m.spn --format text --out w.txt --quiet
    expected=bias:$(python3 - <<'END'
rows = [line.strip() for line in open("w.txt") if line[0] != "#"]
print(",".join(" %d %+d" % (k, row[-3:].count("+") - row[-3:].count("-")) for k, row in enumerate(rows)), end="")
END
)
    spinney show m.spn > shown
    grep -qxF "$expected" shown
}

@test "copies of features: predict, eval and the exports agree" {
    samples && real_samples test.csv real.csv
    for data in test real; do
        spinney train --data $data.csv --preset paper --encode copies:5 --bias 7 --penalty 1 \
            --steps 3000 --out m.spn --quiet > /dev/null
        compare_c $data.csv $([ $data = test ] && echo 1 || echo 0)
        spinney eval m.spn --data $data.csv --json --quiet > eval.json
        paste -d' ' by-predict <(labels $data.csv) | awk '$1 == $2 {n++} END {print n / NR}' > share
        [ "$(json 'abs(d["results"]["best_accuracy"] - float(open("share").read())) < 1e-5' < eval.json)" = True ]
        cp by-predict $data.expected
        spinney export m.spn --format onnx --input double --out $data.onnx --quiet
    done
    /usr/bin/python3 -c 'import onnx, numpy' || skip "python3-onnx is not installed"
    /usr/bin/python3 "$BATS_TEST_DIRNAME/../support/check_onnx.py" test.onnx test.csv test.expected \
        real.onnx real.csv real.expected
}

@test "copies of features: the weights are those of one bit" {
    samples
    spinney train --data test.csv --preset paper --encode copies:2 --bias 1 --steps 2000 --replicas 1 \
        --out m.spn --quiet > /dev/null
    spinney export m.spn --format text --out w.txt --quiet
    [ "$(grep -v '^#' w.txt | head -1 | tr -d '\n' | wc -c)" = 129 ]
    grep -q '^# each feature has 2 weights, side by side$' w.txt
}

# ---- show ----

@test "show: a table's weights by the names of its features, largest first" {
    python3 - > t.csv <<'END'
import random
random.seed(8)
print("age,colour,height,k")
for n in range(60):
    k = n % 3
    print(f"{random.gauss(k, 1):.3f},{random.choice(['red', 'blue'])},{random.gauss(-k, 3):.3f},class {k}")
END
    for encode in none copies:7 thermometer:4; do
        spinney train --data t.csv --encode $encode --bias 3 --sweeps 20 --out m.spn --quiet > /dev/null
        spinney show m.spn --replica 2 > shown
        spinney export m.spn --format text --replica 2 --out w.txt --quiet
        python3 - $encode <<'END'
import re, sys
rows = open("w.txt").read().splitlines()
names = ["age", "colour=blue", "colour=red", "height"]
kind, _, count = sys.argv[1].partition(":")
owners = [i for i in range(4) for _ in range(int(count) if kind == "copies" else 1)]
if kind == "thermometer": # comments "# feature,threshold" before the rows
    owners = [int(line[2:].split(",")[0]) for line in rows if re.match(r"# \d+,", line)]
weights = [[(w == "+") - (w == "-") for w in row] for row in rows if row[0] in "+-"]
assert len(weights) == 3
sums = {names[i]: [sum(w for w, o in zip(row, owners) if o == i) for row in weights] for i in range(4)}
lines = open("shown").read().splitlines()
table = lines[next(n for n, line in enumerate(lines) if line.startswith("feature")) + 1:]
found = [re.fullmatch(r"(\S+)((?: +[+-]\d+){3})", line).groups() for line in table]
assert {name: [int(w) for w in row.split()] for name, row in found} == sums, (found, sums)
spreads = [max(sums[name]) - min(sums[name]) for name, _ in found]
assert spreads == sorted(spreads, reverse=True)
END
        spinney show m.spn --width 60 | grep -q ▀ # the picture
    done
}

@test "show: every weight in its place" {
    model m.spn
    spinney export m.spn --format text --out w.txt --replica 2 --quiet
    spinney show m.spn --replica 2 --quiet > pictures
    spinney show m.spn --replica 2 --png w.png --scale 3
    python3 - <<'END'
import struct, zlib
rows = [line.strip() for line in open("w.txt") if line[0] != "#"]
blocks = open("pictures").read().split("\n\n")
cells = {" ": "--", "▀": "+-", "▄": "-+", "█": "++"}
k = 0
for block in blocks:
    lines = block.rstrip("\n").split("\n")
    beside = (len(lines[1]) + 2) // 10
    for j in range(beside):
        seen = [[cells[c] for c in line[10 * j:10 * j + 8].ljust(8)] for line in lines[1:]]
        text = "".join("".join(c[half] for c in line) for line in seen for half in (0, 1))
        assert text == rows[k], (k, text, rows[k])
        assert lines[0][10 * j] == str(k)
        k += 1
assert k == 10
png = open("w.png", "rb").read()
assert png[:8] == b"\x89PNG\r\n\x1a\n"
at, data = 8, b""
while at < len(png):
    size, name = struct.unpack(">I4s", png[at:at + 8])
    body = png[at + 8:at + 8 + size]
    assert struct.unpack(">I", png[at + 8 + size:at + 12 + size])[0] == zlib.crc32(name + body)
    if name == b"IHDR":
        width, height = struct.unpack(">II", body[:8])
    data += body if name == b"IDAT" else b""
    at += 12 + size
pixels = zlib.decompress(data)
assert len(pixels) == height * (width + 1)
across = (width // 3 - 1) // 9
for k in range(10):
    for i in range(64):
        x, y = (1 + k % across * 9 + i % 8) * 3 + 1, (1 + k // across * 9 + i // 8) * 3 + 1
        assert pixels[y * (width + 1) + 1 + x] == (255 if rows[k][i] == "+" else 0), (k, i)
END
}

@test "show: features that are no image, and narrow widths" {
    printf '%s\n' 1,0,0,5,6,a 0,1,3,1,2,b 0,0,9,2,2,b > small.csv
    model m.spn small.csv none 500 1
    run spinney show m.spn
    [ "$status" -eq 0 ]
    [[ "${lines[0]}" == "m.spn: 2 classes, 5 features, 1 replica; here replica 1" ]]
    [ "${#lines[@]}" -eq 3 ]
    spinney show m.spn --png bar.png
    [ -s bar.png ]
    run spinney show m.spn --width 3 --quiet
    [ "$status" -eq 0 ]
    model d.spn
    refuses "the pictures are 8 columns wide and do not fit into 5; give a larger --width" \
        show d.spn --width 5
}

# ---- bad input ----

# Every command refuses, and writes nothing.
all_refuse() { # TEXT MODEL
    refuses "$1" eval "$2" --data digits --flip 0.1 --plot never.svg
    refuses "$1" predict "$2" test.csv
    for format in c npy text onnx; do
        refuses "$1" export "$2" --format $format --out never
    done
    refuses "$1" show "$2" --png never.png
}

@test "a model with a flipped byte, cut short, or with more behind it" {
    model m.spn && samples
    flip() {
        python3 - "$1" <<'END'
import sys
data = bytearray(open("m.spn", "rb").read())
data[int(sys.argv[1])] ^= 16
open("bad.spn", "wb").write(data)
END
    }
    flip 3 && all_refuse "bad.spn: the magic (bytes 0 to 7) of the model is damaged" bad.spn
    flip 20 && all_refuse "bad.spn: the head (bytes 0 to 79) is damaged" bad.spn
    flip 90 && all_refuse "bad.spn: the manifest (bytes 80 to" bad.spn
    flip -200 && refuses "bad.spn: the weights (bytes" show bad.spn
    flip -1 && refuses "bad.spn: the checksum at the end" show bad.spn
    head -c 1000 m.spn > bad.spn
    all_refuse "bad.spn: the model is cut short: 1000 of" bad.spn
    (cat m.spn; echo) > bad.spn
    all_refuse "bad.spn: 1 bytes follow the end of the model" bad.spn
}

@test "a file that is no model, or is not there" {
    samples
    : > empty
    mkdir folder
    all_refuse "test.csv: is not a spinney model" test.csv
    all_refuse "empty: is not a spinney model: it is empty" empty
    all_refuse "none.spn: cannot be opened: No such file or directory" none.spn
    all_refuse "folder: is a folder" folder
}

@test "data that does not fit the model" {
    printf '%s\n' 1,0,0,a 0,1,3,b > small.csv
    model m.spn && model small.spn small.csv none 100
    : > empty.csv
    echo '1,2,3,c' > class.csv
    refuses "--data: digits has 64 features, but the model small.spn has 3" eval small.spn --data digits
    refuses "small.csv: line 1: 4 columns; expected 64 features" eval m.spn --data small.csv
    refuses "small.csv: line 1: 4 columns; expected 64 features" predict m.spn small.csv
    refuses "empty.csv" eval m.spn --data empty.csv
    refuses "empty.csv" predict m.spn empty.csv
    refuses "class.csv" eval small.spn --data class.csv
    refuses "'c'" eval small.spn --data class.csv
    refuses "none.csv: cannot be opened" predict m.spn none.csv
    refuses "none.csv: cannot be opened" predict small.spn small.csv none.csv
    refuses "--part: 'digit' is not one of test, train" eval m.spn --data digits --part digit
}

@test "options out of their range" {
    model m.spn && samples
    for bad in 2 -0.1 nan 0,,1 0, x 0.1x; do
        refuses "is not a number from 0 to 1; give a list such as 0,0.01,0.1" eval m.spn --data digits \
            --flip "$bad" --plot never.svg
    done
    refuses "--trials: '1' is not a whole number from 2" eval m.spn --data digits --flip 0 --trials 1
    refuses "--trials: 5 trials are fewer than two for each of the 3 replicas" eval m.spn --data digits --flip 0 --trials 5
    refuses "--flip-mode: there is no 'exakt'; did you mean exact?" eval m.spn --data digits \
        --flip 0 --flip-mode exakt
    refuses "--trials: needs --flip" eval m.spn --data digits --trials 10
    refuses "--plot: curve.txt: a figure's name ends in" eval m.spn --data digits --flip 0 --plot curve.txt
    refuses "--data: is needed: a data set or a file" eval m.spn
    refuses "--part: needs a data set known by name" eval m.spn --data test.csv --part train
    refuses "--labels: needs a file; the data set digits is known whole" eval m.spn --data digits --labels x
    refuses "--model: is needed: the file of a model" eval --data digits
    refuses "give one model file" eval m.spn m.spn
    refuses "--plot: this run has no curve" eval m.spn --data digits --plot never.svg
    refuses "--y: flips.accuracy needs" eval m.spn --data digits --plot never.svg --y flips.accuracy
    refuses "--y: loss is no column of a curve" eval m.spn --data digits --plot never.svg --y loss
    refuses "did you mean flips.accuracy?" eval m.spn --data digits --plot never.svg --y flips.acuracy
    refuses "give a model and one or more files" predict m.spn
    refuses "--replica: '4' is not a whole number from 1 to 3" predict m.spn test.csv --replica 4
    refuses "--replica: 'worst' is not best, centre, or a number" predict m.spn test.csv --replica worst
    refuses "--replica: 'all' is not best, centre, or a number" export m.spn --format c --out never --replica all
    refuses "--format c|npy|text|onnx and --out FILE are needed" export m.spn --format c
    refuses "--format: 'pdf' is not one of c, npy, text, onnx" export m.spn --format pdf --out never
    refuses "'2x' is not an identifier of C" export m.spn --format c --name 2x --out never
    refuses "--name needs --format c" export m.spn --format npy --name x --out never
    refuses "--input needs --format onnx" export m.spn --format npy --input float --out never
    refuses "cannot be written: No such file or directory" export m.spn --format c --out no/such/never
    refuses "--scale: '65' is not a whole number from 1 to 64" show m.spn --png never.png --scale 65
    refuses "--scale needs --png" show m.spn --scale 2
}
