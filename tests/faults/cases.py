"""The commands that are run under faults, each short, and the files that they read."""
import gzip
import json
import os
import shutil
import struct
import subprocess

TABLE = "".join(f"{(7 * k) % 5 - 2},{(3 * k) % 7},{'red' if k % 3 else 'blue'},{0.5 * (k % 4)},{'yes' if (7 * k) % 5 > 1 else 'no'}\n"
                for k in range(24))
HEADER = "size,count,colour,weight,label\n"
SWEEP = """name: small
task: anneal
runs: 2
seed: 5
settings:
  energy: bits
  random: 11,5
  steps: 300
  target: 0
  profile-walks: 2
  profile-points: 3
grid:
  - setting: gamma
    values: [0, 0.5]
  - setting: replicas
    values: [1, 2]
keep: [models, traces, replicas]
figures:
  - name: energy
    title: "'Energies' & more"
    value: best_energy
    also: seconds
    x: gamma
    by: replicas
    as: [lines, table, heat]
    fit: true
    best: lowest
    reference: paper.csv
  - name: profile
    value: profile.energy
    x: profile.share
    by: gamma
    intervals: bands
    where: ["replicas=2"]
  - name: spread
    value: best_energy
    as: [histogram]
  - name: hits
    value: first_hit_proposals
    x: gamma
    tts: restarts
  - name: survival
    value: first_hit_proposals
    by: gamma
    as: [survival]
"""


def images(count):
    """Pictures of 4 by 4 in the IDX format, and their labels."""
    pixels = bytes((37 * k * (p + 1)) % 251 for k in range(count) for p in range(16))
    return (struct.pack(">4I", 0x803, count, 4, 4) + pixels,
            struct.pack(">2I", 0x801, count) + bytes(k % 2 for k in range(count)))


def npy(descr, shape, data):
    head = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}"
    head += " " * (63 - (10 + len(head)) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode() + data


def make_inputs(folder, spinney, build, data):
    """What the commands read, made by the program where it can."""
    def put(name, content):
        with open(os.path.join(folder, name), "wb") as file:
            file.write(content.encode() if isinstance(content, str) else content)

    def run(*arguments):
        subprocess.run([spinney, *arguments], cwd=folder, check=True, stdout=subprocess.DEVNULL,
                       env={**os.environ, "OMP_NUM_THREADS": "1"})

    for name in "ising.txt", "qubo.txt", "maxcut.txt", "table.txt", "patterns-odd.csv":
        shutil.copy(os.path.join(data, name), folder)
    shutil.copy(os.path.join(build, "tests/plugins/own_energy.so"), folder)
    put("table.csv", HEADER + TABLE)
    put("table.csv.gz", gzip.compress((HEADER + TABLE).encode(), mtime=0))
    put("new.csv", HEADER + TABLE[:200].rsplit("\n", 1)[0] + "\n")
    put("table.svm", "".join(f"{1 if k % 2 else -1} 1:{k % 5} 3:{0.5 * (k % 3)}\n" for k in range(12)))
    pixels, labels = images(12)
    put("images", pixels)
    put("labels", labels)
    values = struct.pack("<24d", *[(5 * k) % 7 - 3 for k in range(24)])
    put("values.npy", npy("<f8", "(12, 2)", values))
    put("labels.npy", npy("<i8", "(12,)", struct.pack("<12q", *[k % 2 for k in range(12)])))
    put("pack.lp", "max\n value: 4 a + 2 b + 10 c + d + [ 4 a * e ] / 2\nst\n weight: 12 a + b + 4 c + d + 2 e <= 15\n"
        " one: a + b + d = 1\n few: b + c + e <= 2\nbin\n a b c d e\nend\n")
    put("wishes.wcnf", "p wcnf 3 4 10\n10 1 2 0\n3 -1 0\n4 -2 0\n2 -1 3 0\n")
    put("sweep.yaml", SWEEP)
    put("paper.csv", "gamma,replicas,best_energy\n0,1,1\n0.5,2,0.5\n")
    put("sweep.json", json.dumps({
        "name": "small", "task": "anneal", "runs": 2, "seed": 5,
        "settings": {"energy": "bits", "random": "11,5", "steps": 300, "target": 0},
        "grid": [{"setting": "gamma", "values": [0, 0.5]}],
        "figures": [{"name": "energy", "value": "best_energy", "x": "gamma", "reference": "paper.csv"}]}))
    put("joined.yaml", "name: joined\njoin:\n  - folder: swept\n    name: one\nfigures:\n  - name: energy\n"
        "    x: gamma\n    value: best_energy\n")
    train = ["train", "--data", "table.csv", "--steps", "400", "--replicas", "2", "--quiet"]
    run(*train, "--out", "linear.spn")
    run(*train, "--hidden", "3", "--out", "network.spn")
    run("train", "--data", "images", "--labels", "labels", "--steps", "400", "--encode", "none", "--replicas", "2", "--quiet",
        "--out", "images.spn")
    run("train", "--data", "images", "--labels", "labels", "--hidden", "3", "--steps", "400", "--replicas", "2", "--quiet",
        "--out", "images-network.spn")
    run("anneal", "--energy", "bits", "--random", "11,5,1", "--steps", "500", "--trace", "trace.csv",
        "--out", "states.txt", "--quiet")
    run("sweep", "sweep.yaml", "--out", "swept", "--threads", "1", "--quiet")


class Case:
    def __init__(self, name, arguments, stdin=None, start=None, goes_on=False, drawn=False, environment=None,
                 program="spinney"):
        self.name, self.arguments, self.stdin = name, arguments.replace("IN/", "../in/").split(), stdin
        self.start = start or []  # what of the inputs stands in the folder at the start: [(from, to)]
        self.goes_on = goes_on  # after an error the folder may hold a part, and the same command goes on
        self.drawn = drawn  # starts gnuplot, which takes its time
        self.environment = environment
        self.program = program  # of the build


CALL = "tests/call"  # what a binding does
CHAIN = "--energy bits --random 11,5,1 --steps 300"
TRAIN = "train --data IN/table.csv --steps 300 --replicas 2"
IMAGES = "train --data IN/images --labels IN/labels --steps 300 --replicas 2"
SWEPT = [("swept", "swept")]
FOLDER_CALLS = "tests/folder_calls"
CASES = [
    Case("version", "--version"),
    Case("overview", "--help"),
    Case("help", "help train"),
    Case("manual", "--man"),
    Case("manual-of", "--man anneal"),
    Case("completion", "--completion"),
    Case("settings", "--settings-markdown"),
    Case("train", TRAIN + " --test-fraction 0.25 --out model.spn --trace t.csv --flip 0,0.1 --trials 4 "
         "--profile-walks 2 --profile-points 3"),
    Case("train-json", TRAIN + " --validation 0.25 --json"),
    Case("train-gzip", "train --data IN/table.csv.gz --steps 300 --json"),
    Case("train-network", TRAIN + " --hidden 3 --json --out model.spn"),
    Case("train-images", IMAGES + " --out model.spn"),
    Case("train-shifts", IMAGES + " --shifts 4 --hidden 2 --json"),
    Case("train-svmlight", "train --data IN/table.svm --steps 300 --json"),
    Case("train-npy", "train --data IN/values.npy --labels IN/labels.npy --steps 300 --json"),
    Case("train-thermometer", TRAIN + " --encode thermometer:3 --json"),
    Case("train-checkpoint", TRAIN + " --checkpoint state --every 100 --out model.spn --quiet", goes_on=True),
    Case("train-threads", TRAIN + " --threads 2 --json", environment={"OMP_NUM_THREADS": "2"}),
    Case("train-grid", TRAIN + " --grid gamma=0,0.5 --runs 2"),
    Case("anneal", "anneal " + CHAIN + " --out states.txt --trace t.csv"),
    Case("anneal-json", "anneal " + CHAIN + " --replicas 3 --profile-walks 2 --profile-points 3 --json"),
    Case("anneal-ising", "anneal --energy ising --graph IN/ising.txt --steps 300 --json"),
    Case("anneal-qubo", "anneal --energy qubo --graph - --steps 300 --json", stdin="qubo.txt"),
    Case("anneal-maxcut", "anneal --energy maxcut --graph IN/maxcut.txt --reads 4 --sweeps 20 --out states.csv"),
    Case("anneal-reads", "anneal --energy ising --graph IN/ising.txt --reads 4 --sweeps 20 --threads 2 --json"),
    Case("anneal-table", "anneal --energy table --table IN/table.txt --steps 300 --json"),
    Case("anneal-patterns", "anneal --energy bits --patterns IN/patterns-odd.csv --steps 300 --json"),
    Case("anneal-plugin", "anneal --energy IN/own_energy.so --energy-options 4,5,6,7,8 --steps 300 --json"),
    Case("anneal-committee", "anneal --energy committee --units 3 --random 15,5,1 --steps 300 --json"),
    Case("anneal-threads", "anneal " + CHAIN + " --threads 2 --json"),
    Case("anneal-checkpoint", "anneal " + CHAIN + " --checkpoint state --every 100 --out states.txt", goes_on=True),
    Case("problem", "anneal --problem IN/pack.lp --sweeps 50 --out states.csv"),
    Case("problem-clauses", "anneal --problem IN/wishes.wcnf --sweeps 50 --threads 2 --json"),
    Case("problem-robust", "anneal --problem IN/pack.lp --sweeps 50 --replicas 3 --gamma 0.5 --rank robust --json"),
    Case("problem-checkpoint", "anneal --problem IN/pack.lp --sweeps 300 --checkpoint state --out states.json", goes_on=True),
    Case("anneal-grid", "anneal " + CHAIN + " --grid gamma=0,0.5 --runs 2 --json"),
    Case("anneal-plot", "anneal " + CHAIN + " --profile-walks 2 --profile-points 3 --plot profile.svg", drawn=True),
    Case("call-tables", "tables", program=CALL),
    Case("call-anneal", "anneal energy=bits random=11,5,1 steps=300 profile-walks=2 profile-points=3 -trace=t.csv", program=CALL),
    Case("call-graph", "anneal energy=ising graph@IN/ising.txt reads=4 sweeps=20 -out=states.csv", program=CALL),
    Case("call-checkpoint", "anneal energy=bits random=11,5,1 steps=300 -checkpoint=state -every=100", goes_on=True, program=CALL),
    Case("call-train", "train data@IN/table.svm steps=300 replicas=2 -out=model.spn", program=CALL),
    Case("call-eval", "eval data=IN/table.csv model@IN/linear.spn flip=0,0.1 trials=4", program=CALL),
    Case("temper", "temper --energy ising --graph IN/ising.txt --replicas 1 --scans 32 --rungs 3 --json"),
    Case("population", "population --energy ising --graph IN/ising.txt --groups 64 --sweeps 1 --checkpoint state --out states.csv",
         goes_on=True),
    Case("temper-out", "temper --energy ising --graph IN/ising.txt --scans 32 --rungs 3 --keep-every 4 --out samples.csv"),
    Case("temper-checkpoint", "temper --energy ising --graph IN/ising.txt --scans 64 --rungs 3 --checkpoint state --every 8",
         goes_on=True),
    Case("entropy", "entropy --energy bits --random 5,2,1 --all --sweeps 1 --json"),
    Case("entropy-around", "entropy --energy bits --random 11,5,1 --target 0 --distance 0.1 --sweeps 4"),
    Case("exact", "exact --energy bits --random 5,3,1 --beta 1 --gamma 0.5 --json"),
    Case("exact-text", "exact --energy bits --random 5,3,1 --beta 1 --gamma 0.5"),
    Case("exact-code", "exact --code 0111100,1011010,1101001 --ball 1 --beta inf --best-gamma 0:1:0.5"),
    Case("exact-schedule", "exact --energy bits --random 3,2,1 --schedule pieces:1x10,2x10 --start 5 --json"),
    Case("exact-joint", "exact --energy bits --random 3,2,1 --replicas 1 --beta 1 --joint simulated --json"),
    Case("eval", "eval IN/linear.spn --data IN/table.csv --flip 0,0.1 --trials 4"),
    Case("eval-json", "eval IN/linear.spn --data IN/table.csv --flip 0,0.1 --trials 4 --json"),
    Case("eval-network", "eval IN/network.spn --data IN/table.csv --flip 0.1 --trials 4 --replica vote --json"),
    Case("predict", "predict IN/linear.spn IN/new.csv"),
    Case("predict-probabilities", "predict IN/linear.spn --probabilities - --quiet", stdin="new.csv"),
    Case("predict-json", "predict IN/network.spn IN/new.csv --replica vote --json"),
    Case("export-c", "export IN/linear.spn --format c --out model.h"),
    Case("export-npy", "export IN/linear.spn --format npy --replica all --out weights.npy"),
    Case("export-text", "export IN/linear.spn --format text --out weights.txt"),
    Case("export-onnx", "export IN/images.spn --format onnx --out model.onnx"),
    Case("export-c-network", "export IN/network.spn --format c --replica vote --out model.h"),
    Case("export-npy-network", "export IN/network.spn --format npy --out weights.npy"),
    Case("export-text-network", "export IN/network.spn --format text --replica all --out -"),
    Case("export-onnx-network", "export IN/images-network.spn --format onnx --replica vote --input uint8 --out model.onnx"),
    Case("show", "show IN/images.spn --width 60"),
    Case("show-network", "show IN/images-network.spn --units 2 --width 60"),
    Case("show-png", "show IN/images.spn --png weights.png --scale 2"),
    Case("plot", "plot IN/trace.csv --width 60"),
    Case("plot-histogram", "plot IN/trace.csv --y overlap --histogram --width 60"),
    Case("plot-svg", "plot IN/trace.csv --out trace.svg", drawn=True),
    Case("sweep", "sweep IN/sweep.yaml --out s --threads 1 --quiet", goes_on=True),
    Case("sweep-threads", "sweep IN/sweep.yaml --out s --threads 2 --quiet", goes_on=True),
    Case("sweep-json", "sweep IN/sweep.yaml --out s --threads 1 --json --save-every 1e-6 --quiet", goes_on=True),
    Case("sweep-shard", "sweep IN/sweep.yaml --out s --threads 1 --shard 1/2 --quiet", goes_on=True),
    Case("sweep-more", "sweep IN/sweep.yaml --out swept --threads 1 --runs 3 --quiet", start=SWEPT, goes_on=True),
    Case("sweep-dry", "sweep IN/sweep.yaml --dry-run --json --set gamma=0,1"),
    Case("records", "records IN/swept"),
    Case("records-list", "records IN/swept --list --where gamma<=0.2 --columns best_energy,run"),
    Case("records-csv", "records IN/swept --csv runs.csv"),
    Case("records-curves", "records IN/swept --csv - --curves profile"),
    Case("records-json", "records IN/swept --json"),
    Case("records-json-list", "records IN/swept --list --json"),
    Case("records-archive", "records swept --archive", start=SWEPT, goes_on=True),
    Case("call-parse", "parse IN/sweep.json", program=FOLDER_CALLS),
    Case("call-sweep", "sweep IN/sweep.json s", goes_on=True, program=FOLDER_CALLS),
    Case("call-groups", "groups IN/swept", program=FOLDER_CALLS),
    Case("call-list", "list IN/swept", program=FOLDER_CALLS),
    Case("call-csv", "csv IN/swept", program=FOLDER_CALLS),
    Case("call-curve", "curve IN/swept", program=FOLDER_CALLS),
    Case("call-doubts", "doubts IN/swept", program=FOLDER_CALLS),
    Case("call-figures", "figures IN/swept", program=FOLDER_CALLS),
    Case("call-report", "report IN/swept figures", goes_on=True, program=FOLDER_CALLS),
    Case("report", "report IN/swept --no-pictures --out r.html --figures figures", goes_on=True),
    Case("report-join", "report IN/joined.yaml --no-pictures --out r.html --figures figures", goes_on=True),
    Case("report-drawn", "report IN/swept --static --out r.html --figures figures", goes_on=True, drawn=True),
]
