# An energy of the user's own, in a shared object: everywhere that energies are named.
load helpers

plugins() {
    cp "$(dirname "$SPINNEY")"/tests/plugins/*.so .
}

@test "anneal and exact take it, with and without a slash" {
    plugins
    # 4 + 5 + 6 = 7 + 8
    run --separate-stderr spinney anneal --energy ./own_energy.so --energy-options 4,5,6,7,8 --json
    [ "$status" -eq 0 ]
    [ "$(json 'd["results"]["best_energy"] == 0' <<< "$output")" = True ]
    [ "$(json 'd["settings"]["energy"]' <<< "$output")" = ./own_energy.so ]
    printf '4 5\n6 7 8\n' > numbers
    run --separate-stderr spinney exact --energy own_energy.so --energy-file numbers --json
    [ "$status" -eq 0 ]
    [ "$(json 'd["results"]["E_min"] == 0 and d["results"]["minima_count"] == 2' <<< "$output")" = True ]
}

@test "the same run at any number of threads" {
    plugins
    run --separate-stderr spinney anneal --energy ./own_energy.so --energy-options 40,51,62,73,84,91 --steps 5000 --json
    one=$(json 'd["results"]' <<< "$output")
    run --separate-stderr spinney anneal --energy ./own_energy.so --energy-options 40,51,62,73,84,91 --steps 5000 \
        --threads 3 --json
    [ "$(json '{k: v for k, v in d["results"].items() if k != "seconds"}' <<< "$output")" = \
        "$(python3 -c "print({k: v for k, v in $one.items() if k != 'seconds'})")" ]
}

@test "what is refused" {
    plugins
    echo text > text.so
    refuses "--energy: ./none.so: cannot be opened: No such file" anneal --energy ./none.so
    refuses "--energy: text.so: is no shared object that can be loaded: file too short" \
        anneal --energy text.so
    refuses "--energy: ./newer_energy.so: its table \`spinney_energy\` has version 2, and this spinney knows 1" \
        anneal --energy ./newer_energy.so
    refuses "--energy: ./small_energy.so: its table \`spinney_energy\` says that it has 24 bytes" \
        anneal --energy ./small_energy.so
    refuses "--energy: ./nameless_energy.so: has no table \`spinney_energy\`" \
        anneal --energy ./nameless_energy.so
    refuses "--energy: ./talking_energy.so: two lines" anneal --energy ./talking_energy.so
    refuses "--energy: ./own_energy.so: no numbers: give energy-options" anneal --energy ./own_energy.so
    refuses "--energy: 'own_energy' is not one of errors, product" anneal --energy own_energy
    refuses "--energy-options: cannot be combined with energy bits, which takes patterns" \
        anneal --energy bits --random 9,3,1 --energy-options 4
    refuses "--graph: cannot be combined with energy ./own_energy.so, which takes energy-options" \
        anneal --energy ./own_energy.so --energy-options 4,5 --graph x
    refuses "--energy-file: cannot be the standard input; give a file" \
        anneal --energy ./own_energy.so --energy-file -
    refuses "--energy-file: none: cannot be opened" \
        anneal --energy ./own_energy.so --energy-file none
}

@test "a sweep finds it beside its file, and refuses another one of that name" {
    mkdir beside
    (cd beside && plugins)
    echo "4 5 6 7 8" > beside/numbers
    cat > beside/sweep.yaml <<'END'
name: mine
task: anneal
runs: 2
settings:
  energy: ./own_energy.so
  energy-file: numbers
  steps: 2000
  beta: 0.01:1
grid:
  - setting: gamma
    values: [0, 0.5]
END
    run spinney sweep beside/sweep.yaml --out out
    echo "$output"
    [ "$status" -eq 0 ]
    run spinney sweep beside/sweep.yaml --out out --set runs=3
    [ "$status" -eq 0 ]
    echo "4 5 6 7 9" > beside/numbers
    refuses "energy-file" sweep beside/sweep.yaml --out out --set runs=4
    echo "4 5 6 7 8" > beside/numbers
    cp beside/silent_energy.so beside/own_energy.so
    refuses "energy" sweep beside/sweep.yaml --out out --set runs=4
}
