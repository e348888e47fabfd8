# What every file of command-line tests shares. The program is $SPINNEY, or build/spinney of the
# repository; each test runs in a scratch folder of its own.
bats_require_minimum_version 1.5.0

setup() {
    data=$BATS_TEST_DIRNAME/data
    SPINNEY=$(realpath "${SPINNEY:-$BATS_TEST_DIRNAME/../../build/spinney}")
    scratch=$(mktemp -d)
    cd "$scratch"
}

teardown() {
    cd /
    rm -rf "$scratch"
}

spinney() {
    "$SPINNEY" "$@"
}

# The value of a Python expression over the JSON object d on stdin.
json() {
    python3 -c "import json, sys; d = json.load(sys.stdin); print($1)"
}


# `untimed FILE...`: traces without their last column, the seconds, which must be that.
untimed() {
    for trace in "$@"; do
        head -n 1 "$trace" | grep -q ',seconds$' || return 1
        sed 's/,[^,]*$//' "$trace"
    done
}

# The energy by its definition: `oracle optimum ENERGY FILE`, `oracle states ENERGY FILE STATES`.
oracle() {
    python3 "$BATS_TEST_DIRNAME/oracle.py" "$@"
}

# $output is what expected/NAME holds. UPDATE=1 bats tests/cli writes the files anew.
matches_expected() {
    local file=$BATS_TEST_DIRNAME/expected/$1
    if [ -n "${UPDATE:-}" ]; then
        printf '%s\n' "$output" > "$file"
    fi
    diff -u "$file" <(printf '%s\n' "$output")
}

# Every name in the scratch folder, with what the files hold.
folder_content() {
    find . | sort
    find . -type f -exec cksum {} + | sort
}

# `refuses TEXT arguments...`: bad input gets exit status 2, one line on stderr that holds TEXT,
# nothing on stdout, and leaves the folder as it was.
refuses() {
    local text=$1 before
    shift
    before=$(folder_content)
    run --separate-stderr "$SPINNEY" "$@"
    echo "arguments: $*"
    echo "status: $status"
    echo "stdout: $output"
    echo "stderr: $stderr"
    [ "$status" -eq 2 ]
    [ -z "$output" ]
    [ "${#stderr_lines[@]}" -eq 1 ]
    [[ "$stderr" == "spinney"*": "* ]]
    [[ "$stderr" == *"$text"* ]]
    [ "$(folder_content)" = "$before" ]
}

# `stop_at NUMBER CALL SETTINGS...`: let ${stopping[@]}, put before a command, stop it after that many
# operations on files, or looks at the clock, like CALL. How, the settings say: tests/support/stop_at.c
# knows them.
stop_at() {
    stopping=(env "LD_PRELOAD=$(dirname "$SPINNEY")/tests/stop_at.so" "STOP_AT=$1" "STOP_CALL=$2"
        ASAN_OPTIONS=verify_asan_link_order=0:detect_leaks=0 "${@:3}")
}

# `operations CALL arguments...`: how many operations like CALL spinney does.
operations() {
    stop_at 0 "$1" STOP_COUNT=operations
    "${stopping[@]}" "$SPINNEY" "${@:2}" > /dev/null
    cat operations
    rm operations
}

# `killed_at NUMBER CALL arguments...`: spinney, killed (SIGKILL) there.
killed_at() {
    local status=0
    stop_at "$1" "$2"
    "${stopping[@]}" "$SPINNEY" "${@:3}" || status=$?
    [ $status -eq 137 ]
}

# `interrupted_at SIGNAL NUMBER CALL arguments...`: spinney, which ends as it does after Ctrl-C.
interrupted_at() {
    local status=0
    stop_at "$2" "$3" "STOP_WITH=$(kill -l "$1")"
    "${stopping[@]}" "$SPINNEY" "${@:4}" || status=$?
    [ $status -eq 130 ]
}

# `by_own_time arguments...`: spinney with a clock that stands still while others have the processor, so
# that what time decides does not depend on how busy the machine is.
by_own_time() {
    stop_at 0 none STOP_BUSY=1
    "${stopping[@]}" "$SPINNEY" "$@"
}

# Make a sweep.json one of format 1, which has no checksum, so that it can be changed.
unseal() {
    sed -i 's/"format": 3/"format": 1/; s/"check": .*/"measure": {}/' "$1"
}
