"""LLVM code shared by all graphs: convolutions, and gradients with respect to filters, as products
of windows with filters, or with gradients.

Windows are multiplied in tiles, a block of places at a time: they are read where they lie in the
input, or are copied side by side into a matrix, where they reach over an edge.  The filters are
copied once, in the order in which tiles read them.  All arrays lie row by row.  The gradient with
respect to the input is made of convolutions (window_geometry.py).
"""

from __future__ import annotations

from autograph.named_tuples import NamedTuple
from runtime.engine.llvm.arrays.depthwise_code import depthwise_functions
from runtime.engine.llvm.arrays.library_names import (
    CONVOLVE,
    DEPTHWISE,
    DEPTHWISE_TO_FILTERS,
    TO_FILTERS,
)
from runtime.engine.llvm.arrays.task_code import (
    MISSING,
    TASKS,
    entry_function,
    run_tasks,
    task_function,
)
from runtime.engine.llvm.arrays.tile_code import (
    INNER,
    PANELS,
    declarations,
    each_strip,
    panels_name,
    tile_functions,
)
from runtime.engine.llvm.arrays.tile_copies import LINE, aligned, divided_up
from runtime.engine.llvm.arrays.vector_text import Vector, vector_of
from runtime.engine.llvm.arrays.window_copies import (
    COPY_WINDOWS,
    ENTRY,
    FIND_WINDOWS,
    offset_in_input,
    runs_of,
    window_copies,
)
from runtime.engine.llvm.arrays.window_loops import Windows
from runtime.engine.llvm.text import FunctionText, all_hold
from runtime.engine.llvm.vector_math.processor import Processor

BLOCK = 1 << 16
"""Numbers in the windows of a block: a part of a core's second cache."""
_LEAST, _MOST = 96, INNER
"""Places of a block: the filters are read once for each block."""
_BLOCKS_OF_PART, _MOST_PARTS = 8, 8
"""Least blocks of a part of a sum over places, and most parts."""


def convolution_code(type: str, processor: Processor) -> str:
    """Return the functions for a type, which return 0, or why they failed (task_code.py)."""
    vector = vector_of(type, processor)
    return "\n".join([
        TASKS, "declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)",
        "declare i64 @llvm.umax.i64(i64, i64)", "declare i64 @llvm.umin.i64(i64, i64)",
        *declarations(vector), *tile_functions(vector), *window_copies(vector),
        _convolve(vector), _convolve_block(vector), _to_filters(vector), _add_blocks(vector),
        *depthwise_functions(vector, DEPTHWISE, DEPTHWISE_TO_FILTERS),
    ])  # fmt: skip


class _PlaceBlocks:
    """Code of a function that goes over blocks of places."""

    def __init__(self, text: FunctionText, vector: Vector) -> None:
        self.text = text
        self.vector = vector
        self.windows = windows = Windows(text)
        self.width = windows.product("window0", "window1", "window2", "depth")
        self.places = windows.product(windows.rows, "places2")
        self.pixel = windows.product(windows.channels, str(vector.item))
        self.group_bytes = windows.product("depth", str(vector.item))
        self.is_direct = windows.are_pixels()
        """Whether the windows are the pixels themselves."""
        fitting = text.value(f"udiv i64 {BLOCK}, {self.width}")
        most = _least(text, fitting, str(_MOST))
        self.most = text.call("i64", "llvm.umax.i64", f"i64 {most}", f"i64 {_LEAST}")
        numbers = windows.product(self.most, self.width, str(vector.item))
        self.matrix_bytes = text.value(f"and i64 {windows.sum(numbers, '7')}, -8")
        """What the matrix of the windows takes; a table of words may follow."""
        lanes = 2 * vector.lanes
        self.panels = divided_up(text, windows["out"], lanes)
        self.row_of_panel = lanes * vector.item

    def block_count(self, number: str) -> str:
        """Return how many blocks so many places are."""
        padded = self.windows.sum(number, self.most)
        return self.text.value(f"udiv i64 {self.text.value(f'sub i64 {padded}, 1')}, {self.most}")

    def lines(self) -> str:
        """Return the number of places whose results are all as far apart: all, or those of a row.
        """
        text, windows = self.text, self.windows
        outer_strides = ("result1", "result0", "result_image")
        inner_extents = (("places2", "result2"), ("places1", "result1"), ("places0", "result0"))
        dense = all_hold(text, [
            text.value(f"icmp eq i64 {windows.product(*pair)}, {windows[outer]}")
            for pair, outer in zip(inner_extents, outer_strides, strict=True)
        ])
        return text.value(f"select i1 {dense}, i64 {self.places}, i64 {windows['places2']}")

    def allocate(self, size: str) -> str:
        """Return memory, with room to align it; the function returns if there is none."""
        text, good, bad = self.text, self.text.label("some"), self.text.label("none")
        memory = text.call("ptr", "malloc", f"i64 {self.windows.sum(size, str(LINE))}")
        text.branch(text.value(f"icmp eq ptr {memory}, null"), bad, good, likely=None)
        text.start(bad)
        text.line(f"ret i32 {MISSING}")
        text.start(good)
        return memory

    def matrix(self, group: str, first: str, count: str) -> tuple[str, str]:
        """Return the address of the matrix of some windows, and the distance of its rows."""
        text = self.text
        with text.only_if(text.value(f"xor i1 {self.is_direct}, true")):
            text.line(
                f"call void @{COPY_WINDOWS}_{self.vector.element}(ptr %x, ptr %scratch, "
                f"ptr %words, i64 %batch, i64 {group}, i64 {first}, i64 {count})"
            )
        channel = self.windows.product(group, self.group_bytes)
        offset = self.windows.sum(self.windows.product(first, self.pixel), channel)
        itself = text.gep("%x", offset)
        matrix = text.value(f"select i1 {self.is_direct}, ptr {itself}, ptr %scratch")
        row = self.windows.product(self.width, str(self.vector.item))
        return matrix, text.value(f"select i1 {self.is_direct}, i64 {self.pixel}, i64 {row}")


def _least(text: FunctionText, x: str, y: str) -> str:
    return text.call("i64", "llvm.umin.i64", f"i64 {x}", f"i64 {y}")


def _packed_sizes(blocks: _PlaceBlocks) -> tuple[str, str]:
    """Return the bytes of the copied filters of a group, and of a panel of them."""
    panel = blocks.windows.product(blocks.width, str(blocks.row_of_panel))
    return blocks.windows.product(blocks.panels, panel), panel


def _convolve(vector: Vector) -> str:
    """Return the function of a convolution: for each group and each block of places, a product."""
    text = entry_function(f"{CONVOLVE}_{vector.element}")
    blocks = _PlaceBlocks(text, vector)
    windows, (of_group, panel) = blocks.windows, _packed_sizes(blocks)
    memory = blocks.allocate(windows.product("groups", of_group))
    packed = aligned(text, memory)
    _pack(blocks, packed, of_group, panel)
    line = blocks.lines()
    lines = text.value(f"udiv i64 {blocks.places}, {line}")
    count = windows.product(lines, blocks.block_count(line))
    task = f"convolve_block_{vector.element}"
    scratch = windows.sum(blocks.matrix_bytes, windows.product(blocks.most, str(ENTRY)))
    status = run_tasks(text, task, count, scratch, [f"ptr {packed}"])
    text.line(f"call void @free(ptr {memory})")
    text.line(f"ret i32 {status}")
    return text.text()


def _convolve_block(vector: Vector) -> str:
    """Return the function of a task: one block of places."""
    text = task_function(f"convolve_block_{vector.element}", ["ptr packed"])
    blocks = _PlaceBlocks(text, vector)
    windows, line = blocks.windows, blocks.lines()
    count = blocks.block_count(line)
    start = windows.product(text.value(f"udiv i64 %task, {count}"), line)
    done = windows.product(text.value(f"urem i64 %task, {count}"), blocks.most)
    places = _least(text, text.value(f"sub i64 {line}, {done}"), blocks.most)
    _multiply(blocks, windows.sum(start, done), places)
    text.line("ret void")
    return text.text()


def _pack(blocks: _PlaceBlocks, packed: str, of_group: str, panel: str) -> None:
    """Copy the filters: for each group, panels of columns."""
    text, windows = blocks.text, blocks.windows
    with text.counted_loop(windows["groups"]) as group:
        to = text.gep(packed, windows.product(group, of_group))
        start = windows.sum("filter_start", windows.product(group, "filter_group"))
        with (
            text.counted_loop(windows["window0"]) as i, text.counted_loop(windows["window1"]) as j,
            text.counted_loop(windows["window2"]) as k,
        ):  # fmt: skip
            ordinal = windows.sum(windows.product(i, "window1"), j)
            ordinal = windows.sum(windows.product(ordinal, "window2"), k)
            offset = windows.sum(
                start, *(windows.product(n, f"filter{axis}") for axis, n in enumerate((i, j, k)))
            )
            source = text.gep("%other", offset)
            row = windows.product(ordinal, "depth", str(blocks.row_of_panel))
            target = text.gep(to, row)
            text.line(
                f"call void @copy_{blocks.vector.element}(ptr {source}, "
                f"i64 {windows['filter_depth']}, i64 {windows['filter_out']}, ptr {target}, "
                f"i64 {panel}, i64 {windows['out']}, i64 {windows['depth']})"
            )


def _multiply(blocks: _PlaceBlocks, first: str, places: str) -> None:
    """Multiply the windows of some places, whose results are ``result2`` apart, with filters."""
    text, windows, item = blocks.text, blocks.windows, blocks.vector.item
    of_group, panel = _packed_sizes(blocks)
    row = text.value(f"udiv i64 {first}, {windows['places2']}")
    column = text.value(f"urem i64 {first}, {windows['places2']}")
    image, rows = windows.decode_row(row)
    result = windows.at_place("%result", image, [*rows, column])
    runs = runs_of(windows)
    table = text.gep("%scratch", blocks.matrix_bytes)
    with text.counted_loop(windows["groups"]) as group:
        text.line(
            f"call void @{FIND_WINDOWS}_{blocks.vector.element}(ptr %x, ptr %scratch, ptr %words, "
            f"i64 %batch, i64 {group}, i64 {first}, i64 {places}, ptr {table})"
        )
        to = text.gep(result, windows.product(group, "out", str(item)))
        filters = text.gep("%packed", windows.product(group, of_group))
        with (
            text.counted_loop(divided_up(text, blocks.panels, PANELS)) as over_n,
            text.counted_loop(runs.counts[0]) as i, text.counted_loop(runs.counts[1]) as j,
            text.counted_loop(runs.counts[2]) as k,
        ):  # fmt: skip
            columns = windows.product(over_n, str(PANELS * blocks.row_of_panel // item))
            ordinal = windows.product(runs.ordinal(windows, (i, j, k)), runs.length)
            panels = text.gep(filters, windows.product(over_n, str(PANELS), panel))
            remaining = text.value(f"sub i64 {windows['out']}, {columns}")
            n = _least(text, remaining, str(PANELS * blocks.row_of_panel // item))
            offset = offset_in_input(windows, blocks.vector, (i, j, k))
            with text.counted_loop(divided_up(text, runs.length, INNER)) as over_k:
                begin = windows.product(over_k, str(INNER))
                done = windows.sum(ordinal, begin)
                _multiply_strips(blocks, table, places, _Part(
                    windows.sum(offset, windows.product(begin, str(item))),
                    windows.product(done, str(item)),
                    text.gep(panels, windows.product(done, str(blocks.row_of_panel))), panel,
                    text.gep(to, windows.product(columns, str(item))), n,
                    _least(text, text.value(f"sub i64 {runs.length}, {begin}"), str(INNER)),
                    text.value(f"icmp ne i64 {done}, 0"),
                ))  # fmt: skip


class _Part(NamedTuple):
    """Part of a product: offsets of the windows in the input and in copies, address of filters,
    distance of their panels, address of results, columns, rows of filters, and whether products
    are added to the results.
    """

    in_input: str
    in_copy: str
    filters: str
    panel: str
    result: str
    columns: str
    inner: str
    adds: str


def _multiply_strips(blocks: _PlaceBlocks, table: str, places: str, block: _Part) -> None:
    """Multiply the windows of some places with a block of filters, tile by tile."""
    text, windows = blocks.text, blocks.windows
    for rows, before, strip in each_strip(text, blocks.vector, places):
        entry = text.gep(table, windows.product(strip, str(ENTRY)))
        address = text.value(f"load ptr, ptr {entry}")
        step = text.value(f"load i64, ptr {text.gep(entry, 8)}")
        flag = text.value(f"load i64, ptr {text.gep(entry, 16)}")
        is_input = text.value(f"icmp ne i64 {flag}, 0")
        offset = text.value(f"select i1 {is_input}, i64 {block.in_input}, i64 {block.in_copy}")
        to = text.gep(block.result, windows.product(before, "result2"))
        text.line(
            f"call void @{panels_name(blocks.vector, rows)}(ptr {text.gep(address, offset)}, "
            f"i64 {step}, i64 {blocks.vector.item}, ptr {block.filters}, "
            f"i64 {blocks.row_of_panel}, i64 {block.panel}, ptr {to}, "
            f"i64 {windows['result2']}, i64 {block.columns}, i64 {block.inner}, i1 {block.adds})"
        )


def _parts(blocks: _PlaceBlocks) -> str:
    """Return in how many parts the blocks are added up, for any number of threads."""
    text = blocks.text
    wanted_parts = text.value(f"udiv i64 {blocks.block_count(blocks.places)}, {_BLOCKS_OF_PART}")
    least = text.call("i64", "llvm.umax.i64", f"i64 {wanted_parts}", "i64 1")
    return _least(text, least, str(_MOST_PARTS))


def _to_filters(vector: Vector) -> str:
    """Return the function of the gradient with respect to filters: ``%other`` is that of the
    results.  Products of blocks of places are added up, in parts that are added up in the end.
    """
    text = entry_function(f"{TO_FILTERS}_{vector.element}")
    blocks = _PlaceBlocks(text, vector)
    windows, part_count = blocks.windows, _parts(blocks)
    size = windows.product(blocks.width, "result2")
    sums = blocks.allocate(windows.product(part_count, size))
    packed = windows.product(blocks.panels, blocks.most, str(blocks.row_of_panel))
    scratch = windows.sum(blocks.matrix_bytes, packed, str(LINE))
    task = f"add_blocks_{vector.element}"
    status = run_tasks(text, task, part_count, scratch, [f"ptr {sums}"])
    text.line(f"call void @llvm.memset.p0.i64(ptr %result, i8 0, i64 {size}, i1 false)")
    count = divided_up(text, size, vector.bytes)
    with text.counted_loop(part_count) as number, text.counted_loop(count) as vector_number:
        offset = windows.product(vector_number, str(vector.bytes))
        remaining = text.value(f"udiv i64 {text.value(f'sub i64 {size}, {offset}')}, {vector.item}")
        mask = vector.mask(text, _least(text, remaining, str(vector.lanes)))
        source = text.gep(sums, windows.sum(windows.product(number, size), offset))
        target = text.gep("%result", offset)
        value, before = vector.load(text, source, mask), vector.load(text, target, mask)
        total = text.value(f"fadd {vector.type} {before}, {value}")
        vector.store(text, total, target, mask)
    text.line(f"call void @free(ptr {sums})")
    text.line(f"ret i32 {status}")
    return text.text()


def _add_blocks(vector: Vector) -> str:
    """Return the function of a task: products of the blocks of one part, added up."""
    text = task_function(f"add_blocks_{vector.element}", ["ptr sums"])
    blocks = _PlaceBlocks(text, vector)
    windows, width, item, part_count = blocks.windows, blocks.width, vector.item, _parts(blocks)
    size = windows.product(width, "result2")
    sums = text.gep("%sums", windows.product("%task", size))
    text.line(f"call void @llvm.memset.p0.i64(ptr {sums}, i8 0, i64 {size}, i1 false)")
    panel = windows.product(blocks.most, str(blocks.row_of_panel))
    packed = aligned(text, text.gep("%scratch", blocks.matrix_bytes))
    count = blocks.block_count(blocks.places)
    begin = text.value(f"udiv i64 {windows.product(count, '%task')}, {part_count}")
    following = windows.product(count, windows.sum("%task", "1"))
    with text.counted_loop(text.value(f"udiv i64 {following}, {part_count}"), begin) as block:
        first = windows.product(block, blocks.most)
        remaining = text.value(f"sub i64 {blocks.places}, {first}")
        places = _least(text, remaining, blocks.most)
        with text.counted_loop(windows["groups"]) as group:
            matrix, step = blocks.matrix(group, first, places)
            column = windows.product(group, "out", str(item))
            source = windows.sum(windows.product(first, "result2"), column)
            text.line(
                f"call void @copy_{vector.element}(ptr {text.gep('%other', source)}, "
                f"i64 {windows['result2']}, i64 {item}, ptr {packed}, i64 {panel}, "
                f"i64 {windows['out']}, i64 {places})"
            )
            text.line(
                f"call void @strips_{vector.element}(ptr {matrix}, i64 {item}, i64 {step}, "
                f"ptr {packed}, i64 {blocks.row_of_panel}, i64 {panel}, "
                f"ptr {text.gep(sums, column)}, i64 {windows['result2']}, i64 {width}, "
                f"i64 {windows['out']}, i64 {places}, i1 true)"
            )
    text.line("ret void")
    return text.text()
