"""The notebooks of ``examples/``: each runs in a kernel, and prints what is stored in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support import ROOT

NOTEBOOKS = sorted((ROOT / "examples").glob("*.ipynb"))


def printed(cell) -> str:
    """What a cell prints."""
    return "".join(o["text"] for o in cell.get("outputs", ()) if o["output_type"] == "stream")


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setenv("JUPYTER_PLATFORM_DIRS", "1")
    stored = nbformat.read(path, 4)
    nbformat.validate(stored)
    run = nbformat.read(path, 4)
    nbclient.NotebookClient(run, kernel_name="python3", timeout=120).execute()
    assert [printed(cell) for cell in run.cells] == [printed(cell) for cell in stored.cells]
    drawn = [o["data"] for c in run.cells for o in c.get("outputs", ()) if "data" in o]
    assert any("<svg" in data.get("text/html", "") for data in drawn)
