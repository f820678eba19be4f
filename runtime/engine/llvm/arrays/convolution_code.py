"""LLVM code shared by all graphs: convolutions, and gradients with respect to filters, as products
of windows with filters, or with gradients.

Windows are multiplied in tiles, a block of places at a time: they are read where they lie in the
input, or are copied side by side into a matrix, where they reach over an edge.  The filters are
copied once, in the order in which tiles read them.  All arrays lie row by row.  The gradient with
respect to the input is made of convolutions (windowed.py).
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
    ARGUMENTS,
    MISSING,
    entry_function,
    run_tasks,
    task_function,
    tasks_code,
)
from runtime.engine.llvm.arrays.tile_code import (
    INNER,
    PANELS,
    declarations,
    each_strip,
    panels_name,
    tile_functions,
)
from runtime.engine.llvm.arrays.tile_copies import LINE, aligned
from runtime.engine.llvm.arrays.vectors import Vector, vector_of
from runtime.engine.llvm.arrays.window_copies import (
    COPY_WINDOWS,
    ENTRY,
    FIND_WINDOWS,
    offset_in_input,
    runs_of,
    window_copies,
)
from runtime.engine.llvm.arrays.window_loops import Windows
from runtime.engine.llvm.builder import Address, Builder
from runtime.engine.llvm.values import LaneValue
from runtime.engine.llvm.vector_math.processor import Processor
from runtime.engine.llvm.workspace_code import GIVE, TAKE

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
        tasks_code(), "declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)",
        "declare i64 @llvm.umax.i64(i64, i64)", "declare i64 @llvm.umin.i64(i64, i64)",
        *declarations(vector), *tile_functions(vector), *window_copies(vector),
        _convolve(vector), _convolve_block(vector), _to_filters(vector), _add_blocks(vector),
        *depthwise_functions(vector, DEPTHWISE, DEPTHWISE_TO_FILTERS),
    ])  # fmt: skip


class _PlaceBlocks:
    """Code of a function that goes over blocks of places."""

    def __init__(self, code: Builder, vector: Vector) -> None:
        self.code = code
        self.vector = vector
        self.windows = windows = Windows(code)
        self.width = windows.product("window0", "window1", "window2", "depth")
        self.places = windows.rows * windows["places2"]
        self.pixel = windows.channels * vector.item
        self.group_bytes = windows["depth"] * vector.item
        self.is_direct = windows.are_pixels()
        """Whether the windows are the pixels themselves."""
        most = _least(code.value(BLOCK) // self.width, _MOST)
        self.most = most.call("umax", most.constant(_LEAST))
        numbers = self.most * self.width * vector.item
        self.matrix_bytes = (numbers + 7) & -8
        """What the matrix of the windows takes; a table of words may follow."""
        lanes = 2 * vector.lanes
        self.panels = windows["out"].divided_up(lanes)
        self.row_of_panel = lanes * vector.item

    def block_count(self, number: LaneValue) -> LaneValue:
        """Return how many blocks so many places are."""
        return (number + self.most - 1) // self.most

    def lines(self) -> LaneValue:
        """Return the number of places whose results are all as far apart: all, or those of a row.
        """
        windows = self.windows
        outer_strides = ("result1", "result0", "result_image")
        inner_extents = (("places2", "result2"), ("places1", "result1"), ("places0", "result0"))
        dense = self.code.all_hold([
            windows.product(*pair) == windows[outer]
            for pair, outer in zip(inner_extents, outer_strides, strict=True)
        ])
        return dense.choose(self.places, windows["places2"])

    def allocate(self, size: LaneValue) -> Address:
        """Return memory, with room to align it; the function returns if there is none."""
        text = self.code.text
        memory = self.code.address(text.call("ptr", TAKE, f"i64 {size + LINE}"))
        self.code.give_if(memory.is_null(), f"i32 {MISSING}", None)
        return memory

    def matrix(
        self, group: LaneValue, first: LaneValue, count: LaneValue
    ) -> tuple[Address, LaneValue]:
        """Return the address of the matrix of some windows, and the distance of its rows."""
        code, is_direct = self.code, self.is_direct
        with code.only_if(~is_direct):
            code.run(
                f"{COPY_WINDOWS}_{self.vector.element}", "ptr %x, ptr %scratch, ptr %words",
                "i64 %batch", group, first, count,
            )  # fmt: skip
        channel = group * self.group_bytes
        itself = code.address("%x") + (first * self.pixel + channel)
        matrix = code.text.value(f"select i1 {is_direct}, ptr {itself}, ptr %scratch")
        row = self.width * self.vector.item
        return code.address(matrix), is_direct.choose(self.pixel, row)


def _least(x: LaneValue, y: LaneValue | int) -> LaneValue:
    return x.call("umin", x.same(y))


def _packed_sizes(blocks: _PlaceBlocks) -> tuple[LaneValue, LaneValue]:
    """Return the bytes of the copied filters of a group, and of a panel of them."""
    panel = blocks.width * blocks.row_of_panel
    return blocks.panels * panel, panel


def _convolve(vector: Vector) -> str:
    """Return the function of a convolution: for each group and each block of places, a product."""
    code = vector.code(entry_function(f"{CONVOLVE}_{vector.element}"))
    blocks = _PlaceBlocks(code, vector)
    windows, (of_group, panel) = blocks.windows, _packed_sizes(blocks)
    memory = blocks.allocate(windows["groups"] * of_group)
    packed = aligned(memory)
    _pack(blocks, packed, of_group, panel)
    line = blocks.lines()
    lines = blocks.places // line
    count = lines * blocks.block_count(line)
    task = f"convolve_block_{vector.element}"
    scratch = blocks.matrix_bytes + blocks.most * ENTRY
    status = run_tasks(code.text, task, count.name, [*ARGUMENTS, f"ptr {packed}"], scratch.name)
    code.run(GIVE, memory)
    return code.finish(f"i32 {status}")


def _convolve_block(vector: Vector) -> str:
    """Return the function of a task: one block of places."""
    code = vector.code(task_function(
        f"convolve_block_{vector.element}", [*ARGUMENTS, "ptr %packed"]
    ))
    blocks = _PlaceBlocks(code, vector)
    line, task = blocks.lines(), code.value("%task")
    count = blocks.block_count(line)
    start = task // count * line
    done = task % count * blocks.most
    places = _least(line - done, blocks.most)
    _multiply(blocks, start + done, places)
    return code.finish()


def _pack(blocks: _PlaceBlocks, packed: Address, of_group: LaneValue, panel: LaneValue) -> None:
    """Copy the filters: for each group, panels of columns."""
    code, windows = blocks.code, blocks.windows
    with code.each(windows["groups"]) as group:
        to = packed + group * of_group
        start = windows["filter_start"] + group * windows["filter_group"]
        with (
            code.each(windows["window0"]) as i, code.each(windows["window1"]) as j,
            code.each(windows["window2"]) as k,
        ):  # fmt: skip
            ordinal = (i * windows["window1"] + j) * windows["window2"] + k
            x, y, z = (n * windows[f"filter{axis}"] for axis, n in enumerate((i, j, k)))
            source = code.address("%other") + (start + x + y + z)
            row = windows.product(ordinal, "depth", blocks.row_of_panel)
            code.run(
                f"copy_{blocks.vector.element}", source, windows["filter_depth"],
                windows["filter_out"], to + row, panel, windows["out"], windows["depth"],
            )  # fmt: skip


def _multiply(blocks: _PlaceBlocks, first: LaneValue, places: LaneValue) -> None:
    """Multiply the windows of some places, whose results are ``result2`` apart, with filters."""
    code, windows, item = blocks.code, blocks.windows, blocks.vector.item
    of_group, panel = _packed_sizes(blocks)
    result = windows.at_place("%result", *windows.decode(first))
    runs = runs_of(windows)
    table = code.address("%scratch") + blocks.matrix_bytes
    most_columns = PANELS * blocks.row_of_panel // item
    with code.each(windows["groups"]) as group:
        code.run(
            f"{FIND_WINDOWS}_{blocks.vector.element}", "ptr %x, ptr %scratch, ptr %words",
            "i64 %batch", group, first, places, table,
        )  # fmt: skip
        to = result + windows.product(group, "out", item)
        filters = code.address("%packed") + group * of_group
        with (
            code.each(blocks.panels.divided_up(PANELS)) as over_n, code.each(runs.counts[0]) as i,
            code.each(runs.counts[1]) as j, code.each(runs.counts[2]) as k,
        ):  # fmt: skip
            columns = over_n * most_columns
            ordinal = runs.ordinal((i, j, k)) * runs.length
            panels = filters + over_n * PANELS * panel
            n = _least(windows["out"] - columns, most_columns)
            offset = offset_in_input(windows, blocks.vector, (i, j, k))
            with code.each(runs.length.divided_up(INNER)) as over_k:
                begin = over_k * INNER
                done = ordinal + begin
                _multiply_strips(blocks, table, places, _Part(
                    offset + begin * item, done * item, panels + done * blocks.row_of_panel, panel,
                    to + columns * item, n, _least(runs.length - begin, INNER), done != 0,
                ))  # fmt: skip


class _Part(NamedTuple):
    """Part of a product: offsets of the windows in the input and in copies, address of filters,
    distance of their panels, address of results, columns, rows of filters, and whether products
    are added to the results.
    """

    in_input: LaneValue
    in_copy: LaneValue
    filters: Address
    panel: LaneValue
    result: Address
    columns: LaneValue
    inner: LaneValue
    adds: LaneValue


def _multiply_strips(blocks: _PlaceBlocks, table: Address, places: LaneValue, block: _Part) -> None:
    """Multiply the windows of some places with a block of filters, tile by tile."""
    code, windows, vector = blocks.code, blocks.windows, blocks.vector
    for rows, before, strip in each_strip(vector, places):
        entry = table + strip * ENTRY
        address = entry.load_address()
        step = (entry + 8).load()
        flag = (entry + 16).load()
        offset = (flag != 0).choose(block.in_input, block.in_copy)
        to = block.result + before * windows["result2"]
        code.run(
            panels_name(vector, rows), address + offset, step, f"i64 {vector.item}", block.filters,
            f"i64 {blocks.row_of_panel}", block.panel, to, windows["result2"], block.columns,
            block.inner, block.adds,
        )  # fmt: skip


def _parts(blocks: _PlaceBlocks) -> LaneValue:
    """Return in how many parts the blocks are added up, for any number of threads."""
    wanted_parts = blocks.block_count(blocks.places) // _BLOCKS_OF_PART
    return _least(wanted_parts.call("umax", wanted_parts.constant(1)), _MOST_PARTS)


def _to_filters(vector: Vector) -> str:
    """Return the function of the gradient with respect to filters: ``%other`` is that of the
    results.  Products of blocks of places are added up, in parts that are added up in the end.
    """
    code = vector.code(entry_function(f"{TO_FILTERS}_{vector.element}"))
    blocks = _PlaceBlocks(code, vector)
    windows, part_count = blocks.windows, _parts(blocks)
    size, result = blocks.width * windows["result2"], code.address("%result")
    sums = blocks.allocate(part_count * size)
    packed = blocks.panels * blocks.most * blocks.row_of_panel
    scratch = blocks.matrix_bytes + packed + LINE
    task = f"add_blocks_{vector.element}"
    status = run_tasks(code.text, task, part_count.name, [*ARGUMENTS, f"ptr {sums}"], scratch.name)
    code.run("llvm.memset.p0.i64", result, "i8 0", size, "i1 false")
    count = size.divided_up(vector.bytes)
    with code.each(part_count) as number, code.each(count) as vector_number:
        offset = vector_number * vector.bytes
        remaining = (size - offset) // vector.item
        mask = code.lanes_below(vector.type, _least(remaining, vector.lanes))
        source, target = sums + (number * size + offset), result + offset
        value = source.load_lanes(vector.type, mask)
        target.store_lanes(target.load_lanes(vector.type, mask) + value, mask)
    code.run(GIVE, sums)
    return code.finish(f"i32 {status}")


def _add_blocks(vector: Vector) -> str:
    """Return the function of a task: products of the blocks of one part, added up."""
    code = vector.code(task_function(f"add_blocks_{vector.element}", [*ARGUMENTS, "ptr %sums"]))
    blocks = _PlaceBlocks(code, vector)
    windows, width, item, part_count = blocks.windows, blocks.width, vector.item, _parts(blocks)
    size, task = width * windows["result2"], code.value("%task")
    sums = code.address("%sums") + task * size
    code.run("llvm.memset.p0.i64", sums, "i8 0", size, "i1 false")
    panel = blocks.most * blocks.row_of_panel
    packed = aligned(code.address("%scratch") + blocks.matrix_bytes)
    count = blocks.block_count(blocks.places)
    begin = count * task // part_count
    following = count * (task + 1)
    with code.each(following // part_count, begin) as block:
        first = block * blocks.most
        places = _least(blocks.places - first, blocks.most)
        with code.each(windows["groups"]) as group:
            matrix, step = blocks.matrix(group, first, places)
            column = windows.product(group, "out", item)
            source = code.address("%other") + (first * windows["result2"] + column)
            code.run(
                f"copy_{vector.element}", source, windows["result2"], f"i64 {item}", packed, panel,
                windows["out"], places,
            )  # fmt: skip
            code.run(
                f"strips_{vector.element}", matrix, f"i64 {item}", step, packed,
                f"i64 {blocks.row_of_panel}", panel, sums + column, windows["result2"], width,
                windows["out"], places, "i1 true",
            )  # fmt: skip
    return code.finish()
