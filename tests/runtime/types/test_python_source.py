"""Functions that are written out: one emitter names, indents and compiles them."""

import ast
import traceback

import pytest

from runtime.types.python_source import PythonSource
from runtime.types.source_location import PACKAGE_FOLDER
from tests.support import ROOT


def test_a_function_is_written_and_compiled():
    source = PythonSource(start=10)
    table = {"a": 1}
    name = source.known(table, "t")
    assert source.known(table, "t") == name != source.fresh("t")
    assert source.line(f"for key in {name}:") == 1
    assert source.line(f"    start_of_key = start + {name}[key] * x") == 2
    assert source.line("return start_of_key", 2) == 3
    function = source.compile("sum_up", ["x"])
    assert function.__name__ == "sum_up" and [function(k) for k in (1, 2)] == [11, 12]


def test_errors_name_the_written_file_and_line():
    source = PythonSource()
    source.line("y = 1")
    source.line("return x // (y - 1)")
    with pytest.raises(ZeroDivisionError) as caught:
        source.compile("divide", ["x"])(5)
    last = traceback.extract_tb(caught.value.__traceback__)[-1]
    assert (last.filename, last.lineno) == (f"{PACKAGE_FOLDER}<divide>", 3)


def test_nothing_else_compiles_text():
    compiling = [
        path.relative_to(ROOT).as_posix()
        for path in sorted((ROOT / "runtime").rglob("*.py"))
        if "exec(" in (text := path.read_text(encoding="utf-8"))
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "exec"
    ]
    assert compiling == ["runtime/types/python_source.py"]
