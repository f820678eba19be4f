"""Writes to views of arrays, ``a[1:-1] = x`` and ``a[i] = row``: fusions whose result goes there.

The array is made the code's own before; then its elements change in place.  An array that is made
of others side by side is a new one, to which each part is written.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from autograph.named_tuples import NamedTuple
from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.array_code import is_layout_known
from runtime.engine.llvm.arrays.fusion import Dims, KnownLayout
from runtime.engine.llvm.arrays.joining import layout_of, layouts_of
from runtime.engine.llvm.arrays.selection import are_ints
from runtime.engine.passes.queries import constant_value
from runtime.engine.plan import PlanStep
from runtime.ops.array.indexing import selection_of
from runtime.ops.rules.lowering import OnArrays, SelectedAxis, Selection


class Write(NamedTuple):
    """Write of an array, or a number, to elements of another array.

    selection  what is written; its ints at run time are the inputs after the array and the value
    """

    base: KnownLayout
    selection: Selection


def write_of(step: Any) -> Write | None:
    """Return the write that a step is; None for single elements, and what the kernel has to do."""
    node = step.operation
    base, value = (layout_of(tensor.spec) for tensor in node.inputs[:2])
    if base is None or value is None or base.dtype != value.dtype or not base.dims:
        return None
    bounds = node.inputs[2:]
    selection = selection_of(base.dims, step.attrs["key"], [*map(constant_value, bounds)])
    if selection is None or not are_ints(selection, bounds):
        return None
    if not selection.axes and base.dtype not in ir.NUMBERS:
        selection = selection._replace(axes=(SelectedAxis(None),))  # the loop over one element
    if not selection.axes:
        return None
    return Write(base, selection) if may_fit(value.dims, selection.dims) else None


def may_fit(dims: Dims, space: Dims) -> bool:
    """Return whether an array of static shape ``dims`` may be broadcast over a space, some of whose
    sizes are known at run time.
    """
    pairs = zip(reversed(dims), reversed(space), strict=False)
    return len(dims) <= len(space) and all(
        extent in (1, None) or size in (extent, None) for extent, size in pairs
    )


class NewArray(ir.Compute):
    """New array whose elements have no values yet.  Its site says that there is no memory."""

    __slots__ = ("layout",)

    def __init__(self, layout: KnownLayout, result: ir.Register, site: ir.Site) -> None:
        super().__init__("new_array", (), (result,), site)
        self.layout = layout


def new_array(step: Any, layout: KnownLayout, result: ir.Register) -> NewArray:
    """Return the instruction that makes the array of a step."""
    attrs = {"shape": layout.dims, "dtype": layout.dtype}
    site = ir.Site(PlanStep(np.empty, attrs, (), (), (), step.operation), order=())
    return NewArray(layout, result, site)


def parts_written(step: Any) -> Sequence[tuple[Write, PlanStep]]:
    """Return the writes that assemble the result of a step, with the steps that do them slowly;
    none if native code does not do that.
    """
    node = step.operation
    rule = node.op_def.lower
    if not isinstance(rule, OnArrays) or rule.places is None or not node.inputs:
        return ()
    if not is_layout_known():
        return ()
    layouts = layouts_of([*node.inputs, *node.outputs])
    if layouts is None or len({layout.dtype for layout in layouts}) > 1:
        return ()
    if not all(layout.dims and None not in layout.dims for layout in layouts):
        return ()
    *inputs, result = layouts
    places = rule.places([layout.dims for layout in inputs], result.dims, node.attrs)
    return [(Write(result, place), _put_step(place, node)) for place in places]


def _put_step(place: Selection, node: Any) -> PlanStep:
    """Return the step that writes a part to its place."""
    key: list[Any] = list(place.starts)
    for axis, step, size in place.axes:
        assert axis is not None and size is not None
        key[axis] = slice(key[axis], key[axis] + step * size, step)
    return PlanStep(_put, {"key": tuple(key)}, (), (), (), node)


def _put(array: Any, piece: Any, *, key: tuple[Any, ...]) -> Any:
    array[key] = piece
    return array
