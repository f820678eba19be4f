"""Size and naming rules: small files, small functions, names that say something."""

from __future__ import annotations

import ast
import re
import statistics
from collections.abc import Iterator
from pathlib import Path

from tests.support import ROOT
from tests.support.sources import statements, tree_of

SOURCES = sorted([*(ROOT / "autograph").rglob("*.py"), *(ROOT / "runtime").rglob("*.py")])
CASES = ROOT / "tests" / "errors"  # programs that users might write, and go wrong
TESTS = {p for p in (ROOT / "tests").rglob("*.py") if CASES not in p.parents}
OTHERS = sorted([*(ROOT / "examples").rglob("*.py"), *(ROOT / "benchmarks").rglob("*.py")])
EVERY = [*SOURCES, *TESTS, *OTHERS]

FILE_LINES = 400
DEFINITION_FILE_LINES = 600  # files of op definitions: tables, read one by one
FUNCTION_LINES = 60
MEDIAN_LINES = 150
DOCUMENTED = re.compile(r'(#.*\n)*\s*r?"""[^"]', re.IGNORECASE)
PUBLIC_NAMES = {"runtime/keras/utils.py"}  # what programs with Keras import
FORBIDDEN = {"utils", "core", "impl", "misc", "common", "helpers"}

# {"path" or "path::function": "reason"}.  Shrink it.
ALLOWED: dict[str, str] = {
    "benchmarks/against_peers/works/conversion.py::settle": "a function of 62 lines",
}

# How often a file changes the class of an object, to say what a variable may be: one way of many,
# and hard to follow.  Shrink it.
CLASS_CHANGES = {"autograph/staging/access.py": 1}


def spoken(path: Path) -> str:
    """The path as the allow-list writes it."""
    return path.relative_to(ROOT).as_posix()


def line_count(path: Path) -> int:
    """Physical lines of a file."""
    return len(path.read_text(encoding="utf-8").splitlines())


def test_files_are_small_and_say_what_they_are_for() -> None:
    wrong = [problem for path in EVERY for problem in problems(path)]
    assert not wrong, "\n".join(wrong)


def test_no_more_objects_change_their_class() -> None:
    changes = {
        spoken(path): number for path in SOURCES
        if path.is_relative_to(ROOT / "autograph") and (number := class_changes(path))
    }  # fmt: skip
    assert changes == CLASS_CHANGES


def class_changes(path: Path) -> int:
    """How many assignments of `__class__` a file has."""
    assignments = (node for node in statements(tree_of(path)) if isinstance(node, ast.Assign))
    targets = (target for node in assignments for target in node.targets)
    return sum(getattr(target, "attr", "") == "__class__" for target in targets)


def problems(path: Path) -> Iterator[str]:
    """What is wrong with the size of a file and of its functions."""
    text, name = path.read_text(encoding="utf-8"), spoken(path)
    limit = DEFINITION_FILE_LINES if name.startswith("runtime/ops/") else FILE_LINES
    if name not in ALLOWED and len(text.splitlines()) > limit:
        yield f"{name} has more than {limit} lines: split it"
    if not DOCUMENTED.match(text) and (text or path in SOURCES):
        yield f"{name} does not say what it is for"
    for function, lines in function_sizes(tree_of(path)) if path not in TESTS else ():
        if lines > FUNCTION_LINES and f"{name}::{function}" not in ALLOWED:
            yield f"{name}::{function} has {lines} lines"


def function_sizes(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """Name and number of lines of each function in a file."""
    for node in statements(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield node.name, node.end_lineno - node.lineno + 1


def test_median_file() -> None:
    assert statistics.median(map(line_count, SOURCES)) <= MEDIAN_LINES


def test_names_say_something() -> None:
    names = [p.relative_to(ROOT) for p in EVERY if spoken(p) not in PUBLIC_NAMES]
    bad = [
        p.as_posix() for p in names if FORBIDDEN & {part.removesuffix(".py") for part in p.parts}
    ]
    assert not bad, f"rename: {bad}"


def test_allow_list_is_not_stale() -> None:
    """An exception that is no longer needed has to go."""
    for key in ALLOWED:
        path, _, function = key.partition("::")
        if not function:
            assert line_count(ROOT / path) > FILE_LINES, f"{key} fits by now"
            continue
        sizes = [lines for name, lines in function_sizes(tree_of(ROOT / path)) if name == function]
        assert sizes and max(sizes) > FUNCTION_LINES, f"{key} fits by now"
