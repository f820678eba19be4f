"""LLVM code that copies the windows of some places side by side into a matrix: a row for each
place, zeros where a window reaches over the edge.
"""

from __future__ import annotations

from runtime.engine.llvm.arrays.tile_code import rows_of
from runtime.engine.llvm.arrays.vector_text import Vector
from runtime.engine.llvm.arrays.window_loops import Windows
from runtime.engine.llvm.text import FunctionText, all_hold

COPY_WINDOWS, TURN_WINDOWS = "copy_windows", "turn_windows"


def window_copies(vector: Vector) -> list[str]:
    """Return the functions that copy the windows of some places, of the channels of a group: to
    rows of a matrix, or to the columns that tiles read.
    """
    return [_copy_numbers(vector), _copy_windows(vector), _turn_windows(vector)]


def _copy_numbers(vector: Vector) -> str:
    """Return the function that copies some numbers, which takes less time than a call of memcpy."""
    text = FunctionText(
        f"define internal void @copy_numbers_{vector.element}(ptr %to, ptr %from, i64 %count)"
    )
    vectors = text.value(f"udiv i64 %count, {vector.lanes}")
    with text.counted(vectors) as number:
        offset = text.value(f"mul i64 {number}, {vector.bytes}")
        source = text.moved("%from", offset)
        value = text.value(f"load {vector.type}, ptr {source}, align {vector.item}")
        text.line(
            f"store {vector.type} {value}, ptr {text.moved('%to', offset)}, align {vector.item}"
        )
    done = text.value(f"mul i64 {vectors}, {vector.bytes}")
    left = text.value(f"urem i64 %count, {vector.lanes}")
    with text.only_if(text.value(f"icmp ne i64 {left}, 0")):
        mask = vector.mask(text, left)
        value = vector.load(text, text.moved("%from", done), mask)
        vector.store(text, value, text.moved("%to", done), mask)
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
    width = windows.product("window0", "window1", "window2", "taken", str(vector.item))
    head, body, end = text.label("head"), text.label("body"), text.label("end")
    done = text.slot("i64", "0")
    text.line(f"br label %{head}")
    text.start(head)
    before = text.value(f"load i64, ptr {done}")
    text.branch(text.value(f"icmp ult i64 {before}, %count"), body, end)
    text.start(body)
    place = windows.added("%first", before)
    row = text.value(f"udiv i64 {place}, {windows['places2']}")
    column = text.value(f"urem i64 {place}, {windows['places2']}")
    image, places = windows.decoded(row)
    rest = text.value(f"sub i64 {windows['places2']}, {column}")
    left = text.value(f"sub i64 %count, {before}")
    number = text.call("i64", "llvm.umin.i64", f"i64 {rest}", f"i64 {left}")
    with text.counted(number) as counter:
        starts = windows.starts([*places, windows.added(column, counter)])
        target = text.moved("%to", windows.product(windows.added(before, counter), width))
        _copy_window(windows, vector, target, image, starts)
    text.line(f"store i64 {windows.added(before, number)}, ptr {done}")
    text.line(f"br label %{head}")
    text.start(end)
    text.line("ret void")
    return text.text()


def _copy_window(
    windows: Windows, vector: Vector, target: str, image: str, starts: list[str]
) -> None:
    """Copy one window: line by line where it can be, else pixel by pixel."""
    text = windows.text
    part = windows.product("taken", str(vector.item))
    pixel = windows.product(windows.channels, str(vector.item))
    source = text.moved("%x", windows.product("%group", part))
    beyond = windows.added(starts[2], "window2")
    whole = all_hold(text, [
        text.value(f"icmp sge i64 {starts[2]}, 0"),
        text.value(f"icmp sle i64 {beyond}, {windows['size2']}"),
        text.value(f"icmp eq i64 {windows['dilation2']}, 1"),
        text.value(f"icmp eq i64 {windows['groups']}, 1"),
    ])
    with text.counted(windows["window0"]) as i, text.counted(windows["window1"]) as j:
        y = windows.added(starts[0], windows.product(i, "dilation0"))
        x = windows.added(starts[1], windows.product(j, "dilation1"))
        exists = text.value(f"icmp ult i64 {y}, {windows['size0']}")
        inside = text.value(f"icmp ult i64 {x}, {windows['size1']}")
        exists = text.value(f"and i1 {exists}, {inside}")
        line = windows.added(windows.product(i, "window1"), j)
        to_line = text.moved(target, windows.product(line, "window2", part))
        above = windows.added(windows.product(image, "size0"), y)
        above = windows.added(windows.product(above, "size1"), x)
        from_line = text.moved(source, windows.product(above, "size2", pixel))
        at_once = text.value(f"and i1 {exists}, {whole}")
        with text.only_if(at_once):
            first = text.moved(from_line, windows.product(starts[2], pixel))
            _copy(text, vector, to_line, first, windows.product("window2", "taken"))
        none = text.value(f"select i1 {at_once}, i64 0, i64 {windows['window2']}")
        with text.counted(none) as k:
            z = windows.added(starts[2], windows.product(k, "dilation2"))
            fits = text.value(f"icmp ult i64 {z}, {windows['size2']}")
            both = text.value(f"and i1 {fits}, {exists}")
            to_pixel = text.moved(to_line, windows.product(k, part))
            with text.only_if(both):
                first = text.moved(from_line, windows.product(z, pixel))
                _copy(text, vector, to_pixel, first, windows["taken"])
            with text.only_if(text.value(f"xor i1 {both}, true")):
                text.line(
                    f"call void @llvm.memset.p0.i64(ptr {to_pixel}, i8 0, i64 {part}, i1 false)"
                )


def _turn_windows(vector: Vector) -> str:
    """Return the function: as of ``copy_windows``, but the elements of the columns of a tile's rows
    follow one another.  ``scratch`` has room for the windows of a tile.
    """
    text = FunctionText(
        f"define internal void @{TURN_WINDOWS}_{vector.element}(ptr %x, ptr %to, ptr %words, "
        "i64 %batch, i64 %group, i64 %first, i64 %count, ptr %scratch) noinline"
    )
    windows, done = Windows(text), "0"
    width = windows.product("window0", "window1", "window2", "taken", str(vector.item))
    for rows in rows_of(vector):
        count = text.value(f"udiv i64 {text.value(f'sub i64 %count, {done}')}, {rows}")
        with text.counted(count) as number:
            before = windows.added(done, windows.product(number, str(rows)))
            target = text.moved("%to", windows.product(before, width))
            _turn_places(windows, vector, rows, windows.added("%first", before), target)
        done = windows.added(done, windows.product(count, str(rows)))
    text.line("ret void")
    return text.text()


def _turn_places(windows: Windows, vector: Vector, rows: int, place: str, target: str) -> None:
    """Turn the windows of a tile's rows: at once from the input, if all of them lie in a row of it,
    else from a copy.
    """
    text = windows.text
    column = text.value(f"urem i64 {place}, {windows['places2']}")
    image, places = windows.decoded(text.value(f"udiv i64 {place}, {windows['places2']}"))
    starts = windows.starts([*places, column])
    last = windows.start(2, windows.added(column, str(rows - 1)))
    reach = text.value(f"sub i64 {windows['window2']}, 1")
    reach = windows.added(last, windows.product(reach, "dilation2"))
    inside = all_hold(text, [
        text.value(
            f"icmp ule i64 {windows.added(column, str(rows))}, {windows['places2']}"
        ),
        text.value(f"icmp sge i64 {starts[2]}, 0"),
        text.value(f"icmp slt i64 {reach}, {windows['size2']}"),
    ])
    at_once = text.value(f"or i1 {inside}, {windows.are_pixels()}")
    with text.only_if(at_once):
        _turn_lines(windows, vector, rows, target, image, starts)
    with text.only_if(text.value(f"xor i1 {at_once}, true")):
        width = windows.product("window0", "window1", "window2", "taken")
        text.line(
            f"call void @{COPY_WINDOWS}_{vector.element}(ptr %x, ptr %scratch, ptr %words, "
            f"i64 %batch, i64 %group, i64 {place}, i64 {rows})"
        )
        step = windows.product(width, str(vector.item))
        _turn(text, vector, rows, ("%scratch", step, target, width))


def _turn_lines(
    windows: Windows, vector: Vector, rows: int, target: str, image: str, starts: list[str]
) -> None:
    """Turn windows line by line, or pixel by pixel where the pixels of a line lie apart."""
    text = windows.text
    pixel = windows.product(windows.channels, str(vector.item))
    step = windows.product("stride2", pixel)
    source = text.moved("%x", windows.product("%group", "taken", str(vector.item)))
    is_line = all_hold(text, [
        text.value(f"icmp eq i64 {windows['dilation2']}, 1"),
        text.value(f"icmp eq i64 {windows['groups']}, 1"),
    ])
    runs = text.value(f"select i1 {is_line}, i64 1, i64 {windows['window2']}")
    whole = windows.product("window2", "taken")
    length = text.value(f"select i1 {is_line}, i64 {whole}, i64 {windows['taken']}")
    size = windows.product(length, str(rows * vector.item))
    with (
        text.counted(windows["window0"]) as i, text.counted(windows["window1"]) as j,
        text.counted(runs) as k,
    ):  # fmt: skip
        y = windows.added(starts[0], windows.product(i, "dilation0"))
        x = windows.added(starts[1], windows.product(j, "dilation1"))
        z = windows.added(starts[2], windows.product(k, "dilation2"))
        above = windows.added(windows.product(image, "size0"), y)
        above = windows.added(windows.product(above, "size1"), x)
        at = windows.product(windows.added(windows.product(above, "size2"), z), pixel)
        number = windows.added(windows.product(i, "window1"), j)
        number = windows.added(windows.product(number, runs), k)
        to = text.moved(target, windows.product(number, size))
        exists = all_hold(text, [
            text.value(f"icmp ult i64 {y}, {windows['size0']}"),
            text.value(f"icmp ult i64 {x}, {windows['size1']}"),
        ])
        with text.only_if(exists):
            _turn(text, vector, rows, (text.moved(source, at), step, to, length))
        with text.only_if(text.value(f"xor i1 {exists}, true")):
            text.line(f"call void @llvm.memset.p0.i64(ptr {to}, i8 0, i64 {size}, i1 false)")


def _turn(
    text: FunctionText, vector: Vector, rows: int, given: tuple[str, str, str, str]
) -> None:
    """Turn some rows: their address, distance, the target, and the number of columns."""
    source, step, to, count = given
    name = f"turn_{vector.element}_{rows}"
    text.line(f"call void @{name}(ptr {source}, i64 {step}, ptr {to}, i64 {count})")


def _copy(text: FunctionText, vector: Vector, to: str, source: str, count: str) -> None:
    name = f"copy_numbers_{vector.element}"
    text.line(f"call void @{name}(ptr {to}, ptr {source}, i64 {count})")
