"""Staged Python lists: their values in a graph, and their conversion back to lists.

For staging/backend.py, which hands these out to autograph, and for optional_nest.py, which takes
results apart.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from autograph import staging
from autograph.staging import Prefix, StagedList, StagedOptional
from runtime.ops import dispatch
from runtime.ops.array.indexing import KeyInput, map_key
from runtime.ops.resource import lists as list_ops
from runtime.ops.resource.lists import ListValue
from runtime.types import nest, promotion
from runtime.types.dtypes import DType, variant
from runtime.types.shapes import SCALAR_SHAPE, TensorShape, TensorSpec
from runtime.types.value import Value

LeafFunction = Callable[[Any, Any], Any]
"""What to make of an array, or eager tensor, and the spec that it had in the graph."""


class ListSpec(NamedTuple):
    """Type of a list: the types of an entry's parts."""

    entry: tuple[Any, ...]
    dtype: DType = variant
    shape: TensorShape = SCALAR_SHAPE
    weak: bool = False

    @property
    def tensor_spec(self) -> TensorSpec:
        """TensorSpec of its value in a graph."""
        return TensorSpec(SCALAR_SHAPE, variant)

    def __repr__(self) -> str:
        return "a list"


def new(entries: Sequence[Sequence[Any]]) -> Any:
    """Make a list of these entries."""
    values = [value for entry in entries for value in entry]
    width = len(entries[0]) if entries else 0
    return list_ops.list_new(*values, width=width, count=len(entries))


def item(
    handle: Any, index: Any, spec: ListSpec, messages: tuple[str, str]
) -> list[Any]:
    """Return the values of an entry."""
    specs = tuple([one.tensor_spec for one in spec.entry])
    found = list_ops.list_item(handle, index, specs=specs, messages=messages)
    values: list[Any] = list(found) if specs else []
    for value, one in zip(values, spec.entry, strict=True):
        value.weak = one.weak
    return values


def slots(key: slice) -> tuple[slice, list[Any]]:
    """Split a slice into a template and its staged bounds."""
    bounds: list[Any] = []

    def leaf(part: Any) -> Any:
        if not isinstance(part, Value):
            return part
        bounds.append(part)
        return KeyInput(len(bounds) - 1)

    (filled,) = map_key((key,), leaf)
    return filled, bounds


def packed(template: StagedList, value: Any, leaf: LeafFunction) -> Any:
    """Return the list for a value: a staged one, or Python's if the entries are known."""
    known = isinstance(value, ListValue) or isinstance(getattr(value, "_array", None), ListValue)
    return python_list(template.prefix, value, leaf) if known else with_handle(template, value)


def with_handle(template: StagedList, handle: Any) -> StagedList:
    """Return a list like the template with another handle."""
    return staging.as_staged_list(template.prefix, handle)


def python_list(prefix: Prefix, handle: Any, leaf: LeafFunction) -> list[Any]:
    """Python's list of what the entries stand for, those of an array or an eager tensor."""
    if prefix.item is None:
        return []
    specs = prefix.item.specs()

    def concrete(value: Any, spec: Any) -> Any:
        return value if isinstance(spec, ListSpec) else leaf(value, spec)

    lifted = [
        prefix.lift([concrete(value, spec) for value, spec in zip(entry, specs, strict=True)])
        for entry in _entries(handle, specs)
    ]
    return [_known(item, leaf) for item in lifted]


def _entries(handle: Any, specs: Sequence[Any]) -> Iterable[Sequence[Any]]:
    """The entries of a list: as eager tensors, taken out by operations, where these are recorded.

    A tape has to know which items come from a list that a call returned.
    """
    if isinstance(handle, ListValue):
        return handle
    if not dispatch.ACTIVE:
        entries: ListValue = handle._array
        return entries
    wanted = tuple([spec.tensor_spec for spec in specs])
    messages = ("list index out of range", "list index out of range")
    return [
        list_ops.list_item(handle, k, specs=wanted, messages=messages) if wanted else ()
        for k in range(len(handle._array))
    ]


def _known(value: Any, leaf: LeafFunction) -> Any:
    """Convert an item to Python values: nested lists, and values that may be None."""

    def one(part: Any) -> Any:
        if isinstance(part, StagedList):
            return python_list(part.prefix, part.prefix.handle, leaf)
        if isinstance(part, StagedOptional):
            return _known(part.value, leaf) if bool(part.present) else None
        return part

    return nest.map_structure(one, value)


def _stacked(value: StagedList, dtype: Any = None, name: Any = None, as_ref: bool = False) -> Any:
    """Stack the items of a staged list to a tensor."""
    settled = staging.as_staged_list(value)
    prefix = settled.prefix
    specs: tuple[Any, ...] = () if prefix.item is None else prefix.spec.entry
    if len(specs) != 1 or isinstance(specs[0], ListSpec):
        raise TypeError(
            "a list whose length is only known at run time can become a tensor when its items "
            f"are numbers or tensors; here they are {'not known' if not specs else 'nests'}"
        )
    spec = specs[0]
    stacked = list_ops.list_stack(prefix.handle, spec=spec.tensor_spec)
    stacked.weak = spec.weak
    if not spec.weak:
        return stacked
    return stacked.graph.strengthen(stacked, dtype or promotion.DEFAULT_DTYPE[spec.dtype])


dispatch.register_tensor_conversion_function(StagedList, _stacked)
