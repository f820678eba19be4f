"""LLVM code shared by all graphs: convolutions in which each channel has one filter of its own.

Channels are the lanes of vectors; no matrices are made.
"""

from __future__ import annotations

from collections.abc import Sequence

from runtime.engine.llvm.arrays.task_code import entry_function
from runtime.engine.llvm.arrays.vector_text import Vector
from runtime.engine.llvm.arrays.window_loops import Windows
from runtime.engine.llvm.arrays.window_tasks import Rows, row_tasks
from runtime.engine.llvm.text import FunctionText


def depthwise_functions(vector: Vector, convolve: str, to_filters: str) -> list[str]:
    """Return the functions of the convolution, and of the gradient with respect to the filters,
    under these names; they take and give what those of other convolutions do.
    """
    text = entry_function(f"{to_filters}_{vector.element}")
    _to_filters(Windows(text), vector)
    text.line("ret i32 0")
    name = f"{convolve}_{vector.element}"
    return [*row_tasks(name, vector, _convolve, by_image=False), text.text()]


def _convolve(windows: Windows, vector: Vector, rows: Rows) -> None:
    text, kind = windows.text, vector.type
    filters = text.gep("%other", windows["filter_start"])
    with windows.each_place(*rows) as (image, places):
        starts, target = windows.starts(places), windows.at_place("%result", image, places)

        def add(offsets: Sequence[str], mask: str) -> None:
            totals = [text.slot(kind) for _ in offsets]
            for total in totals:
                text.line(f"store {kind} zeroinitializer, ptr {total}")
            with windows.each_element(starts) as element:
                pixel = windows.pixel_of(vector, "%x", image, element.pixel)
                weights = text.gep(filters, element.offset)
                for offset, total in zip(offsets, totals, strict=True):
                    value = vector.load(text, text.gep(pixel, offset), mask)
                    weight = vector.load(text, text.gep(weights, offset), mask)
                    _accumulate(text, vector, value, weight, total)
            for offset, total in zip(offsets, totals, strict=True):
                sums = text.value(f"load {kind}, ptr {total}")
                vector.store(text, sums, text.gep(target, offset), mask)

        windows.vectors(vector, add)


def _to_filters(windows: Windows, vector: Vector) -> None:
    """Add up the gradient of the filters by rows of places; ``%other`` is that of the results."""
    text, kind = windows.text, vector.type
    total = text.slot(kind)
    one_filter = windows.product(windows.channels, str(vector.item))
    size = windows.product("window0", "window1", "window2", one_filter)
    text.line(f"call void @llvm.memset.p0.i64(ptr %result, i8 0, i64 {size}, i1 false)")
    with text.counted_loop(windows.rows) as row:
        image, places = windows.decode_row(row)
        with (
            text.counted_loop(windows["window0"]) as i, text.counted_loop(windows["window1"]) as j,
        ):  # fmt: skip
            y = windows.sum(windows.start(0, places[0]), windows.product(i, "dilation0"))
            x = windows.sum(windows.start(1, places[1]), windows.product(j, "dilation1"))
            first = text.value(f"icmp ult i64 {y}, {windows['size0']}")
            second = text.value(f"icmp ult i64 {x}, {windows['size1']}")
            line = windows.sum(windows.product(y, "size1"), x)
            with (
                text.only_if(text.value(f"and i1 {first}, {second}")),
                text.counted_loop(windows["window2"]) as k, windows.each_vector(vector) as lanes,
            ):  # fmt: skip
                ordinal = windows.sum(windows.product(i, "window1"), j)
                ordinal = windows.sum(windows.product(ordinal, "window2"), k)
                to = text.gep("%result", windows.product(ordinal, one_filter))
                to = text.gep(to, lanes[0])
                text.line(f"store {kind} {vector.load(text, to, lanes[1])}, ptr {total}")
                _add_row(windows, vector, (image, places, line, k), lanes, total)
                sums = text.value(f"load {kind}, ptr {total}")
                vector.store(text, sums, to, lanes[1])


def _add_row(
    windows: Windows, vector: Vector, row: tuple[str, list[str], str, str],
    lanes: tuple[str, str], total: str,
) -> None:  # fmt: skip
    """Add the products of a row of places with the elements of windows that have one number."""
    text, (image, places, line, k), (offset, mask) = windows.text, row, lanes
    sums = text.slot(vector.type)
    text.line(f"store {vector.type} zeroinitializer, ptr {sums}")
    with text.counted_loop(windows["places2"]) as column:
        z = windows.sum(windows.start(2, column), windows.product(k, "dilation2"))
        with text.only_if(text.value(f"icmp ult i64 {z}, {windows['size2']}")):
            number = windows.sum(windows.product(line, "size2"), z)
            pixel = windows.pixel_of(vector, "%x", image, number)
            value = vector.load(text, text.gep(pixel, offset), mask)
            source = windows.at_place("%other", image, [*places, column])
            gradient = vector.load(text, text.gep(source, offset), mask)
            _accumulate(text, vector, value, gradient, sums)
    before = text.value(f"load {vector.type}, ptr {total}")
    row_sums = text.value(f"load {vector.type}, ptr {sums}")
    text.line(
        f"store {vector.type} {text.value(f'fadd {vector.type} {before}, {row_sums}')}, ptr {total}"
    )


def _accumulate(text: FunctionText, vector: Vector, x: str, y: str, total: str) -> None:
    """Add a product to the total in a slot."""
    before = text.value(f"load {vector.type}, ptr {total}")
    after = text.value(vector.multiplied_and_added(x, y, before))
    text.line(f"store {vector.type} {after}, ptr {total}")
