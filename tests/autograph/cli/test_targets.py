"""What `code`, `run` and `graph` find functions in: packages, modules by name, notebooks."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from autograph.cli import main as cli
from tests.autograph.cli.running import run
from tests.support.nightly import NIGHTLY, diagonal

BELOW = "from . import constants\nfrom .constants import LIMIT\n"
STEP = """
def step(n):
    if n > constants.LIMIT + LIMIT:
        return n - 1
    return n + 1
"""


@pytest.fixture
def package(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a package `outer.inner` of relative imports."""
    inner = folder / "outer" / "inner"
    inner.mkdir(parents=True)
    (folder / "outer" / "__init__.py").write_text("COUNT = []\n")
    (inner / "__init__.py").write_text("from .. import COUNT\nCOUNT.append(1)\n" + STEP)
    (inner / "constants.py").write_text("LIMIT = 3\n")
    (inner / "module.py").write_text(BELOW + STEP)
    (inner / "above.py").write_text("from ..inner.module import step as lower\n\n"
                                    "def step(n):\n    return lower(n)\n")  # fmt: skip
    (inner / "raises.py").write_text("from . import nothing\n")
    (inner / "wrong.py").write_text("x = = 1\n")
    return folder


TARGETS = ["outer/inner/module.py", "outer.inner.module", "outer/inner/above.py",
           "outer.inner.above"]  # fmt: skip


USES = [("run", "7"), ("graph", "i32[]"), ("code",)]


@pytest.mark.parametrize("target, use", diagonal(TARGETS, USES))
def test_modules_of_packages(target: str, use: tuple[str, ...], package: Path) -> None:
    command, *arguments = use
    done = run(command, f"{target}:step", *arguments, cwd=package)
    assert (done.returncode, done.stderr) == (0, b"")
    if command == "run":
        assert done.stdout.endswith(b"equal\n") and b"6" in done.stdout
    elif command == "graph":
        assert done.stdout.startswith(b"<?xml")
    else:
        assert b"def step" in done.stdout


def test_from_inside_of_the_package(package: Path) -> None:
    done = run("run", "module.py:step", "7", cwd=package / "outer" / "inner")
    assert (done.returncode, done.stderr) == (0, b"")


@NIGHTLY
def test_a_package_itself(package: Path) -> None:
    for target in ("outer/inner/__init__.py", "outer.inner"):
        done = run("code", f"{target}:step", cwd=package)
        assert done.returncode == 0 and b"ag__.if_stmt" in done.stdout


def test_methods_and_modules_of_the_library(package: Path) -> None:
    done = run("code", "textwrap:TextWrapper._fix_sentence_endings", cwd=package)
    assert done.returncode == 0 and b"ag__.while_stmt" in done.stdout


@pytest.mark.parametrize(
    ("target", "code", "text"),
    [
        ("outer.inner.nothing", 2, "outer.inner.nothing: is no file, and no module that Python"),
        ("nowhere.module", 2, "nowhere.module: is no file, and no module that Python finds"),
        ("nothing.py", 2, "nothing.py: no such file or directory"),
        ("math", 2, "math: is a module without a source in Python"),
        ("sys", 2, "sys: is a module without a source in Python"),
        ("outer.inner.module", 2, "outer.inner.module: no function nothing; those of the file are"),
        ("outer.inner.raises", 1, "cannot import name 'nothing' from 'outer.inner'"),
        ("outer/inner/raises.py", 1, "cannot import name 'nothing' from 'outer.inner'"),
        ("outer/inner/wrong.py", 2, "outer/inner/wrong.py:1:5: invalid syntax"),
        ("outer.inner.wrong", 2, "wrong.py:1:5: invalid syntax"),
    ],
)
def test_errors(target: str, code: int, text: str, package: Path) -> None:
    done = run("code", f"{target}:nothing", cwd=package)
    assert done.returncode == code
    assert text in done.stderr.decode().splitlines()[-1]


def notebook(*sources: str) -> bytes:
    cells = [{"cell_type": "markdown", "metadata": {}, "source": "# Title"}]
    cells += [{"cell_type": "code", "metadata": {}, "source": source, "outputs": [],
               "execution_count": None} for source in sources]  # fmt: skip
    return json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells}).encode()


def test_notebooks(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "n.ipynb").write_bytes(notebook(
        "from __future__ import annotations\nimport asyncio\n%matplotlib inline\nfiles = !ls\n"
        "def typed(x: Missing): return x",
        "await asyncio.sleep(0)\nlimit = 3\ndisplay(limit)",
        "%%time\ndef step(n):\n    if n > limit:\n        return n - 1\n    return n + 1",
        "%%bash\nrm -rf nothing",
    ))  # fmt: skip
    assert cli.main(["run", "n.ipynb:step", "5"]) == 0
    assert "4" in capsys.readouterr().out
    assert cli.main(["code", "n.ipynb:step"]) == 0
    assert "ag__.if_stmt" in capsys.readouterr().out
    assert cli.main(["graph", "n.ipynb:step", "i32[]"]) == 0


def test_errors_of_notebooks_name_the_cell(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "n.ipynb").write_bytes(notebook("x = 1", "y = = 2"))
    assert cli.main(["run", "n.ipynb:step", "5"]) == 2
    assert capsys.readouterr().err.startswith("n.ipynb:cell 3:1:5: invalid syntax")
    (folder / "n.ipynb").write_bytes(notebook("x = 1", "def f(n):\n    raise KeyError(n)\nf(2)"))
    assert cli.main(["run", "n.ipynb:f", "5"]) == 1
    err = capsys.readouterr().err
    assert 'n.ipynb:cell 3", line 2, in f\n    raise KeyError(n)\n' in err
    assert err.endswith("KeyError: 2\n")
    (folder / "n.ipynb").write_bytes(b"{}")
    assert cli.main(["run", "n.ipynb:f", "5"]) == 2
    assert "not a notebook" in capsys.readouterr().err


@pytest.fixture(autouse=True)
def paths(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", list(sys.path))
