"""Folders for the tests of commands to be in."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.autograph.cli.running import LOOP


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to be in, with the file loop.py."""
    (tmp_path / "loop.py").write_bytes(LOOP)
    monkeypatch.chdir(tmp_path)
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


@pytest.fixture
def tree(folder: Path) -> Path:
    """A tree `src` with Python files, others, and what is to be left out."""
    files = {
        "src/a.py": LOOP, "src/p/__init__.py": b"", "src/p/b.py": LOOP, "src/p/w.pyw": LOOP,
        "src/p/data.txt": b"x", "src/.hidden/c.py": LOOP, "src/__pycache__/d.py": LOOP,
        "src/env/pyvenv.cfg": b"", "src/env/lib/e.py": LOOP, "src/build/g.py": LOOP,
    }  # fmt: skip
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return folder
