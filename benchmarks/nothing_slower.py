"""Nothing is slower than the reference executor: all benchmark programs and examples, three ways.

    taskset -c 0 python -m benchmarks.nothing_slower            # all
    taskset -c 0 python -m benchmarks.nothing_slower mandelbrot lstm

``auto`` is what users get: the rule that chooses decides when a program becomes machine code.
``jit`` is machine code from the first run on, ``never`` none at all.  Each call is warm; the ways
take turns, and the ratio is that of medians of processor time.  The command fails if ``auto`` is
slower than ``never`` anywhere by more than the tolerance.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib.util
import io
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.timing import medians, processor_time, spoken, use_one_thread

ROOT = Path(__file__).parents[1]
WAYS: dict[str, bool | None] = {"never": False, "auto": None, "jit": True}
"""By name of a way: ``jit_compile``."""
WARM, MOST = 1.0, 8.0
"""Seconds of calls before the first that is measured; ``auto`` may take more until it has decided.
"""
TOLERANCE = 1.15
"""What counts as the same."""
LONG = 1.0
"""Calls that take so many seconds are made a few times only."""

Call = Callable[[], object]


class Program(NamedTuple):
    """Program that is measured: ``make`` builds its call for a value of ``jit_compile``."""

    name: str
    make: Callable[[bool | None], Call]


def examples() -> Iterator[Program]:
    """Yield the examples, each a function of its file's name."""
    for path in sorted((ROOT / "examples").glob("*.py")):
        yield Program(f"examples/{path.stem}", lambda choice, path=path: _example(path, choice))


def _example(path: Path, choice: bool | None) -> Call:
    import runtime

    spec = importlib.util.spec_from_file_location(f"example_{path.stem}_{choice}", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    function = runtime.function(getattr(module, path.stem), jit_compile=choice)
    inputs = module.inputs()
    return lambda: function(*inputs)


def works() -> Iterator[Program]:
    """Yield our systems of the works of ``against_peers``, but those that say the engine."""
    from benchmarks.against_peers import measure  # libraries read the number of threads once

    for work in measure.names():
        for line in measure.lines(work):
            for name, make in line.systems.items():
                if name in ("runtime.function", "runtime.jit") or name.startswith("runtime.jit,"):
                    title = f"{work}: {line.title}, {name}"
                    yield Program(title, lambda choice, line=line, make=make: _work(
                        line, make, choice))  # fmt: skip


def _work(line: Any, make: Any, choice: bool | None) -> Call:
    from benchmarks.against_peers import systems

    with systems.compiled(choice):
        return make(*line.inputs())


# -- measuring ------------------------------------------------------------------------------------


def measured(program: Program, rounds: int) -> dict[str, float]:
    """Return the median seconds of a call of a program, by way.  What it prints is lost."""
    with contextlib.redirect_stdout(io.StringIO()):
        calls = {way: program.make(choice) for way, choice in WAYS.items()}
        last = {way: warmed(call) for way, call in calls.items()}
        start = time.perf_counter()
        while last["auto"] > 1.5 * last["jit"] and time.perf_counter() - start < MOST:
            last["auto"] = _seconds(calls["auto"])
        few = 3 if max(last.values()) > LONG else rounds
        return medians(calls, few, clock=processor_time)


def warmed(call: Call) -> float:
    """Call some times; return the seconds of the last call."""
    start, turns, last = time.perf_counter(), 0, 0.0
    while turns < 3 or (time.perf_counter() - start < WARM and turns < 2000):
        last, turns = _seconds(call), turns + 1
        if last > LONG and turns > 1:
            break
    return last


def _seconds(call: Call) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def main() -> None:
    """Measure the programs whose names hold one of the words given, and print a table."""
    parser = argparse.ArgumentParser(description=str(__doc__).split("\n", maxsplit=1)[0])
    parser.add_argument("words", nargs="*", help="parts of the names of programs; default: all")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--tolerance", type=float, default=TOLERANCE)
    options = parser.parse_args()
    use_one_thread()
    found = [*examples(), *works()]
    slower = []
    print(f"{'program':<60} {'never':>9} {'auto':>9} {'jit':>9}   auto/never")
    for program in found:
        if options.words and not any(word in program.name for word in options.words):
            continue
        try:
            seconds = measured(program, options.rounds)
        except Exception as error:  # the others' figures are wanted all the same
            print(f"{program.name:<60} {type(error).__name__}: {error}"[:160], flush=True)
            slower.append(program.name)
            continue
        ratio = seconds["auto"] / seconds["never"]
        times = " ".join(f"{spoken(seconds[way]):>9}" for way in WAYS)
        print(f"{program.name:<60} {times}   {ratio:10.2f}", flush=True)
        if ratio > options.tolerance:
            slower.append(program.name)
    if slower:
        sys.exit(f"slower, or not measured: {', '.join(slower)}")


if __name__ == "__main__":
    main()
