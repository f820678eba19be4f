"""LLVM code shared by all graphs: convolutions, and gradients with respect to filters, as products
of windows with filters, or with gradients.

The windows of a block of places are copied side by side into a matrix, which is multiplied in
tiles.  The filters are copied once, in the order in which tiles read them.  All arrays lie row by
row.  The gradient with respect to the input is made of convolutions (window_geometry.py).
"""

from __future__ import annotations

from runtime.engine.llvm.arrays.depthwise_code import depthwise_functions
from runtime.engine.llvm.arrays.tile_code import INNER, PANELS, declarations, tile_functions
from runtime.engine.llvm.arrays.vector_text import Vector, vector_of
from runtime.engine.llvm.arrays.window_copies import COPY_WINDOWS, window_copies
from runtime.engine.llvm.arrays.window_loops import Windows
from runtime.engine.llvm.text import FunctionText, all_hold
from runtime.engine.llvm.vector_math.processor import Processor

CONVOLVE, TO_FILTERS = "rt_convolve", "rt_filters"
DEPTHWISE, DEPTHWISE_TO_FILTERS = "rt_depthwise", "rt_depthwise_filters"
EXPORTED = (CONVOLVE, TO_FILTERS, DEPTHWISE, DEPTHWISE_TO_FILTERS)
BLOCK = 1 << 16
"""Numbers in the windows of a block: a part of a core's second cache."""
_LEAST, _MOST = 96, INNER
"""Places of a block: the filters are read once for each block."""


def convolution_code(type: str, processor: Processor) -> str:
    """Return the functions for a type, which return False if there is no memory.

    They take an input, filters or gradients, the result, and the words of windows.
    """
    vector = vector_of(type, processor)
    return "\n".join([
        "declare noalias ptr @malloc(i64)", "declare void @free(ptr)",
        "declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)",
        "declare i64 @llvm.umax.i64(i64, i64)", "declare i64 @llvm.umin.i64(i64, i64)",
        *declarations(vector), *tile_functions(vector), *window_copies(vector),
        _convolve(vector), _to_filters(vector),
        *depthwise_functions(vector, DEPTHWISE, DEPTHWISE_TO_FILTERS),
    ])  # fmt: skip


class _PlaceBlocks:
    """Code of a function that goes over blocks of places."""

    def __init__(self, name: str, vector: Vector) -> None:
        self.text = FunctionText(
            f"define i1 @{name}_{vector.element}(ptr %x, ptr %w, ptr %result, ptr %words, "
            "i64 %batch)"
        )
        self.vector = vector
        self.windows = Windows(self.text)
        text, windows = self.text, self.windows
        self.width = windows.product("window0", "window1", "window2", "taken")
        self.places = windows.product(windows.rows, "places2")
        self.pixel = windows.product(windows.channels, str(vector.item))
        self.part = windows.product("taken", str(vector.item))
        self.is_direct = self._is_direct()
        """Whether the windows are the pixels themselves."""
        fitting = text.value(f"udiv i64 {BLOCK}, {self.width}")
        most = _least(text, fitting, str(_MOST))
        self.most = text.call("i64", "llvm.umax.i64", f"i64 {most}", f"i64 {_LEAST}")
        lanes = 2 * vector.lanes
        self.panels = text.value(f"udiv i64 {windows.added('out', str(lanes - 1))}, {lanes}")
        self.row_of_panel = lanes * vector.item

    def _is_direct(self) -> str:
        windows, text = self.windows, self.text
        names = [f"{name}{axis}" for name in ("window", "stride") for axis in range(3)]
        wanted = [(windows[name], "1") for name in names]
        wanted += [(windows[f"before{axis}"], "0") for axis in range(3)]
        wanted += [(windows[f"places{axis}"], windows[f"size{axis}"]) for axis in range(3)]
        return all_hold(text, [text.value(f"icmp eq i64 {a}, {b}") for a, b in wanted])

    def allocate(self, size: str, out: str) -> str:
        """Return memory; branch if there is none."""
        text, good = self.text, self.text.label("some")
        made = text.call("ptr", "malloc", f"i64 {size}")
        text.branch(text.value(f"icmp eq ptr {made}, null"), out, good, likely=None)
        text.start(good)
        return made

    def matrix(self, buffer: str, group: str, first: str, count: str) -> tuple[str, str]:
        """Return the address of the matrix of some windows, and the distance of its rows."""
        text = self.text
        with text.only_if(text.value(f"xor i1 {self.is_direct}, true")):
            text.line(
                f"call void @{COPY_WINDOWS}_{self.vector.element}(ptr %x, ptr {buffer}, "
                f"ptr %words, i64 %batch, i64 {group}, i64 {first}, i64 {count})"
            )
        channel = self.windows.product(group, self.part)
        offset = self.windows.added(self.windows.product(first, self.pixel), channel)
        itself = text.moved("%x", offset)
        matrix = text.value(f"select i1 {self.is_direct}, ptr {itself}, ptr {buffer}")
        row = self.windows.product(self.width, str(self.vector.item))
        return matrix, text.value(f"select i1 {self.is_direct}, i64 {self.pixel}, i64 {row}")


def _least(text: FunctionText, one: str, other: str) -> str:
    return text.call("i64", "llvm.umin.i64", f"i64 {one}", f"i64 {other}")


def _convolve(vector: Vector) -> str:
    """Return the function of a convolution: for each group and each block of places, a product."""
    blocks = _PlaceBlocks(CONVOLVE, vector)
    text, windows, width = blocks.text, blocks.windows, blocks.width
    failed, out = text.label("failed"), text.label("out")
    panel = windows.product(width, str(blocks.row_of_panel))
    of_group = windows.product(blocks.panels, panel)
    packed = blocks.allocate(windows.product("groups", of_group), out)
    size = windows.product(blocks.most, width, str(vector.item))
    buffer = blocks.allocate(size, failed)
    _pack(blocks, packed, of_group, panel)
    dense = windows.product("places2", "result2")
    dense = text.value(f"icmp eq i64 {dense}, {windows['result1']}")
    rows = windows.product("places1", "result1")
    dense = all_hold(text, [
        dense, text.value(f"icmp eq i64 {rows}, {windows['result0']}"),
        text.value(
            f"icmp eq i64 {windows.product('places0', 'result0')}, {windows['result_image']}"
        ),
    ])
    line = text.value(f"select i1 {dense}, i64 {blocks.places}, i64 {windows['places2']}")
    with text.counted(text.value(f"udiv i64 {blocks.places}, {line}")) as number:
        start = windows.product(number, line)
        last = windows.added(line, blocks.most)
        count = text.value(f"udiv i64 {text.value(f'sub i64 {last}, 1')}, {blocks.most}")
        with text.counted(count) as block:
            done = windows.product(block, blocks.most)
            first = windows.added(start, done)
            places = _least(text, text.value(f"sub i64 {line}, {done}"), blocks.most)
            _multiply(blocks, buffer, packed, of_group, panel, first, places)
    text.line(f"call void @free(ptr {buffer})")
    text.line(f"call void @free(ptr {packed})")
    text.line("ret i1 true")
    text.start(failed)
    text.line(f"call void @free(ptr {packed})")
    text.line(f"br label %{out}")
    text.start(out)
    text.line("ret i1 false")
    return text.text()


def _pack(blocks: _PlaceBlocks, packed: str, of_group: str, panel: str) -> None:
    """Copy the filters: for each group, panels of columns."""
    text, windows = blocks.text, blocks.windows
    with text.counted(windows["groups"]) as group:
        to = text.moved(packed, windows.product(group, of_group))
        start = windows.added("filter_start", windows.product(group, "filter_group"))
        with (
            text.counted(windows["window0"]) as i, text.counted(windows["window1"]) as j,
            text.counted(windows["window2"]) as k,
        ):  # fmt: skip
            ordinal = windows.added(windows.product(i, "window1"), j)
            ordinal = windows.added(windows.product(ordinal, "window2"), k)
            offset = windows.added(
                start, *(windows.product(n, f"filter{axis}") for axis, n in enumerate((i, j, k)))
            )
            source = text.moved("%w", offset)
            row = windows.product(ordinal, "taken", str(blocks.row_of_panel))
            target = text.moved(to, row)
            text.line(
                f"call void @copy_{blocks.vector.element}(ptr {source}, "
                f"i64 {windows['filter_taken']}, i64 {windows['filter_out']}, ptr {target}, "
                f"i64 {panel}, i64 {windows['out']}, i64 {windows['taken']})"
            )


def _multiply(
    blocks: _PlaceBlocks, buffer: str, packed: str, of_group: str, panel: str, first: str,
    places: str,
) -> None:  # fmt: skip
    """Multiply the windows of some places, whose results are ``result2`` apart, with filters."""
    text, windows, item = blocks.text, blocks.windows, blocks.vector.item
    row = text.value(f"udiv i64 {first}, {windows['places2']}")
    column = text.value(f"urem i64 {first}, {windows['places2']}")
    image, rows = windows.decoded(row)
    result = windows.at_place("%result", image, [*rows, column])
    with text.counted(windows["groups"]) as group:
        matrix, step = blocks.matrix(buffer, group, first, places)
        to = text.moved(result, windows.product(group, "out", str(item)))
        filters = text.moved(packed, windows.product(group, of_group))
        wide = text.value(f"udiv i64 {windows.added(blocks.panels, str(PANELS - 1))}, {PANELS}")
        inner = text.value(f"udiv i64 {windows.added(blocks.width, str(INNER - 1))}, {INNER}")
        with text.counted(wide) as over_n, text.counted(inner) as over_k:
            columns = windows.product(over_n, str(PANELS * blocks.row_of_panel // item))
            k = windows.product(over_k, str(INNER))
            here = text.moved(filters, windows.product(over_n, str(PANELS), panel))
            here = text.moved(here, windows.product(k, str(blocks.row_of_panel)))
            a = text.moved(matrix, windows.product(k, str(item)))
            c = text.moved(to, windows.product(columns, str(item)))
            left = text.value(f"sub i64 {windows['out']}, {columns}")
            n = _least(text, left, str(PANELS * blocks.row_of_panel // item))
            k = _least(text, text.value(f"sub i64 {blocks.width}, {k}"), str(INNER))
            add = text.value(f"icmp ne i64 {over_k}, 0")
            text.line(
                f"call void @strips_{blocks.vector.element}(ptr {a}, i64 {step}, i64 {item}, "
                f"ptr {here}, i64 {blocks.row_of_panel}, i64 {panel}, ptr {c}, "
                f"i64 {windows['result2']}, i64 {places}, i64 {n}, i64 {k}, i1 true, i1 {add})"
            )


def _to_filters(vector: Vector) -> str:
    """Return the function of the gradient with respect to filters: ``%w`` is that of the results.
    Products of blocks of places are added up.
    """
    blocks = _PlaceBlocks(TO_FILTERS, vector)
    text, windows, width, item = blocks.text, blocks.windows, blocks.width, vector.item
    failed, out = text.label("failed"), text.label("out")
    panel = windows.product(blocks.most, str(blocks.row_of_panel))
    packed = blocks.allocate(windows.product(blocks.panels, panel), out)
    buffer = blocks.allocate(windows.product(blocks.most, width, str(item)), failed)
    size = windows.product(width, "result2")
    text.line(f"call void @llvm.memset.p0.i64(ptr %result, i8 0, i64 {size}, i1 false)")
    last = text.value(f"sub i64 {windows.added(blocks.places, blocks.most)}, 1")
    with text.counted(text.value(f"udiv i64 {last}, {blocks.most}")) as block:
        first = windows.product(block, blocks.most)
        left = text.value(f"sub i64 {blocks.places}, {first}")
        places = _least(text, left, blocks.most)
        with text.counted(windows["groups"]) as group:
            matrix, step = blocks.matrix(buffer, group, first, places)
            column = windows.product(group, "out", str(item))
            source = text.moved("%w", windows.added(windows.product(first, "result2"), column))
            text.line(
                f"call void @copy_{vector.element}(ptr {source}, i64 {windows['result2']}, "
                f"i64 {item}, ptr {packed}, i64 {panel}, i64 {windows['out']}, i64 {places})"
            )
            to = text.moved("%result", column)
            text.line(
                f"call void @strips_{vector.element}(ptr {matrix}, i64 {item}, i64 {step}, "
                f"ptr {packed}, i64 {blocks.row_of_panel}, i64 {panel}, ptr {to}, "
                f"i64 {windows['result2']}, i64 {width}, i64 {windows['out']}, i64 {places}, "
                "i1 false, i1 true)"
            )
    text.line(f"call void @free(ptr {buffer})")
    text.line(f"call void @free(ptr {packed})")
    text.line("ret i1 true")
    text.start(failed)
    text.line(f"call void @free(ptr {packed})")
    text.line(f"br label %{out}")
    text.start(out)
    text.line("ret i1 false")
    return text.text()
