"""LLVM code that finds the windows of some places in the input, or copies them side by side into a
matrix: a row for each place, zeros where a window reaches over the edge.
"""

from __future__ import annotations

from collections.abc import Sequence

from autograph.named_tuples import NamedTuple
from runtime.engine.llvm.arrays.tile_code import each_strip
from runtime.engine.llvm.arrays.vector_text import Vector
from runtime.engine.llvm.arrays.window_loops import Windows
from runtime.engine.llvm.text import FunctionText, all_hold

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
    text = FunctionText(
        f"define internal void @copy_numbers_{vector.element}(ptr %to, ptr %from, i64 %count)"
    )
    vectors = text.value(f"udiv i64 %count, {vector.lanes}")
    with text.counted_loop(vectors) as number:
        offset = text.value(f"mul i64 {number}, {vector.bytes}")
        source = text.gep("%from", offset)
        value = text.value(f"load {vector.type}, ptr {source}, align {vector.item}")
        text.line(
            f"store {vector.type} {value}, ptr {text.gep('%to', offset)}, align {vector.item}"
        )
    done = text.value(f"mul i64 {vectors}, {vector.bytes}")
    remaining = text.value(f"urem i64 %count, {vector.lanes}")
    with text.only_if(text.value(f"icmp ne i64 {remaining}, 0")):
        mask = vector.mask(text, remaining)
        value = vector.load(text, text.gep("%from", done), mask)
        vector.store(text, value, text.gep("%to", done), mask)
    text.line("ret void")
    return text.text()


def _copy_windows(vector: Vector) -> str:
    """Return the function: input, matrix, words, size of the batch, group, first place, and number
    of places.
    """
    text = FunctionText(
        f"define internal void @{COPY_WINDOWS}_{vector.element}(ptr %x, ptr %to, ptr %words, "
        "i64 %batch, i64 %group, i64 %first, i64 %count) noinline"
    )
    windows = Windows(text)
    width = windows.product("window0", "window1", "window2", "depth", str(vector.item))
    head, body, end = text.label("head"), text.label("body"), text.label("end")
    done = text.slot("i64", "0")
    text.line(f"br label %{head}")
    text.start(head)
    before = text.value(f"load i64, ptr {done}")
    text.branch(text.value(f"icmp ult i64 {before}, %count"), body, end)
    text.start(body)
    place = windows.sum("%first", before)
    row = text.value(f"udiv i64 {place}, {windows['places2']}")
    column = text.value(f"urem i64 {place}, {windows['places2']}")
    image, places = windows.decode_row(row)
    row_remaining = text.value(f"sub i64 {windows['places2']}, {column}")
    remaining = text.value(f"sub i64 %count, {before}")
    number = text.call("i64", "llvm.umin.i64", f"i64 {row_remaining}", f"i64 {remaining}")
    with text.counted_loop(number) as counter:
        starts = windows.starts([*places, windows.sum(column, counter)])
        target = text.gep("%to", windows.product(windows.sum(before, counter), width))
        _copy_window(windows, vector, target, image, starts)
    text.line(f"store i64 {windows.sum(before, number)}, ptr {done}")
    text.line(f"br label %{head}")
    text.start(end)
    text.line("ret void")
    return text.text()


def _copy_window(
    windows: Windows, vector: Vector, target: str, image: str, starts: list[str]
) -> None:
    """Copy one window: line by line where it can be, else pixel by pixel."""
    text = windows.text
    group_bytes = windows.product("depth", str(vector.item))
    pixel = windows.product(windows.channels, str(vector.item))
    source = text.gep("%x", windows.product("%group", group_bytes))
    beyond = windows.sum(starts[2], "window2")
    is_one_line = all_hold(text, [
        text.value(f"icmp sge i64 {starts[2]}, 0"),
        text.value(f"icmp sle i64 {beyond}, {windows['size2']}"),
        text.value(f"icmp eq i64 {windows['dilation2']}, 1"),
        text.value(f"icmp eq i64 {windows['groups']}, 1"),
    ])
    with text.counted_loop(windows["window0"]) as i, text.counted_loop(windows["window1"]) as j:
        y = windows.sum(starts[0], windows.product(i, "dilation0"))
        x = windows.sum(starts[1], windows.product(j, "dilation1"))
        exists = text.value(f"icmp ult i64 {y}, {windows['size0']}")
        inside = text.value(f"icmp ult i64 {x}, {windows['size1']}")
        exists = text.value(f"and i1 {exists}, {inside}")
        line = windows.sum(windows.product(i, "window1"), j)
        to_line = text.gep(target, windows.product(line, "window2", group_bytes))
        above = windows.sum(windows.product(image, "size0"), y)
        above = windows.sum(windows.product(above, "size1"), x)
        from_line = text.gep(source, windows.product(above, "size2", pixel))
        at_once = text.value(f"and i1 {exists}, {is_one_line}")
        with text.only_if(at_once):
            first = text.gep(from_line, windows.product(starts[2], pixel))
            _copy(text, vector, to_line, first, windows.product("window2", "depth"))
        none = text.value(f"select i1 {at_once}, i64 0, i64 {windows['window2']}")
        with text.counted_loop(none) as k:
            z = windows.sum(starts[2], windows.product(k, "dilation2"))
            fits = text.value(f"icmp ult i64 {z}, {windows['size2']}")
            exists_here = text.value(f"and i1 {fits}, {exists}")
            to_pixel = text.gep(to_line, windows.product(k, group_bytes))
            with text.only_if(exists_here):
                first = text.gep(from_line, windows.product(z, pixel))
                _copy(text, vector, to_pixel, first, windows["depth"])
            with text.only_if(text.value(f"xor i1 {exists_here}, true")):
                text.line(
                    f"call void @llvm.memset.p0.i64(ptr {to_pixel}, i8 0, "
                    f"i64 {group_bytes}, i1 false)"
                )


class Runs(NamedTuple):
    """Numbers of a window that lie one after the other: how many runs there are along each axis,
    and the length of one.  Short ones are copied side by side, as one.
    """

    counts: Sequence[str]
    length: str
    are_whole: str
    """Whether one run is a whole window, which has to be copied."""

    def ordinal(self, windows: Windows, numbers: Sequence[str]) -> str:
        """Return the number of a run in the window."""
        plane = windows.sum(windows.product(numbers[0], self.counts[1]), numbers[1])
        return windows.sum(windows.product(plane, self.counts[2]), numbers[2])


def runs_of(windows: Windows) -> Runs:
    """Return the runs of which windows are."""
    text = windows.text
    is_line = all_hold(text, [
        text.value(f"icmp eq i64 {windows['dilation2']}, 1"),
        text.value(f"icmp eq i64 {windows['groups']}, 1"),
    ])
    line, width = windows.product("window2", "depth"), windows.product("window0", "window1")
    width = windows.product(width, line)
    length = text.value(f"select i1 {is_line}, i64 {line}, i64 {windows['depth']}")
    across = text.value(f"select i1 {is_line}, i64 1, i64 {windows['window2']}")
    are_short = text.value(f"icmp ult i64 {length}, {_LEAST_RUN}")
    counts = [
        text.value(f"select i1 {are_short}, i64 1, i64 {count}")
        for count in (windows["window0"], windows["window1"], across)
    ]
    return Runs(
        counts, text.value(f"select i1 {are_short}, i64 {width}, i64 {length}"), are_short
    )


def offset_in_input(windows: Windows, vector: Vector, numbers: Sequence[str]) -> str:
    """Return how many bytes a run is from the first one of its window."""
    places = [windows.product(n, f"dilation{axis}") for axis, n in enumerate(numbers)]
    return windows.product(windows.pixel(places), windows.channels, str(vector.item))


def _find_windows(vector: Vector) -> str:
    """Return the function that finds the rows of each tile: in the input, if the windows lie in a
    row of it and reach over no edge; else it copies them.  The table gets an address, the distance
    of rows, and whether they are in the input.
    """
    text = FunctionText(
        f"define internal void @{FIND_WINDOWS}_{vector.element}(ptr %x, ptr %to, ptr %words, "
        "i64 %batch, i64 %group, i64 %first, i64 %count, ptr %table) noinline"
    )
    windows = Windows(text)
    width = windows.product("window0", "window1", "window2", "depth", str(vector.item))
    are_pixels, runs = windows.are_pixels(), runs_of(windows)
    for rows, before, strip in each_strip(text, vector, "%count"):
        entry = text.gep("%table", windows.product(strip, str(ENTRY)))
        place = windows.sum("%first", before)
        row = text.value(f"udiv i64 {place}, {windows['places2']}")
        column = text.value(f"urem i64 {place}, {windows['places2']}")
        image, places = windows.decode_row(row)
        starts = windows.starts([*places, column])
        inside = all_hold(text, [
            text.value(f"xor i1 {runs.are_whole}, true"),
            *_lie_inside(windows, rows, column, starts),
        ])
        inside = text.value(f"or i1 {inside}, {are_pixels}")
        copied = text.gep("%to", windows.product(before, width))
        with text.only_if(text.value(f"xor i1 {inside}, true")):
            text.line(
                f"call void @{COPY_WINDOWS}_{vector.element}(ptr %x, ptr {copied}, ptr %words, "
                f"i64 %batch, i64 %group, i64 {place}, i64 {rows})"
            )
        window, step = _in_input(windows, vector, image, starts)
        address = text.value(f"select i1 {inside}, ptr {window}, ptr {copied}")
        distance = text.value(f"select i1 {inside}, i64 {step}, i64 {width}")
        flag = text.value(f"zext i1 {inside} to i64")
        fields = (f"ptr {address}", f"i64 {distance}", f"i64 {flag}")
        for word, value in enumerate(fields):
            text.line(f"store {value}, ptr {text.gep(entry, 8 * word)}")
    text.line("ret void")
    return text.text()


def _lie_inside(
    windows: Windows, rows: int, column: str, starts: Sequence[str]
) -> list[str]:
    """Return the conditions that the windows of some places lie in one row of the input, and reach
    over no edge.
    """
    text = windows.text
    after = windows.sum(column, str(rows))
    conditions = [text.value(f"icmp ule i64 {after}, {windows['places2']}")]
    lasts = [*starts[:2], windows.start(2, text.value(f"sub i64 {after}, 1"))]
    for axis, (start, last_start) in enumerate(zip(starts, lasts, strict=True)):
        reach = text.value(f"sub i64 {windows[f'window{axis}']}, 1")
        end = windows.sum(last_start, windows.product(reach, f"dilation{axis}"))
        conditions.append(text.value(f"icmp sge i64 {start}, 0"))
        conditions.append(text.value(f"icmp slt i64 {end}, {windows[f'size{axis}']}"))
    return conditions


def _in_input(
    windows: Windows, vector: Vector, image: str, starts: Sequence[str]
) -> tuple[str, str]:
    """Return the address of a window in the input, and the distance of the next one in its row."""
    text = windows.text
    pixel = windows.pixel_of(vector, "%x", image, windows.pixel(starts))
    channel = windows.product("%group", "depth", str(vector.item))
    step = windows.product("stride2", windows.channels, str(vector.item))
    return text.gep(pixel, channel), step


def _copy(text: FunctionText, vector: Vector, to: str, source: str, count: str) -> None:
    name = f"copy_numbers_{vector.element}"
    text.line(f"call void @{name}(ptr {to}, ptr {source}, i64 {count})")
