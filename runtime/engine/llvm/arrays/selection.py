"""Views of arrays while a plan is lowered: elements of an array that no step has copied yet.

A fusion reads the array itself; anything else makes the view by the kernels of its steps.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from autograph.named_tuples import NamedTuple
from runtime.engine.error_location import call_located
from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.array_code import is_layout_known
from runtime.engine.llvm.arrays.fusion import KnownLayout, Selected
from runtime.engine.llvm.arrays.joining import layout_of
from runtime.engine.llvm.element_lowering import Element, site_of
from runtime.engine.passes.queries import constant_value
from runtime.engine.plan import PlanStep
from runtime.ops.rules.lowering import KeyPart, OnArrays, RunTimeInt, SelectedAxis, Selection
from runtime.types.shapes import TensorSpec


class ViewStep(NamedTuple):
    """Step of a view.

    selection  what it selects of what the step before selects; its ints at run time are inputs
    inputs     the inputs after the array; None for those that are constants
    layout     what is known of the result
    maker      the step and the number of its result, or the row of an array that it is; None where
               a fusion reads along other axes than kernels know
    """

    selection: Selection
    inputs: tuple[ir.Register | None, ...]
    layout: KnownLayout
    maker: tuple[Any, int] | Element | None


class SelectedValue(NamedTuple):
    """View of an array that was not made: ``links`` are its steps, each of the one before."""

    array: ir.Register
    base: KnownLayout
    links: tuple[ViewStep, ...]

    @property
    def layout(self) -> KnownLayout:
        """What is known of the view."""
        return self.links[-1].layout

    @property
    def is_made_by_steps(self) -> bool:
        """Whether kernels of steps make it, and not that of a row."""
        maker = self.links[-1].maker
        return maker is not None and not isinstance(maker, Element)

    def as_selected(self, place: Callable[[ir.Register], int]) -> Selected:
        """Return what is selected, as an instruction says it that has the inputs among its
        arguments; ``place`` gives their numbers.
        """
        return Selected(
            self.base,
            tuple([bind_inputs(link.selection, link.inputs, place) for link in self.links]),
        )


def bind_inputs(
    selection: Selection, inputs: Sequence[ir.Register | None],
    place: Callable[[ir.Register], int],
) -> Selection:  # fmt: skip
    """Return a selection whose ints at run time are arguments of an instruction, not inputs."""

    def bind_end(key_part: Any) -> Any:
        if not isinstance(key_part, RunTimeInt):
            return key_part
        register = inputs[key_part.number]
        assert register is not None
        return RunTimeInt(place(register))

    def bind_part(key_part: KeyPart) -> KeyPart:
        ends = key_part.part
        of = tuple(map(bind_end, ends)) if isinstance(ends, tuple) else bind_end(ends)
        return KeyPart(key_part.axis, of)

    return selection.mapped(bind_part)


class ViewCheck(ir.Compute):
    """Check that the entries exist that ints select; else its site raises.

    The arguments are the array and the ints at run time, which ``selected`` has by their numbers.
    """

    __slots__ = ("selected",)

    def __init__(self, args: ir.Registers, site: ir.Site, selected: Selected) -> None:
        super().__init__("array.check", args, (), site)
        self.selected = selected


def check_of(view: SelectedValue) -> ViewCheck:
    """Return the check of the entries of a view."""
    args = [view.array]

    def place(register: ir.Register) -> int:
        if register not in args:
            args.append(register)
        return args.index(register)

    selected = view.as_selected(place)
    maker = view.links[-1].maker
    assert maker is not None
    step: Any = maker[0]
    attrs = {"dtype": view.base.dtype, "rank": len(view.base.dims)}
    kernel = ViewKernel(view, place)
    site = ir.Site(PlanStep(kernel, attrs, (), (), (), step.operation), order=())
    return ViewCheck(args, site, selected)


class ViewKernel:
    """Kernel that makes a view by the kernels of its steps.

    It takes the array and what else is among the arguments of an instruction; ``place`` gives the
    numbers of the inputs among them.
    """

    def __init__(self, view: SelectedValue, place: Callable[[ir.Register], int]) -> None:
        self._links = view.links
        self._places = [
            [None if register is None else place(register) for register in link.inputs]
            for link in view.links
        ]

    def __call__(self, *args: Any, **_: Any) -> Any:
        """Return the view of the first argument."""
        array = args[0]
        for link, places in zip(self._links, self._places, strict=True):
            if isinstance(link.maker, Element):
                inputs = [args[place] for place in places if place is not None]
                array = site_of(link.maker).step.kernel(array, *inputs)
                continue
            assert link.maker is not None
            step, number = link.maker
            values = [
                constant_value(tensor) if place is None else args[place]
                for place, tensor in zip(places, step.operation.inputs[1:], strict=True)
            ]
            views = call_located(step, array, *values)
            array = views[number] if len(step.operation.outputs) > 1 else views
        return array


def selections_of(step: Any) -> Sequence[Selection]:
    """Return which elements of its input each result of a step has; none if they are no views."""
    node = step.operation
    rule = node.op_def.lower
    if not isinstance(rule, OnArrays) or not (rule.selects or rule.parts) or not is_layout_known():
        return ()
    source, *results = (layout_of(tensor.spec) for tensor in (node.inputs[0], *node.outputs))
    if source is None or not source.dims or not all(layout and layout.dims for layout in results):
        return ()
    if rule.parts is not None:
        return rule.parts(source.dims, node.attrs) or ()
    assert rule.selects is not None
    selection = rule.selects(source.dims, node.attrs, [*map(constant_value, node.inputs[1:])])
    return (selection,) if selection is not None and are_ints(selection, node.inputs[1:]) else ()


def run_time_ints(selection: Selection) -> set[int]:
    """Return the numbers of the inputs that are ints in a selection."""
    ends = [part.part if isinstance(part.part, tuple) else (part.part,) for part in selection.parts]
    return {end.number for bounds in ends for end in bounds if isinstance(end, RunTimeInt)}


def are_ints(selection: Selection, inputs: Sequence[Any]) -> bool:
    """Return whether the inputs that a selection takes for ints are ints for native code."""
    return all(_is_int(inputs[number].spec) for number in run_time_ints(selection))


def _is_int(spec: TensorSpec) -> bool:
    dtype = spec.dtype._dtype
    is_integer = spec.shape.dims == () and dtype in ir.NUMBERS and spec.dtype.is_integer
    return is_integer and dtype != np.uint64


def row_of(value: Any) -> Element | None:
    """Return the row of an array that a value is, if it was not made."""
    maker = value.links[-1].maker if isinstance(value, SelectedValue) else None
    return maker if isinstance(maker, Element) else None


def as_view(row: Element) -> SelectedValue:
    """Return the view that a row of an array is."""
    base = layout_of(row.links[0][0].operation.inputs[0].spec)
    result = layout_of(row.links[-1][0].operation.outputs[0].spec)
    assert base is not None and result is not None
    count = len(row.key)
    whole_axes = [SelectedAxis(n, 1, size) for n, size in enumerate(base.dims) if n >= count]
    starts: list[int | KeyPart] = [KeyPart(n, RunTimeInt(n)) for n in range(count)]
    selection = Selection((*starts, *[0] * len(whole_axes)), tuple(whole_axes))
    return SelectedValue(row.array, base, (ViewStep(selection, tuple(row.key), result, row),))


def selected_from(
    value: ir.Register | SelectedValue, step: Any, number: int, selection: Selection,
    inputs: Sequence[ir.Register | None],
) -> SelectedValue:  # fmt: skip
    """Return what a result of a step selects of an array, or of another view."""
    node = step.operation
    base, result = (layout_of(t.spec) for t in (node.inputs[0], node.outputs[number]))
    assert base is not None and result is not None
    link = ViewStep(selection, tuple(inputs), result, (step, number))
    if isinstance(value, ir.Register):
        return SelectedValue(value, base, (link,))
    return value._replace(links=(*value.links, link))


def make_view(
    lowering: Any, block: ir.Block, view: SelectedValue, array: ir.Register,
    params: Mapping[ir.Register, ir.Register] | None = None,
) -> ir.Register:  # fmt: skip
    """Make a view of an array by the kernels of its steps; ``params`` stand for the inputs in a
    block that does not see them.
    """
    for link in view.links:
        if link.maker is None:
            continue
        inputs: list[Any] = [
            value if params is None or value is None else params[value] for value in link.inputs
        ]
        if isinstance(link.maker, Element):
            row: ir.Register = lowering.new(ir.OBJECT)
            site = site_of(link.maker)
            block.add(ir.Callback(site, (array, *inputs), (row,)))
            array = row
            continue
        step, number = link.maker
        constants_and_inputs = [
            lowering.constant(block, constant_value(tensor)[()]) if value is None else value
            for value, tensor in zip(inputs, step.operation.inputs[1:], strict=True)
        ]
        array = lowering.call_kernel(block, step, [array, *constants_and_inputs])[number]
    return array
