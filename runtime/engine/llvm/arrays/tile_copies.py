"""LLVM code that copies matrices in the order in which tiles read them (tile_code.py)."""

from __future__ import annotations

from collections.abc import Sequence

from runtime.engine.llvm.arrays.vectors import Vector
from runtime.engine.llvm.builder import Address, Builder
from runtime.engine.llvm.text import FunctionText
from runtime.engine.llvm.values import LaneValue

LINE = 64
"""Bytes of a line of the cache.  A vector that lies in two of them takes two loads."""


def aligned(address: Address) -> Address:
    """Return the next address at the begin of a line: up to ``LINE`` bytes are left out."""
    offset = address.code.value(address.code.text.value(f"ptrtoint ptr {address} to i64"))
    return address + ((0 - offset) & LINE - 1)


def lesser(x: LaneValue, y: int) -> LaneValue:
    """Return the less of two numbers."""
    return (x < y).choose(x, y)


def _transposed_lines(lines: Sequence[LaneValue]) -> list[LaneValue]:
    """Return the four columns of one, two or four lines of four numbers."""
    kind = lines[0].kind

    def shuffle(x: LaneValue, y: object, lanes: Sequence[int]) -> LaneValue:
        numbers = ", ".join(f"i32 {lane}" for lane in lanes)
        return x.emit(f"shufflevector {kind} {x}, {kind} {y}, <{len(lanes)} x i32> <{numbers}>")

    if len(lines) == 1:
        return [shuffle(lines[0], "poison", [lane]) for lane in range(4)]
    if len(lines) == 2:
        return [shuffle(lines[0], lines[1], [lane, 4 + lane]) for lane in range(4)]
    a, b, c, d = lines
    pairs = [
        [shuffle(p, q, lanes) for p, q in ((a, b), (c, d))]
        for lanes in ((0, 4, 1, 5), (2, 6, 3, 7))
    ]
    return [shuffle(x, y, lanes) for x, y in pairs for lanes in ((0, 1, 4, 5), (2, 3, 6, 7))]


class _Panel:
    """Code that copies one panel of ``b``, which is two vectors wide: addresses of the first
    element and its copy, and the bytes from a row and from a column to the next.
    """

    def __init__(
        self, code: Builder, vector: Vector, source: Address, target: Address,
        steps: tuple[LaneValue | int, LaneValue | int],
    ) -> None:  # fmt: skip
        self._code = code
        self._type = vector.type.lane
        self._item = vector.item
        self._row = 2 * vector.bytes
        """Bytes of a row of a copy."""
        self._source = source
        self._target = target
        self._down, self._right = steps

    def copy_elements(
        self, rows: tuple[LaneValue | int, LaneValue], columns: tuple[LaneValue | int, LaneValue]
    ) -> None:
        """Copy a range of rows and columns one by one."""
        with self._code.each(rows[1], rows[0]) as row:
            from_row = self._source + row * self._down
            to_row = self._target + row * self._row
            with self._code.each(columns[1], columns[0]) as column:
                value = (from_row + column * self._right).load(self._type)
                to_row.element(self._type, column).store(value)

    def copy_squares(self, height: LaneValue, width: LaneValue) -> tuple[LaneValue, LaneValue]:
        """Copy squares of four rows and columns, if columns follow one another in memory; return
        how many rows and columns are copied.
        """
        code, item, line = self._code, self._item, self._type.with_lanes(4)
        downs, across = height // 4, width // 4
        with code.each(downs) as down:
            from_rows = self._source + down * (4 * item)
            to_rows = self._target + down * (4 * self._row)
            with code.each(across) as square:
                first = square * 4
                at, lines = from_rows + first * self._right, []
                for _ in range(4):
                    lines.append(at.load(line, item))
                    at = at + self._right
                to = to_rows + first * item
                for value in _transposed_lines(lines):
                    to.store(value, item)
                    to = to + self._row
        return downs * 4, across * 4


def copy_code(vector: Vector) -> str:
    """Return the function that copies a block of ``b``, panel by panel; panels are ``panel`` bytes
    apart.
    """
    item = vector.item
    code = vector.code(FunctionText(
        f"define internal void @copy_{vector.element}(ptr %b, i64 %bk, i64 %bn, ptr %to, "
        "i64 %panel, i64 %n, i64 %k) noinline"
    ))  # fmt: skip
    bk, bn = code.value("%bk"), code.value("%bn")
    for rows_follow in code.text.either((bn == item).name):
        if rows_follow:
            _copy_panels(code, vector, (bk, item))
            continue
        for columns_follow in code.text.either((bk == item).name):
            _copy_panels(code, vector, (item, bn) if columns_follow else (bk, bn))
    return code.finish()


def _copy_panels(
    code: Builder, vector: Vector, steps: tuple[LaneValue | int, LaneValue | int]
) -> None:
    """Copy all panels, given the bytes from a row and from a column to the next."""
    n, k, wide = code.value("%n"), code.value("%k"), 2 * vector.lanes
    with code.each(n.divided_up(wide)) as number:
        first = number * wide
        width = lesser(n - first, wide)
        source = code.address("%b") + first * steps[1]
        target = code.address("%to") + number * code.value("%panel")
        panel = _Panel(code, vector, source, target, steps)
        rows, columns = code.value(0), code.value(0)
        if isinstance(steps[0], int):
            rows, columns = panel.copy_squares(k, width)
            panel.copy_elements((0, rows), (columns, width))
        panel.copy_elements((rows, k), (0, width))
