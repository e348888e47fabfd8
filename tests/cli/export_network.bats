# export of networks with a hidden layer, on random ones: every weight matters here, and not what it
# was learnt from.
load helpers

# `network OUT DATA INPUTS HIDDEN [REPLICAS [HIDDEN_BIAS [BIAS [SEED]]]]`
network() {
    "$(dirname "$SPINNEY")/tests/make_network" "$@"
}

# Samples of digits, 0 to 16; with one of nothing and one of the largest bytes among them.
digits() {
    "$(dirname "$SPINNEY")/tests/make_model" --samples digits | head -n 60 > digits.csv
    python3 -c "print(','.join(['0'] * 64 + ['0'])); print(','.join(['255'] * 64 + ['1']))" >> digits.csv
}

# `made_up FEATURES SAMPLES real|byte NAME`: samples of three classes with names of their own.
made_up() {
    python3 - "$@" > "$4.csv" <<'END'
import random, sys
features, samples, kind = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
draw = random.Random(7)
for n in range(samples):
    x = [draw.randrange(256) if kind == "byte" else draw.gauss(0, 1) for _ in range(features)]
    print(",".join(map(repr, x)) + "," + ("a", "b ?'", "ü")[n % 3])
END
}

# `agrees SAMPLES KINDS [options]`: the header, with features of each of the kinds of use_export.c, text
# and npy have the scores of the definition, and predict its classes.
agrees() {
    local samples=$1 kinds=$2 kind
    shift 2
    spinney export m.spn --format c --name model --out model.h --quiet "$@"
    spinney export m.spn --format text --out m.txt --quiet "${@/vote/all}"
    spinney export m.spn --format npy --out m.npy --quiet "${@/vote/all}"
    python3 "$BATS_TEST_DIRNAME/../support/network_oracle.py" m.txt "$samples" m.npy > expected
    for kind in $kinds; do
        compare_header "$samples" "$kind"
    done
    sed -E 's/^(-?[0-9]+ )+//' expected > classes
    spinney predict m.spn "$samples" --quiet "$@" > by-predict
    cmp by-predict classes
}

# `compare_header SAMPLES KIND`: model.h and the scores in the file expected. compiler=, flags=.
compare_header() {
    ${compiler:-gcc -std=c99} -Wall -Wextra -Wconversion -pedantic -Werror ${flags:--O1} -DMODEL_SCORES \
        -DMODEL_HEADER='"model.h"' -DMODEL_BYTES="$2" -I. -o use \
        "$BATS_TEST_DIRNAME/../support/use_export.c"
    ./use < "$1" > by-c
    cmp by-c expected
}

sanitized="-g -fsanitize=address,undefined -fno-sanitize-recover"

@test "export c: bits of bytes, by every compiler and instruction set" {
    digits
    network m.spn digits.csv binary:7 13 3 2 1
    agrees digits.csv "0 1 2 4"
    agrees digits.csv 1 --replica 2
    agrees digits.csv 1 --replica centre
    agrees digits.csv "1 4" --replica vote
    flags="-O3 -march=native" compare_header digits.csv 1
    flags=$sanitized compare_header digits.csv 4
    if command -v clang; then
        compiler="clang -std=c99" flags=-O2 compare_header digits.csv 1
    fi
    if command -v g++; then
        compiler="g++ -x c++ -std=c++11" compare_header digits.csv 1
    fi
    network m.spn digits.csv binary:7 64 && agrees digits.csv 1
    for threshold in -1 300; do
        network m.spn digits.csv binary:$threshold 9 1 1 && agrees digits.csv "1 2 4"
    done
}

@test "export c: thermometers of bytes and of real features, and more words than a byte can count" {
    digits && made_up 280 40 real wide
    network m.spn digits.csv thermometer:3 70 2 0 3
    agrees digits.csv "0 1 2 4"
    agrees digits.csv 1 --replica vote
    network m.spn wide.csv thermometer:9 6 2 5 1
    agrees wide.csv 0 --replica vote
    grep -q 'model_words = 40' model.h
    flags="-O3 -march=native" compare_header wide.csv 0
    # as many bits as there can be in every byte of the words
    python3 -c "print(','.join(['9'] * 280 + ['a']))" >> wide.csv
    network m.spn wide.csv thermometer:9 6 1 0 0 0
    agrees wide.csv 0
}

@test "export c: bytes as they are" {
    digits && made_up 70 40 byte bytes
    network m.spn digits.csv none 13 3
    agrees digits.csv 1 --replica vote
    network m.spn bytes.csv none 130 2 3 2
    agrees bytes.csv 1 --replica vote
    flags="-O3 -march=native" compare_header bytes.csv 1
    flags=$sanitized compare_header bytes.csv 1
}

@test "export c: no floating point for bytes as they are, nor where it is not wanted" {
    digits
    no_floats() {
        run ! grep -E 'double|float|[0-9]\.[0-9]' <(sed '1,/\*\//d' model.h)
        compare_header digits.csv 1
    }
    network m.spn digits.csv none 5 && agrees digits.csv 1 && no_floats
    for inputs in binary:7.5 thermometer:2; do
        network m.spn digits.csv $inputs 5
        agrees digits.csv 0 && grep -q double model.h
        spinney export m.spn --format c --name model --arithmetic int --out model.h --quiet
        no_floats
    done
}

@test "export c: trained on images, and without floating point for them" {
    digits
    local choice
    for choice in "--scaling none" "--scaling binary:7" "--encode thermometer:2" \
        "--scaling binary:7 --preset tolerant --faults 0.2"; do # trained with means, exported with signs
        spinney train --data digits --hidden 20 --hidden-bias 3 --replicas 3 --steps 6000 $choice --out m.spn \
            --quiet > /dev/null
        agrees digits.csv 1
        agrees digits.csv 1 --replica vote
        run ! grep -E 'double|float' <(sed '1,/\*\//d' model.h)
    done
}

@test "export c: what it says of itself" {
    digits
    network m.spn digits.csv binary:7 256 3
    spinney export m.spn --format c --out my-net.h --replica vote --quiet
    grep -q 'network of 64 inputs, 768 hidden units and 10 classes with 56832 one-bit weights (7104 bytes;' my-net.h
    grep -q 'the vote of 3 networks of 256 units' my-net.h
}

@test "export onnx: networks and votes, valid and with the classes of predict" {
    /usr/bin/python3 -c 'import onnx, numpy' || skip "python3-onnx is not installed"
    digits && made_up 40 60 real real && made_up 70 40 byte bytes
    local triples=() shape number=0 data inputs hidden replicas hidden_bias bias input which
    for shape in "digits binary:7 13 3 2 1 uint8" "digits binary:7 64 1 0 0 float" \
        "digits thermometer:3 20 2 0 3 uint8" "real thermometer:4 33 3 3 0 double" \
        "digits none 13 3 0 0 float" "bytes none 50 2 3 2 uint8"; do
        read -r data inputs hidden replicas hidden_bias bias input <<< "$shape"
        network m.spn $data.csv $inputs $hidden $replicas $hidden_bias $bias
        for which in 1 centre vote; do
            number=$((number + 1))
            spinney export m.spn --format onnx --input $input --replica $which --out $number.onnx --quiet
            spinney predict m.spn $data.csv --replica $which --quiet > $number.expected
            triples+=($number.onnx $data.csv $number.expected)
        done
    done
    spinney train --data digits --hidden 20 --preset tolerant --steps 6000 --out m.spn --quiet > /dev/null
    spinney export m.spn --format onnx --input uint8 --out smooth.onnx --quiet
    spinney predict m.spn digits.csv --quiet > smooth.expected
    triples+=(smooth.onnx digits.csv smooth.expected)
    /usr/bin/python3 "$BATS_TEST_DIRNAME/../support/check_onnx.py" "${triples[@]}"
}

@test "export: what cannot be gets one line" {
    digits
    network m.spn digits.csv binary:7 5 3
    refuses "the arithmetic double is not possible: networks compute in whole numbers; auto and int are" \
        export m.spn --format c --arithmetic double --out never.h
    refuses "the arithmetic float is not possible" export m.spn --format c --arithmetic float --out never.h
    refuses "'2x' is not an identifier of C" export m.spn --format c --name 2x --out never.h
    refuses "--replica: 'all' is not" export m.spn --format c --replica all --out never.h
    refuses "a vote needs --format c or onnx; npy and text hold all replicas with --replica all" \
        export m.spn --format npy --replica vote --out never.npy
    refuses "a network is two files of NPY: give a name in place of -" export m.spn --format npy --out -
    "$(dirname "$SPINNEY")/tests/make_model" linear.spn digits none 100
    refuses "networks vote, and this model is linear" \
        export linear.spn --format c --replica vote --out never.h
}
