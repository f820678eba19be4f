"""Size and naming rules: small files, small functions, names that say something."""

from __future__ import annotations

import ast
import statistics
from pathlib import Path

import pytest

from tests.support import ROOT

SOURCES = sorted([*(ROOT / "autograph").rglob("*.py"), *(ROOT / "runtime").rglob("*.py")])
CASES = ROOT / "tests" / "errors"  # programs that users might write, and go wrong
TESTS = sorted(p for p in (ROOT / "tests").rglob("*.py") if CASES not in p.parents)
OTHERS = sorted([*(ROOT / "examples").rglob("*.py"), *(ROOT / "benchmarks").rglob("*.py")])

FILE_LINES = 400
ROW_FILE_LINES = 600  # files of op rows: tables, read row by row
FUNCTION_LINES = 60
MEDIAN_LINES = 150
FORBIDDEN = {"utils", "core", "impl", "misc", "common", "helpers"}

# {"path" or "path::function": "reason"}.  Shrink it.
ALLOWED: dict[str, str] = {
    "benchmarks/programs.py::settle": "the benchmark is about a function of 62 lines",
}


def spoken(path: Path) -> str:
    """The path as the allow-list and the test ids write it."""
    return path.relative_to(ROOT).as_posix()


def line_count(path: Path) -> int:
    """Physical lines of a file."""
    return len(path.read_text(encoding="utf-8").splitlines())


@pytest.mark.parametrize("path", [*SOURCES, *TESTS, *OTHERS], ids=spoken)
def test_file(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    limit = ROW_FILE_LINES if spoken(path).startswith("runtime/ops/") else FILE_LINES
    if spoken(path) not in ALLOWED:
        assert line_count(path) <= limit, f"{spoken(path)} has more than {limit} lines: split it"
    if tree.body or path in SOURCES:
        assert ast.get_docstring(tree), f"{spoken(path)} does not say what it is for"
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and path not in TESTS:
            lines = node.end_lineno - node.lineno + 1
            key = f"{spoken(path)}::{node.name}"
            assert lines <= FUNCTION_LINES or key in ALLOWED, f"{key} has {lines} lines"


def test_median_file() -> None:
    assert statistics.median(map(line_count, SOURCES)) <= MEDIAN_LINES


def test_names_say_something() -> None:
    every = [p.relative_to(ROOT) for p in [*SOURCES, *TESTS, *OTHERS]]
    bad = [
        p.as_posix() for p in every if FORBIDDEN & {part.removesuffix(".py") for part in p.parts}
    ]
    assert not bad, f"rename: {bad}"


def test_allow_list_is_not_stale() -> None:
    """An exception that is no longer needed has to go."""
    for key in ALLOWED:
        path, _, function = key.partition("::")
        tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
        if not function:
            assert line_count(ROOT / path) > FILE_LINES, f"{key} fits by now"
            continue
        sizes = [
            node.end_lineno - node.lineno + 1
            for node in ast.walk(tree)
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name == function
        ]
        assert sizes and max(sizes) > FUNCTION_LINES, f"{key} fits by now"
