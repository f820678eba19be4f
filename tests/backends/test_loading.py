"""A backend loads when converted code runs after its library was imported, and not before."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.support import ROOT

LIBRARY = """
class Value:
    "A number that is known later."
"""

BACKEND = """
import mylibrary
from tests.autograph.staging.tiny import Tiny

class MyBackend(Tiny):
    name = "mine"
    symbolic_types = (mylibrary.Value,)

from autograph.staging import register
register(MyBackend())
"""

NOT_INSTALLED = """
import sys
sys.meta_path[:] = [f for f in sys.meta_path if "editable" not in getattr(f, "__module__", "")]
"""
"""So that an editable installation does not find what was left out."""

PROGRAM = """
import autograph
from autograph.staging.registry import TRACES, _backends

@autograph.to_graph
def count(n):
    total = 0
    while n > 0:
        n, total = n - 1, total + n
    return total

def state():
    return bool(TRACES), [b.name for b in _backends], "mylibrary_backend" in sys.modules

assert count(3) == 6
print(*state())
import mylibrary
print(*state())
assert count(3) == 6
print(*state())
"""


def python(program: str, path: Sequence[Path]) -> str:
    """What a program prints, run where the modules of these folders and installed ones are."""
    found = subprocess.run(
        [sys.executable, "-c", NOT_INSTALLED + program], capture_output=True, text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, path))}, cwd=path[0],
    )  # fmt: skip
    assert found.returncode == 0, found.stderr
    return found.stdout


@pytest.fixture
def library(tmp_path: Path) -> Path:
    """A folder with a library, its backend and the entry point that names it."""
    (tmp_path / "mylibrary.py").write_text(LIBRARY)
    (tmp_path / "mylibrary_backend.py").write_text(BACKEND)
    (tmp_path / "mylibrary-1.dist-info").mkdir()
    (tmp_path / "mylibrary-1.dist-info" / "METADATA").write_text("Name: mylibrary\nVersion: 1\n")
    (tmp_path / "mylibrary-1.dist-info" / "entry_points.txt").write_text(
        "[autograph.backends]\nmylibrary = mylibrary_backend\n"
    )
    return tmp_path


def test_an_entry_point_names_the_backend_of_another_package(library: Path) -> None:
    assert python(PROGRAM, path=[library, ROOT]).splitlines() == [
        "False [] False", "True [] False", "True ['mine'] True",
    ]  # fmt: skip


def test_the_backend_of_a_library_that_was_imported_before_loads_at_once(library: Path) -> None:
    program = "import mylibrary\n" + PROGRAM.replace("import mylibrary\n", "")
    assert python(program, path=[library, ROOT]).splitlines() == ["True ['mine'] True"] * 3


def test_a_library_whose_import_failed_waits(library: Path) -> None:
    (library / "mylibrary.py").write_text("raise OSError('no disk')")
    program = PROGRAM.replace("import mylibrary\n", "try: import mylibrary\nexcept OSError: pass\n")
    assert python(program, path=[library, ROOT]).splitlines()[-1] == "True [] False"


def test_autograph_alone_imports_no_library_and_needs_no_runtime(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "autograph", tmp_path / "autograph")
    program = PROGRAM.replace("import mylibrary\n", "") + (
        "print(sorted({'jax', 'tensorflow', 'torch', 'numpy', 'runtime'} & {*sys.modules}))\n"
    )
    assert python(program, path=[tmp_path]).splitlines()[-1] == "[]"


def test_what_none_meets_is_no_fault_of_staging():
    """Paths on which a value is None are dropped for the error that Python would raise there."""
    from autograph.backends.scalars import StagedScalar
    from autograph.diagnostics.internal_faults import speaks_of_staging

    error = TypeError(
        f"'<' not supported between instances of 'NoneType' and {StagedScalar.__name__!r}"
    )
    assert not speaks_of_staging(error)
    assert speaks_of_staging(TypeError(f"must be str, not {StagedScalar.__name__}"))
