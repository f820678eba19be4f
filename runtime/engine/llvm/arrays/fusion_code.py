"""LLVM code of fusions: shapes are checked, results allocated, and a loop nest is called.

Each fusion is a function of its own (loop_nest.py).  A result takes over the memory of an argument
that nothing else refers to.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.array_code import DATA, word
from runtime.engine.llvm.array_views import ArrayViews, View
from runtime.engine.llvm.arrays.allocation import allocate, take_over
from runtime.engine.llvm.arrays.fusion import Fusion
from runtime.engine.llvm.arrays.fusion_space import FusionArray, Space
from runtime.engine.llvm.arrays.fusion_tasks import (
    INTERRUPTED,
    FusionTasks,
    is_large,
    keeps_rows,
    may_share,
)
from runtime.engine.llvm.arrays.loop_nest import LoopNest
from runtime.engine.llvm.arrays.overlap_code import Detour, overlap
from runtime.engine.llvm.arrays.selected_code import SelectedView, selected_view, whole_view
from runtime.engine.llvm.element_code import stored_size
from runtime.engine.llvm.loop_code import iterations
from runtime.engine.llvm.python_code import poll
from runtime.engine.llvm.references import References
from runtime.engine.llvm.row_arrays import results_layouts
from runtime.engine.llvm.size_code import all_hold, equal, product, times
from runtime.engine.llvm.text import FunctionText, llvm_type
from runtime.engine.llvm.variables.storage_code import assign_array, current_array

ELEMENTS_LOG2 = 5
"""Logarithm of the elements that a fusion computes in the time of an iteration over numbers."""


class FusionCode:
    """Code of one fusion in the function that holds it."""

    def __init__(
        self, text: FunctionText, references: References, views: ArrayViews, fusion: Fusion,
        names: Sequence[str], nest: Callable[[Fusion, str], LoopNest] = LoopNest,
    ) -> None:  # fmt: skip
        self._text = text
        self._references = references
        self._fusion = fusion
        self._names = names
        self._views = views
        # copies of views may have no site (-1); two loops of one name ended the process
        site = fusion.members[0].site
        number = site.index if site.index >= 0 else f"_copy{fusion.results[0].number}"
        self._nest = nest(fusion, f"fusion{number}")
        self._conditions: list[str] = []
        """What has to hold of arrays of which elements are selected."""
        self._arrays: dict[int, FusionArray] = {}
        self._failure = ""
        """Label for where a signal's handler raised."""
        self._arrays_of_results: list[tuple[str, ir.Register]] = []
        """Slots of the results that are arrays."""
        self._is_shared = may_share(fusion, self._nest)
        """Whether threads may share it."""
        self._free: dict[int, View] = {}
        """Arrays that are read at computed places."""
        self._selections: dict[int, SelectedView] = {}
        for number, layout in enumerate(fusion.layouts):
            if layout is not None:
                selected = fusion.selected.get(number)
                base = layout if selected is None else selected.base
                view = views.of(names[number], (base.dtype.num, len(base.dims)))
                if selected is not None:
                    selection = selected_view(text, view, selected, self._arg)
                    self._selections[number], view = selection, selection.view
                    self._conditions += selection.conditions
                if number in fusion.computed.free:
                    self._free[number] = view
                    continue
                self._arrays[number] = FusionArray(view, layout.axes(fusion.dims), layout)
        space = Space(text, fusion, self._arrays, self._free, names)
        self._sizes = space.sizes()
        self._conditions += space.conditions

    def iterations(self) -> str:
        """Return how many iterations of a loop over numbers take as long, at most all between two
        looks at signals.
        """
        return iterations(self._text, product(self._text, *self._sizes), ELEMENTS_LOG2)

    def emit(self, dying: frozenset[int], slots: Sequence[str], slow: str, failure: str) -> None:
        """Emit the fusion: its results are put in the slots, or it branches to ``slow`` and has
        changed nothing; to ``failure`` if a signal's handler raised meanwhile.  ``dying`` are the
        arguments that nothing uses later.
        """
        text, fusion = self._text, self._fusion
        self._failure = failure
        self._arrays_of_results = [
            (slot, value) for slot, value in zip(slots, fusion.results, strict=True)
            if value.type is ir.OBJECT
        ]  # fmt: skip
        self._check(slow)
        free = [] if self._nest.may_give_up else self._own_arrays(dying)
        if fusion.target is None:
            destinations = [
                self._destination(output, slot, value, free, slow)
                for output, slot, value in zip(fusion.outputs, slots, fusion.results, strict=True)
            ]
            self._run(destinations, slow)
        else:
            self._write(fusion.target, slow)
            self._references.retain(ir.OBJECT, self._names[fusion.target])
            text.line(f"store ptr {self._names[fusion.target]}, ptr {slots[0]}")
        if fusion.update is not None:
            slot = slots[fusion.outputs.index(fusion.update.output)]
            assign_array(text, fusion.update.place, text.load(slot))
        layouts = dict(zip(self._fusion.results, results_layouts(self._fusion), strict=True))
        for slot, value in self._arrays_of_results:
            name = text.load(slot)
            self._views.know(name, layouts[value])
            self._views.note_definition(name)
            self._views.note_store(slot, name)

    def _arg(self, number: int) -> tuple[ir.Type, str]:
        return self._fusion.args[number].type, self._names[number]

    # -- shapes -----------------------------------------------------------------------------------

    def _check(self, slow: str) -> None:
        """Branch to ``slow`` where an array has not the layout that the graph says, or there is
        nothing of which the greatest, the least or the mean is.
        """
        text, conditions = self._text, self._conditions
        for array in self._arrays.values():
            conditions.append(text.value(f"icmp ne ptr {array.view.data}, null"))
            missing = len(self._sizes) - len(array.layout.dims)
            for axis, size in enumerate(array.view.sizes):
                place = axis + missing
                expected = "1" if array.axes[place] is None else self._sizes[place]
                conditions.append(equal(text, size, expected))
            if self._fusion.sums_halves:
                conditions.append(self._lies_row_by_row(array))
        for number, view in self._free.items():
            self._check_free(number, view)
        update = self._fusion.update
        if update is not None:
            current = current_array(text, update.place)
            conditions.append(text.value(f"icmp eq ptr {current}, {self._names[update.previous]}"))
        if any(member.needs_elements for member in self._fusion.members):
            for size, static_size in zip(self._sizes, self._fusion.dims, strict=True):
                if not static_size:
                    conditions.append(text.value(f"icmp ne i64 {size}, 0"))
        text.require(all_hold(text, conditions), slow)

    def _check_free(self, number: int, view: View) -> None:
        """Note what has to hold of an array that is read at computed places: it has elements."""
        text, layout = self._text, self._fusion.layouts[number]
        assert layout is not None
        self._conditions.append(text.value(f"icmp ne ptr {view.data}, null"))
        for size, static_size in zip(view.sizes, layout.dims, strict=True):
            if static_size is None:
                self._conditions.append(text.value(f"icmp ne i64 {size}, 0"))
            else:
                self._conditions.append(equal(text, size, str(static_size)))
        for of, axis, along in self._fusion.computed.spans:
            if of == number:
                self._conditions.append(equal(text, view.sizes[axis], self._sizes[along]))

    def _is_flat(self) -> str:
        """Return whether one loop goes over all elements in the order in which they lie."""
        conditions = []
        if len(self._nest.axes) > 1 and any(m.opcode == "axis" for m in self._fusion.members):
            return "false"
        if not all(map(self._nest.is_total, self._fusion.reductions)):
            return "false"
        for number, array in self._arrays.items():
            axes = self._nest.axes_of(number)
            if None not in axes:
                conditions.append(self._is_contiguous(number, array))
            elif any(axis is not None for axis in axes):
                return "false"
        return all_hold(self._text, conditions)

    def _is_contiguous(self, number: int, array: FusionArray) -> str:
        """Return whether an array as large as the space lies in memory without gaps."""
        text, conditions = self._text, []
        stride = str(stored_size(array.layout.element))
        places = zip(self._nest.axes, self._nest.own_axes(number), strict=True)
        for loop, axis in reversed([*places]):
            conditions.append(equal(text, array.view.strides[axis], stride))
            stride = times(text, stride, self._sizes[loop])
        return all_hold(text, conditions)

    def _lies_row_by_row(self, array: FusionArray) -> str:
        """Return whether the elements of an array lie in memory without gaps."""
        text, conditions = self._text, []
        expected = str(stored_size(array.layout.element))
        for static_size, size, stride in reversed(
            list(zip(array.layout.dims, array.view.sizes, array.view.strides, strict=True))
        ):
            if static_size != 1:
                conditions.append(equal(text, stride, expected))
            expected = times(text, expected, size)
        return all_hold(text, conditions)

    def _own_arrays(self, dying: frozenset[int]) -> list[int]:
        """Return the arguments whose memory is free: no computed read may look at it later."""
        names = [self._names[number] for number in (*self._arrays, *self._free)]
        return [
            number for number in sorted(dying) if number in self._arrays
            and number not in self._fusion.selected and names.count(self._names[number]) == 1
        ]  # fmt: skip

    # -- results ----------------------------------------------------------------------------------

    def _reusable(self, output: int, free: Sequence[int]) -> int | None:
        """Return the argument whose memory a result may take over, if one is free at run time."""
        type, fusion = self._fusion.type_of(output), self._fusion
        if fusion.reduction_of(output) is not None:
            return None
        variable_array = fusion.update.previous if fusion.update is not None else None
        for number in sorted(free, key=lambda number: number != variable_array):
            layout = self._arrays[number].layout
            if layout.element == type and len(layout.dims) == len(fusion.dims):
                if None not in self._nest.axes_of(number):
                    return number
        return None

    def _destination(
        self, output: int, slot: str, value: ir.Register, free: list[int], slow: str
    ) -> str:
        """Return the address where a result is stored; an argument that it takes is not free any
        more.
        """
        if value.type is not ir.OBJECT:
            return slot
        reused = self._reusable(output, free)
        if reused is not None:
            free.remove(reused)
        return self._result(output, slot, reused, slow)

    def _result(self, output: int, slot: str, reused: int | None, slow: str) -> str:
        """Put the array of a result in a slot; return the address of its elements."""
        text = self._text
        if reused is None:
            self._allocate(output, slot, slow)
        else:
            update = self._fusion.update
            owners = 2 if update is not None and reused == update.previous else 1
            array, type = (self._names[reused], owners), self._fusion.type_of(output)
            take_over(text, type, self._sizes, array, slot, slow)
        result = text.load(slot)
        return word(text, result, DATA, "ptr")

    def _allocate(self, output: int, slot: str, slow: str) -> None:
        reduction, sizes = self._fusion.reduction_of(output), self._sizes
        if self._fusion.is_number:
            sizes = []
        elif reduction is not None:
            sizes = ["1" if axis is None else sizes[axis] for axis in reduction.result_axes]
        allocate(self._text, self._fusion.type_of(output), sizes, slot, slow)

    def _write(self, target: int, slow: str) -> None:
        """Compute the elements of the target; elsewhere first where some are read for others."""
        condition, array = self._overlap(target), self._arrays[target]
        if condition == "false":
            self._run((), slow)
            return
        detour = Detour(self._text, array.view, array.layout.element, condition, slow)
        self._arrays[target] = array._replace(view=detour.view)
        self._run((), slow)
        detour.finish(self._references)

    def _overlap(self, target: int) -> str:
        """Return whether elements of the target are read for others of it."""
        text, fusion, overlaps = self._text, self._fusion, "false"
        for number, view in {**{n: a.view for n, a in self._arrays.items()}, **self._free}.items():
            if number == target or fusion.args[number] is not fusion.args[target]:
                continue
            along = self._arrays.get(number)
            side_by_side = along is not None and along.axes == self._arrays[target].axes
            if side_by_side and fusion.selected.get(number) == fusion.selected[target]:
                continue
            source = self._selections.get(number) or whole_view(view)
            pair = overlap(text, self._selections[target], source, side_by_side)
            overlaps = pair if overlaps == "false" else text.value(f"or i1 {overlaps}, {pair}")
        return overlaps

    # -- the loop nest ----------------------------------------------------------------------------

    def _run(self, datas: Sequence[str], slow: str) -> None:
        """Call the loop nest; branch to ``slow`` if an operation gives up."""
        text, fusion, nest = self._text, self._fusion, self._nest
        flat = self._is_flat()
        large = is_large(text, fusion, self._sizes) if self._is_shared else "false"
        if large not in ("true", "false") and flat not in ("true", "false"):
            if keeps_rows(fusion, nest):
                flat = text.value(f"and i1 {flat}, {text.value(f'xor i1 {large}, true')}")
        if flat == "false":
            nest.row_length = fusion.dims[nest.axes[-1]] or None
        unit = self._has_unit_strides(flat)
        args = [f"i64 {size}" for size in self._sizes_of_loops(flat)]
        if flat == "true":
            nest.flatten()
            args = args[-1:]
        args += [f"i1 {unit}", *nest.extra_args]
        for number, value in enumerate(fusion.args):
            array = self._arrays.get(number)
            view = self._free.get(number) if array is None else array.view
            if view is None:
                args.append(f"{llvm_type(value.type)} {self._names[number]}")
                continue
            args.append(f"ptr {view.data}")
            args += [f"i64 {view.strides[axis]}" for axis in nest.own_axes(number)]
            args += [f"i64 {size}" for size in (view.sizes if number in self._free else ())]
        args += [f"ptr {data}" for data in datas]
        if large != "false":
            self._share(large, unit, args, slow)
            return
        name = nest.function(unit, text.declared)
        if not nest.may_give_up:
            text.line(f"call void @{name}({', '.join(args)})")
            return
        bad = text.value(f"call i1 @{name}({', '.join(args)})")
        text.refuse(bad, slow)

    def _share(self, large: str, unit: str, args: Sequence[str], slow: str) -> None:
        """Let threads share the loop nest if it is large."""
        text, nest = self._text, self._nest
        nest.take_part()
        name = FusionTasks(nest, nest.function(unit, text.declared)).define(text)
        with text.without_lock(large):
            status = text.value(f"call i32 @{name}(i1 {large}, {', '.join(args)})")
        with text.leaving(text.value(f"icmp ne i32 {status}, 0"), slow):
            for slot, _ in self._arrays_of_results:
                self._references.drop(ir.OBJECT, text.load(slot))
                text.line(f"store ptr null, ptr {slot}")
            with text.only_if(text.value(f"icmp eq i32 {status}, {INTERRUPTED}")):
                poll(text, self._failure)

    def _sizes_of_loops(self, flat: str) -> list[str]:
        """Return the sizes of the loops: one loop alone where the arrays are flat."""
        text, loops = self._text, [self._sizes[axis] for axis in self._nest.axes]
        if flat == "false" or len(loops) == 1:
            return loops
        flat_sizes = ["1"] * (len(loops) - 1) + [product(text, *loops)]
        return [
            text.value(f"select i1 {flat}, i64 {flat_size}, i64 {size}")
            for flat_size, size in zip(flat_sizes, loops, strict=True)
        ]

    def _has_unit_strides(self, flat: str) -> str:
        """Return whether the elements of all arrays follow one another along the last axis."""
        text, conditions = self._text, []
        for number, array in self._arrays.items():
            axis = self._nest.axes_of(number)[-1]
            if axis is not None:
                size = stored_size(array.layout.element)
                conditions.append(equal(text, array.view.strides[axis], str(size)))
        unit = all_hold(text, conditions)
        if flat == "true" or unit == "false":
            unit = flat
        elif unit != "true" and flat != "false":
            unit = text.value(f"or i1 {flat}, {unit}")
        follow = [unit]
        for number, free in self._free.items():
            size = stored_size(self._fusion.type_of(number))
            follow.append(equal(text, free.strides[-1], str(size)))
        return all_hold(text, follow)
