# Help and version texts, completions, the manual, and how commands are chosen.
load helpers

# Every command of the overview.
commands() {
    spinney --help | sed -n 's/^  \([a-z]*\)  .*/\1/p'
}

# Every option of a command, from its full help.
options() {
    spinney "$1" --help-all | grep -o '^  --[a-z-]*'
}

# The examples in the help of a command, one per line.
examples() {
    spinney "$1" --help | sed -n '/^Examples$/,/^$/s/^  //p'
}

@test "--version" {
    run spinney --version
    [ "$status" -eq 0 ]
    [[ $output =~ ^spinney\ [0-9]+\.[0-9]+\.[0-9]+(\+g[0-9a-f]{7,}(-dirty)?)?$ ]]
}

@test "--help, -h and help are the same overview, on one screen" {
    run spinney --help
    [ "$status" -eq 0 ]
    [[ ${lines[0]} == "spinney "*": "* ]]
    [[ ${lines[1]} == "Usage: spinney COMMAND [options]" ]]
    [ "$(wc -l <<< "$output")" -le 26 ]
    [ "$(wc -L <<< "$output")" -le 80 ]
    [ "$(spinney -h)" = "$output" ]
    [ "$(spinney help)" = "$output" ]
    [ "$(commands | wc -l)" -ge 13 ]
}

@test "-V and version print the version" {
    [ "$(spinney -V)" = "$(spinney --version)" ]
    [ "$(spinney version)" = "$(spinney --version)" ]
}

@test "help COMMAND is the help of a command" {
    for command in train anneal plot sweep; do
        [ "$(spinney help $command)" = "$(spinney $command --help)" ]
        [ "$(spinney $command -h)" = "$(spinney $command --help)" ]
    done
    run spinney help anmeal
    [ "$status" -eq 2 ]
    [[ $output == *"there is no command 'anmeal'; did you mean anneal?"* ]]
}

@test "no command: the overview, and exit status 2" {
    run spinney
    [ "$status" -eq 2 ]
    [ "$output" = "$(spinney --help)" ]
}

@test "the help of every command fits a screen, and says where all options are" {
    for command in $(commands); do
        spinney "$command" --help > help
        echo "$command: $(wc -lL < help)"
        [ "$(wc -l < help)" -le 40 ]
        [ "$(wc -L < help)" -le 100 ]
        [ "$(head -3 help | tail -1 | cut -d' ' -f1-4)" = "Usage: spinney $command [options]" ]
        [ "$(examples "$command" | wc -l)" -eq 3 ]
        all=$(options "$command" | wc -l)
        grep -qxF "All $all options: spinney $command --help-all, man spinney-$command" help
    done
}

@test "the short help has some of the options of the full one, which has every setting" {
    for command in $(commands); do
        options "$command" | sort > all
        spinney "$command" --help | grep -o '^  --[a-z-]*' | sort > some
        [ -s some ]
        [ -z "$(comm -13 all some)" ]
        [ -z "$(uniq -d all)" ]
        [ "$(spinney "$command" --help-all | wc -L)" -le 100 ]
        [ -z "$(spinney "$command" --help-all | tr -cd '`')" ]
    done
    # the tables as another surface has them
    spinney --settings-markdown > settings.md
    while read -r task name; do
        spinney "$task" --help-all | grep -q -- "^  --$name\\b"
    done < <(awk '/^### Settings of/ { task = $4 } /^### (Presets|Results)/ { task = "" }
        task && /^\|`/ { split($0, cell, "`"); print task, cell[2] }' settings.md)
    [ "$(spinney anneal --help | grep -c '^  --')" -le 15 ]
    [[ $(spinney anneal --help-all | xargs -d '\n' | tr -s ' ') == *"With more than one read of a graph, --replicas defaults to 1"* ]]
}

@test "the examples of the help run as they are written" {
    printf 'milk milk -3\nmilk bread 2\nbread bread -4\neggs eggs -1\neggs milk -2.5\n' > shopping.txt
    printf '5 6\n1 2 1\n2 3 1\n3 4 1\n4 5 1\n5 1 1\n1 3 1\n' > G1.txt
    printf 'max\n value: 2 a + 3 b\nst\n room: a + b <= 1\nbin\n a b\nend\n' > plan.lp
    printf 'p cnf 2 2\n1 2 0\n-1 2 0\n' > clauses.cnf
    printf 'x y 2\nx -3\n' > sum.coo
    printf '0 1 1\n1 2 -1\n2 3 1\n3 0 1\n0 2 -1\n' > glass.txt
    for i in $(seq 60); do echo "$((i % 7)),$((i % 5)),$((i % 3 > 0))"; done > samples.csv
    python3 -c 'print("\n".join(",".join(str((i * j) % 17) for j in range(64)) for i in range(5)))' > new.csv
    spinney anneal --energy bits --random 101,30,1 --steps 1000 --quiet --trace trace.csv > out
    cat > gamma.yaml <<'END'
name: gamma
task: anneal
settings: {energy: bits, random: "31,9", sweeps: 20}
grid:
  - {setting: gamma, values: [0, 0.5]}
figures:
  - {name: overlap, x: gamma, value: overlap}
END
    drawing=$(command -v gnuplot || true)
    for command in $(commands); do # train comes first: others use its models
        while read -r example; do
            [ -n "$drawing" ] || [[ $example != *.svg* && $example != *" report "* ]] || continue
            echo "$example"
            eval "$example" > out 2> err || { cat err; false; }
        done < <(examples $command)
    done
    grep -q -- '-8.5' states.csv
    for file in digits.spn network.spn samples.spn digits.h weights.npy weights.png gamma.csv; do
        [ -s $file ]
    done
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
    [ "$(spinney --completion bash)" = "$(cat completion)" ]
    bash -n completion
    mkdir folder && cd folder && cp ../completion . && touch graph.txt model.spn
    completes "predict" spinney pre
    completes "entropy eval exact export" spinney e
    completes "--help" spinney --h
    completes "anneal" spinney --man ann
    completes "zsh" spinney --completion z
    completes "--reads --replicas --resume" spinney anneal --re
    completes "--help --help-all" spinney anneal --he
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
    refuses "--completion: there is no shell 'tcsh'; give bash, zsh or fish" --completion tcsh
}

@test "completion for zsh" {
    spinney --completion zsh > _spinney
    [ "$(head -1 _spinney)" = "#compdef spinney" ]
    for command in $(commands); do
        for option in $(options "$command"); do
            sed -n "/^    $command)\$/,/;;\$/p" _spinney | grep -q -- "'$option[=[]"
        done
    done
    command -v zsh > /dev/null || skip "zsh is not installed"
    zsh -n _spinney
    # each command's list of options, as _arguments gets it
    zsh -f -c 'compdef() { :; }; _describe() { :; }; compadd() { :; }
        _arguments() { print -rl -- "$@"; }
        source ./_spinney; words=(spinney anneal --k); CURRENT=3; _spinney' > given
    grep -qx -- '--kernel=\[acceptance rule .*:NAME:(two-stage one-stage heat-bath)' given
    grep -qx -- '--graph=\[.*:FILE:_files' given
    grep -qx -- '--json\[.*\]' given
}

@test "completion for fish" {
    spinney --completion fish > spinney.fish
    for command in $(commands); do
        for option in $(options "$command"); do
            grep -q -- "from $command' -l ${option#--}\\b" spinney.fish
        done
    done
    command -v fish > /dev/null || skip "fish is not installed"
    fish --no-execute spinney.fish
    export HOME=$scratch
    fish_offers() {
        fish --no-config -c "source spinney.fish; complete -C '$1'" | cut -f1 | sort | paste -sd ' '
    }
    [ "$(fish_offers 'spinney pre')" = predict ]
    [ "$(fish_offers 'spinney anneal --kernel tw')" = two-stage ]
    [ "$(fish_offers 'spinney anneal --repl')" = --replicas ]
    [[ " $(fish_offers 'spinney anneal --graph spinn') " == *" spinney.fish "* ]]
}

@test "every option of the help is completed, and in the manual, which mandoc finds nothing wrong with" {
    spinney --completion > completion
    for command in $(commands); do
        spinney --man $command > $command.1
        for option in $(options $command); do
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
    for words in --help --version --man "--man train" --completion "--completion zsh" --settings-markdown \
        "anneal --help" "anneal --help-all" "sweep --help"; do
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
