# spinney report: the figures, tables and page of a sweep.
load helpers

make_sweep() {
    "$(dirname "$SPINNEY")/tests/make_sweep" "$@"
}

needs_gnuplot() {
    command -v gnuplot > /dev/null || skip "gnuplot is not installed"
}

# A PATH without gnuplot.
no_gnuplot() {
    mkdir -p empty
    env PATH="$PWD/empty" "$SPINNEY" "$@"
}

@test "every figure, its script and data, the tables and the page" {
    needs_gnuplot
    make_sweep s
    run --separate-stderr spinney report s
    [ "$status" -eq 0 ]
    [ -z "$stderr" ]
    matches_expected report-sweep.txt
    for name in test-accuracy loss-map-heat flips kernels; do
        for ending in svg pdf png gp; do [ -s s/figures/$name.$ending ]; done
        python3 -c 'import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])' s/figures/$name.svg
        head -c 4 s/figures/$name.pdf | grep -q '%PDF'
        [ "$(head -c 4 s/figures/$name.png | tail -c 3)" = PNG ]
    done
    # what is listed is all there is
    [ "$(sed -n 's/^wrote //p' <<< "$output" | sort)" = "$(find s/figures s/report.html -type f -not -name ".*" | sort)" ]
    run cat s/figures/test-accuracy.md
    matches_expected report-test-accuracy.md
}

@test "the numbers are those of the records" {
    make_sweep s
    spinney report s --no-pictures > /dev/null
    python3 - <<'END'
import csv, json, math, statistics
runs = [json.loads(line) for line in open("s/manifest.jsonl")]
rows = list(csv.DictReader(open("s/figures/test-accuracy.csv")))
assert len(rows) == 11, len(rows)
for row in rows:
    mine = [r["results"]["test_accuracy"] for r in runs
            if r["settings"]["gamma"] == row["gamma"] and r["settings"]["replicas"] == row["replicas"]]
    assert len(mine) == int(row["runs"])
    if not mine:
        assert row["mean"] == "" and row["gamma"] == "1.6" and row["reference"] == "0.84"
        continue
    half = 3.18244630528370959 * statistics.stdev(mine) / 2
    assert math.isclose(float(row["mean"]), statistics.mean(mine), rel_tol=1e-14)
    assert math.isclose(float(row["half"]), half, rel_tol=1e-12)
    if row["reference"]:
        theirs = float(row["reference_half"] or 3.18244630528370959 * statistics.stdev(mine))
        joint = math.hypot(half, theirs)
        apart = (statistics.mean(mine) - float(row["reference"])) / joint
        assert math.isclose(float(row["joint"]), joint, rel_tol=1e-12)
        assert math.isclose(float(row["difference"]), apart, rel_tol=1e-9, abs_tol=1e-12)
for row in csv.DictReader(open("s/figures/flips.csv")):
    mine = [a for r in runs if r["settings"]["gamma"] == row["gamma"]
            for p, a in zip(r["curves"]["flips"]["p"], r["curves"]["flips"]["accuracy"])
            if p == float(row["flips.p"])]
    assert len(mine) == 8 and math.isclose(float(row["mean"]), statistics.mean(mine), rel_tol=1e-14)
END
}

@test "a script draws its figure again, by itself and wherever it is" {
    needs_gnuplot
    make_sweep s
    spinney report s > /dev/null
    mkdir elsewhere
    cp s/figures/test-accuracy.{gp,csv} s/figures/loss-map{-heat.gp,.csv} elsewhere
    cd elsewhere
    gnuplot test-accuracy.gp
    gnuplot loss-map-heat.gp
    cmp test-accuracy.svg ../s/figures/test-accuracy.svg
    cmp loss-map-heat.svg ../s/figures/loss-map-heat.svg
    [ -s test-accuracy.pdf ]
    [ -s test-accuracy.png ]
}

@test "the same records, the same page" {
    make_sweep s
    spinney report s --no-pictures -o a.html --figures figures > /dev/null
    spinney report s --no-pictures --out b.html --figures figures --quiet > output
    cmp a.html b.html
    ! grep -q wrote output || false
    [ ! -e s/report.html ]
    [ ! -e s/figures ]
    [ -s figures/test-accuracy.gp ]
    [ ! -e figures/test-accuracy.svg ]
}

@test "the page needs nothing from outside" {
    make_sweep s
    spinney report s --no-pictures > /dev/null
    python3 - <<'END'
import html.parser, json
class Page(html.parser.HTMLParser):
    data, inside, ids, tables = "", False, [], 0
    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        assert "src" not in attributes or attributes["src"].startswith("data:"), attributes
        assert tag not in ("link", "iframe", "object", "embed"), tag
        if tag == "a": assert attributes["href"].startswith("data:" if "download" in attributes else "#")
        if "id" in attributes: self.ids.append(attributes["id"])
        self.tables += tag == "table"
        self.inside = attributes.get("id") == "data"
    def handle_data(self, data):
        if self.inside: self.data += data
page = Page()
page.feed(open("s/report.html").read())
assert len(page.ids) == len(set(page.ids))
assert page.tables >= 8, page.tables
runs = json.loads(page.data)["runs"]
assert len(runs["rows"]) == 40 and runs["names"][:3] == ["gamma", "replicas", "run"]
assert runs["rows"][0][runs["names"].index("seed")] == "9007199254740993"
END
}

@test "without gnuplot: one line, scripts and data, and a page" {
    make_sweep s
    run --separate-stderr no_gnuplot report s
    [ "$status" -eq 0 ]
    [ "$stderr" = "spinney report: gnuplot is not installed (Debian: gnuplot-nox): no pictures, but their scripts and data are written" ]
    [ -s s/figures/flips.gp ]
    [ -s s/figures/flips.csv ]
    [ -s s/figures/test-accuracy.md ]
    [ ! -e s/figures/flips.svg ]
    [ -s s/report.html ]
}

@test "an axis of no positive number is linear" {
    needs_gnuplot
    make_sweep s
    # the reference has positive gammas, and would make it logarithmic
    printf 'gamma,replicas,test_accuracy\n0,3,0.8\n' > s/reference/gamma.csv
    run --separate-stderr spinney report s --where gamma=0
    [ "$status" -eq 0 ]
    [ -z "$stderr" ]
    ! grep -q 'logscale x' s/figures/test-accuracy.gp
    [ -s s/figures/test-accuracy.png ] && [ -s s/report.html ]
}

@test "a figure that gnuplot fails on does not stop the rest" {
    needs_gnuplot
    make_sweep s
    spinney report s > /dev/null
    real=$(command -v gnuplot)
    mkdir bin
    cat > bin/gnuplot <<END
#!/bin/sh
case "\$3" in
./flips.gp) eval "\$2"; echo half > "flips.svg\$ending"; printf 'plot x\n     ^\n"./flips.gp" line 3: it is late\n\n' >&2; exit 1 ;;
./kernels.gp) exit 1 ;;
*) exec $real "\$@" ;;
esac
END
    chmod +x bin/gnuplot
    rm s/report.html s/figures/loss-map-heat.svg
    run --separate-stderr env PATH="$PWD/bin:$PATH" "$SPINNEY" report s --static
    [ "$status" -eq 2 ]
    [ "$stderr" = "spinney report: figure flips: gnuplot failed on s/figures/flips.gp, line 3: it is late; and on 1 more" ]
    [ -s s/figures/loss-map-heat.svg ] && [ -s s/figures/flips.gp ] && [ -s s/figures/flips.csv ]
    # neither halves nor the pictures of before
    [ -z "$(find s -name '*.part' -o -name 'flips.svg' -o -name 'kernels.png')" ]
    [ "$(grep -c '<img class="picture" alt="Lines of' s/report.html)" -eq 1 ]
    [ "$(grep -c 'No picture was drawn' s/report.html)" -eq 2 ]
}

@test "a page of pictures" {
    needs_gnuplot
    make_sweep s
    spinney report s --static > /dev/null
    [ "$(grep -c '<img class="picture" alt="Lines of' s/report.html)" -eq 3 ]
    ! grep -q 'var uPlot=' s/report.html || false
}

@test "a sweep that is still running" {
    make_sweep s partial
    run --separate-stderr spinney report s --no-pictures
    [ "$status" -eq 0 ]
    [ "${lines[0]}" = "24 of 40 runs are finished" ]
    [[ "$output" == *"test-accuracy: 6 points, 5 of 5 within the joint 95% interval of the paper"* ]]
    [[ "$output" == *"figure later: no run has the result 'energy'"* ]]
    grep -q '>Nothing to show yet (figure later' s/report.html
    grep -q '>no data yet<' s/report.html
    grep -q '<strong>24 of 40 runs</strong> are finished' s/report.html
    [ ! -e s/figures/later.csv ]
}

@test "where there is no spread, nothing is compared; what a finished sweep does not have, it will not" {
    make_sweep s odd
    run --separate-stderr spinney report s --no-pictures --quiet
    [ "$status" -eq 0 ]
    [ "${lines[5]}" = "exact: 5 points" ]
    run cat s/figures/exact.md
    matches_expected report-exact.md
    [ "$(cut -d, -f8-11,17 s/figures/exact.csv | sed -n '2p;5p')" = "0,,0,,0
0.001,,0,,0.4" ]
    [ "$(grep -ci 'inf' s/figures/exact.csv)" -eq 0 ]
    grep -q '>Nothing to show (figure never' s/report.html
    grep -q '>no data<' s/report.html
    grep -q 'The best of each column in bold' s/figures/flips.md
}

@test "numbers of any size are drawn, under titles that start with an apostrophe" {
    needs_gnuplot
    make_sweep s odd
    run --separate-stderr spinney report s
    [ "$status" -eq 0 ]
    [ -z "$stderr" ]
    for name in huge huge-heat; do
        [ -s s/figures/$name.pdf ] && [ -s s/figures/$name.png ]
        grep -q "'Huge'\|&#39;Huge&#39;\|&apos;Huge&apos;" s/figures/$name.svg
    done
    grep -q '9e+306' s/figures/huge-heat.svg
}

@test "one run has no interval, and none is spoken of" {
    make_sweep s
    unseal s/sweep.json
    sed -i 's/"runs": 4/"runs": 1/' s/sweep.json
    spinney report s --no-pictures --quiet --where 'run=1' --where 'gamma=0.4' --where 'replicas=3' > /dev/null
    run cat s/figures/test-accuracy.md
    [[ "$output" == *"test accuracy (%): one run; in brackets"* ]]
    [[ "$output" != *"interval (Student"* ]]
    [[ "$output" == *"With one run of ours nothing is compared."* ]]
    grep -q 'test accuracy (%) against γ, one run' s/report.html
    [ "$(grep -c '95% intervals' s/report.html)" -eq 0 ]
    [ "$(grep -c "Student's t" s/report.html)" -eq 0 ]
}

@test "a folder that cannot be written: where else things can go" {
    make_sweep s
    touch s/figures
    run --separate-stderr spinney report s --no-pictures -o page.html
    [ "$status" -eq 2 ]
    [ "$stderr" = "spinney report: s/figures: cannot be made: it is a file; --figures FOLDER puts the figures elsewhere" ]
    [ ! -e page.html ]
    run --separate-stderr spinney report s --no-pictures
    [[ "$stderr" == *"; --figures FOLDER and -o FILE write elsewhere" ]]
    spinney report s --no-pictures -o page.html --figures a/b/c > /dev/null
    [ -s page.html ]
    [ -s a/b/c/flips.csv ]
    mkdir s/report.html
    run --separate-stderr spinney report s --no-pictures --figures a
    [ "$status" -eq 2 ]
    [[ "$stderr" == *"s/report.html: is a folder"*"; -o FILE puts the page elsewhere" ]]
    run --separate-stderr spinney report s --no-pictures --figures page.html/b
    [ "$status" -eq 2 ]
    [[ "$stderr" == "spinney report: page.html/b: cannot be made: Not a directory" ]]
}

@test "titles are texts, not HTML, JavaScript or shell" {
    needs_gnuplot
    make_sweep s hostile
    spinney report s > /dev/null
    [ -z "$(find . -name 'pwned*')" ]
    ! grep -q '<b>' s/report.html || false
    ! grep -q '<!--' s/report.html || false
    [ "$(grep -o '<script' s/report.html | wc -l)" -eq "$(grep -o '</script>' s/report.html | wc -l)" ]
    python3 -c 'import xml.dom.minidom; xml.dom.minidom.parse("s/figures/test-accuracy.svg")'
}

@test "bad input" {
    make_sweep s
    make_sweep none empty
    touch file
    mkdir folder
    refuses "give one folder of a sweep, or the file of a joint report; see spinney report --help" report
    refuses "give one folder of a sweep, or the file of a joint report; see spinney report --help" report s none
    refuses "none: no run is finished yet; there is nothing to report" report none
    refuses "nowhere" report nowhere
    refuses "folder" report folder
    refuses "-o needs a value" report s -o
    run --separate-stderr spinney report s --figures file
    [ "$status" -eq 2 ]
    [[ "$stderr" == *"file: cannot be made"* ]]
    run --separate-stderr spinney report s --no-pictures -o folder
    [ "$status" -eq 2 ]
    [[ "$stderr" == *"folder: is a folder; give the name of a file"* ]]
    printf 'gamma,replicas\n0,3\n' > s/reference/gamma.csv
    run --separate-stderr spinney report s --figures new
    [ "$status" -eq 2 ]
    [[ "$stderr" == *"s/reference/gamma.csv: there is no column 'test_accuracy'"* ]]
    [ ! -e new ]
    make_sweep t
    unseal t/sweep.json
    sed -i 's/"name": "flips"/"name": "..\/flips"/' t/sweep.json
    run --separate-stderr spinney report t --no-pictures
    [ "$status" -eq 2 ]
    [[ "$stderr" == *"'../flips'"* ]]
    [ ! -e t/flips.csv ]
}

@test "conditions on the command line hold for every figure" {
    make_sweep s
    run spinney report s --no-pictures --quiet
    [ "$status" -eq 0 ]
    all=$(sed -n 's/^test-accuracy: \([0-9]*\) point.*/\1/p' <<< "$output")
    run spinney report s --no-pictures --quiet --where 'gamma<=0' -o part.html --figures part
    [ "$status" -eq 0 ]
    some=$(sed -n 's/^test-accuracy: \([0-9]*\) point.*/\1/p' <<< "$output")
    [ "$some" -gt 0 ]
    [ "$some" -lt "$all" ]
    refuses "--where: 'gamma<' is no condition" report s --where 'gamma<'
}

@test "distributions: a histogram of a column of all runs, in words, beside its data; points at a measured x" {
    cat > s.yaml <<'END'
name: s
task: anneal
runs: 6
settings: {energy: bits, sites: 31, steps: 300, beta: "0.3:4"}
grid:
  - {setting: alpha, values: [0.2, 0.4]}
keep: [replicas]
figures:
  - {name: overlaps, value: overlaps.overlap, by: alpha, as: [histogram]}
  - {name: when, value: solved, x: seconds, as: [lines, table]}
  - {name: share, value: solved, x: alpha, as: [table]}
END
    spinney sweep s.yaml --out s --quiet
    run --separate-stderr spinney report s --no-pictures --quiet
    [ "$status" -eq 0 ]
    [ "${lines[0]}" = "overlaps: 36 values" ]
    [ "${lines[1]}" = "when: 2 points" ]
    [ ! -e s/figures/overlaps.csv ]
    python3 - <<'END'
import csv
rows = list(csv.DictReader(open("s/figures/overlaps-histogram.csv")))
assert sum(int(row["count"]) for row in rows) == 36
for alpha in "0.2", "0.4":
    own = [row for row in rows if row["alpha"] == alpha]
    assert abs(sum(float(row["share"]) for row in own) - 1) < 1e-9
    assert all(abs(a - float(b["from"])) < 1e-9 for a, b in zip([float(r["to"]) for r in own], own[1:]))
END
    grep -q "set xlabel .overlap of two replicas" s/figures/overlaps-histogram.gp
    grep -q 'patterns per spin α = 0.2' s/figures/overlaps-histogram.gp
    grep -q 'Distribution of overlap of two replicas' s/report.html
    grep -q "set xlabel .time (s)" s/figures/when.gp
    grep -q 'share \[95% interval by Wilson' s/figures/share.md
    ! grep -q '± 0' s/figures/share.md
}

@test "files of figures that are no longer there are removed, and no others; zeros on a logarithmic axis are said" {
    specification() {
        printf 'name: s\ntask: anneal\nruns: 2\nsettings: {energy: bits, sites: 31, steps: 300, beta: "0.3:4"}\n'
        printf 'grid:\n  - {setting: alpha, values: [0.1, 2]}\nfigures:\n'
        printf '  - {name: %s, value: energy, x: alpha, as: [lines, table], log: [y]}\n' "$@"
    }
    specification one two > s.yaml
    spinney sweep s.yaml --out s --quiet
    run --separate-stderr spinney report s --no-pictures --quiet
    [ "${lines[0]}" = "one: 2 points; 1 point at 0 is not shown on the logarithmic axis" ]
    grep -q 'not shown on the logarithmic' s/figures/one.gp
    grep -q '1 point at 0 is not shown on the logarithmic axis' s/report.html
    touch s/figures/two.svg s/figures/mine.csv s/figures/two-mine.txt
    [ -e s/figures/two.csv ] && [ -e s/figures/two.md ]
    specification one > s.yaml
    spinney sweep s.yaml --out s --quiet
    printf '../../s.yaml\n/etc/nothing\n' >> s/figures/.report-files
    spinney report s --no-pictures --quiet > out
    [ "$(ls s/figures | paste -sd ' ')" = "mine.csv one.csv one.gp one.md one.tex two-mine.txt two.svg" ]
    [ -e s.yaml ]
    needs_gnuplot
    spinney report s --quiet > out
    spinney report s --no-pictures --quiet > out
    [ -e s/figures/one.svg ] # that of the script, which is still there
    specification three > s.yaml
    spinney sweep s.yaml --out s --quiet
    spinney report s --no-pictures --quiet > out
    [ ! -e s/figures/one.svg ] && [ ! -e s/figures/one.png ]
}

@test "cases and joined folders: methods side by side, their first hits and times to solution" {
    printf 'name: anneal\ntask: anneal\nruns: 4\nsettings: {energy: bits, alpha: 0.7, beta: "0.5:5"}\n' > a.yaml
    cat >> a.yaml << 'END'
grid:
  - setting: case
    cases:
      - {name: one, settings: {replicas: 1}}
      - {name: three, settings: {replicas: 3, gamma: 0.5}}
  - {setting: sites, values: [31, 61, 121]}
  - {setting: sweeps, values: [5, 50]}
figures:
  - {name: by, value: first_hit_steps, as: [survival], by: case, where: ["sites=61", "sweeps=50"]}
  - {name: tts, value: first_hit_proposals, tts: lengths, over: sweeps, x: sites, by: case,
     as: [lines, table], log: [x, y], trend: [power, exponential]}
END
    spinney sweep a.yaml --out a --quiet
    run --separate-stderr spinney report a --no-pictures --quiet
    [ "$status" -eq 0 ]
    matches_expected report-hits.txt
    run cat a/figures/tts.md
    matches_expected report-tts.md
    [ "$(ls a/figures | paste -sd ' ')" = "by-survival.csv by-survival.gp tts-lengths.csv tts-trend.csv tts.csv tts.gp tts.md tts.tex" ]
    [ "$(wc -l < a/figures/tts-lengths.csv)" -eq 13 ]
    grep -q 'Each length of a run' a/report.html
    # a case is its settings: the runs of a plain sweep are the same, and have the same keys
    printf 'name: plain\ntask: anneal\nruns: 4\nsettings: {energy: bits, alpha: 0.7, beta: "0.5:5", replicas: 3, gamma: 0.5}\n' > p.yaml
    printf 'grid:\n  - {setting: sites, values: [31, 61, 121]}\n  - {setting: sweeps, values: [5, 50]}\n' >> p.yaml
    spinney sweep p.yaml --out p --quiet
    spinney records a --where case=three --columns key,best_energy,first_hit_steps --csv a.csv
    spinney records p --columns key,best_energy,first_hit_steps --csv p.csv
    cmp a.csv p.csv
    spinney sweep a.yaml --set case=one --out one --quiet
    spinney records a --where case=one --columns key --csv a.csv
    spinney records one --columns key --csv p.csv
    cmp a.csv p.csv
    # joined: the plain ones are a case of their own
    cat > j.yaml << 'END'
name: joint
join:
  - {folder: a}
  - {folder: p, name: again}
figures:
  - {name: solved, value: solved, x: sites, by: case, as: [table]}
  - {name: tts, value: first_hit_proposals, tts: restarts, over: sweeps, x: sites, by: case, as: [table]}
END
    run --separate-stderr spinney report j.yaml --no-pictures
    [ "$status" -eq 0 ]
    matches_expected report-joint.txt
    grep "| three" records/joint/figures/tts.md | sed s/three/again/ > three.md
    grep "| again" records/joint/figures/tts.md > again.md
    [ -s three.md ] && cmp three.md again.md
    needs_gnuplot
    spinney report a --quiet > out
    spinney report j.yaml -o j.html --figures j --quiet > out
    for name in a/figures/by-survival a/figures/tts; do
        python3 -c 'import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])' $name.svg
    done
}

@test "files of joint reports that are not right" {
    refuses() { # error, text of the file
        printf "$2" > j.yaml
        run --separate-stderr spinney report j.yaml
        [ "$status" -eq 2 ]
        [ "$stderr" = "spinney report: j.yaml: $1" ] || { echo "$stderr"; return 1; }
    }
    figures='figures: [{name: f, value: solved, x: sites, by: case}]\n'
    printf 'name: a\ntask: anneal\nsettings: {energy: bits, alpha: 0.3, sweeps: 1}\ngrid: [{setting: sites, values: [3, 5]}]\n' > a.yaml
    spinney sweep a.yaml --out a --quiet
    refuses "line 1: a report over several folders has join: [...]; a sweep is reported by its folder, which spinney sweep makes" "$(cat a.yaml)"
    refuses "line 2: b: there is no such folder" "name: j\njoin: [{folder: b}]\n$figures"
    refuses "line 2: two folders are called a; give one another name" "name: j\njoin: [{folder: a}, {folder: a}]\n$figures"
    refuses "line 1: 'figures' is missing" "name: j\njoin: [{folder: a}]\n"
    refuses "line 3: unknown key 'task'; there are name, title, about, join, figures" "name: j\njoin: [{folder: a}]\ntask: anneal\n$figures"
    refuses "line 3: 'x': 'site' is no axis of the grid; did you mean sites?" "name: j\njoin: [{folder: a}]\n${figures/x: sites/x: site}"
    refuses "line 3: 'value': 'solve' is no result of anneal; did you mean solved?" "name: j\njoin: [{folder: a}]\n${figures/value: solved/value: solve}"
    refuses "line 3: 'reference' is of the report of one folder" "name: j\njoin: [{folder: a}]\n${figures/case/case, reference: r.csv}"
    refuses "line 2: 'join' is an empty list" "name: j\njoin: []\n$figures"
    run --separate-stderr spinney sweep j.yaml
    [ "$stderr" = "spinney sweep: j.yaml: line 2: 'join' is of a report over several folders, and no sweep; spinney report takes this file" ]
}

@test "the example of annealing and tempering in one report" {
    examples=$(dirname "$BATS_TEST_DIRNAME")/../experiments/examples
    mkdir -p experiments/examples
    cp "$examples"/methods*.yaml experiments/examples
    spinney sweep experiments/examples/methods-anneal.yaml --out records/methods-anneal --quiet
    spinney sweep experiments/examples/methods-temper.yaml --out records/methods-temper --quiet
    run --separate-stderr spinney report experiments/examples/methods.yaml --no-pictures --quiet
    [ "$status" -eq 0 ]
    matches_expected report-methods.txt
    [ -s records/methods/report.html ] && [ -s records/methods/figures/solved-by-survival.gp ]
    for name in annealing replicated tempering; do grep -q "^| $name | .*e+03 .*e+03" records/methods/figures/tts.md; done
    # the two folders have the same instances
    spinney records records/methods-anneal --where case=annealing --where sweeps=10 --columns sites,run,instance_seed --csv a.csv
    spinney records records/methods-temper --columns sites,run,instance_seed --csv t.csv
    cmp a.csv t.csv
}

@test "labels with formulas of TeX: letters in figures and page, TeX in the table for LaTeX" {
    specification() {
        cat > s.yaml <<END
name: s
task: anneal
runs: 2
settings: {energy: bits, sites: 31, steps: 300}
grid:
  - {setting: alpha, values: [0.1, 2]}
  - {setting: beta, values: ["0.3:4", "1"]}
figures:
  - name: one
    value: energy
    x: alpha
    by: beta
    as: [lines, table]
    title: '$1'
    x-label: 'load $2'
    label: 'energy in units of 50% & more'
    by-label: '\$\beta_{\mathrm{end}}\$'
END
    }
    specification 'At $\langle E_0 \rangle \le 10^{-3}\sqrt{N}$ for 5\$' '$\alpha = P/N$'
    spinney sweep s.yaml --out s --quiet
    spinney report s --no-pictures --quiet > /dev/null
    for file in s/figures/one.gp s/report.html; do
        grep -q 'At ⟨ E₀ ⟩ ≤ 10⁻³√(N)' $file
        grep -q 'load α = P/N' $file
    done
    grep -q 'βₑₙ' s/report.html || grep -q 'β_(end)' s/report.html
    grep -Fq '$\beta_{\mathrm{end}}$ \textbackslash{} load $\alpha = P/N$ & 0.1 & 2 \\' s/figures/one.tex
    grep -Fq '% energy in units of 50% & more' s/figures/one.tex
    [ "$(grep -c '\\pm\|\\\\$' s/figures/one.tex)" -ge 3 ]
    if command -v gnuplot > /dev/null; then
        spinney report s --quiet > /dev/null
        grep -q 'load α' s/figures/one.svg
    fi
    specification 'At $\foo$' '$x$'
    refuses "'title': the formula's command \\foo is not known here" sweep s.yaml --out new
    specification 'At 1' '${x$'
    refuses "'x-label': a formula has { and } that do not match" sweep s.yaml --out new
    printf 'step,energy\n0,1\n1,2\n' > t.csv
    spinney plot t.csv --title 'the $\sigma^2_k$ of $' --width 60 --height 8 | grep -q 'the σ²ₖ of \$'
    refuses "--title: the formula's command \\fo is not known here" plot t.csv --title '$\fo$'
}
