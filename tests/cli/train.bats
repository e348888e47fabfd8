# spinney train: data of every format, presets, results, and bad input.
load helpers

# `write_data FORMAT...`: 120 samples of 16 features in 3 classes that a linear classifier can tell
# apart; the files are d.csv, d.npy and labels.npy, d.svm, images and labels (IDX), each of train
# and test (t-*).
write_data() {
    python3 - <<'END'
import random, struct
draw = random.Random(3)
names = ["ash", "birch", "cedar"]
def sample(label):
    return [min(255, max(0, int(draw.gauss(60 + 120 * (i % 3 == label), 40)))) for i in range(16)]
def npy(path, descr, shape, data, fortran="False"):
    head = "{'descr': '%s', 'fortran_order': %s, 'shape': %s, }" % (descr, fortran, shape)
    head += " " * (63 - (10 + len(head)) % 64) + "\n"
    open(path, "wb").write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode() + data)
for prefix, count in ("", 120), ("t-", 60):
    rows = [(sample(n % 3), n % 3) for n in range(count)]
    pixels = b"".join(bytes(x) for x, _ in rows)
    labels = bytes(label for _, label in rows)
    open(prefix + "d.csv", "w").writelines(
        ",".join(map(str, x)) + "," + names[label] + "\n" for x, label in rows)
    open(prefix + "d.svm", "w").writelines(
        "%d " % label + " ".join("%d:%d" % (i + 1, v) for i, v in enumerate(x) if v) + "\n"
        for x, label in rows)
    open(prefix + "images", "wb").write(struct.pack(">IIII", 2051, count, 4, 4) + pixels)
    open(prefix + "labels", "wb").write(struct.pack(">II", 2049, count) + labels)
    npy(prefix + "d.npy", "|u1", "(%d, 16)" % count, pixels)
    npy(prefix + "labels.npy", "|u1", "(%d,)" % count, labels)
    npy(prefix + "fortran.npy", ">f4", "(%d, 16)" % count,
        b"".join(struct.pack(">f", x[i]) for i in range(16) for x, _ in rows), "True")
    npy(prefix + "complex.npy", "<c8", "(%d, 1)" % count, pixels[:8 * count])
END
}

quick=(train --steps 20000 --quiet)

# Three measurements that say nearly the same hold a training back.
write_long_table() {
    python3 - <<'END'
import random
draw = random.Random(5)
with open("long.csv", "w") as out:
    out.write("carat,x,y,z,depth,cut\n")
    for _ in range(6000):
        size = draw.gauss(0, 1)
        lengths = [size + draw.gauss(0, 0.05) for _ in range(3)]
        depth = draw.gauss(0, 1)
        score = 8 * (lengths[0] - lengths[1]) + 6 * (lengths[2] - size) + depth + draw.gauss(0, 1)
        cut = "fair" if score < -0.6 else "good" if score < 0.6 else "ideal"
        out.write(",".join(f"{v:.4f}" for v in [size, *lengths, depth]) + "," + cut + "\n")
END
}

@test "a budget too small for the table is told: the loss still falls, or the time ends it" {
    health() { spinney train "$@" --seed 1 --json --quiet | json 'd["results"]["health"]'; }
    write_long_table
    [ "$(health --data long.csv)" = "good" ]
    [ "$(health --data digits)" = "good" ]
    [ "$(health --data long.csv --sweeps 1)" = "too short" ]
    [ "$(health --data digits --sweeps 1)" = "too short" ]
    [ "$(health --data digits --hidden 32 --sweeps 3)" = "too short" ]
    [ "$(health --data digits --preset robust --sweeps 5)" = "too short" ]
    run by_own_time train --data long.csv --sweeps 100000 --time 0.2
    [[ "$output" == *"stop "*"time"*"health "*"too short "* ]]
    [[ "$output" == *"too short: "*"give more sweeps, or more time"* ]]
}

@test "the embedded digits: accuracy, and every key of --json" {
    run --separate-stderr spinney train --preset accurate --seed 1 --out digits.spn --json --quiet
    [ "$status" -eq 0 ]
    [ -z "$stderr" ]
    python3 -c '
import json, sys
d = json.loads(sys.argv[1])
r, replicas = d["results"], d["curves"]["replicas"]
assert r["train_accuracy"] > 0.94 and r["test_accuracy"] > 0.91, d
assert 0 < r["train_loss"] < 0.3 and r["test_loss"] > 0 and r["active"] > 1000
assert list(replicas) == ["train_loss", "train_accuracy", "test_loss", "test_accuracy", "active",
    "train_balanced_accuracy", "train_macro_f1", "test_balanced_accuracy", "test_macro_f1"]
assert r["summary"].startswith("test accuracy %.2f%% (replica %d of 3" % (
    100 * r["best_test_accuracy"], r["best_replica"])), r["summary"]
assert 0.1 <= r["test_majority_accuracy"] < 0.12
assert all(len(column) == 3 for column in replicas.values())
assert d["seed"] == 1 and d["files"]["out"] == "digits.spn"
for name, column in replicas.items():
    assert abs(sum(column) / 3 - r[name]) < 1e-12, name
    assert r["best_" + name] == column[r["best_replica"] - 1], name
assert r["best_train_loss"] == min(replicas["train_loss"])
assert 0.5 < r["centre_test_accuracy"] <= 1 and -1 <= r["overlap"] <= 1 and d["seconds"] > 0
assert d["settings"]["preset"] == "accurate" and d["settings"]["steps"] == d["steps"]' "$output"
}

@test "a network on the embedded digits: accuracy, vote, size" {
    spinney train --hidden 32 --seed 1 --faults 0 --out network.spn --json --quiet > j
    python3 -c '
import json
d = json.load(open("j"))
r = d["results"]
assert r["test_accuracy"] > 0.90 and r["vote_test_accuracy"] > 0.94, r
assert d["settings"]["preset"] == "network" and d["settings"]["scaling"] == "none"
assert r["bits"] == 32 * 64 + 10 * 32 and r["bytes"] == 296 and r["vote_bytes"] == 888
assert "vote_train_loss" in r and "vote of all %.2f%%" % (100 * r["vote_test_accuracy"]) in r["summary"]'
    # eval sees the network that train saw
    [ "$(spinney eval network.spn --data digits --json --quiet | json 'd["results"]["accuracy"]')" = \
        "$(json 'd["results"]["test_accuracy"]' < j)" ]
    # without --faults 0: units that expect faults, and keep working with a tenth of the weights flipped
    spinney train --hidden 32 --seed 1 --flip 0.1 --json --quiet > t
    python3 -c '
import json
d, signs = json.load(open("t")), json.load(open("j"))["results"]
r = d["results"]
assert r["test_accuracy"] > max(0.94, signs["test_accuracy"]) and d["curves"]["flips"]["accuracy"][0] > 0.85, d
assert d["settings"]["preset"] == "tolerant" and d["settings"]["encode"] == "thermometer:8"
assert d["settings"]["hidden-bias"] == "4" and r["bytes"] < 1400'
    # bits, thermometers and shifted images
    for how in "--scaling binary:7" "--encode thermometer:3 --shifts 4" "--scaling none --shifts 8 --balance"; do
        spinney "${quick[@]}" --hidden 8 --hidden-bias 2 --bias 1 $how --out m.spn --json > t
        spinney eval m.spn --data digits --json --quiet > e
        [ "$(json 'd["results"]["test_accuracy"]' < t)" = "$(json 'd["results"]["accuracy"]' < e)" ]
    done
}

@test "a network on a table: copies of features, and a logit scale that folds chose" {
    python3 - <<'END'
import random
r = random.Random(3)
for name, rule in (("curve", lambda x, y: x * x + y * y > 1.4), ("line", lambda x, y: x + y > 4 * (r.random() - 0.5))):
    with open(name + ".csv", "w") as out:
        for _ in range(300):
            x, y, u, v = (r.gauss(0, 1) for _ in range(4))
            out.write("%r,%r,%r,%r,%s\n" % (x, y, u, v, "yes" if rule(x, y) else "no"))
END
    for table in curve line; do
        common="--data $table.csv --header no --hidden 24 --seed 3 --test-fraction 0.3"
        spinney train $common --out m.spn --json --quiet > auto
        spinney train $common --quiet > text
        scale=$(sed -n 's|^logit scale by cross-validation: ||p' text)
        echo "$table $scale"
        [ $scale = $([ $table = curve ] && echo 2 || echo 0.5)/sqrtD ]
        spinney train $common --logit-scale $scale --json --quiet > given
        [ "$(json 'd["results"]["train_loss"], d["results"]["test_accuracy"]' < auto)" = \
            "$(json 'd["results"]["train_loss"], d["results"]["test_accuracy"]' < given)" ]
        [ "$(json 'd["settings"]["encode"], d["settings"]["hidden-bias"], d["settings"]["logit-scale"]' < auto)" = \
            "copies:16 240 auto" ]
        # a small table is learnt longer, and ends warmer
        spinney train $common --logit-scale $scale --sweeps 96 --temperature 0.5:0.05 --json --quiet > long
        [ "$(json 'd["results"]["train_loss"], d["settings"]["temperature"]' < auto)" = \
            "$(json 'd["results"]["train_loss"], d["settings"]["temperature"]' < long)" ]
        [ "$(spinney train $common --logit-scale $scale --sweeps 24 --json --quiet |
            json 'd["settings"]["temperature"]')" = 0.5:0.005 ]
        # the model has a weight for each level, and is used like any other
        [ "$(json 'd["results"]["bits"]' < auto)" = $((24 * (4 * 240 + 240) + 2 * 24)) ]
        spinney eval m.spn --data $table.csv --header no --json --quiet > e
    done
    # no samples to spare: as without a choice
    head -25 line.csv > few.csv
    [ "$(spinney train --data few.csv --header no --hidden 8 --json --quiet | json 'd["results"]["train_loss"]')" = \
        "$(spinney train --data few.csv --header no --hidden 8 --logit-scale 2/sqrtD --json --quiet |
            json 'd["results"]["train_loss"]')" ]
}

@test "eval of the model gives the scores of train" {
    trained=$(spinney "${quick[@]}" --out m.spn --json | json '[d["results"]["test_accuracy"],
        d["results"]["test_loss"]]')
    evaluated=$(spinney eval m.spn --data digits --json --quiet | json '[d["results"]["accuracy"],
        d["results"]["loss"]]')
    python3 -c "
a, b = $trained, $evaluated
assert all(abs(x - y) < 1e-12 for x, y in zip(a, b)), (a, b)"
}

@test "CSV, NPY, svmlight and IDX of the same samples, gzipped too: the same weights" {
    write_data
    quick+=(--scaling dataset --features exact) # of these, IDX alone is known to be images
    spinney "${quick[@]}" --data d.csv --test t-d.csv --json --out csv.spn > csv.json
    [ "$(json 'd["results"]["test_accuracy"] > 0.9' < csv.json)" = True ]
    gzip -k images
    spinney "${quick[@]}" --data d.npy --labels labels.npy --test t-d.npy --test-labels t-labels.npy \
        --json > npy.json
    spinney "${quick[@]}" --data fortran.npy --labels labels.npy --test t-fortran.npy \
        --test-labels t-labels.npy --json > fortran.json
    spinney "${quick[@]}" --data d.svm --test t-d.svm --format svmlight --json > svm.json
    tr , ';' < d.csv > semicolons
    tr , '\t' < t-d.csv > tabs
    spinney "${quick[@]}" --data semicolons --test tabs --json > separated.json
    spinney "${quick[@]}" --data images --labels labels --test t-images --test-labels t-labels \
        --json > idx.json
    spinney "${quick[@]}" --data images.gz --labels labels --test t-images --test-labels t-labels \
        --json > gz.json
    for kind in npy fortran svm separated idx gz; do
        for key in train_loss test_loss test_accuracy active; do
            [ "$(json "d['results']['$key']" < $kind.json)" = "$(json "d['results']['$key']" < csv.json)" ]
        done
    done
}

@test "text labels are kept, and a test file may have them in any order" {
    write_data
    grep cedar t-d.csv > some.csv
    spinney "${quick[@]}" --data d.csv --test some.csv --out m.spn --json > j
    [ "$(json 'd["results"]["test_accuracy"] > 0.9' < j)" = True ]
    [ "$(cut -d, -f1-16 some.csv | head -5 | spinney predict m.spn - --format csv | grep -c cedar)" -ge 4 ]
}

@test "parts: test fraction, validation, subset" {
    write_data
    spinney "${quick[@]}" --preset accurate --data d.csv --test-fraction 0.25 --validation 0.2 --subset 50 \
        --json > j
    [ "$(json 'd["notes"][0]' < j)" = "d.csv: 50 samples of 16 features, 18 to validate, 30 to test; \
3 classes: 48 weights of one bit" ]
    [ "$(json 'd["results"]["validation_accuracy"] > 0.8' < j)" = True ]
    spinney "${quick[@]}" --data d.csv --json > none
    [ "$(json '"test_loss" in d["results"], "test_accuracy" in d["results"]' < none)" = "False False" ]
}

@test "every scaling, every preset and the kernels" {
    write_data
    for how in none dataset feature 128,64 binary:100; do
        spinney "${quick[@]}" --data d.csv --test t-d.csv --scaling $how --out m.spn \
            --logit-scale 0.1 --json > j
        spinney eval m.spn --data t-d.csv --json --quiet > e
        python3 -c "
import json
assert abs(json.load(open('j'))['results']['test_loss'] / json.load(open('e'))['results']['loss'] - 1) < 1e-12"
    done
    for preset in default paper accurate robust; do
        spinney "${quick[@]}" --data d.csv --test-fraction 0.3 --preset $preset --json > j
        [ "$(json 'd["settings"]["preset"]' < j)" = $preset ]
    done
    for kernel in two-stage one-stage heat-bath; do
        spinney "${quick[@]}" --data d.csv --kernel $kernel --json > j
        [ "$(json 'd["settings"]["kernel"]' < j)" = $kernel ]
    done
}

@test "the paper's preset is the paper's protocol" {
    spinney train --preset paper --subset 50 --steps 1000 --json --quiet > j
    [ "$(json 'd["settings"]["beta"], d["settings"]["gamma"], d["settings"]["logit-scale"],
        d["settings"]["kernel"], d["settings"]["order"], d["settings"]["init"]' < j)" = \
        "100:100000 0.8 1 two-stage replica-round same" ]
    [ "$(json 'd["notes"][1]' < j)" = "beta exponential 100 to 100000, gamma constant 0.8" ]
    spinney train --help-all | grep -A1 "paper .*published protocol" | grep -qF -- \
        "--replicas 3 --gamma 0.8 --beta 100:100000 --steps 300000"
}

@test "a trace, and states to start from" {
    spinney "${quick[@]}" --trace t.csv > /dev/null
    python3 -c "
import csv
rows = list(csv.DictReader(open('t.csv')))
assert int(rows[0]['step']) == 0 and int(rows[-1]['step']) == 20000 and len(rows) > 400
assert float(rows[-1]['energy_1']) < float(rows[0]['energy_1']) / 2"
    python3 -c "print('+' * 640)" > start
    spinney "${quick[@]}" --preset accurate --init start --json > j
    [ "$(json 'd["settings"]["init"]' < j)" = start ]
    write_data
    refuses "states of 640 spins, but the classifier has 48" train --data d.csv --preset accurate --init start
}

# Bad data are refused although outputs are asked for, which must not appear.
train_refuses() {
    local text=$1
    shift
    refuses "$text" train --steps 1000 --out m.spn --checkpoint state --trace t.csv --json "$@"
}

@test "bad data: IDX" {
    write_data
    head -c 500 images > cut
    train_refuses "cut" --data cut --labels labels
    { printf '\0\0\7\3'; tail -c +5 images; } > magic
    train_refuses "magic" --data magic --labels labels
    train_refuses "labels" --data images --labels t-labels
    train_refuses "labels" --data images
    python3 -c "
b = bytearray(open('t-labels', 'rb').read()); b[-1] = 9; open('bad-labels', 'wb').write(b)"
    train_refuses "'9'" --data images --labels labels --test t-images --test-labels bad-labels
    gzip -k images
    head -c 300 images.gz > short.gz
    train_refuses "short.gz" --data short.gz --labels labels
}

@test "bad data: CSV, NPY, svmlight" {
    write_data
    { cat d.csv; echo 1,2,ash; } > ragged.csv
    train_refuses "ragged.csv: line 121" --data ragged.csv
    : > empty.csv
    train_refuses "empty.csv" --data empty.csv
    grep ash d.csv > single.csv
    train_refuses "at least 2 classes" --data single.csv
    cut -d, -f2- t-d.csv > narrow.csv
    train_refuses "narrow.csv" --data d.csv --test narrow.csv
    sed 's/cedar/oak/' t-d.csv > oak.csv
    train_refuses "'oak'" --data d.csv --test oak.csv
    sed '3s/^[0-9]*/nan/' d.csv > nan.csv
    train_refuses "nan.csv: line 3" --data nan.csv
    train_refuses "complex.npy" --data complex.npy --labels labels.npy
    train_refuses "labels.npy" --data d.npy --labels t-labels.npy
    echo "1 2:3 1:4" > order.svm
    train_refuses "order.svm" --data order.svm
}

@test "bad options" {
    write_data
    train_refuses "did you mean accurate?" --preset acurate
    train_refuses "'copies:0' is not none, auto, copies:M with M from 1 to 255" --encode copies:0
    train_refuses "'copies:256' is not none, auto, copies:M" --encode copies:256
    train_refuses "'copy:3' is not none, auto, copies:M" --encode copy:3
    train_refuses "--penalty: " --penalty -1
    train_refuses "'thermometer:0' is not none, auto, " --encode thermometer:0
    train_refuses "'thermometer:256' is not none, auto, " --encode thermometer:256
    train_refuses "'thermometer' is not none, auto, " --encode thermometer
    train_refuses "--scaling: cannot be combined with a thermometer" --encode thermometer:3 --scaling feature
    train_refuses "--bias: '-1' is not auto or a whole number up to 1000000" --bias -1
    train_refuses "--bias: '1.5' is not auto" --bias 1.5
    train_refuses "--bias: 'many' is not auto" --bias many
    printf '1,2,a\n1,2,b\n1,2,a\n' > same.csv
    train_refuses "--encode: every feature is constant in the training data" --data same.csv \
        --encode thermometer:3
    train_refuses "copies cannot be combined" --encode copies:3 --scaling binary:1
    train_refuses "did you mean mnist?" --data mnsit
    train_refuses "did you mean" --stepz 100
    train_refuses "--replicas" --replicas 0
    train_refuses "--gamma" --gamma -1
    train_refuses "--beta" --beta 0:x
    train_refuses "--logit-scale" --logit-scale 0
    train_refuses "--scaling" --scaling 1,0
    train_refuses "--scaling" --scaling binary:
    train_refuses "--validation" --validation 1
    train_refuses "--test-fraction" --test-fraction 0.5
    train_refuses "samples" --subset 100000
    train_refuses "no/such/nan" --data no/such/nan
    train_refuses "--test-labels: needs --test" --data d.csv --test-labels labels
    train_refuses "known whole" --test t-d.csv
    train_refuses "--label-column: none: labels are needed here" --data d.csv --label-column none
    refuses "--checkpoint: names the same file as --out" train --steps 10 --out m.spn --checkpoint m.spn
    refuses "cannot be written" train --steps 10 --out no/folder/m.spn
    refuses "is a folder" train --steps 10 --out /tmp
    SPINNEY_DATA=$scratch/nowhere refuses "scripts/fetch-data mnist" train --data mnist --out m.spn
}

@test "a linear classifier is trained for faults" {
    local common=(train --data digits --preset robust --replicas 1 --sweeps 60 --flip 0.1 --trials 100 --json)
    spinney "${common[@]}" --faults 0 > plain.json
    spinney "${common[@]}" > faults.json # the preset says --faults 0.1
    spinney "${common[@]}" --faults 0.1 --fault-model asymmetric:1,1 > same.json
    accuracy() { python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["results"]["test_accuracy"])' "$1"; }
    [ "$(accuracy faults.json)" != "$(accuracy plain.json)" ]
    [ "$(accuracy faults.json)" = "$(accuracy same.json)" ]
    python3 -c "exit($(accuracy faults.json) < 0.88)"
    refuses "--fault-model: rows cannot be trained for" train --faults 0.1 --fault-model rows
    refuses "--fault-model: needs --faults or --flip" train --fault-model rows
    refuses "--faults" train --faults 0.5
}
