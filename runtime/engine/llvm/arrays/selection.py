"""Views of arrays while a plan is lowered: elements of an array that no step has copied yet.

A fusion reads the array itself; anything else makes the view by the kernels of its steps.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.array_code import is_layout_known
from runtime.engine.llvm.arrays.fusion import KnownLayout, Selected
from runtime.engine.llvm.arrays.joining import layout_of
from runtime.engine.llvm.element_lowering import Element, site_of
from runtime.engine.passes.queries import constant_value
from runtime.ops.rules.lowering import OnArrays, SelectedAxis, Selection


class SelectedValue(NamedTuple):
    """View of an array that was not made: ``links`` are its steps, each of the one before, and the
    numbers of their results.
    """

    array: ir.Register
    base: KnownLayout
    selection: Selection
    links: tuple[tuple[Any, int], ...]


View = SelectedValue | Element


def selections_of(step: Any) -> Sequence[Selection]:
    """Return which elements of its input each result of a step has; none if they are no views."""
    node = step.operation
    rule = node.op_def.lower
    if not isinstance(rule, OnArrays) or not (rule.selects or rule.parts) or not is_layout_known():
        return ()
    source, *results = (layout_of(tensor.spec) for tensor in (node.inputs[0], *node.outputs))
    if source is None or not source.dims or not all(one and one.dims for one in results):
        return ()
    if rule.parts is not None:
        return rule.parts(source.dims, node.attrs) or ()
    assert rule.selects is not None
    found = rule.selects(source.dims, node.attrs, [*map(constant_value, node.inputs[1:])])
    return () if found is None else (found,)


def selected_from(
    value: ir.Register | SelectedValue, step: Any, number: int, selection: Selection
) -> SelectedValue:
    """Return what a result of a step selects of an array, or of another view."""
    if isinstance(value, ir.Register):
        base = layout_of(step.operation.inputs[0].spec)
        assert base is not None
        return SelectedValue(value, base, selection, ((step, number),))
    whole = composed(value.selection, selection)
    return SelectedValue(value.array, value.base, whole, (*value.links, (step, number)))


def composed(outer: Selection, inner: Selection) -> Selection:
    """Return what ``inner`` selects of what ``outer`` selects."""
    starts = list(outer.starts)
    for place, start in zip(outer.axes, inner.starts, strict=True):
        if place.axis is not None:
            starts[place.axis] += start * place.step
    axes = []
    for one in inner.axes:
        of = None if one.axis is None else outer.axes[one.axis]
        if of is None or of.axis is None:
            axes.append(SelectedAxis(None))
        else:
            axes.append(SelectedAxis(of.axis, of.step * one.step, one.size))
    return Selection(tuple(starts), tuple(axes))


def parts_of(view: View) -> tuple[ir.Register, KnownLayout, Selected, Sequence[ir.Register]]:
    """Return the array, the layout of the view, what it selects, and the indexes of its rows."""
    if isinstance(view, SelectedValue):
        base, rest = view.base, view.selection
        indices: Sequence[ir.Register] = ()
        step, number = view.links[-1]
        known = layout_of(step.operation.outputs[number].spec)
        assert known is not None
        dims = known.dims  # and no more: what reads the view has no other shape
    else:
        found = layout_of(view.links[0][0].operation.inputs[0].spec)
        assert found is not None
        base, indices = found, view.key
        dims = base.dims[len(indices) :]
        rest = Selection(
            (0,) * len(dims), tuple([SelectedAxis(n, 1, size) for n, size in enumerate(dims)])
        )
    return view.array, KnownLayout(base.dtype, dims), Selected(base, (), rest), indices


def made(lowering: Any, block: ir.Block, view: SelectedValue, array: ir.Register) -> ir.Register:
    """Make a view of an array by the kernels of its steps."""
    for step, number in view.links:
        others = [
            lowering._constant(block, constant_value(tensor)[()])
            for tensor in step.operation.inputs[1:]
        ]
        array = lowering._callback(block, step, [array, *others])[number]
    return array


def made_in(
    lowering: Any, slow: ir.Block, view: View, params: Sequence[ir.Register], selected: Selected,
    array: ir.Register,
) -> ir.Register:  # fmt: skip
    """Make a view in the slow block of a fusion, whose parameters hold its array and indexes."""
    if isinstance(view, SelectedValue):
        return made(lowering, slow, view, array)
    result: ir.Register = lowering.new(ir.OBJECT)
    indices = [params[number] for number in selected.indices]
    slow.instructions.append(ir.Callback(site_of(view), (array, *indices), (result,)))
    return result
