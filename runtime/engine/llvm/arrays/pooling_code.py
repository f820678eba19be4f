"""LLVM code shared by all graphs: pooling, and the gradients of it, channels side by side.

All arrays lie row by row.  A NaN is greater than any number; of equal elements, the first of a
window is its maximum.  What lies beyond the edge is minus infinity for a maximum, and is not
counted for a mean.
"""

from __future__ import annotations

from collections.abc import Callable

from runtime.engine.llvm.arrays.library_names import (
    MAX,
    MAX_TO_INPUT,
    MEAN,
    MEAN_TO_INPUT,
    PLACES,
)
from runtime.engine.llvm.arrays.task_code import TASKS
from runtime.engine.llvm.arrays.vector_text import Vector, vector_of
from runtime.engine.llvm.arrays.window_loops import Windows
from runtime.engine.llvm.arrays.window_tasks import Rows, row_tasks
from runtime.engine.llvm.text import FunctionText
from runtime.engine.llvm.vector_math.processor import Processor

_BY_IMAGE = (MAX_TO_INPUT, MEAN_TO_INPUT)
_LEAST = {"float": "0xFFF0000000000000", "double": "0xFFF0000000000000"}
"""Minus infinity."""


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
        TASKS, *vector.declarations(), "declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)",
        "declare i64 @llvm.umin.i64(i64, i64)",
    ]  # fmt: skip
    for name, body in bodies.items():
        texts += row_tasks(f"{name}_{type}", vector, body, by_image=name in _BY_IMAGE)
    return "\n".join(texts)


def _max(windows: Windows, vector: Vector, rows: Rows) -> None:
    text, kind = windows.text, vector.type
    best = text.slot(kind)
    least = vector.spread(text, _LEAST[vector.element])
    with windows.each_place(*rows) as (image, places):
        starts, target = windows.starts(places), windows.at_place("%result", image, places)
        with windows.each_vector(vector) as (offset, mask):
            text.line(f"store {kind} {least}, ptr {best}")
            with windows.each_element(starts) as element:
                pixel = windows.pixel_of(vector, "%x", image, element.pixel)
                value = vector.load(text, text.gep(pixel, offset), mask)
                before = text.value(f"load {kind}, ptr {best}")
                is_greater = text.value(f"fcmp ogt {kind} {value}, {before}")
                odd = text.value(f"fcmp uno {kind} {value}, {value}")
                replaces = text.value(f"or {vector.flags} {is_greater}, {odd}")
                operands = f"{kind} {value}, {kind} {before}"
                after = text.value(f"select {vector.flags} {replaces}, {operands}")
                text.line(f"store {kind} {after}, ptr {best}")
            maxima = text.value(f"load {kind}, ptr {best}")
            vector.store(text, maxima, text.gep(target, offset), mask)


def _find(
    windows: Windows, vector: Vector, slots: tuple[str, str], image: str, starts: list[str],
    offset: str, mask: str, *, in_image: bool,
) -> str:  # fmt: skip
    """Return for each channel the number, in the image or in the window, of the element that is the
    maximum; -1 if it lies beyond the edge.
    """
    text, kind, ints = windows.text, vector.type, vector.ints
    best, where = slots
    least = vector.spread(text, _LEAST[vector.element])
    text.line(f"store {kind} {least}, ptr {best}")
    first = "0"
    if in_image:
        for axis, start in enumerate(starts):
            first = windows.sum(windows.product(first, f"size{axis}"), start)
    inside = windows.begins_inside(starts)
    first = text.value(f"select i1 {inside}, i64 {first}, i64 -1")
    text.line(f"store {ints} {vector.spread_int(text, first)}, ptr {where}")
    with windows.each_element(starts) as element:
        pixel = windows.pixel_of(vector, "%x", image, element.pixel)
        value = vector.load(text, text.gep(pixel, offset), mask)
        before = text.value(f"load {kind}, ptr {best}")
        is_greater = text.value(f"fcmp ogt {kind} {value}, {before}")
        odd = text.value(f"fcmp uno {kind} {value}, {value}")
        is_number = text.value(f"fcmp ord {kind} {before}, {before}")
        first_nan = text.value(f"and {vector.flags} {odd}, {is_number}")
        replaces = text.value(f"or {vector.flags} {is_greater}, {first_nan}")
        after = text.value(
            f"select {vector.flags} {replaces}, {kind} {value}, {kind} {before}"
        )
        text.line(f"store {kind} {after}, ptr {best}")
        number = vector.spread_int(text, element.pixel if in_image else element.ordinal)
        old = text.value(f"load {ints}, ptr {where}")
        new = text.value(f"select {vector.flags} {replaces}, {ints} {number}, {ints} {old}")
        text.line(f"store {ints} {new}, ptr {where}")
    return text.value(f"load {ints}, ptr {where}")


def _places(windows: Windows, vector: Vector, rows: Rows) -> None:
    text, lanes = windows.text, vector.lanes
    slots = text.slot(vector.type), text.slot(vector.ints)
    positions = text.slot(vector.ints)
    with windows.each_place(*rows) as (image, places):
        starts, target = windows.starts(places), windows.at_place("%result", image, places)
        image_start = windows.product(image, "size0", "size1", "size2")
        with windows.each_vector(vector) as (offset, mask):
            numbers = _find(
                windows, vector, slots, image, starts, offset, mask, in_image=True
            )
            text.line(f"store {vector.ints} {numbers}, ptr {positions}")
            channel = text.value(f"udiv i64 {offset}, {vector.item}")
            remaining = text.value(f"sub i64 {windows.channels}, {channel}")
            count = text.call("i64", "llvm.umin.i64", f"i64 {remaining}", f"i64 {lanes}")
            with text.counted_loop(count) as lane:
                address = text.value(
                    f"getelementptr {vector.int_lane}, ptr {positions}, i64 {lane}"
                )
                number = text.value(f"load {vector.int_lane}, ptr {address}")
                if vector.int_lane != "i64":
                    number = text.value(f"sext {vector.int_lane} {number} to i64")
                none = text.value(f"icmp slt i64 {number}, 0")
                place = windows.product(windows.sum(image_start, number), windows.channels)
                place = windows.sum(place, channel, lane)
                place = text.value(f"select i1 {none}, i64 -1, i64 {place}")
                to = windows.sum(channel, lane)
                address = text.value(f"getelementptr i64, ptr {target}, i64 {to}")
                text.line(f"store i64 {place}, ptr {address}")


def _mean(windows: Windows, vector: Vector, rows: Rows) -> None:
    text, kind = windows.text, vector.type
    total, counter = text.slot(kind), text.slot("i64")
    with windows.each_place(*rows) as (image, places):
        starts, target = windows.starts(places), windows.at_place("%result", image, places)
        number = _count(windows, vector, starts, counter)
        with windows.each_vector(vector) as (offset, mask):
            text.line(f"store {kind} zeroinitializer, ptr {total}")
            with windows.each_element(starts) as element:
                pixel = windows.pixel_of(vector, "%x", image, element.pixel)
                value = vector.load(text, text.gep(pixel, offset), mask)
                before = text.value(f"load {kind}, ptr {total}")
                text.line(
                    f"store {kind} {text.value(f'fadd {kind} {before}, {value}')}, ptr {total}"
                )
            sums = text.value(f"load {kind}, ptr {total}")
            mean = text.value(f"fdiv {kind} {sums}, {number}")
            vector.store(text, mean, text.gep(target, offset), mask)


def _count(windows: Windows, vector: Vector, starts: list[str], counter: str) -> str:
    """Return how many elements of a window lie in the input, in all lanes."""
    text = windows.text
    text.line(f"store i64 0, ptr {counter}")
    with windows.each_element(starts):
        before = text.value(f"load i64, ptr {counter}")
        text.line(f"store i64 {text.value(f'add i64 {before}, 1')}, ptr {counter}")
    number = text.value(f"load i64, ptr {counter}")
    return vector.spread(text, text.value(f"uitofp i64 {number} to {vector.element}"))


def _clear(windows: Windows, vector: Vector) -> None:
    """Set the gradient of the image that is the task to zeros."""
    size = windows.product("size0", "size1", "size2", windows.channels, str(vector.item))
    image = windows.text.gep("%result", windows.product("%task", size))
    windows.text.line(f"call void @llvm.memset.p0.i64(ptr {image}, i8 0, i64 {size}, i1 false)")


def _add(text: FunctionText, vector: Vector, place: str, value: str, mask: str) -> None:
    """Add a vector to what stands at an address."""
    before = vector.load(text, place, mask)
    after = text.value(f"fadd {vector.type} {before}, {value}")
    vector.store(text, after, place, mask)


def _max_to_input(windows: Windows, vector: Vector, rows: Rows) -> None:
    text, kind = windows.text, vector.type
    slots = text.slot(kind), text.slot(vector.ints)
    _clear(windows, vector)
    with windows.each_place(*rows) as (image, places):
        starts, source = windows.starts(places), windows.at_place("%other", image, places)
        with windows.each_vector(vector) as (offset, mask):
            where = _find(
                windows, vector, slots, image, starts, offset, mask, in_image=False
            )
            gradient = vector.load(text, text.gep(source, offset), mask)
            with windows.each_element(starts) as element:
                number = vector.spread_int(text, element.ordinal)
                is_maximum = text.value(f"icmp eq {vector.ints} {where}, {number}")
                lanes = text.value(f"and {vector.flags} {is_maximum}, {mask}")
                pixel = windows.pixel_of(vector, "%result", image, element.pixel)
                _add(text, vector, text.gep(pixel, offset), gradient, lanes)


def _mean_to_input(windows: Windows, vector: Vector, rows: Rows) -> None:
    """Share the gradient of each mean, ``%x``, among the elements of its window."""
    text, kind = windows.text, vector.type
    counter = text.slot("i64")
    _clear(windows, vector)
    with windows.each_place(*rows) as (image, places):
        starts, source = windows.starts(places), windows.at_place("%x", image, places)
        number = _count(windows, vector, starts, counter)
        with windows.each_vector(vector) as (offset, mask):
            gradient = vector.load(text, text.gep(source, offset), mask)
            share = text.value(f"fdiv {kind} {gradient}, {number}")
            with windows.each_element(starts) as element:
                pixel = windows.pixel_of(vector, "%result", image, element.pixel)
                _add(text, vector, text.gep(pixel, offset), share, mask)
