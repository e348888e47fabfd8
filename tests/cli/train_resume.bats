# A training that was killed or interrupted ends, once it is resumed, with the model of the training
# that was not: byte for byte.
load helpers

run_options=(train --subset 500 --steps 60000 --seed 5 --quiet)

# `kills NUMBER SEED THREADS options...`: kill a training after a random number of operations on its
# files, resume it each time, and compare with the one that was not killed. THREADS are of the killed
# run; the resumed one has one.
kills() {
    local number=$1 seed=$2 threads=$3 all resumed=0 k
    shift 3
    spinney "$@" --out whole.spn > /dev/null
    set -- "$@" --checkpoint state --every 8192 --out model.spn
    # waiting threads that spin take the cores of a busy machine away from those that work
    export OMP_WAIT_POLICY=passive
    all=$(operations '*' "$@" --threads "$threads")
    RANDOM=$seed
    for ((k = 0; k < number; k++)); do
        killed_at $((1 + RANDOM % all)) '*' "$@" --threads "$threads" > /dev/null
        spinney "$@" --resume --json > result 2> err
        cmp whole.spn model.spn
        [ ! -e state ]
        [ "$(json 'd["resumed_step"] > 0' < result)" = False ] || resumed=$((resumed + 1))
        rm model.spn
    done
    echo "operations: $all; resumed after the start: $resumed of $number"
    [ $resumed -ge $((number / 2)) ]
}

@test "10 random kills: the same model" {
    kills 10 20 1 "${run_options[@]}"
}

@test "kills of a run with two threads: the same model" {
    kills 4 22 2 train --subset 500 --steps 40000 --quiet
}

@test "killed again and again: the same model" {
    spinney "${run_options[@]}" --out whole.spn > /dev/null
    set -- "${run_options[@]}" --checkpoint state --every 8192 --out model.spn
    all=$(operations '*' "$@")
    RANDOM=21
    for kill in {1..8}; do
        killed_at $((1 + RANDOM % (all / 8))) '*' "$@" > /dev/null
    done
    spinney "${run_options[@]}" --checkpoint state --out model.spn > /dev/null
    cmp whole.spn model.spn
}

@test "real-valued features, coupling on a schedule, one replica: the same model" {
    python3 -c "
import random
draw = random.Random(1)
for n in range(60):
    print(','.join(str(draw.gauss(n % 3 == i % 3, 1)) for i in range(9)) + ',c%d' % (n % 3))" > d.csv
    for options in "--replicas 3 --gamma 0:0.5 --gamma-schedule linear" "--replicas 1" \
        "--replicas 2 --gamma 0.4 --schedule scoping:factor=0.1,every=50 --beta 10 --scaling feature"; do
        rm -f state
        # shellcheck disable=SC2086
        set -- train --data d.csv --steps 100000 $options --quiet
        spinney "$@" --out whole.spn > /dev/null
        killed_at 3 'rename *state' "$@" --checkpoint state --every 1 --out model.spn > /dev/null
        spinney "$@" --checkpoint state --out model.spn > /dev/null
        cmp whole.spn model.spn
    done
}

@test "a network, on shifted images, killed with two threads: the same model" {
    kills 4 23 2 train --hidden 24 --shifts 4 --subset 300 --steps 30000 --gamma 0.2 --quiet
}

@test "an interrupt writes the checkpoint and the best model so far, and says how to go on" {
    long=("${run_options[@]}" --steps 1000000)
    spinney "${long[@]}" --out whole.spn > /dev/null
    for signal in INT TERM; do
        rm -f model.spn
        interrupted_at $signal 3 'rename *state' \
            "${long[@]}" --checkpoint state --every 8192 --out model.spn > out 2> err
        [ "$(wc -l < err)" -eq 1 ]
        grep -q "interrupted at step .*; repeat the command to continue from step" err
        [ -s state ]
        spinney show model.spn > /dev/null
        spinney "${long[@]}" --checkpoint state --out model.spn > /dev/null
        cmp whole.spn model.spn
        [ ! -e state ]
    done
}

@test "an annealing that was killed ends with the same states, trace and results" {
    set -- anneal --energy bits --random 201,60,1 --gamma 0:1 --steps 100000 --quiet --json
    spinney "$@" --out whole --trace whole.csv > whole.json
    RANDOM=23
    for kill in {1..5}; do
        killed_at $((1 + RANDOM % 6)) 'rename *state' "$@" --checkpoint state --every 8192 --out states \
            --trace t.csv > /dev/null
        [ -s state ]
        spinney "$@" --checkpoint state --out states --trace t.csv > result
        cmp whole states
        cmp <(untimed whole.csv) <(untimed t.csv)
        [ "$(json 'd["results"], d["curves"]' < result)" = "$(json 'd["results"], d["curves"]' < whole.json)" ]
        [ ! -e state ]
        rm states t.csv
    done
    refuses "--every: needs --checkpoint" anneal --every 10
}

@test "threads do not change the model" {
    spinney train --steps 20000 --out one.spn > /dev/null
    OMP_WAIT_POLICY=passive spinney train --steps 20000 --out two.spn --threads 2 > /dev/null
    cmp one.spn two.spn
    spinney train --steps 20000 --out other.spn --seed 2 > /dev/null
    run cmp -s one.spn other.spn
    [ "$status" -eq 1 ]
}

@test "threads do not change a network" {
    spinney train --hidden 16 --steps 10000 --out one.spn > /dev/null
    OMP_WAIT_POLICY=passive spinney train --hidden 16 --steps 10000 --out two.spn --threads 3 > /dev/null
    cmp one.spn two.spn
}

# A checkpoint of a short training, left behind.
leave_checkpoint() {
    killed_at 2 'rename *state' "${run_options[@]}" --steps 3000000 --checkpoint state --every 8192
}

@test "other settings or other data are refused, naming what differs" {
    leave_checkpoint
    same=("${run_options[@]}" --steps 3000000 --checkpoint state --resume --out model.spn)
    refuses "its seed is 5, here it is 6" "${same[@]}" --seed 6
    refuses 'its replicas is "3", here it is "2"' "${same[@]}" --replicas 2
    refuses 'its beta is "auto:0.5:1e-30", here it is "10:1000"' "${same[@]}" --beta 10:1000
    refuses "its gamma is" "${same[@]}" --gamma 2
    refuses 'its steps is "3000000", here it is "4000000"' "${same[@]}" --steps 4e6
    refuses "its kernel is" "${same[@]}" --kernel heat-bath
    refuses "its logit-scale is" "${same[@]}" --logit-scale 0.5
    refuses "its scaling is" "${same[@]}" --scaling none
    refuses "its encode is" "${same[@]}" --preset paper
    refuses 'its subset is "500", here it is "400"' "${same[@]}" --subset 400
}

@test "a damaged checkpoint is refused" {
    leave_checkpoint
    same=("${run_options[@]}" --steps 3000000 --checkpoint state)
    cp state good
    python3 -c "
b = bytearray(open('good', 'rb').read()); b[len(b) // 2] ^= 1; open('state', 'wb').write(b)"
    refuses "the checksum does not fit" "${same[@]}"
    head -c 100 good > state
    refuses "state: byte 16" "${same[@]}"
    head -c 20 good > state
    refuses "cut short" "${same[@]}"
    echo "something else" > state
    refuses "not a checkpoint" "${same[@]}"
    : > state
    refuses "not a checkpoint" "${same[@]}"
}

@test "--resume without a checkpoint starts, and says so" {
    run --separate-stderr spinney train --steps 1000 --checkpoint none --resume --quiet
    [ "$status" -eq 0 ]
    [[ "$stderr" == *"there is no none yet: starting from the beginning" ]]
    refuses "--resume needs --checkpoint" train --resume
    refuses "--every: needs --checkpoint" train --every 100
    refuses "cannot be written" train --steps 1000 --checkpoint no/such/folder
}
