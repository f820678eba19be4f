"""LLVM code of loops over places of windows, and over the elements of a window.

The functions for convolutions and pooling take a table of *words*: sizes and distances along three
axes between batch and channels, the last of which is the innermost.  Where an array has fewer axes,
the first ones have size 1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager

from autograph.named_tuples import NamedTuple
from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.arrays.task_code import ARGUMENTS, entry_function, run_tasks, task_function
from runtime.engine.llvm.arrays.vectors import Vector
from runtime.engine.llvm.builder import Address, Builder
from runtime.engine.llvm.values import LaneValue

AXES = 3
_AT_ONCE = 4
"""Vectors of channels that are computed together, so that a window is gone through once."""
_BY_AXIS = ("size", "window", "stride", "dilation", "before", "places", "filter", "result")
_OTHERS = (
    "groups", "depth", "out", "filter_start", "filter_group", "filter_depth", "filter_out",
    "result_start", "result_image",
)  # fmt: skip
WORDS = (*_OTHERS, *(f"{name}{axis}" for name in _BY_AXIS for axis in range(AXES)))
"""Words of the table.  By axis: size of the input, number of elements of a window, distance of
windows and of their elements, how many zeros stand before the input, how many windows there are,
distance of filters' elements and of results in bytes.  ``depth`` channels and ``out`` results
belong to each group; ``filter_group``, ``filter_depth`` and ``filter_out`` are the distances of the
filters of groups, channels and results in bytes.  The elements of a window begin at
``filter_start``, the results at ``result_start``.
"""

Lanes = tuple[LaneValue, LaneValue]
"""Offset of a vector of channels in bytes, and a mask of its lanes."""


class WindowElement(NamedTuple):
    """Element of a window that lies in the input."""

    pixel: LaneValue
    """Its number in the image."""
    ordinal: LaneValue
    """Its number in the window."""
    offset: LaneValue
    """Bytes from ``filter_start`` to its filters."""


class Windows:
    """Code of the loops of a function with the parameters ``%words`` and ``%batch``."""

    def __init__(self, code: Builder) -> None:
        self.code = code
        words = code.address("%words")
        self._words = {name: (words + 8 * place).load() for place, name in enumerate(WORDS)}
        self._words["batch"] = code.value("%batch")
        self.channels = self.product("groups", "depth")
        self.rows = self.product("batch", "places0", "places1")
        """How many rows of places there are, along the innermost axis."""

    def __getitem__(self, name: str) -> LaneValue:
        return self._words[name]

    def product(self, first: str | LaneValue, *factors: str | LaneValue | int) -> LaneValue:
        """Return a product of words and other numbers."""
        product = self[first] if isinstance(first, str) else first
        for factor in factors:
            product = product * (self[factor] if isinstance(factor, str) else factor)
        return product

    def decode_row(self, row: LaneValue) -> tuple[LaneValue, list[LaneValue]]:
        """Return the image and the first places of a row of places."""
        places = list[LaneValue]()
        for axis in (1, 0):
            size = self[f"places{axis}"]
            places.insert(0, row % size)
            row = row // size
        return row, places

    def decode(self, place: LaneValue) -> tuple[LaneValue, list[LaneValue]]:
        """Return the image and the places along its axes of the number of a place."""
        row, column = place // self["places2"], place % self["places2"]
        image, places = self.decode_row(row)
        return image, [*places, column]

    def start(self, axis: int, place: LaneValue) -> LaneValue:
        """Return where the window of a place starts along an axis; negative before the input."""
        return place * self[f"stride{axis}"] - self[f"before{axis}"]

    def starts(self, places: Sequence[LaneValue]) -> list[LaneValue]:
        """Return where the window of a place starts along each axis."""
        return [self.start(axis, place) for axis, place in enumerate(places)]

    def at_place(self, array: str, image: LaneValue, places: Sequence[LaneValue]) -> Address:
        """Return the address of the results of a place."""
        offset = self["result_start"] + image * self["result_image"]
        for axis, place in enumerate(places):
            offset = offset + place * self[f"result{axis}"]
        return self.code.address(array) + offset

    @contextmanager
    def each_place(
        self, first: LaneValue, stop: LaneValue
    ) -> Iterator[tuple[LaneValue, list[LaneValue]]]:
        """Run the lines that are added meanwhile for the places of some rows; give the image and
        the place.
        """
        with self.code.each(stop, first) as row:
            image, places = self.decode_row(row)
            with self.code.each(self["places2"]) as column:
                yield image, [*places, column]

    @contextmanager
    def each_element(self, starts: Sequence[LaneValue]) -> Iterator[WindowElement]:
        """Run the lines that are added meanwhile for the elements of a window that lie in the
        input.
        """
        pixel = ordinal = offset = self.code.value(0)
        with ExitStack() as loops:
            for axis, start in enumerate(starts):
                number = loops.enter_context(self.code.each(self[f"window{axis}"]))
                place = start + number * self[f"dilation{axis}"]
                exists = place < self[f"size{axis}"]
                loops.enter_context(self.code.only_if(exists))
                pixel = pixel * self[f"size{axis}"] + place
                ordinal = ordinal * self[f"window{axis}"] + number
                offset = offset + number * self[f"filter{axis}"]
            yield WindowElement(pixel, ordinal, offset)

    def begins_inside(self, starts: Sequence[LaneValue]) -> LaneValue:
        """Return whether the first element of a window lies in the input."""
        sizes = [self[f"size{axis}"] for axis in range(AXES)]
        return self.code.all_hold([s < size for s, size in zip(starts, sizes, strict=True)])

    def are_pixels(self) -> LaneValue:
        """Return whether the windows are the pixels themselves, one after the other."""
        ones = [self[f"{name}{axis}"] == 1 for name in ("window", "stride") for axis in range(AXES)]
        zeros = [self[f"before{axis}"] == 0 for axis in range(AXES)]
        sizes = [self[f"places{axis}"] == self[f"size{axis}"] for axis in range(AXES)]
        return self.code.all_hold([*ones, *zeros, *sizes])

    def each_vector(self, type: ir.Scalar, first: int | LaneValue = 0) -> Iterator[Lanes]:
        """Run the lines that are added meanwhile for each vector of channels from the first on,
        and again for the lanes of the last one; give its offset in bytes, and a mask.
        """
        code, item, start = self.code, type.bits // 8, self.code.value(first)
        whole = (self.channels - start) // type.lanes
        with code.each(whole) as number:
            offset = start + number * type.lanes
            yield offset * item, code.constant(True, ir.BOOL.with_lanes(type.lanes))
        done = start + whole * type.lanes
        with code.only_if(done != self.channels):
            yield done * item, code.lanes_below(type, self.channels - done)

    def vectors(
        self, type: ir.Scalar, body: Callable[[Sequence[LaneValue], LaneValue], None]
    ) -> None:
        """Add loops over the channels, some vectors at once, then one at a time; ``body`` adds the
        lines for vectors at some offsets in bytes, with a mask of each.
        """
        code, step, item = self.code, _AT_ONCE * type.lanes, type.bits // 8
        count = self.channels // step
        with code.each(count) as number:
            first = number * (step * item)
            offsets = [first + n * type.lanes * item for n in range(_AT_ONCE)]
            body(offsets, code.constant(True, ir.BOOL.with_lanes(type.lanes)))
        for offset, mask in self.each_vector(type, count * step):
            body([offset], mask)

    def pixel(self, places: Sequence[LaneValue]) -> LaneValue:
        """Return the number in its image of the pixel at a place."""
        return (places[0] * self["size1"] + places[1]) * self["size2"] + places[2]

    def pixel_of(self, type: ir.Scalar, array: str, image: LaneValue, number: LaneValue) -> Address:
        """Return the address of the channels of a pixel of an image."""
        image_start = self.product(image, "size0", "size1", "size2")
        offset = self.product(image_start + number, self.channels, type.bits // 8)
        return self.code.address(array) + offset


_NUMBERS = 1 << 16
"""Elements of windows of a task."""

Rows = tuple[LaneValue, LaneValue]
"""The first row of places of a task, and the first one after them."""


def row_tasks(
    name: str, vector: Vector, body: Callable[[Windows, Vector, Rows], None], by_image: bool
) -> list[str]:
    """Return the function of a name, which runs tasks, and that of a task, whose code ``body``
    adds.
    """
    task = vector.code(task_function(f"{name}_task", ARGUMENTS))
    windows = Windows(task)
    step = _rows_of_task(windows, by_image)
    first = task.value("%task") * step
    count = (windows.rows - first).call("umin", step)
    body(windows, vector, (first, first + count))
    entry = vector.code(entry_function(name))
    windows = Windows(entry)
    step = _rows_of_task(windows, by_image)
    task_count = (windows.rows + step - 1) // step
    status = run_tasks(entry.text, f"{name}_task", task_count.name, ARGUMENTS)
    return [task.finish(), entry.finish(f"i32 {status}")]


def _rows_of_task(windows: Windows, by_image: bool) -> LaneValue:
    """Return how many rows of places a task has."""
    if by_image:
        return windows.product("places0", "places1")
    row = windows.product("places2", "window0", "window1", "window2", windows.channels)
    is_long = row > _NUMBERS
    return is_long.choose(1, row.constant(_NUMBERS) // row)
