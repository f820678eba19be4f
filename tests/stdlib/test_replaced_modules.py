"""Modules with all functions converted in place pass CPython's own tests: a slice of a slow check.

``python -m tests.slow.replaced_stdlib`` runs all of them, and tells the times.
"""

from __future__ import annotations

import importlib.util

import pytest

from tests.slow.replaced_stdlib import MODULES, TESTS, run
from tests.support.nightly import always

SLICE = ["contextlib", "copy", "enum", "json", "reprlib", "shlex", "textwrap", "types"]
ALWAYS = ["copy", "textwrap"]


@pytest.mark.skipif(
    importlib.util.find_spec("test.test_shlex") is None, reason="CPython's tests are not installed"
)
@pytest.mark.parametrize("name", always(ALWAYS, SLICE))
def test_no_passing_test_is_lost(name, tmp_path):
    test = TESTS.get(name, f"test.test_{name}")
    before, _, _ = run(MODULES[name], test, "original", tmp_path / "before.json")
    after, problems, _ = run(MODULES[name], test, "converted", tmp_path / "after.json")
    assert before
    assert {lost: problems.get(lost) for lost in before - after} == {}
