"""What the tests share: the program, whose numbers are to be met bit for bit, and files for it."""

import json
import os
import subprocess
from pathlib import Path

import pytest

PROGRAM = os.environ.get("SPINNEY") or str(Path(__file__).parents[2] / "build" / "spinney")


@pytest.fixture
def program():
    """Run a command of the program and return its JSON."""

    def run(task, *options):
        command = [PROGRAM, task, "--json", "--quiet", "--rows", "1000000", *map(str, options)]
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return run


def same(result, printed):
    """That a result is what the program has printed, to the last bit; where settings name a file, it has an object."""
    found = result.to_dict()
    for part in ("results", "curves", "seed", "states", "distinct", "binary", "steps", "complete"):
        assert found.get(part) == printed.get(part), part
    # a note may begin with the name of the file that was read
    notes = [[note.partition(": ")[2] for note in one["notes"]] for one in (found, printed)]
    assert notes[0] == notes[1]
    for name, text in printed["settings"].items():
        given = found["settings"][name]
        assert given == text or str(given).startswith("@"), name
    for name, value in printed["results"].items():
        assert (result[name] if name in result else None) == value, name
    for curve, columns in printed["curves"].items():
        for column, values in columns.items():
            wanted = [float("nan") if v is None else float(v) for v in values]
            assert list(map(repr, result[f"{curve}.{column}"].tolist())) == list(map(repr, wanted)), (curve, column)
    return found


def rudy(path, sites, edges):
    """Write couplings (i, j, weight), i and j from 0, as a file in Gset's format."""
    lines = [f"{sites} {len(edges)}"] + [f"{i + 1} {j + 1} {weight!r}" for i, j, weight in edges]
    path.write_text("\n".join(lines) + "\n")
    return str(path)
