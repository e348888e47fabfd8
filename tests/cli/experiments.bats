# The script that runs the experiments: what it runs with --quick is valid, and every figure of it
# can be reported. Here on small data, for a few steps.
load helpers

reproduce() {
    SPINNEY=$PWD/program RECORDS=$PWD/records JOBS=2 \
        "$BATS_TEST_DIRNAME/../../scripts/reproduce" "$@"
}

# The program, with less to do.
make_program() {
    cat > program << END
#!/bin/bash
case \$1,\$2 in
sweep,*synthetic*) exec "$SPINNEY" "\$@" --quiet --set steps=20 --set runs=2 ;;
sweep,*) exec "$SPINNEY" "\$@" --quiet --set steps=20 --set data=digits ;;
report,*) exec "$SPINNEY" "\$@" --no-pictures ;;
esac
END
    chmod +x program
}

@test "every experiment runs with --quick and is reported" {
    make_program
    reproduce --quick
    for file in "$BATS_TEST_DIRNAME"/../../experiments/*.yaml; do
        [ -s "records/$(basename "$file" .yaml)/report.html" ]
    done
}

@test "an unknown experiment is refused, with those that there are" {
    make_program
    run -2 reproduce --quick gamma nothing
    [[ "$output" == *"no experiment 'nothing'; there are: synthetic beta-grid gamma"* ]]
    [ ! -e records ]
}

@test "the records in the tree can be read, plain or archived, and make the tables that are there" {
    tree=$BATS_TEST_DIRNAME/../../experiments/records
    for folder in "$tree"/*/; do
        spinney records "$folder" --json > all.json
        [ "$(json "d['missing'], d['torn'], d['others']" < all.json)" = "0 0 0" ]
    done
    [ -s "$tree/starts/manifest.jsonl" ] && [ -s "$tree/gamma/manifest.jsonl.gz" ]
    for name in starts gamma; do
        spinney report "$tree/$name" --no-pictures --quiet -o page.html --figures figures > /dev/null
        for table in "$tree/$name"/figures/*.md; do
            cmp "$table" "figures/$(basename "$table")"
        done
    done
}

study() {
    SPINNEY=$SPINNEY RECORDS=$PWD/records JOBS=2 "$BATS_TEST_DIRNAME/../../scripts/study" "$@"
}

@test "a study runs every sweep of its folder and reports it, also joined records" {
    study exact > out
    for file in "$BATS_TEST_DIRNAME"/../../experiments/exact/*.yaml; do
        [ -s "records/$(basename "$file" .yaml)/report.html" ]
    done
    study hard alpha > out
    cmp records/alpha/figures/solved.md "$BATS_TEST_DIRNAME/../../experiments/hard/records/alpha/figures/solved.md"
    run -2 study hard nothing
    [[ "$output" == *"no 'nothing' in hard; there are: alpha-anneal"* ]]
    run -2 study nothing
}

@test "every sweep of committees has its records" {
    root=$BATS_TEST_DIRNAME/../..
    for file in "$root"/experiments/committee/*.yaml; do
        spinney records "$root/experiments/committee/records/$(basename "$file" .yaml)" --json > all.json
        [ "$(json "d['missing'], d['torn'], d['others']" < all.json)" = "0 0 0" ]
    done
}

@test "the records of the studies make the tables that are there" {
    root=$BATS_TEST_DIRNAME/../..
    for folder in "$root"/experiments/{hard,committee,networks}/records/*/; do
        name=$(basename "$folder")
        what=$folder
        [ -e "$folder/sweep.json" ] || what=$root/experiments/hard/$name.yaml
        "$SPINNEY" report "$what" --out "$name.html" --figures "$name" --no-pictures > /dev/null
        for table in "$folder"/figures/*.md; do
            [ -e "$table" ] || continue
            diff "$table" "$name/$(basename "$table")"
        done
    done
}
