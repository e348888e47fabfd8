# Grids at the shell: --grid, --runs, --y, --plot, --log of the command of a task.
load helpers

small=(exact --energy bits --random 5,3,1)
bits=(anneal --energy bits --random 51,0.3 --steps 2000)

@test "a grid prints the table of records, a row for each point" {
    spinney "${small[@]}" --no-chain --grid replicas=2,3 --grid gamma=0:1:0.5 --y overlap,mean_U > table
    sed -n '/^replicas/,$p' table > rows
    [ "$(wc -l < rows)" -eq 7 ]
    [ "$(head -1 rows | xargs)" = "replicas gamma runs overlap mean_U" ]
    [ "$(awk 'NR > 1 { print $1, $2, $3 }' rows | xargs)" = \
        "2 0 1 2 0.5 1 2 1 1 3 0 1 3 0.5 1 3 1 1" ]
    grep -q '^exact: 6 points, 1 run each; 6 of 6 runs finished$' table
}

@test "the points of a grid are the single runs" {
    spinney "${small[@]}" --grid beta=0.5,2 --grid kernel='two-stage;heat-bath,one-stage' --json > grid
    for k in 0 1 2 3; do
        beta=$(json "d['records'][$k]['settings']['beta']" < grid)
        kernel=$(json "d['records'][$k]['settings']['kernel']" < grid)
        [ "$(spinney "${small[@]}" --beta "$beta" --kernel "$kernel" --json | json "d['results'], d['curves']")" = \
            "$(json "d['records'][$k]['results'], d['records'][$k]['curves']" < grid)" ]
    done
    [ "$(json "[r['settings']['beta'] for r in d['records']]" < grid)" = "['0.5', '0.5', '2', '2']" ]
}

@test "runs of a chain: each can be done again with the seeds of its record" {
    spinney "${bits[@]}" --grid gamma=0,0.5 --runs 2 --seed 7 --json > grid
    [ "$(json "len(d['records']), d['seed'], len({r['seed'] for r in d['records']})" < grid)" = "4 7 4" ]
    seed=$(json "d['records'][3]['seed']" < grid)
    instance=$(json "d['records'][3]['instance_seed']" < grid)
    spinney "${bits[@]}" --random "51,0.3,$instance" --gamma 0.5 --seed "$seed" --json > one
    [ "$(json "d['results']" < one)" = "$(json "d['records'][3]['results']" < grid)" ]
    # a setting that the job has too is the grid's
    spinney "${bits[@]}" --gamma 3 --grid gamma=0,0.5 --runs 2 --seed 7 --json > again
    [ "$(json "[r['results'] for r in d['records']]" < again)" = \
        "$(json "[r['results'] for r in d['records']]" < grid)" ]
}

@test "a grid is drawn: the first setting along x, a curve for each value of the second" {
    command -v gnuplot || skip "gnuplot is not installed"
    spinney "${small[@]}" --grid beta=1:4:1 --grid gamma=0.5,1 --y psi --log --plot gap.svg > table
    grep -q '<svg' gap.svg
    grep -q 'logscale y' gap.svg.gp
    grep -q 'gamma 0.5' gap.svg.gp
    grep -q 'gamma 1' gap.svg.gp
    grep -q 'beta' gap.svg.gp
    # the means over runs are what the table shows
    spinney "${bits[@]}" --grid gamma=0,0.5 --runs 3 --y active --plot active.svg --json > grid
    python3 - <<'END'
import json
records = json.load(open("grid"))["records"]
means = [sum(r["results"]["active"] for r in records[k:k + 3]) / 3 for k in (0, 3)]
script = open("active.svg.gp").read()
for mean in means:
    assert ("%.6g" % mean) in script or repr(mean)[:8] in script, (means, script)
END
}

@test "wrong grids" {
    refuses "--grid: gama=1,2: unknown setting 'gama' of exact; did you mean gamma?" \
        "${small[@]}" --grid gama=1,2
    refuses "--grid: gamma: expected NAME=A,B,C or NAME=START:END:STEP" "${small[@]}" --grid gamma
    refuses "--grid: replicas=2,many: replicas: 'many' is not a whole number from 1 to 255" \
        "${small[@]}" --grid replicas=2,many
    refuses "gamma=3,4: gamma is an axis twice" "${small[@]}" --grid gamma=1,2 --grid gamma=3,4
    refuses "START:END:STEP should lead from START to END" "${small[@]}" --grid gamma=2:1:0.5
    refuses "seed=1,2: seed: a sweep makes one for each run from its own; give runs: N" "${bits[@]}" --grid seed=1,2
    refuses "--runs needs --grid" "${bits[@]}" --runs 3
    refuses "--log needs --plot" "${small[@]}" --grid beta=1,2 --log
    refuses "--out is for one run, but --grid makes several" "${bits[@]}" --grid gamma=0,1 --out states
    refuses "--checkpoint is for one run" "${bits[@]}" --grid gamma=0,1 --checkpoint state
    refuses "a figure's name ends in .svg, .pdf or .png" "${small[@]}" --grid beta=1,2 --plot x.txt
    refuses "--y needs --plot or --grid" "${small[@]}" --y psi
    refuses "--y: there is no 'psy'; did you mean psi?" "${small[@]}" --grid beta=1,2 --y psy
}

@test "nothing is left of the folder in which a grid runs, whatever becomes of it" {
    mkdir temporary
    export TMPDIR=$PWD/temporary
    spinney "${bits[@]}" --grid gamma=0,0.5 > out
    refuses "random" "${small[@]}" --grid "random=5,3,1;0,3,1"
    interrupted_at INT 500 clock "${bits[@]}" --steps 1e12 --grid gamma=0,1 > out 2> err
    [ -z "$(ls temporary)" ]
    TMPDIR=$PWD/none refuses "none/spinney-" "${bits[@]}" --grid gamma=0,0.5
}

@test "a grid that is interrupted shows what is finished, exit status 130" {
    interrupted_at INT 500 clock "${bits[@]}" --steps 1e12 --grid gamma=0,1 > out 2> err
    grep -q '; 0 of 2 runs finished, 2 missing$' out
    [ "$(cat err)" = "spinney anneal: interrupted" ]
}
