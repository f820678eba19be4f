"""Whole texts of what users are told: ``errors/<topic>/<case>.py`` beside ``<case>.err``.

A case defines ``f``; with ``ARGS`` it is staged on the tiny backend with them, else only
converted.  ``pytest --update-golden`` rewrites the texts.
"""

from __future__ import annotations

import importlib.util
import re
import traceback
from pathlib import Path

import pytest

import autograph
from autograph import staging
from tests.autograph.staging.tiny_lists import BACKEND

GENERATED = re.compile(
    r"ag__|\b(if|else|loop|with|try)_body\b|loop_test|retval|do_return|do_break|did_|"
    r"\bUNDEFINED\b|\bNEVER\b|\bBREAK\b|'(result|broke|stop|skip|item)'"
)
"""What only generated code calls so."""

FOLDER = Path(__file__).parent / "errors"
CASES = sorted(FOLDER.glob("*/*.py"))


def load(path: Path):
    spec = importlib.util.spec_from_file_location(f"case_{path.stem}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("path", CASES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_error_text(path, request):
    module = load(path)
    staging.register(BACKEND)
    try:
        with pytest.raises(autograph.AutoGraphError) as caught:
            converted = autograph.to_graph(module.f)
            BACKEND.stage(converted, *module.ARGS)
    finally:
        staging.unregister(BACKEND)
    text = f"{type(caught.value).__name__}: {caught.value}\n".replace(f"{path.parent}/", "")
    expected = path.with_suffix(".err")
    if request.config.getoption("--update-golden"):
        expected.write_text(text)
    assert expected.exists(), f"{expected} is missing; write it with --update-golden and read it"
    assert text == expected.read_text()
    assert not GENERATED.search(text)
    frames = traceback.extract_tb(caught.value.__traceback__)
    shown = [f"{f.name}: {f.line}" for f in frames if f.filename == str(path)]
    assert not any(map(GENERATED.search, shown))


def test_every_case_has_one_text():
    assert {path.with_suffix("") for path in CASES} == {
        path.with_suffix("") for path in FOLDER.glob("*/*.err")
    }
