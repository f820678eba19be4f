"""LLVM code of loops over places of windows, and over the elements of a window.

The functions for convolutions and pooling take a table of *words*: sizes and distances along three
axes between batch and channels, the last of which is the innermost.  Where an array has fewer axes,
the first ones have size 1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager

from autograph.named_tuples import NamedTuple
from runtime.engine.llvm.arrays.vector_text import Vector
from runtime.engine.llvm.text import FunctionText, all_hold

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


class WindowElement(NamedTuple):
    """WindowElement of a window that lies in the input."""

    pixel: str
    """Its number in the image."""
    ordinal: str
    """Its number in the window."""
    offset: str
    """Bytes from ``filter_start`` to its filters."""


class Windows:
    """Code of the loops of a function with the parameters ``%words`` and ``%batch``."""

    def __init__(self, text: FunctionText) -> None:
        self.text = text
        self._words = {
            name: text.value(f"load i64, ptr {text.gep('%words', 8 * place)}")
            for place, name in enumerate(WORDS)
        }
        self._words["batch"] = "%batch"
        self.channels = self.product("groups", "depth")
        self.rows = self.product("batch", "places0", "places1")
        """How many rows of places there are, along the innermost axis."""

    def __getitem__(self, name: str) -> str:
        return self._words[name]

    def product(self, first: str, *factors: str) -> str:
        """Return a product of words and other numbers."""
        product = self._words.get(first, first)
        for factor in factors:
            product = self.text.value(f"mul i64 {product}, {self._words.get(factor, factor)}")
        return product

    def sum(self, first: str, *terms: str) -> str:
        """Return a sum of words and other numbers."""
        total = self._words.get(first, first)
        for term in terms:
            total = self.text.value(f"add i64 {total}, {self._words.get(term, term)}")
        return total

    def decode_row(self, row: str) -> tuple[str, list[str]]:
        """Return the image and the first places of a row of places."""
        text, places = self.text, list[str]()
        for axis in (1, 0):
            size = self[f"places{axis}"]
            places.insert(0, text.value(f"urem i64 {row}, {size}"))
            row = text.value(f"udiv i64 {row}, {size}")
        return row, places

    def start(self, axis: int, place: str) -> str:
        """Return where the window of a place starts along an axis; negative before the input."""
        first = self.product(place, f"stride{axis}")
        return self.text.value(f"sub i64 {first}, {self[f'before{axis}']}")

    def starts(self, places: Sequence[str]) -> list[str]:
        """Return where the window of a place starts along each axis."""
        return [self.start(axis, place) for axis, place in enumerate(places)]

    def at_place(self, array: str, image: str, places: Sequence[str]) -> str:
        """Return the address of the results of a place."""
        offset = self.sum("result_start", self.product(image, "result_image"))
        for axis, place in enumerate(places):
            offset = self.sum(offset, self.product(place, f"result{axis}"))
        return self.text.gep(array, offset)

    @contextmanager
    def each_place(self, first: str, stop: str) -> Iterator[tuple[str, list[str]]]:
        """Run the lines that are added meanwhile for the places of some rows; give the image and
        the place.
        """
        with self.text.counted_loop(stop, first) as row:
            image, places = self.decode_row(row)
            with self.text.counted_loop(self["places2"]) as column:
                yield image, [*places, column]

    @contextmanager
    def each_element(self, starts: Sequence[str]) -> Iterator[WindowElement]:
        """Run the lines that are added meanwhile for the elements of a window that lie in the
        input.
        """
        text, pixel, ordinal, offset = self.text, "0", "0", "0"
        with ExitStack() as loops:
            for axis, start in enumerate(starts):
                number = loops.enter_context(text.counted_loop(self[f"window{axis}"]))
                place = self.sum(start, self.product(number, f"dilation{axis}"))
                exists = text.value(f"icmp ult i64 {place}, {self[f'size{axis}']}")
                loops.enter_context(text.only_if(exists))
                pixel = self.sum(self.product(pixel, f"size{axis}"), place)
                ordinal = self.sum(self.product(ordinal, f"window{axis}"), number)
                offset = self.sum(offset, self.product(number, f"filter{axis}"))
            yield WindowElement(pixel, ordinal, offset)

    def begins_inside(self, starts: Sequence[str]) -> str:
        """Return whether the first element of a window lies in the input."""
        sizes = [self[f"size{axis}"] for axis in range(AXES)]
        return all_hold(self.text, [
            self.text.value(f"icmp ult i64 {start}, {size}")
            for start, size in zip(starts, sizes, strict=True)
        ])

    def are_pixels(self) -> str:
        """Return whether the windows are the pixels themselves, one after the other."""
        names = [f"{name}{axis}" for name in ("window", "stride") for axis in range(AXES)]
        equalities = [(self[name], "1") for name in names]
        equalities += [(self[f"before{axis}"], "0") for axis in range(AXES)]
        equalities += [(self[f"places{axis}"], self[f"size{axis}"]) for axis in range(AXES)]
        return all_hold(self.text, [
            self.text.value(f"icmp eq i64 {x}, {y}") for x, y in equalities
        ])

    @contextmanager
    def each_vector(self, vector: Vector) -> Iterator[tuple[str, str]]:
        """Run the lines that are added meanwhile for each vector of channels; give its offset in
        bytes, and a mask.
        """
        with self._vectors_from(vector, "0") as lanes:
            yield lanes

    @contextmanager
    def _vectors_from(self, vector: Vector, first: str) -> Iterator[tuple[str, str]]:
        text, lanes = self.text, vector.lanes
        channels = text.value(f"sub i64 {self.channels}, {first}")
        count = text.value(f"udiv i64 {self.sum(channels, str(lanes - 1))}, {lanes}")
        with text.counted_loop(count) as number:
            done = self.product(number, str(lanes))
            remaining = text.value(f"sub i64 {channels}, {done}")
            offset = self.product(self.sum(first, done), str(vector.item))
            yield offset, vector.mask(text, remaining)

    def vectors(self, vector: Vector, body: Callable[[Sequence[str], str], None]) -> None:
        """Add loops over the channels, some vectors at once, then one at a time; ``body`` adds the
        lines for vectors at some offsets in bytes, with a mask of each.
        """
        text, step = self.text, _AT_ONCE * vector.lanes
        count = text.value(f"udiv i64 {self.channels}, {step}")
        with text.counted_loop(count) as number:
            first = self.product(number, str(step * vector.item))
            offsets = [self.sum(first, str(n * vector.bytes)) for n in range(_AT_ONCE)]
            body(offsets, f"<{', '.join(['i1 true'] * vector.lanes)}>")
        with self._vectors_from(vector, self.product(count, str(step))) as (offset, mask):
            body([offset], mask)

    def pixel(self, places: Sequence[str]) -> str:
        """Return the number in its image of the pixel at a place."""
        row = self.sum(self.product(places[0], "size1"), places[1])
        return self.sum(self.product(row, "size2"), places[2])

    def pixel_of(self, vector: Vector, array: str, image: str, number: str) -> str:
        """Return the address of the channels of a pixel of an image."""
        image_start = self.product(image, "size0", "size1", "size2")
        offset = self.product(self.sum(image_start, number), self.channels, str(vector.item))
        return self.text.gep(array, offset)
