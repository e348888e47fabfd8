# A training that was killed or interrupted ends, once it is resumed, with the model of the training
# that was not: byte for byte.
load helpers

run_options=(train --subset 500 --steps 120000 --seed 5 --quiet)

# `kills NUMBER SEED THREADS options...`: kill a training at random moments, resume it each time, and
# compare with the one that was not killed. THREADS are of the killed run; the resumed one has one.
kills() {
    local number=$1 seed=$2 threads=$3
    shift 3
    spinney "$@" --out whole.spn > /dev/null
    # waiting threads that spin take the cores of a busy machine away from those that work
    OMP_WAIT_POLICY=passive python3 - "$number" "$seed" "$threads" "$SPINNEY" "$@" <<'END'
import json, os, random, subprocess, sys, time
number, draw, threads, command = int(sys.argv[1]), random.Random(sys.argv[2]), sys.argv[3], sys.argv[4:]
command += ["--checkpoint", "state", "--every", "8192", "--out", "model.spn"]
killed = command + ["--threads", threads]
whole = open("whole.spn", "rb").read()
started = time.time()
subprocess.run(killed, stdout=subprocess.DEVNULL, check=True)
whole_time = time.time() - started
resumed = 0
for kill in range(number):
    process = subprocess.Popen(killed, stdout=subprocess.DEVNULL)
    try:
        process.wait((0.05 + draw.random()) * whole_time)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    done = subprocess.run(command + ["--resume", "--json"], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, check=True)
    resumed += json.loads(done.stdout)["resumed_step"] > 0
    assert open("model.spn", "rb").read() == whole, f"kill {kill}: another model"
    assert not os.path.exists("state")
    os.unlink("model.spn")
print("resumed after the start:", resumed, "of", number)
assert resumed >= number // 4
END
}

@test "20 random kills: the same model" {
    kills 20 20 1 "${run_options[@]}"
}

@test "kills of a run with two threads: the same model" {
    kills 4 22 2 train --subset 500 --steps 40000 --quiet
}

@test "killed again and again: the same model" {
    spinney "${run_options[@]}" --out whole.spn > /dev/null
    python3 - "$SPINNEY" "${run_options[@]}" <<'END'
import random, subprocess, sys
draw = random.Random(21)
command = sys.argv[1:] + ["--checkpoint", "state", "--every", "8192", "--out", "model.spn"]
for kill in range(8):
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    try:
        process.wait(0.02 + 0.1 * draw.random())
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
END
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
        timeout -s KILL 0.15 "$SPINNEY" "$@" --checkpoint state --every 1 --out model.spn > /dev/null || true
        spinney "$@" --checkpoint state --out model.spn > /dev/null
        cmp whole.spn model.spn
    done
}

@test "an interrupt writes the checkpoint and the best model so far, and says how to go on" {
    spinney "${run_options[@]}" --out whole.spn > /dev/null
    for signal in INT TERM; do
        rm -f model.spn
        "$SPINNEY" "${run_options[@]}" --checkpoint state --out model.spn \
            > out 2> err &
        sleep 0.1
        kill -$signal $!
        interrupted=0
        wait $! || interrupted=$?
        [ $interrupted -eq 130 ]
        [ "$(wc -l < err)" -eq 1 ]
        grep -q "interrupted at step .*; give the same command again to go on from step" err
        [ -s state ]
        spinney show model.spn > /dev/null
        spinney "${run_options[@]}" --checkpoint state --out model.spn > /dev/null
        cmp whole.spn model.spn
        [ ! -e state ]
    done
}

@test "threads do not change the model" {
    spinney train --steps 20000 --out one.spn > /dev/null
    OMP_WAIT_POLICY=passive spinney train --steps 20000 --out two.spn --threads 2 > /dev/null
    cmp one.spn two.spn
    spinney train --steps 20000 --out other.spn --seed 2 > /dev/null
    run cmp -s one.spn other.spn
    [ "$status" -eq 1 ]
}

# A checkpoint of a short training, left behind.
leave_checkpoint() {
    timeout -s INT 0.3 "$SPINNEY" "${run_options[@]}" --steps 3000000 --checkpoint state \
        > /dev/null 2>&1 || true
    [ -s state ]
}

@test "other settings or other data are refused, naming what differs" {
    leave_checkpoint
    same=("${run_options[@]}" --steps 3000000 --checkpoint state --resume --out model.spn)
    refuses "its seed is 5, here it is 6" "${same[@]}" --seed 6
    refuses "its replicas is 3, here it is 2" "${same[@]}" --replicas 2
    refuses 'its beta is "exponential' "${same[@]}" --beta 10:1000
    refuses "its gamma is" "${same[@]}" --gamma 2
    refuses "its steps is 3000000, here it is 4000000" "${same[@]}" --steps 4000000
    refuses "its kernel is" "${same[@]}" --kernel heat-bath
    refuses "its logit_scale is" "${same[@]}" --logit-scale 0.5
    refuses "its scaling is" "${same[@]}" --scaling none
    refuses "its preset is" "${same[@]}" --preset paper
    refuses "its train_samples is 500, here it is 400" "${same[@]}" --subset 400
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
    refuses "--resume goes with --checkpoint" train --resume
    refuses "--every goes with --checkpoint" train --every 100
    refuses "cannot be written" train --steps 1000 --checkpoint no/such/folder
}
