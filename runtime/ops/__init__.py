"""The definitions of ops, one family a file; importing this package fills the table.

Below are the families that come with ``import runtime``: eager tensors and graphs need them.  The
others are imported when somebody asks the table for one of their ops or goes through it.
"""

# ruff: noqa: F401 - the imports fill the table

from importlib import import_module
from types import ModuleType

from runtime.ops.array import (
    backprop,
    concat_split,
    constants,
    creation,
    gather_scatter,
    indexing,
    shape,
    sorting,
    where,
)
from runtime.ops.control_flow import (
    cond_while,
    custom_gradient,
    print_assert,
    recursive_call,
    try_except,
)
from runtime.ops.linalg import matrices, products
from runtime.ops.math import (
    clipping,
    comparison,
    elementary,
    elementwise,
    logical,
    polygamma,
    reduction,
    scans,
)
from runtime.ops.nn import activations_losses
from runtime.ops.random import sampling, shuffling
from runtime.ops.resource import (
    dataset,
    list_gradients,
    lists,
    tensor_array,
    tensor_array_gradients,
    variable,
    variable_scatter,
)
from runtime.ops.string import strings
from runtime.types.annexes import optional_annex

SHELVES = (
    "array", "control_flow", "linalg", "math", "nn", "python", "random", "resource", "string",
)
"""The folders that hold families; beside them lies what definitions are written with."""


_annex_families: list[str] = []


def add_families(*names: str) -> None:
    """Enter modules of annexes that define ops: they are imported with the families of shelves."""
    _annex_families.extend(names)


def families() -> tuple[ModuleType, ...]:
    """Import and return all families: the files on the shelves, and those of installed annexes."""
    import pkgutil  # costs an import; the whole table is rarely asked for

    folders = [f"{__path__[0]}/{shelf}" for shelf in SHELVES]
    names = [
        f"{__name__}.{shelf}.{file.name}"
        for shelf, folder in zip(SHELVES, folders, strict=True)
        for file in pkgutil.iter_modules([folder])
    ]
    found = [import_module(name) for name in names]
    for name in _annex_families:
        with optional_annex():
            found.append(import_module(name))
    return tuple(found)
