"""The notebooks of ``examples/``: each runs in a kernel, and prints what is stored in it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support import ROOT

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
