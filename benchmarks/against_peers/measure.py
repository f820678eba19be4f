"""Measures lines: medians of rounds in which systems take turns; first calls in new processes."""

from __future__ import annotations

import compileall
import importlib
import pkgutil
import statistics
import subprocess
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from benchmarks.against_peers import works
from benchmarks.against_peers.line import Line, missing
from benchmarks.against_peers.systems import agree, arrays
from benchmarks.timing import medians, processor_time

ROOT = Path(__file__).parents[2]
WARM_SECONDS = 0.1
FEWER = ((2.0, 3), (0.3, 5))  # lines whose rounds take so many seconds have so many of them
Record = dict[str, Any]


def names() -> list[str]:
    """The works there are."""
    return sorted(module.name for module in pkgutil.iter_modules(works.__path__))


def store_byte_code() -> None:
    """Store the byte code of the packages, as an installation does, before imports are measured."""
    for package in ("autograph", "runtime", "benchmarks"):
        compileall.compile_dir(ROOT / package, quiet=1)


def lines(work: str) -> list[Line]:
    """The lines of a work."""
    module = importlib.import_module(f"{works.__name__}.{work}")
    return list(module.LINES)


def record(work: str, index: int, rounds: int, firsts: int) -> Record:
    """What is measured of one line, as it is written to JSON."""
    line = lines(work)[index]
    failures: dict[str, str] = {}
    calls = built(line, failures)
    if line.unit == "s":
        seconds = times(calls, rounds)
    else:
        seconds = {name: float(call()) for name, call in calls.items()}
    imports: dict[str, float] = {}
    first: dict[str, float] = {}
    if firsts and line.fresh and line.unit == "s":
        for name in calls:
            runs = [first_call(work, index, name) for _ in range(firsts)]
            imports[name], first[name] = map(statistics.median, zip(*runs))
    return {
        "work": work, "title": line.title, "unit": line.unit, "figures": seconds,
        "imports": imports, "first calls": first, "targets": targets(line, seconds, first),
        "failures": failures,
        "missing": {name: missing(name) for name in line.systems if missing(name)},
    }  # fmt: skip


def built(line: Line, failures: dict[str, str]) -> dict[str, Any]:
    """The calls of the installed systems that give the first one's answer; others are noted."""
    calls: dict[str, Any] = {}
    inputs, wanted = line.inputs(), None
    for name, make in line.installed().items():
        try:
            call = make(*inputs)
            found = call()
        except Exception as error:  # one system's refusal must not hide the others' figures
            failures[name] = f"{type(error).__name__}: {error}"
            continue
        if line.unit == "s":
            wanted = arrays(found) if wanted is None else wanted
            if not agree(line, arrays(found), wanted):
                failures[name] = "another answer than the first system's"
                continue
        calls[name] = call
    return calls


def times(calls: dict[str, Any], rounds: int) -> dict[str, float]:
    """Median seconds of a call of each, all warm."""
    once: dict[str, float] = {}
    candidates: dict[str, Callable[[], object]] = {}
    for name, call in calls.items():
        start, turns = processor_time(), 0
        while not turns or processor_time() - start < WARM_SECONDS:
            call()
            turns += 1
        once[name] = (processor_time() - start) / turns
        if hasattr(call, "batch"):
            call.prepare()
        candidates[name] = getattr(call, "batch", call)
    rounds = next((min(rounds, few) for long, few in FEWER if sum(once.values()) > long), rounds)
    found = medians(candidates, rounds, clock=processor_time)
    return {name: seconds / getattr(calls[name], "times", 1) for name, seconds in found.items()}


def first_call(work: str, index: int, system: str) -> tuple[float, float]:
    """Seconds that the import and the first call of a system take in a new process."""
    module = "benchmarks.against_peers.first_call"
    command = [sys.executable, "-m", module, work, str(index), system]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    imported, called = done.stdout.split()[-2:]
    return float(imported), float(called)


def targets(line: Line, seconds: dict[str, float], first: dict[str, float]) -> list[Record]:
    """The targets whose figures and peers are there, and whether they are met."""
    found = []
    for target in line.targets:
        figures = first if target.of == "first call" else seconds
        limit = target.bound(figures)
        if limit is not None and target.system in figures:
            figure = figures[target.system]
            found.append({
                "system": target.system, "of": target.of, "text": target.text(line.unit),
                "figure": figure, "limit": limit, "met": figure <= limit,
            })  # fmt: skip
    return found


def absent(records: Iterable[Record]) -> list[str]:
    """What is not installed and was asked for by a line."""
    return sorted({package for found in records for package in found["missing"].values()})

