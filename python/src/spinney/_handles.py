"""Objects in the library's memory, each freed with the Python object that holds it."""

from __future__ import annotations

import contextlib
from typing import Any, Iterator

from .errors import ArgumentError, InputError, LiveObjectError


class Handle:
    """An address that is freed when it is no longer needed. It keeps alive what it borrows."""

    __slots__ = ("pointer", "borrowed", "__weakref__")
    _free: Any = None  # the function that frees it
    _object: Any = None  # of what kind it is to a call, as _library numbers them

    def __init__(self, pointer: int, *borrowed: Any) -> None:
        self.pointer: int | None = pointer
        self.borrowed = borrowed

    def __del__(self) -> None:
        pointer = self.pointer
        if pointer:
            self.pointer = None
            self._free(pointer)

    def __reduce__(self) -> Any:
        raise LiveObjectError(f"{type(self).__name__} is memory of this process, and cannot be pickled or copied")


@contextlib.contextmanager
def blame(argument: str) -> Iterator[None]:
    """Put the name of an argument before an error of the library that is about it."""
    try:
        yield
    except (ArgumentError, InputError) as error:
        named = type(error)(f"{argument}: {error}")
        named.argument = argument
        raise named from None
