"""LLVM code of products of matrices in tiles, for processors whose vectors are wider than those
that BLAS uses.

A tile is a few rows of the result, one or two vectors wide, in registers: for each inner index, the
elements of a column of ``a`` are spread over vectors and multiplied with a row of ``b``.  Blocks of
``b`` are copied in the order in which tiles read them, and stay in a core's second cache.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from runtime.engine.llvm.arrays.tile_copies import LINE, aligned, copy_code, divided_up, lesser
from runtime.engine.llvm.arrays.vector_text import Vector, vector_of
from runtime.engine.llvm.text import FunctionText
from runtime.engine.llvm.vector_math.processor import Processor

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
    It needs declarations of ``malloc`` and ``free``.
    """
    vector = vector_of(element, processor)
    functions = [*tile_functions(vector), *_copying_functions(vector)]
    functions += [_block(vector), _blocks(vector)]
    return "\n".join([*declarations(vector), *functions])


def declarations(vector: Vector) -> list[str]:
    """Return the declarations of what the functions call but ``malloc`` and ``free``."""
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
    texts = [
        _tile(width, rows, count, copied=2 * vector.bytes) for width, count in _widths(vector)
    ]
    return [*texts, _panels(vector, rows, copies=True)]


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


def _tile_name(vector: Vector, rows: int, count: int, copies: bool = False) -> str:
    name = f"tile_{vector.element}_{rows}_{count}x{vector.lanes}"
    return f"{name}_copying" if copies else name


def _tile(vector: Vector, rows: int, count: int, copied: int = 0) -> str:
    """Return the function of a tile of ``rows`` times ``count`` vectors.

    ``add`` says whether the product is added to ``c``.  Few registers hold addresses of rows of
    ``a``: others are one or two rows from them.  With ``copied``, it copies the rows of ``b`` to
    ``to``, so many bytes apart.
    """
    name, kind = _tile_name(vector, rows, count, copied > 0), vector.type
    text = FunctionText(
        f"define internal void @{name}(ptr %a, i64 %am, i64 %ak, ptr %b, i64 %bk, ptr %c, i64 %cm, "
        f"i64 %k, i64 %columns, i1 %add{', ptr %to' if copied else ''}) noinline"
    )
    masks = [vector.mask(text, "%columns", column * vector.lanes) for column in range(count)]
    cells = [(row, column) for row in range(rows) for column in range(count)]
    places = [_place(text, vector, *cell) for cell in cells]
    starts = [text.gep("%a", text.value(f"mul i64 %am, {row}")) for row in range(0, rows, 3)]
    at_a = [text.name() for _ in starts]
    offsets = ["0", "%am", text.value("mul i64 %am, 2")]
    for place in places:  # no store waits for its line then
        text.call("void", "llvm.prefetch.p0", f"ptr {place}", "i32 1", "i32 3", "i32 1")
    text.line("br i1 %add, label %old, label %loop")
    text.start("old")
    olds = [
        vector.load(text, place, masks[column])
        for (_, column), place in zip(cells, places, strict=True)
    ]
    text.line("br label %loop")
    text.start("loop")
    counter, at_b = text.name(), text.name()
    sums, nexts = [text.name() for _ in cells], [text.name() for _ in cells]
    text.line(f"{counter} = phi i64 [0, %entry], [0, %old], [{counter}.next, %loop]")
    for at, first in zip(at_a, starts, strict=True):
        text.line(f"{at} = phi ptr [{first}, %entry], [{first}, %old], [{at}.next, %loop]")
    text.line(f"{at_b} = phi ptr [%b, %entry], [%b, %old], [{at_b}.next, %loop]")
    for total, old, new in zip(sums, olds, nexts, strict=True):
        text.line(f"{total} = phi {kind} [zeroinitializer, %entry], [{old}, %old], [{new}, %loop]")
    addresses = [_opaque(text, at) for at in at_a]
    size = vector.bytes
    row_of_b = [
        vector.load(text, text.gep(at_b, str(column * size)), masks[column])
        for column in range(count)
    ]
    if copied:
        offset = text.value(f"mul i64 {counter}, {copied}")
        for column, value in enumerate(row_of_b):
            to = text.gep("%to", text.value(f"add i64 {offset}, {column * size}"))
            text.line(f"store {kind} {value}, ptr {to}, align {size}")
    places_of_a = [text.gep(addresses[row // 3], offsets[row % 3]) for row in range(rows)]
    _add_products(text, vector, places_of_a, row_of_b, zip(nexts, sums, strict=True))
    for at, address in zip(at_a, addresses, strict=True):
        text.line(f"{at}.next = getelementptr i8, ptr {address}, i64 %ak")
    text.line(f"{at_b}.next = getelementptr i8, ptr {at_b}, i64 %bk")
    text.line(f"{counter}.next = add i64 {counter}, 1")
    continues = text.value(f"icmp ult i64 {counter}.next, %k")
    text.line(f"br i1 {continues}, label %loop, label %end, !llvm.loop !0")
    text.start("end")
    for (_, column), place, new in zip(cells, places, nexts, strict=True):
        vector.store(text, new, place, masks[column])
    text.line("ret void")
    return text.text()


def _add_products(
    text: FunctionText, vector: Vector, places: Sequence[str], row_of_b: Sequence[str],
    cells: Iterator[tuple[str, str]],
) -> None:  # fmt: skip
    """Multiply each element of a column of ``a`` with a row of ``b``; each cell has the name of the
    sum that is made, and the sum before.
    """
    for place in places:
        element = text.value(f"load {vector.element}, ptr {place}")
        spread = vector.spread(text, element)
        for value in row_of_b:
            new, total = next(cells)
            text.line(f"{new} = {vector.multiplied_and_added(spread, value, total)}")


def _opaque(text: FunctionText, address: str) -> str:
    """Return an address of which LLVM knows nothing: else it keeps those of all rows in registers,
    more than there are.
    """
    return text.value(f'call ptr asm "", "=r,0"(ptr {address})')


def _place(text: FunctionText, vector: Vector, row: int, column: int) -> str:
    """Return the address of a vector of the result."""
    offset = text.value(f"mul i64 %cm, {row}")
    return text.gep("%c", text.value(f"add i64 {offset}, {column * vector.lanes * vector.item}"))


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
    text = FunctionText(
        f"define internal void @{panels_name(vector, rows, copies)}(ptr %a, i64 %am, i64 %ak, "
        "ptr %b, i64 %bk, i64 %panel, ptr %c, i64 %cm, i64 %n, i64 %k, i1 %add"
        f"{', ptr %to, i64 %to_panel' if copies else ''}) noinline"
    )
    wide = 2 * vector.lanes
    with text.counted_loop(divided_up(text, "%n", wide)) as panel:
        first = text.value(f"mul i64 {panel}, {wide}")
        at_c = text.gep("%c", text.value(f"mul i64 {first}, {vector.item}"))
        at_b = text.gep("%b", text.value(f"mul i64 {panel}, %panel"))
        columns = lesser(text, text.value(f"sub i64 %n, {first}"), str(wide))
        args = (
            f"ptr %a, i64 %am, i64 %ak, ptr {at_b}, i64 %bk, ptr {at_c}, i64 %cm, i64 %k, "
            f"i64 {columns}, i1 %add"
        )
        if copies:
            to = text.gep("%to", text.value(f"mul i64 {panel}, %to_panel"))
            args += f", ptr {to}"
        least = "0"
        for width, count in _widths(vector):
            is_wider = text.value(f"icmp ugt i64 {columns}, {least}")
            least = str(width.lanes * count)
            fits = text.value(f"icmp ule i64 {columns}, {least}")
            with text.only_if(text.value(f"and i1 {is_wider}, {fits}")):
                text.line(f"call void @{_tile_name(width, rows, count, copies)}({args})")
    text.line("ret void")
    return text.text()


def each_strip(text: FunctionText, vector: Vector, count: str) -> Iterator[tuple[int, str, str]]:
    """Run the lines that are added meanwhile for the rows of each tile, of so many rows: a loop for
    each height of tiles.  Give the height, the rows before, and the tiles before.
    """
    done, ordinal = "0", "0"
    for rows in rows_of(vector):
        tiles = text.value(f"udiv i64 {text.value(f'sub i64 {count}, {done}')}, {rows}")
        with text.counted_loop(tiles) as number:
            before = text.value(f"add i64 {done}, {text.value(f'mul i64 {number}, {rows}')}")
            yield rows, before, text.value(f"add i64 {ordinal}, {number}")
        done = text.value(f"add i64 {done}, {text.value(f'mul i64 {tiles}, {rows}')}")
        ordinal = text.value(f"add i64 {ordinal}, {tiles}")


def _strips(vector: Vector) -> str:
    """Return the function that multiplies all rows of ``a`` with a block of ``b``."""
    text = FunctionText(
        f"define internal void @strips_{vector.element}(ptr %a, i64 %am, i64 %ak, ptr %b, i64 %bk, "
        "i64 %panel, ptr %c, i64 %cm, i64 %m, i64 %n, i64 %k, i1 %add) noinline"
    )
    for rows, row, _ in each_strip(text, vector, "%m"):
        at_a = text.gep("%a", text.value(f"mul i64 {row}, %am"))
        at_c = text.gep("%c", text.value(f"mul i64 {row}, %cm"))
        text.line(
            f"call void @{panels_name(vector, rows)}(ptr {at_a}, i64 %am, i64 %ak, ptr %b, "
            f"i64 %bk, i64 %panel, ptr {at_c}, i64 %cm, i64 %n, i64 %k, i1 %add)"
        )
    text.line("ret void")
    return text.text()


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
    size = text.value(f"mul i64 %k, {wide}")
    copies = text.value("icmp ne ptr %to, null")
    follows = text.value(f"icmp eq i64 %bn, {vector.item}")
    at_once = text.value(f"and i1 {copies}, {follows}")
    with text.only_if(text.value(f"xor i1 {follows}, true")):
        text.line(
            f"call void @copy_{kind}(ptr %b, i64 %bk, i64 %bn, ptr %to, i64 {size}, i64 %n, i64 %k)"
        )
    with text.only_if(at_once):
        text.line(
            f"call void @{panels_name(vector, high, copies=True)}(ptr %a, i64 %am, i64 %ak, "
            f"ptr %b, i64 %bk, i64 {wide}, ptr %c, i64 %cm, i64 %n, i64 %k, i1 %add, ptr %to, "
            f"i64 {size})"
        )
    done = text.value(f"select i1 {at_once}, i64 {high}, i64 0")
    source = text.value(f"select i1 {copies}, ptr %to, ptr %b")
    step = text.value(f"select i1 {copies}, i64 {wide}, i64 %bk")
    panel = text.value(f"select i1 {copies}, i64 {size}, i64 {wide}")
    at_a = text.gep("%a", text.value(f"mul i64 {done}, %am"))
    at_c = text.gep("%c", text.value(f"mul i64 {done}, %cm"))
    remaining = text.value(f"sub i64 %m, {done}")
    text.line(
        f"call void @strips_{kind}(ptr {at_a}, i64 %am, i64 %ak, ptr {source}, i64 {step}, "
        f"i64 {panel}, ptr {at_c}, i64 %cm, i64 {remaining}, i64 %n, i64 %k, i1 %add)"
    )
    text.line("ret void")
    return text.text()


def _blocks(vector: Vector) -> str:
    """Return the function of a product: the loops over blocks of ``b``, which are copied unless
    only a tile or two read them as they are.
    """
    item, columns = vector.item, 2 * vector.lanes * PANELS
    text = FunctionText(
        f"define i1 @{TILED}_{vector.element}(ptr %a, i64 %am, i64 %ak, ptr %b, i64 %bk, i64 %bn, "
        "ptr %c, i64 %m, i64 %n, i64 %k)"
    )
    follows = text.value(f"icmp eq i64 %bn, {item}")
    few = text.value(f"icmp ult i64 %m, {2 * rows_of(vector)[0]}")
    copies = text.value(f"xor i1 {text.value(f'and i1 {follows}, {few}')}, true")
    buffer = text.slot("ptr", "null")
    start, out = text.label("start"), text.label("out")
    with text.only_if(copies):
        memory = text.call("ptr", "malloc", f"i64 {INNER * columns * item + LINE}")
        text.line(f"store ptr {memory}, ptr {buffer}")
        text.branch(text.value(f"icmp eq ptr {memory}, null"), out, start)
        text.start(start)
    place = aligned(text, text.value(f"load ptr, ptr {buffer}"))
    cm = text.value(f"mul i64 %n, {item}")
    with text.counted_loop(divided_up(text, "%n", columns)) as over_n:
        first = text.value(f"mul i64 {over_n}, {columns}")
        n = lesser(text, text.value(f"sub i64 %n, {first}"), str(columns))
        b = text.gep("%b", text.value(f"mul i64 {first}, %bn"))
        c = text.gep("%c", text.value(f"mul i64 {first}, {item}"))
        with text.counted_loop(divided_up(text, "%k", INNER)) as over_k:
            inner = text.value(f"mul i64 {over_k}, {INNER}")
            k = lesser(text, text.value(f"sub i64 %k, {inner}"), str(INNER))
            at_a = text.gep("%a", text.value(f"mul i64 {inner}, %ak"))
            at_b = text.gep(b, text.value(f"mul i64 {inner}, %bk"))
            add = text.value(f"icmp ne i64 {over_k}, 0")
            text.line(
                f"call void @block_{vector.element}(ptr {at_a}, i64 %am, i64 %ak, ptr {at_b}, "
                f"i64 %bk, i64 %bn, ptr {c}, i64 {cm}, i64 %m, i64 {n}, i64 {k}, i1 {add}, "
                f"ptr {place})"
            )
    text.call("void", "free", f"ptr {text.value(f'load ptr, ptr {buffer}')}")
    text.line("ret i1 true")
    text.start(out)
    text.line("ret i1 false")
    return text.text()
