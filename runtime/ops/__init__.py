"""The rows, one family a file; importing this package fills the table.

MODULES is the one list of families: ``runtime`` exports each one's ``__all__``.  Those in LATER
are imported when somebody asks for one of them or goes through the table.
"""

from importlib import import_module
from types import ModuleType

from runtime.ops import (
    adjoints,
    array_gradients,
    arrays,
    clipping,
    comparison,
    constants,
    control_flow,
    creation,
    custom,
    datasets,
    effects,
    elementwise,
    functions,
    gathering,
    indexing,
    joining,
    linalg,
    list_gradients,
    lists,
    logical,
    matrices,
    nn,
    random,
    recursion,
    reduction,
    scans,
    scattering,
    selection,
    shape,
    shuffling,
    sorting,
    special,
    state,
    strings,
    tries,
)

FIRST = (
    constants, elementwise, functions, special, logical, comparison, selection, reduction, scans,
    clipping, creation, shape, joining, indexing, gathering, scattering, sorting, linalg, matrices,
    nn, random, strings, adjoints, effects, control_flow, tries, recursion, state, lists, arrays,
    array_gradients, list_gradients, custom, shuffling, datasets,
)  # fmt: skip

LATER = (
    "floating", "distributions", "decompositions", "spectral", "partitions", "convolution",
    "convolution_adjoints", "composites", "assertions", "calls", "hashing", "files", "patterns",
    "queues", "splitting", "tables",
)  # fmt: skip


def load_later() -> tuple[ModuleType, ...]:
    """The families of LATER, imported."""
    return tuple(import_module(f"runtime.ops.{name}") for name in LATER)


def __getattr__(name: str) -> tuple[ModuleType, ...]:
    if name == "MODULES":
        return (*FIRST, *load_later())
    raise AttributeError(f"module 'runtime.ops' has no attribute {name!r}")
