# README and docs/: what they show is what the program prints, and every link leads somewhere.
bats_require_minimum_version 1.5.0
load helpers

setup() {
    ROOT=$(realpath "$BATS_TEST_DIRNAME/../..")
    SPINNEY=$(realpath "${SPINNEY:-$ROOT/build/spinney}")
    cd "$BATS_TEST_TMPDIR"
    mkdir build
    ln -s "$SPINNEY" build/spinney
}

teardown() {
    :
}

# Block k, from 1, of the commands in README; block k of the output that it shows.
commands() { awk -v k="$1" '/^```sh$/ { n++; inside = 1; next } /^```/ { inside = 0 } inside && n == k' "$ROOT/README.md"; }
shown() { awk -v k="$1" '/^```$/ && !inside { n++; inside = 1; next } /^```[a-z]/ { other = 1; inside = 1; next }
                         /^```$/ { inside = other = 0; next } inside && !other && n == k' "$ROOT/README.md"; }

@test "README has at most 120 lines" {
    [ "$(wc -l < "$ROOT/README.md")" -le 120 ]
}

@test "README's first result is what the program prints" {
    commands 1 | grep -v '^make ' > first
    [ "$(grep -c 'build/spinney' first)" -eq 2 ]
    run bash -e first
    [ "$status" -eq 0 ]
    # instruction sets may differ in the last digits of a training: the table's shape, and two digits of it
    shown 1 | awk 'NR > 1 { print $1, substr($2, 1, 3) }' > expected
    [ "$(wc -l < expected)" -eq 4 ]
    awk '$1 == "p" && $2 == "accuracy" { table = 1; next } table && NF == 4 { print $1, substr($2, 1, 3) } !NF { table = 0 }' \
        <<< "$output" > printed
    diff expected printed
}

@test "README's QUBO and its bag are solved as it says" {
    commands 2 > own
    run bash -e own
    [ "$status" -eq 0 ]
    shown 2 > expected
    [ "$(wc -l < expected)" -eq 2 ]
    [[ "$output" == *"$(cat expected)"* ]]
    [ -s states.csv ]
    commands 3 > own
    run bash -e own
    [ "$status" -eq 0 ]
    shown 3 > expected
    [ "$(wc -l < expected)" -eq 2 ]
    [[ "$output" == *"$(cat expected)"* ]]
}

@test "every link of README and docs leads to a file, and to a heading of it" {
    run python3 - "$ROOT" <<'END'
import pathlib, re, sys
root = pathlib.Path(sys.argv[1])
pages = [root / "README.md", root / "CONTRIBUTING.md", root / "experiments/README.md", *root.glob("docs/**/*.md")]
def anchors(page):
    heads = re.findall(r"^#+ (.*)$", re.sub(r"^```.*?^```", "", page.read_text(), flags=re.M | re.S), re.M)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}
bad, links = [], 0
for page in pages:
    text = re.sub(r"^```.*?^```", "", page.read_text(), flags=re.M | re.S)
    for link in re.findall(r"\]\(([^)]+)\)", text):
        if "://" in link:
            continue
        links += 1
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        if not target.exists():
            bad.append(f"{page.relative_to(root)}: no {link}")
        elif anchor and anchor not in anchors(target):
            bad.append(f"{page.relative_to(root)}: no heading #{anchor} in {path}")
print("\n".join(bad) or f"{links} links")
sys.exit(bool(bad) or links < 100)
END
    echo "$output"
    [ "$status" -eq 0 ]
}

@test "docs/README.md has every page of docs" {
    for page in "$ROOT"/docs/*.md; do
        name=$(basename "$page")
        [ "$name" = README.md ] || grep -q "](${name}" "$ROOT/docs/README.md" || { echo "not listed: $name"; false; }
    done
    for page in "$ROOT"/docs/*/*.md; do
        name=${page#"$ROOT"/docs/}
        grep -qF "](${name})" "$ROOT/docs/README.md" || grep -qF "](${name%/*}/" "$ROOT/docs/README.md" || { echo "not listed: $name"; false; }
    done
}

@test "the site's navigation has every page of docs" {
    for page in "$ROOT"/docs/*.md "$ROOT"/docs/*/*.md; do
        name=${page#"$ROOT"/docs/}
        [ "$name" = README.md ] ||
            grep -q " ${name}$" "$ROOT/mkdocs.yml" || { echo "not in mkdocs.yml: $name"; false; }
    done
}

@test "every file of src, include, tests and scripts that docs name is there" {
    run bash -c "cd '$ROOT' && grep -ohE '\`(src|include|tests|scripts|examples|experiments|bench|python)/[A-Za-z0-9_./-]+\`' \
        README.md CONTRIBUTING.md docs/*.md docs/adding/*.md | tr -d '\`' | sort -u |
        grep -vE 'NAME|\.\.\.|/records/' | while read -r file; do [ -e \"\$file\" ] || echo \"\$file\"; done"
    echo "$output"
    [ -z "$output" ]
}

@test "every function and type of spinney that docs name is declared" {
    cat "$ROOT"/include/spinney/*.h "$ROOT"/include/spinney/lab/*.h "$ROOT"/src/*/*.[ch] "$ROOT"/src/*/*/*.[ch] |
        grep -oE '\bspn_[a-z0-9_]+' | sort -u > declared
    grep -ohE '\bspn_[a-z0-9_]+' "$ROOT"/README.md "$ROOT"/docs/*.md "$ROOT"/docs/adding/*.md | sort -u > named
    [ "$(wc -l < named)" -gt 30 ]
    comm -13 declared named | tee missing
    [ ! -s missing ]
}

@test "every function in the walk of a run is defined in the file that docs/design.md names" {
    run python3 - "$ROOT" <<'END'
import pathlib, re, sys
root = pathlib.Path(sys.argv[1])
walk = (root / "docs/design.md").read_text().split("## The walk of a run")[1].split("\n## ")[0]
named = re.findall(r"`(\w+)`\s+\(`([\w/.]+)`\)", walk) + re.findall(r"\(`(\w+)`, `([\w/.]+)`\)", walk)
bad = []
for name, file in named:
    text = (root / file).read_text() if (root / file).exists() else ""
    defined = re.search(rf"^(?:def|class) {name}\b|^[a-z][^;{{}}=\n]*\b{name}\(", text, re.M)
    if not defined:
        bad.append(f"{name} is not in {file}")
print("\n".join(bad) or f"{len(named)} functions")
sys.exit(bool(bad) or len(named) < 50)
END
    echo "$output"
    [ "$status" -eq 0 ]
}
