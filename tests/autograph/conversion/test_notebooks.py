"""Notebooks: cells as one module and back, and IPython's own lines in them."""

from __future__ import annotations

import ast
import json

import pytest

from autograph.conversion.module_source import IMPORT, FileError
from autograph.conversion.notebooks import Notebook
from autograph.lint.modules import chosen
from autograph.lint.notebooks import check_notebook

LOOP = "def f(x):\n    while x > 0:\n        x = x - 1\n    return x"


def notebook(*cells, **changes) -> bytes:
    """Bytes of a notebook: code cells, Markdown where a text begins with '#'."""
    made = [
        {"cell_type": "markdown", "metadata": {}, "source": cell} if cell[:1] == "#" else
        {"cell_type": "code", "execution_count": 3, "metadata": {}, "outputs": [{"o": 1}],
         "source": cell.splitlines(keepends=True)}
        for cell in cells
    ]  # fmt: skip
    content = {"cells": made, "metadata": {}, "nbformat": 4, "nbformat_minor": 4} | changes
    return json.dumps(content, indent=1).encode()


def sources(data: bytes) -> list[str]:
    return ["".join(cell["source"]) for cell in json.loads(data)["cells"]]


def test_functions_are_converted_and_all_else_stays():
    cells = ["# title", "%matplotlib inline\nfrom __future__ import annotations\nimport math",
             f"%%time\nfiles = !ls *.py\n{LOOP}\nf?\nawait g()", "%%bash\nif true; then\n",
             "text = '''\n%not magic\n'''\n10 % 3\n"]  # fmt: skip
    after = sources(Notebook(notebook(*cells), "n.ipynb").converted() or b"")
    assert [after[0], after[2], after[4], after[5]] == [cells[0], cells[1], cells[3], cells[4]]
    assert after[1] == IMPORT
    assert after[3].startswith("%%time\nfiles = !ls *.py\ndef f(x):")
    assert "ag__.while_stmt" in after[3]
    assert after[3].endswith("return x\nf?\nawait g()")


def test_a_magic_in_a_function_stays_where_it_is():
    cell = LOOP.replace("        x = x - 1", "        %time x = x - 1\n        x -= 1")
    _, after = sources(Notebook(notebook(cell), "n.ipynb").converted() or b"")
    assert "\n        %time x = x - 1\n" in after


def test_outputs_ids_and_other_fields_stay():
    content = json.loads(notebook(LOOP, nbformat_minor=5, metadata={"mine": "ä"}))
    content["cells"][0]["id"] = "first"
    after = json.loads(Notebook(json.dumps(content).encode(), "n.ipynb").converted() or b"")
    assert after["cells"][0]["id"] and after["cells"][0]["outputs"] == []
    kept = after["cells"][1]
    assert kept["outputs"] == [{"o": 1}] and kept["id"] == "first" and kept["execution_count"] == 3
    assert after["metadata"] == {"mine": "ä"} and after["nbformat_minor"] == 5


def test_nothing_to_convert_and_converted_already():
    assert Notebook(notebook("x = 1", "!ls"), "n.ipynb").converted() is None
    assert Notebook(notebook(), "n.ipynb").converted() is None
    once = Notebook(notebook(LOOP), "n.ipynb").converted()
    assert Notebook(once or b"", "n.ipynb").converted() is None
    for source in sources(once or b""):
        ast.parse(source)


@pytest.mark.parametrize("data, error", [
    (b"{", "n.ipynb:1:2: not a notebook: Expecting property name"),
    (b"[]", "n.ipynb: not a notebook: its JSON has no 'nbformat'"),
    (b"\xff", "n.ipynb: not a notebook: invalid start byte"),
    (b"[" * 100_000, "n.ipynb: not a notebook: nested too deeply"),
    (notebook(nbformat=3), "n.ipynb: a notebook of format 3; save it"),
    (notebook(metadata={"kernelspec": {"language": "R"}}), "n.ipynb: a notebook of the language"),
    (notebook(cells=[{"cell_type": "code"}]), "n.ipynb: not a notebook: cell 1 has no source"),
    (notebook("# t", "x = 1", "y = 2\nx = = 2"), "n.ipynb:cell 3:2:5: invalid syntax"),
    (notebook("x = 1", "ag__ = 2"), "n.ipynb:cell 2:1:1: the name ag__ is reserved"),
])  # fmt: skip
def test_errors_name_the_cell(data, error):
    with pytest.raises(FileError) as raised:
        Notebook(data, "n.ipynb").converted()
    assert str(raised.value).startswith(error)


def test_findings_name_cell_and_line():
    cell = (
        "!ls\n@tf.function\ndef f(x):\n    if x > 0:\n        t = 'a'\n    else:\n        t = 1\n"
        "    return t"
    )
    data = notebook("# title", "import runtime as tf", cell)
    (found,) = check_notebook(data, "n.ipynb", chosen([], []))
    assert (found.place, found.line, found.text) == ("n.ipynb:cell 3", 7, "        t = 1")
    assert "(line 4)" in found.message
    hidden = notebook("import runtime as tf", cell.replace("t = 1", "t = 1  # noqa"))
    assert check_notebook(hidden, "n.ipynb", chosen([], [])) == []
