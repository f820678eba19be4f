"""The notebooks of ``examples/``: each prints what is stored in it, nightly in a kernel, too."""

from __future__ import annotations

import contextlib
import io
import json
import linecache
import os
import subprocess
import sys
from pathlib import Path

import pytest

from runtime.types.flags import JIT_STRICT
from tests.support import ROOT
from tests.support.nightly import NIGHTLY

NOTEBOOKS = sorted((ROOT / "examples").glob("*.ipynb"))

# In a process of its own: sockets and event loops are let go there, and not amid other tests.
EXECUTE = """
import sys, nbclient, nbformat
notebook = nbformat.read(sys.argv[1], 4)
nbformat.validate(notebook)
nbclient.NotebookClient(notebook, kernel_name="python3", timeout=120).execute()
nbformat.write(notebook, sys.argv[2])
"""


def printed(cell) -> str:
    """What a cell prints."""
    streams = (o for o in cell.get("outputs", ()) if o["output_type"] == "stream")
    return "".join("".join(o["text"]) for o in streams)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_cells_print_what_is_stored(path: Path) -> None:
    """Without a kernel, which takes five times as long to start."""
    names: dict[str, object] = {}
    cells = [c for c in json.loads(path.read_text(encoding="utf-8"))["cells"] if "outputs" in c]
    for number, cell in enumerate(cells):
        text, filename = "".join(cell["source"]), f"<{path.stem}:{number}>"
        linecache.cache[filename] = len(text), None, text.splitlines(True), filename
        output = io.StringIO()
        with contextlib.redirect_stdout(output), JIT_STRICT(False):  # as readers have it
            exec(compile(text, filename, "exec"), names)
        assert output.getvalue() == printed(cell)


@NIGHTLY
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook(path: Path, tmp_path: Path) -> None:
    pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    env = {**os.environ, "PYTHONPATH": str(ROOT), "JUPYTER_PLATFORM_DIRS": "1"}
    command = [sys.executable, "-c", EXECUTE, str(path), str(tmp_path / "run.ipynb")]
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr[-3000:]
    stored, run = (
        json.loads(file.read_text(encoding="utf-8"))["cells"]
        for file in (path, tmp_path / "run.ipynb")
    )
    assert [printed(cell) for cell in run] == [printed(cell) for cell in stored]
    drawn = [o["data"] for cell in run for o in cell.get("outputs", ()) if "data" in o]
    assert any("<svg" in "".join(data.get("text/html", "")) for data in drawn)
