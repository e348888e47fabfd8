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

@test "exact --help" {
    run spinney exact --help
    [ "$status" -eq 0 ]
    matches_expected help-exact.txt
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

@test "the completion script knows every option of the help" {
    spinney --completion > completion
    bash -n completion
    for command in train eval predict export show anneal exact plot records report sweep; do
        for option in $(spinney $command --help | grep -o '^  --[a-z-]*'); do
            grep -q -- "^    $command) .*$option[ \"]" completion
        done
    done
    bash -c 'source ./completion; COMP_WORDS=(spinney anneal --rep); COMP_CWORD=2; _spinney
        [ "${COMPREPLY[*]}" = --replicas ]'
}

@test "an unknown command: the nearest, or the help" {
    refuses "there is no command 'aneal'; did you mean anneal?" aneal
    refuses "there is no command 'frobnicate'; see spinney --help" frobnicate
}

@test "output that cannot be written is a failed run" {
    [ -e /dev/full ] || skip "no /dev/full here"
    run --separate-stderr bash -c '"$0" anneal --energy bits --random 9,3,1 --steps 9 > /dev/full' "$SPINNEY"
    [ "$status" -eq 1 ]
    [ "$stderr" = "spinney anneal: stdout cannot be written" ]
    run --separate-stderr bash -c '"$0" anneal --energy bits --random 9,3,1 --steps 9 --json > /dev/full' "$SPINNEY"
    [ "$status" -eq 1 ]
    [ "$stderr" = "spinney anneal: stdout cannot be written" ]
}
