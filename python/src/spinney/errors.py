"""The exceptions of spinney, one for each status of the library. Each is also of the kind that Python programs
expect, so ``except ValueError`` catches a bad argument."""

from __future__ import annotations

import re


class Error(Exception):
    """The base class of all errors of spinney.

    ``argument`` is the name of the argument that caused it, if there is one.
    """

    argument: str | None = None


class ArgumentError(Error, ValueError):
    """An argument or a setting is wrong, alone or together with others."""


class KindError(ArgumentError, TypeError):
    """An argument is of a kind that cannot be meant, such as a text for a number."""


class KeywordError(ArgumentError, TypeError):
    """The function has no such keyword."""


class InputError(Error, ValueError):
    """The content of a file or an array is not as expected."""


class FileError(Error, OSError):
    """A file cannot be opened, read or written."""


class OutOfMemory(Error, MemoryError):
    """Out of memory."""


class EnergyError(Error, ArithmeticError):
    """An energy is not a number."""


class LiveObjectError(Error, TypeError):
    """An object in the library's memory was pickled, copied, or used in another process or thread."""


class LibraryError(Error, ImportError):
    """The shared libraries were not found, or have another version."""


class ConvergenceWarning(UserWarning):
    """The health of a run is not good: it was frozen, hot at its end, or too short to tell."""


# By spn_status, from 1 (<spinney/status.h>).
_BY_STATUS = (Error, ArgumentError, InputError, FileError, OutOfMemory, EnergyError)


# The library names settings in backquotes, with a value or without: `missing mean`.
_SETTING = re.compile("`([a-z][a-z0-9-]+)(?: ([^` ]+))?`")


def _as_keyword(found: re.Match[str]) -> str:
    name, value = found[1].replace("-", "_"), found[2]
    return name if value is None else f'{name}="{value}"'


def of_status(status: int, text: str) -> Error:
    """The exception for a status and its text, with settings as keywords: missing="mean"."""
    kind = _BY_STATUS[status] if status < len(_BY_STATUS) else Error
    return kind(_SETTING.sub(_as_keyword, text))


def wrong(argument: str, text: str, kind: type[ArgumentError] = ArgumentError) -> ArgumentError:
    """An error about an argument; its text starts with the argument's name."""
    error = kind(f"{argument}: {text}")
    error.argument = argument
    return error
