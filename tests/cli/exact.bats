# spinney exact against the reference values of docs/theory.md, through the command line, and bad
# input. Self-contained: the program is $SPINNEY, or build/spinney of the repository.
bats_require_minimum_version 1.5.0

setup() {
    SPINNEY=$(realpath "${SPINNEY:-$BATS_TEST_DIRNAME/../../build/spinney}")
    scratch=$(mktemp -d)
    cd "$scratch"
    printf -- '-1,-1,1,-1\n-1,1,1,1\n' > a.csv
    printf -- '1,1,-1,1,1,-1\n-1,-1,-1,-1,-1,-1\n-1,1,-1,1,1,1\n1,1,1,1,1,1\n-1,1,-1,-1,-1,1\n' > b.csv
    A=(--energy bits --patterns a.csv)
    B=(--energy bits --patterns b.csv)
    P7=(--code 0111100,1011010,1101001 --ball 1)
    P15A=(--code 101010101010101,011001100110011,000111100001111,000000011111111,111111111111111
        --ball 1)
    # A Python script on stdin sees the results as r, and digits(value, 'text'): the value rounds to
    # every digit of the text.
    cat > helper.py <<'PY'
import json, re, sys
from decimal import Decimal
from math import *
r = json.load(open('result.json'))
def digits(value, text):
    d = Decimal(text)
    unit = Decimal(1).scaleb(d.as_tuple().exponent)
    assert abs(Decimal(value) - d) <= unit * Decimal('0.5001'), (value, text)
def near(value, other, tolerance=1e-12):
    assert abs(value - other) <= tolerance, (value, other)
exec(sys.stdin.read())
PY
}

teardown() {
    cd /
    rm -rf "$scratch"
}

# `exact arguments... <<PY`: run with --json, then the script over its results.
exact() {
    "$SPINNEY" exact --json "$@" > result.json < /dev/null
    python3 helper.py
}

# `refuses TEXT arguments...`: exit status 2, one line on stderr that holds TEXT, nothing on stdout,
# and no new file.
refuses() {
    local text=$1 before
    shift
    before=$(ls)
    run --separate-stderr "$SPINNEY" exact "$@"
    echo "arguments: $*; status: $status; stdout: $output; stderr: $stderr"
    [ "$status" -eq 2 ]
    [ -z "$output" ]
    [ "${#stderr_lines[@]}" -eq 1 ]
    [[ "$stderr" == "spinney exact: "*"$text"* ]]
    [ "$(ls)" = "$before" ]
}

@test "instance A: every value at beta = 1, gamma = 0.5" {
    exact "${A[@]}" --replicas 2 --beta 1 --gamma 0.5 <<'PY'
assert (r['N'], r['y'], r['beta'], r['gamma'], r['E_min']) == (3, 2, 1, 0.5, 0)
assert r['minima'] == [2, 7] and (r['B'], r['m'], r['d_star']) == (1, 1, 0)
digits(r['logZ_marginal'], '3.19353753744'); digits(r['logZ'], '5.27297907912')
digits(r['log_Gamma'], '4.87957012511'); digits(r['phi'][0], '1.23923986491')
digits(r['P'][0], '0.0611454791971'); digits(r['max_Q'], '0.150740562951')
digits(r['mean_U'], '0.969140290735'); digits(r['overlap'], '0.366948069227')
digits(r['prob_U0'], '0.428095463261'); digits(r['mu0_N0'], '0.0793059873288')
digits(r['acceptance_two_stage'], '0.389426344384')
digits(r['acceptance_one_stage'], '0.45686129319')
digits(r['gap_two_stage'], '0.0789584211868'); digits(r['gap_one_stage'], '0.0962355870314')
digits(r['lambda_min_two_stage'], '-0.361793094786'); digits(r['kappa1'], '4.087886697')
assert r['lambda_min_one_stage'] < 0
near(r['B_prime'], log(cosh(1)))
near(sum(r['P']), 1); near(r['logZ'] - r['logZ_marginal'], 3 * log(2))
assert max(r['stationarity_two_stage'], r['reversibility_one_stage']) < 1e-16
assert r['dense_mass'] is None and r['share'] is None and r['notes'] == []
PY
}

@test "instance B: every value at beta = 1, gamma = 0.5" {
    exact "${B[@]}" <<'PY'
assert r['minima'] == [14, 22] and (r['B'], r['m'], r['d_star']) == (2, 2, 1)
digits(r['logZ_marginal'], '3.9131351394'); digits(r['logZ'], '7.3788710422')
digits(r['log_Gamma'], '8.13261687518'); digits(r['phi'][0], '0.870981019279')
digits(r['P'][0], '0.00356386729956'); digits(r['max_Q'], '0.174779344891')
digits(r['mean_U'], '1.59613629145'); digits(r['overlap'], '0.514554390354')
digits(r['prob_U0'], '0.496364370379'); digits(r['mu0_N0'], '0.00729966560039')
digits(r['acceptance_two_stage'], '0.164602454441')
digits(r['acceptance_one_stage'], '0.193784933743')
digits(r['gap_two_stage'], '0.0135773116828'); digits(r['gap_one_stage'], '0.0168695590124')
digits(r['lambda_min_two_stage'], '-0.169595446119'); digits(r['kappa1'], '47.88557538')
PY
}

@test "the limit of beta, and of beta and gamma together" {
    exact "${A[@]}" --beta inf <<'PY'
digits(r['max_Q'], '0.352119038596'); near(r['prob_U0'], 1)
assert r['beta'] == 'inf' and r['gap_two_stage'] is None
PY
    exact "${B[@]}" --beta inf <<'PY'
digits(r['max_Q'], '0.352119038596')
PY
    exact "${A[@]}" --beta 2,4,8 --gamma 1,2,4 --gap never <<'PY'
for k, text in enumerate(['.798124657143', '.995632369373', '.999998536894']):
    digits(r['aligned_U0'][k][k], text)
PY
}

@test "gaps over beta, their slope -m, and the heights M" {
    exact "${A[@]}" --beta 4,8,10,12 <<'PY'
for text, k in (('.003158671479', 0), ('5.70065693e-5', 1), ('1.04382674147e-6', 3)):
    digits(r['gap_two_stage'][k], text)
for text, k in (('.004003542011', 0), ('7.248177782e-5', 1), ('1.327266319e-6', 3)):
    digits(r['gap_one_stage'][k], text)
slope = {s['kernel']: s for s in r['slopes']}
digits(slope['two-stage']['last_slope'], '-1.000016')
assert slope['two-stage']['c'] <= slope['two-stage']['C'] and r['m'] == 1
assert max(r['gap_accuracy_two_stage']) < 1e-10
PY
    exact "${B[@]}" --beta 4,7,8 <<'PY'
digits(r['gap_two_stage'][0], '1.764220482e-5'); digits(r['gap_two_stage'][2], '5.738750671e-9')
digits(r['gap_one_stage'][0], '2.242294841e-5'); digits(r['gap_one_stage'][2], '7.297006232e-9')
digits(r['slopes'][0]['last_slope'], '-2.00098')
PY
    exact "${A[@]}" --beta 4 --gamma 2 <<'PY'
digits(r['M_two_stage'], '10.61437645'); digits(r['M_one_stage'], '7.307188226')
PY
    exact "${B[@]}" --beta 4 --gamma 2 <<'PY'
digits(r['M_two_stage'], '14.61437645'); digits(r['M_one_stage'], '11.30718823')
PY
}

@test "one replica is plain simulated annealing; heat bath on request" {
    exact "${A[@]}" --replicas 1 --kernel two-stage,one-stage,heat-bath <<'PY'
near(r['gap_two_stage'], r['gap_one_stage']); near(r['overlap'], 1)
assert 0 < r['gap_heat_bath'] < r['gap_one_stage']
assert 0 < r['acceptance_heat_bath'] < r['acceptance_one_stage']
PY
}

@test "Theorem 1's slow schedule converges as computed in 128-bit arithmetic" {
    exact "${A[@]}" --schedule theorem1:alpha=1.5,b=0.5,c=0.1698,kappa=2.718281828459045,stages=10 \
        --start 18 <<'PY'
a = r['annealing']
# 1e-14 absolute is what tens of thousands of steps in double precision leave
rows = {1: (15, '.03092211984'), 2: (68, '.008870130569'), 3: (206, '.002040883187'),
        5: (1204, '1.044213904e-4'), 8: (10914, '1.558566596e-6'), 10: (41460, '1.662304393e-7')}
for n, (steps, text) in rows.items():
    assert a['steps'][n - 1] == steps
    near(a['epsilon'][n - 1], float(text), 5e-12 if n < 5 else 1e-13 if n < 8 else 2e-14)
assert all(e <= t for e, t in zip(a['epsilon'], a['total_variation']))
c = a['condition']
assert c['theorem'] == 1 and c['met'] is True and c['margin'] >= 0.5
assert all(log(e) <= b for e, b in zip(a['epsilon'], c['log_bound']))
PY
}

@test "too fast a schedule does not converge, and the verdict says so" {
    exact "${A[@]}" --start -+-/-+- --schedule pieces:"$(python3 -c "
from math import *
print(','.join(f'{.5*k}x{ceil(exp(.25*k))}' for k in range(1, 61)))")" <<'PY'
a = r['annealing']
assert a['start'] == 18
for n, text in ((10, '.2133628182'), (20, '.2054192536'), (60, '.2045900739')):
    digits(a['epsilon'][n - 1], text)
assert a['condition']['met'] is False
PY
    run -0 "$SPINNEY" exact "${A[@]}" --start 18 --schedule pieces:1x3,4x3,8x3,16x3
    [[ "$output" == *"its condition is NOT met"* ]]
}

@test "theorem1 computes its constants; gamma may grow (Theorem 2); schedules per step" {
    exact "${A[@]}" --schedule theorem1 --start 18 <<'PY'
c = r['annealing']['condition']
assert c['met'] and len(r['annealing']['steps']) == 10
assert 0.1698 < c['c'] < 0.1700; near(c['log_kappa'], max(1, log(r['kappa1'])))
assert r['annealing']['epsilon'][-1] < 1e-6
PY
    exact "${A[@]}" --schedule theorem1 --gamma-schedule stages:0.5:0.2 --start 18 <<'PY'
a = r['annealing']
near(a['gamma'][9], 2.3)
assert a['condition']['theorem'] == 2 and a['condition']['met'] is False
assert a['epsilon'][-1] > 1e-3
PY
    exact "${A[@]}" --schedule linear:0:4 --gamma-schedule linear:0:1 --steps 50 --start +++ <<'PY'
a = r['annealing']
assert a['start'] == 63 and a['steps'] == [1] * 50 and a['gamma'][25] == 0.5
PY
}

@test "P7: the mass of the dense ball" {
    exact "${P7[@]}" --replicas 2,3 --gamma 0.2,0.5,1 --beta inf <<'PY'
assert (r['N'], r['m'], r['minima_count'], r['dense_minima']) == (7, 1, 15, 8)
texts = [['.320217399092', '.484590908636', '.636545200770'],
         ['.212852850473', '.535976709341', '.724530339392']]
for y in range(2):
    for g in range(3):
        digits(r['dense_mass_infinity'][y][g], texts[y][g])
near(r['share'], 8 / 15); near(r['dense_mass_gamma_infinity'][1][2], 8 / 15)
PY
}

@test "P15a: the mass over gamma, its maximum, and laws at finite beta" {
    exact "${P15A[@]}" --replicas 3,7 --gamma 0,0.3,0.6,0.8,1,2,4 --beta 4 <<'PY'
assert (r['N'], r['m'], r['minima_count']) == (15, 3, 47)
texts = ['.0394517592 .3061285386 .8920104940 .8251874140 .6905457044 .3690800830 .3408510863',
         '.0005298524 .6518977337 .9931532214 .9977594891 .9876871731 .4265526114 .3414229901']
for y in range(2):
    for g, text in enumerate(texts[y].split()):
        digits(r['dense_mass_infinity'][y][g], text)
        bound = r['dense_mass_bound'][y][g]
        assert bound is None or bound <= r['dense_mass_infinity'][y][g]
near(r['share'], 16 / 47)
best = [b for b in r['dense_best'] if b['beta'] == 'inf']
assert 0.6 < best[0]['gamma'] < 0.8 < best[1]['gamma'] + 0.2 < 1.2
assert best[0]['mass'] >= max(r['dense_mass_infinity'][0])
assert any('chains left out' in note for note in r['notes']) and r['gap_two_stage'][0][0] is None
assert 'phi' not in r
PY
    exact "${P15A[@]}" --replicas 3 --beta 4 --gamma 0.6 <<'PY'
digits(r['mean_U'] / 3, '.06509312996'); digits(r['dense_mass'], '.7395335843')
digits(r['dense_mass_marginal'], '.8427600563'); digits(r['overlap'], '.7792173087')
digits(r['prob_U0'], '.8290637714')
PY
    exact "${P15A[@]}" --replicas 5 --beta 3 --gamma 0.5 <<'PY'
digits(r['mean_U'] / 5, '.1502477833'); digits(r['dense_mass'], '.4790153627')
digits(r['dense_mass_marginal'], '.8550870167'); digits(r['overlap'], '.7351013025')
digits(r['prob_U0'], '.4952117623')
PY
}

@test "the same dense set as a ball, as a file, and as the planted one" {
    printf -- '-------\n+------\n-+-----\n--+----\n---+---\n----+--\n-----+-\n------+\n' > ball
    printf -- '-++++--\n+-++-+-\n++-+--+\n' > code
    for set in "--dense-center 0 --dense-radius 1" "--dense-center ------- --dense-radius 1" \
        "--dense ball" ""; do
        exact --energy planted --code code --ball 1 $set --beta inf --replicas 2 <<'PY'
digits(r['dense_mass_infinity'], '.484590908636')
PY
    done
}

@test "densities: all (R,k) counts and isolated minima" {
    exact "${P7[@]}" --density --gap never <<'PY'
d = r['density']
assert d['isolated'] == [15, 7, 7, 0, 0, 0, 0, 0]
counts = {(b['R'], b['k']): (b['exactly'], b['at_least']) for b in d['balls']}
assert counts[1, 8] == (1, 1) and counts[1, 2] == (7, 8) and counts[1, 1] == (7, 15)
assert d['within'][0] == [1, 8, 8, 8, 15, 15, 15, 15] and d['nearest'][0] == 1
PY
}

@test "shapes: a number, or an array for each list, replicas outside" {
    exact "${A[@]}" --gamma 0:1:0.1 --gap never <<'PY'
assert r['gamma'] == [0, .1, .2, .3, .4, .5, .6, .7, .8, .9, 1]
assert len(r['logZ']) == 11 and len(r['phi']) == 11 and len(r['phi'][0]) == 8
assert isinstance(r['B'], float) and r['y'] == 2
PY
    exact "${A[@]}" --replicas 1:3 --beta 1:2:0.5 --gamma 0.5 --gap never <<'PY'
assert r['y'] == [1, 2, 3] and r['beta'] == [1, 1.5, 2]
assert len(r['mean_U']) == 3 and all(len(row) == 3 for row in r['mean_U'])
PY
    exact "${A[@]}" <<'PY'
keys = '''N y beta gamma E_min minima logZ logZ_marginal log_Gamma phi P mean_U overlap prob_U0
max_Q mu0_N0 kappa1 B B_prime m d_star acceptance_two_stage acceptance_one_stage gap_two_stage
gap_one_stage lambda_min_two_stage lambda_min_one_stage M_two_stage M_one_stage dense_mass
dense_mass_infinity share'''.split()
assert all(k in r for k in keys), [k for k in keys if k not in r]
PY
}

@test "an energy that is not realisable: the minimum is subtracted, and it is said" {
    printf '5 5 3 4 5 5 4 3\n' > table
    exact --energy table --table table <<'PY'
assert r['E_min'] == 3 and 'not realisable: E_min = 3' in r['notes'][0]
digits(r['prob_U0'], '0.428095463261'); digits(r['kappa1'], '4.087886697')
near(r['logZ'], 5.27297907912 - 6, 1e-11); near(r['mean_U'], 6.969140290735, 1e-11)
assert (r['B'], r['m']) == (1, 1)
PY
    run -0 "$SPINNEY" exact --energy table --table table
    [[ "$output" == *"note: not realisable: E_min = 3"* ]]
}

@test "threads never change a result" {
    "$SPINNEY" exact --energy bits --random 9,5,2 --json --threads 1 | grep -v seconds > one
    "$SPINNEY" exact --energy bits --random 9,5,2 --json --threads 3 | grep -v seconds > three
    cmp one three
}

@test "figures: what was asked, as SVG, PDF and PNG" {
    command -v gnuplot > /dev/null || skip "gnuplot is not installed"
    "$SPINNEY" exact "${A[@]}" --beta 1:6:1 --plot gap.svg > /dev/null
    grep -q 'slope -m = -1' gap.svg
    "$SPINNEY" exact "${A[@]}" --schedule theorem1 --plot epsilon.pdf > /dev/null
    [ "$(head -c 4 epsilon.pdf)" = %PDF ]
    "$SPINNEY" exact "${P7[@]}" --replicas 2,3 --gamma 0:2:0.5 --no-chain --plot dense.png --json \
        > /dev/null
    [ "$(head -c 4 dense.png | tail -c 3)" = PNG ]
    "$SPINNEY" exact "${P7[@]}" --density --beta 1,2 --plot density.svg --plot-what density > /dev/null
    grep -q 'minima within R' density.svg
}

@test "the page in the terminal: values, tables and a figure in text" {
    run -0 "$SPINNEY" exact "${A[@]}"
    [[ "$output" == *"log Z                  5.27297907912"* ]]
    [[ "$output" == *"minima: 2: 2 (-+-), 7 (+++)"* ]]
    run -0 "$SPINNEY" exact "${A[@]}" --beta 1:6:1
    [[ "$output" == *"two-stage chain"*"slope -m = -1"* ]]
    run -0 "$SPINNEY" exact "${P7[@]}" --gamma 0:2:0.25 --gap never
    [[ "$output" == *"A = 8 of B = 15 minima"*"largest mass at y = 2"*"share A/B"* ]]
}

@test "planted is an energy of anneal too" {
    "$SPINNEY" anneal --energy planted "${P7[@]}" --steps 2000 --json --quiet > result.json
    python3 helper.py <<'PY'
assert r['best_energy'] == [0, 0, 0] and r['settings']['code'] == '0111100,1011010,1101001'
PY
}

@test "bad input: too large, with the limit and the cost" {
    refuses "N may be up to 24 (about 0.7 GB); N=25 would take 1.34 GB" --energy bits --random 25,4,1
    refuses "N y may be up to 22: here N=9, y=3, which would take" \
        --energy bits --random 9,4,1 --replicas 3 --gap always
    refuses "at y=3 N may be up to 7" --energy bits --random 9,4,1 --replicas 3 --schedule theorem1
    refuses "generators of 1 to 24 bits, not 25" --code 1111111111111111111111111 --ball 1
    refuses "would take about" --energy bits --random 11,9,3 --schedule pieces:1x1000000000
    refuses "together ask for" "${A[@]}" --beta 0:1000:1 --gamma 0:1000:1
}

@test "bad input: energies" {
    printf '2 2 0 nan 2 2 1 0\n' > nan.txt
    refuses "nan.txt: line 1: 'nan' is not a finite number" --energy table --table nan.txt
    printf '0 1 1e308\n0 2 1e308\n1 2 1e308\n' > huge.txt
    refuses "the couplings are too large" --energy ising --graph huge.txt
    refuses "generator 3 depends on the ones before it" --code 0111100,1011010,1100110 --ball 1
    refuses "generator 2 depends on the ones before it: it is zero" --code 011,000 --ball 1
    refuses "generator 2 has 4 bits, expected 3" --code 011,0111 --ball 1
    refuses "generator 2: character 3 is not 0 or 1" --code 011,012 --ball 1
    refuses "the ball's radius must be 0 to 3, not 4" --code 011,101 --ball 4
    refuses "needs --code GENERATORS and --ball R" --code 011,101
    refuses "does not go with --energy planted" "${P7[@]}" --energy planted --table nan.txt
    refuses "--code does not go with --energy bits" "${A[@]}" --code 011
    refuses "did you mean planted" --energy plantet
    refuses "--energy NAME is needed"
}

@test "bad input: ranges" {
    refuses "the range '4:0:0.1' is reversed" "${A[@]}" --gamma 4:0:0.1
    refuses "the range '0:4:0' is empty" "${A[@]}" --gamma 0:4:0
    refuses "the range '0:4:-1' is empty" "${A[@]}" --beta 0:4:-1
    refuses "is not START:END:STEP" "${A[@]}" --gamma 0:4
    refuses "is not START:END:STEP" "${A[@]}" --gamma 0:4:1:2
    refuses "--gamma: needs a value" "${A[@]}" --gamma ''
    refuses "'' is not a finite number" "${A[@]}" --gamma 1,,2
    refuses "'nan' is not a finite number" "${A[@]}" --gamma nan
    refuses "'inf' is not a finite number" "${A[@]}" --gamma inf
    refuses "'-1' is not a finite number" "${A[@]}" --beta -1
    refuses "'1x' is not a finite number" "${A[@]}" --beta 1x
    refuses "'256' is not a whole number from 1 to 255" "${A[@]}" --replicas 256
    refuses "'2.5' is not a whole number" "${A[@]}" --replicas 2.5
    refuses "has 1e+09 values" "${A[@]}" --beta 0:1e9:1
}

@test "bad input: schedules, states, dense sets and figures" {
    refuses "this --schedule needs --steps" "${A[@]}" --schedule linear:0:4
    refuses "scoping depends on what is accepted" "${A[@]}" --schedule scoping:factor=1 --steps 9
    refuses "KEY one of" "${A[@]}" --schedule theorem1:foo=3
    refuses "over 2^62 steps; ask for fewer stages" "${A[@]}" --schedule theorem1:stages=80
    refuses "pieces must not decrease" "${A[@]}" --schedule pieces:2x3,1x3
    refuses "give one --replicas" "${A[@]}" --schedule theorem1 --replicas 1,2
    refuses "give one --gamma" "${A[@]}" --schedule theorem1 --gamma 1,2
    refuses "an index from 0 to 63, or 3 or 6 characters + and -" "${A[@]}" --schedule theorem1 \
        --start 64
    printf '3 3\n' > flat
    refuses "m=0 and B=0" --energy table --table flat --schedule theorem1
    refuses "--start goes with --schedule" "${A[@]}" --start 3
    refuses "'8' is not a state" "${A[@]}" --dense-center 8 --dense-radius 1
    refuses "--dense-center goes with --dense-radius" "${A[@]}" --dense-center 3
    printf -- '++++\n' > four
    refuses "four: states of 4 spins, but the energy has 3" "${A[@]}" --dense four
    printf -- '+++\n+++\n' > twice
    refuses "state 7 is named twice" "${A[@]}" --dense twice
    refuses "ends in .svg, .pdf or .png" "${A[@]}" --density --plot x.gif
    refuses "there is no curve" "${A[@]}" --plot x.svg
    refuses "choose with --plot-what" "${A[@]}" --beta 1,2 --density --plot x.svg
    refuses "--plot-what dense needs --gamma" "${A[@]}" --density --plot x.svg --plot-what dense
    refuses "none/x.svg.gp: cannot be written" "${A[@]}" --density --plot none/x.svg
    refuses "is not a list of two-stage" "${A[@]}" --kernel two-stage,two-stage
    refuses "--gap: " "${A[@]}" --gap sometimes
}
