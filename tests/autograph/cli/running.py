"""How the tests of commands call them: in this process, or in one of their own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from autograph.cli import main as cli
from tests.support import ROOT

LOOP = b"def f(n):\n    while n > 1:\n        n = n - 1\n    return n\n"
PATH = os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
ENVIRONMENT = {**os.environ, "PYTHONPATH": PATH, "PYTHONDONTWRITEBYTECODE": "1"}
ENVIRONMENT.pop("PYTHONUNBUFFERED", None)  # standard output is buffered, as most users have it
COMMAND = [sys.executable, "-m", "autograph"]


def run(
    *arguments: object, cwd: Path, stdin: bytes = b"", **more: str
) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [*COMMAND, *map(str, arguments)], cwd=cwd, input=stdin, capture_output=True, timeout=60,
        env={**ENVIRONMENT, **more},
    )  # fmt: skip


def below(path: Path) -> list[str]:
    return sorted(p.relative_to(path).as_posix() for p in path.rglob("*") if p.is_file())


def namespace(data: bytes) -> dict:
    found: dict = {"__name__": "converted"}
    exec(compile(data, "converted.py", "exec"), found)
    return found


def convert(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, list[str]]:
    code = cli.main(["convert", *arguments])
    out, err = capsys.readouterr()
    return code, out, err.splitlines()
