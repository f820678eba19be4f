"""The definitions of ops, one family a file; importing this package fills the table.

Below are the families that come with ``import runtime``: operators of tensors need them.  Others
are imported when somebody asks the table for one of their ops: first those that graphs are made of,
then all that are left, which going through the table needs, too.
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
    where,
)
from runtime.ops.linalg import products
from runtime.ops.math import comparison, elementary, elementwise, logical, reduction
from runtime.types.annexes import optional_annex

SHELVES = (
    "array", "control_flow", "linalg", "math", "nn", "python", "random", "resource", "string",
)
"""The folders that hold families; beside them lies what definitions are written with."""

_OF_GRAPHS = (
    "array.sorting", "control_flow.cond_while", "control_flow.custom_gradient",
    "control_flow.print_assert", "control_flow.recursive_call", "control_flow.try_except",
    "linalg.matrices", "math.clipping", "math.polygamma", "math.scans", "nn.activations_losses",
    "random.sampling", "random.shuffling", "resource.dataset", "resource.list_gradients",
    "resource.lists", "resource.tensor_array", "resource.tensor_array_gradients",
    "resource.variable", "resource.variable_scatter", "string.strings",
)  # fmt: skip
_annex_families: list[str] = []


def add_families(*names: str) -> None:
    """Enter modules of annexes that define ops: they are imported with the families of shelves."""
    _annex_families.extend(names)


def families_of_graphs() -> None:
    """Import the families that graphs are often made of."""
    for name in _OF_GRAPHS:
        import_module(f"{__name__}.{name}")


def families() -> tuple[ModuleType, ...]:
    """Import and return all families: the files on the shelves, and those of installed annexes."""
    import pkgutil  # costs an import; the whole table is rarely asked for

    folders = [f"{__path__[0]}/{shelf}" for shelf in SHELVES]
    names = [
        f"{__name__}.{shelf}.{file.name}"
        for shelf, folder in zip(SHELVES, folders, strict=True)
        for file in pkgutil.iter_modules([folder])
    ]
    modules = [import_module(name) for name in names]
    for name in _annex_families:
        with optional_annex():
            modules.append(import_module(name))
    return tuple(modules)
