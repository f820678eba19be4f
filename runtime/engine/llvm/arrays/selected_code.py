"""LLVM code of what is selected of arrays: the view's address, sizes and strides.

No view is made.  Bounds of slices and ints that are known at run time are computed here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from autograph.named_tuples import NamedTuple
from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.array_views import ArrayViews, View
from runtime.engine.llvm.arrays.fusion import Selected
from runtime.engine.llvm.arrays.selection import ViewCheck
from runtime.engine.llvm.python_code import call_raising_site, call_site
from runtime.engine.llvm.size_code import SliceBounds, all_hold, position_of
from runtime.engine.llvm.text import FunctionText
from runtime.ops.rules.lowering import KeyPart, RunTimeInt, Selection

Arg = Callable[[int], tuple[ir.Type, str]]
"""Function that returns the type and the name of an argument."""


class SelectedView(NamedTuple):
    """View of an array of which elements are selected.

    conditions  what must hold: the array has the sizes that the graph knows, and entries exist
    first       by axis of the array: the first entry
    along       by axis of the view: the axis of the array along which it goes, and its step; None
                where it stays
    """

    view: View
    conditions: Sequence[str]
    first: Sequence[str]
    along: Sequence[tuple[int, int] | None]


def selected_view(text: FunctionText, view: View, selected: Selected, arg: Arg) -> SelectedView:
    """Return the view of the elements that are selected of an array."""
    sizes = zip(view.sizes, selected.base.dims, strict=True)
    conditions = [
        text.value(f"icmp eq i64 {size}, {static_size}")
        for size, static_size in sizes if static_size is not None and size != str(static_size)
    ]
    selection = whole_view(view)._replace(conditions=conditions)
    for step in selected.steps:
        selection = _apply_selection(text, selection, step, arg)
    is_there = text.value(f"icmp ne ptr {view.data}, null")
    data = text.value(f"select i1 {is_there}, ptr {selection.view.data}, ptr null")
    return selection._replace(view=selection.view._replace(data=data, is_own="0"))


def whole_view(view: View) -> SelectedView:
    """Return the selection of all elements of an array."""
    rank = len(view.sizes)
    return SelectedView(view, (), ["0"] * rank, [(axis, 1) for axis in range(rank)])


def check_view(
    text: FunctionText, views: ArrayViews, check: ViewCheck, names: Sequence[str], fail: str
) -> None:
    """Emit the check that the entries of a view exist; else its site is called."""
    site, selected = check.site, check.selected
    assert site is not None

    def arg(number: int) -> tuple[ir.Type, str]:
        return check.args[number].type, names[number]

    view = views.of(names[0], (selected.base.dtype.num, len(selected.base.dims)))
    is_there = text.value(f"icmp ne ptr {view.data}, null")
    conditions = selected_view(text, view, selected, arg).conditions
    exists = all_hold(text, [is_there, *conditions])
    if site.raises:
        with text.leaving(exists, likely=True, holds=False):
            call_raising_site(text, site, names, fail)
        return
    with text.only_if(exists, likely=True, holds=False):
        call_site(text, site, names, fail)


def _apply_selection(
    text: FunctionText, source: SelectedView, selection: Selection, arg: Arg
) -> SelectedView:
    """Return what a selection leaves of a view."""
    view, data, conditions = source.view, source.view.data, [*source.conditions]
    ranges: dict[KeyPart, SliceBounds] = {}
    first = [*source.first]
    for axis, start in enumerate(selection.starts):
        place = str(start)
        if isinstance(start, KeyPart) and isinstance(start.part, tuple):
            ranges[start] = _bounds(text, start.part, view.sizes[axis], arg)
            place = ranges[start].start
        elif isinstance(start, KeyPart):
            index = start.part
            type, name = (
                arg(index.number) if isinstance(index, RunTimeInt) else (ir.INT64, str(index))
            )
            place, exists = position_of(text, type, name, view.sizes[axis])
            conditions.append(exists)
        if place == "0":
            continue
        data = text.gep(data, _times(text, place, view.strides[axis]))
        origin = source.along[axis]
        if origin is not None:
            moved = _times(text, place, str(origin[1]))
            first[origin[0]] = text.value(f"add i64 {first[origin[0]]}, {moved}")
    sizes, strides, along = [], [], list[tuple[int, int] | None]()
    for view_axis, step, size in selection.axes:
        origin = None if view_axis is None else source.along[view_axis]
        along.append(None if origin is None else (origin[0], origin[1] * step))
        strides.append(
            "0" if view_axis is None else _times(text, view.strides[view_axis], str(step))
        )
        if isinstance(size, KeyPart):
            sizes.append(ranges[size].count())
        else:
            sizes.append(
                str(size) if size is not None or view_axis is None else view.sizes[view_axis]
            )
    return SelectedView(View(data, sizes, strides, "0"), conditions, first, along)


def _times(text: FunctionText, x: str, y: str) -> str:
    if "1" in (x, y):
        return y if x == "1" else x
    return text.value(f"mul i64 {x}, {y}")


def _bounds(
    text: FunctionText, ends: Sequence[int | RunTimeInt | None], size: str, arg: Arg
) -> SliceBounds:
    start, stop, step = (arg(e.number) if isinstance(e, RunTimeInt) else e for e in ends)
    assert not isinstance(step, tuple)
    return SliceBounds(text, start, stop, step, size)
