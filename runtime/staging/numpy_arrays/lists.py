"""Staged lists among the arguments of NumPy's functions: lists of numbers, arrays, rows of such.

An entry of a list is a number, an array, a tuple or list of a fixed number of these, or another
staged list.
"""

from __future__ import annotations

from typing import Any

from autograph import staging
from autograph.diagnostics.user_frame import user_line
from autograph.errors import ConcreteValueError
from autograph.named_tuples import NamedTuple
from autograph.staging import StagedList
from runtime.types.dtypes import DType, variant
from runtime.types.shapes import SCALAR_SHAPE, TensorShape


class ListInput(NamedTuple):
    """Staged list among the inputs: its value in the graph, and what each entry is.

    ``entry`` is the type of a tensor, a ListInput, or a tuple of these for the items of a row.
    """

    handle: Any
    entry: Any
    dtype: DType = variant
    shape: TensorShape = SCALAR_SHAPE
    weak: bool = False

    @property
    def kind(self) -> Any:
        """What the list is made of, for the op ``call_numpy``."""
        return ("list", _kind(self.entry))


def list_input(items: StagedList) -> ListInput:
    """Return the input for a list; ConcreteValueError for a list of anything else."""
    prefix = staging.as_staged_list(items).prefix
    types = prefix.spec.entry
    return ListInput(prefix.handle, _entry(prefix.lift(types), {id(type) for type in types}))


def kind_of(operand: Any) -> Any:
    """Return the kind of an input: ``"array"``, ``"number"``, or that of a list."""
    return operand.kind if isinstance(operand, ListInput) else _kind(operand)


def _entry(value: Any, types: set[int]) -> Any:
    """Return what an entry is, of which types stand in for the values."""
    if id(value) in types:
        return value
    if isinstance(value, StagedList):
        return list_input(value)
    if isinstance(value, tuple | list):
        return tuple([_entry(item, types) for item in value])
    contents = "whose items are not known" if value is None else f"of {_plural(value)}"
    raise ConcreteValueError(
        f"NumPy's functions take staged lists of numbers and arrays, and this is one {contents}",
        where=user_line(),
        help="append numbers, arrays, or tuples and lists of these",
    )


def _plural(value: Any) -> str:
    return "dicts" if isinstance(value, dict) else f"objects such as {type(value).__name__}"


def _kind(entry: Any) -> Any:
    if isinstance(entry, ListInput):
        return entry.kind
    if type(entry) is tuple:
        return ("row", *map(_kind, entry))
    return "number" if entry.weak else "array"
