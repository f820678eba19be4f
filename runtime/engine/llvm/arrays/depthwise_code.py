"""LLVM code shared by all graphs: convolutions in which each channel has one filter of its own.

Channels are the lanes of vectors; no matrices are made.
"""

from __future__ import annotations

from collections.abc import Sequence

from runtime.engine.llvm.arrays.task_code import entry_function
from runtime.engine.llvm.arrays.vectors import Vector
from runtime.engine.llvm.arrays.window_loops import Lanes, Rows, Windows, row_tasks
from runtime.engine.llvm.builder import CodeVariable
from runtime.engine.llvm.values import LaneValue


def depthwise_functions(vector: Vector, convolve: str, to_filters: str) -> list[str]:
    """Return the functions of the convolution, and of the gradient with respect to the filters,
    under these names; they take and give what those of other convolutions do.
    """
    code = vector.code(entry_function(f"{to_filters}_{vector.element}"))
    _to_filters(Windows(code), vector)
    name = f"{convolve}_{vector.element}"
    return [*row_tasks(name, vector, _convolve, by_image=False), code.finish("i32 0")]


def _convolve(windows: Windows, vector: Vector, rows: Rows) -> None:
    code, type = windows.code, vector.type
    filters = code.address("%other") + windows["filter_start"]
    with windows.each_place(*rows) as (image, places):
        starts, target = windows.starts(places), windows.at_place("%result", image, places)

        def add(offsets: Sequence[LaneValue], mask: LaneValue) -> None:
            totals = [CodeVariable(code, type) for _ in offsets]
            for total in totals:
                total.set("zeroinitializer")
            with windows.each_element(starts) as element:
                pixel = windows.pixel_of(type, "%x", image, element.pixel)
                weights = filters + element.offset
                for offset, total in zip(offsets, totals, strict=True):
                    value = (pixel + offset).load_lanes(type, mask)
                    weight = (weights + offset).load_lanes(type, mask)
                    total.set(value.multiplied_and_added(weight, total.get()))
            for offset, total in zip(offsets, totals, strict=True):
                sums = total.get()
                (target + offset).store_lanes(sums, mask)

        windows.vectors(type, add)


def _to_filters(windows: Windows, vector: Vector) -> None:
    """Add up the gradient of the filters by rows of places; ``%other`` is that of the results."""
    code = windows.code
    total, result = CodeVariable(code, vector.type), code.address("%result")
    one_filter = windows.product(windows.channels, vector.item)
    size = windows.product("window0", "window1", "window2", one_filter)
    code.run("llvm.memset.p0.i64", result, "i8 0", size, "i1 false")
    with code.each(windows.rows) as row:
        image, places = windows.decode_row(row)
        with code.each(windows["window0"]) as i, code.each(windows["window1"]) as j:
            y = windows.start(0, places[0]) + i * windows["dilation0"]
            x = windows.start(1, places[1]) + j * windows["dilation1"]
            inside = y < windows["size0"], x < windows["size1"]
            line = y * windows["size1"] + x
            with code.only_if(inside[0] & inside[1]), code.each(windows["window2"]) as k:
                ordinal = (i * windows["window1"] + j) * windows["window2"] + k
                for offset, mask in windows.each_vector(vector.type):
                    to = result + ordinal * one_filter + offset
                    total.set(to.load_lanes(vector.type, mask))
                    total.add(_row_sums(windows, vector, (image, places, line, k), (offset, mask)))
                    sums = total.get()
                    to.store_lanes(sums, mask)


def _row_sums(
    windows: Windows,
    vector: Vector,
    row: tuple[LaneValue, list[LaneValue], LaneValue, LaneValue],
    lanes: Lanes,
) -> LaneValue:
    """Return the sums of the products of a row of places with the elements of windows that have
    one number.
    """
    code, type, (image, places, line, k), (offset, mask) = windows.code, vector.type, row, lanes
    sums = CodeVariable(code, type)
    sums.set("zeroinitializer")
    with code.each(windows["places2"]) as column:
        z = windows.start(2, column) + k * windows["dilation2"]
        with code.only_if(z < windows["size2"]):
            number = line * windows["size2"] + z
            value = (windows.pixel_of(type, "%x", image, number) + offset).load_lanes(type, mask)
            source = windows.at_place("%other", image, [*places, column])
            gradient = (source + offset).load_lanes(type, mask)
            sums.set(value.multiplied_and_added(gradient, sums.get()))
    return sums.get()
