# What cannot be written: files that grow beyond the limit for files, folders of a file system that
# is read-only. One line says so, and nothing is left behind. And what must not be written: formulas.
load helpers

make_sweep() {
    "$(dirname "$SPINNEY")/tests/make_sweep" "$@"
}

# `limited BLOCKS TEXT arguments...`: with files of at most so many KiB, one line that starts with
# TEXT and says why, a status, and the folder as it was, except what is listed in $kept (a pattern).
limited() {
    local blocks=$1 text=$2 before
    shift 2
    before=$(folder_content | grep -Ev "${kept:-^$}" || true)
    run --separate-stderr bash -c 'ulimit -f "$1" && shift && exec "$@"' bash "$blocks" "$SPINNEY" "$@"
    echo "arguments: $*"
    echo "status: $status"
    echo "stderr: $stderr"
    [ "$status" -eq 1 ] || [ "$status" -eq 2 ]
    [ "${#stderr_lines[@]}" -eq 1 ]
    [[ "$stderr" == "spinney $1: $text"*"File too large"* ]]
    [ "$(folder_content | grep -Ev "${kept:-^$}")" = "$before" ]
    [ -z "$(find . -name '*.part')" ]
}

@test "a file that grows beyond the limit for files: one line, no part of it" {
    spinney train --steps 500 --quiet --out m.spn > /dev/null
    make_sweep s
    local run=(--energy bits --random 3001,30 --steps 3000)
    limited 1 "m.new: cannot be written: " train --steps 500 --quiet --out m.new
    limited 1 "t.csv: cannot be written: " train --steps 500 --quiet --trace t.csv --trace-every 1
    limited 1 "point: cannot be written: " train --steps 500 --quiet --checkpoint point
    limited 1 "best.csv: cannot be written: " anneal "${run[@]}" --out best.csv
    limited 1 "t.csv: cannot be written: " anneal "${run[@]}" --trace t.csv --trace-every 1
    limited 1 "m.h: cannot be written: " export m.spn --format c --out m.h
    limited 1 "m.onnx: cannot be written: " export m.spn --format onnx --out m.onnx
    limited 1 "m.npy: cannot be written: " export m.spn --format npy --replica all --out m.npy
    limited 1 "m.png: cannot be written: " show m.spn --png m.png --scale 64 --quiet
    limited 1 "r.csv: cannot be written: " records s --csv r.csv
    kept='^[^ ]*(s/figures|s/\.report|$)|figures/' limited 20 "s/report.html: cannot be written: " \
        report s --no-pictures --quiet
}

@test "what a killed run left needs the next one of the same output" {
    killed_at 1 'fsync *m.spn.*.part' train --steps 500 --quiet --out m.spn > /dev/null
    [ "$(find . -name 'm.spn.*.part' | wc -l)" -eq 1 ]
    touch other.spn.0123456789abcdef.part
    spinney train --steps 500 --quiet --out m.spn > /dev/null
    [ "$(ls)" = "m.spn
other.spn.0123456789abcdef.part" ]
}

@test "a picture that grows beyond the limit for files" {
    command -v gnuplot > /dev/null || skip "gnuplot is not installed"
    spinney anneal --energy bits --random 101,30 --steps 300 --trace t.csv --trace-every 1 > /dev/null
    # its script is kept, as after every failure of gnuplot
    kept='p.svg.gp' limited 20 "p.svg: cannot be written: " plot t.csv --y energy --out p.svg
    [ ! -e p.svg ]
}

@test "standard output that grows beyond the limit for files" {
    local status=0
    make_sweep s
    (ulimit -f 1 && exec "$SPINNEY" records s --csv - > out 2> err) || status=$?
    [ $status -eq 1 ]
    [[ "$(cat err)" == "spinney records: stdout cannot be written"* ]]
    status=0
    (ulimit -f 1 && exec "$SPINNEY" train --help > out 2> err) || status=$?
    [ $status -eq 1 ]
    [ "$(cat err)" = "spinney train: stdout cannot be written: File too large" ]
}

@test "a sweep beyond the limit for files keeps what is finished" {
    cat > s.yaml <<'END'
name: s
task: anneal
runs: 8
settings: {energy: bits, random: "101,30", steps: 2000}
END
    spinney sweep s.yaml --out whole --quiet > /dev/null
    run --separate-stderr bash -c 'ulimit -f 4 && exec "$@"' bash "$SPINNEY" sweep s.yaml --out s --quiet
    [ "$status" -eq 1 ]
    [ "${#stderr_lines[@]}" -eq 1 ]
    [[ "$stderr" == *"s/manifest.jsonl: File too large; the runs that are finished stay"* ]]
    [ "$(wc -l < s/manifest.jsonl)" -ge 1 ]
    spinney sweep s.yaml --out s --quiet > /dev/null
    [ "$(wc -l < s/manifest.jsonl)" -eq "$(wc -l < whole/manifest.jsonl)" ]
}

# `read_only ERRNO TEXT arguments...`: the folder `fixed` cannot be written to.
read_only() {
    local why=$1 text=$2
    shift 2
    run --separate-stderr env "LD_PRELOAD=$(dirname "$SPINNEY")/tests/read_only.so" \
        "READ_ONLY=$PWD/fixed" "WHY=$why" ASAN_OPTIONS=verify_asan_link_order=0:detect_leaks=0 \
        "$SPINNEY" "$@"
    echo "arguments: $*"
    echo "status: $status"
    echo "stderr: $stderr"
    [ "$status" -eq 2 ]
    [ "${#stderr_lines[@]}" -eq 1 ]
    [[ "$stderr" == "spinney $1: $text"* ]]
    [ -z "$(find . -name '*.part')" ]
}

@test "a read-only file system, and a folder without the right to write" {
    local erofs=30 eacces=13 run=(--energy bits --random 101,30 --steps 10)
    cat > s.yaml <<'END'
name: s
task: anneal
settings: {energy: bits, random: "101,30", steps: 100}
END
    mkdir -p fixed/empty
    spinney sweep s.yaml --out fixed/s --quiet > /dev/null
    local all=$(folder_content)
    read_only $erofs "fixed/empty/running: cannot be made: Read-only file system" \
        sweep s.yaml --out fixed/empty
    read_only $eacces "fixed/empty/running: cannot be made: Permission denied" \
        sweep s.yaml --out fixed/empty
    read_only $erofs "fixed/s/running: cannot be made: Read-only file system" \
        sweep s.yaml --out fixed/s --shard 1/2
    mkdir fixed/s/running
    read_only $erofs "fixed/s/running/lock: cannot be written: Read-only file system" \
        sweep s.yaml --out fixed/s
    rmdir fixed/s/running
    read_only $erofs "fixed/new: cannot be made: Read-only file system" sweep s.yaml --out fixed/new
    read_only $erofs "fixed/a: cannot be written: Read-only file system" anneal "${run[@]}" --out fixed/a
    read_only $erofs "fixed/c: cannot be written: Read-only file system" \
        anneal "${run[@]}" --checkpoint fixed/c
    read_only $erofs "fixed/s/figures: cannot be made: Read-only file system" report fixed/s --no-pictures
    [ "$(folder_content)" = "$all" ]
    # what only reads is not hindered
    LD_PRELOAD=$(dirname "$SPINNEY")/tests/read_only.so READ_ONLY=$PWD/fixed \
        ASAN_OPTIONS=verify_asan_link_order=0:detect_leaks=0 "$SPINNEY" records fixed/s > /dev/null
}

@test "names of files from others are no formulas in CSV" {
    printf '=1+2 @x 1\n@x -y -1\n-y -3 1\n' > g
    spinney anneal --energy ising --graph g --graph-format coo --steps 100 --out best.csv > /dev/null
    [ "$(head -1 best.csv)" = "energy,count,'=1+2,'@x,'-y,-3" ]
    spinney anneal --energy ising --graph g --graph-format coo --steps 10 --init best.csv > /dev/null
    printf 'a,y\n1,=cmd()\n2,-1\n3,=cmd()\n4,-1\n' > d.csv
    spinney train --data d.csv --steps 100 --quiet --out m.spn > /dev/null
    spinney predict m.spn d.csv --probabilities --quiet > out
    [ "$(head -1 out)" = "label,-1,'=cmd()" ]
    ! grep -q '^[=@+]' out || false
}
