"""Runs the tests that a change can break, by the import graph and the op table.

    python tests/affected.py [--list] [--near N] [REV] [-- PYTEST OPTIONS]

The change is what the working tree differs from REV in (HEAD, if none is given), with new files.
A test file is run if it changed itself, if it lies in the room of a changed file (tests/ mirrors
the packages), or if a module of which it uses a name runs a changed file when it is imported.
The nearest run first: N is the greatest number of imports between a test and a changed file.
Of the sweeps over all ops it runs the ops whose definitions, kernels or gradients stand in a
changed file.  Imports inside of functions are not followed: nearly all of ``runtime`` is reached
by them.  What they hide is found by the whole suite, which ``.ci/run`` runs.
"""

from __future__ import annotations

import argparse
import ast
import importlib
import subprocess
import sys
from collections import deque
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent
if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))

from benchmarks.import_graph import PACKAGES, ImportGraph  # noqa: E402

ALWAYS = ("tests/test_layers.py", "tests/test_budget.py", "tests/docs/test_docstrings.py")
"""Rules for all sources: quick, and broken from anywhere."""
SWEEPS = (
    "tests/test_op_table.py", "tests/runtime/ops/test_gradients.py",
    "tests/runtime/ops/test_op_refusals.py", "tests/runtime/engine/llvm/test_scalar_sweep.py",
    "tests/runtime/engine/llvm/test_array_sweep.py",
)  # fmt: skip
"""Files whose tests are made of the rows of the op table."""


def changed_files(root: Path, revision: str) -> list[str]:
    """Paths below ``root`` that differ from a revision, deleted and new ones among them."""
    command = ["git", "-C", str(root), "diff", "--name-only", "--no-renames", revision, "--"]
    new = ["git", "-C", str(root), "ls-files", "--others", "--exclude-standard"]
    texts = []
    for arguments in (command, new):
        run = subprocess.run(arguments, capture_output=True, text=True)
        if run.returncode:
            sys.exit(f"affected: {run.stderr.strip().splitlines()[0]}")
        texts.append(run.stdout)
    return sorted({line for text in texts for line in text.splitlines()})


def module_of(path: str) -> str:
    """``runtime.ops.nn`` for ``runtime/ops/nn/__init__.py``."""
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def distances(graph: Mapping[str, Collection[str]], targets: Iterable[str]) -> dict[str, int]:
    """How many edges lead from a node to the nearest of the targets, of each that reaches one."""
    sources: dict[str, list[str]] = {}
    for source, imported in graph.items():
        for target in imported:
            sources.setdefault(target, []).append(source)
    distance = dict.fromkeys(targets, 0)
    queue = deque(distance)
    while queue:
        target = queue.popleft()
        for source in sources.get(target, ()):
            if source not in distance:
                distance[source] = distance[target] + 1
                queue.append(source)
    return distance


class TestFiles:
    """The files below ``tests/``, with the modules whose names each uses."""

    __test__ = False  # no tests of pytest's

    def __init__(self, root: Path) -> None:
        self.root = root
        self.modules = {
            path.relative_to(root).as_posix(): set(_modules_used(path))
            for path in sorted((root / "tests").rglob("*.py"))
        }

    def of_room(self, path: str) -> set[str]:
        """The tests of the room that a source file stands in: the folder that mirrors its own."""
        folder = "tests/" + path.rpartition("/")[0]
        while folder != "tests":
            tests = {name for name in self.tests() if name.rpartition("/")[0] == folder}
            if tests:
                return tests
            folder = folder.rpartition("/")[0]
        return set()

    def graph(self) -> dict[str, set[str]]:
        """The modules of tests, and what each uses."""
        return {module_of(path): used for path, used in self.modules.items()}

    def tests(self) -> Iterator[str]:
        """The files that hold tests."""
        return (path for path in self.modules if path.rpartition("/")[2].startswith("test_"))


def _modules_used(path: Path) -> Iterator[str]:
    """Modules that a file imports, or of which it uses names (``tf.nn.relu``)."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    faces: dict[str, str] = {}  # a name of the file -> the module that it is
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                top = alias.name.partition(".")[0]
                faces[alias.asname or top] = alias.name if alias.asname else top
                yield alias.name
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            for alias in node.names:
                yield f"{node.module}.{alias.name}"
                yield from _defining(node.module, (alias.name,))
    for node in ast.walk(tree):
        names: list[str] = []
        while isinstance(node, ast.Attribute):
            names.insert(0, node.attr)
            node = node.value
        if names and isinstance(node, ast.Name) and node.id in faces:
            yield from _defining(faces[node.id], tuple(names))


@cache
def _defining(module: str, names: tuple[str, ...]) -> tuple[str, ...]:
    """The modules of the packages that define what ``module.name.name`` is."""
    if module.partition(".")[0] not in PACKAGES:
        return ()
    try:
        value: Any = importlib.import_module(module)
        for name in names:
            if not isinstance(value, ModuleType):
                break
            value = getattr(value, name)
    except (ImportError, AttributeError):
        return ()  # a test of what is not there
    if isinstance(value, ModuleType):
        return (value.__name__,)
    defined_in = getattr(value, "__module__", None)
    return (defined_in,) if isinstance(defined_in, str) else ()


def ops_of(modules: Collection[str]) -> set[str]:
    """The names of the ops of which a function stands in one of the modules."""
    from runtime.ops.op import TABLE
    from tests.support.operations import load_all

    load_all()
    fields = ("kernel", "infer", "grad", "lower", "samples", "python_kernel")
    return {
        name
        for name, op in TABLE.items()
        if any(getattr(getattr(op, field), "__module__", None) in modules for field in fields)
    }


class Selection:
    """What to run: whole files, the nearest first, and of the sweeps the rows of some ops."""

    def __init__(self, root: Path, changed: Collection[str], near: int | None = None) -> None:
        files = TestFiles(root)
        python = [path for path in changed if path.endswith(".py")]
        sources = [path for path in python if path.split("/")[0] in PACKAGES]
        graph = ImportGraph(root).between_files(["import"]) | files.graph()
        distance = distances(graph, map(module_of, python))
        self.count = len(list(files.tests()))
        self.files = {
            path: distance[module_of(path)]
            for path in files.tests()
            if module_of(path) in distance and (near is None or distance[module_of(path)] <= near)
        }
        beside = {path for source in sources for path in files.of_room(source)}
        for path in changed:  # texts that tests read: goldens, texts of errors, pages
            if not path.endswith(".py"):
                beside.update(test for test in files.tests() if _reads(test, path))
        if sources:
            beside.update(path for path in ALWAYS if (root / path).exists())
        self.files |= dict.fromkeys(beside, 0)
        self.ops = ops_of(set(map(module_of, sources)))
        self.sweeps = {path for path in SWEEPS if self.ops and path not in self.files}

    def paths(self) -> list[str]:
        """The files in the order in which they run."""
        return sorted(self.files, key=lambda path: (self.files[path], path)) + sorted(self.sweeps)

    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[Any]) -> None:
        """Keep of a sweep the tests that have an op's name among their parameters."""
        kept, left_out = [], []
        for item in items:
            path = item.path.relative_to(ROOT).as_posix()
            parameters = item.callspec.params.values() if hasattr(item, "callspec") else ()
            is_affected = path not in self.sweeps or self.ops.intersection(
                p for p in parameters if isinstance(p, str)
            )
            (kept if is_affected else left_out).append(item)
        config.hook.pytest_deselected(items=left_out)
        items[:] = kept

    def __str__(self) -> str:
        lines = [f"{len(self.files)} of {self.count} test files"]
        lines += [f"{path}  ({self.files[path]})" for path in self.paths() if path in self.files]
        if self.sweeps:
            lines += [f"and of {len(self.ops)} ops: {', '.join(sorted(self.ops))}"]
            lines += sorted(self.sweeps)
        return "\n".join(lines)


def _reads(test: str, text: str) -> bool:
    """Whether a test reads a text: ``tests/errors/a/b.err`` is read by ``tests/test_errors.py``."""
    if not text.startswith("tests/"):
        return text.endswith(".md") and test.startswith("tests/docs/")
    return test == f"tests/test_{Path(text).parts[1]}.py" or Path(test).parent == Path(text).parent


def main(arguments: list[str]) -> int:
    """Choose and run the tests; the exit status is pytest's, 0 if there is nothing to run."""
    end = arguments.index("--") if "--" in arguments else len(arguments)
    parser = argparse.ArgumentParser(prog="affected", description=__doc__.splitlines()[0])
    parser.add_argument("revision", nargs="?", default="HEAD", metavar="REV")
    parser.add_argument("--list", action="store_true", help="say what would run, and run nothing")
    parser.add_argument("--near", type=int, metavar="N", help="at most N imports away")
    parsed = parser.parse_args(arguments[:end])
    selection = Selection(ROOT, changed_files(ROOT, parsed.revision), parsed.near)
    paths = [str(ROOT / path) for path in selection.paths()]
    if parsed.list or not paths:
        print(selection)
        return 0
    return pytest.main(["-q", *arguments[end + 1 :], *paths], [selection])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
