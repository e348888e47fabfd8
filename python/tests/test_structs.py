"""Structs that Python fills are laid out as the compiler lays them out."""

import ctypes
import importlib
import os
import subprocess
from pathlib import Path

import pytest

from spinney import _library

for module in ("frames", "model"):  # they fill structs, too
    importlib.import_module(f"spinney.{module}")

INCLUDE = Path(__file__).parents[2] / "include"
MADE = Path(os.environ.get("SPINNEY_LIBRARY", "")) / "include"  # the header that the build makes


def layout(tmp_path, structs):
    """Sizes and offsets by the compiler, as lines "struct.field offset size"."""
    lines = ["#include <spinney/spinney.h>", "#include <spinney/lab/call.h>", "#include <stdio.h>", "int main(void) {"]
    for name, struct in structs.items():
        lines.append(f'printf("{name} 0 %zu\\n", sizeof({name}));')
        lines += [f'printf("{name}.{field} %zu %zu\\n", offsetof({name}, {field}), sizeof((({name} *)0)->{field}));'
                  for field, _ in struct._fields_]
    source = tmp_path / "layout.c"
    source.write_text("\n".join(lines + ["return 0;", "}"]))
    compiler = os.environ.get("CC", "cc")
    command = [compiler, "-std=c11", "-D_GNU_SOURCE", f"-I{INCLUDE}", f"-I{MADE}"]
    command += [str(source), "-o", str(tmp_path / "layout")]
    try:
        subprocess.run(command, check=True)
    except FileNotFoundError:
        pytest.skip(f"there is no compiler {compiler}")
    return subprocess.run([tmp_path / "layout"], check=True, capture_output=True, text=True).stdout.split("\n")[:-1]


def test_layouts_are_the_compilers(tmp_path):
    mine = []
    for name, struct in _library.STRUCTS.items():
        mine.append(f"{name} 0 {ctypes.sizeof(struct)}")
        for field, _ in struct._fields_:
            place = getattr(struct, field)
            mine.append(f"{name}.{field} {place.offset} {place.size}")
    assert layout(tmp_path, _library.STRUCTS) == mine


def test_defaults_are_the_headers(tmp_path):
    """What Python leaves out is what the inline functions of the headers set: nothing but the size."""
    empty = _library.RandomPatterns()
    assert empty.size == ctypes.sizeof(empty) and not any(bytes(empty)[8:])
