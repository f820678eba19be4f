"""High-water marks of memory: machine code against the reference executor.

    python -m benchmarks.memory               # works of against_peers and examples
    python -m benchmarks.memory lstm mlp      # those whose names hold one of the words

Each program runs in a process of its own for each way: once, so that it is traced and compiled, and
then three times, of which the highest resident memory is taken, less that before.  It needs Linux
and glibc.
"""

from __future__ import annotations

import argparse
import ctypes
import gc
import json
import subprocess
import sys
from pathlib import Path

from benchmarks.nothing_slower import WAYS, Program, examples, works

CALLS = 3
"""Calls that are watched."""
COMPARED = ("never", "jit")


def _kilobytes(what: str) -> int:
    """Return a line of /proc/self/status: ``VmHWM`` is the high-water mark, ``VmRSS`` memory now.
    """
    for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines():
        if line.startswith(f"{what}:"):
            return int(line.split()[1])
    raise RuntimeError(f"/proc/self/status has no {what}")


def growth(program: Program, way: str) -> int:
    """Return by how many kilobytes memory rises, at most, while a program runs again."""
    call = program.make(WAYS[way])
    call()
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)  # or memory that was freed would count as in use
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")  # resets the mark
    before = _kilobytes("VmRSS")
    for _ in range(CALLS):
        call()
    return _kilobytes("VmHWM") - before


def measured(program: Program, way: str) -> int:
    """Return ``growth`` in a new process."""
    command = [sys.executable, "-m", "benchmarks.memory", "--one", way, program.name]
    found = subprocess.run(command, capture_output=True, text=True, check=True)
    return int(json.loads(found.stdout.splitlines()[-1]))


def main() -> None:
    """Measure the programs whose names hold one of the words given, and print a table."""
    parser = argparse.ArgumentParser(description=str(__doc__).split("\n", maxsplit=1)[0])
    parser.add_argument("words", nargs="*", help="parts of the names of programs; default: all")
    parser.add_argument("--one", choices=COMPARED, help=argparse.SUPPRESS)
    options = parser.parse_args()
    programs = [*examples(), *works()]
    if options.one:
        program = next(one for one in programs if one.name == options.words[0])
        print(f"\n{json.dumps(growth(program, options.one))}")
        return
    print(f"{'program':<60} {'reference':>10} {'machine code':>13}")
    for program in programs:
        if options.words and not any(word in program.name for word in options.words):
            continue
        try:
            never, jit = [measured(program, way) / 1024 for way in COMPARED]
        except subprocess.CalledProcessError as error:
            print(f"{program.name:<60} {error.stderr.strip().splitlines()[-1]}"[:160], flush=True)
            continue
        print(f"{program.name:<60} {never:>7.1f} MB {jit:>10.1f} MB", flush=True)


if __name__ == "__main__":
    main()
