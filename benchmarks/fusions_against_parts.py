"""No fusion is slower than its parts: the works of ``against_peers``, as they are and unfused.

    taskset -c 0 python -m benchmarks.fusions_against_parts            # all
    taskset -c 0 python -m benchmarks.fusions_against_parts k-means GELU

``fused`` is the machine code that users get; in ``parts`` each operation on arrays is a loop of its
own, whose result is stored.  Both are warm and take turns; the ratio is that of medians of
processor time.  The command fails if ``fused`` is slower by more than the tolerance.
"""

from __future__ import annotations

import argparse
import contextlib
import sys
from collections.abc import Iterator

from benchmarks.nothing_slower import Program, works
from benchmarks.timing import medians, processor_time, spoken, use_one_thread

TOLERANCE = 1.15
"""What counts as the same."""


@contextlib.contextmanager
def longest_fusion(members: int | None) -> Iterator[None]:
    """Let fusions that are made meanwhile have at most so many operations; None: as users get."""
    from runtime.engine.llvm.arrays import fusion_lowering

    usual = fusion_lowering.MOST_MEMBERS
    fusion_lowering.MOST_MEMBERS = usual if members is None else members
    yield
    fusion_lowering.MOST_MEMBERS = usual


def measured(program: Program, rounds: int) -> dict[str, float]:
    """Return the median seconds of a call of a program, fused and in parts."""
    calls = {}
    for name, members in (("fused", None), ("parts", 1)):
        with longest_fusion(members):
            calls[name] = program.make(True)
            calls[name]()  # it is compiled in the first call
    return medians(calls, rounds, clock=processor_time)


def main() -> None:
    """Measure the works whose names hold one of the words given, and print a table."""
    parser = argparse.ArgumentParser(description=str(__doc__).split("\n", maxsplit=1)[0])
    parser.add_argument("words", nargs="*", help="parts of the names of works; default: all")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--tolerance", type=float, default=TOLERANCE)
    options = parser.parse_args()
    use_one_thread()
    slower = []
    print(f"{'work':<90} {'fused':>9} {'parts':>9}   ratio")
    for program in works():
        if options.words and not any(word in program.name for word in options.words):
            continue
        seconds = measured(program, options.rounds)
        if seconds["fused"] > options.tolerance * seconds["parts"]:  # or other programs ran
            seconds = measured(program, 3 * options.rounds)
        ratio = seconds["fused"] / seconds["parts"]
        times = " ".join(f"{spoken(seconds[name]):>9}" for name in ("fused", "parts"))
        print(f"{program.name[:90]:<90} {times}   {ratio:5.2f}", flush=True)
        if ratio > options.tolerance:
            slower.append(program.name)
    if slower:
        sys.exit(f"slower than their parts: {', '.join(slower)}")


if __name__ == "__main__":
    main()
