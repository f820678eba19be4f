"""LLVM code shared by all graphs: pooling, and the gradients of it, channels side by side.

All arrays lie row by row.  A NaN is greater than any number; of equal elements, the first of a
window is its maximum.  What lies beyond the edge is minus infinity for a maximum, and is not
counted for a mean.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.arrays.library_names import MAX, MAX_TO_INPUT, MEAN, MEAN_TO_INPUT, PLACES
from runtime.engine.llvm.arrays.task_code import tasks_code
from runtime.engine.llvm.arrays.vectors import Vector, vector_of
from runtime.engine.llvm.arrays.window_loops import Lanes, Rows, WindowElement, Windows, row_tasks
from runtime.engine.llvm.builder import SIZE, Address, CodeVariable
from runtime.engine.llvm.values import LaneValue
from runtime.engine.llvm.vector_math.processor import Processor

_BY_IMAGE = (MAX_TO_INPUT, MEAN_TO_INPUT)


def pooling_code(type: str, processor: Processor) -> str:
    """Return the functions for a type.  The first input is ``%x``; the gradient of a maximum has
    another one.  Tasks are some rows of places, or an image where windows share elements.
    """
    vector = vector_of(type, processor)
    bodies: dict[str, Callable[[Windows, Vector, Rows], None]] = {
        MAX: _max, MEAN: _mean, PLACES: _places, MAX_TO_INPUT: _max_to_input,
        MEAN_TO_INPUT: _mean_to_input,
    }  # fmt: skip
    texts = [
        tasks_code(), *vector.declarations(), "declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)",
        "declare i64 @llvm.umin.i64(i64, i64)",
    ]  # fmt: skip
    for name, body in bodies.items():
        texts += row_tasks(f"{name}_{type}", vector, body, by_image=name in _BY_IMAGE)
    return "\n".join(texts)


def _element(
    windows: Windows, vector: Vector, image: LaneValue, element: WindowElement, lanes: Lanes
) -> LaneValue:
    """Return some channels of an element of a window of the input."""
    offset, mask = lanes
    pixel = windows.pixel_of(vector.type, "%x", image, element.pixel)
    return (pixel + offset).load_lanes(vector.type, mask)


def _max(windows: Windows, vector: Vector, rows: Rows) -> None:
    code, type = windows.code, vector.type
    best = CodeVariable(code, type)
    with windows.each_place(*rows) as (image, places):
        starts, target = windows.starts(places), windows.at_place("%result", image, places)
        for lanes in windows.each_vector(type):
            best.set(code.constant(-math.inf, type))
            with windows.each_element(starts) as element:
                value = _element(windows, vector, image, element, lanes)
                before = best.get()
                best.set(((value > before) | value.is_nan()).choose(value, before))
            maxima = best.get()
            (target + lanes[0]).store_lanes(maxima, lanes[1])


class _WindowSearch:
    """Search of the number, in the image or in the window, of the element that is the maximum, for
    each channel; -1 if it lies beyond the edge.
    """

    def __init__(self, windows: Windows, vector: Vector, in_image: bool) -> None:
        self._windows = windows
        self._vector = vector
        self._in_image = in_image
        self._best = CodeVariable(windows.code, vector.type)
        self._where = CodeVariable(windows.code, vector.ints)

    def _spread(self, number: LaneValue) -> LaneValue:
        return number.to(self._vector.ints.lane).spread(self._vector.lanes)

    def emit(self, image: LaneValue, starts: list[LaneValue], lanes: Lanes) -> LaneValue:
        """Emit the search in the windows that start at a place."""
        windows, best, where = self._windows, self._best, self._where
        best.set(windows.code.constant(-math.inf, self._vector.type))
        first = windows.code.value(0)
        if self._in_image:
            for axis, start in enumerate(starts):
                first = first * windows[f"size{axis}"] + start
        inside = windows.begins_inside(starts)
        where.set(self._spread(inside.choose(first, -1)))
        with windows.each_element(starts) as element:
            value = _element(windows, self._vector, image, element, lanes)
            before = best.get()
            replaces = (value > before) | (value.is_nan() & ~before.is_nan())
            best.set(replaces.choose(value, before))
            number = self._spread(element.pixel if self._in_image else element.ordinal)
            where.set(replaces.choose(number, where.get()))
        return where.get()


def _places(windows: Windows, vector: Vector, rows: Rows) -> None:
    code, search = windows.code, _WindowSearch(windows, vector, in_image=True)
    positions = CodeVariable(code, vector.ints)
    with windows.each_place(*rows) as (image, places):
        starts, target = windows.starts(places), windows.at_place("%result", image, places)
        image_start = windows.product(image, "size0", "size1", "size2")
        for lanes in windows.each_vector(vector.type):
            positions.set(search.emit(image, starts, lanes))
            channel = lanes[0] // vector.item
            remaining = windows.channels - channel
            with code.each(remaining.call("umin", remaining.constant(vector.lanes))) as lane:
                numbers, int_lane = code.address(positions.address), vector.ints.lane
                number = numbers.element(int_lane, lane).load(int_lane).to(ir.INT64)
                is_missing = number < 0
                place = (image_start + number) * windows.channels + channel + lane
                result = is_missing.choose(-1, place)
                target.element(SIZE, channel + lane).store(result)


def _mean(windows: Windows, vector: Vector, rows: Rows) -> None:
    code, type = windows.code, vector.type
    total, counter = CodeVariable(code, type), CodeVariable(code, SIZE)
    with windows.each_place(*rows) as (image, places):
        starts, target = windows.starts(places), windows.at_place("%result", image, places)
        number = _count(windows, vector, starts, counter)
        for lanes in windows.each_vector(type):
            total.set("zeroinitializer")
            with windows.each_element(starts) as element:
                value = _element(windows, vector, image, element, lanes)
                total.add(value)
            mean = total.get() / number
            (target + lanes[0]).store_lanes(mean, lanes[1])


def _count(
    windows: Windows, vector: Vector, starts: list[LaneValue], counter: CodeVariable
) -> LaneValue:
    """Return how many elements of a window lie in the input, in all lanes."""
    counter.set(0)
    with windows.each_element(starts):
        counter.set(counter.get() + 1)
    return counter.get().to(vector.type.lane).spread(vector.lanes)


def _clear(windows: Windows, vector: Vector) -> None:
    """Set the gradient of the image that is the task to zeros."""
    code = windows.code
    size = windows.product("size0", "size1", "size2", windows.channels, vector.item)
    image = code.address("%result") + code.value("%task") * size
    code.run("llvm.memset.p0.i64", image, "i8 0", size, "i1 false")


def _add(place: Address, value: LaneValue, mask: LaneValue) -> None:
    """Add a vector to what stands at an address."""
    place.store_lanes(place.load_lanes(value.type, mask) + value, mask)


def _max_to_input(windows: Windows, vector: Vector, rows: Rows) -> None:
    search = _WindowSearch(windows, vector, in_image=False)
    _clear(windows, vector)
    with windows.each_place(*rows) as (image, places):
        starts, source = windows.starts(places), windows.at_place("%other", image, places)
        for offset, mask in windows.each_vector(vector.type):
            where = search.emit(image, starts, (offset, mask))
            gradient = (source + offset).load_lanes(vector.type, mask)
            with windows.each_element(starts) as element:
                number = element.ordinal.to(vector.ints.lane).spread(vector.lanes)
                pixel = windows.pixel_of(vector.type, "%result", image, element.pixel)
                _add(pixel + offset, (where == number).choose(gradient, 0.0), mask)


def _mean_to_input(windows: Windows, vector: Vector, rows: Rows) -> None:
    """Share the gradient of each mean, ``%x``, among the elements of its window."""
    counter = CodeVariable(windows.code, SIZE)
    _clear(windows, vector)
    with windows.each_place(*rows) as (image, places):
        starts, source = windows.starts(places), windows.at_place("%x", image, places)
        number = _count(windows, vector, starts, counter)
        for offset, mask in windows.each_vector(vector.type):
            share = (source + offset).load_lanes(vector.type, mask) / number
            with windows.each_element(starts) as element:
                pixel = windows.pixel_of(vector.type, "%result", image, element.pixel)
                _add(pixel + offset, share, mask)
