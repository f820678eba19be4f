"""``autograph convert --verify``: the doctests of a module, before and after its conversion.

Each run is a process of its own: this file as a program.  It imports the module by its name in
its package, from the given text instead of the file, and writes down what every example gave.
"""

from __future__ import annotations

import contextlib
import doctest
import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import textwrap
import types
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from autograph.cli.parent_process import end_with, wait_for_parent
from autograph.cli.run_script import module_name
from autograph.diagnostics.user_frame import PACKAGE_FOLDER

_ADDRESS = re.compile(r"0x[0-9a-fA-F]+")
_FRAME = re.compile(r"^ +File .*\n(?: .*\n)*", re.M)


@dataclass(frozen=True)
class Verdict:
    """Result of a module's doctests: how many examples, which differ, and how."""

    examples: int = 0
    failing: int = 0
    """Examples that fail both ways, and alike."""
    differences: tuple[str, ...] = ()
    trouble: str | None = None
    """Why nothing can be said."""


def verify(path: str, before: bytes, after: bytes) -> Verdict:
    """Run the doctests of the module at ``path`` with either text, and compare."""
    with tempfile.TemporaryDirectory(prefix="autograph-") as folder:
        first = _run(path, before, folder)
        if isinstance(first, str):
            return Verdict(trouble=f"the module itself fails: {first}")
        second = _run(path, after, folder) if first else {}
        if isinstance(second, str):
            return Verdict(len(first), 0, (f"{path}: fails after conversion: {second}",))
    return _compared(path, first, second)


Outcome = dict[str, Any]
"""One example: line, source, whether it is as expected, what it gave."""


def _run(path: str, text: bytes, folder: str) -> dict[str, Outcome] | str:
    """Return the output of each example, by name; or why the module could not be loaded."""
    source, result = os.path.join(folder, "source"), os.path.join(folder, "result")
    with open(source, "wb") as file:
        file.write(text)
    with contextlib.suppress(FileNotFoundError):
        os.unlink(result)
    done = subprocess.run(
        [sys.executable, "-m", __name__, os.path.abspath(path), source, result],
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
        cwd=os.path.dirname(os.path.abspath(path)), env=_environment(),
    )  # fmt: skip
    try:
        with open(result, encoding="utf-8") as result_file:
            outcome: dict[str, Outcome] | str = json.load(result_file)
    except (OSError, ValueError):
        last_line = done.stderr.decode("utf-8", "backslashreplace").strip().rpartition("\n")[2]
        return last_line or f"its process ended with exit code {done.returncode}"
    return outcome


def _environment() -> dict[str, str]:
    """Return the environment of a run: it must find this package; sets have one order."""
    package = os.path.dirname(os.path.dirname(PACKAGE_FOLDER))
    paths = [*filter(None, [os.environ.get("PYTHONPATH")]), package]
    return {
        **os.environ, "PYTHONPATH": os.pathsep.join(paths), "PYTHONHASHSEED": "0",
        "PYTHONDONTWRITEBYTECODE": "1", "PYTHONSAFEPATH": "1",
    }  # fmt: skip


def _compared(
    path: str, before: dict[str, Outcome], after: dict[str, Outcome]
) -> Verdict:
    failing = 0
    differences = []
    for key, first in before.items():
        second = after.get(key, {"good": False, "got": "(the example is gone)\n"})
        if first["good"] and second["good"]:
            continue
        if first["good"] == second["good"] and _alike(first["got"], second["got"]):
            failing += 1
            continue
        name = key.rpartition(" ")[0]
        location = f"{path}:{first['line']}" if first["line"] else path
        differences.append(
            f"{location}: a doctest of {name} differs after conversion\n"
            + _block("", first["source"], ">>> ", "... ")
            + _block("before:\n", first["got"], "    ", "    ")
            + _block("after:\n", second["got"], "    ", "    ").rstrip("\n")
        )
    return Verdict(len(before), failing, tuple(differences))


def _alike(first: str, second: str) -> bool:
    """Whether two texts are equal but for addresses and the frames of tracebacks."""
    def plain(text: str) -> str:
        return _FRAME.sub("", _ADDRESS.sub("0x", text))

    return plain(first) == plain(second)


def _block(title: str, text: str, first: str, indent: str) -> str:
    lines = text.rstrip("\n").split("\n")[:40]
    body = "\n".join([first + lines[0], *(indent + line for line in lines[1:])])
    return textwrap.indent(title + body + "\n", "  ")


# In the process of a run


class _Runner(doctest.DocTestRunner):
    """Doctest runner that records the output of each example, and prints nothing."""

    def __init__(self) -> None:
        super().__init__(verbose=False)
        self.outcomes: dict[str, Outcome] = {}

    def report_start(self, out: Any, test: doctest.DocTest, example: doctest.Example) -> None:
        """Print nothing."""

    def report_success(
        self, out: Any, test: doctest.DocTest, example: doctest.Example, got: str
    ) -> None:
        """Record an example with the expected output."""
        self._note(test, example, True, got)

    def report_failure(
        self, out: Any, test: doctest.DocTest, example: doctest.Example, got: str
    ) -> None:
        """Record an example with another output."""
        self._note(test, example, False, got)

    def report_unexpected_exception(
        self, out: Any, test: doctest.DocTest, example: doctest.Example, exc_info: Any
    ) -> None:
        """Record an example that raises."""
        import traceback

        self._note(test, example, False, "".join(traceback.format_exception(*exc_info)))

    def _note(
        self, test: doctest.DocTest, example: doctest.Example, good: bool, got: str
    ) -> None:
        number = next(n for n, listed in enumerate(test.examples) if listed is example)
        line = None if test.lineno is None else test.lineno + example.lineno + 1
        self.outcomes[f"{test.name} {number}"] = {
            "line": line, "source": example.source, "good": good, "got": got,
        }  # fmt: skip


class _Given(importlib.machinery.SourceFileLoader):
    """Loader of one module from a text that is not the one of its file."""

    text = b""

    def get_data(self, path: str) -> bytes:
        """Return the given text for the module's file."""
        return self.text if os.path.abspath(path) == self.path else super().get_data(path)

    def path_stats(self, path: str) -> Any:
        """Return nothing, so that no compiled file is used."""
        raise OSError


class _Finder(importlib.abc.MetaPathFinder):
    """Finder of one module, by its full name."""

    def __init__(self, name: str, path: str, text: bytes) -> None:
        self.name, self.path, self.text = name, path, text

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: types.ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """Return the spec of the module with the given text; None for any other name."""
        if fullname != self.name:
            return None
        loader = _Given(fullname, self.path)
        loader.text = self.text
        inside = os.path.dirname(self.path)
        folders = [inside] if os.path.basename(self.path) == "__init__.py" else None
        return importlib.util.spec_from_file_location(
            fullname, self.path, loader=loader, submodule_search_locations=folders
        )


def _examine(path: str, text: bytes) -> dict[str, Outcome] | str:
    """Import the module and run its doctests; an error's last line if that fails."""
    name, root = module_name(path)
    sys.path.insert(0, root)
    sys.argv[:] = [path]
    sys.meta_path.insert(0, _Finder(name, path, text))
    sys.modules.pop(name, None)
    try:
        module = importlib.import_module(name)
    except BaseException as error:
        return " ".join(f"{type(error).__name__}: {error}".split())
    runner = _Runner()
    for test in doctest.DocTestFinder().find(module, name):
        runner.run(test, out=lambda text: None)
    return runner.outcomes


def main(path: str, source: str, result: str) -> None:
    """Run the doctests of ``path`` with the text in ``source``; write their output to ``result``.
    """
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    end_with(wait_for_parent)
    with open(source, "rb") as file:
        text = file.read()
    outcomes = _examine(path, text)
    with open(result, "w", encoding="utf-8") as out:
        json.dump(outcomes, out)
    sys.stdout.flush()
    os._exit(0)  # the user's threads and exit handlers must not write any more


if __name__ == "__main__":
    main(*sys.argv[1:])
