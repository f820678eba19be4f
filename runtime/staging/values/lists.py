"""Staged Python lists: their values in a graph, and their conversion back to lists.

For staging/backend.py, which hands these out to autograph, and for optional_nest.py, which takes
results apart.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from autograph import staging
from autograph.named_tuples import NamedTuple
from autograph.staging import (
    JoinedNumber,
    Prefix,
    StagedChoice,
    StagedList,
    StagedMap,
    StagedOptional,
    StagedVariant,
    kind_of,
    number_parts,
)
from runtime.graph.python_values import weak_constant
from runtime.ops import dispatch
from runtime.ops.array.indexing import KeyInput, map_key
from runtime.ops.resource import lists as list_ops
from runtime.ops.resource.lists import ListValue
from runtime.types import nest, node_types, promotion
from runtime.types.conversion import to_array
from runtime.types.dtypes import DType, variant
from runtime.types.promotion import WEAK_DTYPE
from runtime.types.shapes import SCALAR_SHAPE, TensorShape, TensorSpec
from runtime.types.value import Value

for _class in (StagedList, StagedMap):  # what they hold is known only when a graph runs
    node_types.register(_class, lambda cls: None)

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


def item(handle: Any, index: Any, spec: ListSpec, messages: tuple[str, str]) -> list[Any]:
    """Return the values of an entry."""
    specs = tuple([leaf_spec.tensor_spec for leaf_spec in spec.entry])
    outputs = list_ops.list_item(handle, index, specs=specs, messages=messages)
    values: list[Any] = list(outputs) if specs else []
    for value, leaf_spec in zip(values, spec.entry, strict=True):
        value.weak = leaf_spec.weak
    return values


def slots(key: slice) -> tuple[slice, list[Any]]:
    """Split a slice into a template and its staged bounds."""
    bounds: list[Any] = []

    def leaf(bound: Any) -> Any:
        if not isinstance(bound, Value):
            return bound
        bounds.append(bound)
        return KeyInput(len(bounds) - 1)

    (filled,) = map_key((key,), leaf)
    return filled, bounds


def has_entries(value: Any) -> bool:
    """Whether a run has given the entries of a list: as an array or an eager tensor."""
    return isinstance(value, ListValue) or isinstance(getattr(value, "_array", None), ListValue)


def packed(template: StagedList, value: Any, leaf: LeafFunction) -> Any:
    """Return the list for a value: a staged one, or Python's if the entries are known."""
    if not has_entries(value):
        return with_handle(template, value)
    return kind_of(template)(python_list(template.prefix, value, leaf))


def with_handle(template: StagedList, handle: Any) -> StagedList:
    """Return a list like the template with another handle."""
    return staging.as_staged_list(template, handle)


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
    return [python_item(item, leaf) for item in lifted]


def _entries(handle: Any, specs: Sequence[Any]) -> Iterable[Sequence[Any]]:
    """The entries of a list: as eager tensors, taken out by operations, where these are recorded.

    A tape has to know which items come from a list that a call returned.
    """
    if isinstance(handle, ListValue):
        return handle
    if not dispatch.ACTIVE:
        entries: ListValue = handle._array
        return entries
    tensor_specs = tuple([spec.tensor_spec for spec in specs])
    messages = ("list index out of range", "list index out of range")
    return [
        list_ops.list_item(handle, k, specs=tensor_specs, messages=messages) if tensor_specs else ()
        for k in range(len(handle._array))
    ]


MAPS: list[Callable[[Any, LeafFunction], Any]] = []
"""Python's dict or set of a staged one whose entries are known; filled by ``staged_map``."""


def python_item(value: Any, leaf: LeafFunction) -> Any:
    """Convert an item to Python values: nested lists, and values that may be None."""

    def convert(union: Any) -> Any:
        if isinstance(union, StagedList):
            return kind_of(union)(python_list(union.prefix, union.prefix.handle, leaf))
        if isinstance(union, StagedMap):
            return MAPS[0](union, leaf)
        if isinstance(union, StagedOptional):
            return python_item(union.ag__value, leaf) if bool(union.ag__present) else None
        if isinstance(union, JoinedNumber):
            kind, *values = number_parts(union)
            return union.ag__chosen(int(kind), values)
        if isinstance(union, StagedChoice):
            return union.ag__alternatives[int(union.ag__index)]
        if isinstance(union, StagedVariant):
            return python_item(union.ag__alternatives[int(union.ag__index)], leaf)
        return union

    return nest.map_structure(convert, value)


def holds_joined_numbers(value: Any) -> bool:
    """Whether a value is a staged list whose items are an int or a float, which a run decides."""
    if not isinstance(value, StagedList):
        return False
    prefix = staging.as_staged_list(value).prefix
    return isinstance(prefix.lift(prefix.spec.entry), JoinedNumber | StagedVariant)


def _stacked(value: StagedList, dtype: Any = None, name: Any = None, as_ref: bool = False) -> Any:
    """Stack the items of a staged list to a tensor."""
    held_by_backend = staging.as_staged_list(value)
    prefix = held_by_backend.prefix
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


# -- lists of Python values ------------------------------------------------------------------------

Layout = Any
"""The layout of an item: the name of a class, ``(tuple, *layouts)``, or ``[layout]`` for a list."""


def list_value(layout: Layout, value: Sequence[Any]) -> ListValue:
    """A Python list as the executors hold it: a tuple of arrays for each item."""
    inner = layout[0] if layout else None
    if isinstance(inner, str):
        dtype = WEAK_DTYPE[inner]
        if inner != "str" and not (inner == "int" and _has_long_ints(value)):
            return ListValue([*zip(np.array(value, dtype.as_numpy_dtype), strict=True)])
        return ListValue([(to_array(item, dtype)[()],) for item in value])
    return ListValue([tuple(_entry(inner, item)) for item in value])


def _has_long_ints(value: Sequence[int]) -> bool:
    return bool(value) and not -(2**63) <= min(value) <= max(value) < 2**63


def _entry(layout: Layout, value: Any) -> Iterator[Any]:
    if isinstance(layout, str):
        yield to_array(value, WEAK_DTYPE[layout])[()]
    elif isinstance(layout, list):
        yield list_value(layout, value)
    else:
        for part_layout, item in zip(layout[1:], value, strict=True):
            yield from _entry(part_layout, item)


def staged_list_of(layout: Layout, handle: Any) -> Any:
    """The staged list of a layout whose entries a backend holds as ``handle``."""
    backend = staging.staging_backend(handle)
    example = _example(layout, handle.graph, backend)
    return staging.as_staged_list(example.prefix, handle)


def _example(layout: Layout, graph: Any, backend: Any) -> Any:
    """A staged value of a layout: it tells a backend how an item is laid out."""
    if isinstance(layout, str):
        return weak_constant(graph, _ZERO[layout])
    if isinstance(layout, tuple):
        return tuple([_example(part_layout, graph, backend) for part_layout in layout[1:]])
    items = staging.TracedList([_example(part_layout, graph, backend) for part_layout in layout])
    return staging.as_staged_list(items, backend=backend)


_ZERO = {"bool": False, "int": 0, "float": 0.0, "complex": 0j, "str": ""}
