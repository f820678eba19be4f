"""What docs/rooms.md shows: which room imports which, as tables of crosses."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

from tests.test_layers import FILES, FLOOR, PUBLIC, imports, room


@cache
def imported_rooms() -> dict[str, set[str]]:
    """By room: the rooms that its files import; lists of public names are of none."""
    rooms: dict[str, set[str]] = {name: set() for name in FLOOR}
    roof = {"runtime", *PUBLIC}
    for name in set(FILES) - roof:
        rooms[room(name)] |= {room(target) for _, target in imports(name) if target not in roof}
    return rooms


def of_package(package: str) -> list[str]:
    """The rooms of a package, from the bottom up."""
    return [name for name in FLOOR if name.split(".")[0] == package]


def shown(name: str) -> str:
    """A room without its package, `autograph` itself, and the door for backends in words."""
    return name.partition(".")[2].replace("staging.__init__", "staging, for backends") or name


def imported_ones(rows: Sequence[str], columns: Sequence[str]) -> list[str]:
    """The columns that a row's room imports."""
    return [name for name in columns if any(name in imported_rooms()[row] - {row} for row in rows)]


def table(rows: Sequence[str], columns: Sequence[str]) -> str:
    """Crosses where the room of a row imports that of a column; numbers stand for the columns."""
    columns = imported_ones(rows, columns)
    width = 4 + max(len(shown(name)) for name in rows)
    lines = [" " * width + "".join(f"{k:3}" for k in range(1, len(columns) + 1))]
    for height, row in enumerate(rows):
        number = str(columns.index(row) + 1) if row in columns else ""
        # above the diagonal nothing is expected: a cross there stands out
        below = [name not in rows or rows.index(name) < height for name in columns]
        crosses = "".join(
            f"  {mark(row, name, '.' if is_below else ' ')}"
            for name, is_below in zip(columns, below)
        )
        lines.append(f"{number:>2} {shown(row):<{width - 3}}{crosses}".rstrip())
    return "\n".join(lines)


def mark(row: str, column: str, none: str) -> str:
    """What stands in a cell: a cross for an import, the diagonal, or the sign for none."""
    if row == column:
        return "\\"
    return "x" if column in imported_rooms()[row] else none


def legend(rows: Sequence[str], columns: Sequence[str]) -> str:
    """The numbers of columns that are no rows."""
    names = enumerate(imported_ones(rows, columns), 1)
    return "\n".join(f"{k:2} {shown(name)}" for k, name in names)


def runtime_on_autograph() -> str:
    """The rooms of `runtime` that import rooms of `autograph`, and those."""
    rows, columns = of_package("runtime"), of_package("autograph")
    return f"{legend(rows, columns)}\n\n{table(rows, columns)}"


SHOWN: dict[str, Callable[[], str]] = {
    "rooms of autograph": lambda: table(of_package("autograph"), of_package("autograph")),
    "rooms of runtime": lambda: table(of_package("runtime"), of_package("runtime")),
    "rooms of runtime on autograph": runtime_on_autograph,
}
