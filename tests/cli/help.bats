# Help and version texts, and how commands are chosen.
load helpers

@test "--version" {
    run spinney --version
    [ "$status" -eq 0 ]
    [[ $output =~ ^spinney\ [0-9]+\.[0-9]+\.[0-9]+(\+g[0-9a-f]{7,}(-dirty)?)?$ ]]
}

@test "--help, -h and help are the same overview" {
    run spinney --help
    [ "$status" -eq 0 ]
    matches_expected help.txt
    [ "$(spinney -h)" = "$output" ]
    [ "$(spinney help)" = "$output" ]
}

@test "-V and version print the version" {
    [ "$(spinney -V)" = "$(spinney --version)" ]
    [ "$(spinney version)" = "$(spinney --version)" ]
}

@test "help COMMAND is the help of a command" {
    for command in train anneal plot sweep; do
        [ "$(spinney help $command)" = "$(spinney $command --help)" ]
    done
    run spinney help anmeal
    [ "$status" -eq 2 ]
    [[ $output == *"there is no command 'anmeal'; did you mean anneal?"* ]]
}

@test "no command: the overview, and exit status 2" {
    run spinney
    [ "$status" -eq 2 ]
    matches_expected help.txt
}

@test "anneal --help" {
    run spinney anneal --help
    [ "$status" -eq 0 ]
    matches_expected help-anneal.txt
    [ "$(spinney anneal -h)" = "$output" ]
}

@test "temper --help" {
    run spinney temper --help
    [ "$status" -eq 0 ]
    matches_expected help-temper.txt
}

@test "train --help, eval --help, exact --help and entropy --help" {
    for task in train eval exact entropy; do
        run spinney $task --help
        [ "$status" -eq 0 ]
        matches_expected help-$task.txt
    done
}

@test "plot --help" {
    run spinney plot --help
    [ "$status" -eq 0 ]
    matches_expected help-plot.txt
}

@test "sweep --help" {
    run spinney sweep --help
    [ "$status" -eq 0 ]
    matches_expected help-sweep.txt
}

# `completes LAST WORDS...`: what the shell offers for the last of the words.
completes() {
    local expected=$1
    shift
    [ "$(bash -c 'source ./completion; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _spinney
        printf "%s\n" "${COMPREPLY[@]}" | sort | paste -sd " "' bash "$@")" = "$expected" ]
}

@test "completion: commands, options, words and files" {
    spinney --completion > completion
    bash -n completion
    mkdir folder && cd folder && cp ../completion . && touch graph.txt model.spn
    completes "predict" spinney pre
    completes "entropy eval exact export" spinney e
    completes "--help" spinney --h
    completes "anneal" spinney --man ann
    completes "--reads --replicas --resume" spinney anneal --re
    completes "--graph --graph-format --grid" spinney exact --gr
    completes "two-stage" spinney anneal --kernel tw
    completes "heat-bath one-stage two-stage" spinney train --kernel ""
    completes "graph.txt" spinney anneal --graph g
    completes "digits" spinney train --data d
    completes "independent" spinney train --init ind
    completes "model.spn" spinney eval m
    completes "model.spn" spinney train --out m
    completes "" spinney anneal --steps 1
    completes "c npy onnx text" spinney export --format ""
    completes "--save-every --set --shard" spinney sweep --s
}

@test "every option of the help is completed, and in the manual, which mandoc finds nothing wrong with" {
    spinney --completion > completion
    for command in train anneal temper eval exact predict export show plot sweep records report; do
        spinney --man $command > $command.1
        for option in $(spinney $command --help | grep -o '^  --[a-z-]*'); do
            grep -q -- "^    $command) .*$option[ \"]" completion
            grep -qF -- "\\fB${option//-/\\-}\\fR" $command.1
        done
        grep -qF "spinney\\-$command (1)" <(spinney --man)
        command -v mandoc > /dev/null || continue
        mandoc -Tlint $command.1
    done
    command -v mandoc > /dev/null || skip "mandoc is not installed"
    spinney --man > spinney.1
    mandoc -Tlint spinney.1
    [ "$(SOURCE_DATE_EPOCH=0 spinney --man | head -1 | cut -d' ' -f1-4)" = ".TH SPINNEY 1 1970-01-01" ]
}

@test "docs/settings.md is what the program says" {
    diff -u "$BATS_TEST_DIRNAME/../../docs/settings.md" <(spinney --settings-markdown) ||
        { echo "renew it: build/spinney --settings-markdown > docs/settings.md"; false; }
}

@test "an unknown command: the nearest, or the help" {
    refuses "there is no command 'aneal'; did you mean anneal?" aneal
    refuses "there is no command 'frobnicate'; see spinney --help" frobnicate
}

@test "output that cannot be written is a failed run" {
    [ -e /dev/full ] || skip "no /dev/full here"
    for words in --help --version --man "--man train" --completion --settings-markdown \
        "anneal --help" "sweep --help"; do
        run bash -c '"$0" '"$words"' > /dev/full' "$SPINNEY"
        echo "$words: $output"
        [ "$status" -eq 1 ]
        [[ "$output" == *": stdout cannot be written: No space left on device" ]]
    done
    run --separate-stderr bash -c '"$0" anneal --energy bits --random 9,3,1 --steps 9 > /dev/full' "$SPINNEY"
    [ "$status" -eq 1 ]
    [ "$stderr" = "spinney anneal: stdout cannot be written: No space left on device" ]
    run --separate-stderr bash -c '"$0" anneal --energy bits --random 9,3,1 --steps 9 --json > /dev/full' "$SPINNEY"
    [ "$status" -eq 1 ]
    [ "$stderr" = "spinney anneal: stdout cannot be written: No space left on device" ]
}
