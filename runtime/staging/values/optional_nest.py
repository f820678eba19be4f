"""Nests with values that may be None at run time: flattened for a graph, packed after a run.

A StagedOptional in a nest counts as its flag followed by the tensors of its value, a JoinedNumber
as the number of its type followed by a tensor for each type, a StagedChoice or StagedVariant as
its index followed by the tensors of its alternatives, a deque as the list of its items.
"""

from __future__ import annotations

import collections
import copy
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from autograph import staging
from autograph.diagnostics.user_frame import user_line
from autograph.errors import ConcreteValueError
from autograph.staging import (
    JoinedNumber,
    StagedChoice,
    StagedList,
    StagedMap,
    StagedOptional,
    StagedReference,
    StagedUnion,
    StagedVariant,
    TracedSet,
    number_parts,
)
from runtime.graph.operation import SymbolicTensor
from runtime.graph.python_values import weak_constant
from runtime.ops import dispatch
from runtime.ops.array.constants import identity
from runtime.staging.values import lists as staged_list
from runtime.staging.values import maps as staged_map
from runtime.types import treedef
from runtime.types.value import Value


def is_of_run_time(value: Any) -> bool:
    """Whether a value is a list, dict or set, or perhaps None, as only a run of a graph tells."""
    return isinstance(value, StagedList | StagedMap | StagedOptional)


def map_inside(function: Callable[[Any], Any], structure: Any) -> Any:
    """Apply ``function`` to each leaf, and to flags and values of optionals; return the nest."""

    def mapped(leaf: Any) -> Any:
        if isinstance(leaf, StagedList):
            held_by_backend = staging.as_staged_list(staging.without_references(leaf))
            return staged_list.with_handle(held_by_backend, function(held_by_backend.prefix.handle))
        if isinstance(leaf, TracedSet) and (backend := staging.tracing_backend()) is not None:
            leaf = staging.as_staged_map(leaf, backend)
        if isinstance(leaf, StagedMap):
            leaf = staging.without_references(leaf)
            return staged_map.with_handles(leaf, [function(h) for h in staged_map.handles(leaf)])
        if staging.is_traced_deque(leaf):
            return staging.traced_deque(map_inside(function, leaf.items), leaf.maxlen)
        if isinstance(leaf, JoinedNumber):
            return leaf.ag__replaced(map(function, number_parts(leaf)))
        if isinstance(leaf, StagedChoice | StagedVariant):
            sides = tuple(map_inside(function, side) for side in leaf.ag__alternatives)
            return type(leaf)(sides, function(leaf.ag__index), leaf.ag__backend)
        if not isinstance(leaf, StagedOptional):
            return function(leaf)
        value = map_inside(function, leaf.ag__value)
        return StagedOptional(value, function(leaf.ag__present), leaf.ag__backend)

    leaves, layout = treedef.flatten(structure, expand_composites=True)
    return layout.unflatten(map(mapped, leaves))


def flatten(structure: Any) -> list[Any]:
    """Return the leaves of a nest; for an optional, its flag and the tensors of its value."""
    values: list[Any] = []
    for leaf in treedef.flatten(structure, expand_composites=True)[0]:
        if isinstance(leaf, StagedMap):
            values += staged_map.handles(leaf)
        elif staging.is_traced_deque(leaf):
            values += flatten(leaf.items)
        elif isinstance(leaf, StagedOptional):
            values += [leaf.ag__present, *_tensors_of(leaf.ag__value)]
        elif _is_one_of_objects(leaf):
            values += [leaf.ag__index, *_tensors_of(leaf.ag__alternatives)]
        elif isinstance(leaf, JoinedNumber):
            values += number_parts(leaf)
        else:
            values.append(
                staging.as_staged_list(leaf).prefix.handle if isinstance(leaf, StagedList) else leaf
            )
    return values


def _tensors_of(structure: Any) -> list[Any]:
    """The leaves of a nest that are tensors."""
    return [leaf for leaf in flatten(structure) if isinstance(leaf, Value)]


def pack_sequence_as(structure: Any, leaves: Iterable[Any], item: staged_list.LeafFunction) -> Any:
    """Return the nest with ``leaves`` in place of those that ``flatten`` returns.

    An optional whose flag is known becomes its value or None, a staged list whose entries are known
    a Python list; ``item`` converts each array in it.
    """
    return _packed(structure, iter(leaves), item, inside=False)


def _packed(
    structure: Any, values: Iterator[Any], item: staged_list.LeafFunction, inside: bool
) -> Any:
    def packed_leaf(leaf: Any) -> Any:
        if isinstance(leaf, StagedList):
            return staged_list.packed(leaf, next(values), item)
        if isinstance(leaf, StagedMap):
            inner_values = [next(values) for _ in staged_map.handles(leaf)]
            return staged_map.packed(leaf, inner_values, item)
        if staging.is_traced_deque(leaf):
            inner_values = [p for p in flatten(leaf.items) if not inside or isinstance(p, Value)]
            of_items = [next(values) for _ in inner_values]
            items = _packed(leaf.items, iter(of_items), item, inside)
            is_traced = any(isinstance(value, SymbolicTensor) for value in of_items)
            make = staging.traced_deque if is_traced else collections.deque
            return make(items, leaf.maxlen)
        if isinstance(leaf, JoinedNumber):
            kind, *inner_values = [next(values) for _ in number_parts(leaf)]
            if isinstance(kind, SymbolicTensor):
                return leaf.ag__replaced([kind, *inner_values])
            return leaf.ag__chosen(int(kind), inner_values)
        if _is_one_of_objects(leaf):
            index = next(values)
            sides = [(side, _tensors(side, values)) for side in leaf.ag__alternatives]
            if isinstance(index, SymbolicTensor):
                packed = tuple(_packed(*side, item, inside=True) for side in sides)
                return type(leaf)(packed, index, leaf.ag__backend)
            return _packed(*sides[int(index)], item, inside=True)
        if isinstance(leaf, StagedOptional):
            present, of_value = next(values), _tensors(leaf.ag__value, values)
            if isinstance(present, SymbolicTensor):
                value = _packed(leaf.ag__value, of_value, item, inside=True)
                return StagedOptional(value, present, leaf.ag__backend)
            if not bool(present):
                return None
            return _packed(leaf.ag__value, of_value, item, inside=True)
        return leaf if inside and not isinstance(leaf, Value) else next(values)

    leaves, layout = treedef.flatten(structure, expand_composites=True)
    return layout.unflatten(map(packed_leaf, leaves))


def _is_one_of_objects(leaf: Any) -> bool:
    """Whether a leaf is one of several objects, and not the value of one of several variables."""
    if not isinstance(leaf, StagedChoice | StagedVariant):
        return False
    return not all(map(leaf.ag__backend.is_reference, leaf.ag__alternatives))


def _tensors(structure: Any, values: Iterator[Any]) -> Iterator[Any]:
    """Take the leaves of an alternative: those of one that was not chosen mean nothing."""
    return iter([next(values) for _ in _tensors_of(structure)])


def _as_operand(value: Any, dtype: Any = None, name: Any = None, as_ref: bool = False) -> Any:
    """Convert a staged union to a tensor; in a session a run checks that it is one."""
    if isinstance(value, StagedReference):
        return dispatch.current().convert(copy.copy(value), dtype, name)
    if isinstance(value, StagedVariant):
        raise ConcreteValueError(
            f"a tensor would be made of {value!r}, whose kind is known only at run time",
            where=user_line(),
            help="use it where 'isinstance' says which kind it is",
        )
    graph: Any = dispatch.current()
    if getattr(graph, "temporary", True):
        return value.ag__operand()
    start = len(graph.operations)
    operand = value.ag__operand()
    if type(operand) in (bool, int, float):
        operand = weak_constant(graph, operand)
    with graph.control_dependencies(graph.operations[start:]):
        behind = dispatch.apply(identity, [operand], {})
    behind.weak = getattr(operand, "weak", False)
    return behind


dispatch.register_tensor_conversion_function(StagedUnion, _as_operand)
