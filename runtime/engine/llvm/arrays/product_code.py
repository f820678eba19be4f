"""LLVM code of products of arrays: sizes and strides are checked, and BLAS is called for each
product of matrices of the batch.

Axes that are summed over, and the others of each array, count as one axis; their elements must lie
as those of one axis do.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from itertools import pairwise

from autograph.named_tuples import NamedTuple
from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.array_code import DATA, word
from runtime.engine.llvm.array_views import ArrayViews
from runtime.engine.llvm.arrays.allocation import allocate
from runtime.engine.llvm.arrays.blas import type_name
from runtime.engine.llvm.arrays.library_names import (
    FITS,
    MULTIPLY,
    MULTIPLY_BATCH,
    MULTIPLY_IN_TILES,
)
from runtime.engine.llvm.arrays.product import Product
from runtime.engine.llvm.arrays.selected_code import selected_view
from runtime.engine.llvm.arrays.task_code import end_tasks
from runtime.engine.llvm.arrays.tile_choice import faster_in_tiles, products_of_task
from runtime.engine.llvm.element_code import stored_size
from runtime.engine.llvm.loop_code import Fuel, iterations
from runtime.engine.llvm.size_code import all_hold, equal, is_constant, times
from runtime.engine.llvm.size_code import product as product_of_sizes
from runtime.engine.llvm.text import FunctionText

LONG = 1 << 17
"""Products of so many numbers let other Python threads run meanwhile."""
PRODUCTS_LOG2 = 10
"""Logarithm of the products that are added up in the time of an iteration over numbers."""


class _Axis(NamedTuple):
    """Size of an axis, and how many bytes are from one element to the next."""

    size: str
    stride: str


class ProductCode:
    """Code of one product in the function that holds it."""

    def __init__(
        self, text: FunctionText, views: ArrayViews, product: Product, names: Sequence[str]
    ) -> None:
        self._text = text
        self._product = product
        self._conditions: list[str] = []
        """What must hold; else the kernel computes the product."""
        self._views = []
        for number, layout in enumerate(product.layouts):
            selected = product.selected.get(number)
            base = layout if selected is None else selected.base
            view = views.of(names[number], (base.dtype.num, len(base.dims)))
            if selected is not None:
                selection = selected_view(
                    text, view, selected, lambda n: (product.args[n].type, names[n])
                )
                self._conditions += selection.conditions
                view = selection.view
            self._views.append(view)
        self._kind = type_name(product.element)

    def emit(self, slot: str, slow: str, fuel: Fuel, failure: str) -> None:
        """Emit the product: its result is put in the slot, or it branches to ``slow``; to
        ``failure`` if the handler of a signal raised before.
        """
        text, product = self._text, self._product
        for view, layout in zip(self._views, product.layouts, strict=True):
            self._conditions.append(text.value(f"icmp ne ptr {view.data}, null"))
            for size, static_size in zip(view.sizes, layout.dims, strict=True):
                if static_size is not None:
                    self._equal(size, str(static_size))
        axes = product.axes
        inner = [self._axes(operand, axes.inner[operand]) for operand in (0, 1)]
        for a_axis, b_axis in zip(*inner, strict=True):
            self._equal(a_axis.size, b_axis.size)
        outer = [self._axes(operand, product.free_axes(operand)) for operand in (0, 1)]
        batch = self._batch()
        a_rows, a_inner = self._as_one(outer[0]), self._as_one(inner[0])
        b_inner, b_columns = self._as_one(inner[1]), self._as_one(outer[1])
        sizes = [pair[0].size for pair in batch]
        sizes += [axis.size for axis in (*outer[0], *outer[1])]
        if not axes.batch[1]:
            batch, a_rows = self._as_rows(batch, a_rows)
        strides = f"i64 {a_rows.stride}, i64 {a_inner.stride}"
        operands = (
            f"ptr {{}}, {strides}", f"ptr {{}}, i64 {b_inner.stride}, i64 {b_columns.stride}"
        )
        counts = [a_rows.size, b_columns.size, a_inner.size]
        self._check([view.data for view in self._views], operands, counts, batch, slow)
        work = product_of_sizes(text, *counts, *[pair[0].size for pair in batch])
        fuel.note(iterations(text, work, PRODUCTS_LOG2), failure)
        result = slot
        if product.results[0].type is ir.OBJECT:
            allocate(text, product.element, sizes, slot, slow)
            result = word(text, text.load(slot), DATA, "ptr")
        step = products_of_task(product.element, counts, batch[-1][0].size) if batch else 0
        if step and all(pair[0].size == "1" for pair in batch[:-1]):
            self._share(slot, result, operands, counts, batch[-1], step, slow, failure)
        else:
            self._run(result, operands, counts, batch, work)

    # -- sizes and strides ------------------------------------------------------------------------

    def _axes(self, operand: int, axes: Sequence[int]) -> list[_Axis]:
        """Return axes of an operand; sizes that the graph knows are constants."""
        view, dims = self._views[operand], self._product.layouts[operand].dims
        return [
            _Axis(view.sizes[axis] if dims[axis] is None else str(dims[axis]), view.strides[axis])
            for axis in axes
        ]

    def _equal(self, x: str, y: str) -> None:
        self._conditions.append(equal(self._text, x, y))

    def _batch(self) -> list[tuple[_Axis, _Axis]]:
        """Return the axes of the batch for both operands, whose sizes are those of the result."""
        text, batch = self._text, []
        a_axes, b_axes = (self._axes(n, self._product.axes.batch[n]) for n in (0, 1))
        missing = len(a_axes) - len(b_axes)
        none = _Axis("1", "0")
        a_axes, b_axes = [none] * -missing + a_axes, [none] * missing + b_axes
        for a, b in zip(a_axes, b_axes, strict=True):
            if a.size == b.size or b.size == "1":
                size = a.size
            elif a.size == "1":
                size = b.size
            else:
                is_one = text.value(f"icmp eq i64 {a.size}, 1")
                size = text.value(f"select i1 {is_one}, i64 {b.size}, i64 {a.size}")
                same = text.value(f"icmp eq i64 {size}, {b.size}")
                is_one = text.value(f"icmp eq i64 {b.size}, 1")
                self._conditions.append(text.value(f"or i1 {same}, {is_one}"))
            batch.append((self._along(a, size), self._along(b, size)))
        return batch

    def _along(self, axis: _Axis, size: str) -> _Axis:
        """Return an axis as it is broadcast along one of the result."""
        if axis.size == size:
            return axis
        if axis.size == "1":
            return _Axis(size, "0")
        is_one = self._text.value(f"icmp eq i64 {axis.size}, 1")
        stride = self._text.value(f"select i1 {is_one}, i64 0, i64 {axis.stride}")
        return _Axis(size, stride)

    def _as_one(self, axes: Sequence[_Axis]) -> _Axis:
        """Return some axes as one."""
        if not axes:
            return _Axis("1", str(stored_size(self._product.element)))
        self._conditions += self._gaps(axes)
        return _Axis(self._count(axes), axes[-1].stride)

    def _gaps(self, axes: Sequence[_Axis]) -> list[str]:
        """Return the conditions that no gaps are between the elements of some axes."""
        text, conditions = self._text, []
        for outer, inner in pairwise(axes):
            extent = times(text, inner.size, inner.stride)
            conditions.append(equal(text, outer.stride, extent))
        return conditions

    def _as_rows(
        self, batch: Sequence[tuple[_Axis, _Axis]], rows: _Axis
    ) -> tuple[list[tuple[_Axis, _Axis]], _Axis]:
        """Return no batch, but all of its matrices as one, if there are no gaps between them."""
        if not batch:
            return [], rows
        text, outer = self._text, [pair[0] for pair in batch]
        flat = all_hold(text, self._gaps([*outer, rows]))
        all_rows = self._count([*outer, rows])
        if flat == "true":
            return [], _Axis(all_rows, rows.stride)
        single = []
        for axis, b_axis in batch:
            size = text.value(f"select i1 {flat}, i64 1, i64 {axis.size}")
            single.append((_Axis(size, axis.stride), b_axis))
        size = text.value(f"select i1 {flat}, i64 {all_rows}, i64 {rows.size}")
        return single, _Axis(size, rows.stride)

    def _count(self, axes: Sequence[_Axis]) -> str:
        return product_of_sizes(self._text, *[axis.size for axis in axes])

    # -- BLAS -------------------------------------------------------------------------------------

    def _check(
        self, datas: Sequence[str], operands: Sequence[str], counts: Sequence[str],
        batch: Sequence[tuple[_Axis, _Axis]], slow: str,
    ) -> None:  # fmt: skip
        """Branch to ``slow`` where BLAS cannot compute the product."""
        text, low = self._text, stored_size(self._product.element) - 1
        for axis in [axis for pair in batch for axis in pair]:
            if not is_constant(axis.stride) or int(axis.stride) & low:
                odd = text.value(f"and i64 {axis.stride}, {low}")
                self._conditions.append(text.value(f"icmp eq i64 {odd}, 0"))
        args = self._args(datas, operands)
        fits = text.call("i1", f"{FITS}_{self._kind}", *args, *(f"i64 {count}" for count in counts))
        text.require(all_hold(text, [*self._conditions, fits]), slow)

    def _args(self, datas: Sequence[str], operands: Sequence[str]) -> list[str]:
        return [
            arg for data, operand in zip(datas, operands, strict=True)
            for arg in operand.format(data).split(", ")
        ]  # fmt: skip

    def _run(
        self, result: str, operands: Sequence[str], counts: Sequence[str],
        batch: Sequence[tuple[_Axis, _Axis]], work: str,
    ) -> None:  # fmt: skip
        """Call BLAS for each product of the batch; other threads run meanwhile if it is long."""
        text = self._text
        is_long = text.value(f"icmp ugt i64 {work}, {LONG}")
        if is_constant(work):
            is_long = "true" if int(work) > LONG else "false"
        with text.without_lock(is_long), ExitStack() as loops:
            datas = [view.data for view in self._views]
            place = "0"
            for pair in batch:
                counter = loops.enter_context(text.counted_loop(pair[0].size))
                datas = [
                    text.gep(data, text.value(f"mul i64 {counter}, {axis.stride}"))
                    for data, axis in zip(datas, pair, strict=True)
                ]
                place = text.value(f"mul i64 {place}, {pair[0].size}")
                place = text.value(f"add i64 {place}, {counter}")
            if batch:
                size = text.value(f"mul i64 {counts[0]}, {counts[1]}")
                size = text.value(f"mul i64 {size}, {stored_size(self._product.element)}")
                result = text.gep(result, text.value(f"mul i64 {place}, {size}"))
            args = [*self._args(datas, operands), f"ptr {result}"]
            args += [f"i64 {count}" for count in counts]
            in_tiles = faster_in_tiles(self._product.element, counts)
            name = MULTIPLY_IN_TILES if in_tiles else MULTIPLY
            text.call("void", f"{name}_{self._kind}", *args)

    def _share(
        self, slot: str, result: str, operands: Sequence[str], counts: Sequence[str],
        axis: tuple[_Axis, _Axis], step: int, slow: str, failure: str,
    ) -> None:  # fmt: skip
        """Let threads share the products along an axis of the batch, so many at once."""
        text = self._text
        args = [*self._args([view.data for view in self._views], operands), f"ptr {result}"]
        args += [f"i64 {count}" for count in counts]
        steps = (axis[0].size, axis[0].stride, axis[1].stride, step)
        with text.without_lock("true"):
            name = f"{MULTIPLY_BATCH}_{self._kind}"
            status = text.call("i32", name, *args, *(f"i64 {value}" for value in steps))
        end_tasks(text, status, slot, slow, failure)
