"""LLVM code that finds the windows of some places in the input, or copies them side by side into a
matrix: a row for each place, zeros where a window reaches over the edge.
"""

from __future__ import annotations

from collections.abc import Sequence

from autograph.named_tuples import NamedTuple
from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.arrays.tile_code import each_strip
from runtime.engine.llvm.arrays.vectors import Vector
from runtime.engine.llvm.arrays.window_loops import Windows
from runtime.engine.llvm.builder import SIZE, Address, CodeVariable
from runtime.engine.llvm.text import FunctionText
from runtime.engine.llvm.values import LaneValue

COPY_WINDOWS, FIND_WINDOWS = "copy_windows", "find_windows"
ENTRY = 24
"""Bytes of what ``find_windows`` says of the rows of a tile."""
_LEAST_RUN = 64
"""Tiles load and store their results for each run, which does not pay for fewer numbers."""


def window_copies(vector: Vector) -> list[str]:
    """Return the functions that copy the windows of some places, of the channels of a group, to
    rows of a matrix, or find them.
    """
    return [_copy_numbers(vector), _copy_windows(vector), _find_windows(vector)]


def _copy_numbers(vector: Vector) -> str:
    """Return the function that copies some numbers, which takes less time than a call of memcpy."""
    code = vector.code(FunctionText(
        f"define internal void @copy_numbers_{vector.element}(ptr %to, ptr %from, i64 %count)"
    ))  # fmt: skip
    to, source, count = code.address("%to"), code.address("%from"), code.value("%count")
    vectors = count // vector.lanes
    with code.each(vectors) as number:
        offset = number * vector.bytes
        value = (source + offset).load(vector.type, vector.item)
        (to + offset).store(value, vector.item)
    done, lanes = CodeVariable(code, SIZE), vector.lanes
    done.set(vectors * vector.bytes)
    while lanes > 1:  # masked stores take longer on some processors
        lanes //= 2
        with code.only_if((count & lanes) != 0):
            offset = done.get()
            value = (source + offset).load(vector.type.with_lanes(lanes), vector.item)
            (to + offset).store(value, vector.item)
            done.set(offset + lanes * vector.item)
    return code.finish()


def _copy_windows(vector: Vector) -> str:
    """Return the function: input, matrix, words, size of the batch, group, first place, and number
    of places.
    """
    code = vector.code(FunctionText(
        f"define internal void @{COPY_WINDOWS}_{vector.element}(ptr %x, ptr %to, ptr %words, "
        "i64 %batch, i64 %group, i64 %first, i64 %count) noinline"
    ))  # fmt: skip
    windows, count = Windows(code), code.value("%count")
    width = windows.product("window0", "window1", "window2", "depth", vector.item)
    done = CodeVariable(code, SIZE, "0")
    with code.repeat_while(lambda: done.get() < count):
        before = done.get()
        image, places = windows.decode(code.value("%first") + before)
        row_remaining = windows["places2"] - places[2]
        number = row_remaining.call("umin", count - before)
        matrix = code.address("%to") + before * width
        _copy_row(windows, vector, _WindowRow(matrix, width, image, windows.starts(places), number))
        done.set(before + number)
    return code.finish()


class _WindowRow(NamedTuple):
    """Windows of places side by side: the rows of the matrix that they become, and their distance,
    the image, where the first window starts, and how many there are.
    """

    matrix: Address
    width: LaneValue
    image: LaneValue
    starts: Sequence[LaneValue]
    number: LaneValue


def _copy_row(windows: Windows, vector: Vector, row: _WindowRow) -> None:
    """Copy windows side by side: line by line those that reach over no edge of a line, else pixel
    by pixel.
    """
    code = windows.code
    pixel, group_bytes = windows.channels * vector.item, windows["depth"] * vector.item
    source = code.address("%x") + code.value("%group") * group_bytes
    first, stop = _whole_lines(windows, row)
    with code.each(windows["window0"]) as i, code.each(windows["window1"]) as j:
        y = row.starts[0] + i * windows["dilation0"]
        x = row.starts[1] + j * windows["dilation1"]
        exists = (y < windows["size0"]) & (x < windows["size1"])
        above = (row.image * windows["size0"] + y) * windows["size1"] + x
        line = source + windows.product(above, "size2", pixel)
        to = row.matrix + windows.product(i * windows["window1"] + j, "window2", group_bytes)
        with code.each(exists.choose(stop, first), first) as counter:
            start = row.starts[2] + counter * windows["stride2"]
            count = windows["window2"] * windows["depth"]
            _copy(vector, to + counter * row.width, line + start * pixel, count)
        last = exists.choose(stop, first)
        with code.each(row.number - (last - first)) as number:
            counter = (number < first).choose(number, number + (last - first))
            start = row.starts[2] + counter * windows["stride2"]
            with code.each(windows["window2"]) as k:
                z = start + k * windows["dilation2"]
                exists_here = (z < windows["size2"]) & exists
                to_pixel = to + (counter * row.width + k * group_bytes)
                with code.only_if(exists_here):
                    _copy(vector, to_pixel, line + z * pixel, windows["depth"])
                with code.only_if(~exists_here):
                    code.run("llvm.memset.p0.i64", to_pixel, "i8 0", group_bytes, "i1 false")


def _whole_lines(windows: Windows, row: _WindowRow) -> tuple[LaneValue, LaneValue]:
    """Return the first window each line of which lies in one piece in the input, and the first one
    after these.
    """
    start, stride = row.starts[2], windows["stride2"]
    is_before = start.as_type(ir.INT64) < 0
    first = is_before.choose((start.constant(0) - start + (stride - 1)) // stride, 0)
    room = windows["size2"] - windows["window2"] - start
    fits = room.as_type(ir.INT64) >= 0
    stop = fits.choose(room // stride + 1, 0).call("umin", row.number)
    first = first.call("umin", row.number)
    in_pieces = windows.code.all_hold([windows["dilation2"] == 1, windows["groups"] == 1])
    return first, in_pieces.choose(stop.call("umax", first), first)


class Runs(NamedTuple):
    """Numbers of a window that lie one after the other: how many runs there are along each axis,
    and the length of one.  Short ones are copied side by side, as one.
    """

    counts: Sequence[LaneValue]
    length: LaneValue
    are_whole: LaneValue
    """Whether one run is a whole window, which has to be copied."""

    def ordinal(self, numbers: Sequence[LaneValue]) -> LaneValue:
        """Return the number of a run in the window."""
        return (numbers[0] * self.counts[1] + numbers[1]) * self.counts[2] + numbers[2]


def runs_of(windows: Windows) -> Runs:
    """Return the runs of which windows are."""
    is_line = windows.code.all_hold([windows["dilation2"] == 1, windows["groups"] == 1])
    line = windows["window2"] * windows["depth"]
    width = windows["window0"] * windows["window1"] * line
    length = is_line.choose(line, windows["depth"])
    across = is_line.choose(1, windows["window2"])
    are_short = length < _LEAST_RUN
    axes = windows["window0"], windows["window1"], across
    counts = [are_short.choose(1, count) for count in axes]
    return Runs(counts, are_short.choose(width, length), are_short)


def offset_in_input(windows: Windows, vector: Vector, numbers: Sequence[LaneValue]) -> LaneValue:
    """Return how many bytes a run is from the first one of its window."""
    places = [n * windows[f"dilation{axis}"] for axis, n in enumerate(numbers)]
    return windows.pixel(places) * windows.channels * vector.item


def _find_windows(vector: Vector) -> str:
    """Return the function that finds the rows of each tile: in the input, if the windows lie in a
    row of it and reach over no edge; else it copies them.  The table gets an address, the distance
    of rows, and whether they are in the input.
    """
    code = vector.code(FunctionText(
        f"define internal void @{FIND_WINDOWS}_{vector.element}(ptr %x, ptr %to, ptr %words, "
        "i64 %batch, i64 %group, i64 %first, i64 %count, ptr %table) noinline"
    ))  # fmt: skip
    windows, first, count = Windows(code), code.value("%first"), code.value("%count")
    width = windows.product("window0", "window1", "window2", "depth", vector.item)
    are_pixels, runs = windows.are_pixels(), runs_of(windows)
    matrix, all_copied = code.address("%to"), runs.are_whole & ~are_pixels
    with code.only_if(all_copied):
        _run_copy(vector, matrix, first, count)
    for rows, before, strip in each_strip(vector, count):
        entry, copied = code.address("%table") + strip * ENTRY, matrix + before * width
        for is_copied in code.text.either(all_copied.name):
            if is_copied:
                _enter(entry, copied, width, code.value(0))
                continue
            image, places = windows.decode(first + before)
            starts = windows.starts(places)
            inside = code.all_hold(_lie_inside(windows, rows, places[2], starts)) | are_pixels
            with code.only_if(~inside):
                _run_copy(vector, copied, first + before, code.value(rows))
            window, step = _in_input(windows, vector, image, starts)
            address = code.text.value(f"select i1 {inside}, ptr {window}, ptr {copied}")
            _enter(entry, code.address(address), inside.choose(step, width), inside.to(SIZE))
    return code.finish()


def _run_copy(vector: Vector, to: Address, first: LaneValue, count: LaneValue) -> None:
    """Copy the windows of so many places from one on."""
    to.code.run(
        f"{COPY_WINDOWS}_{vector.element}", "ptr %x", to, "ptr %words, i64 %batch, i64 %group",
        first, count,
    )  # fmt: skip


def _enter(entry: Address, address: Address, step: LaneValue, is_inside: LaneValue) -> None:
    """Write an entry of the table."""
    for offset, word in ((0, address), (8, step), (16, is_inside)):
        (entry + offset).store(word)


def _lie_inside(
    windows: Windows, rows: int, column: LaneValue, starts: Sequence[LaneValue]
) -> list[LaneValue]:
    """Return the conditions that the windows of some places lie in one row of the input, and reach
    over no edge.
    """
    after = column + rows
    conditions = [after <= windows["places2"]]
    lasts = [*starts[:2], windows.start(2, after - 1)]
    for axis, (start, last_start) in enumerate(zip(starts, lasts, strict=True)):
        reach = windows[f"window{axis}"] - 1
        end = last_start + reach * windows[f"dilation{axis}"]
        conditions.append(start.as_type(ir.INT64) >= 0)
        conditions.append(end.as_type(ir.INT64) < windows[f"size{axis}"])
    return conditions


def _in_input(
    windows: Windows, vector: Vector, image: LaneValue, starts: Sequence[LaneValue]
) -> tuple[Address, LaneValue]:
    """Return the address of a window in the input, and the distance of the next one in its row."""
    pixel = windows.pixel_of(vector.type, "%x", image, windows.pixel(starts))
    channel = windows.code.value("%group") * windows["depth"] * vector.item
    step = windows["stride2"] * windows.channels * vector.item
    return pixel + channel, step


def _copy(vector: Vector, to: Address, source: Address, count: LaneValue) -> None:
    to.code.run(f"copy_numbers_{vector.element}", to, source, count)
