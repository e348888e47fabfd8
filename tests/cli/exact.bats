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
    # A Python script on stdin sees the results as r, the curves as c and all of the output as j, and
    # digits(value, 'text'): the value rounds to every digit of the text.
    cat > helper.py <<'PY'
import json, re, sys
from decimal import Decimal
from math import *
j = json.load(open('result.json'))
r, c = j['results'], j['curves']
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
s = j['settings']
assert (r['N'], s['replicas'], s['beta'], s['gamma'], r['E_min']) == (3, 2, 1, 0.5, 0)
assert c['minima']['state'] == [2, 7] and (r['B'], r['m'], r['d_star']) == (1, 1, 0)
digits(r['log_z'], '3.19353753744'); digits(r['log_z_centre'], '5.27297907912')
digits(r['log_Gamma'], '4.87957012511'); digits(c['states']['phi'][0], '1.23923986491')
digits(c['states']['P'][0], '0.0611454791971'); digits(r['max_Q'], '0.150740562951')
digits(r['mean_U'], '0.969140290735'); digits(r['overlap'], '0.366948069227')
digits(r['prob_U0'], '0.428095463261'); digits(r['mu0_N0'], '0.0793059873288')
digits(r['acceptance_two_stage'], '0.389426344384')
digits(r['acceptance_one_stage'], '0.45686129319')
digits(r['gap_two_stage'], '0.0789584211868'); digits(r['gap_one_stage'], '0.0962355870314')
digits(r['lambda_min_two_stage'], '-0.361793094786'); digits(r['kappa1'], '4.087886697')
assert r['lambda_min_one_stage'] < 0 and r['psi'] == r['gap_two_stage']
near(r['B_prime'], log(cosh(1)))
near(sum(c['states']['P']), 1); near(r['log_z_centre'] - r['log_z'], 3 * log(2))
assert max(r['stationarity_two_stage'], r['reversibility_one_stage']) < 1e-16
assert r.get('dense_mass') is None and r.get('share') is None and j['notes'] == []
PY
}

@test "instance B: every value at beta = 1, gamma = 0.5" {
    exact "${B[@]}" <<'PY'
assert c['minima']['state'] == [14, 22] and (r['B'], r['m'], r['d_star']) == (2, 2, 1)
digits(r['log_z'], '3.9131351394'); digits(r['log_z_centre'], '7.3788710422')
digits(r['log_Gamma'], '8.13261687518'); digits(c['states']['phi'][0], '0.870981019279')
digits(c['states']['P'][0], '0.00356386729956'); digits(r['max_Q'], '0.174779344891')
digits(r['mean_U'], '1.59613629145'); digits(r['overlap'], '0.514554390354')
digits(r['prob_U0'], '0.496364370379'); digits(r['mu0_N0'], '0.00729966560039')
digits(r['acceptance_two_stage'], '0.164602454441')
digits(r['acceptance_one_stage'], '0.193784933743')
digits(r['gap_two_stage'], '0.0135773116828'); digits(r['gap_one_stage'], '0.0168695590124')
digits(r['lambda_min_two_stage'], '-0.169595446119'); digits(r['kappa1'], '47.88557538')
PY
}

@test "the limit of beta" {
    for instance in "${A[*]}" "${B[*]}"; do
        exact $instance --beta inf <<'PY'
digits(r['max_Q'], '0.352119038596'); near(r['prob_U0'], 1)
assert j['settings']['beta'] in ('inf', float('inf')) and r.get('gap_two_stage') is None
PY
    done
}

@test "gaps and the heights M" {
    exact "${A[@]}" --beta 12 <<'PY'
digits(r['gap_two_stage'], '1.04382674147e-6'); digits(r['gap_one_stage'], '1.327266319e-6')
assert r['gap_accuracy_two_stage'] < 1e-10
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
a = c['stages']
# 1e-14 absolute is what tens of thousands of steps in double precision leave
rows = {1: (15, '.03092211984'), 2: (68, '.008870130569'), 3: (206, '.002040883187'),
        5: (1204, '1.044213904e-4'), 8: (10914, '1.558566596e-6'), 10: (41460, '1.662304393e-7')}
for n, (steps, text) in rows.items():
    assert a['steps'][n - 1] == steps
    near(a['epsilon'][n - 1], float(text), 5e-12 if n < 5 else 1e-13 if n < 8 else 2e-14)
assert all(e <= t for e, t in zip(a['epsilon'], a['total_variation']))
assert r['theorem'] == 1 and r['condition_met'] == 1 and r['margin'] >= 0.5
assert all(log(e) <= b for e, b in zip(a['epsilon'], a['log_bound']))
PY
}

@test "too fast a schedule does not converge, and a note says so" {
    exact "${A[@]}" --start -+-/-+- --schedule pieces:"$(python3 -c "
from math import *
print(','.join(f'{.5*k}x{ceil(exp(.25*k))}' for k in range(1, 61)))")" <<'PY'
for n, text in ((10, '.2133628182'), (20, '.2054192536'), (60, '.2045900739')):
    digits(c['stages']['epsilon'][n - 1], text)
assert r['condition_met'] == 0
PY
    run -0 "$SPINNEY" exact "${A[@]}" --start 18 --schedule pieces:1x3,4x3,8x3,16x3
    [[ "$output" == *"condition of Theorem 1 is not met"* ]]
}

@test "theorem1 computes its constants; gamma may grow (Theorem 2); schedules per step" {
    exact "${A[@]}" --schedule theorem1 --start 18 <<'PY'
assert r['condition_met'] and len(c['stages']['steps']) == 10
assert 0.1698 < r['c'] < 0.1700; near(r['log_kappa'], max(1, log(r['kappa1'])))
assert r['epsilon'] == c['stages']['epsilon'][-1] < 1e-6
PY
    exact "${A[@]}" --schedule theorem1 --gamma-schedule stages:0.5:0.2 --start 18 <<'PY'
near(c['stages']['gamma'][9], 2.3)
assert r['theorem'] == 2 and r['condition_met'] == 0 and r['epsilon'] > 1e-3
PY
    exact "${A[@]}" --schedule linear:0:4 --gamma-schedule linear:0:1 --steps 50 --start +++ <<'PY'
assert c['stages']['steps'] == [1] * 50 and c['stages']['gamma'][25] == 0.5
PY
}

@test "P7 and P15a: masses of the dense ball, and the best gamma" {
    exact "${P7[@]}" --replicas 3 --gamma 1 --beta inf <<'PY'
assert (r['N'], r['m'], r['minima_count'], r['dense_minima']) == (7, 1, 15, 8)
digits(r['dense_mass_infinity'], '.724530339392')
near(r['share'], 8 / 15); near(r['dense_mass_gamma_infinity'], 8 / 15)
PY
    exact "${P15A[@]}" --replicas 3 --beta inf --no-law --best-gamma 0:4:0.05 <<'PY'
digits(r['best_gamma'], '.6133'); digits(r['best_mass'], '.892579')
PY
    exact "${P15A[@]}" --replicas 3 --beta 4 --gamma 0.6 <<'PY'
assert (r['N'], r['m'], r['minima_count']) == (15, 3, 47)
digits(r['mean_U'] / 3, '.06509312996'); digits(r['dense_mass'], '.7395335843')
digits(r['dense_mass_marginal'], '.8427600563'); digits(r['overlap'], '.7792173087')
digits(r['prob_U0'], '.8290637714')
assert any('chains left out' in note for note in j['notes']) and r.get('gap_two_stage') is None
assert 'states' not in c
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
assert c['density']['isolated'] == [15, 7, 7, 0, 0, 0, 0, 0]
b = c['balls']
counts = {(R, k): (e, a) for R, k, e, a in zip(b['radius'], b['k'], b['exactly'], b['at_least'])}
assert counts[1, 8] == (1, 1) and counts[1, 2] == (7, 8) and counts[1, 1] == (7, 15)
assert c['minima']['nearest'][0] == 1
PY
}

@test "an energy that is not realisable: the minimum is subtracted, and it is said" {
    printf '5 5 3 4 5 5 4 3\n' > table
    exact --energy table --table table <<'PY'
assert r['E_min'] == 3 and 'not realisable: E_min = 3' in j['notes'][0]
digits(r['prob_U0'], '0.428095463261'); digits(r['kappa1'], '4.087886697')
near(r['log_z_centre'], 5.27297907912 - 6, 1e-11); near(r['mean_U'], 6.969140290735, 1e-11)
assert (r['B'], r['m']) == (1, 1)
PY
    run -0 "$SPINNEY" exact --energy table --table table
    [[ "$output" == *"not realisable: E_min = 3"* ]]
}

@test "threads never change a result" {
    "$SPINNEY" exact --energy bits --random 9,5,2 --json --threads 1 | grep -v 'seconds\|threads' > one
    "$SPINNEY" exact --energy bits --random 9,5,2 --json --threads 3 | grep -v 'seconds\|threads' > three
    cmp one three
}

@test "a grid of points, as a table and as a figure" {
    run -0 "$SPINNEY" exact "${A[@]}" --grid beta=1:6:1 --y gap_two_stage,gap_one_stage
    [[ "$output" == *0.0789584* ]]
    [[ "$output" == *0.0031586* ]]
    command -v gnuplot > /dev/null || skip "gnuplot is not installed"
    "$SPINNEY" exact "${A[@]}" --grid beta=1:6:1 --y gap_two_stage,gap_one_stage --log \
        --plot gap.svg > /dev/null
    grep -q gap gap.svg
}

@test "the sweeps of experiments/exact give the slopes and the masses of the golden files" {
    root=$BATS_TEST_DIRNAME/../..
    for name in gap-a gap-b dense-p15a; do
        "$SPINNEY" sweep "$root/experiments/exact/$name.yaml" --out $name --quiet > /dev/null
        "$SPINNEY" report $name > /dev/null
    done
    python3 - "$root/tests/golden/exact" <<'PY'
import csv, json, sys
for name in 'ab':
    golden = json.load(open(f'{sys.argv[1]}/{name}-gap.json'))['slopes']
    rows = list(csv.DictReader(open(f'gap-{name}/figures/gap-{name}-fit.csv')))
    assert [r['curve'] for r in rows] == ['gap_two_stage', 'gap_one_stage']
    for row, slope in zip(rows, golden):
        for key in ('slope', 'last_slope', 'c', 'C'):
            assert float(row[key]) == slope[key], (name, key, row[key], slope[key])
golden = json.load(open(f'{sys.argv[1]}/p15a-mass.json'))
masses = {}
for r in csv.DictReader(open('dense-p15a/figures/dense-p15a.csv')):
    masses[r['replicas'], float(r['gamma'])] = float(r['mean'])
for y, row in zip(golden['y'], golden['dense_mass_infinity']):
    for gamma, mass in zip(golden['gamma'], row):
        assert masses[str(y), gamma] == mass, (y, gamma)
assert masses['share', 2] == golden['share']
PY
}

@test "figures of curves, as SVG, PDF and PNG" {
    command -v gnuplot > /dev/null || skip "gnuplot is not installed"
    "$SPINNEY" exact "${A[@]}" --schedule theorem1 --y stages.epsilon,stages.total_variation --log \
        --plot epsilon.pdf > /dev/null
    [ "$(head -c 4 epsilon.pdf)" = %PDF ]
    "$SPINNEY" exact "${P7[@]}" --density --y density.most,density.mean --plot density.png > /dev/null
    [ "$(head -c 4 density.png | tail -c 3)" = PNG ]
}

@test "planted is an energy of anneal too" {
    "$SPINNEY" anneal --energy planted "${P7[@]}" --steps 2000 --json --quiet > result.json
    python3 helper.py <<'PY'
assert r['best_energy'] == 0 and j['settings']['code'] == '0111100,1011010,1101001'
PY
}

@test "joint chains: swapping, simulated tempering and equi-energy beside the kernel" {
    exact "${B[@]}" --replicas 1 --gamma 0 --beta 8 --joint swapping --rungs 3 --no-law <<'PY'
assert r['joint_states'] == 2 ** 15 and r['joint_gap_accuracy'] < 1e-10
digits(r['joint_gap'], '0.0020358897'); digits(r['joint_cold_gap'], '2.2522139e-8')
near(r['joint_cold_gap'], r['gap_two_stage'], 1e-17)
near(r['joint_ratio'], r['joint_gap'] / r['joint_cold_gap'], 1e-6)
assert c['rungs']['beta'] == [0, 4, 8]
assert c['rungs']['log_z'][0] == log(32)
assert 'joint_rate_even_odd' not in r and 'joint_cold_share' not in r
PY
    exact "${B[@]}" --replicas 1 --gamma 0 --beta 8 --joint simulated --ladder 0,0.5,1 --no-law <<'PY'
digits(r['joint_gap'], '0.0048719721')
assert r['joint_states'] == 96
near(r['joint_cold_share'], 1 / 3)
PY
    exact "${B[@]}" --replicas 1 --gamma 0 --beta 8 --joint simulated --weight-errors 0,0,-4 --no-law <<'PY'
near(r['joint_cold_share'], exp(-4) / (2 + exp(-4)))
PY
    exact "${B[@]}" --replicas 1 --gamma 0 --beta 8 --joint equi-energy --no-law <<'PY'
digits(r['joint_gap'], '0.026837217')
PY
    exact "${A[@]}" --replicas 1 --gamma 0 --beta 8 --joint swapping --no-law <<'PY'
assert 0 < r['joint_rate_random'] < r['joint_rate_even_odd'] < r['joint_gap']
PY
    # y = 2, the kernel that is named first
    exact "${A[@]}" --beta 6 --joint swapping --rungs 2 --kernel one-stage --exchanges 0.25 --no-law <<'PY'
assert r['joint_states'] == 2 ** 12 and r["joint_ratio"] > 5
near(r['joint_cold_gap'], r['gap_one_stage'], 1e-12)
PY
}

@test "bad input: joint chains" {
    refuses "joint: this joint chain would have 1.07e+09 states (N=5, y=2, 3 rungs)" "${B[@]}" --joint swapping
    refuses "joint: 'swap' is not one of" "${A[@]}" --joint swap
    refuses "joint: needs a finite beta" "${A[@]}" --joint swapping --beta inf
    refuses "rungs: needs --joint" "${A[@]}" --rungs 4
    refuses "rungs: the ladder has 3" "${A[@]}" --joint simulated --rungs 4 --ladder 0,0.5,1
    refuses "rungs: '65' is not a whole number from 2 to 64" "${A[@]}" --joint simulated --rungs 65
    for ladder in 0,0.5 1 0.5,0.5,1 -1,1 0,2,1; do
        refuses "ladder: '$ladder' must rise from 0 or more to 1" "${A[@]}" --joint simulated --ladder $ladder
    done
    refuses "ladder: 'a,1' is not a list of 1 to 64 numbers" "${A[@]}" --joint simulated --ladder a,1
    refuses "exchanges: '1' is not a number from 0.001 to 0.999" "${A[@]}" --joint simulated --exchanges 1
    refuses "weight-errors: one for each of the 3 rungs, not 2" "${A[@]}" --joint simulated --weight-errors 1,2
    refuses "weight-errors: needs --joint simulated" "${A[@]}" --joint swapping --weight-errors 1,2,3
    refuses "rings: needs --joint equi-energy" "${A[@]}" --joint swapping --rings 1,2
    refuses "the ends of rings must increase" "${A[@]}" --joint equi-energy --rings 2,1
}

@test "bad input: too large, with the limit and the cost" {
    refuses "N may be up to 24 (about 0.7 GB); N=25 would take 1.34 GB" --energy bits --random 25,4,1
    refuses "N y may be up to 22: here N=9, y=3, which would take" \
        --energy bits --random 9,4,1 --replicas 3 --gap always
    refuses "generators of 1 to 24 bits, not 25" --code 1111111111111111111111111 --ball 1
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
    refuses "planted needs code, generators, and ball" --code 011,101
    refuses "cannot be combined with energy planted" "${P7[@]}" --energy planted --table nan.txt
    refuses "cannot be combined with energy bits" "${A[@]}" --code 011
    refuses "did you mean planted" --energy plantet
    refuses "energy" --beta 1
}

@test "bad input: values, schedules and sets" {
    refuses "beta: '-1' is not a number" "${A[@]}" --beta -1
    refuses "gamma: 'inf' is not a number" "${A[@]}" --gamma inf
    refuses "replicas: '256' is not a whole number from 1 to 255" "${A[@]}" --replicas 256
    refuses "this schedule needs them" "${A[@]}" --schedule linear:0:4
    refuses "KEY one of" "${A[@]}" --schedule theorem1:foo=3
    printf '3 3\n' > flat
    refuses "m=0 and B=0" --energy table --table flat --schedule theorem1
    refuses "start: needs --schedule" "${A[@]}" --start 3
    refuses "dense-center: '8' is not a state" "${A[@]}" --dense-center 8 --dense-radius 1
    printf -- '++++\n' > four
    refuses "four: states of 4 spins, but the energy has 3" "${A[@]}" --dense four
    printf -- '+++\n+++\n' > twice
    refuses "state 7 is named twice" "${A[@]}" --dense twice
    refuses "is not a list of two-stage" "${A[@]}" --kernel two-stage,two-stage
    refuses "gap: " "${A[@]}" --gap sometimes
}
