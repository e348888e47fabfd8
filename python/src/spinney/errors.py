"""The exceptions of spinney: one for each status of the library, each also of the kind that Python
programs expect, so that ``except ValueError`` catches a bad argument."""

from __future__ import annotations


class Error(Exception):
    """What every error of spinney is.

    ``argument`` is the name of the argument that it is about, where it is about one.
    """

    argument: str | None = None


class ArgumentError(Error, ValueError):
    """An argument or a setting that is wrong by itself or with the others."""


class KeywordError(ArgumentError, TypeError):
    """A keyword that the function does not have."""


class InputError(Error, ValueError):
    """A file or an array whose content is not what it should be."""


class FileError(Error, OSError):
    """A file that cannot be opened, read or written."""


class OutOfMemory(Error, MemoryError):
    """Memory that cannot be had."""


class EnergyError(Error, ArithmeticError):
    """An energy that is not a number."""


class LiveObjectError(Error, TypeError):
    """A pickle, a copy, or a use in another process or thread of something that lives in memory of the library's."""


class LibraryError(Error, ImportError):
    """The shared libraries were not found, or are of another version."""


# By spn_status, from 1 (<spinney/status.h>).
_BY_STATUS = (Error, ArgumentError, InputError, FileError, OutOfMemory, EnergyError)


def of_status(status: int, text: str) -> Error:
    """The exception of a status and the text that came with it."""
    kind = _BY_STATUS[status] if status < len(_BY_STATUS) else Error
    return kind(text)


def wrong(argument: str, text: str) -> ArgumentError:
    """An error about an argument, which its text names first."""
    error = ArgumentError(f"{argument}: {text}")
    error.argument = argument
    return error
