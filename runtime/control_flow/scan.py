"""Accumulation over the first axis of tensors: ``scan``, ``foldl`` and ``foldr``.

Under eager execution they are Python loops.  In a graph ``scan`` records a ``scan`` operation,
``foldl`` and ``foldr`` a ``while`` operation.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from runtime.control_flow.map_fn import (
    INDEX,
    StackedElements,
    empty_stacks,
    flatten_tensors,
    stack_nests,
    without_gradient,
)
from runtime.control_flow.while_loop import while_loop
from runtime.graph.trace import record_scan, set_outputs, trace
from runtime.ops.array.concat_split import concat
from runtime.ops.array.constants import convert_to_tensor
from runtime.staging.conversion import converted_in_turn
from runtime.types import nest
from runtime.types.dtypes import int64
from runtime.types.shapes import TensorSpec

__all__ = ["foldl", "foldr", "scan"]


def _carried(what: str, like: Any, result: Any) -> list[Any]:
    """Flatten the accumulated value that a function returned, and check structure and dtypes."""
    try:
        nest.assert_same_structure(like, result)
    except (TypeError, ValueError) as error:
        raise ValueError(
            f"{what}: fn must return the structure of its first argument: {error}"
        ) from None
    expected = nest.flatten(like)
    results = flatten_tensors(result)
    for old, new in zip(expected, results, strict=True):
        if new.dtype is not old.dtype:
            raise TypeError(
                f"{what}: fn returned dtype {new.dtype.name} for an accumulated value of dtype "
                f"{old.dtype.name}. Use runtime.cast in fn, or another initializer."
            )
    return results


def scan(
    fn: Callable[[Any, Any], Any],
    elems: Any,
    initializer: Any = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    infer_shape: bool = True,
    reverse: bool = False,
    name: str | None = None,
) -> Any:
    """Compute ``a = fn(a, e)`` for the elements ``e`` in turn, and stack all values of ``a``.

    Args:
        fn: function of the accumulated value and an element; it returns the next accumulated
            value, of the same structure, dtypes and shapes.
        elems: tensor of shape ``[n, ...]`` or nest of such tensors with equal ``n``.
        initializer: first accumulated value; by default the first element, or the last one with
            ``reverse``, which is then an entry of the result.
        parallel_iterations: without effect.
        back_prop: whether gradients flow through the result.
        swap_memory: without effect.
        infer_shape: without effect.
        reverse: whether to start from the last element.

    Returns:
        A nest in the structure of the accumulated value, with tensors of shape ``[n, ...]``; entry
        ``k`` is the value after element ``k``.

    Raises:
        TypeError: ``fn`` is not callable, or changes a dtype.
        ValueError: ``elems`` is empty and there is no initializer, or ``fn`` changes the structure.
    """
    if not callable(fn):
        raise TypeError(f"fn must be callable, got {fn!r}")
    if not back_prop:
        return without_gradient(scan(fn, elems, initializer, reverse=reverse, name=name))
    items = StackedElements("scan", elems)
    fn = converted_in_turn(fn)
    if initializer is None and items.size == 0:
        raise ValueError("scan: without an initializer, elems must not be empty")
    if items.eager and items.size:
        return _scan_eagerly(fn, items, initializer, reverse)
    if initializer is None:
        return _scan_from_first(fn, items, reverse, name)
    start = flatten_tensors(initializer)
    like = nest.pack_sequence_as(initializer, start)
    inputs = [INDEX, *[(TensorSpec(t.shape, t.dtype), False) for t in start]]

    def iteration(k: Any, *values: Any) -> list[Any]:
        result = fn(nest.pack_sequence_as(initializer, values), items.at(k))
        carried = _carried("scan", like, result)
        return [*carried, *carried]

    body, outputs = trace("loop body", "scan", iteration, inputs)
    set_outputs(body, outputs)
    if items.eager:
        return nest.pack_sequence_as(like, empty_stacks(body, len(start)))
    recorded = record_scan(body, items.count, start, reverse, name)
    return nest.pack_sequence_as(like, recorded[len(start) :])


def _scan_eagerly(
    fn: Callable[..., Any], items: StackedElements, initializer: Any, reverse: bool
) -> Any:
    order = list(items)
    if reverse:
        order.reverse()
    rows = []
    if initializer is None:
        value, *order = order
        rows.append(value)
    else:
        value = nest.map_structure(convert_to_tensor, initializer)
    for item in order:
        value = nest.pack_sequence_as(value, _carried("scan", value, fn(value, item)))
        rows.append(value)
    return stack_nests(rows[::-1] if reverse else rows)


def _scan_from_first(
    fn: Callable[..., Any], items: StackedElements, reverse: bool, name: str | None
) -> Any:
    first = items.at(-1 if reverse else 0)
    cut = slice(None, -1) if reverse else slice(1, None)
    later_items = items.at(cut)
    later_results = nest.flatten(scan(fn, later_items, first, reverse=reverse, name=name))
    alone = [t[None] for t in nest.flatten(first)]
    ends = (later_results, alone) if reverse else (alone, later_results)
    pairs = zip(*ends, strict=True)
    return nest.pack_sequence_as(first, [concat(list(pair), 0) for pair in pairs])


def _fold(
    what: str, fn: Callable[[Any, Any], Any], elems: Any, initializer: Any, backwards: bool,
    name: str | None,
) -> Any:
    if not callable(fn):
        raise TypeError(f"fn must be callable, got {fn!r}")
    items = StackedElements(what, elems)
    fn = converted_in_turn(fn)
    if initializer is None and items.size == 0:
        raise ValueError(f"{what}: without an initializer, elems must not be empty")
    skipped = 1 if initializer is None else 0
    if items.eager:
        order = list(items)[::-1] if backwards else list(items)
        value = order.pop(0) if skipped else nest.map_structure(convert_to_tensor, initializer)
        for item in order:
            value = nest.pack_sequence_as(value, _carried(what, value, fn(value, item)))
        return value
    count = items.count
    start = items.at(-1 if backwards else 0) if skipped else initializer
    like = nest.pack_sequence_as(start, flatten_tensors(start))

    def iteration(k: Any, value: Any) -> Any:
        result = fn(value, items.at(count - 1 - k if backwards else k))
        return k + 1, nest.pack_sequence_as(value, _carried(what, like, result))

    first = convert_to_tensor(skipped, int64)
    _, value = while_loop(lambda k, _: k < count, iteration, (first, like), name=name)
    return value


def foldl(
    fn: Callable[[Any, Any], Any],
    elems: Any,
    initializer: Any = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    name: str | None = None,
) -> Any:
    """Compute ``a = fn(a, e)`` from the first to the last element ``e``.

    Args:
        fn: function of the accumulated value and an element; it returns the next accumulated value.
        elems: tensor of shape ``[n, ...]`` or nest of such tensors with equal ``n``.
        initializer: first accumulated value; by default the first element.
        parallel_iterations: without effect.
        back_prop: whether gradients flow through the result.
        swap_memory: without effect.
    Returns:
        Last accumulated value.
    Raises:
        TypeError: ``fn`` is not callable, or changes a dtype.
        ValueError: ``elems`` is empty and there is no initializer, or ``fn`` changes the structure.
    """
    result = _fold("foldl", fn, elems, initializer, False, name)
    return result if back_prop else without_gradient(result)


def foldr(
    fn: Callable[[Any, Any], Any],
    elems: Any,
    initializer: Any = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    name: str | None = None,
) -> Any:
    """Compute ``a = fn(a, e)`` from the last to the first element ``e``.

    Args:
        fn: function of the accumulated value and an element; it returns the next accumulated value.
        elems: tensor of shape ``[n, ...]`` or nest of such tensors with equal ``n``.
        initializer: first accumulated value; by default the last element.
        parallel_iterations: without effect.
        back_prop: whether gradients flow through the result.
        swap_memory: without effect.
    Returns:
        Last accumulated value.
    Raises:
        TypeError: ``fn`` is not callable, or changes a dtype.
        ValueError: ``elems`` is empty and there is no initializer, or ``fn`` changes the structure.
    """
    result = _fold("foldr", fn, elems, initializer, True, name)
    return result if back_prop else without_gradient(result)
