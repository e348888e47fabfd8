# Graphs in their formats, as a user gives them.
load helpers

# Block k, from 1, of the examples of graphs in docs/file-formats.md.
example() {
    sed -n '/^### Graphs/,/^### Table/p' "$BATS_TEST_DIRNAME/../../docs/file-formats.md" |
        awk -v k="$1" '/^```$/ { inside = !inside; n += inside; next } inside && n == k'
}

# The least energy: `least ENERGY FILE OPTIONS...`
least() {
    spinney exact --energy "$1" --graph "$2" --json --quiet "${@:3}" | json 'd["results"]["E_min"]'
}

@test "the examples of the docs, plain and gzipped, have the minima that one finds by hand" {
    for k in 1 2 3 4 5; do
        example $k > "g$k"
        gzip -k "g$k"
    done
    for end in "" .gz; do
        [ "$(least maxcut g1$end)" = -6 ]
        [ "$(least ising g1$end)" = -6 ]
        [ "$(least ising g2$end)" = -0.75 ] # s = -1 -1
        [ "$(least qubo g2$end)" = -0.25 ]  # x = 1 1
        [ "$(least qubo g3$end)" = -1 ]
        [ "$(least ising g4$end)" = -1 ]    # twice 0.5, the spins opposite
        [ "$(least maxcut g4$end)" = -0.5 ]
        [ "$(least qubo g5$end)" = -3 ]     # b alone
        [ "$(least ising g5$end)" = -6 ]    # a = -1, b = 1
    done
}

@test "the name or graph-format says what the content cannot" {
    printf '0 1 2\n1 0 3\n2 3 0\n' > list
    cp list matrix.csv
    [ "$(least qubo list)" = 0 ]
    [ "$(spinney exact --energy qubo --graph list --json --quiet | json 'd["results"]["N"]')" = 4 ]
    [ "$(spinney exact --energy qubo --graph matrix.csv --json --quiet | json 'd["results"]["N"]')" = 3 ]
    [ "$(least ising list --graph-format dense)" = "$(least ising matrix.csv)" ]
    [ "$(least maxcut matrix.csv)" = -5 ]
    [ "$(least ising matrix.csv --graph-format coo)" = "$(least ising list)" ]
}

@test "an offset is part of energies, once, and of targets" {
    printf '# offset 0.5\n0 1 1\n' > g
    [ "$(least ising g)" = -0.5 ]
    [ "$(least ising g --offset 0.25)" = -0.25 ]
    run --separate-stderr spinney anneal --energy ising --graph g --offset 0.25 --target -0.25 --target-by any \
        --json
    [ "$(json 'd["results"]["best_energy"], d["results"]["stop"]' <<< "$output")" = "-0.25 target" ]
}

@test "names of variables are those of the states" {
    printf 'left right -1\nright right 0.5\n' > g
    run --separate-stderr spinney anneal --energy qubo --graph g --out states.csv
    [ "$(head -1 states.csv)" = energy,count,left,right ]
    [ "$(sed -n 2p states.csv | cut -d, -f1,3-)" = -0.5,1,1 ]
}
