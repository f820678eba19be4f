"""Test suites of packages from PyPI, with all functions of the package converted in place.

    python -m tests.slow.replaced_packages [--functional] [PACKAGE ...]

Makes a virtual environment with the packages in ``build/packages`` first (it needs PyPI).  Each
suite runs twice in a fresh process: as it is, and with every function and method of the package
replaced by its conversion; with ``--functional`` conversions run their staged versions all the
time.  Prints the tests that only the second run loses, and both times.  The exit code is 1 when
any test is lost.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tarfile
import tempfile
import venv
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
BUILD = ROOT / "build" / "packages"
TIMEOUT = 1500


class Package(NamedTuple):
    """A package on PyPI, what is replaced of it, and where its tests are."""

    name: str
    module: str
    tests: tuple[str, ...]
    from_archive: bool = False
    """Whether the tests come with the source archive alone."""


PACKAGES = (
    Package("more-itertools", "more_itertools", ("tests",), from_archive=True),
    Package("toolz", "toolz", ("toolz",)),
    Package("attrs", "attr", ("tests",), from_archive=True),
    Package("networkx", "networkx", ("networkx/algorithms/tests", "networkx/classes")),
    Package("mpmath", "mpmath", ("mpmath/tests",)),
    Package("sympy", "sympy.core", ("sympy/core/tests",)),
)

PLUGIN = '''
import importlib, json, os, pkgutil, sys, time
passed, problems = [], {}
module, mode, out = os.environ["REPLACED"].split(";")
def names():
    package = importlib.import_module(module)
    yield module
    for info in pkgutil.walk_packages(package.__path__, module + "."):
        if ".tests" not in info.name and "test_" not in info.name and "__main__" not in info.name:
            try:
                importlib.import_module(info.name)
            except ImportError:
                continue
            yield info.name
modules = list(names())  # imported in either run: a warning at import comes once
if mode != "original":
    from autograph import staging
    import importlib.util
    spec = importlib.util.spec_from_file_location("replacing", os.environ["REPLACING"])
    replacing = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(replacing)
    replace = replacing.replace
    print("replaced:", replace(modules))
    if mode == "functional":
        staging.force_version(staged=True).__enter__()
def pytest_runtest_logreport(report):
    if report.when == "call" and report.passed:
        passed.append(report.nodeid)
    elif report.failed:
        problems[report.nodeid] = str(report.longrepr)[-400:]
start = time.perf_counter()
def pytest_sessionfinish(session):
    with open(out, "w") as file:
        json.dump([passed, problems, time.perf_counter() - start], file)
'''


def prepared(package: Package) -> tuple[Path, Path]:
    """The Python with the package installed, and the folder that holds its tests."""
    python = BUILD / "venv" / "bin" / "python"
    if not python.exists():
        venv.create(BUILD / "venv", with_pip=True)
        _pip(python, "install", "pytest", "hypothesis", "numpy", "gast", "astunparse")
    _pip(python, "install", package.name)
    if not package.from_archive:
        found = subprocess.run(
            [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"],
            capture_output=True, text=True, check=True,
        )  # fmt: skip
        return python, Path(found.stdout.strip())
    folder = BUILD / package.name
    if not folder.exists():
        _pip(python, "download", "--no-deps", "--no-binary", ":all:", "-d", str(folder),
             package.name)  # fmt: skip
        with tarfile.open(next(folder.glob("*.tar.gz"))) as archive:
            archive.extractall(folder, filter="data")
    return python, next(path for path in folder.iterdir() if path.is_dir())


def _pip(python: Path, *arguments: str) -> None:
    subprocess.run([python, "-m", "pip", "-q", *arguments], check=True)


def run(package: Package, mode: str) -> tuple[set[str], dict[str, str], float]:
    """The passed tests, the problems and the time of one run in a process of its own."""
    python, folder = prepared(package)
    with tempfile.TemporaryDirectory() as scratch:
        plugin, out = Path(scratch, "replaced_plugin.py"), Path(scratch, "out.json")
        plugin.write_text(PLUGIN)
        subprocess.run(
            [python, "-m", "pytest", "-q", "-p", "replaced_plugin", "-p", "no:cacheprovider",
             "-p", "no:randomly", *package.tests],
            cwd=folder, timeout=TIMEOUT, stdin=subprocess.DEVNULL, capture_output=True,
            env={**os.environ, "PYTHONPATH": f"{scratch}:{ROOT}", "PYTHONHASHSEED": "0",
                 "REPLACED": f"{package.module};{mode};{out}",
                 "REPLACING": str(ROOT / "tests" / "slow" / "replacing.py")},
        )  # fmt: skip
        passed, problems, elapsed = json.loads(out.read_text())
    return set(passed), problems, elapsed


def main(arguments: list[str]) -> int:
    """Test the named packages, or all; the number of lost tests decides the exit code."""
    mode = "functional" if "--functional" in arguments else "converted"
    names = [name for name in arguments if not name.startswith("-")]
    lost_all = 0
    for package in PACKAGES:
        if names and package.name not in names:
            continue
        before, _, plain = run(package, "original")
        after, problems, converted = run(package, mode)
        lost = sorted(before - after)
        lost_all += len(lost)
        print(f"{package.name}: {len(before)} pass, {len(lost)} lost, {plain:.1f} s -> "
              f"{converted:.1f} s ({converted / plain:.1f} x)", flush=True)
        for test in lost:
            reason = problems.get(test, "").strip().splitlines()[-1:]
            print(f"    {test}: {' '.join(reason)[:200]}", flush=True)
    return 1 if lost_all else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
