printf '%s\n' 3 5 -2 7 1 -4 2 6 >table
spinney --help | grep -q span
spinney span --help-all | grep -q -- '--states n'
spinney span --energy table --table table --states 1000 --json | python3 -c '
import json, sys
record = json.load(sys.stdin)
assert record["task"] == "span" and record["settings"]["states"] == 1000
assert record["results"]["lowest"] == -4 and record["results"]["highest"] == 7'
cat >sweep.yaml <<'END'
name: spans
task: span
settings: {energy: table, table: table}
grid: [{setting: states, values: [1, 500]}]
END
spinney sweep sweep.yaml --out folder >/dev/null
spinney records folder --columns lowest | grep -q -- -4
spinney --settings-markdown | grep -q span
