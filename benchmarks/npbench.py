"""NPBench's programs by NumPy, numba and ``runtime.jit``: one thread, a process for each program.

    python -m benchmarks.npbench CHECKOUT                      # all programs, size S
    python -m benchmarks.npbench CHECKOUT gemm crc16 --size M --systems numpy auto always

``CHECKOUT`` is a folder of github.com/spcl/npbench.  ``auto`` is what users get: the rule of
``runtime.jit`` decides; ``always`` is machine code from the first call on.  The table has the first
call and the median of steady calls, after the rule has decided, in processor time; arguments are
copied outside of the measured time.  What each system computes is checked against NumPy's results.
The end says the geometric means and names what is slower than NumPy.
"""

from __future__ import annotations

import argparse
import contextlib
import copy
import importlib
import io
import json
import math
import statistics
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from benchmarks.timing import processor_time, spoken, use_one_thread

SYSTEMS = "numpy", "numba", "auto", "always"
WARM = 1.0
"""Seconds of calls of each system before the first that is measured."""
UNDECIDED = 6.0
"""Seconds of calls where the rule had not chosen machine code soon."""
MOST_ROUNDS, MEASURED = 25, 4.0
"""Rounds in which the systems take turns, and the seconds after which there are only three."""
TOLERANCE = 1e-5
"""Norm of the differences of results from NumPy's, as a share of that of NumPy's: NPBench's own."""
SLOWER = 1.05
"""Ratio of times that counts as slower."""

Function = Callable[..., Any]


class Program:
    """Program of a checkout: its description, its functions by system, its arguments."""

    def __init__(self, folder: Path, name: str, size: str) -> None:
        """Read the description of the program ``name`` and make its arguments."""
        path = folder / "bench_info" / f"{name}.json"
        info = json.loads(path.read_text(encoding="utf-8"))["benchmark"]
        self._function_name = info["func_name"]
        self._module = ".".join(
            ["npbench", "benchmarks", *info["relative_path"].split("/"), info["module_name"]]
        )
        values = dict(info["parameters"][size])
        if init := info.get("init"):
            initialize = getattr(importlib.import_module(self._module), init["func_name"])
            results = initialize(*[values[arg] for arg in init["input_args"]])
            names = init["output_args"]
            values |= zip(names, [results] if len(names) == 1 else results, strict=True)
        self._inputs = [values[arg] for arg in info["input_args"]]

    def function(self, system: str) -> Function:
        """Return the program as a system runs it."""
        if system == "numba":
            return self._imported("_numba_n")
        plain = self._imported("_numpy")
        if system == "numpy":
            return plain
        import runtime

        return runtime.jit(plain, jit_compile={"auto": None, "always": True}[system])

    def _imported(self, suffix: str) -> Function:
        function: Function = getattr(
            importlib.import_module(self._module + suffix), self._function_name
        )
        return function

    def call(
        self, function: Function, clock: Callable[[], float] = time.process_time
    ) -> tuple[float, list[Any]]:
        """Call a function: seconds, and what it returned and left in its arguments."""
        inputs = copy.deepcopy(self._inputs)
        start = clock()
        result = function(*inputs)
        return clock() - start, [result, inputs]


def is_close(value: Any, expected: Any) -> bool:
    """Return whether a result is NumPy's, but for rounding."""
    import numpy as np

    if isinstance(expected, list | tuple):
        return len(value) == len(expected) and all(map(is_close, value, expected))
    if expected is None or not isinstance(expected, np.ndarray | np.generic | float | complex):
        return expected is None or bool(np.all(value == expected))
    value, expected = np.asarray(value), np.asarray(expected)
    if value.shape != expected.shape or value.dtype != expected.dtype:
        return False
    if np.allclose(value, expected, equal_nan=True):
        return True
    difference = np.linalg.norm(np.subtract(value, expected, dtype=expected.dtype).ravel())
    return bool(difference <= TOLERANCE * np.linalg.norm(expected.ravel()))


def measured(program: Program, systems: Sequence[str]) -> dict[str, Any]:
    """Return, by system, the first call, the median of steady calls, and how ``jit`` runs them."""
    functions: dict[str, Function] = {}
    record: dict[str, Any] = {}
    _, expected = program.call(program.function("numpy"))
    for system in systems:
        try:
            function = program.function(system)
            first, results = program.call(function, processor_time)
            if not is_close(results, expected):
                raise ArithmeticError("other results than NumPy's")
            _warm(program, function)
            if not is_close(program.call(function)[1], expected):
                raise ArithmeticError("other results than NumPy's, when warm")
        except Exception as error:  # the figures of other systems are asked for all the same
            record[system] = {"error": f"{type(error).__name__}: {error}"[:300]}
            continue
        functions[system] = function
        record[system] = {"first": first}
    seconds: dict[str, list[float]] = {system: [] for system in functions}
    start, rounds = time.perf_counter(), 0
    while rounds < (3 if time.perf_counter() - start > MEASURED else MOST_ROUNDS):
        rounds += 1
        for system, function in functions.items():
            seconds[system].append(program.call(function)[0])
    for system in functions:
        record[system]["steady"] = statistics.median(seconds[system])
    if "auto" in functions:
        explain: Any = functions["auto"]
        record["auto"]["way"] = str(explain.explain()).splitlines()[0]
    return record


def _warm(program: Program, function: Any) -> None:
    """Call until the rule has decided: for long code, once calls took as long as compiling it."""
    start, calls, seconds = time.perf_counter(), 0, WARM
    while calls < 8 or (time.perf_counter() - start < seconds and calls < 2000):
        program.call(function)
        calls += 1
        if calls == 8 and hasattr(function, "explain"):
            seconds = WARM if "runs as machine code" in function.explain() else UNDECIDED


def _measure_here(options: argparse.Namespace) -> None:
    """Measure one program in this process and print the record as the last line."""
    sys.path.insert(0, str(options.checkout.resolve()))
    with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        program = Program(options.checkout, options.programs[0], options.size)
        record = measured(program, options.systems)
    print(json.dumps(record))


def _measure(options: argparse.Namespace, name: str) -> dict[str, Any]:
    """Measure one program in a process of its own."""
    command = [
        sys.executable, "-m", "benchmarks.npbench", str(options.checkout), name, "--here",
        "--size", options.size, "--systems", *options.systems,
    ]  # fmt: skip
    try:
        ended = subprocess.run(command, capture_output=True, text=True, timeout=options.timeout)
    except subprocess.TimeoutExpired:
        return {system: {"error": "timeout"} for system in options.systems}
    if ended.returncode:
        return {system: {"error": ended.stderr[-300:]} for system in options.systems}
    record: dict[str, Any] = json.loads(ended.stdout.splitlines()[-1])
    return record


def _heading(systems: Sequence[str]) -> str:
    """Return the first line of the table."""
    return f"{'program':<26} " + "  ".join(f"{system:>18} {'first':>8}" for system in systems)


def _line(name: str, record: dict[str, Any], systems: Sequence[str]) -> str:
    """Return a program's line of the table."""
    cells = []
    base = record.get("numpy", {}).get("steady")
    for system in systems:
        figures = record[system]
        if "error" in figures:
            cells.append("-".rjust(27))
            continue
        ratio = f"{base / figures['steady']:7.2f}x" if base else ""
        cells.append(f"{spoken(figures['steady']):>9} {ratio} {spoken(figures['first']):>9}")
    errors = [f"  {system}: {record[system]['error']}" for system in systems
              if "error" in record[system]]  # fmt: skip
    return "\n".join([f"{name:<26} {'  '.join(cells)}", *errors])


def summary(records: dict[str, dict[str, Any]], systems: Sequence[str]) -> str:
    """Return the geometric means of NumPy's time through a system's, and what is slower."""
    lines = []
    for system in systems[1:]:
        ratios = {
            name: record["numpy"]["steady"] / record[system]["steady"]
            for name, record in records.items()
            if "steady" in record.get("numpy", {}) and "steady" in record[system]
        }
        if not ratios:
            continue
        mean = math.exp(statistics.fmean(map(math.log, ratios.values())))
        slower = [f"{name} ({ratio:.2f})" for name, ratio in ratios.items() if ratio * SLOWER < 1]
        lines.append(f"{system}: {mean:.2f} x NumPy (geometric mean of {len(ratios)} programs); "
                     f"slower than NumPy: {', '.join(slower) or 'none'}")  # fmt: skip
    return "\n".join(lines)


def main() -> None:
    """Measure the programs named, or all, and print the table."""
    parser = argparse.ArgumentParser(description=str(__doc__).split("\n", maxsplit=1)[0])
    parser.add_argument("checkout", type=Path, help="folder of a checkout of npbench")
    parser.add_argument("programs", nargs="*", help="names of files in bench_info; default: all")
    parser.add_argument("--size", default="S", help="size of the programs: S, M, L, paper")
    parser.add_argument("--systems", nargs="*", default=SYSTEMS, choices=SYSTEMS)
    parser.add_argument("--timeout", type=float, default=300.0, help="seconds of a program: 300")
    parser.add_argument("-o", "--output", type=Path, help="a file for the figures, as JSON")
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    use_one_thread()
    if options.here:
        _measure_here(options)
        return
    from benchmarks.against_peers.measure import store_byte_code

    store_byte_code()
    files = sorted((options.checkout / "bench_info").glob("*.json"))
    records: dict[str, dict[str, Any]] = {}
    print(_heading(options.systems))
    for name in options.programs or [file.stem for file in files]:
        records[name] = _measure(options, name)
        print(_line(name, records[name], options.systems), flush=True)
    print(summary(records, options.systems))
    if options.output:
        options.output.write_text(json.dumps(records, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
