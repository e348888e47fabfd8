# spinney records: what a sweep found, as a table, as CSV and as JSON.
load helpers

# `folder NAME [TASK [DONE [PART]]]`: made-up records of a sweep, 3 runs for each point.
folder() {
    "$(dirname "$SPINNEY")/tests/make_records" "$@"
}

# The value of a Python expression over the CSV rows, dictionaries, on stdin.
csv() {
    python3 -c "import csv, sys; rows = list(csv.DictReader(sys.stdin)); print($1)"
}

@test "a row for each point of the grid" {
    folder t
    run --separate-stderr spinney records t
    [ "$status" -eq 0 ]
    [ -z "$stderr" ]
    matches_expected records-train.txt
    folder a anneal 7
    run --separate-stderr spinney records a
    [ "$status" -eq 0 ]
    matches_expected records-anneal.txt
    folder e eval
    run spinney records e
    matches_expected records-eval.txt
}

@test "a row for each run, of those that meet conditions" {
    folder t
    run spinney records t --list --where 'gamma<=0.1' --where replicas=3
    [ "$status" -eq 0 ]
    matches_expected records-list.txt
    run spinney records t --where 'gamma>7'
    [ "$status" -eq 0 ]
    [ "${lines[-1]}" = "0 of 18 runs with gamma>7" ]
}

@test "other groups, and other columns" {
    folder t
    run spinney records t --by replicas --columns test_loss,steps,gamma,overlap,seconds,data
    [ "$status" -eq 0 ]
    matches_expected records-by.txt
    spinney records t --by replicas,gamma | tail -6 | awk '{ print $1, $2 }' > order
    [ "$(tr '\n' ';' < order)" = "3 0;3 0.1;3 1.6;10 0;10 0.1;10 1.6;" ]
    [ "$(spinney records t --by machine | tail -2 | awk '{ print $1, $2 }' | tr '\n' ';')" = \
        "node-1 9;node-2 9;" ]
    [ "$(spinney records t --by run --where 'run!=2' | tail -2 | awk '{ print $1, $2 }' |
        tr '\n' ';')" = "1 6;3 6;" ]
}

@test "--csv: everything, exactly" {
    folder t
    spinney records t --csv all.csv > out
    [ ! -s out ]
    [ "$(ls)" = "$(printf '%s\n' all.csv out t)" ]
    spinney records t --csv - | cmp - all.csv
    [ "$(csv 'len(rows)' < all.csv)" = 18 ]
    [ "$(csv 'list(rows[0])[:7]' < all.csv)" = \
        "['key', 'run', 'seed', 'data', 'steps', 'replicas', 'gamma']" ]
    [ "$(csv 'list(rows[0])[7:]' < all.csv)" = "['train_loss', 'train_accuracy', 'validation_loss', 'test_loss', 'test_accuracy', 'active', 'overlap', 'seconds', 'machine', 'version', 'finished']" ]
    [ "$(csv 'set(r["data"] for r in rows) == {"a, \"b\"\nγ.csv"}' < all.csv)" = True ]
    [ "$(csv 'all(float(r["test_loss"]) == 0.6 - 0.0123456789 * k for k, r in enumerate(rows))' \
        < all.csv)" = True ]
    [ "$(csv 'set(r["validation_loss"] for r in rows)' < all.csv)" = "{''}" ]
    # the same records as in the manifest
    python3 - all.csv t/manifest.jsonl <<'END'
import csv, json, sys
lines = [json.loads(line) for line in open(sys.argv[2])]
for row, line in zip(csv.DictReader(open(sys.argv[1], newline="")), lines, strict=True):
    assert row["key"] == line["key"] and int(row["seed"]) == line["seed"]
    assert int(row["run"]) == line["run"] and float(row["seconds"]) == line["seconds"]
    assert row["machine"] == line["machine"]
    for name, text in line["settings"].items():
        assert row[name] == text
    for name, value in line["results"].items():
        assert row[name] == "" if value is None else float(row[name]) == value
END
}

@test "--csv: chosen columns and runs" {
    folder t
    run spinney records t --csv - --columns run,gamma,machine,test_accuracy --where 'gamma>1' \
        --where replicas=10
    [ "$output" = "run,gamma,machine,test_accuracy
1,1.6,node-2,0.875
2,1.6,node-1,0.875
3,1.6,node-2,0.875" ]
    # a setting and a result of one name
    folder a anneal
    [ "$(spinney records a --csv - | head -2 | cut -d, -f4-7)" = "gamma,setting_energy,energy,best_energy
0,bits,0,0" ]
    [ "$(spinney records a --where energy=bits --where 'energy<=4' --csv - | wc -l)" = 6 ]
}

@test "--csv --curves: a row for each point of each run" {
    folder t
    spinney records t --curves flips --csv flips.csv
    [ "$(csv 'len(rows)' < flips.csv)" = 36 ]
    [ "$(csv 'list(rows[0])[-3:]' < flips.csv)" = "['gamma', 'flips.p', 'flips.accuracy']" ]
    [ "$(csv '[(r["run"], r["flips.p"], r["flips.accuracy"]) for r in rows[2:4]]' < flips.csv)" = \
        "[('2', '0', '0.901'), ('2', '0.1', '0.3333333333333333')]" ]
}

@test "--json: the means, checked against Python's" {
    folder t train 17
    spinney records t --json > summary
    [ "$(json '(d["jobs"], d["finished"], d["missing"], d["torn"])' < summary)" = "(18, 17, 1, 0)" ]
    spinney records t --json --list > runs
    python3 - summary runs <<'END'
import json, math, statistics, sys
summary, runs = (json.load(open(path)) for path in sys.argv[1:])
t = {1: 12.7062, 2: 4.30265}
assert len(runs["records"]) == 17 and len(summary["groups"]) == 6
for group in summary["groups"]:
    mine = [r for r in runs["records"] if all(r["settings"][k] == v for k, v in group["by"].items())]
    assert len(mine) == group["runs"]
    for name, s in group["results"].items():
        values = [r["results"][name] for r in mine if r["results"][name] is not None]
        assert s["count"] == len(values)
        if not values:
            assert s["mean"] is s["half"] is s["least"] is None
            continue
        deviation = statistics.stdev(values)
        assert math.isclose(s["mean"], statistics.mean(values), rel_tol=1e-12)
        assert math.isclose(s["deviation"], deviation, rel_tol=1e-9, abs_tol=1e-12)
        half = t[len(values) - 1] * deviation / math.sqrt(len(values))
        assert math.isclose(s["half"], half, rel_tol=1e-5, abs_tol=1e-12)
        assert (s["least"], s["most"]) == (min(values), max(values))
END
    [ "$(spinney records t --json --by replicas --columns test_loss |
        json '[(g["by"], g["runs"], list(g["results"])) for g in d["groups"]]')" = \
        "[({'replicas': '3'}, 9, ['test_loss']), ({'replicas': '10'}, 8, ['test_loss'])]" ]
}

@test "an incomplete folder, and one without a run" {
    folder t train 4 shard-1-of-2
    [ "$(spinney records t | sed -n 2p)" = \
        "train: 6 points, 3 runs each; 4 of 18 runs finished, 14 missing" ]
    folder none train 0
    run spinney records none
    [ "$status" -eq 0 ]
    [ "${#lines[@]}" -eq 3 ]
    [[ "${lines[1]}" == *"0 of 18 runs finished, 18 missing" ]]
    [ "$(spinney records none --csv -)" = "key,run,seed,seconds,machine,version,finished" ]
    rm none/manifest.jsonl
    [ "$(spinney records none)" = "$output" ]
    [ "$(spinney records none --where gamma=0 | tail -1)" = "0 of 0 runs with gamma=0" ]
}

@test "the manifests of shards, in the order of the grid and each run once" {
    folder t
    spinney records t --csv all.csv
    sed -n '5,9p' t/manifest.jsonl > t/manifest-shard-2-of-2.jsonl
    sed -n '1,18{/"run":2/p}' t/manifest.jsonl > t/manifest-shard-1-of-2.jsonl
    sed -i '5,9d' t/manifest.jsonl
    spinney records t --csv - | cmp - all.csv
}

@test "a torn line is passed over, and said so" {
    folder t
    truncate -s -10 t/manifest.jsonl
    run --separate-stderr spinney records t
    [ "$status" -eq 0 ]
    [ "${lines[1]}" = "train: 6 points, 3 runs each; 17 of 18 runs finished, 1 missing" ]
    [ "${lines[2]}" = "the last line of 1 manifest is cut off: its run does not count" ]
    # the next that appends removes it
    folder t train 0
    [ "$(wc -l < t/manifest.jsonl)" = 17 ]
    [ -z "$(tail -c 1 t/manifest.jsonl)" ] # a newline
}

@test "a line that was edited" {
    folder t
    sed -i '3s/"train_loss":0.48/"train_loss":0.08/' t/manifest.jsonl
    refuses "t/manifest.jsonl: line 3: was changed after it was written; delete the line to have its run repeated" \
        records t
    refuses "line 3" records t --csv out.csv
    sed -i 3d t/manifest.jsonl
    [[ "$(spinney records t)" == *"17 of 18 runs finished, 1 missing"* ]]
    echo 'hello' >> t/manifest.jsonl
    refuses "t/manifest.jsonl: line 18: is not a record, or was changed" records t
}

@test "the same run with two outcomes" {
    folder t train 2
    folder other anneal 1
    cp other/manifest.jsonl t/manifest-other.jsonl
    refuses "t/manifest-other.jsonl: line 1: is another outcome of the run in t/manifest.jsonl: line 1" \
        records t
}

@test "folders that are none, and of another format" {
    refuses "nowhere: there is no such folder" records nowhere
    mkdir empty
    refuses "empty: is not the folder of a sweep: it has no sweep.json" records empty
    folder t train 0
    refuses "t/sweep.json: is a file; give the folder of a sweep" records t/sweep.json
    sed -i 's/"format": 3/"format": 4/' t/sweep.json
    refuses "t/sweep.json: is of format 4, written by spinney 1.2.3; this is spinney" records t
    refuses "use that version, or start a new folder" records t
    echo '{' > t/sweep.json
    refuses "t/sweep.json: line 2: is not JSON" records t
}

@test "conditions on texts of every run" {
    folder t
    field() { sed -n "$1p" t/manifest.jsonl | json "d['$2']"; }
    chosen() { spinney records t --where "$1" --json | json 'd["chosen"]'; }
    [ "$(chosen "key=$(field 4 key)")" = 1 ]
    [ "$(chosen "key!=$(field 4 key)")" = 17 ]
    [ "$(chosen machine=node-1)" = 9 ]
    [ "$(chosen "version=$(field 1 version)")" = 18 ]
    [ "$(chosen "version=none")" = 0 ]
    [ "$(chosen "finished=$(field 1 finished)")" -ge 1 ]
    refuses "--where: key is a text; compare it with = or !=, not 'key<5'" records t --where 'key<5'
}

@test "a condition on a setting that no run meets is said so" {
    folder t
    run --separate-stderr spinney records t --where gamma=abc
    [ "$status" -eq 0 ]
    [ "$stderr" = "spinney records: --where: no run has gamma=abc; gamma is 0, 0.1, 1.6" ]
    [ "${lines[-1]}" = "0 of 18 runs with gamma=abc" ]
    run --separate-stderr spinney records t --where gamma=0.1 --where replicas=3
    [ -z "$stderr" ]
}

@test "settings that the sweep has by default" {
    printf 'name: a\ntask: train\nruns: 2\nsettings: {data: digits, steps: 500}\n' > a.yaml
    spinney sweep a.yaml --out a --quiet > out
    spinney records a > out
    tr '\n' ' ' < out | grep -q 'by default .*preset default, .*logit-scale 2.8/sqrtD, .*replicas 3, gamma 0, beta auto:0.5:1e-30'
    [ "$(spinney records a --where replicas=3 --where preset=default --csv - | wc -l)" = 3 ]
    [ "$(spinney records a --columns replicas,kernel --csv -)" = "replicas,kernel
3,two-stage
3,two-stage" ]
    spinney records a --columns replicas,beta --by kernel | tail -1 | grep -Eq '^two-stage +2 +3 +auto:0.5:1e-30$'
    [ "$(spinney records a --json | json 'd["defaults"]["logit-scale"]')" = 2.8/sqrtD ]
    run --separate-stderr spinney records a --where replicas=5
    [ "$stderr" = "spinney records: --where: no run has replicas=5; replicas is 3" ]
}

@test "bad options" {
    folder t
    refuses "give the folder of one sweep; see spinney records --help" records
    refuses "give the folder of one sweep; see spinney records --help" records t t
    refuses "--columns: there is no 'tst_loss'; did you mean test_loss?" records t --columns tst_loss
    refuses "--columns: there is no result or setting 'x'" records t --columns test_loss,x
    refuses "--columns: flips is a curve; write its points as CSV, with curves flips" \
        records t --columns flips
    refuses "--by: there is no 'replica'; did you mean replicas?" records t --by gamma,replica
    refuses "--by: there is no setting 'test_loss'" records t --by test_loss
    refuses "--where: there is no 'gama'; did you mean gamma?" records t --where 'gama < 1'
    refuses "--where: 'gamma' is no condition: it has no comparison" records t --where gamma
    refuses "--where: 'gamma<a' is no condition: only numbers are less or greater" \
        records t --where 'gamma<a'
    refuses "--curves needs --csv FILE" records t --curves flips
    refuses "--curves: there is no curve 'flip'; there is flips" records t --curves flip --csv -
    refuses "--csv and --json cannot be combined" records t --csv - --json
    refuses "--list and --by cannot be combined" records t --list --by gamma
    refuses "none/out.csv: cannot be written: No such file" records t --csv none/out.csv
    folder e eval
    refuses "--curves: the runs of e have no curves" records e --curves flips --csv -
}

@test "output that cannot be written is a failed run" {
    [ -e /dev/full ] || skip "no /dev/full here"
    folder t
    for options in "" "--list" "--json" "--csv -"; do
        run --separate-stderr bash -c '"$0" records t $1 > /dev/full' "$SPINNEY" "$options"
        [ "$status" -eq 1 ]
        [ "$stderr" = "spinney records: stdout cannot be written: No space left on device" ]
    done
}

@test "a seed is printed with all of its digits" {
    folder r
    run spinney records r --list --columns seed
    [ "$status" -eq 0 ]
    seed=$(sed -n 's/.*"seed":\([0-9]*\),.*/\1/p' r/manifest.jsonl | head -1)
    [[ "$output" == *"$seed"* ]]
}

@test "an archive is read as the manifests were, and a sweep goes on beside it" {
    cat > a.yaml <<'END'
name: a
task: anneal
runs: 2
seed: 1
settings: {energy: bits, random: "13,6", steps: 200}
grid:
  - {setting: gamma, values: [0, 0.5]}
END
    spinney sweep a.yaml --out a > /dev/null
    spinney records a --csv before.csv
    cp -r a plain
    run --separate-stderr spinney records a --archive
    [ "$status" -eq 0 ]
    [ "$output" = "a: 4 runs in manifest.jsonl.gz" ]
    [ "$(echo a/manifest*)" = a/manifest.jsonl.gz ]
    gzip -dc a/manifest.jsonl.gz | cmp - plain/manifest.jsonl
    spinney records a --csv - | cmp - before.csv
    # nothing is left to do, and nothing is done to it
    cksum a/manifest.jsonl.gz > sum
    spinney sweep a.yaml --out a > /dev/null
    [ "$(echo a/manifest*)" = a/manifest.jsonl.gz ]
    # more runs go into a manifest beside it
    sed -i 's/^runs: 2/runs: 3/' a.yaml
    spinney sweep a.yaml --out a > /dev/null
    [ "$(wc -l < a/manifest.jsonl)" -eq 2 ]
    cksum a/manifest.jsonl.gz | cmp - sum
    [[ "$(spinney records a)" == *"6 of 6 runs finished"* ]]
    spinney records a --archive > /dev/null
    [ "$(echo a/manifest*)" = a/manifest.jsonl.gz ]
    [ "$(spinney records a --csv - | wc -l)" -eq 7 ]
    refuses "--archive and --json cannot be combined" records a --archive --json
    # a line of it that was changed is seen
    gzip -dc a/manifest.jsonl.gz | sed '2s/"run":./"run":9/' | gzip > changed
    mv changed a/manifest.jsonl.gz
    refuses "a/manifest.jsonl.gz: line 2: was changed after it was written" records a
}

@test "records of two programs are compared, archived or not" {
    compare=$BATS_TEST_DIRNAME/../../scripts/compare-records
    folder t
    cp -r t archived
    spinney records archived --archive > /dev/null
    run "$compare" t archived
    [ "$status" -eq 0 ]
    [ "$output" = "t: 18 runs are in both, 18 the same to the last bit (18 with their curves)" ]
    # what only one of them has is named; what differs is a failure
    gzip -dc archived/manifest.jsonl.gz | sed 's/"train_loss":/"other_loss":/' > archived/manifest-b.jsonl
    rm archived/manifest.jsonl.gz
    run "$compare" t archived
    [ "$status" -eq 0 ]
    [ "${lines[1]}" = "  only t has train_loss" ]
    [ "${lines[2]}" = "  only archived has other_loss" ]
    sed -i '4s/"test_accuracy":0\.[0-9]*/"test_accuracy":0.25/' archived/manifest-b.jsonl
    run "$compare" t archived
    [ "$status" -eq 1 ]
    [[ "${lines[0]}" == *"17 the same"* ]]
    [[ "${lines[1]}" == *"test_accuracy differs by up to"* ]]
}
