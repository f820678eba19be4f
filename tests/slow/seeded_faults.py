"""What the tests find: sows one small fault after the other, and runs the tests of its room.

    python -m tests.slow.seeded_faults [--check] [--limit SECONDS] [--json FILE] [WORD ...]

Every fault of ``faults.py`` (or those whose name or room holds one of the words) is sown into a
copy of the tree; the tests it names run until one fails.  Prints which faults are caught and which
survive; the exit code is 1 if any does.  Before the first fault the tests run without any, to know
that they pass: ``--trust`` leaves that out.  ``--check`` runs nothing: it says which faults do not
stand in the packages exactly once, and which tests are not there.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.slow.faults import FAULTS, Fault

ROOT = Path(__file__).parent.parent.parent
PACKAGES = ("autograph", "runtime")
LEFT_OUT = shutil.ignore_patterns(
    "__pycache__", ".git", ".venv", ".hypothesis", "*.egg-info", ".*_cache"
)
PASSED, NO_TESTS = 0, 5
SECONDS = itertools.count(1)
"""A fault comes and goes within the second that dates bytecode: it gets one of its own."""


class MisplacedError(Exception):
    """A fault whose text, or a test that cannot be found."""


def place(fault: Fault, root: Path) -> tuple[Path, str]:
    """The file that a fault changes, and its text with the fault."""
    found = []
    for path in sorted(p for top in PACKAGES for p in (root / top).rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        for old, new in fault.changes:
            found += [(path, text.replace(old, new))] * text.count(old)
    if len(found) != 1:
        raise MisplacedError(f"its text stands {len(found)} times in the packages")
    return found[0]


def tests_of(fault: Fault, root: Path) -> list[str]:
    """The files and folders of tests that a fault names by the ends of their paths."""
    every = [p.relative_to(root).as_posix() for p in (root / "tests").rglob("*")]
    known = [p for p in every if p.endswith(".py") or (root / p).is_dir()]
    chosen = []
    for name in fault.tests.split():
        ends = tuple([f"/{end}" for end in name.split("|")])
        found = [path for path in known if f"/{path}".endswith(ends)]
        if len(found) != 1:
            raise MisplacedError(f"{name} means {len(found)} files of tests: {sorted(found)}")
        chosen += found
    return chosen


def run(tests: list[str], root: Path, limit: float) -> tuple[str, str]:
    """Run tests until one fails: what came of it, and the first failure."""
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-n", "0", "--tb=no", "-p",
               "no:cacheprovider", *tests]  # fmt: skip
    surroundings = {
        **os.environ, "PYTHONPATH": str(root), "PYTHONPYCACHEPREFIX": str(root.parent / "bytecode"),
    }  # fmt: skip
    surroundings.pop("PYTHONDONTWRITEBYTECODE", None)  # most of the time was that of compilation
    try:
        done = subprocess.run(
            command, cwd=root, env=surroundings, capture_output=True, text=True, timeout=limit
        )
    except subprocess.TimeoutExpired:
        return "too slow", ""
    if done.returncode == PASSED:
        return "survived", ""
    lines = done.stdout.splitlines()
    failures = [line for line in lines if line.startswith(("FAILED", "ERROR"))]
    first = failures[0] if failures else (done.stdout + done.stderr)[-300:]
    return ("no tests" if done.returncode == NO_TESTS else "caught"), first


def checked(faults: list[Fault]) -> int:
    """Say which faults cannot be sown; the exit code."""
    wrong = 0
    for fault in faults:
        try:
            place(fault, ROOT)
            tests_of(fault, ROOT)
        except MisplacedError as error:
            wrong += 1
            print(f"{fault.room}: {fault.name}: {error}")
    print(f"{len(faults) - wrong} of {len(faults)} faults can be sown")
    return 1 if wrong else 0


def sown(fault: Fault, copy: Path, limit: float) -> dict[str, object]:
    """What came of one fault: sown, tested, and taken out again."""
    start = time.perf_counter()
    try:
        path, text = place(fault, copy)
        tests = tests_of(fault, copy)
    except MisplacedError as error:
        return {"result": "misplaced", "by": str(error), "seconds": 0}
    original, date = path.read_bytes(), path.stat().st_mtime
    path.write_text(text, encoding="utf-8")
    os.utime(path, (date, date + next(SECONDS)))
    try:
        result, by = run(tests, copy, limit)
    finally:
        path.write_bytes(original)
        os.utime(path, (date, date))
    return {"result": result, "by": by, "seconds": round(time.perf_counter() - start, 1)}


def sound(faults: list[Fault], copy: Path, limit: float) -> bool:
    """Whether all tests that are named pass as things are."""
    named = sorted({test for fault in faults for test in tests_of(fault, copy)})
    print(f"without a fault: {len(named)} files and folders of tests", flush=True)
    result, by = run(named, copy, limit * len(faults))
    if result != "survived":
        print(f"these tests do not pass as things are: {result} {by}")
    return result == "survived"


def report(results: dict[str, dict[str, object]]) -> int:
    """Print the sums and who survived; the exit code."""
    kinds = [found["result"] for found in results.values()]
    counts = ", ".join(f"{kinds.count(kind)} {kind}" for kind in dict.fromkeys(kinds))
    print(f"\n{len(results)} faults: {counts}")
    missed = {name: found for name, found in results.items() if found["result"] != "caught"}
    for name, found in missed.items():
        print(f"- {found['result']}: {name} {found['by']}")
    return 1 if missed else 0


def main(arguments: list[str]) -> int:
    """Sow the faults that were asked for; the exit code says whether all were caught."""
    parser = argparse.ArgumentParser(description=__doc__, usage=argparse.SUPPRESS)
    parser.add_argument("words", nargs="*")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--trust", action="store_true")
    parser.add_argument("--limit", type=float, default=180.0)
    parser.add_argument("--json", type=Path)
    given = parser.parse_args(arguments)
    signal.signal(signal.SIGINT, signal.default_int_handler)  # also in a shell's background
    faults = [
        f for f in FAULTS
        if not given.words or any(word in f"{f.room} {f.name}" for word in given.words)
    ]  # fmt: skip
    if given.check:
        return checked(faults)
    results: dict[str, dict[str, object]] = {}
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "tree"
        shutil.copytree(ROOT, copy, ignore=LEFT_OUT)
        if not given.trust and not sound(faults, copy, given.limit):
            return 2
        for fault in faults:
            found = results[f"{fault.room}: {fault.name}"] = sown(fault, copy, given.limit)
            print(f"{found['result']:9} {found['seconds']:6} s  {fault.room}: {fault.name}  "
                  f"{found['by']}", flush=True)  # fmt: skip
            if given.json:
                given.json.write_text(json.dumps(results, indent=1) + "\n")
    return report(results)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
