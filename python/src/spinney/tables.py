"""The tables of the tasks, from the library: signatures, help, and how values become texts.

Nothing here knows a setting by name: settings, kinds, defaults and help come from the same tables as the program's
options.
"""

from __future__ import annotations

import inspect
import json
import os
import re
import textwrap
from typing import Any, Iterable

import numpy as np

from . import _library
from .errors import wrong

WIDTH = 100


class Setting:
    """A row of a table of settings."""

    __slots__ = ("name", "keyword", "encoded", "kind", "row", "head", "off", "last")

    def __init__(self, row: dict[str, Any]) -> None:
        self.row = row
        self.name: str = row["name"]
        self.keyword = self.name.replace("-", "_")
        self.encoded = self.name.encode()
        self.kind: str = row["kind"]
        self.head = self.name + "\0"
        self.off = self.kind == "flag" and row["default"] != "true"  # a flag that is false by default
        self.last: tuple[Any, str] = (self, "")  # a value and its part

    def part(self, value: Any) -> str:
        """What a call receives: the name and the text of the value, each ended by a zero; nothing if there is no
        value."""
        if type(value) is int:  # the usual case first; of a file it is a count
            return f"{self.head}{value}\0"
        last, part = self.last
        if value is last:  # as of one call after the other; never of an object that can change
            return part
        if value is None or value is False and self.off:
            return ""
        part = f"{self.head}{self.text(value)}\0"
        if type(value) in _CONSTANT or type(value) is tuple and all(type(item) in _CONSTANT for item in value):
            self.last = value, part
        return part

    def text(self, value: Any) -> str:
        """The text of a value. The library decides what it means; a value of the wrong kind, such as a text for a
        number, is refused here."""
        if type(value) is tuple:  # the usual case first
            return ":".join([self._item(item) for item in value])
        if isinstance(value, str):
            if self.kind in ("whole", "real", "flag"):
                raise wrong(self.keyword, f"a {_PYTHON[self.kind]} is needed, not the text {value!r}")
            return _plain(self.keyword, value)
        if self.kind == "file" and isinstance(value, (bool, float, np.bool_, np.floating)):
            raise wrong(self.keyword, f"the path of a file is needed, not {value!r}")
        if isinstance(value, np.ndarray):
            value = value.item() if value.ndim == 0 else value.tolist()
        if isinstance(value, tuple):
            return ":".join([self._item(item) for item in value])
        if isinstance(value, (list, range)):
            return ",".join([self._item(item) for item in value])
        return self._item(value)

    def _item(self, value: Any) -> str:
        if type(value) is float:  # the usual cases first
            return _number(value)
        if type(value) is int:
            return str(value)
        if isinstance(value, (bool, np.bool_)):
            return "true" if value else "false"
        if isinstance(value, (int, np.integer)):
            return str(int(value))
        if isinstance(value, (float, np.floating)):
            return _number(float(value))
        if isinstance(value, str):
            return _plain(self.keyword, value)
        if isinstance(value, os.PathLike):
            return _plain(self.keyword, os.fsdecode(value))
        raise wrong(self.keyword, f"cannot be a {type(value).__name__}; {_expected(self.row)}")

    @property
    def default(self) -> Any:
        """Its default as a Python value."""
        return False if self.kind == "flag" and self.row["default"] is None else self.value(self.row["default"])

    def value(self, text: str | None) -> Any:
        """A text of the library's as a Python value that it takes again: a number, a truth value, or the text."""
        if text is None:
            return None
        if self.kind == "flag":
            return text == "true"
        try:
            if self.kind in ("whole", "wholes"):
                return int(text) if text.isdigit() else int(float(text))
            return float(text) if self.kind == "real" else text
        except ValueError:
            return text


_CONSTANT = frozenset((int, float, str))
_PYTHON = {"whole": "whole number", "real": "number", "flag": "truth value"}
_TYPES = {
    "whole": "int",
    "real": "float",
    "flag": "bool",
    "word": "str",
    "range": "float | tuple | str",
    "text": "str",
    "list": "Sequence | str",
    "file": "str | PathLike | array",
    "wholes": "int | Sequence[int]",
}


def _number(value: float) -> str:
    text = repr(value)
    return text[:-2] if text.endswith(".0") else text


def _plain(keyword: str, text: str) -> str:
    if "\0" in text:
        raise wrong(keyword, "a text cannot hold a zero byte")
    return text


def _expected(row: dict[str, Any]) -> str:
    return f"{_TYPES[row['kind']].replace(' | ', ', ')} is needed"


class Task:
    """A task, as described by its table."""

    def __init__(self, row: dict[str, Any]) -> None:
        self.row = row
        self.name: str = row["name"]
        self.encoded = self.name.encode()
        self.chain: bool = row["chain"]
        self.product: str | None = row["product"]
        self.settings = {s.keyword: s for s in map(Setting, filter(_named, row["settings"]))}
        self.parts = {s.keyword: s.part for s in self.settings.values() if s.kind != "file"}
        self.efforts = {s.keyword: s.row["default"] for s in self.settings.values() if s.row["effort"]}
        self.shared = any(text != "1" for text in self.efforts.values())  # it runs in threads by itself
        self.options = {s.keyword: s for s in map(Setting, filter(_named, row["options"]))}
        self.results = {r["name"]: r for r in filter(_named, row["results"])}
        self.numbers = {name: name.encode() for name, r in self.results.items() if r["kind"] == "number"}

    def positional(self) -> list[str]:
        """The keywords that may be positional: the files at the head of the table."""
        names = []
        for keyword, setting in self.settings.items():
            if setting.kind != "file":
                break
            names.append(keyword)
        return names

    def signature(self, more: Iterable[inspect.Parameter], returns: Any) -> inspect.Signature:
        """A signature with a parameter for each setting, and more at the end."""
        places = self.positional()
        parameters = []
        for keyword, setting in {**self.settings, **self.options}.items():
            by_place = keyword in places
            parameters.append(
                inspect.Parameter(
                    keyword,
                    inspect.Parameter.POSITIONAL_OR_KEYWORD if by_place else inspect.Parameter.KEYWORD_ONLY,
                    default=setting.default,
                    annotation=_TYPES[setting.kind],
                )
            )
        return inspect.Signature(parameters + list(more), return_annotation=returns)

    def help(self, more: str, examples: str) -> str:
        """The text of help(): the settings under their headings, further parameters, and the results."""
        lines = [self.row["summary"][:1].upper() + self.row["summary"][1:] + ".", ""]
        lines += ["Settings that are not given have the default of the table. " + _HOW, ""]
        lines += _rows(self.row["settings"], _setting_help)
        if self.row["options"]:
            lines += ["", "Files", "-----", *_rows(self.row["options"], _setting_help)]
        lines += ["", *textwrap.dedent(more).strip().splitlines(), "", "Results", "-------"]
        lines += _rows(self.row["results"], _result_help)
        if self.row["presets"]:
            lines += ["", "Presets", "-------"]
            for preset in self.row["presets"]:
                lines += _entry(preset["name"], preset["about"])
        lines += ["", "Examples", "--------", *textwrap.dedent(examples).strip().splitlines()]
        return "\n".join(lines) + "\n"


_HOW = ("A tuple (a, b) is the\nrange a:b, a list the values a,b,...; a setting that names a file also takes an "
        "array or an object.")


def _named(row: dict[str, Any]) -> bool:
    return "name" in row


def _entry(head: str, text: str) -> list[str]:
    return [head] + textwrap.wrap(text, WIDTH - 4, initial_indent="    ", subsequent_indent="    ")


def _rows(rows: list[dict[str, Any]], entry: Any) -> list[str]:
    lines: list[str] = []
    for row in rows:
        if "heading" in row:
            lines += ["", row["heading"], "-" * len(row["heading"])]
        else:
            lines += entry(row)
    return lines


def _phrase(text: str) -> str:
    """A text of a table, whose names of settings in backticks become keywords."""
    return re.sub("`([^`]*)`", lambda name: name[1].replace("-", "_"), text)


def _setting_help(row: dict[str, Any]) -> list[str]:
    text = _phrase(row["help"])
    if row["words"]:
        text += ": " + ", ".join(row["words"])
    if row["default"] is not None:
        text += f" [{row['default']}]"
    elif row["otherwise"]:
        text += f" (default: {_phrase(row['otherwise'])})"
    unit = f", in {row['unit']}" if row["unit"] else ""
    return _entry(f"{row['name'].replace('-', '_')} : {_TYPES[row['kind']]}{unit}", text)


def _result_help(row: dict[str, Any]) -> list[str]:
    unit = f", in {row['unit']}" if row["unit"] else ""
    return _entry(f"{row['name']} : {row['kind']}{unit}", _phrase(row["help"] or row["label"] or ""))


def _read() -> dict[str, Task]:
    text = _library.take_text(_library.make(_library.lab.spn_tables_json))
    return {row["name"]: Task(row) for row in json.loads(text)["tasks"]}


TASKS = _read()
