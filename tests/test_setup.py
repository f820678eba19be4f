"""The commands of the README and `.ci/run`: they agree, and `setup` says what it lacks."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import autograph
import runtime
from tests.support import ROOT

SHELL = shutil.which("sh")

pytestmark = pytest.mark.skipif(SHELL is None, reason="needs a POSIX shell")


def commands(number: int) -> list[str]:
    """The lines of one of the README's shell blocks."""
    found = re.findall(r"^```sh\n(.*?)^```", (ROOT / "README.md").read_text("utf-8"), re.S | re.M)
    return found[number].splitlines()


def test_first_block_sets_up_and_runs_an_example() -> None:
    assert commands(0) == [
        "sh setup",
        ".venv/bin/autograph run examples/collatz.py:collatz 27",
    ]


def test_second_block_is_what_the_checks_run() -> None:
    script = (ROOT / ".ci" / "run").read_text("utf-8").splitlines()
    for command in commands(1):
        assert any(line.startswith(command) for line in script)


@pytest.mark.parametrize("script", ["setup", ".ci/run"])
def test_script_parses_and_may_run(script: str) -> None:
    subprocess.run([SHELL, "-n", str(ROOT / script)], check=True)
    assert os.access(ROOT / script, os.X_OK)


def test_setup_without_a_modern_python(tmp_path: Path) -> None:
    """Here `python3` is too old: it fails the question for its version."""
    for name in ("python3", "python"):
        (tmp_path / name).write_text("#!/bin/sh\nexit 1\n")
        (tmp_path / name).chmod(0o755)
    (tmp_path / "dirname").symlink_to(shutil.which("dirname"))
    shutil.copy(ROOT / "setup", tmp_path)
    ran = subprocess.run(
        [SHELL, str(tmp_path / "setup")],
        env={"PATH": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 1
    assert ran.stderr == (
        "setup: no Python 3.11 or newer on PATH; name one: PYTHON=/path/to/python sh setup\n"
    )
    assert not (tmp_path / ".venv").exists()


@pytest.mark.parametrize("words", [["tset"], ["test", "jit"], ["--verbose"], ["jit;ls"]])
def test_setup_refuses_unknown_words(words: list[str], tmp_path: Path) -> None:
    shutil.copy(ROOT / "setup", tmp_path)
    command = [SHELL, str(tmp_path / "setup"), *words]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert re.fullmatch(r"setup: .*usage: sh setup \[.*\]\n", ran.stderr)
    assert not (tmp_path / ".venv").exists()


def test_setup_explains_itself(tmp_path: Path) -> None:
    shutil.copy(ROOT / "setup", tmp_path)
    command = [SHELL, str(tmp_path / "setup"), "--help"]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert (ran.returncode, ran.stderr) == (0, "")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    named = re.search(r"\[(.*)\]", ran.stdout)[1].split(" | ")
    assert set(named) == {"core", *project["optional-dependencies"]}
    assert not (tmp_path / ".venv").exists()


def test_both_packages_tell_their_version() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert autograph.__version__ == runtime.__version__ == project["version"]


def test_the_running_python_is_one_we_promise() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["requires-python"] == ">=3.11"
    assert sys.version_info >= (3, 11)
    assert project["scripts"] == {"autograph": "autograph.__main__:main"}
    assert {re.match(r"\w+", name)[0] for name in project["dependencies"]} == {
        "gast",
        "astunparse",
        "numpy",
    }
