# docs/theory.md: a command beside every misprint that it claims, and what these commands show.
bats_require_minimum_version 1.5.0
load helpers

setup() {
    ROOT=$(realpath "$BATS_TEST_DIRNAME/../..")
    export SPINNEY=$(realpath "${SPINNEY:-$ROOT/build/spinney}")
}

teardown() {
    :
}

@test "scripts/misprints shows what it showed" {
    run python3 "$ROOT/scripts/misprints"
    [ "$status" -eq 0 ]
    matches_expected misprints.txt
}

@test "the numbers of docs/theory.md are those of scripts/misprints" {
    run python3 "$ROOT/scripts/misprints"
    for line in "slope of log psi from beta = 7 to 8: -2.00098" "printed, max |Q S - Q|: 0.0882779" \
        "two_stage, S(0, 2): 0.108009" "printed, epsilon_10: 0.240308" "right, epsilon_10: 1.6623e-07" \
        "printed, y log a - log b: -0.040822" "right, y log a - log b: 0.506143" \
        "sup |Q(16, 0.5) - Q(32, 1)|: 0.114887" "printed bound: 1.1304e-06" "right bound: 10.0448" \
        "printed, max Q: 0.183935" "right, max Q: 0.150741" "log kappa3: 2.36979"; do
        [[ "$output" == *"  $line"$'\n'* || "$output" == *"  $line" ]] || { echo "not there: $line"; false; }
    done
}

@test "every misprint of docs/theory.md has its command, and every command its misprint" {
    # a claim is a bullet: its lines up to the next bullet or an empty line
    awk '/^(- |$|#|```)/ { if (claim && !found) { print "no command: " claim; bad = 1 } claim = "" }
         /^- \*Misprint\*/ { claim = $0; found = 0 }
         claim && /`scripts\/misprints [a-z0-9]+`/ { found = 1 }
         END { exit bad }' "$ROOT/docs/theory.md"
    claimed=$(grep -o '`scripts/misprints [a-z0-9]*`' "$ROOT/docs/theory.md" | tr -d '`' | cut -d' ' -f2 | sort)
    run python3 "$ROOT/scripts/misprints"
    [ "$claimed" = "$(grep -o '^[a-z0-9]*:' <<< "$output" | tr -d : | sort)" ]
}

@test "scripts/misprints refuses a name it does not know" {
    run python3 "$ROOT/scripts/misprints" none
    [ "$status" -eq 1 ]
    [[ "$output" == "misprints: no 'none'; there are minimum, parity, "* ]]
}

@test "docs/theory.md: kappa3 beside max(e, kappa1)" {
    cd "$ROOT"
    "$SPINNEY" exact --energy table --table docs/examples/a.txt --gamma 0.5 --start 18 --schedule pieces:1x16 \
        --json | python3 -c '
import json, sys
r = json.load(sys.stdin)["results"]
assert abs(r["log_kappa3"] - 1.98687463) < 1e-8 and abs(r["log_kappa"] - 1.40802814) < 1e-8, r'
    "$SPINNEY" exact --energy table --table docs/examples/a.txt --gamma 0.5 --start 18 --schedule theorem1:kappa=10.8 \
        --json | python3 -c '
import json, math, sys
j = json.load(sys.stdin)
s = j["curves"]["stages"]
assert j["results"]["condition_met"] == j["results"]["condition3_met"] == 1
assert all(math.log(e) < b for e, b in zip(s["epsilon"], s["log_bound3"]))
assert not any("log_kappa" in n for n in j["notes"]), j["notes"]'
    "$SPINNEY" exact --energy table --table docs/examples/a.txt --schedule theorem1 |
        grep "log_kappa = 1.408 is below log_kappa3 = 2.3.*theorem1:kappa=10.8"
}

@test "docs/theory.md: the gaps of two wells and of a golf hole" {
    cd "$ROOT"
    "$SPINNEY" exact --code 1111111 --ball 0 --replicas 1 --gamma 0 --beta 3 --joint simulated --rungs 8 --no-law --json |
        python3 -c '
import json, sys
r = json.load(sys.stdin)["results"]
assert "%.3g %.3g" % (r["joint_gap"], r["joint_cold_gap"]) == "0.0101 0.000875", r'
    "$SPINNEY" exact --energy product --random 7,21,1 --teacher --replicas 1 --gamma 0 --beta 7 --joint equi-energy \
        --rungs 8 --no-law --json | python3 -c '
import json, sys
r = json.load(sys.stdin)["results"]
assert "%.3g %.3g" % (r["joint_gap"], r["joint_cold_gap"]) == "0.00409 0.00726", r'
}
