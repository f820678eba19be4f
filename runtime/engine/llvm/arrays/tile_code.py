"""LLVM code of products of matrices in tiles, for processors whose vectors are wider than those
that BLAS uses.

A tile is a few rows of the result, one or two vectors wide, in registers: for each inner index, the
elements of a column of ``a`` are spread over vectors and multiplied with a row of ``b``.  Blocks of
``b`` are copied in the order in which tiles read them, and stay in a core's second cache.
"""

from __future__ import annotations

from collections.abc import Sequence

from runtime.engine.llvm.arrays.tile_copies import copy_code, divided_up, lesser, turn_code
from runtime.engine.llvm.arrays.vector_text import Vector, vector_of
from runtime.engine.llvm.text import FunctionText
from runtime.engine.llvm.vector_math.processor import Processor

TILED = "rt_tiled"
_WITH_32_REGISTERS = 64
"""Bytes of the vectors of which processors have 32 registers for sure; else they may have 16."""
INNER, PANELS = 320, 12
"""Rows, and panels of two vectors, of a block of ``b`` that is copied."""
_FEW = 48
"""Up to so many rows of ``a``, a copy of ``b`` does not pay."""


_METADATA = """
!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.unroll.disable"}
"""


def tiled_code(element: str, processor: Processor) -> str:
    """Return the LLVM code for "float" or "double"; its function ``rt_tiled_float`` or
    ``rt_tiled_double`` takes what ``rt_multiply`` takes, and returns False if there is no memory.
    It needs declarations of ``malloc`` and ``free``.
    """
    vector = vector_of(element, processor)
    return "\n".join([*declarations(vector), *tile_functions(vector), _blocks(vector)])


def declarations(vector: Vector) -> list[str]:
    """Return the declarations of what the functions call but ``malloc`` and ``free``."""
    return [line for one in dict.fromkeys((vector, _half(vector))) for line in one.declarations()]


def tile_functions(vector: Vector) -> list[str]:
    """Return the functions of which products of matrices are made, ``strips`` and ``copy``."""
    texts = [
        _tile(one, rows, count) for rows in rows_of(vector) for one, count in _widths(vector)
    ]
    texts += [turn_code(vector, rows) for rows in rows_of(vector)]
    return [*texts, _strips(vector), copy_code(vector), _METADATA]


def _half(vector: Vector) -> Vector:
    """Return a vector of half the lanes, of which some processors compute two in the same time; of
    a short one, itself.
    """
    return vector._replace(lanes=vector.lanes // 2) if vector.bytes > 16 else vector


def _widths(vector: Vector) -> Sequence[tuple[Vector, int]]:
    """Return the vectors of tiles, and how many of them a row of a tile has, from the least on."""
    half = _half(vector)
    return [*([] if half == vector else [(half, 1)]), (vector, 1), (vector, 2)]


def rows_of(vector: Vector) -> Sequence[int]:
    """Return how many rows tiles have; the lower ones are for what is left."""
    return (12, 8, 4, 1) if vector.bytes == _WITH_32_REGISTERS else (6, 2, 1)


# -- tiles ----------------------------------------------------------------------------------------


def _tile_name(vector: Vector, rows: int, count: int) -> str:
    return f"tile_{vector.element}_{rows}_{count}x{vector.lanes}"


def _tile(vector: Vector, rows: int, count: int) -> str:
    """Return the function of a tile of ``rows`` times ``count`` vectors.

    The elements of a column of ``a`` follow one another; columns are ``step`` bytes apart.  ``add``
    says whether the product is added to ``c``.
    """
    name, kind = _tile_name(vector, rows, count), vector.type
    text = FunctionText(
        f"define internal void @{name}(ptr %a, i64 %step, ptr %b, i64 %bk, ptr %c, i64 %cm, "
        "i64 %k, i64 %columns, i1 %add) noinline"
    )
    masks = [vector.mask(text, "%columns", part * vector.lanes) for part in range(count)]
    cells = [(row, part) for row in range(rows) for part in range(count)]
    places = [_place(text, vector, *cell) for cell in cells]
    text.line("br i1 %add, label %old, label %loop")
    text.start("old")
    olds = [
        vector.load(text, place, masks[part])
        for (_, part), place in zip(cells, places, strict=True)
    ]
    text.line("br label %loop")
    text.start("loop")
    counter, at_a, at_b = (text.name() for _ in range(3))
    sums, nexts = [text.name() for _ in cells], [text.name() for _ in cells]
    text.line(f"{counter} = phi i64 [0, %entry], [0, %old], [{counter}.next, %loop]")
    text.line(f"{at_a} = phi ptr [%a, %entry], [%a, %old], [{at_a}.next, %loop]")
    text.line(f"{at_b} = phi ptr [%b, %entry], [%b, %old], [{at_b}.next, %loop]")
    for total, old, new in zip(sums, olds, nexts, strict=True):
        text.line(f"{total} = phi {kind} [zeroinitializer, %entry], [{old}, %old], [{new}, %loop]")
    size = vector.bytes
    row_of_b = [
        vector.load(text, text.moved(at_b, str(part * size)), masks[part])
        for part in range(count)
    ]
    for row in range(rows):
        place = text.moved(at_a, str(row * vector.item))
        element = text.value(f"load {vector.element}, ptr {place}")
        spread = vector.spread(text, element)
        for part in range(count):
            cell = cells.index((row, part))
            text.line(
                f"{nexts[cell]} = "
                + vector.multiplied_and_added(spread, row_of_b[part], sums[cell])
            )
    text.line(f"{at_a}.next = getelementptr i8, ptr {at_a}, i64 %step")
    text.line(f"{at_b}.next = getelementptr i8, ptr {at_b}, i64 %bk")
    text.line(f"{counter}.next = add i64 {counter}, 1")
    more = text.value(f"icmp ult i64 {counter}.next, %k")
    text.line(f"br i1 {more}, label %loop, label %end, !llvm.loop !0")
    text.start("end")
    for (_, part), place, new in zip(cells, places, nexts, strict=True):
        vector.store(text, new, place, masks[part])
    text.line("ret void")
    return text.text()


def _place(text: FunctionText, vector: Vector, row: int, part: int) -> str:
    """Return the address of a vector of the result."""
    offset = text.value(f"mul i64 %cm, {row}")
    return text.moved("%c", text.value(f"add i64 {offset}, {part * vector.lanes * vector.item}"))


# -- loops over tiles -----------------------------------------------------------------------------


def _strips(vector: Vector) -> str:
    """Return the function that multiplies all rows of ``a`` with a block of ``b``.

    ``panel`` is the distance of two panels of ``b``, each two vectors wide.  Where the elements of
    rows of ``a`` follow one another (``turn``), they are copied column by column.  They may have
    been copied before (``turned``), the rows of each tile by themselves; ``from`` is the first
    column then.
    """
    text = FunctionText(
        f"define internal void @strips_{vector.element}(ptr %a, i64 %am, i64 %ak, ptr %b, i64 %bk, "
        "i64 %panel, ptr %c, i64 %cm, i64 %m, i64 %n, i64 %k, i1 %turn, i1 %add, i1 %turned, "
        "i64 %from) noinline"
    )
    strip = text.slot(f"[{rows_of(vector)[0] * INNER} x {vector.element}]")
    done = "0"
    for rows in rows_of(vector):
        left = text.value(f"sub i64 %m, {done}")
        count = text.value(f"udiv i64 {left}, {rows}")
        in_columns = text.value("or i1 %turn, %turned")
        step = text.value(f"select i1 {in_columns}, i64 {rows * vector.item}, i64 %ak")
        before = text.value(f"mul i64 %from, {rows * vector.item}")
        before = text.value(f"select i1 %turned, i64 {before}, i64 0")
        with text.counted(count) as number:
            row = text.value(f"add i64 {done}, {text.value(f'mul i64 {number}, {rows}')}")
            at_a = text.moved("%a", text.value(f"mul i64 {row}, %am"))
            at_a = text.moved(at_a, before)
            at_c = text.moved("%c", text.value(f"mul i64 {row}, %cm"))
            with text.only_if("%turn"):
                name = f"turn_{vector.element}_{rows}"
                text.line(f"call void @{name}(ptr {at_a}, i64 %am, ptr {strip}, i64 %k)")
            source = text.value(f"select i1 %turn, ptr {strip}, ptr {at_a}")
            _panels(text, vector, rows, source, step, at_c)
        done = text.value(f"add i64 {done}, {text.value(f'mul i64 {count}, {rows}')}")
    text.line("ret void")
    return text.text()


def _panels(
    text: FunctionText, vector: Vector, rows: int, at_a: str, step: str, at_c: str
) -> None:
    """Multiply some rows of ``a`` with a block of ``b``, panel by panel."""
    wide = 2 * vector.lanes
    with text.counted(divided_up(text, "%n", wide)) as panel:
        first = text.value(f"mul i64 {panel}, {wide}")
        here = text.moved(at_c, text.value(f"mul i64 {first}, {vector.item}"))
        at_b = text.moved("%b", text.value(f"mul i64 {panel}, %panel"))
        columns = lesser(text, text.value(f"sub i64 %n, {first}"), str(wide))
        args = (
            f"ptr {at_a}, i64 {step}, ptr {at_b}, i64 %bk, ptr {here}, i64 %cm, i64 %k, "
            f"i64 {columns}, i1 %add"
        )
        least = "0"
        for one, count in _widths(vector):
            more = text.value(f"icmp ugt i64 {columns}, {least}")
            least = str(one.lanes * count)
            fits = text.value(f"icmp ule i64 {columns}, {least}")
            with text.only_if(text.value(f"and i1 {more}, {fits}")):
                text.line(f"call void @{_tile_name(one, rows, count)}({args})")


def _blocks(vector: Vector) -> str:
    """Return the function of a product: the loops over blocks of ``b``."""
    wide, item = 2 * vector.lanes, vector.item
    text = FunctionText(
        f"define i1 @{TILED}_{vector.element}(ptr %a, i64 %am, i64 %ak, ptr %b, i64 %bk, i64 %bn, "
        "ptr %c, i64 %m, i64 %n, i64 %k)"
    )
    columns = wide * PANELS
    follows = text.value(f"icmp eq i64 %bn, {item}")
    few = text.value(f"icmp ule i64 %m, {_FEW}")
    direct = text.value(f"and i1 {follows}, {few}")
    buffer = text.slot("ptr", "null")
    start, out = text.label("start"), text.label("out")
    with text.only_if(text.value(f"xor i1 {direct}, true")):
        made = text.call("ptr", "malloc", f"i64 {INNER * columns * item}")
        text.line(f"store ptr {made}, ptr {buffer}")
        text.branch(text.value(f"icmp eq ptr {made}, null"), out, start)
        text.start(start)
    place = text.value(f"load ptr, ptr {buffer}")
    cm = text.value(f"mul i64 %n, {item}")
    by_rows = text.value(f"icmp eq i64 %ak, {item}")
    by_rows = text.value(f"or i1 {by_rows}, {text.value('icmp eq i64 %k, 1')}")
    with text.counted(divided_up(text, "%n", columns)) as over_n:
        first = text.value(f"mul i64 {over_n}, {columns}")
        n = lesser(text, text.value(f"sub i64 %n, {first}"), str(columns))
        b = text.moved("%b", text.value(f"mul i64 {first}, %bn"))
        c = text.moved("%c", text.value(f"mul i64 {first}, {item}"))
        with text.counted(divided_up(text, "%k", INNER)) as over_k:
            inner = text.value(f"mul i64 {over_k}, {INNER}")
            k = lesser(text, text.value(f"sub i64 %k, {inner}"), str(INNER))
            at_a = text.moved("%a", text.value(f"mul i64 {inner}, %ak"))
            at_b = text.moved(b, text.value(f"mul i64 {inner}, %bk"))
            size = text.value(f"mul i64 {k}, {wide * item}")
            with text.only_if(text.value(f"xor i1 {direct}, true")):
                text.line(
                    f"call void @copy_{vector.element}(ptr {at_b}, i64 %bk, i64 %bn, ptr {place}, "
                    f"i64 {size}, i64 {n}, i64 {k})"
                )
            source = text.value(f"select i1 {direct}, ptr {at_b}, ptr {place}")
            bk = text.value(f"select i1 {direct}, i64 %bk, i64 {wide * item}")
            panel = text.value(f"select i1 {direct}, i64 {wide * item}, i64 {size}")
            add = text.value(f"icmp ne i64 {over_k}, 0")
            text.line(
                f"call void @strips_{vector.element}(ptr {at_a}, i64 %am, i64 %ak, ptr {source}, "
                f"i64 {bk}, i64 {panel}, ptr {c}, i64 {cm}, i64 %m, i64 {n}, i64 {k}, "
                f"i1 {by_rows}, i1 {add}, i1 false, i64 0)"
            )
    text.call("void", "free", f"ptr {place}")
    text.line("ret i1 true")
    text.start(out)
    text.line("ret i1 false")
    return text.text()
