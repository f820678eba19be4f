"""Arrays that are made of others side by side: a new array, and a write of each part to it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.array_code import is_layout_known
from runtime.engine.llvm.arrays.fusion import KnownLayout
from runtime.engine.llvm.arrays.joining import layouts_of
from runtime.engine.llvm.arrays.slice_writes import Write
from runtime.engine.plan import PlanStep
from runtime.ops.rules.lowering import OnArrays, Selection


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
