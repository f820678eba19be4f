"""Graphs on both compiling engines: all examples and works, machine code of our own beside XLA's.

    taskset -c 0 python -m benchmarks.xla_against_llvm            # all
    taskset -c 0 python -m benchmarks.xla_against_llvm lstm kalman

The calls are warm and take turns; the ratio is that of medians of processor time.  Where XLA wins,
our engine has a fault.  ``on the CPU`` says why XLA left a run to the other engine.
"""

from __future__ import annotations

import argparse
import contextlib
import io
from collections.abc import Iterator, Sequence
from typing import Any

from benchmarks.nothing_slower import LONG, Program, examples, warmed, works
from benchmarks.timing import medians, processor_time, spoken, use_one_thread

ENGINES: dict[str, Any] = {"llvm": True, "xla": "xla"}
"""By name of an engine: ``jit_compile``."""


@contextlib.contextmanager
def reasons() -> Iterator[set[str]]:
    """Yield why runs within the block were left to the CPU's engine, filled as they are."""
    from runtime.engine.xla.compiled_request import CompiledRequest

    texts: set[str] = set()
    run: Any = CompiledRequest.__call__

    def noted(self: Any, arrays: Sequence[Any]) -> Any:
        result = run(self, arrays)
        if not isinstance(result, list):
            texts.add(str(result))
        return result

    setattr(CompiledRequest, "__call__", noted)  # noqa: B010 - a method
    try:
        yield texts
    finally:
        setattr(CompiledRequest, "__call__", run)  # noqa: B010


def measured(program: Program, rounds: int) -> tuple[dict[str, float], set[str]]:
    """Return the median seconds of a call by engine, and why XLA did not run it."""
    with contextlib.redirect_stdout(io.StringIO()), reasons() as texts:
        calls = {engine: program.make(choice) for engine, choice in ENGINES.items()}
        last = [warmed(call) for call in calls.values()]
        texts.clear()  # a first run may need more room
        few = 3 if max(last) > LONG else rounds
        return medians(calls, few, clock=processor_time), texts


def main() -> None:
    """Measure the programs whose names hold one of the words given, and print a table."""
    parser = argparse.ArgumentParser(description=str(__doc__).split("\n", maxsplit=1)[0])
    parser.add_argument("words", nargs="*", help="parts of the names of programs; default: all")
    parser.add_argument("--rounds", type=int, default=9)
    options = parser.parse_args()
    use_one_thread()
    print(f"{'graph':<60} {'llvm':>9} {'xla':>9}   xla/llvm")
    for program in (*examples(), *works()):
        if options.words and not any(word in program.name for word in options.words):
            continue
        try:
            seconds, why = measured(program, options.rounds)
        except Exception as error:  # the others' figures are wanted all the same
            print(f"{program.name:<60} {type(error).__name__}: {error}"[:160], flush=True)
            continue
        times = " ".join(f"{spoken(seconds[engine]):>9}" for engine in ENGINES)
        ratio = f"{seconds['xla'] / seconds['llvm']:8.2f}"
        note = f"on the CPU: {min(why)}"[:100] if why else ratio
        print(f"{program.name:<60} {times}   {note}", flush=True)


if __name__ == "__main__":
    main()
