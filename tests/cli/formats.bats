# Files of earlier releases (tests/formats): what the promise of docs/design.md says is read, is read as the release read it.
load helpers

samples() {
    formats=$(realpath "$BATS_TEST_DIRNAME/../formats")
    cp -r "$formats"/[0-9]* "$formats"/*.txt "$formats"/*.csv .
    releases=([0-9]*)
    [ ${#releases[@]} -ge 4 ]
}

@test "models and records of every release have the values that the release found in them" {
    samples
    for release in "${releases[@]}"; do
        while read -r name values; do
            case $name in
            tiny.csv) spinney records "$release/tiny" --csv said > out ;;
            table.spn) spinney eval "$release/$name" --data table.csv --json > said ;;
            *) spinney eval "$release/$name" --data digits --json > said ;;
            esac
            [ "$(/usr/bin/python3 "$formats/values.py" "$name" said)" = "$name $values" ]
        done < "$release/values.txt"
        [ ! -e "$release/tiny" ] || spinney report "$release/tiny" --no-pictures --quiet -o page.html
    done
}

@test "states and traces of every release" {
    samples
    for release in "${releases[@]}"; do
        spinney anneal --energy ising --graph graph.txt --replicas 2 --init "$release/states.csv" --steps 1 --trace trace.csv > out
        [ "$(sed -n 2p trace.csv | cut -d, -f6,7 | tr , '\n' | sort | xargs)" = "-1.5 -3.5" ] # as they start
        spinney plot "$release/trace.csv" | grep -q "trace.csv: energy"
    done
}

@test "a checkpoint of another release is refused, and stays as it is" {
    samples
    for release in "${releases[@]}"; do
        local task=(anneal --energy ising --graph graph.txt --replicas 2)
        case $release in 0.1 | 0.2) task=(train --data digits --preset paper) ;; esac
        failed=0
        spinney "${task[@]}" --steps 4000000000 --seed 1 --checkpoint "$release/checkpoint" > out 2> err || failed=$?
        [ $failed -ne 0 ] && [ "$(wc -l < err)" -eq 1 ]
        grep -qE "$release/checkpoint: .*(spinney 0\.3 or earlier|its version is \"$release|byte 8: version)" err # the last: the other order of bytes
        cmp "$release/checkpoint" "$formats/$release/checkpoint"
    done
}
