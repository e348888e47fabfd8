# Sweeps: the same records from threads, shards, ranks, and after any number of kills; what goes
# wrong is said in one line and harms nothing.
load helpers

# 40 short trainings of several checkpoints each.
train_sweep() {
    cat <<'END'
name: small
task: train
seed: 3
runs: 5
settings:
  data: digits
  subset: 150
  flip: [0, 0.1]
  trials: 12
  profile-walks: 2
  profile-points: 5
grid:
  - setting: gamma
    values: [0, 0.8]
  - setting: steps
    values: [5000, 10000]
  - setting: replicas
    values: [2, 3]
keep: [models, traces]
END
}

anneal_sweep() {
    cat <<'END'
name: patterns
task: anneal
runs: 4
settings:
  energy: bits
  random: 101,30
  steps: 20000
  profile-walks: 2
  profile-points: 5
grid:
  - setting: gamma
    values: [0, 0.5]
  - setting: replicas
    values: [1, 3]
keep: [traces, replicas]
END
}

# One long training per point, for what has to happen while a run is running.
long_sweep() {
    cat <<'END'
name: long
task: train
settings:
  data: digits
  subset: 150
  steps: 400000
grid:
  - setting: gamma
    values: [0, 0.2, 0.4, 0.6]
END
}

# The records of a folder without what may differ.
records() {
    python3 - "$1" <<'END'
import json, sys
for line in open(sys.argv[1] + "/manifest.jsonl"):
    record = json.loads(line)
    for name in "machine", "finished", "seconds", "first_hit_seconds", "check":
        record.pop(name, None)
    print(json.dumps(record))
END
}

# `same FOLDER FOLDER`: complete, tidy, and the same records, traces and models.
same() {
    diff <(records "$1") <(records "$2")
    [ ! -e "$1/models" ] || diff -r "$1/models" "$2/models"
    [ ! -e "$1/traces" ] || diff <(ls "$1/traces") <(ls "$2/traces")
    [ ! -e "$1/traces" ] || diff <(cd "$1/traces" && untimed ./*) <(cd "$2/traces" && untimed ./*)
    for folder in "$1" "$2"; do
        [ ! -e "$folder/running" ]
        [ "$(echo "$folder"/manifest*)" = "$folder/manifest.jsonl" ]
    done
}

ranks() {
    command -v mpirun > /dev/null || skip "no mpirun here"
    ldd "$SPINNEY" | grep -q libmpi || skip "built without MPI"
    # Open MPI does not free everything
    ASAN_OPTIONS=detect_leaks=0 mpirun --allow-run-as-root --oversubscribe "$@"
}

# `kills NUMBER SEED FILE FOLDER STEPS`: start a sweep of these steps again and again and kill it (SIGKILL)
# after a random number of operations on its files of any kind, in the middle of a record, or just after
# a run was saved. No kill comes later than after a part of the work, so that something is left for each.
# The last one is left to finish. Runs are saved with every row of their traces, so few steps are enough.
kills() {
    local number=$1 seed=$2 in_run=0 k at call
    local sweep=(sweep "$3" --set "steps=$5" --out "$4" --save-every 1e-6 --quiet)
    local calls=('*' 'write *manifest*' 'rename *.checkpoint') counts=()
    for k in 0 1 2; do
        counts[k]=$(operations "${calls[k]}" "${sweep[@]}" --threads 1 --out counted)
        rm -r counted
        [ "${counts[k]}" -ge $((2 * number)) ]
    done
    RANDOM=$seed
    for ((k = 0; k < number; k++)); do
        call=${calls[k % 3]}
        at=$((1 + RANDOM % (counts[k % 3] / (2 * number))))
        echo "kill $k: $at of $call, of ${counts[k % 3]} in all"
        killed_at $at "$call" "${sweep[@]}" --threads $((1 + RANDOM % 2)) > /dev/null
        ! ls "$4"/running/*.checkpoint > /dev/null 2>&1 || in_run=$((in_run + 1))
    done
    [ $in_run -ge $((number / 3)) ]
    spinney "${sweep[@]}" > /dev/null
}

@test "training: the same records from threads, shards, ranks, and after kills" {
    train_sweep > small.yaml
    spinney sweep small.yaml --threads 1 --quiet > out
    grep -q '^small: 40 runs in .*, in records/small$' out
    grep -q '^all 40 runs are finished; next: spinney report records/small$' out
    [ "$(records records/small | wc -l)" -eq 40 ]
    spinney sweep small.yaml --threads 2 --out threads --quiet > out
    same records/small threads
    spinney sweep small.yaml --shard 2/2 --out shards --quiet > first &
    spinney sweep small.yaml --shard 1/2 --out shards --quiet > second
    wait $!
    same records/small shards
    [ "$(cat first second | grep -c '^small: 20 runs in')" -eq 2 ]
    [ "$(cat first second | grep -c '^all 40 runs are finished')" -ge 1 ]
    spinney sweep small.yaml --set steps=50,100 --out short --quiet > out
    kills 10 20 small.yaml killed 50,100
    same short killed
}

@test "training: the same records from ranks" {
    train_sweep > small.yaml
    ranks -n 2 "$SPINNEY" sweep small.yaml --out ranks --quiet > out
    [ "$(grep -c . out)" -eq 2 ] # the first rank speaks for both
    spinney sweep small.yaml --out serial --threads 1 --quiet > out
    same serial ranks
    ranks -n 3 "$SPINNEY" sweep small.yaml --out ranks --threads 2 --runs 6 --quiet > out
    grep -q '^small: 8 runs in .*, after 40 before' out
    spinney sweep small.yaml --out serial --runs 6 --quiet > out
    same serial ranks
}

@test "annealing: the same records from threads, shards, ranks, and after kills" {
    anneal_sweep > patterns.yaml
    spinney sweep patterns.yaml --threads 1 --quiet > out
    spinney sweep patterns.yaml --threads 3 --out threads --quiet > out
    same records/patterns threads
    for i in 3 1 2; do
        spinney sweep patterns.yaml --shard $i/3 --out shards --quiet > out
    done
    same records/patterns shards
    spinney sweep patterns.yaml --set steps=100 --out short --quiet > out
    kills 8 21 patterns.yaml killed 100
    same short killed
    ranks -n 2 "$SPINNEY" sweep patterns.yaml --out ranks --quiet > out
    same records/patterns ranks
}

@test "a rank that is killed ends the sweep, which goes on without ranks" {
    long_sweep > long.yaml
    spinney sweep long.yaml --out whole --quiet > out
    sweep=("$SPINNEY" sweep long.yaml --out killed --save-every 1e-6 --quiet)
    # the first rank waits with its run for the second's
    stop_at 1 'access *.checkpoint' 'STOP_UNTIL=killed/running/*.checkpoint'
    first=("${stopping[@]}" "${sweep[@]}")
    stop_at 1 'rename *.checkpoint'
    second=("${stopping[@]}" "${sweep[@]}")
    failed=0
    ranks -n 1 "${first[@]}" : -n 1 "${second[@]}" > out 2> err || failed=$?
    [ $failed -ne 0 ]
    [ -e killed/manifest-rank-1.jsonl ]
    ls killed/running/*.checkpoint
    spinney sweep long.yaml --out killed --quiet > out
    same whole killed
}

@test "Ctrl-C and SIGTERM: running runs are saved, and the same command goes on" {
    long_sweep > long.yaml
    spinney sweep long.yaml --out whole --quiet > out
    for signal in INT TERM; do
        # a run saves itself fifty times or more: how often depends on the length of its blocks
        interrupted_at $signal 120 'rename *.checkpoint' \
            sweep long.yaml --out $signal --threads 1 --save-every 1e-6 > out 2> err
        grep -q '^spinney sweep: interrupted; [012] of 4 runs are finished; repeat the command to continue$' err
        [ "$(ls $signal/running/*.checkpoint | wc -l)" -eq 1 ]
        spinney sweep long.yaml --out $signal --quiet > out
        same whole $signal
    done
}

@test "spinney anneal and train do a run again from its record" {
    anneal_sweep > patterns.yaml
    train_sweep > small.yaml
    spinney sweep patterns.yaml --runs 2 --quiet > out
    spinney sweep small.yaml --runs 1 --quiet > out
    field() { tail -1 "records/$1/manifest.jsonl" | json "$2"; }
    spinney anneal --energy bits --random "101,30,$(field patterns 'd["instance_seed"]')" --steps 20000 \
        --gamma 0.5 --replicas 3 --seed "$(field patterns 'd["seed"]')" --json > result
    [ "$(field patterns 'd["results"]["overlap"]')" = "$(json 'd["results"]["overlap"]' < result)" ]
    [ "$(field patterns 'round(3 * d["results"]["active"])')" = "$(json 'sum(d["curves"]["replicas"]["accepted"])' < result)" ]
    spinney train --data digits --subset 150 --gamma 0.8 --steps 10000 --replicas 3 \
        --seed "$(field small 'd["seed"]')" --json > result
    [ "$(field small 'd["results"]["overlap"]')" = "$(json 'd.get("results", d)["overlap"]' < result)" ]
    [ "$(field small 'd.get("instance_seed")')" = None ]
}

@test "a sweep grows, and its figures change, in the same folder" {
    train_sweep > small.yaml
    spinney sweep small.yaml --set steps=9000 --set gamma=0 --out a --quiet > /dev/null
    cp a/manifest.jsonl before
    spinney sweep small.yaml --set steps=9000 --set gamma=0,0.5 --out a --quiet | tee out
    grep -q '^small: 10 runs in .*, after 10 before, in a$' out
    head -10 a/manifest.jsonl | cmp - before
    mkdir data
    echo "gamma,test_accuracy" > data/paper.csv
    cat >> small.yaml <<'END'
figures:
  - {name: accuracy, value: test_accuracy, x: gamma, reference: data/paper.csv}
END
    spinney sweep small.yaml --set steps=9000 --set gamma=0,0.5 --out a --quiet | tee out
    grep -q '^small: 0 runs in' out
    cmp data/paper.csv a/reference/paper.csv
    [ "$(json 'd["figures"][0]["reference"]' < a/sweep.json)" = paper.csv ]
}

@test "--dry-run: the points and the time, and nothing is written" {
    train_sweep > small.yaml
    before=$(folder_content)
    spinney sweep small.yaml --dry-run --threads 1 > /tmp/plan.$$
    spinney sweep small.yaml --dry-run --threads 2 --json > /tmp/json.$$
    [ "$(folder_content)" = "$before" ]
    mv /tmp/plan.$$ plan
    mv /tmp/json.$$ json
    grep -q '^small: 40 runs, 0 of them finished already, in records/small$' plan
    [ "$(grep -c '^gamma=0.*steps=.*replicas=' plan)" -eq 8 ]
    grep -q '^gamma=0.8 steps=10000 replicas=3 *5  *1.5e+05 ' plan
    grep -q '^what is left takes about .* on one thread$' plan
    [ "$(json 'len(d["points"]), d["runs"], d["points"][7]["proposals"], d["seconds"] > 0' < json)" = \
        "8 40 150000.0 True" ]
    spinney sweep small.yaml --set gamma=0 --quiet > /dev/null
    spinney sweep small.yaml --set gamma=0 --dry-run | grep -q '^nothing is left to do$'
    spinney sweep small.yaml --dry-run --json | json 'd["finished"]' | grep -qx 20
    spinney sweep small.yaml --dry-run --runs 1 --set gamma=0,1,2,3,4,5,6,7,8,9 --out other | tee plan
    grep -q '^and 22 more, which --json lists$' plan
}

@test "--dry-run: points as objects, and runs that were begun" {
    long_sweep > long.yaml
    spinney sweep long.yaml --dry-run --json --set gamma=0.25 > plan
    [ "$(json 'd["points"][0]["settings"], d["begun"], d["ranks"]' < plan)" = "{'gamma': '0.25'} 0 1" ]
    [ "$(json 'd["seconds"] > 0' < plan)" = True ]
    killed_at 1 'rename *.checkpoint' sweep long.yaml --out a --threads 1 --save-every 1e-6 --quiet
    before=$(folder_content)
    spinney sweep long.yaml --out a --dry-run > /tmp/plan.$$
    [ "$(folder_content)" = "$before" ]
    head -1 /tmp/plan.$$ > plan
    rm /tmp/plan.$$
    [ "$(cat plan)" = "long: 4 runs, 0 of them finished already and 1 begun, in a" ]
}

@test "under mpirun: the time on all ranks, and no shards" {
    long_sweep > long.yaml
    ranks -n 2 "$SPINNEY" sweep long.yaml --dry-run --threads 3 > plan
    grep -q '^what is left takes about .* on one thread, .* on 2 ranks of 3 threads$' plan
    [ "$(ranks -n 2 "$SPINNEY" sweep long.yaml --dry-run --json | json 'd["ranks"]')" = 2 ]
    failed=0
    ranks -n 2 "$SPINNEY" sweep long.yaml --out a --shard 1/2 > out 2> err || failed=$?
    [ $failed -eq 2 ]
    [ "$(grep -c 'shard and mpirun cannot be combined' err)" -eq 1 ]
    [ ! -e a ]
    # one rank is as good as none
    ranks -n 1 "$SPINNEY" sweep long.yaml --set steps=1000 --out a --shard 1/2 --quiet > out
}

@test "--json and plain progress" {
    train_sweep > small.yaml
    spinney sweep small.yaml --runs 1 --json --out a 2> err | json \
        'd["name"], d["folder"], d["runs"], d["before"], d["now"], d["complete"]' > out
    [ "$(cat out)" = "small a 8 0 8 True" ]
    ! grep -q $'\r' err || false # no bar, and on a fast machine no line either
}

@test "bad specifications and options" {
    train_sweep > small.yaml
    refuses "none.yaml" sweep none.yaml
    refuses "give one specification file" sweep
    refuses "give one specification file" sweep small.yaml small.yaml
    for shard in 0/2 3/2 1 a/b 1/2/3 -1/2 1/ " 1/2"; do
        refuses "--shard: '$shard' is not i/n" sweep small.yaml --shard "$shard"
    done
    refuses "--threads" sweep small.yaml --threads 0
    refuses "--runs" sweep small.yaml --runs 0
    refuses "--save-every" sweep small.yaml --save-every 0
    sed 's/runs: 5/runs: five/' small.yaml > bad.yaml
    refuses "bad.yaml: line 4: " sweep bad.yaml
    sed 's/runs: 5/run: 5/' small.yaml > bad.yaml
    refuses "runs" sweep bad.yaml
    sed 's/\[0, 0.8\]/[]/' small.yaml > bad.yaml
    refuses "bad.yaml: line" sweep bad.yaml
    sed 's/values: \[2, 3\]/from: 1\n    to: 3\n    count: 1000000000/' small.yaml > bad.yaml
    refuses "20000000000 jobs; at most 1000000" sweep bad.yaml
    refuses "1000000000" sweep small.yaml --runs 25000000 --set gamma=0,1,2,3,4,5,6,7,8,9
    refuses "gama" sweep small.yaml --set gama=1
}

@test "a folder that is not the sweep's" {
    train_sweep > small.yaml
    spinney sweep small.yaml --runs 1 --out a --quiet > /dev/null
    refuses "a holds another sweep: its gamma is 0,0.8, here it is 0,0.7; give another folder" \
        sweep small.yaml --runs 1 --out a --set gamma=0,0.7
    refuses "its seed is 3, here it is 4" sweep small.yaml --runs 1 --out a --set seed=4
    refuses "its trials is 12, here it is 13" \
        sweep small.yaml --runs 1 --out a --set trials=13
    anneal_sweep > patterns.yaml
    refuses "its task is train, here it is anneal" sweep patterns.yaml --out a
    sed -i 's/"version": *"[^"]*"/"version": "0.0.9"/' a/sweep.json
    refuses "a/sweep.json: was changed after it was written; restore it, or start a new folder" \
        sweep small.yaml --runs 1 --out a
    unseal a/sweep.json
    refuses "a was written by spinney 0.0.9, this is $(spinney --version | cut -d' ' -f2): results may differ; give another folder, or use that version" \
        sweep small.yaml --runs 1 --out a
    refuses "a was written by spinney 0.0.9" sweep small.yaml --runs 1 --out a --dry-run
    refuses "small.yaml: is a file" sweep small.yaml --out small.yaml
    refuses "Not a directory" sweep small.yaml --out small.yaml/records
    mkdir thesis
    touch thesis/chapter.tex
    refuses "thesis: holds chapter.tex, but no sweep" sweep small.yaml --out thesis
    refuses "cannot be made" sweep small.yaml --out /proc/none/such
}

@test "a data file that was changed is not mixed with what it was" {
    cat > data.yaml <<'END'
name: data
task: train
runs: 2
settings: {data: d.csv, steps: 1000, test-fraction: 0.3, header: "no"}
grid: [{setting: gamma, values: [0, 1]}]
END
    for k in $(seq 20); do echo "$k,$((k * k % 7)),$((k % 2))"; done > d.csv
    spinney sweep data.yaml --out a --quiet > out
    cp -r a old
    python3 - old/sweep.json <<'END'
import json, sys
d = json.load(open(sys.argv[1]))
del d["files"], d["defaults"], d["check"]
d["format"] = 1
json.dump(d, open(sys.argv[1], "w"))
END
    gzip -k d.csv
    mv d.csv kept
    mv d.csv.gz d.csv # the same content
    spinney sweep data.yaml --out a --runs 3 --quiet > out
    head -18 kept > d.csv
    for options in "" "--dry-run" "--shard 1/2"; do
        refuses "a holds another sweep: its data d.csv had another content (checksum " \
            sweep data.yaml --out a --runs 4 $options
    done
    run spinney records a
    [ "$status" -eq 0 ]
    # a folder that does not say what it was takes it as it is now, and then holds on to it
    spinney sweep data.yaml --out old --runs 3 --quiet > out
    json 'd["format"], d["defaults"]["preset"], d["files"][0]["name"]' < old/sweep.json | grep -qx '3 default d.csv'
    cp kept d.csv
    refuses "old holds another sweep: its data d.csv had another content" \
        sweep data.yaml --out old --runs 3
}

@test "ranks that read different files are refused" {
    cat > data.yaml <<'END'
name: data
task: train
settings: {data: d.csv, steps: 1000, header: "no"}
END
    mkdir other
    for k in $(seq 20); do echo "$k,$((k * k % 7)),$((k % 2))"; done > d.csv
    head -18 d.csv > other/d.csv
    cp data.yaml other
    failed=0
    ranks -n 1 "$SPINNEY" sweep data.yaml --out a --quiet \
        : -n 1 "$SPINNEY" sweep other/data.yaml --out a --quiet > out 2> err || failed=$?
    [ $failed -ne 0 ]
    grep -q 'rank 1 reads other files than rank 0, of another content' err
}

@test "a manifest that was edited by hand is refused" {
    train_sweep > small.yaml
    spinney sweep small.yaml --runs 1 --out a --quiet > /dev/null
    cp -r a b
    sed -i '3s/"test_accuracy":0\.[0-9]/"test_accuracy":0.9999/' a/manifest.jsonl
    refuses "a/manifest.jsonl: line 3: " sweep small.yaml --runs 1 --out a
    sed -i 3d a/manifest.jsonl
    spinney sweep small.yaml --runs 1 --out a --quiet | grep -q '^small: 1 run in .*, after 7 before'
    same a b
}

@test "a run that fails names its point and run, and what is finished stays" {
    long_sweep > long.yaml
    spinney sweep long.yaml --out whole --quiet > /dev/null
    killed_at 1 'rename *.checkpoint' sweep long.yaml --out a --threads 1 --save-every 1e-6 --quiet
    for file in a/running/*.checkpoint; do
        echo damaged > "$file"
    done
    run --separate-stderr spinney sweep long.yaml --out a --quiet
    [ "$status" -eq 1 ]
    [ "${#stderr_lines[@]}" -eq 1 ]
    [[ "$stderr" == "spinney sweep: gamma=0"*", run 1: a/running/"*"not a checkpoint"* ]]
    [[ "$stderr" == *" of 4 runs are finished)" ]]
    rm -f a/running/*.checkpoint
    spinney sweep long.yaml --out a --quiet > /dev/null
    same whole a
}

@test "a second sweep in the same folder is refused, and does no harm" {
    long_sweep > long.yaml
    spinney sweep long.yaml --out whole --quiet > /dev/null
    stop_at 1 'access *.checkpoint' "STOP_WITH=$(kill -l STOP)"
    "${stopping[@]}" "$SPINNEY" sweep long.yaml --out a --threads 1 --quiet > /dev/null 2> err &
    until grep -q '^State:.T' /proc/$!/status; do
        kill -0 $!
        sleep 0.01
    done
    refuses "a: another spinney is at work in this folder" sweep long.yaml --out a
    refuses "a: another spinney is at work in this folder" sweep long.yaml --out a --shard 1/2
    kill -CONT $!
    wait $!
    same whole a
}

# `full FOLDER`: the disk is full before the sweep is done.
full() {
    run --separate-stderr spinney sweep small.yaml --out "$1" --quiet
    [ "$status" -eq 1 ]
    [ "${#stderr_lines[@]}" -eq 1 ]
    [[ "$stderr" == "spinney sweep: $1/"*" runs are finished)" ]]
    [ "$(cat "$1"/manifest.jsonl | wc -l)" -ge 1 ]
}

@test "a full disk: one line, what is finished stays, and the sweep can be completed" {
    train_sweep | sed '/^keep:/d' > small.yaml # manifests alone fill it
    spinney sweep small.yaml --out whole --quiet > /dev/null
    (ulimit -f 20 && full limited)
    spinney sweep small.yaml --out limited --quiet > /dev/null
    same whole limited
    mkdir disk
    mount -t tmpfs -o size=32k none disk 2> /dev/null || skip "no small file system can be mounted"
    full disk/a || { umount disk; false; }
    mount -o remount,size=1m disk
    spinney sweep small.yaml --out disk/a --quiet > /dev/null || { umount disk; false; }
    cp -r disk/a a
    umount disk
    same whole a
}

# task ID COUNT MIN MAX STEP ARGUMENT...: the sweep as a task of a job array of Slurm
task() {
    env SLURM_ARRAY_TASK_ID="$1" SLURM_ARRAY_TASK_COUNT="$2" SLURM_ARRAY_TASK_MIN="$3" SLURM_ARRAY_TASK_MAX="$4" \
        SLURM_ARRAY_TASK_STEP="$5" "$SPINNEY" "${@:6}"
}

@test "a job array of Slurm: its tasks are shards, and say so" {
    train_sweep > small.yaml
    spinney sweep small.yaml --set steps=1000 --runs 2 --quiet > out
    for id in 0 3 6; do # sbatch --array=0-6:3
        task $id 3 0 6 3 sweep small.yaml --set steps=1000 --runs 2 --out array > out 2> err
        grep -qx "spinney sweep: --shard $((id / 3 + 1))/3, from SLURM_ARRAY_TASK_ID=$id" err
    done
    same records/small array
    local examples=$BATS_TEST_DIRNAME/../../examples/slurm path
    path=$(dirname "$SPINNEY"):$PATH
    for id in 1 2; do
        PATH=$path SPINNEY=$examples/sweep.sh task $id 2 1 2 1 small.yaml --set steps=1000 --runs 2 --out script > out 2> err
        grep -q "shard $id/2, from SLURM_ARRAY_TASK_ID" err
    done
    same records/small script
    # --shard goes first; what is no range is refused, and a task without its array
    task 2 2 1 2 1 sweep small.yaml --set steps=1000 --runs 2 --out given --shard 1/2 --quiet > out 2> err
    [ ! -s err ] && [ -e given/manifest-shard-1-of-2.jsonl ]
    failed=0
    task 4 3 1 4 1 sweep small.yaml > out 2> err || failed=$?
    [ $failed -eq 2 ] && grep -q "task 4 of the job array (3 tasks from 1 to 4, in steps of 1) is no shard: .*--array=1-3; or give --shard" err
    failed=0
    SLURM_ARRAY_TASK_ID=1 "$SPINNEY" sweep small.yaml > out 2> err || failed=$?
    [ $failed -eq 2 ] && grep -q "SLURM_ARRAY_TASK_COUNT is not set beside SLURM_ARRAY_TASK_ID" err
    failed=0
    task 1x 3 1 3 1 sweep small.yaml > out 2> err || failed=$?
    [ $failed -eq 2 ] && grep -q "SLURM_ARRAY_TASK_ID is '1x', no number" err
}

@test "under mpirun, as examples/slurm starts it" {
    ranks -n 1 true
    train_sweep > small.yaml
    spinney sweep small.yaml --set steps=1000 --runs 1 --quiet > out
    PATH=$(dirname "$SPINNEY"):$PATH OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 ASAN_OPTIONS=detect_leaks=0 \
        "$BATS_TEST_DIRNAME/../../examples/slurm/mpi.sh" small.yaml --set steps=1000 --runs 1 --quiet --out mpi > out
    same records/small mpi
}

@test "a device trains the runs of a sweep side by side, with the results of the processor" {
    export POCL_MAX_PTHREAD_COUNT=1 # its threads wait by spinning
    spinney devices --json > devices.json || skip "there are no devices"
    device=$(json "next((x['name'] for x in d['devices'] if x['usable']), '')" < devices.json)
    [ "$device" ] || skip "there is no device"
    cat > whole.yaml <<'END'
name: whole
task: train
runs: 2
settings: {data: digits, preset: paper, steps: 300, losses: whole}
grid:
  - {setting: gamma, values: [0, 0.8]}
  - {setting: replicas, values: [1, 3]}
END
    spinney sweep whole.yaml --out here --quiet
    spinney sweep whole.yaml --out there --quiet --threads 8 --set device="$device"
    for folder in here there; do
        while read -r line; do
            json "(d['key'], d['results'])" <<< "$line"
        done < $folder/manifest.jsonl | sort > $folder.txt
    done
    [ "$(wc -l < here.txt)" = 8 ]
    diff here.txt there.txt
}
