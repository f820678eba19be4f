"""The ways through the two packages: calls, files, and moves between files, by ``sys.setprofile``.

    python benchmarks/call_paths.py [--show WAY] [--json FILE] [--against FILE]

Counted are calls of Python functions defined in ``autograph`` or ``runtime`` (comprehensions and
each resumption of a generator among them, modules and class bodies not); neither NumPy's, nor the
user's and the converted functions, whose file is the user's.

- calls: how many;
- files: in how many files the called functions stand;
- moves: how often a call's function stands in another file than that of the call before;
- crossings: how often a call's function stands in the other package than that of the call before,
  in each direction; going in and coming back for more are two crossings;
- direct: how often a function of one package is called by one of the other, in each direction.

All is done in one process, in the order of the table, after the machinery (conversion, staging,
graphs) has worked on a similar function; "again" is the same with another function made by the
same ``def``.  Only public names are used, so that runs on different layouts compare.  The last way
is what one more operation on numbers adds to a compiled function: the calls that a function of one
operation less does without.  ``--against`` puts the ratios to an earlier run beside the numbers,
``--show`` prints one way: a line for each move, marked by ``|`` where it crosses over to the other
package.
"""

from __future__ import annotations

import argparse
import gc
import json
import sys
import types
from collections import Counter
from collections.abc import Callable
from inspect import CO_OPTIMIZED
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import numpy as np

import autograph
import runtime

T = TypeVar("T")

FOLDERS = {
    str(Path(package.__file__).parent) + "/": package.__name__ for package in (autograph, runtime)
}
COUNTS = ("calls", "files", "moves")
COMPILED_OP = "one more op on numbers, recorded and compiled"


class Call(NamedTuple):
    """A call of a function of the packages."""

    package: str
    file: str
    function: str
    caller: str  # the package of the caller, or ""


class Recorder:
    """Notes the calls of the packages' functions while something runs."""

    def __init__(self) -> None:
        self.calls: list[Call] = []
        self._stack: list[str] = []
        self._known: dict[types.CodeType, tuple[str, str]] = {}

    def run(self, work: Callable[[], T]) -> T:
        """What ``work()`` returns."""
        gc.collect()
        gc.disable()  # so that no finalizer is counted
        sys.setprofile(self._note)
        try:
            return work()
        finally:
            sys.setprofile(None)
            gc.enable()

    def _note(self, frame: types.FrameType, event: str, argument: object) -> None:
        if event == "call":
            code = frame.f_code
            if code not in self._known:
                self._known[code] = _place(code)
            package, file = self._known[code]
            if package:
                caller = self._stack[-1] if self._stack else ""
                self.calls.append(Call(package, file, code.co_qualname, caller))
            self._stack.append(package)
        elif event == "return" and self._stack:
            self._stack.pop()

    def counts(self) -> dict[str, int]:
        """The figures of the table."""
        pairs = list(zip(self.calls, self.calls[1:]))
        return {
            "calls": len(self.calls),
            "files": len({call.file for call in self.calls}),
            "moves": sum(a.file != b.file for a, b in pairs),
            "crossings to runtime": sum(a.package < b.package for a, b in pairs),
            "crossings to autograph": sum(a.package > b.package for a, b in pairs),
            "direct to runtime": sum("" < c.caller < c.package for c in self.calls),
            "direct to autograph": sum(c.caller > c.package for c in self.calls),
        }

    def beyond(self, shorter: Recorder) -> Recorder:
        """The calls that are more than those of another recorder."""
        counts, surplus = Counter(shorter.calls), Recorder()
        for call in self.calls:
            counts[call] -= 1
            if counts[call] < 0:
                surplus.calls.append(call)
        return surplus

    def shown(self) -> str:
        """The way, a line for each move: the file, and the functions called there."""
        lines: list[str] = []
        for before, call in zip([None, *self.calls], self.calls):
            if before is None or before.file != call.file:
                mark = "|" if before is not None and before.package != call.package else " "
                lines.append(f"{mark} {call.file}: {call.function}")
            else:
                lines[-1] += f" > {call.function}"
        return "\n".join(lines)


def _place(code: types.CodeType) -> tuple[str, str]:
    """The package and file of a function's code; empty for what is not counted."""
    if code.co_flags & CO_OPTIMIZED:
        for folder, package in FOLDERS.items():
            if code.co_filename.startswith(folder):
                return package, package + "/" + code.co_filename.removeprefix(folder)
    return "", ""


def warming(n: Any) -> Any:
    """A loop for the machinery to get warm on."""
    while n > 0:
        n = n - 1
    return n


def new_loop() -> Callable[..., Any]:
    """A new function of four lines, always of the same code."""

    def loop(x):
        while x < 100.0:
            x = x * 2.0
        return x

    return loop


def new_sum() -> Callable[..., Any]:
    """A new function that adds one, always of the same code."""

    def add_one(x):
        return x + 1

    return add_one


def powers(count: int) -> Callable[..., Any]:
    """A function of so many operations on numbers."""

    def power(x):
        y = x
        for _ in range(count):
            y = y * x
        return y

    return power


class Ways:
    """The ways that have been gone, in their order."""

    def __init__(self) -> None:
        self.recorders: dict[str, Recorder] = {}

    def go(self, way: str, work: Callable[[], T]) -> T:
        """What ``work()`` returns; its calls are noted under the way's name."""
        self.recorders[way] = Recorder()
        return self.recorders[way].run(work)

    def all(self) -> dict[str, Recorder]:
        """Goes all ways of the table."""
        autograph.to_graph(warming)
        self._graph()
        self._function()
        self.compiled_op()
        return self.recorders

    def _graph(self) -> None:
        loop = self.go("to_graph of a loop of 4 lines", lambda: autograph.to_graph(new_loop()))
        graph = runtime.Graph()
        with graph.as_default():
            x = runtime.placeholder(runtime.float32, [])
            y = self.go("the converted loop meets a placeholder", lambda: loop(x))
            other = autograph.to_graph(new_loop())
            self.go("the same again", lambda: other(x))
        session = runtime.Session(graph=graph)
        run = lambda: session.run(y, {x: np.float32(3.0)})
        assert self.go("Session.run of that loop, first", run) == 192.0
        self.go("Session.run, second", run)
        for _ in range(98):
            run()
        self.go("Session.run, after 100", run)
        with graph.as_default():
            self.go("gradients of that loop", lambda: runtime.gradients(y, x))
            self.go("the same gradients again", lambda: runtime.gradients(y, x))

    def _function(self) -> None:
        x = runtime.constant(1.0)
        runtime.function(warming)(x)
        first = runtime.function(new_sum())
        self.go("function(x + 1), first call of a new def", lambda: first(x))
        second = runtime.function(new_sum())
        assert float(self.go("function(x + 1), first call", lambda: second(x))) == 2.0
        self.go("function(x + 1), second call", lambda: second(x))
        self.go("function(x + 1), third call", lambda: second(x))

    def compiled_op(self) -> None:
        """Goes the way of one operation on numbers: recorded, lowered, emitted."""

        def compiled(count: int) -> Recorder:
            recorder, x = Recorder(), np.float64(1.5)
            power = runtime.function(powers(count), autograph=False, jit_compile=True)
            assert recorder.run(lambda: power(x)) == x ** (count + 1)
            return recorder

        compiled(4)
        shorter, longer = compiled(5), compiled(6)
        self.recorders[COMPILED_OP] = longer.beyond(shorter)


def report(found: dict[str, dict[str, int]], before: dict[str, dict[str, int]]) -> None:
    """Prints the table as Markdown, with ratios to an earlier run if there is one."""
    columns = [*COUNTS, "crossings (to runtime + to autograph)", "direct"]
    columns += [f"{name}, ratio" for name in COUNTS if before]
    print("| way | " + " | ".join(columns) + " |")
    print("|---|" + "---:|" * len(columns))
    for way, counts in found.items():
        cells = [str(counts[name]) for name in COUNTS]
        for name in ("crossings", "direct"):
            there, back = counts[f"{name} to runtime"], counts[f"{name} to autograph"]
            cells.append(f"{there + back} ({there} + {back})")
        old = before.get(way)
        if before:
            cells += [f"{counts[name] / old[name]:.2f}" if old else "" for name in COUNTS]
        print(f"| {way} | " + " | ".join(cells) + " |")


def main() -> None:
    """Goes the ways, prints the table, and writes it where that is wanted."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--show", help="print this way instead: its name, or a part of it")
    parser.add_argument("--json", type=Path, help="a file to write the numbers to")
    parser.add_argument("--against", type=Path, help="a file that --json wrote before")
    given = parser.parse_args()
    print(f"packages: {', '.join(FOLDERS)}", file=sys.stderr)
    recorders = Ways().all()
    if given.show:
        way = next(name for name in recorders if given.show in name)
        print(recorders[way].shown())
        return
    found = {way: recorder.counts() for way, recorder in recorders.items()}
    report(found, json.loads(given.against.read_text()) if given.against else {})
    if given.json:
        given.json.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
