"""LLVM code that copies matrices in the order in which tiles read them (tile_code.py)."""

from __future__ import annotations

from collections.abc import Sequence

from runtime.engine.llvm.arrays.vector_text import Vector
from runtime.engine.llvm.text import FunctionText


def _transposed_lines(text: FunctionText, kind: str, lines: Sequence[str]) -> list[str]:
    """Return the four columns of one, two or four lines of four numbers."""

    def shuffle(x: str, y: str, lanes: Sequence[int]) -> str:
        numbers = ", ".join(f"i32 {lane}" for lane in lanes)
        return text.value(
            f"shufflevector <4 x {kind}> {x}, <4 x {kind}> {y}, "
            f"<{len(lanes)} x i32> <{numbers}>"
        )

    if len(lines) == 1:
        return [shuffle(lines[0], "poison", [lane]) for lane in range(4)]
    if len(lines) == 2:
        return [shuffle(lines[0], lines[1], [lane, 4 + lane]) for lane in range(4)]
    a, b, c, d = lines
    pairs = [
        [shuffle(p, q, lanes) for p, q in ((a, b), (c, d))]
        for lanes in ((0, 4, 1, 5), (2, 6, 3, 7))
    ]
    return [
        shuffle(x, y, lanes) for x, y in pairs for lanes in ((0, 1, 4, 5), (2, 3, 6, 7))
    ]


def copy_code(vector: Vector) -> str:
    """Return the function that copies a block of ``b``, panel by panel; panels are ``panel`` bytes
    apart.
    """
    kind, item = vector.element, str(vector.item)
    text = FunctionText(
        f"define internal void @copy_{kind}(ptr %b, i64 %bk, i64 %bn, ptr %to, i64 %panel, i64 %n, "
        "i64 %k) noinline"
    )
    rows, columns, strided, end = (text.label(name) for name in ("rows", "columns", "other", "end"))
    no_rows = text.label("no_rows")
    text.branch(text.value(f"icmp eq i64 %bn, {item}"), rows, no_rows)
    text.start(no_rows)
    text.branch(text.value(f"icmp eq i64 %bk, {item}"), columns, strided)
    for label, down, right in (
        (rows, "%bk", item),
        (columns, item, "%bn"),
        (strided, "%bk", "%bn"),
    ):
        text.start(label)
        with text.counted_loop(divided_up(text, "%n", 2 * vector.lanes)) as panel:
            first = text.value(f"mul i64 {panel}, {2 * vector.lanes}")
            width = lesser(text, text.value(f"sub i64 %n, {first}"), str(2 * vector.lanes))
            source = text.gep("%b", text.value(f"mul i64 {first}, {right}"))
            target = text.gep("%to", text.value(f"mul i64 {panel}, %panel"))
            copied = ("0", "0")
            if label == columns:
                copied = _copy_squares(text, vector, source, right, target, width)
            _copy_elements(text, vector, (source, down, right), target, ("0", copied[0]),
                           (copied[1], width))  # fmt: skip
            _copy_elements(text, vector, (source, down, right), target, (copied[0], "%k"),
                           ("0", width))  # fmt: skip
        text.line(f"br label %{end}")
    text.start(end)
    text.line("ret void")
    return text.text()


def _copy_elements(
    text: FunctionText, vector: Vector, matrix: tuple[str, str, str], target: str,
    rows: tuple[str, str], columns: tuple[str, str],
) -> None:  # fmt: skip
    """Copy a range of rows and columns of a panel, one by one.  ``matrix`` is the address of the
    first element, and the steps from a row and from a column to the next.
    """
    if rows == ("0", "0"):
        return
    source, down, right = matrix
    with text.counted_loop(rows[1], rows[0]) as row:
        from_row = text.gep(source, text.value(f"mul i64 {row}, {down}"))
        offset = text.value(f"mul i64 {row}, {2 * vector.lanes * vector.item}")
        to_row = text.gep(target, offset)
        with text.counted_loop(columns[1], columns[0]) as column:
            place = text.gep(from_row, text.value(f"mul i64 {column}, {right}"))
            value = text.value(f"load {vector.element}, ptr {place}")
            to = text.value(f"getelementptr {vector.element}, ptr {to_row}, i64 {column}")
            text.line(f"store {vector.element} {value}, ptr {to}")


def _copy_squares(
    text: FunctionText, vector: Vector, source: str, right: str, target: str, width: str
) -> tuple[str, str]:
    """Copy squares of four rows and columns of a panel whose columns follow one another in memory;
    return how many rows and columns are copied.
    """
    kind, item = vector.element, vector.item
    downs, across = text.value("udiv i64 %k, 4"), text.value(f"udiv i64 {width}, 4")
    with text.counted_loop(downs) as down:
        from_rows = text.gep(source, text.value(f"mul i64 {down}, {4 * item}"))
        to_rows = text.gep(target, text.value(f"mul i64 {down}, {8 * vector.lanes * item}"))
        with text.counted_loop(across) as square:
            first = text.value(f"mul i64 {square}, 4")
            at = text.gep(from_rows, text.value(f"mul i64 {first}, {right}"))
            lines = []
            for _ in range(4):
                lines.append(text.value(f"load <4 x {kind}>, ptr {at}, align {item}"))
                at = text.gep(at, right)
            to = text.gep(to_rows, text.value(f"mul i64 {first}, {item}"))
            for value in _transposed_lines(text, kind, lines):
                text.line(f"store <4 x {kind}> {value}, ptr {to}, align {item}")
                to = text.gep(to, 2 * vector.lanes * item)
    return text.value(f"mul i64 {downs}, 4"), text.value(f"mul i64 {across}, 4")


LINE = 64
"""Bytes of a line of the cache.  A vector that lies in two of them takes two loads."""


def aligned(text: FunctionText, address: str) -> str:
    """Return the next address at the begin of a line: up to ``LINE`` bytes are left out."""
    offset = text.value(f"ptrtoint ptr {address} to i64")
    padding = text.value(f"and i64 {text.value(f'sub i64 0, {offset}')}, {LINE - 1}")
    return text.gep(address, padding)


def divided_up(text: FunctionText, number: str, by: int) -> str:
    """Return a quotient, rounded up."""
    return text.value(f"udiv i64 {text.value(f'add i64 {number}, {by - 1}')}, {by}")


def lesser(text: FunctionText, x: str, y: str) -> str:
    """Return the less of two numbers."""
    less = text.value(f"icmp ult i64 {x}, {y}")
    return text.value(f"select i1 {less}, i64 {x}, i64 {y}")
