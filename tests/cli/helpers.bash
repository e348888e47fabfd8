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
