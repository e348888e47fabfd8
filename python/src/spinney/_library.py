"""The shared libraries: where they are, what their functions take, how their errors become exceptions.

They are searched in the package's folder ``libraries`` (as in a wheel), then in the folder $SPINNEY_LIBRARY, then in
the system's library folders.
"""

from __future__ import annotations

import ctypes
import os
from ctypes import POINTER, Structure, byref, c_bool, c_char, c_char_p, c_double, c_int, c_size_t
from ctypes import c_int32, c_uint, c_uint32, c_uint64, c_void_p
from pathlib import Path
from typing import Any, Optional

from . import errors
from ._version import ABI, VERSION

# The names under which programs ask for them: the lab promises no ABI from version to version.
_SUFFIX = {"libspinney": ".so." + ABI, "libspinney-lab": ".so." + VERSION}


# ---- structs that the package fills; a test compares each with the compiler's ----


class CError(Structure):
    _fields_ = [("status", c_int), ("text", c_char * 512)]


class Curve(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("columns", c_size_t),
        ("rows", c_size_t),
        ("names", POINTER(c_char_p)),
        ("values", POINTER(c_void_p)),
    ]


class Edge(Structure):
    _fields_ = [("i", c_uint32), ("j", c_uint32), ("weight", c_double)]


class _Sized(Structure):
    """A struct that starts with its own size; fields not given are 0."""

    def __init__(self, **fields: Any) -> None:
        super().__init__(size=ctypes.sizeof(self), **fields)


class EnergyOptions(_Sized):
    _fields_ = [("size", c_size_t), ("kappa", c_double), ("units", c_size_t), ("tree", c_bool)]


class RandomPatterns(_Sized):
    _fields_ = [
        ("size", c_size_t),
        ("sites", c_size_t),
        ("count", c_size_t),
        ("seed", c_uint64),
        ("planting", c_int),
        ("kappa", c_double),
        ("gaussian", c_bool),
        ("units", c_size_t),
        ("tree", c_bool),
    ]


class DatasetArrays(_Sized):
    _fields_ = [
        ("size", c_size_t),
        ("samples", c_size_t),
        ("features", c_size_t),
        ("bytes", c_void_p),
        ("values", c_void_p),
        ("labels", c_void_p),
        ("classes", c_size_t),
        ("class_names", POINTER(c_char_p)),
        ("width", c_size_t),
        ("height", c_size_t),
        ("weights", c_void_p),
        ("borrow", c_size_t),
    ]


class Problem(Structure):
    _fields_ = [
        ("kind", c_int),
        ("sites", c_size_t),
        ("count", c_size_t),
        ("rows", c_void_p),
        ("values", c_void_p),
        ("labels", c_void_p),
        ("teacher", c_void_p),
        ("edges", c_void_p),
        ("energies", c_void_p),
        ("offset", c_double),
        ("variables", c_int),
        ("names", POINTER(c_char_p)),
        ("borrowed", c_bool),
    ]


class Preprocess(Structure):
    _fields_ = [("kind", c_int), ("shift", c_double), ("scale", c_double), ("threshold", c_double)]


class Scaling(Structure):
    _fields_ = [("features", c_size_t), ("shift", POINTER(c_double)), ("scale", POINTER(c_double))]


class Encoding(Structure):
    _fields_ = [("features", c_size_t), ("inputs", c_size_t), ("copies", c_size_t), ("start", c_void_p),
                ("thresholds", c_void_p)]


class ModelArrays(_Sized):
    _fields_ = [
        ("size", c_size_t),
        ("classes", c_size_t),
        ("features", c_size_t),
        ("replicas", c_size_t),
        ("width", c_size_t),
        ("height", c_size_t),
        ("class_names", POINTER(c_char_p)),
        ("preprocess", POINTER(Preprocess)),
        ("scaling", POINTER(Scaling)),
        ("logit_scale", c_double),
        ("weights", c_void_p),
        ("manifest", c_char_p),
        ("train_losses", c_void_p),
        ("bias", c_size_t),
        ("encoding", POINTER(Encoding)),
        ("hidden", c_size_t),
        ("hidden_bias", c_size_t),
        ("packed", c_void_p),
    ]


class FaultModel(Structure):
    _fields_ = [("rise", c_double), ("fall", c_double), ("rows", c_size_t)]


class SoftmaxOptions(_Sized):
    _fields_ = [
        ("size", c_size_t),
        ("logit_scale", c_double),
        ("bias", c_size_t),
        ("class_weights", c_void_p),
        ("faults", c_double),
        ("fault_model", FaultModel),
        ("rounded", c_size_t),
    ]


class NetworkOptions(_Sized):
    _fields_ = [
        ("size", c_size_t),
        ("hidden", c_size_t),
        ("hidden_bias", c_size_t),
        ("bias", c_size_t),
        ("logit_scale", c_double),
        ("class_weights", c_void_p),
        ("faults", c_double),
        ("fault_model", FaultModel),
        ("margin", c_double),
        ("tied", c_size_t),
    ]


class ChainOptions(_Sized):
    _fields_ = [
        ("size", c_size_t),
        ("replicas", c_size_t),
        ("kernel", c_int),
        ("order", c_int),
        ("start", c_int),
        ("threads", c_uint),
        ("given", c_void_p),
        ("seed", c_uint64),
        ("beta", c_void_p),
        ("gamma", c_void_p),
        ("steps", c_uint64),
        ("run", c_uint32),
        ("target", c_int),
        ("target_energy", c_double),
        ("patience", c_uint64),
        ("seconds", c_double),
        ("parts", c_void_p),
        ("part_count", c_size_t),
        ("stretch", c_uint32),
        ("stop_frozen", c_uint32),
        ("coupling", c_int),
        ("centre", c_void_p),
        ("centre_every", c_uint64),
        ("moves", c_int),
        ("reserved", c_uint32),
        ("proposed", c_void_p),
        ("proposed_count", c_size_t),
    ]


class Until(_Sized):
    _fields_ = [
        ("size", c_size_t),
        ("steps", c_uint64),
        ("seconds", c_double),
        ("stop", c_void_p),
        ("observer", c_void_p),
        ("context", c_void_p),
        ("observe_every", c_uint64),
        ("observe_also", c_uint64),
        ("observe_seconds", c_double),
    ]


class Snapshot(Structure):
    _fields_ = [
        ("step", c_uint64),
        ("beta", c_double),
        ("gamma", c_double),
        ("replicas", c_size_t),
        ("sites", c_size_t),
        ("spins", c_void_p),
        ("sums", c_void_p),
        ("energy", c_void_p),
        ("best_energy", c_void_p),
        ("best_spins", c_void_p),
        ("accepted", c_void_p),
        ("proposals", c_void_p),
        ("first_hit", c_uint64),
        ("first_hit_seconds", c_double),
        ("centre", c_void_p),
        ("fall", c_double),
    ]


class Progress(Structure):
    """How far a run is."""

    _fields_ = [
        ("share", c_double),
        ("step", c_uint64),
        ("steps", c_uint64),
        ("block", c_uint64),
        ("proposals", c_uint64),
        ("best_energy", c_double),
        ("seconds", c_double),
        ("state", POINTER(Snapshot)),
        ("words", c_char_p),
        ("due", c_bool),
    ]


class States(Structure):
    """The states that a call found."""

    _fields_ = [
        ("count", c_size_t),
        ("sites", c_size_t),
        ("of_reads", c_bool),
        ("binary", c_bool),
        ("has_cuts", c_bool),
        ("variables", POINTER(c_char_p)),
        ("replicas", c_size_t),
        ("end_spins", c_void_p),
        ("end_energies", c_void_p),
        ("energies", c_void_p),
        ("counts", c_void_p),
        ("firsts", c_void_p),
        ("cuts", c_void_p),
    ]


class AnswerArrays(Structure):
    """The solutions of a problem with constraints that a call found."""

    _fields_ = [
        ("count", c_size_t),
        ("variables", c_size_t),
        ("reads", c_uint64),
        ("program", c_void_p),
        ("objectives", c_void_p),
        ("violations", c_void_p),
        ("counts", c_void_p),
        ("firsts", c_void_p),
        ("distances", c_void_p),
        ("values", c_void_p),
        ("robust", c_void_p),
        ("is_shaken", c_bool),
    ]


class VariableView(Structure):
    """A variable of a problem with constraints."""

    _fields_ = [
        ("name", c_char_p),
        ("kind", c_int),
        ("low", c_int32),
        ("high", c_int32),
        ("is_fixed", c_bool),
        ("value", c_int32),
    ]


class TermArrays(_Sized):
    _fields_ = [
        ("size", c_size_t),
        ("count", c_size_t),
        ("coefficients", c_void_p),
        ("starts", c_void_p),
        ("variables", c_void_p),
    ]


class ProgramFiles(_Sized):
    _fields_ = [("size", c_size_t), ("format", c_int), ("max_bytes", c_size_t)]


class ConstraintView(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("terms", TermArrays),  # type: ignore[list-item]
        ("sense", c_int),
        ("right", c_double),
        ("weight", c_double),
    ]


class Score(Structure):
    _fields_ = [
        ("feasible", c_bool),
        ("objective", c_double),
        ("soft", c_double),
        ("violation", c_double),
        ("violated", c_size_t),
    ]


class Object(Structure):
    """An object that a call receives in place of a file."""

    _fields_ = [("setting", c_char_p), ("object", c_void_p), ("kind", c_int)]


PROBLEM, DATASET, ENERGY, MODEL, PROGRAM = range(5)  # spn_object_kind

STRUCTS: dict[str, type[Structure]] = {
    "spn_error": CError,
    "spn_edge": Edge,
    "spn_energy_options": EnergyOptions,
    "spn_random_patterns": RandomPatterns,
    "spn_dataset_arrays": DatasetArrays,
    "spn_model_arrays": ModelArrays,
    "spn_problem": Problem,
    "spn_preprocess": Preprocess,
    "spn_scaling": Scaling,
    "spn_encoding": Encoding,
    "spn_fault_model": FaultModel,
    "spn_softmax_options": SoftmaxOptions,
    "spn_network_options": NetworkOptions,
    "spn_chain_options": ChainOptions,
    "spn_until": Until,
    "spn_snapshot": Snapshot,
    "spn_progress": Progress,
    "spn_states": States,
    "spn_object": Object,
    "spn_answer_arrays": AnswerArrays,
    "spn_variable": VariableView,
    "spn_terms": TermArrays,
    "spn_constraint": ConstraintView,
    "spn_score": Score,
    "spn_program_files": ProgramFiles,
}

# Python functions that the library calls.
VALUE = ctypes.CFUNCTYPE(c_double, c_void_p, c_size_t, c_void_p)
CHANGE = ctypes.CFUNCTYPE(c_double, c_void_p, c_size_t, c_size_t, c_void_p)
VALUES = ctypes.CFUNCTYPE(None, c_void_p, c_void_p, c_size_t, c_size_t, c_void_p)
WATCHER = ctypes.CFUNCTYPE(c_int, c_void_p, POINTER(Progress))

# ---- functions: what they return, and what they take ----

_HANDLE = POINTER(c_void_p)  # where the library puts a new object
_ERROR = POINTER(CError)
_TEXT = c_char_p
_SIZES = POINTER(c_size_t)

# Those that return a status have a spn_error as their last argument, which is not listed.
_STATUS = object()
_SPINNEY: dict[str, tuple[Any, list[Any]]] = {
    "spn_version": (_TEXT, []),
    "spn_instruction_set": (_TEXT, []),
    "spn_free": (None, [c_void_p]),
    "spn_name": (_TEXT, [c_void_p, c_int]),
    "spn_name_parse": (_STATUS, [POINTER(c_int), c_void_p, _TEXT]),
    "spn_snapshot_overlap": (c_double, [POINTER(Snapshot)]),
    "spn_problem_create": (_STATUS, [_HANDLE, c_int, c_size_t, c_size_t, c_void_p, c_void_p, c_bool]),
    "spn_problem_random_patterns_as": (_STATUS, [_HANDLE, POINTER(RandomPatterns)]),
    "spn_problem_set_offset": (_STATUS, [c_void_p, c_double]),
    "spn_problem_set_names": (_STATUS, [c_void_p, POINTER(c_char_p)]),
    "spn_problem_file_name": (_TEXT, [c_int]),
    "spn_problem_free": (None, [c_void_p]),
    "spn_energy_create_as": (_STATUS, [_HANDLE, _TEXT, c_void_p, POINTER(EnergyOptions)]),
    "spn_callback_create": (_STATUS, [_HANDLE, c_size_t, VALUE, c_void_p, c_void_p]),
    "spn_batch_callback_create": (_STATUS, [_HANDLE, c_size_t, VALUES, c_void_p]),
    "spn_energy_sites": (c_size_t, [c_void_p]),
    "spn_energy_name": (_TEXT, [c_void_p]),
    "spn_energy_integral": (c_bool, [c_void_p]),
    "spn_energy_value": (c_double, [c_void_p, c_void_p]),
    "spn_energy_free": (None, [c_void_p]),
    "spn_dataset_create": (_STATUS, [_HANDLE, POINTER(DatasetArrays)]),
    "spn_dataset_bytes": (c_void_p, [c_void_p]),
    "spn_dataset_values": (c_void_p, [c_void_p]),
    "spn_dataset_checksum": (c_uint64, [c_void_p]),
    "spn_dataset_free": (None, [c_void_p]),
    "spn_preprocess_from_text": (_STATUS, [POINTER(Preprocess), _TEXT]),
    "spn_preprocess_suiting": (Preprocess, [_TEXT, c_void_p]),
    "spn_dataset_binarise": (_STATUS, [_HANDLE, c_void_p, c_double]),
    "spn_preprocess_fit": (_STATUS, [_HANDLE, POINTER(Preprocess), c_void_p]),
    "spn_scaling_free": (None, [c_void_p]),
    "spn_fault_model_parse": (_STATUS, [POINTER(FaultModel), _TEXT]),
    "spn_softmax_create_as": (_STATUS, [_HANDLE, c_void_p, c_void_p, POINTER(SoftmaxOptions)]),
    "spn_program_create": (_STATUS, [_HANDLE]),
    "spn_program_free": (None, [c_void_p]),
    "spn_program_add_variables": (_STATUS, [c_void_p, _SIZES, c_size_t, POINTER(c_char_p), c_int, c_int32, c_int32]),
    "spn_program_fix": (_STATUS, [c_void_p, c_size_t, c_int32]),
    "spn_program_add_objective": (_STATUS, [c_void_p, POINTER(TermArrays), c_double]),
    "spn_program_set_maximise": (None, [c_void_p, c_bool]),
    "spn_program_add_constraints": (_STATUS, [c_void_p, c_size_t, POINTER(c_char_p), POINTER(TermArrays), c_void_p,
                                              c_void_p, c_void_p, c_void_p]),
    "spn_program_write": (_STATUS, [c_void_p, c_char_p, POINTER(ProgramFiles)]),
    "spn_program_variables": (c_size_t, [c_void_p]),
    "spn_program_variable_sized": (None, [POINTER(VariableView), c_size_t, c_void_p, c_size_t]),
    "spn_program_constraints": (c_size_t, [c_void_p]),
    "spn_program_constraint_sized": (None, [POINTER(ConstraintView), c_size_t, c_void_p, c_size_t]),
    "spn_program_score_sized": (_STATUS, [POINTER(Score), c_size_t, c_void_p, c_void_p, c_void_p]),
    "spn_network_create": (_STATUS, [_HANDLE, c_void_p, POINTER(NetworkOptions)]),
}
_LAB: dict[str, tuple[Any, list[Any]]] = {
    "spn_tables_json": (_STATUS, [_HANDLE]),
    "spn_text_free": (None, [c_void_p]),
    "spn_call_create": (_STATUS, [_HANDLE, _TEXT]),
    "spn_call_prepare": (_STATUS, [_HANDLE, _TEXT, _TEXT, c_void_p, c_size_t]),
    "spn_call_free": (None, [c_void_p]),
    "spn_call_set": (_STATUS, [c_void_p, _TEXT, _TEXT]),
    "spn_call_option": (_STATUS, [c_void_p, _TEXT, _TEXT]),
    "spn_call_run_watched": (_STATUS, [c_void_p, WATCHER, c_void_p, c_uint64]),
    "spn_call_stop": (None, [c_void_p]),
    "spn_call_complete": (c_bool, [c_void_p]),
    "spn_call_number": (c_double, [c_void_p, _TEXT]),
    "spn_call_text": (_TEXT, [c_void_p, _TEXT]),
    "spn_call_note": (_TEXT, [c_void_p, c_size_t]),
    "spn_call_curve": (POINTER(Curve), [c_void_p, c_size_t]),
    "spn_call_states": (None, [POINTER(States), c_void_p]),
    "spn_call_answers": (None, [POINTER(AnswerArrays), c_void_p]),
    "spn_call_spins": (c_size_t, [c_void_p, c_size_t, c_size_t, c_void_p]),
    "spn_call_json": (_STATUS, [_HANDLE, c_void_p, c_size_t]),
}


def declare(library: ctypes.CDLL, functions: dict[str, tuple[Any, list[Any]]]) -> None:
    """Declare functions to ctypes; a module that needs more declares its own."""
    for name, (result, arguments) in functions.items():
        try:
            function = getattr(library, name)
        except AttributeError:
            raise errors.LibraryError(f"{library._name} has no function {name}: it is not of version {VERSION}")
        function.restype = c_int if result is _STATUS else result
        function.argtypes = arguments + [_ERROR] if result is _STATUS else arguments


STATUS = _STATUS
HANDLE = _HANDLE


def _folders() -> list[Path]:
    given = os.environ.get("SPINNEY_LIBRARY")
    return [Path(__file__).parent / "libraries"] + ([Path(given)] if given else [])


def _open(name: str) -> ctypes.CDLL:
    file = name + _SUFFIX[name]
    for folder in _folders():
        if (folder / file).exists():
            return ctypes.CDLL(str((folder / file).resolve()))
    for place in (file, "/usr/local/lib/" + file):
        try:
            return ctypes.CDLL(place)
        except OSError as error:
            why = error
    looked = ", ".join(str(folder) for folder in _folders())
    raise errors.LibraryError(
        f"{file} is neither in {looked} nor where the system looks for libraries ({why}); "
        "install libspinney, or let SPINNEY_LIBRARY name the folder that holds it"
    )


def _load() -> tuple[ctypes.CDLL, ctypes.CDLL]:
    spinney = _open("libspinney")
    declare(spinney, {"spn_version": _SPINNEY["spn_version"]})
    found = spinney.spn_version().decode()
    if found.split("+")[0] != VERSION:
        raise errors.LibraryError(f"{spinney._name} is of version {found}, and this package needs {VERSION}")
    declare(spinney, _SPINNEY)
    lab = _open("libspinney-lab")
    declare(lab, _LAB)
    return spinney, lab


spinney, lab = _load()


# ---- calls ----


def check(function: Any, *arguments: Any) -> None:
    """Call a function that returns a status, and raise its error."""
    error = CError()
    if function(*arguments, byref(error)):
        raise errors.of_status(error.status, error.text.decode("utf-8", "replace"))


def make(function: Any, *arguments: Any) -> int:
    """Call a function whose first argument receives a new object, and return its address."""
    out = c_void_p()
    check(function, byref(out), *arguments)
    assert out.value is not None
    return out.value


def states(call: Optional[int], **arrays: int) -> States:
    """What a call says of its states; arrays: the addresses of those to be filled."""
    out = States(**arrays)
    lab.spn_call_states(byref(out), call)
    return out


def names(kind: str) -> int:
    """The address of the names of an enum spn_KIND."""
    return ctypes.addressof(c_char.in_dll(spinney, f"spn_{kind}_names"))


def take_text(address: int) -> str:
    """The text at an address, which is then freed."""
    try:
        return ctypes.string_at(address).decode("utf-8", "replace")
    finally:
        lab.spn_text_free(address)


def text(value: bytes | None) -> str | None:
    return None if value is None else value.decode("utf-8", "replace")


def version() -> str:
    """The version of the libraries, down to the commit."""
    return spinney.spn_version().decode()
