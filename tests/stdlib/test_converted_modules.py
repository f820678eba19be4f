"""Converted modules of the standard library pass CPython's own tests for them.

Real code that nobody here wrote judges the first law: converted code that meets no staged value
behaves as the original.
"""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from autograph.conversion.module_source import convert_bytes
from tests.support import ROOT
from tests.support.nightly import always

MODULES = [
    "calendar", "colorsys", "configparser", "dataclasses", "difflib", "fractions", "functools",
    "heapq", "ipaddress", "optparse", "pprint", "shlex", "statistics", "string", "textwrap",
]  # fmt: skip
ALWAYS = ["heapq", "shlex"]
PATH = os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
TIMEOUT = 240


def run(name: str, *arguments: str) -> list[Any]:
    done = subprocess.run(
        [sys.executable, str(Path(__file__).with_name("runner.py")), name, *arguments],
        capture_output=True, text=True, timeout=TIMEOUT, cwd=arguments[0] if arguments else None,
        env={**os.environ, "PYTHONPATH": PATH, "PYTHONHASHSEED": "0"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


@pytest.mark.parametrize("name", always(ALWAYS, MODULES))
def test_no_test_is_lost(name: str, tmp_path: Path) -> None:
    if importlib.util.find_spec(f"test.test_{name}") is None:
        pytest.skip(f"this Python comes without test.test_{name}")
    source = Path(importlib.util.find_spec(name).origin)
    converted = convert_bytes(source.read_bytes(), str(source))
    (tmp_path / source.name).write_bytes(converted)

    before, count_before, _, file_before, _ = run(name)
    after, count, why, file, converted_functions = run(name, str(tmp_path))

    assert file_before == str(source)
    assert Path(file) == tmp_path / source.name, "the tests did not use the converted module"
    assert converted_functions >= 3
    assert (after, count) == (before, count_before), "\n".join(why.values())
    assert count > 0 and len(before["failures"]) + len(before["errors"]) < count
