"""LLVM code of products of matrices in tiles, for processors whose vectors are wider than those
that BLAS uses.

A tile is a few rows of the result, one or two vectors wide, in registers: for each inner index, the
elements of a column of ``a`` are spread over vectors and multiplied with a row of ``b``.  Blocks of
``b`` are copied in the order in which tiles read them, and stay in a core's second cache.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.arrays.tile_copies import LINE, aligned, copy_code, lesser
from runtime.engine.llvm.arrays.vectors import Vector, vector_of
from runtime.engine.llvm.builder import SIZE, Address, CodeVariable
from runtime.engine.llvm.text import FunctionText
from runtime.engine.llvm.values import LaneValue
from runtime.engine.llvm.vector_math.processor import Processor
from runtime.engine.llvm.workspace_code import GIVE, TAKE

TILED = "rt_tiled"
_WITH_32_REGISTERS = 64
"""Bytes of the vectors of which processors have 32 registers for sure; else they may have 16."""
INNER, PANELS = 320, 12
"""Rows, and panels of two vectors, of a block of ``b`` that is copied."""

_METADATA = """
!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.unroll.disable"}
"""


def tiled_code(element: str, processor: Processor) -> str:
    """Return the LLVM code for "float" or "double"; its function ``rt_tiled_float`` or
    ``rt_tiled_double`` takes what ``rt_multiply`` takes, and returns False if there is no memory.
    It needs declarations of what gives and takes memory.
    """
    vector = vector_of(element, processor)
    functions = [*tile_functions(vector), *_copying_functions(vector)]
    functions += [_block(vector), _blocks(vector)]
    return "\n".join([*declarations(vector), *functions])


def declarations(vector: Vector) -> list[str]:
    """Return the declarations of what the functions call but what gives and takes memory."""
    lines = [
        line for width in dict.fromkeys((vector, _half(vector))) for line in width.declarations()
    ]
    return [*lines, "declare void @llvm.prefetch.p0(ptr, i32, i32, i32)"]


def tile_functions(vector: Vector) -> list[str]:
    """Return the functions of which products of matrices are made, ``strips`` and ``copy``."""
    texts = [
        _tile(width, rows, count) for rows in rows_of(vector) for width, count in _widths(vector)
    ]
    texts += [_panels(vector, rows) for rows in rows_of(vector)]
    return [*texts, _strips(vector), copy_code(vector), _METADATA]


def _copying_functions(vector: Vector) -> list[str]:
    """Return the functions of the highest tile that copy what they read of ``b``."""
    rows = rows_of(vector)[0]
    texts = [_tile(width, rows, count, copied=2 * vector.bytes) for width, count in _widths(vector)]
    return [*texts, _panels(vector, rows, copies=True)]


def _half(vector: Vector) -> Vector:
    """Return a vector of half the lanes, of which some processors compute two in the same time; of
    a short one, itself.
    """
    if vector.bytes <= 16:
        return vector
    return vector._replace(type=vector.type.with_lanes(vector.lanes // 2))


def _widths(vector: Vector) -> Sequence[tuple[Vector, int]]:
    """Return the vectors of tiles, and how many of them a row of a tile has, from the least on."""
    half = _half(vector)
    return [*([] if half == vector else [(half, 1)]), (vector, 1), (vector, 2)]


def rows_of(vector: Vector) -> Sequence[int]:
    """Return how many rows tiles have; the lower ones are for what is left."""
    return (12, 8, 4, 1) if vector.bytes == _WITH_32_REGISTERS else (6, 2, 1)


# -- tiles ----------------------------------------------------------------------------------------


def _tile_name(vector: Vector, rows: int, count: int, copies: bool = False) -> str:
    name = f"tile_{vector.element}_{rows}_{count}x{vector.lanes}"
    return f"{name}_copying" if copies else name


def _tile(vector: Vector, rows: int, count: int, copied: int = 0) -> str:
    """Return the function of a tile of ``rows`` times ``count`` vectors.

    ``add`` says whether the product is added to ``c``.  Few registers hold addresses of rows of
    ``a``: others are one or two rows from them.  With ``copied``, it copies the rows of ``b`` to
    ``to``, so many bytes apart.
    """
    name, type, size = _tile_name(vector, rows, count, copied > 0), vector.type, vector.bytes
    text = FunctionText(
        f"define internal void @{name}(ptr %a, i64 %am, i64 %ak, ptr %b, i64 %bk, ptr %c, i64 %cm, "
        f"i64 %k, i64 %columns, i1 %add{', ptr %to' if copied else ''}) noinline"
    )
    code = vector.code(text)
    am, ak, b, c = code.value("%am"), code.value("%ak"), code.address("%b"), code.address("%c")
    columns = range(count)
    masks = [code.lanes_below(type, code.value("%columns"), n * vector.lanes) for n in columns]
    cells = [(row, column) for row in range(rows) for column in columns]
    places = [c + (code.value("%cm") * row + column * size) for row, column in cells]
    starts = [code.address("%a") + am * row for row in range(0, rows, 3)]
    offsets: list[LaneValue | int] = [0, am, am * 2]
    for place in places:  # no store waits for its line then
        code.run("llvm.prefetch.p0", place, "i32 1", "i32 3", "i32 1")
    sums = [CodeVariable(code, type) for _ in cells]
    for total in sums:
        total.set("zeroinitializer")
    with text.only_if("%add"):
        for (_, column), place, total in zip(cells, places, sums, strict=True):
            total.set(place.load_lanes(type, masks[column]))
    counter, at_b = CodeVariable(code, SIZE), code.address(text.slot("ptr"))
    counter.set(0)
    at_b.store(b)
    at_a = [code.address(text.slot("ptr")) for _ in starts]
    for at, start in zip(at_a, starts, strict=True):
        at.store(start)
    with text.repeat("loop", "!0") as goes_on:
        number, row_at = counter.get(), at_b.load_address()
        rows_of_a = [_opaque(at.load_address()) for at in at_a]
        row_of_b = [(row_at + column * size).load_lanes(type, masks[column]) for column in columns]
        if copied:
            offset = number * copied
            for column, value in enumerate(row_of_b):
                (code.address("%to") + (offset + column * size)).store(value, size)
        totals = iter(sums)
        for place in [rows_of_a[row // 3] + offsets[row % 3] for row in range(rows)]:
            spread = place.load(type.lane).spread(vector.lanes)
            for value in row_of_b:
                total = next(totals)
                total.set(spread.multiplied_and_added(value, total.get()))
        for at, address in zip(at_a, rows_of_a, strict=True):
            at.store(address + ak)
        at_b.store(row_at + code.value("%bk"))
        counter.set(number + 1)
        goes_on.append((number + 1 < code.value("%k")).name)
    is_whole = code.value("%columns") >= count * vector.lanes
    for stores_all in text.either(is_whole.name):  # masked stores are slow on some processors
        for (_, column), place, total in zip(cells, places, sums, strict=True):
            _store(place, total.get(), None if stores_all else masks[column])
    return code.finish()


def _store(place: Address, value: LaneValue, mask: LaneValue | None) -> None:
    if mask is None:
        place.store(value, value.type.bits // 8)
    else:
        place.store_lanes(value, mask)


def _opaque(address: Address) -> Address:
    """Return an address of which LLVM knows nothing: else it keeps those of all rows in registers,
    more than there are.
    """
    code = address.code
    return code.address(code.text.value(f'call ptr asm "", "=r,0"(ptr {address})'))


# -- loops over tiles -----------------------------------------------------------------------------


def panels_name(vector: Vector, rows: int, copies: bool = False) -> str:
    """Return the name of the function that multiplies so many rows with a block of ``b``."""
    name = f"panels_{vector.element}_{rows}"
    return f"{name}_copying" if copies else name


def _panels(vector: Vector, rows: int, copies: bool = False) -> str:
    """Return the function that multiplies some rows of ``a`` with a block of ``b``, whose panels,
    each two vectors wide, are ``panel`` bytes apart.  With ``copies``, it copies them to ``to``,
    where they are ``to_panel`` bytes apart.
    """
    code = vector.code(FunctionText(
        f"define internal void @{panels_name(vector, rows, copies)}(ptr %a, i64 %am, i64 %ak, "
        "ptr %b, i64 %bk, i64 %panel, ptr %c, i64 %cm, i64 %n, i64 %k, i1 %add"
        f"{', ptr %to, i64 %to_panel' if copies else ''}) noinline"
    ))  # fmt: skip
    wide, n = 2 * vector.lanes, code.value("%n")
    with code.each(n.divided_up(wide)) as panel:
        first = panel * wide
        at_c = code.address("%c") + first * vector.item
        at_b = code.address("%b") + panel * code.value("%panel")
        columns = lesser(n - first, wide)
        args = ["ptr %a, i64 %am, i64 %ak", at_b, "i64 %bk", at_c, "i64 %cm, i64 %k", columns]
        args.append("i1 %add")
        if copies:
            args.append(code.address("%to") + panel * code.value("%to_panel"))
        least = 0
        for width, count in _widths(vector):
            is_wider = columns > least
            least = width.lanes * count
            with code.only_if(is_wider & (columns <= least)):
                code.run(_tile_name(width, rows, count, copies), *args)
    return code.finish()


def each_strip(vector: Vector, count: LaneValue) -> Iterator[tuple[int, LaneValue, LaneValue]]:
    """Run the lines that are added meanwhile for the rows of each tile, of so many rows: a loop for
    each height of tiles.  Give the height, the rows before, and the tiles before.
    """
    code = vector.code(count.text)
    done = ordinal = code.value(0)
    for rows in rows_of(vector):
        tiles = (count - done) // rows
        with code.each(tiles) as number:
            before = done + number * rows
            yield rows, before, ordinal + number
        done = done + tiles * rows
        ordinal = ordinal + tiles


def _strips(vector: Vector) -> str:
    """Return the function that multiplies all rows of ``a`` with a block of ``b``."""
    code = vector.code(FunctionText(
        f"define internal void @strips_{vector.element}(ptr %a, i64 %am, i64 %ak, ptr %b, i64 %bk, "
        "i64 %panel, ptr %c, i64 %cm, i64 %m, i64 %n, i64 %k, i1 %add) noinline"
    ))  # fmt: skip
    for rows, row, _ in each_strip(vector, code.value("%m")):
        at_a = code.address("%a") + row * code.value("%am")
        at_c = code.address("%c") + row * code.value("%cm")
        code.run(
            panels_name(vector, rows), at_a, "i64 %am, i64 %ak, ptr %b, i64 %bk, i64 %panel",
            at_c, "i64 %cm, i64 %n, i64 %k, i1 %add",
        )  # fmt: skip
    return code.finish()


def _block(vector: Vector) -> str:
    """Return the function that multiplies all rows of ``a`` with a block of ``b``.

    Its copy is put at ``to``, if that is not null: tiles of the first rows copy what they read, if
    the elements of rows of ``b`` follow one another; else it is copied before.
    """
    wide, high, kind = 2 * vector.bytes, rows_of(vector)[0], vector.element
    text = FunctionText(
        f"define internal void @block_{kind}(ptr %a, i64 %am, i64 %ak, ptr %b, i64 %bk, i64 %bn, "
        "ptr %c, i64 %cm, i64 %m, i64 %n, i64 %k, i1 %add, ptr %to)"
    )
    code = vector.code(text)
    size = code.value("%k") * wide
    copies = size.emit("icmp ne ptr %to, null", ir.BOOL)
    follows = code.value("%bn") == vector.item
    at_once = copies & follows
    with code.only_if(~follows):
        code.run(f"copy_{kind}", "ptr %b, i64 %bk, i64 %bn, ptr %to", size, "i64 %n, i64 %k")
    with code.only_if(at_once):
        code.run(
            panels_name(vector, high, copies=True), "ptr %a, i64 %am, i64 %ak, ptr %b, i64 %bk",
            f"i64 {wide}", "ptr %c, i64 %cm, i64 %n, i64 %k, i1 %add, ptr %to", size,
        )  # fmt: skip
    done = at_once.choose(size.constant(high), 0)
    source = text.value(f"select i1 {copies}, ptr %to, ptr %b")
    step = copies.choose(wide, code.value("%bk"))
    panel = copies.choose(size, wide)
    at_a = code.address("%a") + done * code.value("%am")
    at_c = code.address("%c") + done * code.value("%cm")
    code.run(
        f"strips_{kind}", at_a, "i64 %am, i64 %ak", f"ptr {source}", step, panel, at_c, "i64 %cm",
        code.value("%m") - done, "i64 %n, i64 %k, i1 %add",
    )  # fmt: skip
    return code.finish()


def _blocks(vector: Vector) -> str:
    """Return the function of a product: the loops over blocks of ``b``, which are copied unless
    only a tile or two read them as they are.
    """
    item, columns = vector.item, 2 * vector.lanes * PANELS
    text = FunctionText(
        f"define i1 @{TILED}_{vector.element}(ptr %a, i64 %am, i64 %ak, ptr %b, i64 %bk, i64 %bn, "
        "ptr %c, i64 %m, i64 %n, i64 %k)"
    )
    code = vector.code(text)
    follows = code.value("%bn") == item
    few = code.value("%m") < 2 * rows_of(vector)[0]
    copies = ~(follows & few)
    buffer = code.address(text.slot("ptr", "null"))
    with code.only_if(copies):
        memory = code.address(text.call("ptr", TAKE, f"i64 {INNER * columns * item + LINE}"))
        buffer.store(memory)
        code.give_if(memory.is_null(), "i1 false", None)
    place = aligned(buffer.load_address())
    m, n, k = (code.value(name) for name in ("%m", "%n", "%k"))
    cm = n * item
    with code.each(n.divided_up(columns)) as over_n:
        first = over_n * columns
        width = lesser(n - first, columns)
        b = code.address("%b") + first * code.value("%bn")
        c = code.address("%c") + first * item
        with code.each(k.divided_up(INNER)) as over_k:
            inner = over_k * INNER
            height = lesser(k - inner, INNER)
            at_a = code.address("%a") + inner * code.value("%ak")
            at_b = b + inner * code.value("%bk")
            add = over_k != 0
            code.run(
                f"block_{vector.element}", at_a, "i64 %am, i64 %ak", at_b, "i64 %bk, i64 %bn", c,
                cm, m, width, height, add, place,
            )  # fmt: skip
    text.call("void", GIVE, f"ptr {buffer.load_address()}")
    return code.finish("i1 true")
