"""The shape of the two packages: rooms, arrows between them, floors, circles, and import time.

    python benchmarks/structure.py [--depth N] [--all] [--json FILE] [--against FILE] [--root DIR]

A room is a folder of a package; a file lying at a package's top is a room of its own.  An arrow
goes from a room to another one that it imports, however often.  ``import_graph.py`` says which
kinds of imports are read; where nothing else is said, all that run are counted (at import time,
lazy, addressed by text), and those for type checkers only are not.  A room's floor is one above
the highest room that it imports; rooms of a circle share a floor.  An import points upwards when
its target stands higher than its source in the ``ORDER`` or ``ROOMS`` of a file of tests, above
which stands what is not listed there.  ``--depth 2`` counts folders of folders as rooms,
``--against`` puts an earlier run's figures beside these.
"""

from __future__ import annotations

import argparse
import ast
import json
import math
import os
import statistics
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from subprocess import PIPE
from typing import Any

from import_graph import PACKAGES, RUNNING, Import, ImportGraph, circles, floors, longest_chain

ORDERS = {"ORDER", "ROOMS"}

TIMED = """
import time, numpy
start = time.process_time()
import {}
print(time.process_time() - start)
"""


def import_time(root: Path, package: str, rounds: int) -> float:
    """Median CPU milliseconds of importing a package after NumPy, in fresh processes."""
    command = [sys.executable, "-c", TIMED.format(package)]
    surroundings = {**os.environ, "PYTHONPATH": str(root)}
    surroundings.pop("PYTHONDONTWRITEBYTECODE", None)
    seconds = []
    with tempfile.TemporaryDirectory() as folder:
        surroundings["PYTHONPYCACHEPREFIX"] = folder
        for _ in range(rounds + 1):
            run = subprocess.run(command, env=surroundings, cwd=root, stdout=PIPE, check=True)
            seconds.append(float(run.stdout))
    return 1000 * statistics.median(seconds[1:])  # the first one compiles the files


def room_rows(graph: ImportGraph, depth: int) -> dict[str, dict[str, int]]:
    """What is known about each room: files, lines, arrows out and in, floor."""
    arrows = graph.between_rooms(RUNNING, depth)
    level = floors(arrows)
    incoming = Counter(target for targets in arrows.values() for target in targets)
    rows: dict[str, dict[str, int]] = {}
    for room in sorted(arrows, key=lambda room: (not room.endswith("/"), room)):
        lines = [f.lines for f in graph.files.values() if graph.room(f.name, depth) == room]
        rows[room] = {
            "files": len(lines),
            "lines": sum(lines),
            "median": round(statistics.median(lines)),
            "longest": max(lines),
            "out": len(arrows[room]),
            "in": incoming[room],
            "floor": level[room],
        }
    return rows


def order_of(root: Path) -> tuple[str, dict[str, int]] | None:
    """The order of rooms that a file of tests holds: where it stands, and each path's height."""
    folder = root / "tests"
    first = sorted(folder.rglob("test_layers.py"))
    for path in [*first, *(p for p in sorted(folder.rglob("test_*.py")) if p not in first)]:
        text = path.read_text(encoding="utf-8")
        for node in ast.parse(text).body if any(name in text for name in ORDERS) else ():
            targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", 0)]
            if any(isinstance(t, ast.Name) and t.id in ORDERS for t in targets):
                try:
                    heights = dict(_heights(ast.literal_eval(node.value)))
                except ValueError:
                    continue
                return path.relative_to(root).as_posix(), heights
    return None


def _heights(order: Any) -> Iterator[tuple[str, int]]:
    """The paths of an order with their heights, from the ground up.

    It is a text with a line for each floor, a list of rooms, or such a list for each package.
    """
    if isinstance(order, str):
        order = [line.split() for line in order.splitlines()]
    named = order.items() if isinstance(order, dict) else [("", order)]
    for package, floors_of in named:
        for height, rooms in enumerate(floors_of):
            for room in [rooms] if isinstance(rooms, str) else rooms:
                path = room.rstrip("/").replace(".", "/")
                inside = path.split("/")[0] in PACKAGES
                yield (path if inside or not package else f"{package}/{path}"), height


def upwards(graph: ImportGraph, position: dict[str, int]) -> tuple[list[Import], list[str]]:
    """The imports of higher places by lower ones, and the files that have no place."""

    def height(name: str) -> float:
        path = graph.files[name].path.relative_to(graph.root).with_suffix("").as_posix()
        while path and path not in position:
            path = path.rpartition("/")[0]
        return position.get(path, math.inf)

    homeless = [name for name in graph.files if height(name) == math.inf]
    found = []
    for entry in graph.imports:
        same = entry.source.split(".")[0] == entry.target.split(".")[0]
        if same and entry.kind in RUNNING and height(entry.source) < height(entry.target):
            found.append(entry)
    return found, homeless


def measured(root: Path, depth: int, rounds: int) -> dict[str, Any]:
    """All figures of the packages under a folder."""
    graph = ImportGraph(root)
    at_import = graph.between_rooms(["import"], depth)
    running = graph.between_rooms(RUNNING, depth)
    files = graph.between_files(["import"])
    sizes = [f.lines for f in graph.files.values()]
    kinds = Counter(entry.kind for entry in graph.imports)
    outside = [
        entry for entry in graph.imports
        if entry.kind in RUNNING
        and graph.room(entry.source, depth) != graph.room(entry.target, depth)
    ]  # fmt: skip
    figures = {
        "rooms": len(running),
        "rooms that are folders": sum(room.endswith("/") for room in running),
        "files": len(sizes),
        "lines": sum(sizes),
        "lines of a file, median": statistics.median(sizes),
        "lines of a file, most": max(sizes),
        **{f"imports, kind {kind}": kinds[kind] for kind in (*RUNNING, "typing")},
        "imports between rooms": len(outside),
        "arrows between rooms": sum(map(len, running.values())),
        "arrows between rooms at import time": sum(map(len, at_import.values())),
        "floors": max(floors(running).values()) + 1,
        "floors at import time": max(floors(at_import).values()) + 1,
        "circles of rooms": len(circles(running)),
        "circles of rooms at import time": len(circles(at_import)),
        "circles of files": len(circles(graph.between_files(RUNNING))),
        "circles of files without addresses": len(circles(graph.between_files(RUNNING[:2]))),
        "circles of files at import time": len(circles(files)),
        "longest chain of imports, files": len(longest_chain(files)),
    }
    typed = graph.between_rooms((*RUNNING, "typing"), depth)
    details: dict[str, Any] = {
        "room table": room_rows(graph, depth),
        "room arrows": {room: sorted(targets) for room, targets in sorted(running.items())},
        "room circles": circles(running),
        "room circles with type checkers": circles(typed),
        "file circles": circles(graph.between_files(RUNNING)),
        "longest chain": longest_chain(files),
        "autograph imports runtime": [
            _spoken(e) for e in graph.imports
            if e.source.split(".")[0] == "autograph" and e.target.split(".")[0] == "runtime"
        ],
    }  # fmt: skip
    order = order_of(root)
    if order is not None:
        found, homeless = upwards(graph, order[1])
        figures["places in the order"] = len(order[1])
        figures["imports against the order"] = len(found)
        details.update({"order": order[0], "imports against it": list(map(_spoken, found))})
        details["against the order"] = _by_rooms(graph, found, depth)
        details["without a place in the order"] = homeless
    for package in PACKAGES if rounds else ():
        title = f"import of {package} beyond NumPy, CPU ms"
        figures[title] = round(import_time(root, package, rounds), 1)
    return {"figures": figures, **details}


def _by_rooms(graph: ImportGraph, found: list[Import], depth: int) -> list[str]:
    """A line for each pair of rooms and kind of import, with the first of these imports."""
    groups: dict[tuple[str, str, str], list[Import]] = {}
    for entry in found:
        ends = graph.room(entry.source, depth), graph.room(entry.target, depth)
        groups.setdefault((*ends, entry.kind), []).append(entry)
    return [
        f"{source} > {target} ({kind}): {len(group)}, first {_spoken(group[0])}"
        for (source, target, kind), group in groups.items()
    ]


def _spoken(entry: Import) -> str:
    return f"{entry.source}:{entry.line} > {entry.target} ({entry.kind})"


def report(found: dict[str, Any], before: dict[str, Any], everything: bool) -> None:
    """Prints the figures and lists as Markdown."""
    old = before.get("figures", {})
    print("| figure | now |" + (" before |" if old else ""))
    print("|---|---:|" + ("---:|" if old else ""))
    for name, value in found["figures"].items():
        print(f"| {name} | {value:,} |" + (f" {old.get(name, '')} |" if old else ""))
    print("\n| room | files | lines | median | longest | arrows out | arrows in | floor |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|")
    rest: Counter[str] = Counter()
    for room, row in found["room table"].items():
        if everything or room.endswith("/"):
            print(f"| {room} | " + " | ".join(map(str, row.values())) + " |")
        else:
            package = room.split("/")[0]
            rest.update({f"{package} files": 1, f"{package} lines": row["lines"]})
    for package in PACKAGES if rest else ():
        print(f"| files at the top of {package}/ | {rest[package + ' files']} | "
              f"{rest[package + ' lines']} | | | | | |")  # fmt: skip
    for title in ("room circles", "room circles with type checkers", "file circles"):
        print(f"\n{title.capitalize()}: {len(found[title]) or 'none'}")
        for circle in found[title]:
            print("- " + ", ".join(circle))
    for title in ("against the order", "without a place in the order", "autograph imports runtime"):
        if title in found:
            print(f"\n{title.capitalize()}: {len(found[title]) or 'none'}")
            for line in found[title]:
                print(f"- {line}")
    print("\nLongest chain: " + " > ".join(found["longest chain"]))


def main() -> None:
    """Measures, prints, and writes the figures where that is wanted."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--depth", type=int, default=1, help="levels of folders that make rooms")
    parser.add_argument("--all", action="store_true", help="show also files at the top as rooms")
    parser.add_argument("--rounds", type=int, default=11, help="processes to time, or 0")
    parser.add_argument("--root", type=Path, default=Path(__file__).parent.parent)
    parser.add_argument("--json", type=Path, help="a file to write the figures to")
    parser.add_argument("--against", type=Path, help="a file that --json wrote before")
    given = parser.parse_args()
    before = json.loads(given.against.read_text()) if given.against else {}
    found = measured(given.root.resolve(), given.depth, given.rounds)
    report(found, before, given.all)
    if given.json:
        given.json.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
